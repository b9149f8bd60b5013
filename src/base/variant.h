/*
 * variant.h - one source, several instruction sets, chosen at run time.
 *
 * The files listed under KERNELS in src/CMakeLists.txt hold the hot loops. On x86-64 they are compiled twice: as
 * they are, and as variant `v3` with the instructions of x86-64-v3 (popcnt, bmi2, avx2). An entry point is written
 *
 *     TBY_KERNEL(size_t, tby_moves_count, (const tby_position *pos), (pos))
 *     {
 *         ...
 *     }
 *
 * which becomes tby_moves_count_v3 in the variant; in the plain compilation it becomes the public tby_moves_count,
 * which asks the processor and calls one of the two. Without TBY_HAVE_V3 (other processors, WebAssembly) it is an
 * ordinary function.
 *
 * Where an object is called so often that asking the processor each time would show, TBY_KERNEL_POINTER defines a
 * function that gives the address of the better one, for the object to keep.
 */
#ifndef TBY_BASE_VARIANT_H
#define TBY_BASE_VARIANT_H

#include "base/bitboard.h"

#if defined(TBY_HAVE_V3)
/* True where x86-64-v3 is there and pext is one instruction: before Zen 3 AMD's was microcode. */
TBY_INLINE bool tby_cpu_is_v3(void)
{
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
           !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}
#endif

#if defined(TBY_HAVE_V3) && defined(TBY_VARIANT_V3)
#define TBY_KERNEL(type, name, params, args)                                                                          \
    type name##_v3 params;                                                                                            \
    type name##_v3 params
#elif defined(TBY_HAVE_V3)
#define TBY_KERNEL(type, name, params, args)                                                                          \
    type name##_v3 params;                                                                                            \
    static type name##_base params;                                                                                   \
    type name params { return tby_cpu_is_v3() ? name##_v3 args : name##_base args; }                                  \
    static type name##_base params
#else
#define TBY_KERNEL(type, name, params, args) type name params
#endif

#if defined(TBY_HAVE_V3) && defined(TBY_VARIANT_V3)
#define TBY_KERNEL_POINTER(type, name, params) TBY_KERNEL(type, name, params, )
#elif defined(TBY_HAVE_V3)
#define TBY_KERNEL_POINTER(type, name, params)                                                                        \
    type name##_v3 params;                                                                                            \
    static type name##_base params;                                                                                   \
    type(*name##_kernel(void)) params { return tby_cpu_is_v3() ? name##_v3 : name##_base; }                           \
    static type name##_base params
#else
#define TBY_KERNEL_POINTER(type, name, params)                                                                        \
    static type name##_base params;                                                                                   \
    type(*name##_kernel(void)) params { return name##_base; }                                                         \
    static type name##_base params
#endif

#endif
