/*
 * replay.c - replays games, and adds their positions to a sorter.
 *
 *     the statement --> batches of games, each in one thread --> the sorter, batch by batch
 */
#include "store/sqlite/index/replay.h"
#include "base/contract.h"
#include "pgn/turns.h"

#include <stdlib.h>
#include <string.h>

/* A batch should fit into the processor's cache. */
enum { BATCH_GAMES = 64, THREAD_GAMES = 16 * BATCH_GAMES };

typedef struct collecting {
    const replay *c;
    turns turns;
    lite_rows games;
    bool has_failed;
} collecting;

/* A game of a batch: the ends of its moves and its entries. */
typedef struct batch_game {
    replayed_game game;
    size_t moves_end, entries_end;
    bool has_eco;
    char eco[8]; /* its beginning */
    size_t n_eco;
} batch_game;

/* Some plies of a game. */
enum { PLIES = 128 };
typedef struct plies {
    uint64_t planes[4][PLIES], keys[PLIES];
    tby_bitboard castling[PLIES];
    tby_square en_passant[PLIES];
    tby_move moves[PLIES];
} plies;

typedef struct batch {
    batch_game games[BATCH_GAMES];
    plies plies;
    game_traits *traits; /* one per game; NULL if not wanted */
    size_t n_games;
    buffer moves;
    position_entry *entries;
    size_t n_entries, cap_entries;
} batch;

static bool wants_had(const replay *c) { return c->traits_after < c->last; }

/* ---- Reading -------------------------------------------------------------------------------------------- */

static bool read_game(collecting *w, batch *b)
{
    batch_game *g = &b->games[b->n_games++];
    const tby_game_id id = w->games.number;
    const lite_bytes moves = lite_bytes_at(&w->games, 1);
    buffer_add(&b->moves, moves.s, moves.n);
    *g =
        (batch_game){.game = {.id = id, .is_in_range = id >= w->c->first && id <= w->c->last}, .moves_end = b->moves.n};
    if (wants_had(w->c)) {
        const lite_bytes eco = lite_bytes_at(&w->games, 2);
        g->has_eco = sqlite3_column_type(w->games.s, 2) != SQLITE_NULL;
        g->n_eco = eco.n < sizeof g->eco ? eco.n : sizeof g->eco;
        memcpy(g->eco, eco.n ? (const char *)eco.s : "", g->n_eco);
    }
    return !b->moves.has_failed || lite_fail_memory(w->c->db);
}

/* The lock is held. */
static void read_batch(collecting *w, batch *b)
{
    bool has_row = true;
    b->n_games = b->moves.n = b->n_entries = 0;
    while (b->n_games < BATCH_GAMES && (has_row = lite_next_up(&w->games)))
        w->games.failed = !read_game(w, b);
    w->turns.is_over |= w->games.failed || !has_row;
    w->has_failed |= w->games.failed;
}

/* ---- Playing -------------------------------------------------------------------------------------------- */

static bool add_entries(batch *b, uint32_t game, unsigned ply, size_t n)
{
    if (!array_reserve(&b->entries, &b->cap_entries, b->n_entries + n, sizeof *b->entries, NULL))
        return false;
    position_entry *e = b->entries + b->n_entries;
    for (size_t i = 0; i < n; i++)
        e[i] = (position_entry){b->plies.keys[i], game, (uint16_t)(ply + i), b->plies.moves[i]};
    b->n_entries += n;
    return true;
}

/* Replays to the last ply that is wanted, or to the end. */
static bool play_moves(batch *b, const batch_game *g, tby_packed *cursor, const replay *c, game_traits *h)
{
    plies *p = &b->plies;
    const packed_plies to = {{p->planes[0], p->planes[1], p->planes[2], p->planes[3]},
                             p->castling,
                             p->en_passant,
                             p->moves,
                             c->sorter || h ? p->keys : NULL};
    const size_t n_wanted = c->sorter ? (size_t)c->depth + 1 : 0;
    bool is_good = true, goes_on = true;
    for (size_t ply = 0, n; is_good && goes_on && (h || ply < n_wanted); ply += n) {
        n = packed_read_plies(&to, PLIES, cursor);
        if (ply < n_wanted)
            is_good = add_entries(b, (uint32_t)(g->game.id - c->first), (unsigned)ply,
                                  n < n_wanted - ply ? n : n_wanted - ply);
        if (h)
            traits_play(h, &to, n, &cursor->pos.board);
        goes_on = p->moves[n - 1] != TBY_MOVE_NONE;
    }
    return is_good;
}

