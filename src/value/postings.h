/*
 * postings.h - the format of the rows of a database's position index, and how they are written.
 *
 *     row      [ row bits: 5 | part bits: 6 | game bits: 6 | number of groups (7) | group ... | zeros to a whole byte ]
 *     group    [ part of the key, less that of the group before (part step) | 2 * number of games - 2, + 1 if a ply
 *                follows (0) | first game: game bits | its ply, if so (4) | posting ... ]                by rising key
 *     posting  [ game, less the one before, less 1 (game step) | 1: the same ply as before, or 0 | ply (4)
 *                | 1: the same move, or 0 | from, to: 12 bits | 0: a plain move, or 1 | kind: 4 bits ]
 *
 * All sizes are in bits; (k) marks a number(k) of bits.h. A group is a position with the games that reach it, each with
 * its first occurrence. The part of a key is the `part bits` after its upper `row bits`: enough to tell most positions
 * apart. Positions with the same part are separate groups, told apart by replaying a game of each: for this they store
 * the ply of the first game, which may reach several of them. Otherwise the row has only the number of a group's first
 * game; a look-up replays that game to find the ply and the move.
 *
 * The step sizes follow from preceding data, which keeps the numbers short: see postings_part_step and
 * postings_game_step. Games are counted from the first of the run. Before the first posting, ply and move are 0.
 */
#ifndef TBY_VALUE_POSTINGS_H
#define TBY_VALUE_POSTINGS_H

#include "codec/bits.h"
#include "tabiya_value.h"

enum { POSTINGS_GAME_BITS = 32, POSTINGS_PART_BITS = 56 };
enum { POSTINGS_GROUPS_STEP = 7, POSTINGS_PLY_STEP = 4 };

/* A position of a game. */
typedef struct position_entry {
    uint64_t key;
    uint32_t game; /* counted from the first of the run */
    uint16_t ply;
    tby_move next;
} position_entry;

/* Sorts entries by key if the upper `n_same` bits of all keys are equal; stable. `room` is as large. */
void positions_sort(position_entry *e, position_entry *room, size_t n, unsigned n_same);
/* The same, from `e`, which is then without order, to `out`. */
void positions_sort_to(position_entry *out, position_entry *e, size_t n, unsigned n_same);

/* The parameters of a run's rows. */
typedef struct postings_form {
    unsigned row_bits, part_bits, game_bits;
} postings_form;

static inline uint64_t postings_part(uint64_t key, unsigned row_bits, unsigned part_bits)
{
    return part_bits ? key << row_bits >> (64 - part_bits) : 0;
}

/* The number of bits of the mean step between `n` numbers below 2^bits. */
static inline unsigned postings_step(unsigned bits, uint32_t n)
{
    const unsigned n_bits = bit_length(n);
    return bits > n_bits ? bits - n_bits : 0;
}

/* The end of the group in `entries` that begins at `i`. */
static inline size_t group_end(const position_entry *entries, size_t n, size_t i)
{
    size_t k = i + 1;
    while (k < n && entries[k].key == entries[i].key)
        k++;
    return k;
}

/* Does a neighbour of the group from `i` to `end` have the same part? */
static inline bool group_is_alike(const position_entry *entries, size_t n, size_t i, size_t end, unsigned row_bits,
                                  unsigned part_bits)
{
    const uint64_t part = postings_part(entries[i].key, row_bits, part_bits);
    return (i > 0 && postings_part(entries[i - 1].key, row_bits, part_bits) == part) ||
           (end < n && postings_part(entries[end].key, row_bits, part_bits) == part);
}

/* Reads up to `most` (at least 1) of the next postings whose games are in a set; returns how many, 0 after the last. The
   set has a bit for each game number from 0 on, in pages; NULL is a page without games. The first posting of the group
   must have been read. */
enum { POSTINGS_PAGE_WORDS = 1024 };
size_t postings_take_of(tby_postings *postings, uint64_t *const *pages, size_t n_pages, tby_posting *out, size_t most);

/* Overwrites the buffer with a row. Entries are sorted by key, then by game; each game occurs once per key. */
void postings_put(bit_buffer *row, const postings_form *form, const position_entry *entries, size_t n);

#endif
