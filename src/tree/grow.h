/*
 * grow.h - arrays that grow.
 */
#ifndef TBY_TREE_GROW_H
#define TBY_TREE_GROW_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Gives the array that the pointer at `array` points to room for `need` items, half as many again when it moves. False, and
   nothing changed, if there is no memory. */
static inline bool grow_array(void *array, size_t *cap, size_t need, size_t size)
{
    enum { FIRST = 64 };
    void *items;
    if (need <= *cap)
        return true;
    const size_t wanted = need + need / 2 + FIRST;
    memcpy(&items, array, sizeof items);
    items = realloc(items, wanted * size);
    if (!items)
        return false;
    memcpy(array, &items, sizeof items);
    *cap = wanted;
    return true;
}

#endif