static bool play_game(batch *b, batch_game *g, size_t moves_begin, const replay *c)
{
    tby_packed cursor;
    const size_t n = g->moves_end - moves_begin;
    game_traits *h = b->traits && g->game.id > c->traits_after ? &b->traits[g - b->games] : NULL;
    bool is_good = true;
    g->game.is_sound = g->game.is_in_range && n > 0 && tby_packed_begin(&cursor, b->moves.data + moves_begin, n);
    if (g->game.is_sound) {
        if (h)
            traits_begin_game(h, &cursor.pos, (tby_text){g->has_eco ? g->eco : NULL, g->n_eco});
        is_good = play_moves(b, g, &cursor, c, h);
        if (h)
            traits_end_game(h, &cursor.pos);
        g->game.traits = h;
    }
    g->entries_end = b->n_entries;
    return is_good;
}

static bool play_batch(batch *b, const replay *c)
{
    bool is_good = !wants_had(c) || b->traits || (b->traits = malloc(BATCH_GAMES * sizeof *b->traits)) != NULL;
    for (size_t i = 0, at = 0; i < b->n_games && is_good; at = b->games[i++].moves_end)
        is_good = play_game(b, &b->games[i], at, c);
    return is_good;
}

/* ---- Adding --------------------------------------------------------------------------------------------- */

static bool is_full(const replay *c) { return c->sorter && c->sorter->n >= c->most_entries; }

static bool add_batch(collecting *w, const batch *b)
{
    const replay *c = w->c;
    for (size_t i = 0, at = 0; i < b->n_games && !is_full(c); at = b->games[i++].entries_end)
        if (!c->visit(c->context, &b->games[i].game) ||
            (c->sorter && !sorter_add(c->sorter, b->entries ? b->entries + at : NULL, b->games[i].entries_end - at)))
            return false;
    w->turns.is_over |= is_full(c);
    return true;
}

static bool report(const collecting *w, const batch *b)
{
    const replay *c = w->c;
    const double n_games = (double)(c->last - c->first + 1);
    return b->n_games == 0 || !c->go_on ||
           c->go_on(c->context, (double)(b->games[b->n_games - 1].game.id - c->first) / n_games);
}

/* Called when it is the batch's turn. */
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
    batch b = {.moves = buffer_begin(NULL)};
    while (turns_enter(&w->turns)) {
        read_batch(w, &b);
        const int64_t number = turns_take(&w->turns);
        const bool is_played = play_batch(&b, w->c);
        turns_wait(&w->turns, number);
        hand_on(w, &b, is_played, thread == 0);
        turns_next(&w->turns);
    }
    buffer_free(&b.moves);
    free(b.entries);
    free(b.traits);
}

bool replayed_is_good(lite *db, const replayed_game *game)
{
    if (!game->is_in_range)
        return lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: game %lld is out of order",
                         (long long)game->id);
    return game->is_sound || lite_fail(db, TBY_INVALID_DATABASE, "game %lld is damaged", (long long)game->id);
}

bool lite_replay(const replay *c)
{
    TBY_CONTRACT(c->visit && c->first >= 1 && c->depth >= 0);
    collecting w = {.c = c};
    tby_game_id last = 0; /* a wide range may contain few games */
    if (!lite_last_id(c->db, &last))
        return false;
    const int64_t n_games = (last < c->last ? last : c->last) - c->first + 1;
    w.games = lite_rows_of(
        c->db,
        lite_prepare(c->db, wants_had(c) ? "SELECT id, moves, eco FROM game WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
                                         : "SELECT id, moves FROM game WHERE id BETWEEN ?1 AND ?2 ORDER BY id"));
    lite_bind(&w.games, 1, c->first);
    lite_bind(&w.games, 2, c->last);
    turns_init(&w.turns);
    threads_run(threads_wanted(c->db->base.n_threads, n_games / THREAD_GAMES), collect_games, &w);
    turns_end(&w.turns);
    return lite_end(&w.games) && !w.has_failed;
}
