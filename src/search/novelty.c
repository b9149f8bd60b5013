/*
 * novelty.c - the first new move of a game: the one after which no other game of the database reaches the position.
 *
 * The game itself (the same players, start and moves) does not count, wherever it was read from and however often it is
 * stored. Nor do games with a later date, if its date is known.
 *
 * The move is found without counting: the positions are bisected, and every game found on the way rules out all
 * positions that it shares. The few that are left are looked up one by one.
 */
#include "base/contract.h"
#include "row/dates.h"
#include "search/search.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

/* A position of the game, and the move that led to it. */
typedef struct place {
    tby_position pos;
    uint64_t key;
    tby_move move;
    bool is_known; /* another game reaches it */
} place;

typedef struct looking {
    tby_db *db;
    const tby_game *game;
    tby_db_search search; /* all games; how to read them */
    tby_game *other;      /* space for another game */
    buffer itself;        /* the numbers under which the game is stored, tby_game_id each */
    int last_date;        /* games with later dates do not count; 0: all count */
    place *line;          /* the game's main line, by ply */
    size_t cap;
    unsigned n_plies;
    tby_move after;    /* where the line ends: none, or a null move, after which nothing is new */
    tby_game_id found; /* while a game is looked for; 0: none */
} looking;

/* ---- The game in the database --------------------------------------------------------------------------- */

static bool has_same_tag(const tby_game *a, const tby_game *b, const char *name)
{
    const char *x = tby_game_tag(a, name), *y = tby_game_tag(b, name);
    return strcmp(x ? x : "?", y ? y : "?") == 0;
}

static bool has_same_line(const tby_game *a, const tby_game *b)
{
    tby_node x = tby_game_child(a, TBY_ROOT), y = tby_game_child(b, TBY_ROOT);
    while (x != TBY_NO_NODE && y != TBY_NO_NODE && tby_game_move(a, x) == tby_game_move(b, y)) {
        x = tby_game_child(a, x);
        y = tby_game_child(b, y);
    }
    return x == TBY_NO_NODE && y == TBY_NO_NODE && tby_position_same(tby_game_start(a), tby_game_start(b));
}

/* Visits the games that reach a position; `visit` may end that early, by having found one. It also checks whether a game
   counts, because a query about dates would read all games before finding the few. */
static bool visit_reaching(looking *l, const tby_position *pos, tby_db_visit_reaching visit, void *context,
                           const tby_game_id *found)
{
    const reaching_visitor visitor = {.visit = visit, .context = context};
    return search_reach(l->db, pos, &l->search, &visitor) ||
           (found && *found && l->db->failure.status == TBY_INTERRUPTED);
}

static bool read_other(looking *l, tby_game_id id) { return tby_db_game(l->other, l->db, id) == TBY_OK; }

/* Games that may be the same: they first reach the final position at the same ply, and then play the same move. */
typedef struct same_end {
    int ply;
    tby_move next;
    buffer ids;
} same_end;

static bool take_similar(void *context, const tby_db_reaching *game)
{
    same_end *end = context;
    if (game->ply == end->ply && game->next == end->next)
        buffer_add(&end->ids, (const char *)&game->id, sizeof game->id);
    return true;
}

/* Hundreds of thousands of games may reach the end of a short one, so only those that may be the same game are read. */
static bool find_itself(looking *l)
{
    const tby_position *last = &l->line[l->n_plies].pos;
    same_end end = {.ply = 0};
    tby_game_id id;
    while (!tby_position_same(&l->line[end.ply].pos, last))
        end.ply++;
    end.next = (unsigned)end.ply < l->n_plies ? l->line[end.ply + 1].move : l->after;
    bool is_good = visit_reaching(l, last, take_similar, &end, NULL);
    for (size_t at = 0; is_good && at < end.ids.n; at += sizeof id) {
        memcpy(&id, end.ids.s + at, sizeof id);
        is_good = read_other(l, id);
        if (is_good && has_same_tag(l->game, l->other, "White") && has_same_tag(l->game, l->other, "Black") &&
            has_same_line(l->game, l->other))
            buffer_add(&l->itself, (const char *)&id, sizeof id);
    }
    if (end.ids.has_failed || l->itself.has_failed)
        is_good = db_fail_memory(l->db);
    buffer_free(&end.ids);
    return is_good;
}

