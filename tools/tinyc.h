/*
 * tinyc.h - the functions that gcc and clang have built in, for tcc, which lacks them; part of the amalgamation.
 */
#ifdef __TINYC__
#define __builtin_popcountll tinyc_popcount
#define __builtin_popcount tinyc_popcount
#define __builtin_ctzll tinyc_ctz
#define __builtin_ctz tinyc_ctz
#define __builtin_clzll tinyc_clz
#define __builtin_bswap64 tinyc_bswap

static int tinyc_popcount(unsigned long long bits)
{
    int n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

static int tinyc_ctz(unsigned long long bits) { return tinyc_popcount((bits & -bits) - 1); }

static int tinyc_clz(unsigned long long bits)
{
    int n = 63;
    while (bits >>= 1)
        n--;
    return n;
}

static unsigned long long tinyc_bswap(unsigned long long bytes)
{
    unsigned long long swapped = 0;
    for (int i = 0; i < 8; i++, bytes >>= 8)
        swapped = swapped << 8 | (bytes & 0xff);
    return swapped;
}
#endif
