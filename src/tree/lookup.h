/*
 * lookup.h - finds a position among many: a hash table of their numbers.
 *
 * The positions are members of the items of an array, which belongs to the caller and may move. Functions take the
 * first of the positions, and the size of an item.
 */
#ifndef TBY_TREE_LOOKUP_H
#define TBY_TREE_LOOKUP_H

#include "tabiya_tree.h"

typedef struct index_slot {
    uint32_t check; /* the upper half of the key */
    uint32_t item;  /* its number + 1; 0 = free */
} index_slot;

typedef struct position_index {
    index_slot *slots;
    size_t n_slots, n_items; /* the first a power of two */
} position_index;

void index_free(position_index *index);
/* Makes room for one more; false if out of memory. */
bool index_reserve(position_index *index, const tby_position *first, size_t item_size);
/* The number of the item equal to `pos` (as returned by tree_position); if there is none, adds `next` and returns it.
   */
uint32_t index_find_or_add(position_index *index, const tby_position *first, size_t item_size, const tby_position *pos,
                           uint32_t next);

#endif
