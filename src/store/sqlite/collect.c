/*
 * collect.c - plays the games of a run through, and adds their positions to a sorter.
 *
 *     the statement --> batches of games, each in one thread --> the sorter, batch by batch
 */
#include "store/sqlite/collect.h"
#include "game/turns.h"
#include "store/sqlite/blocks.h"

#include <stdlib.h>

/* A batch's moves and positions should stay in the processor's cache. */
enum { BATCH_GAMES = 256, THREAD_GAMES = 4 * BATCH_GAMES };

typedef struct collecting {
    const collection *c;
    tby_game_id *last;
    turns turns;
    sqlite3_stmt *games;
    int64_t before; /* the game that was read last */
    bool has_failed;
} collecting;

/* A game of a batch: where its moves end, and its entries. */
typedef struct batch_game {
    tby_game_id id;
    size_t moves_end, entries_end;
    bool is_sound;
} batch_game;

typedef struct batch {
    batch_game games[BATCH_GAMES];
    size_t n_games;
    byte_buffer moves;
    position_entry *entries;
    size_t n_entries, cap_entries;
} batch;

/* ---- Reading -------------------------------------------------------------------------------------------- */

static bool read_game(collecting *w, batch *b)
{
    const tby_game_id id = sqlite3_column_int64(w->games, 0);
    const void *moves = sqlite3_column_blob(w->games, 1);
    bytes_append(&b->moves, moves, moves ? (size_t)sqlite3_column_bytes(w->games, 1) : 0);
    b->games[b->n_games++] = (batch_game){.id = id, .moves_end = b->moves.n};
    return !b->moves.has_failed || lite_fail_memory(w->c->db);
}

/* The lock is held. */
static void read_batch(collecting *w, batch *b)
{
    bool failed = false, has_row = true;
    b->n_games = b->moves.n = b->n_entries = 0;
    while (!failed && b->n_games < BATCH_GAMES && has_row) {
        has_row = lite_step_up(w->c->db, w->games, &w->before, &failed);
        failed = failed || (has_row && !read_game(w, b));
    }
    w->turns.is_over |= failed || !has_row;
    w->has_failed |= failed;
}

/* ---- Playing -------------------------------------------------------------------------------------------- */

static bool add_entry(batch *b, const position_entry *e)
{
    if (b->n_entries == b->cap_entries &&
        !array_reserve(&b->entries, &b->cap_entries, b->n_entries + 1, sizeof *b->entries, NULL))
        return false;
    b->entries[b->n_entries++] = *e;
    return true;
}

static bool play_game(batch *b, batch_game *g, size_t moves_begin, const position_run *run)
{
    tby_packed cursor;
    const size_t n = g->moves_end - moves_begin;
    const bool is_in = g->id >= run->first && g->id <= run->last;
    g->is_sound = is_in && n > 0 && tby_packed_begin(&cursor, b->moves.data + moves_begin, n);
    tby_move m = TBY_MOVE_NONE;
    for (int ply = 0; g->is_sound && ply <= run_depth(run) && (ply == 0 || m != TBY_MOVE_NONE); ply++) {
        position_entry e = {tby_position_key(&cursor.pos), (uint32_t)(g->id - run->first), (uint16_t)ply, 0};
        m = e.next = tby_packed_next(&cursor);
        if (!add_entry(b, &e))
            return false;
    }
    g->entries_end = b->n_entries;
    return true;
}

static bool play_batch(batch *b, const position_run *run)
{
    bool is_good = true;
    for (size_t i = 0, at = 0; i < b->n_games && is_good; at = b->games[i++].moves_end)
        is_good = play_game(b, &b->games[i], at, run);
    return is_good;
}

/* ---- Adding --------------------------------------------------------------------------------------------- */

static bool add_batch(collecting *w, const batch *b)
{
    const collection *c = w->c;
    for (size_t i = 0, at = 0; i < b->n_games && c->sorter->n < c->most_entries; at = b->games[i++].entries_end) {
        const batch_game *g = &b->games[i];
        if (!c->meet(c->context, g->id, g->is_sound) ||
            !tby_sorter_add(c->sorter, b->entries + at, g->entries_end - at))
            return false;
        if (c->sorter->n >= c->most_entries) {
            *w->last = g->id;
            w->turns.is_over = true;
        }
    }
    return true;
}

static bool report(const collecting *w, const batch *b)
{
    const position_run *run = w->c->run;
    const tby_game_id n_games = run->last - run->first + 1;
    return b->n_games == 0 ||
           w->c->go_on(w->c->context, (double)(b->games[b->n_games - 1].id - run->first) / (double)n_games);
}

/* It is the batch's turn. */
static void hand_on(collecting *w, const batch *b, bool is_played, bool reports)
{
    if (w->has_failed)
        return;
    w->has_failed = is_played ? !add_batch(w, b) : !lite_fail_memory(w->c->db);
    w->has_failed = w->has_failed || (reports && !report(w, b));
    w->turns.is_over |= w->has_failed;
}

static void collect_games(void *context, unsigned thread)
{
    collecting *w = context;
    batch b = {.moves = bytes_begin(NULL)};
    while (turns_enter(&w->turns)) {
        read_batch(w, &b);
        const int64_t number = turns_take(&w->turns);
        const bool is_played = play_batch(&b, w->c->run);
        turns_wait(&w->turns, number);
        hand_on(w, &b, is_played, thread == 0);
        turns_next(&w->turns);
    }
    bytes_end(&b.moves);
    free(b.entries);
}

bool tby_collect(const collection *c, tby_game_id *last)
{
    collecting w = {.c = c, .last = last, .before = LITE_FIRST};
    w.games = lite_prepare(c->db, "SELECT id, moves FROM game WHERE id BETWEEN ?1 AND ?2");
    if (!w.games)
        return false;
    sqlite3_bind_int64(w.games, 1, c->run->first);
    sqlite3_bind_int64(w.games, 2, c->run->last);
    turns_init(&w.turns);
    threads_run(threads_wanted(0, (c->run->last - c->run->first + 1) / THREAD_GAMES), collect_games, &w);
    turns_end(&w.turns);
    sqlite3_finalize(w.games);
    return !w.has_failed;
}
