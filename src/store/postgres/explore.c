/*
 * explore.c - the moves that the games on a PostgreSQL server play in a position.
 *
 * For positions that many games reach, stored counts are used (explore_counts.c). For others, one statement looks at
 * each game that reaches the position or one after a legal move, and the server counts: results, ratings and dates by
 * the move that is played there, and with the aggregate nextMoves, how many games reach the positions after the moves.
 */
#include "store/postgres/explore.h"
#include "query/order.h"

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

bool explore_pass_move(const finding *f, const reaching_visitor *v)
{
    const connection *row = &f->server->to;
    const tby_text uci = pg_text(row, PLAYED_UCI);
    const int64_t n = pg_number(row, PLAYED_GAMES);
    tby_db_move m = {.move = TBY_MOVE_NONE,
                     .games = (uint64_t)n,
                     .results = {[TBY_RESULT_NONE] = (uint64_t)pg_number(row, PLAYED_UNKNOWN),
                                 [TBY_WHITE_WINS] = (uint64_t)pg_number(row, PLAYED_WHITE),
                                 [TBY_BLACK_WINS] = (uint64_t)pg_number(row, PLAYED_BLACK),
                                 [TBY_DRAW] = (uint64_t)pg_number(row, PLAYED_DRAWS)},
                     .n_elo = (uint64_t)pg_number(row, PLAYED_N_ELO),
                     .elo_sum = (uint64_t)pg_number(row, PLAYED_ELO_SUM),
                     .last_date = n ? (int)pg_number(row, PLAYED_LAST) : 0};
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

static bool take_move(const finding *f, const reaching_visitor *v)
{
    enum { NUMBER, REACHED_UCI = PLAYED_LAST + 1, REACHED };
    const connection *row = &f->server->to;
    const tby_text uci = pg_text(row, REACHED_UCI);
    tby_db_move reached = {.reached = (uint64_t)pg_number(row, REACHED)};
    if (!pg_text(row, PLAYED_GAMES).s ||
        (pg_text(row, PLAYED_UCI).s && pg_number(row, NUMBER) == 1 && !explore_pass_move(f, v)))
        return false;
    if (!uci.s)
        return true;
    if (!read_move(&reached.move, f, uci))
        return false;
    v->add(v->context, &reached);
    return true;
}

/* ---- Games one by one ------------------------------------------------------------------------------------------- */

enum { MET_ID, MET_PLY, MET_MOVE, MET_WHITE_ELO, MET_BLACK_ELO, MET_DATE, MET_RESULT, MET_SPEED, MET_HASH };

static const char games_met[] =
    "SELECT g.id, %1$spositionPly(g.moves, $%2$zu::%1$schessboard), %1$splayedMove(g.moves, $%2$zu::%1$schessboard),"
    " g.white_elo, g.black_elo, g.date, g.result, g.speed, g.hash FROM tabiya.game g"
    " WHERE %1$shasPosition(g.moves, $%2$zu::%1$schessboard)";

/* Reads the game of the row; false if it is invalid. */
static bool read_meeting(const finding *f, tby_db_reaching *out)
{
    const connection *row = &f->server->to;
    const tby_text move = pg_text(row, MET_MOVE), result = pg_text(row, MET_RESULT), speed = pg_text(row, MET_SPEED);
    *out = (tby_db_reaching){.id = pg_number(row, MET_ID), .ply = (int)pg_number(row, MET_PLY), .next = TBY_MOVE_NONE};
    out->facts.elo[TBY_WHITE] = (int)pg_number(row, MET_WHITE_ELO);
    out->facts.elo[TBY_BLACK] = (int)pg_number(row, MET_BLACK_ELO);
    out->facts.date = (int)pg_number(row, MET_DATE);
    out->facts.speed = (int)speed_find(speed.s ? speed.s : "", speed.n);
    server_note_place(f->server, out->id, pg_number(row, MET_HASH));
    return tby_result_read(&out->facts.result, result.s, result.n, NULL) == TBY_OK &&
           (move.n == 0 || read_move(&out->next, f, move));
}

/* ---- Exploring -------------------------------------------------------------------------------------------------- */

/* Some games, chosen and sorted by the end of the statement, for the list `which`. Counts decide the search, so pools and
   the conditions of the statement do, too. */
static bool list_games(const finding *of, const reaching_visitor *v, const char *end, reaching_list which)
{
    finding f = {.base = of->base, .server = of->server};
    tby_db_reaching game;
    buffer conditions = {0};
    bool is_right = true;
    explore_put_pools(of, which == REACHING_BEST, &conditions);
    buffer_string(&conditions, end);
    const bool is_sent = (!conditions.has_failed || db_fail_memory(&f.server->to.base)) && finding_begin(&f) &&
                         finding_send_about(&f, games_met, "", conditions.s);
    buffer_free(&conditions);
    while (is_sent && pg_next(&f.server->to)) {
        is_right = is_right && read_meeting(&f, &game);
        if (is_right)
            v->lists->list(v->context, which, &game);
    }
    finding_end(&f);
    return is_sent && pg_is_good(&f.server->to) && (is_right || explore_fail(f.server));
}

static bool list_first(const finding *f, const reaching_visitor *v, reaching_list which)
{
    buffer end = {0};
    buffer_string(&end, " AND g.result <> '*'");
    order_write_sql(buffer_sink, &end, v->lists->orders[which], "g", "");
    buffer_printf(&end, " LIMIT %zu", v->lists->n[which]);
    const bool is_good = end.has_failed ? db_fail_memory(&f->server->to.base) : list_games(f, v, end.s, which);
    buffer_free(&end);
    return is_good;
}

/* The games of moves that few games play are found by the positions after them. */
static bool list_wanted(const finding *f, const reaching_visitor *v)
{
    buffer moves = {0}, after = {0}, end = {0};
    char here[TBY_FEN_SIZE];
    tby_move m;
    for (size_t i = 0; (m = v->lists->wanted(v->context, i)) != TBY_MOVE_NONE; i++) {
        char uci[TBY_UCI_SIZE], fen[TBY_FEN_SIZE];
        tby_position next = *f->base.pos;
        tby_uci_write(uci, sizeof uci, &next, m, 0);
        tby_line_play(&next, m);
        tby_fen_write_position(fen, sizeof fen, &next, 0);
        buffer_printf(&moves, "%s%s", i ? "," : "", uci);
        buffer_printf(&after, "%1$s%2$shasPosition(g.moves, '%3$s'::%2$schessboard)", i ? " OR " : "", f->server->ext,
                      fen);
    }
    tby_fen_write_position(here, sizeof here, f->base.pos, 0);
    if (after.n)
        buffer_printf(&end,
                      " AND g.result <> '*' AND (%1$s) AND %2$splayedMove(g.moves, '%3$s'::%2$schessboard) = ANY"
                      " ('{%4$s}'::text[])",
                      after.s, f->server->ext, here, moves.s);
    const bool is_good = moves.has_failed || after.has_failed || end.has_failed
                             ? db_fail_memory(&f->server->to.base)
                             : !end.n || list_games(f, v, end.s, REACHING_WANTED);
    buffer_free(&moves);
    buffer_free(&after);
    buffer_free(&end);
    return is_good;
}

bool explore_lists(finding *f, const reaching_visitor *v)
{
    const reaching_visitor counts = {.add = v->lists->add, .context = v->context};
    if (!explore_counts(f, &counts) || !f->is_counted)
        return !f->is_counted && pg_is_good(&f->server->to);
    for (int i = REACHING_BEST; i <= REACHING_LATEST; i++)
        if (v->lists->n[i] && !list_first(f, v, (reaching_list)i))
            return false;
    return list_wanted(f, v) &&
           (!v->lists->has_unknown(v->context) || list_games(f, v, " AND g.result = '*'", REACHING_UNKNOWN));
}

bool explore_games(finding *f, const reaching_visitor *v)
{
    const char *elo = tby_position_side(f->base.pos) == TBY_WHITE ? "white_elo" : "black_elo";
    connection *row = &f->server->to;
    if (!(v->add ? finding_send_about(f, moves_played, elo, moves_reached) : finding_send_about(f, games_met, elo, "")))
        return false;
    while (pg_next(row)) {
        tby_db_reaching game;
        const bool is_right = v->add ? take_move(f, v) : read_meeting(f, &game);
        if (is_right && (v->add || v->visit(v->context, &game)))
            continue;
        pg_stop(row, true);
        return is_right ? db_fail(&row->base, TBY_INTERRUPTED, "interrupted") : explore_fail(f->server);
    }
    return pg_is_good(row);
}
