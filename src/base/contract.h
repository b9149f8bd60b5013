/*
 * contract.h - what callers promise, checked in debug builds.
 *
 * Input is never trusted: bad input gives an error. Callers are trusted, and checked here. A broken promise ends the
 * program on the spot, where a debugger or a fuzzer sees it. In release builds (NDEBUG) nothing is evaluated. The
 * core cannot use <assert.h>, which needs a C library.
 */
#ifndef TBY_BASE_CONTRACT_H
#define TBY_BASE_CONTRACT_H

#ifdef NDEBUG
#define TBY_CONTRACT(promise) ((void)sizeof(promise))
#elif defined __TINYC__
#define TBY_CONTRACT(promise) ((promise) ? (void)0 : (void)(*(volatile char *)0 = 0)) /* it has no trap */
#else
#define TBY_CONTRACT(promise) ((promise) ? (void)0 : __builtin_trap())
#endif

#endif
