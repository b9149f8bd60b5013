/*
 * array.h - memory from the caller's allocator or malloc, and arrays that grow.
 */
#ifndef TBY_SUPPORT_ARRAY_H
#define TBY_SUPPORT_ARRAY_H

#include "base/contract.h"
#include "tabiya.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

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

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/* Makes room for `need` items of `size` bytes in the array that `array` points to, with half as much again when it
   moves; `allocator` may be NULL. False, and nothing changed, if out of memory or if the size overflows. */
static inline bool array_reserve(void *array, size_t *cap, size_t need, size_t size, const tby_allocator *allocator)
{
    enum { FIRST = 64 };
    TBY_CONTRACT(size > 0);
    if (need <= *cap)
        return true;
    const tby_allocator from = allocator_or_default(allocator);
    const size_t most = SIZE_MAX / size;
    void *items;
    if (need > most)
        return false;
    const size_t more = need / 2 + FIRST, wanted = more < most - need ? need + more : most;
    memcpy(&items, array, sizeof items);
    items = from.resize(from.context, items, *cap * size, wanted * size);
    if (!items)
        return false;
    memcpy(array, &items, sizeof items);
    *cap = wanted;
    return true;
}

/* Appends an item of `size` bytes to an array of `*n` items; otherwise the same. */
static inline bool array_add(void *array, size_t *n, size_t *cap, const void *item, size_t size,
                             const tby_allocator *allocator)
{
    char *items;
    if (!array_reserve(array, cap, *n + 1, size, allocator))
        return false;
    memcpy(&items, array, sizeof items);
    memcpy(items + (*n)++ * size, item, size);
    return true;
}

/* An array that knows its size, for arrays of one allocator. */
typedef struct array_list {
    void *items;
    size_t n, cap;
} array_list;

/* Room for `more` items of `size` bytes after those in use, never NULL for none; at most 4 GB. NULL if out of memory. */
static inline void *array_list_room(const tby_allocator *allocator, array_list *list, size_t more, size_t size)
{
    TBY_CONTRACT(size > 0 && list->n <= list->cap);
    if ((more > list->cap - list->n || !list->items) &&
        (more > UINT32_MAX / size - list->n ||
         !array_reserve(&list->items, &list->cap, list->n + (more ? more : 1), size, allocator)))
        return NULL;
    return (char *)list->items + list->n * size;
}

/* Appends an id; false if out of memory. */
static inline bool array_list_add_id(const tby_allocator *allocator, array_list *list, uint32_t id)
{
    return array_add(&list->items, &list->n, &list->cap, &id, sizeof id, allocator);
}

static inline void array_list_free(const tby_allocator *allocator, array_list *list, size_t size)
{
    alloc_free(*allocator, list->items, list->cap * size);
    *list = (array_list){NULL, 0, 0};
}

#endif
