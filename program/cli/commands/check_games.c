/*
 * check_games.c - checks games that are read as trees; their reader has already checked the moves.
 */
#include "check.h"

#include <stdlib.h>

/* State while a part is read. */
typedef struct reading {
    const check *check;
    part *part;
    check_result *result;
    tby_games *games;
    tby_game *game;
    uint64_t n_before; /* the games read before this one */
    uint64_t settled;  /* bytes before this have been copied */
    bool is_bad;       /* the game being read: a fault has been reported */
} reading;

static void tell_fault(void *context, const tby_game_fault *fault)
{
    reading *r = context;
    r->is_bad |= fault->error.status != TBY_OK;
    r->result->counts.warnings += fault->error.status == TBY_OK;
    note_fault(&r->result->faults, r->check->name, fault, tby_games_where(r->games).n_games);
}

static void count_moves(reading *r)
{
    const size_t n_plies = tby_game_main_line(r->game, NULL, 0);
    r->result->counts.plies += n_plies;
    r->result->counts.variation_plies += tby_game_n_nodes(r->game) - 1 - n_plies;
}

/* The bytes of the game up to `offset`; headers and blanks between games are left out. */
static void settle(reading *r, uint64_t offset, bool is_bad)
{
    const tby_games_place place = tby_games_where(r->games);
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
    const bool is_between = tby_games_where(r->games).n_games == r->n_before;
    uint64_t offset;
    if (keeps_text(r->check) && (r->is_bad || is_between) &&
        part_is_long(r->part, r->is_bad ? AHEAD_LITTLE : AHEAD_GAME, &offset)) {
        settle(r, offset, r->is_bad);
        part_flush(r->part);
    }
    return part_read(r->part, buf, cap);
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
        settle(r, tby_games_where(r->games).end, is_bad);
    r->n_before = tby_games_where(r->games).n_games;
    r->is_bad = false;
    flush_large(r->part, r->result);
}

void check_games(const check *c, part *p)
{
    reading r = {.check = c, .part = p, .result = p->result, .game = memory_got(tby_game_new(NULL))};
    tby_game_read read;
    r.games = memory_got(c->from->open(read_on, &r, NULL));
    tby_games_set_flags(r.games, c->flags);
    while ((read = tby_games_next(r.games, r.game, tell_fault, &r)) != TBY_GAME_END) {
        memory_need(read != TBY_GAME_NO_MEMORY);
        judge(&r, read, tby_games_where(r.games).n_games > r.n_before);
    }
    p->n_games = tby_games_where(r.games).n_games;
    p->n_lines = tby_games_where(r.games).n_lines;
    tby_games_free(r.games);
    tby_game_free(r.game);
}
