/*
 * check_games.c - checks games that come as trees: their reader has judged them.
 */
#include "check.h"

#include <stdlib.h>

/* A part while it is read. */
typedef struct reading {
    const check *check;
    part *part;
    check_result *result;
    tby_games *games;
    tby_game *game;
    uint64_t settled; /* bytes before this have gone where they belong */
} reading;

static void tell_fault(void *context, const tby_game_fault *fault)
{
    reading *r = context;
    r->result->counts.warnings += fault->error.status == TBY_OK;
    note_fault(&r->result->faults, r->check->name, fault, tby_games_where(r->games).n_games);
}

static void count_moves(reading *r)
{
    const size_t n_plies = tby_game_main_line(r->game, NULL, 0);
    r->result->counts.plies += n_plies;
    r->result->counts.variation_plies += tby_game_n_nodes(r->game) - 1 - n_plies;
}

/* The bytes of the game; headers between games are left out. */
static void settle(reading *r, bool is_bad)
{
    const tby_games_place place = tby_games_where(r->games);
    kept *to = destination_of(r->check, r->result, is_bad);
    if (place.end <= r->settled)
        return; /* the input failed */
    if (to)
        buffer_add(&to->text, part_text(r->part, place.begin), (size_t)(place.end - place.begin));
    r->settled = place.end;
    part_forget(r->part, place.end);
}

static void judge(reading *r, tby_game_read read, bool is_game)
{
    counts *n = &r->result->counts;
    const bool is_bad = read == TBY_GAME_BAD;
    if (!is_bad)
        count_moves(r);
    n->games += is_game;
    n->bad += is_game && is_bad;
    n->bad_files += !is_game;
    if (keeps_text(r->check))
        settle(r, is_bad);
    flush_large(r->part, r->result);
}

void check_games(const check *c, part *p)
{
    reading r = {.check = c, .part = p, .result = p->result, .game = tby_game_new(NULL)};
    r.games = c->from->open(part_read, p, NULL);
    tby_game_read read = TBY_GAME_NO_MEMORY;
    if (r.games)
        tby_games_set_flags(r.games, c->flags);
    while (r.games && r.game) {
        const uint64_t n_before = tby_games_where(r.games).n_games;
        read = tby_games_next(r.games, r.game, tell_fault, &r);
        if (read == TBY_GAME_END || read == TBY_GAME_NO_MEMORY)
            break;
        judge(&r, read, tby_games_where(r.games).n_games > n_before);
    }
    if (read != TBY_GAME_END)
        error_exit("out of memory");
    p->n_games = tby_games_where(r.games).n_games;
    p->n_lines = tby_games_where(r.games).n_lines;
    tby_games_free(r.games);
    tby_game_free(r.game);
}
