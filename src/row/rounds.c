/*
 * rounds.c - the rounds of events that each player took part in, to distinguish namesakes.
 *
 * Each game is two entries, one per player: the round as a hash, the player, the colour, and the opponent. They are
 * sorted by player and round when the first question is asked, so that two players are compared in one pass over theirs.
 *
 * Keeps    a game without an event or a round only counts for the question whether two players have met.
 */
#include "row/row.h"
#include "support/array.h"
#include "tabiya_query.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint64_t round; /* 0: unknown */
    uint32_t who;   /* twice the number; plus 1 for Black */
    uint32_t opponent;
} entry;

struct tby_rounds {
    entry *list;
    size_t n, cap;
    bool is_sorted;
};

tby_rounds *tby_rounds_new(void) { return calloc(1, sizeof(tby_rounds)); }

void tby_rounds_free(tby_rounds *r)
{
    if (r)
        free(r->list);
    free(r);
}

static bool is_known(tby_text text) { return text.n > 0 && !(text.n == 1 && (*text.s == '?' || *text.s == '-')); }

static uint64_t hash_text(uint64_t seed, tby_text text)
{
    return bytes_hash(bytes_hash(seed, &text.n, sizeof text.n), text.n ? text.s : "", text.n);
}

/* A hash of event, site, year and round; 0 if the event or the round is unknown. */
static uint64_t round_of(const tby_row *row)
{
    const int year = row->date / 10000;
    if (!is_known(row->event) || !is_known(row->round))
        return 0;
    return hash_text(hash_text(hash_text(bytes_hash(1, &year, sizeof year), row->event), row->site), row->round) | 1;
}

tby_status tby_rounds_add(tby_rounds *r, const tby_row *row, uint32_t white, uint32_t black)
{
    const uint64_t round = round_of(row);
    const entry both[2] = {{round, 2 * white, black}, {round, 2 * black + 1, white}};
    r->is_sorted = false;
    return array_add(&r->list, &r->n, &r->cap, &both[0], sizeof *both, NULL) &&
                   array_add(&r->list, &r->n, &r->cap, &both[1], sizeof *both, NULL)
               ? TBY_OK
               : TBY_NO_MEMORY;
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->who / 2 != y->who / 2)
        return x->who / 2 < y->who / 2 ? -1 : 1;
    return (x->round > y->round) - (x->round < y->round);
}

/* The first entry of a player, or of the next one. */
static const entry *first_of(const tby_rounds *r, uint32_t number)
{
    size_t low = 0, high = r->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->list[middle].who / 2 < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? r->list + low : r->list; /* an empty list has no memory */
}

static bool have_met(const entry *from, const entry *to, uint32_t other)
{
    for (; from < to; from++)
        if (from->opponent == other)
            return true;
    return false;
}

bool tby_rounds_part(tby_rounds *r, uint32_t a, uint32_t b, tby_rounds_same is_same, void *context)
{
    if (!r->is_sorted && r->n)
        qsort(r->list, r->n, sizeof *r->list, compare_entries);
    r->is_sorted = true;
    const entry *x = first_of(r, a), *x_end = first_of(r, a + 1), *y = first_of(r, b), *y_end = first_of(r, b + 1);
    if (have_met(x, x_end, b))
        return true;
    while (x < x_end && y < y_end) {
        if (x->round != y->round || !x->round) {
            *(x->round <= y->round ? &x : &y) += 1;
            continue;
        }
        const entry *other = y;
        for (; other < y_end && other->round == x->round; other++)
            if ((x->who & 1) != (other->who & 1) ||
                (x->opponent != other->opponent && !is_same(context, x->opponent, other->opponent)))
                return true;
        x++;
    }
    return false;
}
