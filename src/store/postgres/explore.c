/*
 * explore.c - what the games on a PostgreSQL server play in a position.
 *
 * Counts that are kept tell it for positions that many games reach (explore_counts.c). For others, two statements, of
 * which the server does the counting: the games that reach where the moves lead, by the aggregate nextMoves; then the
 * results, ratings and dates of the games that are here, by the board behind the next move. Shards count their own
 * games, and only counts travel.
 */
#include "store/postgres/explore.h"
#include "store/tally.h"

#include <stdlib.h>
#include <string.h>

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static bool read_move(tby_move *out, const tby_position *pos, tby_text uci)
{
    const tby_move_notation *notation = tby_move_notation_find("uci", 3);
    return tby_line_read_move(out, pos, notation, uci.s, uci.n, 0, NULL) == TBY_OK;
}

tby_db_move *pg_explored_move(const exploring *e, tby_text uci)
{
    tby_move move;
    if (!uci.n || !read_move(&move, e->pos, uci))
        return NULL;
    for (size_t i = 0; i < e->n_legal; i++)
        if (e->legal[i].move == move)
            return &e->out->moves[i];
    return NULL;
}

bool pg_explored_games(exploring *e, buffer *sql, pg_values *v)
{
    bool is_said = true;
    if (e->shards.n)
        buffer_printf(sql, " AND g.shard = ANY ('{%s}')", e->shards.s);
    if (e->has_ids)
        buffer_printf(sql, " AND g.id = ANY ($%zu::bigint[])", pg_value(v, e->ids.s));
    else if (e->among) /* SQL can say which, as list_games has found, unless there is no memory now */
        return pg_search_conditions(e->to, e->among, v, sql, &is_said) && (is_said || db_fail_memory(&e->to->base));
    return true;
}

/* Games that come neither here nor to where a move leads need not be looked at. */
static bool moves_statement(exploring *e, buffer *sql, pg_values *v)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, e->pos, 0);
    pg_value(v, fen);
    buffer_printf(sql,
                  "SELECT m.uci, m.reached FROM (SELECT %1$snextMoves(g.moves, $1::%1$schessboard) AS list FROM"
                  " tabiya.game g WHERE g.moves OPERATOR(%1$s@~) %1$swithinMoves($1::%1$schessboard)",
                  e->to->ext);
    if (!pg_explored_games(e, sql, v))
        return false;
    buffer_string(sql, e->to->is_coordinator ? " GROUP BY g.shard" : "");
    buffer_string(sql, ") AS x, pg_catalog.unnest(x.list) AS m");
    return !sql->has_failed || db_fail_memory(&e->to->base);
}