/* An explore_filter. */
static bool counts(void *context, const tby_db_reaching *game)
{
    const looking *l = context;
    const int date = game->facts.date;
    if (l->last_date && (!date || date > l->last_date))
        return false;
    for (size_t at = 0; at < l->itself.n; at += sizeof game->id)
        if (memcmp(l->itself.s + at, &game->id, sizeof game->id) == 0)
            return false;
    return true;
}

/* ---- Where it is new ------------------------------------------------------------------------------------ */

/* Up to a null move, after which nothing is new. */
static bool read_line(looking *l)
{
    tby_node node = TBY_ROOT;
    place at = {.pos = *tby_game_start(l->game)};
    if (!array_reserve(&l->line, &l->cap, tby_game_main_line(l->game, NULL, 0) + 1, sizeof *l->line, NULL))
        return db_fail_memory(l->db);
    for (l->n_plies = 0;; l->n_plies++) {
        at.key = tby_position_key(&at.pos);
        l->line[l->n_plies] = at;
        node = tby_game_child(l->game, node);
        at.move = node == TBY_NO_NODE ? TBY_MOVE_NONE : tby_game_move(l->game, node);
        if (at.move == TBY_MOVE_NONE || at.move == TBY_MOVE_NULL)
            break;
        tby_line_play(&at.pos, at.move);
    }
    l->after = at.move;
    return true;
}

/* Marks the positions that another game also reaches. */
static void know_game(looking *l, const tby_game *other)
{
    tby_position pos = *tby_game_start(other);
    for (tby_node node = TBY_ROOT;;) {
        const uint64_t key = tby_position_key(&pos);
        for (place *p = l->line; p <= l->line + l->n_plies; p++)
            p->is_known |= p->key == key && tby_position_same(&p->pos, &pos);
        node = tby_game_child(other, node);
        if (node == TBY_NO_NODE)
            return;
        tby_line_play(&pos, tby_game_move(other, node));
    }
}

/* Looks for one game that counts. */
static bool find_game(void *context, const tby_db_reaching *game)
{
    looking *l = context;
    if (counts(l, game))
        l->found = game->id;
    return !l->found;
}

static bool look_up(looking *l, unsigned ply)
{
    TBY_CONTRACT(ply <= l->n_plies);
    if (l->line[ply].is_known)
        return true;
    l->found = 0;
    if (!visit_reaching(l, &l->line[ply].pos, find_game, l, &l->found) || (l->found && !read_other(l, l->found)))
        return false;
    if (l->found)
        know_game(l, l->other);
    return true;
}

/* The ply of the first new move; 0 if there is none. */
static bool find_new(looking *l, unsigned *out)
{
    unsigned low = 0, high = l->n_plies + 1;
    while (high - low > 1) {
        const unsigned middle = low + (high - low) / 2;
        if (!look_up(l, middle))
            return false;
        *(l->line[middle].is_known ? &low : &high) = middle;
    }
    for (unsigned ply = 1; ply < high; ply++) {
        if (!look_up(l, ply))
            return false;
        if (!l->line[ply].is_known)
            high = ply;
    }
    *out = high <= l->n_plies ? high : 0;
    return true;
}

static bool examine(looking *l, bool is_line, tby_novelty *out)
{
    unsigned ply;
    if (!read_line(l) || (!is_line && !find_itself(l)) || !find_new(l, &ply))
        return false;
    out->ply = ply ? ply : l->n_plies;
    out->before = l->line[ply ? ply - 1 : l->n_plies].pos;
    out->move = ply ? l->line[ply].move : TBY_MOVE_NONE;
    return search_explore_some(l->db, &out->before, &l->search, counts, l, &out->played);
}

tby_status tby_db_novelty(tby_novelty *out, tby_db *db, const tby_game *game, const tby_novelty_options *options)
{
    TBY_CONTRACT(out && game);
    static const tby_novelty_options usual = {.is_line = false};
    const tby_novelty_options *o = options ? options : &usual;
    const char *tag = tby_game_tag(game, "Date");
    const date_parts date = dates_read(tag ? tag : "", tag ? strlen(tag) : 0);
    looking l = {.db = db, .game = game, .other = tby_game_new(NULL)};
    l.search =
        (tby_db_search){.n_threads = o->n_threads, .progress = o->progress, .progress_context = o->progress_context};
    l.last_date = o->takes_any_date || !date.date ? 0 : date.last;
    const bool is_good = l.other ? examine(&l, o->is_line, out) : db_fail_memory(db);
    tby_game_free(l.other);
    buffer_free(&l.itself);
    free(l.line);
    return db_answer(db, is_good);
}
