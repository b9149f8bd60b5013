/*
 * variant.h - one source, several instruction sets, chosen at run time.
 *
 * The files listed under KERNELS in src/CMakeLists.txt contain the hot loops. On x86-64 they are compiled twice:
 * without special flags, and as variant `v3` with the instructions of x86-64-v3 (popcnt, bmi2, avx2). An entry point is
 * written
 *
 *     TBY_KERNEL(size_t, tby_moves_count, (const tby_position *pos), (pos))
 *     {
 *         ...
 *     }
 *
 * which becomes moves_count_v3 in the variant. In the plain compilation it becomes the public tby_moves_count:
 * with TBY_IFUNC (Linux) the loader checks the processor once and binds the name to one of the two; otherwise the
 * function checks at every call. Without TBY_HAVE_V3 (other processors, WebAssembly) it is an ordinary function.
 *
 * Every function of a kernel file that is not static must be a TBY_KERNEL; any other would be defined twice.
 */
#ifndef TBY_BASE_VARIANT_H
#define TBY_BASE_VARIANT_H

#include "base/bitboard.h"

#if defined(TBY_HAVE_V3)
/* True if the processor has x86-64-v3 and a fast pext: AMD's was microcode before Zen 3. */
TBY_INLINE bool cpu_is_v3(void)
{
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
           !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}
#endif

#if defined(TBY_HAVE_V3) && defined(TBY_VARIANT_V3)
#define TBY_KERNEL(type, name, params, args)                                                                           \
    type name##_v3 params;                                                                                             \
    type name##_v3 params
#elif defined(TBY_HAVE_V3) && defined(TBY_IFUNC)
#define TBY_KERNEL(type, name, params, args)                                                                           \
    type name##_v3 params;                                                                                             \
    static type name##_base params;                                                                                    \
    typedef type name##_type params;                                                                                   \
    static __attribute__((used)) name##_type *name##_choose(void)                                                      \
    {                                                                                                                  \
        __builtin_cpu_init();                                                                                          \
        return cpu_is_v3() ? name##_v3 : name##_base;                                                                  \
    }                                                                                                                  \
    type name params __attribute__((ifunc(#name "_choose")));                                                          \
    static type name##_base params
#elif defined(TBY_HAVE_V3)
#define TBY_KERNEL(type, name, params, args)                                                                           \
    type name##_v3 params;                                                                                             \
    static type name##_base params;                                                                                    \
    type name params { return cpu_is_v3() ? name##_v3 args : name##_base args; }                                       \
    static type name##_base params
#else
#define TBY_KERNEL(type, name, params, args) type name params
#endif

#endif
