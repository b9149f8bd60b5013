/*
 * array.h - arrays that grow.
 */
#ifndef TBY_SUPPORT_ARRAY_H
#define TBY_SUPPORT_ARRAY_H

#include "base/contract.h"
#include "support/alloc.h"

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
