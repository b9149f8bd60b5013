/*
 * alone.c - finds the positions whose table follows from the only game that reaches them.
 */
#include "os/threads.h"
#include "publish/tables.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct searching {
    const tby_publisher *p;
    const all_keys *keys;
    _Atomic uint64_t *bits; /* set: not alone */
    atomic_size_t next;
} searching;

/* Does any move but `next` lead to a position of a game, or `next` to one that more games reach? */
static bool has_others(const all_keys *keys, const tby_position *pos, tby_move next)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    const uint64_t base = publish_base_key(pos);
    for (size_t i = 0; i < n; i++) {
        const uint64_t index = publish_keys_find(keys, publish_key_after(pos, base, moves[i]));
        if (index != UINT64_MAX && (moves[i] != next || publish_keys_games(keys, index) > 1))
            return true;
    }
    return next == TBY_MOVE_NULL;
}

static void search_game(searching *s, size_t number)
{
    const tby_text moves = s->p->games[number].row.moves;
    tby_packed cursor;
    tby_move next;
    if (!tby_packed_begin(&cursor, (const uint8_t *)moves.s, moves.n))
        return;
    do {
        const tby_position pos = cursor.pos;
        const uint64_t index = publish_keys_find(s->keys, tby_position_key(&pos));
        next = tby_packed_next(&cursor);
        if (index != UINT64_MAX && (s->keys->n_games[index] > 1 || has_others(s->keys, &pos, next)))
            atomic_fetch_or_explicit(&s->bits[index / 64], (uint64_t)1 << (index % 64), memory_order_relaxed);
    } while (next != TBY_MOVE_NONE);
}

static void search(void *context, unsigned number)
{
    enum { SHARE = 256 };
    searching *s = context;
    (void)number;
    for (size_t first; (first = atomic_fetch_add(&s->next, SHARE)) < s->p->n_games;)
        for (size_t i = first; i < first + SHARE && i < s->p->n_games; i++)
            search_game(s, i);
}

bool publish_alone_find(alone *out, tby_publisher *p, const all_keys *keys)
{
    const size_t n = (size_t)(keys->n / 64 + 1);
    searching s = {.p = p, .keys = keys, .bits = calloc(n, sizeof *s.bits)};
    out->bits = malloc(n * sizeof *out->bits);
    const bool is_good = s.bits && out->bits;
    if (is_good)
        threads_run(publish_threads(p), search, &s);
    for (size_t i = 0; is_good && i < n; i++)
        out->bits[i] = ~atomic_load(&s.bits[i]);
    free(s.bits);
    return is_good || failure_no_memory(p->failure);
}

void publish_alone_free(alone *a) { free(a->bits); }
