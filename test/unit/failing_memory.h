/*
 * failing_memory.h - an allocator that fails when it is told to.
 *
 * The linker puts it in the place of the C library's (test/CMakeLists.txt), so this also runs under AddressSanitizer.
 */
#ifndef TBY_TEST_FAILING_MEMORY_H
#define TBY_TEST_FAILING_MEMORY_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
static bool for_ever;         /* and all after it */
static atomic_long n_failed;
static atomic_long n_live; /* what was allocated and not freed */

static bool must_fail(void)
{
    if (left < 0 || left-- > 0)
        return false;
    left = for_ever ? 0 : -1;
    n_failed++;
    errno = ENOMEM;
    return true;
}

static void *counted(void *p)
{
    n_live += p != NULL;
    return p;
}

void *__wrap_malloc(size_t n) { return must_fail() ? NULL : counted(__real_malloc(n)); }
void *__wrap_calloc(size_t n, size_t size) { return must_fail() ? NULL : counted(__real_calloc(n, size)); }
void *__wrap_realloc(void *p, size_t n)
{
    if (must_fail())
        return NULL;
    void *out = __real_realloc(p, n);
    n_live += !p && out;
    return out;
}
void __wrap_free(void *p)
{
    n_live -= p != NULL;
    __real_free(p);
}
char *__wrap_strdup(const char *s)
{
    char *out = malloc(strlen(s) + 1);
    return out ? strcpy(out, s) : NULL;
}

#endif
