/*
 * counted_exit.c - part of the program in coverage builds: also counts what ran before _Exit.
 */
#include <gcov.h>
#include <stdlib.h>

_Noreturn void __wrap__Exit(int code);
_Noreturn void __real__Exit(int code);

_Noreturn void __wrap__Exit(int code)
{
    __gcov_dump();
    __real__Exit(code);
}
