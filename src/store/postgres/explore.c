/*
 * explore.c - the moves that the games on a PostgreSQL server play in a position.
 *
 * For positions that many games reach, stored counts are used (explore_counts.c). For others there are two statements,
 * for which the server does the counting: the games that reach the positions after the moves, with the aggregate
 * nextMoves; then the results, ratings and dates of the games that reach the position, by the board after the next
 * move.
 */
#include "store/postgres/explore.h"
#include "store/postgres/find.h"
#include "store/tally.h"

#include <stdlib.h>
#include <string.h>

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static bool read_move(tby_move *out, const tby_position *pos, tby_text uci)
{
    const tby_move_notation *notation = tby_move_notation_find("uci", 3);
    return tby_line_read_move(out, pos, notation, uci.s, uci.n, 0, NULL) == TBY_OK;
}

tby_db_move *explored_move(exploring *e, tby_text uci)
{
    tby_move move;
    if (!uci.n || !read_move(&move, e->pos, uci))
        return NULL;
    for (size_t i = 0; i < e->n_legal; i++)
        if (e->legal[i].move == move)
            return &e->counted.moves[i];
    return NULL;
}

static bool put_games(exploring *e, buffer *sql, pg_values *v)
{
    bool is_said = true;
    if (e->has_ids)
        buffer_printf(sql, " AND g.id = ANY ($%zu::bigint[])", pg_value(v, e->ids.s));
    else if (e->among) /* a condition in SQL, as list_games has found; fails only if out of memory */
        return server_search_conditions(e->to, e->among, v, sql, &is_said) &&
               (is_said || db_fail_memory(&e->to->to.base));
    return true;
}

/* A statement about the games that reach the position, which is $1. `format` has the extension's schema as %1$s and the
   column of the side's ratings as %2$s; then come the games that count, and `end`. */
__attribute__((format(printf, 4, 0))) static bool put_statement(exploring *e, buffer *sql, pg_values *v,
                                                                const char *format, const char *end)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, e->pos, 0);
    pg_value(v, fen);
    buffer_printf(sql, format, e->to->ext, tby_position_side(e->pos) == TBY_WHITE ? "white_elo" : "black_elo");
    if (!put_games(e, sql, v))
        return false;
    buffer_string(sql, end);
    return !sql->has_failed || db_fail_memory(&e->to->to.base);
}

/* Games that reach neither the position nor one after a legal move are left out. */
static const char moves_reached[] =
    "SELECT m.uci, m.reached FROM (SELECT %1$snextMoves(g.moves, $1::%1$schessboard) AS list FROM"
    " tabiya.game g WHERE g.moves OPERATOR(%1$s@~) %1$swithinMoves($1::%1$schessboard)";