static bool take_move(void *context, pg *p)
{
    exploring *e = context;
    tby_db_move *m = pg_explored_move(e, pg_text(p, 0));
    e->is_wrong |= !m;
    if (m)
        m->reached += (uint64_t)pg_number(p, 1);
    return m != NULL;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static tby_db_move *move_to(const exploring *e, uint64_t placement)
{
    for (size_t i = 0; i < e->n_legal; i++)
        if (e->legal[i].placement == placement)
            return &e->out->moves[i];
    return NULL;
}

static bool take_games(void *context, pg *p)
{
    enum { PLACEMENT, RESULT, GAMES, N_ELO, ELO_SUM, LAST };
    exploring *e = context;
    const tby_text placement = pg_text(p, PLACEMENT), text = pg_text(p, RESULT);
    const uint64_t n = (uint64_t)pg_number(p, GAMES);
    tby_result result;
    tby_db_move *m = placement.s ? move_to(e, (uint64_t)pg_number(p, PLACEMENT)) : NULL;
    if (tby_result_read(&result, text.s, text.n, NULL) != TBY_OK || (placement.s && !m)) {
        e->is_wrong = true;
        return false;
    }
    e->out->games += n;
    e->out->results[result] += n;
    if (!m) {
        e->out->ended += n;
        return true;
    }
    uint64_t results[4] = {0};
    results[result] = n;
    tally_add(TALLY_OF(m), results, (uint64_t)pg_number(p, N_ELO), (uint64_t)pg_number(p, ELO_SUM),
              (int)pg_number(p, LAST));
    return true;
}

/* The results of the games that are here. */
static bool games_statement(exploring *e, buffer *sql, pg_values *v)
{
    const char *elo = tby_position_side(e->pos) == TBY_WHITE ? "white_elo" : "black_elo";
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, e->pos, 0);
    pg_value(v, fen);
    buffer_printf(
        sql,
        "SELECT %1$splacementKey(%1$sgetBoard(g.moves, (%1$spositionPly(g.moves, $1::%1$schessboard) + 1)::bigint)),"
        " g.result, count(*), pg_catalog.count(g.%2$s), sum(g.%2$s), max(g.date) FROM tabiya.game g"
        " WHERE %1$shasPosition(g.moves, $1::%1$schessboard)",
        e->to->ext, elo);
    if (!pg_explored_games(e, sql, v))
        return false;
    buffer_string(sql, e->to->is_coordinator ? " GROUP BY g.shard, 1, 2" : " GROUP BY 1, 2");
    return !sql->has_failed || db_fail_memory(&e->to->base);
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static bool add_game(void *context, const tby_db_hit *hit)
{
    buffer *ids = context;
    buffer_printf(ids, "%s%lld", ids->n > 1 ? "," : "", (long long)hit->id);
    return !ids->has_failed;
}

/* The games that count as an array of numbers, unless all do or SQL can say which. */
static bool list_games(exploring *e)
{
    tby_db *db = &e->to->base;
    buffer conditions = {0};
    pg_values values = {.n = 0};
    bool is_said = true;
    const bool is_known = !e->among || pg_search_conditions(e->to, e->among, &values, &conditions, &is_said);
    buffer_free(&conditions);
    pg_values_free(&values);
    if (!is_known || is_said)
        return is_known;
    tby_db_search all = *e->among;
    all.limit = all.offset = 0;
    all.wanted = TBY_WANTED_IDS;
    e->has_ids = true;
    buffer_string(&e->ids, "{");
    const bool is_good = pg_find(db, &all, add_game, &e->ids);
    buffer_string(&e->ids, "}");
    return is_good && (!e->ids.has_failed || db_fail_memory(db));
}

static bool look_at_games(exploring *e)
{
    buffer moves = {0}, games = {0};
    pg_values all = {.n = 0}, here = {.n = 0};
    const bool is_good = list_games(e) && moves_statement(e, &moves, &all) && games_statement(e, &games, &here) &&
                         pg_query(e->to, moves.s, &all, take_move, e) && pg_query(e->to, games.s, &here, take_games, e);
    pg_values_free(&all);
    pg_values_free(&here);
    buffer_free(&moves);
    buffer_free(&games);
    return is_good;
}

/* One picture of the games for all statements, should others add some; in a transaction already, that one. */
static bool look_in_transaction(exploring *e)
{
    pg *p = e->to;
    const bool is_own = !p->is_reading && !p->is_writing;
    if (is_own && !pg_run(p, PG_BEGIN))
        return false;
    p->is_reading |= is_own;
    const bool is_good = (e->has_no_counts || pg_explore_counts(e)) && (e->is_done || look_at_games(e));
    if (is_own) {
        pg_leave(p);
        p->is_reading = false;
    }
    return is_good;
}

bool pg_explore_rest(exploring *e)
{
    if (e->is_done)
        return true;
    const bool is_good = look_in_transaction(e);
    return is_good &&
           (!e->is_wrong || pg_fail(e->to, "the server's extension tabiya counts in another way than this program"));
}

void pg_explore_empty(exploring *e)
{
    memset(e->out, 0, sizeof *e->out);
    for (size_t i = 0; i < e->n_legal; i++)
        e->out->moves[i].move = e->legal[i].move;
    memset(e->is_unsure, 0, sizeof e->is_unsure);
}

bool pg_explore_begin(exploring *e, pg *to, const tby_position *pos, const tby_db_search *among, tby_db_moves *out)
{
    *e = (exploring){.to = to, .pos = pos, .out = out, .among = among && (among->query || among->where) ? among : NULL};
    to->base.error[0] = '\0';
    e->legal = calloc(TBY_NEXT_MOVES_MAX, sizeof *e->legal);
    if (!e->legal)
        return db_fail_memory(&to->base);
    e->n_legal = tby_next_moves_list(e->legal, pos);
    if (out)
        pg_explore_empty(e);
    return true;
}

void pg_explore_end(exploring *e)
{
    buffer_free(&e->ids);
    buffer_free(&e->shards);
    buffer_free(&e->trackers);
    free(e->legal);
}

void pg_explored_tell(const exploring *e, const passing_visitor *visitor)
{
    tby_db_move ended = {.move = TBY_MOVE_NONE, .games = e->out->ended};
    memcpy(ended.results, e->out->results, sizeof ended.results);
    for (size_t i = 0; i < e->n_legal; i++) {
        const tby_db_move *m = &e->out->moves[i];
        for (int k = 0; k < 4; k++)
            ended.results[k] -= m->results[k];
        if (m->games || m->reached)
            visitor->add(visitor->context, m);
    }
    visitor->add(visitor->context, &ended);
}

bool pg_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, const passing_visitor *visitor)
{
    exploring e;
    tby_db_moves counted;
    bool is_good = pg_explore_begin(&e, (pg *)db, pos, among, &counted);
    if (is_good && !e.to->is_coordinator)
        is_good = pg_explore_send_counts(&e) && pg_explore_take_counts(&e);
    is_good = is_good && pg_explore_rest(&e);
    if (is_good)
        pg_explored_tell(&e, visitor);
    pg_explore_end(&e);
    return is_good;
}

