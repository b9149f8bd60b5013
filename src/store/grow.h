/*
 * grow.h - arrays that grow.
 */
#ifndef TBY_STORE_GROW_H
#define TBY_STORE_GROW_H

#include <stdlib.h>

/* The items with room for `need` of them, at least doubled when they move; NULL, and nothing changed, if there is no
   memory. */
static inline void *grown(void *items, size_t *cap, size_t need, size_t size)
{
    enum { FIRST = 256 };
    if (need <= *cap)
        return items;
    const size_t wanted = 2 * need > FIRST ? 2 * need : FIRST;
    void *memory = realloc(items, wanted * size);
    if (memory)
        *cap = wanted;
    return memory;
}

#endif
