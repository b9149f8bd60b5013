/*
 * explore.c - the moves that the games on a PostgreSQL server play in a position.
 *
 * For positions that many games reach, stored counts are used (explore_counts.c). For others, one statement looks at
 * each game that reaches the position or one after a legal move, and the server counts: results, ratings and dates by
 * the move that is played there, and with the aggregate nextMoves, how many games reach the positions after the moves.
 */
#include "store/postgres/explore.h"

#include <string.h>

static bool read_move(tby_move *out, const finding *f, tby_text uci)
{
    const tby_move_notation *notation = tby_move_notation_find("uci", 3);
    return tby_line_read_move(out, f->base.pos, notation, uci.s, uci.n, 0, NULL) == TBY_OK;
}

bool explore_fail(server *s)
{
    return pg_fail(&s->to, "the tabiya extension on the server does not match this program's version");
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

bool explore_pass_move(const finding *f, const passing_visitor *v)
{
    const connection *row = &f->to->to;
    const tby_text uci = pg_text(row, MOVE_UCI);
    const int64_t n = pg_number(row, MOVE_GAMES);
    tby_db_move m = {.move = TBY_MOVE_NONE,
                     .games = (uint64_t)n,
                     .results = {[TBY_RESULT_NONE] = (uint64_t)pg_number(row, MOVE_UNKNOWN),
                                 [TBY_WHITE_WINS] = (uint64_t)pg_number(row, MOVE_WHITE),
                                 [TBY_BLACK_WINS] = (uint64_t)pg_number(row, MOVE_BLACK),
                                 [TBY_DRAW] = (uint64_t)pg_number(row, MOVE_DRAWS)},
                     .n_elo = (uint64_t)pg_number(row, MOVE_N_ELO),
                     .elo_sum = (uint64_t)pg_number(row, MOVE_ELO_SUM),
                     .last_date = n ? (int)pg_number(row, MOVE_LAST) : 0};
    if (n < 0 || (uci.n && !read_move(&m.move, f, uci)))
        return false;
    v->add(v->context, &m);
    return true;
}

/* A row for each move that is played, or without a text for games that reach only positions after the moves; repeated
   for each of those positions that its games reach, and once without one. */
static const char moves_played[] =
    "SELECT m.ordinality, x.uci, x.games, x.white, x.draws, x.black, x.games - x.white - x.draws - x.black, x.n_elo,"
    " x.elo_sum, x.last, m.uci, m.reached FROM (SELECT %1$splayedMove(g.moves, $%2$zu::%1$schessboard) AS uci, count(*)"
    " AS games, count(*) FILTER (WHERE g.result = '1-0') AS white, count(*) FILTER (WHERE g.result = '1/2-1/2') AS"
    " draws, count(*) FILTER (WHERE g.result = '0-1') AS black, pg_catalog.count(g.%3$s) AS n_elo, sum(g.%3$s) AS"
    " elo_sum, max(g.date) AS last, %1$snextMoves(g.moves, $%2$zu::%1$schessboard) AS list FROM tabiya.game g"
    " WHERE g.moves OPERATOR(%1$s@~) %1$swithinMoves($%2$zu::%1$schessboard)";
static const char moves_reached[] =
    " GROUP BY 1) AS x, pg_catalog.unnest(pg_catalog.array_append(x.list, NULL)) WITH ORDINALITY AS m";

static bool take_move(const finding *f, const passing_visitor *v)
{
    enum { NUMBER, REACHED_UCI = MOVE_LAST + 1, REACHED };
    const connection *row = &f->to->to;
    const tby_text uci = pg_text(row, REACHED_UCI);
    tby_db_move reached = {.reached = (uint64_t)pg_number(row, REACHED)};
    if (!pg_text(row, MOVE_GAMES).s ||
        (pg_text(row, MOVE_UCI).s && pg_number(row, NUMBER) == 1 && !explore_pass_move(f, v)))
        return false;
    if (!uci.s)
        return true;
    if (!read_move(&reached.move, f, uci))
        return false;
    v->add(v->context, &reached);
    return true;
}

/* ---- Games one by one ------------------------------------------------------------------------------------------- */

enum { MET_ID, MET_PLY, MET_MOVE, MET_WHITE_ELO, MET_BLACK_ELO, MET_DATE, MET_RESULT, MET_SPEED };

static const char games_met[] =
    "SELECT g.id, %1$spositionPly(g.moves, $%2$zu::%1$schessboard), %1$splayedMove(g.moves, $%2$zu::%1$schessboard),"
    " g.white_elo, g.black_elo, g.date, g.result, g.speed FROM tabiya.game g"
    " WHERE %1$shasPosition(g.moves, $%2$zu::%1$schessboard)";

/* Reads the game of the row; false if it is invalid. */
static bool read_meeting(const finding *f, tby_db_passing *out)
{
    const connection *row = &f->to->to;
    const tby_text move = pg_text(row, MET_MOVE), result = pg_text(row, MET_RESULT), speed = pg_text(row, MET_SPEED);
    *out = (tby_db_passing){.id = pg_number(row, MET_ID), .ply = (int)pg_number(row, MET_PLY), .next = TBY_MOVE_NONE};
    out->facts.elo[TBY_WHITE] = (int)pg_number(row, MET_WHITE_ELO);
    out->facts.elo[TBY_BLACK] = (int)pg_number(row, MET_BLACK_ELO);
    out->facts.date = (int)pg_number(row, MET_DATE);
    out->facts.speed = (int)speed_find(speed.s ? speed.s : "", speed.n);
    return tby_result_read(&out->facts.result, result.s, result.n, NULL) == TBY_OK &&
           (move.n == 0 || read_move(&out->next, f, move));
}

/* ---- Exploring -------------------------------------------------------------------------------------------------- */

bool explore_send_games(finding *f, void *visitor)
{
    const passing_visitor *v = visitor;
    const char *elo = tby_position_side(f->base.pos) == TBY_WHITE ? "white_elo" : "black_elo";
    return f->is_counted || (v->add ? finding_send_about(f, moves_played, elo, moves_reached)
                                    : finding_send_about(f, games_met, elo, ""));
}

bool explore_take_games(finding *f, void *visitor)
{
    const passing_visitor *v = visitor;
    connection *row = &f->to->to;
    while (!f->is_counted && pg_next(row)) {
        tby_db_passing game;
        const bool is_right = v->add ? take_move(f, v) : read_meeting(f, &game);
        if (is_right && (v->add || v->meet(v->context, &game)))
            continue;
        pg_stop(row, true);
        return is_right ? db_fail(&row->base, TBY_INTERRUPTED, "interrupted") : explore_fail(f->to);
    }
    return f->is_counted || pg_is_good(row);
}
