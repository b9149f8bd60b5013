/*
 * check_games.c - checks games that are read as trees; their reader has already checked the moves.
 */
#include "check.h"

/* State while a part is read. */
typedef struct reading {
    const check *check;
    check_result *result;
    part_games in;
} reading;

static void copy(void *context, const char *s, size_t n, bool is_bad)
{
    const reading *r = context;
    copied *to = destination_of(r->check, r->result, is_bad);
    if (to)
        buffer_add(&to->text, s, n);
}

static void judge(reading *r, bool is_bad)
{
    counts *n = &r->result->counts;
    const bool is_game = tby_games_where(r->in.games).n_games > r->in.n_before;
    if (!is_bad) {
        const size_t n_plies = tby_game_main_line(r->in.game, NULL, 0);
        n->plies += n_plies;
        n->variation_plies += tby_game_n_nodes(r->in.game) - 1 - n_plies;
    }
    n->games += is_game;
    n->bad += is_game && is_bad;
    n->bad_files += !is_game;
    part_games_done(&r->in, is_bad);
    flush_large(r->in.part, r->result);
}

void check_games(const check *c, part *p)
{
    reading r = {.check = c, .result = p->result};
    tby_game_read read;
    part_games_begin(&r.in, p, c->flags, keeps_text(c) ? copy : NULL, &r);
    while ((read = part_games_next(&r.in)) != TBY_GAME_END)
        judge(&r, read == TBY_GAME_BAD);
    r.result->counts.warnings += r.in.n_warnings;
    part_games_end(&r.in);
}
