/*
 * alloc.h - the caller's allocator, or malloc.
 */
#ifndef TBY_SUPPORT_ALLOC_H
#define TBY_SUPPORT_ALLOC_H

#include "tabiya.h"

#include <stdlib.h>
#include <string.h>

static inline void *alloc_default_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static inline tby_allocator allocator_or_default(const tby_allocator *allocator)
{
    static const tby_allocator standard = {alloc_default_resize, NULL};
    return allocator ? *allocator : standard;
}

/* The text and a NUL, to be freed; NULL if out of memory. */
static inline char *text_copy(const char *s, size_t n)
{
    char *copy = malloc(n + 1);
    if (copy) {
        memcpy(copy, s, n);
        copy[n] = '\0';
    }
    return copy;
}

/* A block of zeros; NULL if out of memory. */
static inline void *alloc_new(tby_allocator from, size_t size)
{
    void *block = from.resize(from.context, NULL, 0, size);
    return block ? memset(block, 0, size) : NULL;
}

/* Frees a block, or nothing if it is NULL. The allocator is a copy, because it may be in the block. */
static inline void alloc_free(tby_allocator from, void *block, size_t size)
{
    if (block)
        from.resize(from.context, block, size, 0);
}

#endif
