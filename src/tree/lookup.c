/*
 * lookup.c - finds a position among many: a hash table of their numbers, linear probing, at most half full.
 */
#include "tree/lookup.h"

#include <stdlib.h>

static const tby_position *position_at(const tby_position *first, size_t item_size, uint32_t number)
{
    return (const tby_position *)(const void *)((const char *)(const void *)first + (size_t)number * item_size);
}

static bool is_same(const tby_position *a, const tby_position *b)
{
    for (int i = 0; i < 4; i++)
        if (a->board.plane[i] != b->board.plane[i])
            return false;
    return a->castling == b->castling && a->en_passant == b->en_passant && ((a->ply ^ b->ply) & 1) == 0;
}

void index_free(position_index *index)
{
    free(index->slots);
    *index = (position_index){0};
}

bool index_reserve(position_index *index, const tby_position *first, size_t item_size)
{
    enum { FIRST = 1024 };
    if (2 * (index->n_items + 1) <= index->n_slots)
        return true;
    position_index larger = {.n_slots = index->n_slots ? 2 * index->n_slots : FIRST};
    larger.slots = calloc(larger.n_slots, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < index->n_slots; i++)
        if (index->slots[i].item) {
            const uint32_t number = index->slots[i].item - 1;
            index_find_or_add(&larger, first, item_size, position_at(first, item_size, number), number);
        }
    free(index->slots);
    *index = larger;
    return true;
}

uint32_t index_find_or_add(position_index *index, const tby_position *first, size_t item_size, const tby_position *pos,
                           uint32_t next)
{
    const uint64_t key = tby_position_key(pos);
    size_t i = (size_t)key & (index->n_slots - 1);
    for (; index->slots[i].item; i = (i + 1) & (index->n_slots - 1))
        if (index->slots[i].check == (uint32_t)(key >> 32) &&
            is_same(position_at(first, item_size, index->slots[i].item - 1), pos))
            return index->slots[i].item - 1;
    index->slots[i] = (index_slot){(uint32_t)(key >> 32), next + 1};
    index->n_items++;
    return next;
}