/* ---- Games one by one ---------------------------------------------------------------------------------------------
 */

enum { MET_ID, MET_PLY, MET_MOVE, MET_WHITE_ELO, MET_BLACK_ELO, MET_DATE, MET_RESULT, MET_SPEED };

static bool meeting_statement(exploring *e, buffer *sql, pg_values *v)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, e->pos, 0);
    pg_value(v, fen);
    buffer_printf(sql,
                  "SELECT g.id, %1$spositionPly(g.moves, $1::%1$schessboard),"
                  " %1$splayedMove(g.moves, $1::%1$schessboard), g.white_elo, g.black_elo, g.date, g.result, g.speed"
                  " FROM tabiya.game g WHERE %1$shasPosition(g.moves, $1::%1$schessboard)",
                  e->to->ext);
    return pg_explored_games(e, sql, v) && (!sql->has_failed || db_fail_memory(&e->to->base));
}

bool pg_meet_send(exploring *e)
{
    buffer sql = {0};
    pg_values values = {.n = 0};
    const bool is_good = list_games(e) && meeting_statement(e, &sql, &values) && pg_send(e->to, sql.s, &values);
    pg_values_free(&values);
    buffer_free(&sql);
    return is_good;
}

/* The game of the row; false if it means nothing. */
static bool read_meeting(const exploring *e, tby_db_passing *out)
{
    const pg *p = e->to;
    const tby_text move = pg_text(p, MET_MOVE), result = pg_text(p, MET_RESULT), speed = pg_text(p, MET_SPEED);
    *out = (tby_db_passing){.id = pg_number(p, MET_ID), .ply = (int)pg_number(p, MET_PLY), .next = TBY_MOVE_NONE};
    out->facts.elo[TBY_WHITE] = (int)pg_number(p, MET_WHITE_ELO);
    out->facts.elo[TBY_BLACK] = (int)pg_number(p, MET_BLACK_ELO);
    out->facts.date = (int)pg_number(p, MET_DATE);
    out->facts.speed = (int)speed_find(speed.s ? speed.s : "", speed.n);
    return tby_result_read(&out->facts.result, result.s, result.n, NULL) == TBY_OK &&
           (move.n == 0 || read_move(&out->next, e->pos, move));
}

bool pg_meet_take(exploring *e, tby_db_meet meet, void *context)
{
    tby_db_passing game;
    pg_step step;
    while ((step = pg_next(e->to)) == PG_ROW) {
        const bool is_right = read_meeting(e, &game);
        if (is_right && meet(context, &game))
            continue;
        pg_stop(e->to, true);
        return is_right ? db_fail(&e->to->base, TBY_INTERRUPTED, "interrupted")
                        : pg_fail(e->to, "the tabiya extension on the server does not match this program's version");
    }
    return step == PG_END;
}

bool pg_explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet, void *context)
{
    exploring e;
    const bool is_good = pg_explore_begin(&e, (pg *)db, pos, among, NULL) && pg_meet_send(&e) &&
                         pg_meet_take(&e, meet, context);
    pg_explore_end(&e);
    return is_good;
}

bool pg_explain_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, buffer *out)
{
    exploring e;
    const bool is_good = pg_explore_begin(&e, (pg *)db, pos, among, NULL) && pg_explain_counts(&e, out);
    pg_explore_end(&e);
    return is_good;
}
