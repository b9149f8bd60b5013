/* setjmp.h - cmocka wants its users to include this; the cmocka.h beside it has no use for it, and WebAssembly has
 * none. */
