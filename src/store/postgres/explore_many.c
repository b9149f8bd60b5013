/*
 * explore_many.c - the moves that the games on a PostgreSQL server play in each of many positions: two kinds of
 * statements instead of one or two per position.
 *
 * Stored counts are read for all positions that have them. The others are reached by few games, which one statement
 * finds for several positions by the index.
 */
#include "store/postgres/explore.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct exploring {
    finding *f;
    const reaching_many *many;
    uint64_t *keys; /* of the positions */
    bool *is_known; /* by position */
    size_t at;      /* the position of the row */
} exploring;

static void add(void *context, const tby_db_move *counted)
{
    const exploring *e = context;
    e->many->add(e->many->context, e->at, counted);
}

/* The row has the columns of explore.h; `place` is the position's. */
static bool take_row(exploring *e, finding *f, size_t place)
{
    const reaching_visitor v = {.add = add, .context = e};
    if (place >= e->many->n)
        return false;
    e->at = place;
    f->base.pos = e->many->positions[place];
    return explore_pass_move(f, &v);
}

static bool finish(const exploring *e, bool is_right)
{
    return pg_is_good(&e->f->server->to) && (is_right || explore_fail(e->f->server));
}

/* ---- From counts ------------------------------------------------------------------------------------------------ */

static size_t place_of(const exploring *e, uint64_t key)
{
    size_t i = 0;
    while (i < e->many->n && e->keys[i] != key)
        i++;
    return i;
}

/* The first column is the key. */
static bool explore_counted(exploring *e)
{
    const connection *row = &e->f->server->to;
    bool is_right = true, is_asked = false;
    if (!explore_ask_many(e->f, e->many->positions, e->many->n, &is_asked))
        return false;
    while (is_asked && pg_next(&e->f->server->to)) {
        const size_t place = place_of(e, (uint64_t)pg_number(row, 0));
        is_right = is_right && take_row(e, e->f, place);
        if (is_right)
            e->is_known[place] = true;
    }
    return finish(e, is_right);
}

/* ---- From games ------------------------------------------------------------------------------------------------- */

static const char moves_of_many[] =
    "SELECT k.ordinality, %1$splayedMove(g.moves, k.board), count(*), count(*) FILTER (WHERE g.result = '1-0'),"
    " count(*) FILTER (WHERE g.result = '1/2-1/2'), count(*) FILTER (WHERE g.result = '0-1'), count(*) FILTER (WHERE"
    " g.result NOT IN ('1-0', '1/2-1/2', '0-1')), 0::bigint, 0::bigint, 0 FROM"
    " pg_catalog.unnest($%2$zu::%1$schessboard[]) WITH ORDINALITY AS k (board, ordinality) JOIN tabiya.game g ON"
    " %1$shasPosition(g.moves, k.board) WHERE TRUE";

/* Up to this many positions per statement. */
enum { MOST = 64 };

/* Of the positions from `*next` on that are not known; `places` are theirs. */
static size_t put_boards(const exploring *e, size_t *next, size_t places[MOST], buffer *out)
{
    size_t n = 0;
    buffer_string(out, "{");
    for (; *next < e->many->n && n < MOST; ++*next) {
        char fen[TBY_FEN_SIZE];
        if (e->is_known[*next])
            continue;
        tby_fen_write_position(fen, sizeof fen, e->many->positions[*next], 0);
        buffer_printf(out, "%s\"%s\"", n ? "," : "", fen);
        places[n++] = *next;
    }
    buffer_string(out, "}");
    return n;
}

static bool explore_some(exploring *e, size_t *next)
{
    finding f = {.base = e->f->base, .server = e->f->server};
    size_t places[MOST];
    buffer boards = {0};
    bool is_right = true;
    const size_t n = put_boards(e, next, places, &boards);
    if (n == 0) {
        buffer_free(&boards);
        return true;
    }
    const bool is_sent = finding_begin(&f) &&
                         finding_send_with(&f, moves_of_many, pg_value_take(&f.values, &boards), "", " GROUP BY 1, 2");
    while (is_sent && pg_next(&f.server->to)) {
        const uint64_t number = (uint64_t)pg_number(&f.server->to, 0) - 1;
        is_right = is_right && number < n && take_row(e, &f, places[number]);
    }
    finding_end(&f);
    return is_sent && finish(e, is_right);
}

static bool explore_all(exploring *e)
{
    size_t next = 0;
    for (size_t i = 0; i < e->many->n; i++)
        e->keys[i] = tby_position_key(e->many->positions[i]);
    bool is_good = explore_counted(e);
    while (is_good && next < e->many->n)
        is_good = explore_some(e, &next);
    return is_good;
}

bool postgres_reach_many(tby_db *db, db_plan *of, reaching_many *many)
{
    finding *f = (finding *)of;
    (void)db;
    if (!finding_begin(f))
        return false;
    many->is_done = finding_is_exact(f);
    if (!many->is_done)
        return true;
    exploring e = {.f = f, .many = many};
    e.keys = calloc(many->n + 1, sizeof *e.keys);
    e.is_known = calloc(many->n + 1, sizeof *e.is_known);
    const bool is_good = e.keys && e.is_known ? explore_all(&e) : db_fail_memory(&f->server->to.base);
    free(e.keys);
    free(e.is_known);
    return is_good;
}
