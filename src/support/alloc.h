/*
 * alloc.h - the caller's allocator, or malloc.
 */
#ifndef TBY_SUPPORT_ALLOC_H
#define TBY_SUPPORT_ALLOC_H

#include "tabiya.h"

#include <stdlib.h>

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

#endif
