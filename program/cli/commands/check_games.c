/*
 * check_games.c - checks games that are read as trees; their reader has already checked the moves.
 */
#include "check.h"

/* State while a part is read. */
typedef struct reading {
    const check *check;
    part *part;
    check_result *result;
    part_games in;
    uint64_t n_before; /* the games read before this one */
    uint64_t settled;  /* bytes before this have been copied */
} reading;

static void count_moves(reading *r)
{
    const size_t n_plies = tby_game_main_line(r->in.game, NULL, 0);
    r->result->counts.plies += n_plies;
    r->result->counts.variation_plies += tby_game_n_nodes(r->in.game) - 1 - n_plies;
}

/* The bytes of the game up to `offset`; headers and blanks between games are left out. */
static void settle(reading *r, uint64_t offset, bool is_bad)
{
    const tby_games_place place = tby_games_where(r->in.games);
    const uint64_t begin = place.begin > r->settled ? place.begin : r->settled;
    copied *to = place.n_games > r->n_before || is_bad ? destination_of(r->check, r->result, is_bad) : NULL;
    if (offset <= r->settled)
        return; /* the input failed */
    if (to && offset > begin)
        buffer_add(&to->text, part_text(r->part, begin), (size_t)(offset - begin));
    r->settled = offset;
    part_forget(r->part, offset);
}

/* A tby_source: the bytes of the part. The bytes of a game that is already known to be bad are not held until its end,
   which may never come. */
static size_t read_on(void *context, char *buf, size_t cap)
{
    reading *r = context;
    const bool is_bad = r->in.is_bad, is_between = tby_games_where(r->in.games).n_games == r->n_before;
    uint64_t offset;
    if (keeps_text(r->check) && (is_bad || is_between) &&
        part_is_long(r->part, is_bad ? AHEAD_LITTLE : AHEAD_GAME, &offset)) {
        settle(r, offset, is_bad);
        part_flush(r->part);
    }
    return part_read(r->part, buf, cap);
}

static void judge(reading *r, bool is_bad)
{
    counts *n = &r->result->counts;
    const tby_games_place place = tby_games_where(r->in.games);
    const bool is_game = place.n_games > r->n_before;
    if (!is_bad)
        count_moves(r);
    n->games += is_game;
    n->bad += is_game && is_bad;
    n->bad_files += !is_game;
    if (keeps_text(r->check))
        settle(r, place.end, is_bad);
    r->n_before = place.n_games;
    r->in.is_bad = false;
    flush_large(r->part, r->result);
}

void check_games(const check *c, part *p)
{
    reading r = {.check = c, .part = p, .result = p->result};
    tby_game_read read;
    part_games_begin(&r.in, p, c->flags, read_on, &r);
    while ((read = part_games_next(&r.in)) != TBY_GAME_END)
        judge(&r, read == TBY_GAME_BAD);
    r.result->counts.warnings += r.in.n_warnings;
    part_games_end(&r.in);
}
