/* setjmp.h - cmocka requires its users to include this. The cmocka.h in this folder does not need it, and WebAssembly
   does not have it. */
