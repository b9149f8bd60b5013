/*
 * failing_memory.h - an allocator that fails on request.
 *
 * The linker substitutes it for the C library's (test/CMakeLists.txt), so this also runs under AddressSanitizer.
 *
 * Most allocations of a run come from the same places in the code. One run records the calls that led to each
 * allocation; then the first and the last allocation of every such place are made to fail.
 */
#ifndef TBY_TEST_FAILING_MEMORY_H
#define TBY_TEST_FAILING_MEMORY_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <execinfo.h>
#include <malloc.h>
#else
#define malloc_usable_size(p) ((void)(p), (size_t)0)
#endif

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);
char *__wrap_strdup(const char *s);

static atomic_long left = -1; /* allocations until the one that fails; negative: none fails */
static bool for_ever;         /* all later ones fail too */
static atomic_long n_failed;
static atomic_long n_live;       /* allocated and not freed */
static atomic_long n_live_bytes; /* the same in bytes, where the C library counts them */

/* ---- Places --------------------------------------------------------------------------------------------- */

enum { PLACES_MAX = 1 << 13, CALLS_MAX = 100, CALLS_THAT_COUNT = 6 };

typedef struct asking_place {
    uint64_t calls; /* a hash of the calls; 0 = empty slot */
    long first, last;
} asking_place;

static struct {
    bool is_noting;
    long n_allocations;
    size_t n;
    asking_place places[PLACES_MAX]; /* a hash table with open addressing */
} noted;

#ifdef __GLIBC__
extern const char __executable_start[], etext[];

/* The innermost calls, without those inside libraries: SQLite allocates in a hundred ways for one of our statements. */
static uint64_t hash_of_calls(void)
{
    void *calls[CALLS_MAX];
    uint64_t hash = 1;
    const int n = backtrace(calls, CALLS_MAX);
    for (int i = 0, n_ours = 0; i < n && n_ours < CALLS_THAT_COUNT; i++) {
        const uintptr_t at = (uintptr_t)calls[i];
        if (at < (uintptr_t)__executable_start || at >= (uintptr_t)etext)
            continue;
        hash = (hash ^ (at - (uintptr_t)__executable_start)) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
        n_ours++;
    }
    return hash | 1;
}
#else
/* Without a stack trace: all of the first allocations, then one in fifty. */
static uint64_t hash_of_calls(void)
{
    const long n = noted.n_allocations;
    return (uint64_t)(n < 400 ? n : 400 + n / 50) * 2 + 1;
}
#endif

static void note_place(void)
{
    const uint64_t calls = hash_of_calls();
    size_t at = (size_t)(calls >> 40) % PLACES_MAX;
    while (noted.places[at].calls && noted.places[at].calls != calls)
        at = (at + 1) % PLACES_MAX;
    if (!noted.places[at].calls) {
        if (++noted.n == PLACES_MAX)
            abort();
        noted.places[at] = (asking_place){calls, noted.n_allocations, 0};
    }
    noted.places[at].last = noted.n_allocations++;
}

static inline void places_begin(void)
{
    memset(&noted, 0, sizeof noted);
    hash_of_calls(); /* its first call allocates */
    noted.is_noting = true;
}

static inline int compare_numbers(const void *a, const void *b)
{
    return (*(const long *)a > *(const long *)b) - (*(const long *)a < *(const long *)b);
}

/* The numbers of the allocations that are worth a trial, in order and without repetition; all of them if
   TABIYA_EVERY_ALLOCATION is set in the environment. */
typedef struct trials {
    size_t n;
    long numbers[2 * PLACES_MAX];
} trials;

static inline void places_end(trials *out)
{
    size_t n = 0;
    noted.is_noting = false;
    out->n = 0;
    for (size_t i = 0; i < PLACES_MAX; i++)
        if (noted.places[i].calls) {
            out->numbers[n++] = noted.places[i].first;
            out->numbers[n++] = noted.places[i].last;
        }
    qsort(out->numbers, n, sizeof *out->numbers, compare_numbers);
    for (size_t i = 0; i < n; i++)
        if (!out->n || out->numbers[out->n - 1] != out->numbers[i])
            out->numbers[out->n++] = out->numbers[i];
}

/* The number of trial `i`; -1 after the last. */
static inline long trial_number(const trials *t, size_t i)
{
    if (getenv("TABIYA_EVERY_ALLOCATION"))
        return (long)i < noted.n_allocations ? (long)i : -1;
    return i < t->n ? t->numbers[i] : -1;
}

/* ---- The allocator -------------------------------------------------------------------------------------- */

static bool must_fail(void)
{
    if (noted.is_noting)
        note_place();
    if (left < 0 || left-- > 0)
        return false;
    left = for_ever ? 0 : -1;
    n_failed++;
    errno = ENOMEM;
    return true;
}

/* Counts a block in (1) or out (-1). */
static void *count(void *p, int by)
{
    n_live += p ? by : 0;
    n_live_bytes += by * (long)malloc_usable_size(p);
    return p;
}

void *__wrap_malloc(size_t n) { return must_fail() ? NULL : count(__real_malloc(n), 1); }
void *__wrap_calloc(size_t n, size_t size) { return must_fail() ? NULL : count(__real_calloc(n, size), 1); }
void *__wrap_realloc(void *p, size_t n)
{
    if (must_fail())
        return NULL;
    count(p, -1);
    void *out = __real_realloc(p, n);
    return count(out, 1);
}
void __wrap_free(void *p)
{
    count(p, -1);
    __real_free(p);
}
char *__wrap_strdup(const char *s)
{
    char *out = malloc(strlen(s) + 1);
    return out ? strcpy(out, s) : NULL;
}

#endif