static bool take_move(exploring *e, const connection *p)
{
    tby_db_move *m = explored_move(e, pg_text(p, 0));
    e->is_wrong |= !m;
    if (m)
        m->reached += (uint64_t)pg_number(p, 1);
    return m != NULL;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static tby_db_move *move_to(exploring *e, uint64_t placement)
{
    for (size_t i = 0; i < e->n_legal; i++)
        if (e->legal[i].placement == placement)
            return &e->counted.moves[i];
    return NULL;
}

static bool take_games(exploring *e, const connection *p)
{
    enum { PLACEMENT, RESULT, GAMES, N_ELO, ELO_SUM, LAST };
    const tby_text placement = pg_text(p, PLACEMENT), text = pg_text(p, RESULT);
    const uint64_t n = (uint64_t)pg_number(p, GAMES);
    tby_result result;
    tby_db_move *m = placement.s ? move_to(e, (uint64_t)pg_number(p, PLACEMENT)) : NULL;
    if (tby_result_read(&result, text.s, text.n, NULL) != TBY_OK || (placement.s && !m)) {
        e->is_wrong = true;
        return false;
    }
    e->counted.games += n;
    e->counted.results[result] += n;
    if (!m) {
        e->counted.ended += n;
        return true;
    }
    uint64_t results[4] = {0};
    results[result] = n;
    tally_add(TALLY_OF(m), results, (uint64_t)pg_number(p, N_ELO), (uint64_t)pg_number(p, ELO_SUM),
              (int)pg_number(p, LAST));
    return true;
}

/* The results of the games that reach the position. */
static const char games_played[] =
    "SELECT %1$splacementKey(%1$sgetBoard(g.moves, (%1$spositionPly(g.moves, $1::%1$schessboard) + 1)::bigint)),"
    " g.result, count(*), pg_catalog.count(g.%2$s), sum(g.%2$s), max(g.date) FROM tabiya.game g"
    " WHERE %1$shasPosition(g.moves, $1::%1$schessboard)";

/* ---- Exploring -------------------------------------------------------------------------------------------------- */

/* Lists the games that count as an array of numbers, unless all count or SQL can express the condition. */
static bool list_games(exploring *e)
{
    buffer conditions = {0};
    pg_values values = {.n = 0};
    bool is_said = true;
    const bool is_known = !e->among || server_search_conditions(e->to, e->among, &values, &conditions, &is_said);
    buffer_free(&conditions);
    pg_values_free(&values);
    if (!is_known || is_said)
        return is_known;
    tby_db_search all = *e->among;
    all.limit = all.offset = 0;
    all.wanted = TBY_WANTED_IDS;
    e->has_ids = true;
    finding f = {.base = {.search = &all}, .to = e->to};
    tby_db_hit hit;
    const bool is_sent = finding_begin(&f) && finding_send(&f);
    buffer_string(&e->ids, "{");
    while (is_sent && finding_next(&f, &hit))
        buffer_printf(&e->ids, "%s%lld", e->ids.n > 1 ? "," : "", (long long)hit.id);
    buffer_string(&e->ids, "}");
    finding_end(&f);
    return is_sent && pg_is_good(&e->to->to) && (!e->ids.has_failed || db_fail_memory(&e->to->to.base));
}

/* Takes the rows of a statement, until one is wrong. */
static bool take_rows(exploring *e, const char *format, const char *end,
                      bool (*take)(exploring *e, const connection *row))
{
    connection *c = &e->to->to;
    buffer sql = {0};
    pg_values v = {.n = 0};
    bool is_good = put_statement(e, &sql, &v, format, end) && pg_send(c, sql.s, &v);
    while (is_good && pg_next(c))
        if (!take(e, c)) {
            pg_stop(c, true);
            break;
        }
    pg_values_free(&v);
    buffer_free(&sql);
    return is_good && pg_is_good(c);
}

static bool look_at_games(exploring *e)
{
    return list_games(e) && take_rows(e, moves_reached, ") AS x, pg_catalog.unnest(x.list) AS m", take_move) &&
           take_rows(e, games_played, " GROUP BY 1, 2", take_games);
}

static bool look_in_transaction(exploring *e)
{
    bool is_own;
    if (!snapshot_begin(e->to, &is_own))
        return false;
    const bool is_good = look_at_games(e);
    snapshot_end(e->to, is_own);
    return is_good;
}

bool exploring_is_wrong(exploring *e)
{
    return e->is_wrong &&
           !pg_fail(&e->to->to, "the tabiya extension on the server does not match this program's version");
}

bool exploring_rest(exploring *e)
{
    if (e->is_done)
        return true;
    return look_in_transaction(e) && !exploring_is_wrong(e);
}

void exploring_empty(exploring *e)
{
    memset(&e->counted, 0, sizeof e->counted);
    for (size_t i = 0; i < e->n_legal; i++)
        e->counted.moves[i].move = e->legal[i].move;
}

bool exploring_begin(exploring *e, server *to, const tby_position *pos, const tby_db_search *among)
{
    *e = (exploring){.to = to, .pos = pos, .among = among && (among->query || among->where) ? among : NULL};
    to->to.base.failure.text[0] = '\0';
    e->legal = calloc(TBY_NEXT_MOVES_MAX, sizeof *e->legal);
    if (!e->legal)
        return db_fail_memory(&to->to.base);
    e->n_legal = tby_next_moves_list(e->legal, pos);
    exploring_empty(e);
    return true;
}

void exploring_end(exploring *e)
{
    buffer_free(&e->ids);
    free(e->legal);
}

void exploring_pass(const exploring *e, const passing_visitor *visitor)
{
    tby_db_move ended = {.move = TBY_MOVE_NONE, .games = e->counted.ended};
    memcpy(ended.results, e->counted.results, sizeof ended.results);
    for (size_t i = 0; i < e->n_legal; i++) {
        const tby_db_move *m = &e->counted.moves[i];
        for (int k = 0; k < 4; k++)
            ended.results[k] -= m->results[k];
        if (m->games || m->reached)
            visitor->add(visitor->context, m);
    }
    visitor->add(visitor->context, &ended);
}

/* ---- Games one by one ---------------------------------------------------------------------------------------------
 */

enum { MET_ID, MET_PLY, MET_MOVE, MET_WHITE_ELO, MET_BLACK_ELO, MET_DATE, MET_RESULT, MET_SPEED };

static const char games_met[] =
    "SELECT g.id, %1$spositionPly(g.moves, $1::%1$schessboard), %1$splayedMove(g.moves, $1::%1$schessboard),"
    " g.white_elo, g.black_elo, g.date, g.result, g.speed FROM tabiya.game g"
    " WHERE %1$shasPosition(g.moves, $1::%1$schessboard)";

bool exploring_send_games(exploring *e)
{
    buffer sql = {0};
    pg_values values = {.n = 0};
    const bool is_good = list_games(e) && put_statement(e, &sql, &values, games_met, "") &&
                         pg_send(&e->to->to, sql.s, &values);
    pg_values_free(&values);
    buffer_free(&sql);
    return is_good;
}

/* Reads the game of the row; false if it is invalid. */
static bool read_meeting(const exploring *e, tby_db_passing *out)
{
    const server *p = e->to;
    const tby_text move = pg_text(&p->to, MET_MOVE), result = pg_text(&p->to, MET_RESULT),
                   speed = pg_text(&p->to, MET_SPEED);
    *out = (tby_db_passing){
        .id = pg_number(&p->to, MET_ID), .ply = (int)pg_number(&p->to, MET_PLY), .next = TBY_MOVE_NONE};
    out->facts.elo[TBY_WHITE] = (int)pg_number(&p->to, MET_WHITE_ELO);
    out->facts.elo[TBY_BLACK] = (int)pg_number(&p->to, MET_BLACK_ELO);
    out->facts.date = (int)pg_number(&p->to, MET_DATE);
    out->facts.speed = (int)speed_find(speed.s ? speed.s : "", speed.n);
    return tby_result_read(&out->facts.result, result.s, result.n, NULL) == TBY_OK &&
           (move.n == 0 || read_move(&out->next, e->pos, move));
}

bool exploring_take_games(exploring *e, tby_db_meet meet, void *context)
{
    tby_db_passing game;
    while (pg_next(&e->to->to)) {
        const bool is_right = read_meeting(e, &game);
        if (is_right && meet(context, &game))
            continue;
        pg_stop(&e->to->to, true);
        e->is_wrong = !is_right;
        return !exploring_is_wrong(e) && db_fail(&e->to->to.base, TBY_INTERRUPTED, "interrupted");
    }
    return pg_is_good(&e->to->to);
}

void exploring_put_source(buffer *out, pg_source from)
{
    static const char *const sentences[] = {
        [PG_FROM_GAMES] = "from the games; counts are stored only for ratings from a multiple of 200, and for years",
        [PG_NOT_COUNTED] = "from the games; no counts are stored for this position",
        [PG_FROM_COUNTS] = "from the stored counts of this position",
    };
    buffer_printf(out, "moves: %s\n", sentences[from]);
}
