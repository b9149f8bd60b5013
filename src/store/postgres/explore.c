/*
 * explore.c - what the games on a PostgreSQL server play in a position.
 *
 * The server does the counting, in two statements: first the moves in their order and the games that reach the
 * positions after them, by the aggregate nextMoves; then the results, ratings and dates of the games that come here, by
 * the board after the next move.
 */
#include "store/postgres/pg.h"

#include <stdlib.h>
#include <string.h>

typedef struct exploring {
    const tby_position *pos;
    const tby_next_move *legal;
    size_t n_legal;
    tby_db_moves *out;
    bool is_wrong; /* an answer that means nothing */
} exploring;

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* Only games that come here, or to a position after one of the moves, need to be looked at. */
static void moves_statement(text_buffer *sql, pg_values *v, const tby_position *pos, const char *games)
{
    tby_move moves[TBY_MOVES_MAX];
    char fen[TBY_FEN_SIZE];
    const size_t n = tby_moves_list(moves, pos);
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    pg_value(v, fen);
    tby_text_string(sql,
                    "SELECT m.uci, m.reached FROM (SELECT nextMoves(g.moves, $1::chessboard) AS list FROM tabiya.game g"
                    " WHERE (hasPosition(g.moves, $1::chessboard)");
    for (size_t i = 0; i < n; i++) {
        tby_position after = *pos;
        tby_position_play(&after, moves[i], NULL);
        tby_fen_write_position(fen, sizeof fen, &after, 0);
        tby_text_printf(sql, " OR hasPosition(g.moves, $%zu::chessboard)", pg_value(v, fen));
    }
    tby_text_string(sql, ")");
    if (games)
        tby_text_printf(sql, " AND g.id = ANY ($%zu::bigint[])", pg_value(v, games));
    tby_text_string(sql, ") AS x, unnest(x.list) AS m");
}

static bool take_move(void *context, pg *p)
{
    exploring *e = context;
    const tby_text uci = pg_text(p, 0);
    tby_db_move *m = &e->out->moves[e->out->n_moves];
    if (e->out->n_moves == TBY_MOVES_MAX || tby_uci_read(&m->move, e->pos, uci.s, uci.n, NULL) != TBY_OK) {
        e->is_wrong = true;
        return false;
    }
    m->reached = (uint64_t)pg_number(p, 1);
    e->out->n_moves++;
    return true;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static tby_db_move *move_to(const exploring *e, uint64_t placement)
{
    tby_move move = TBY_MOVE_NONE;
    for (size_t i = 0; i < e->n_legal && move == TBY_MOVE_NONE; i++)
        if (e->legal[i].placement == placement)
            move = e->legal[i].move;
    for (size_t i = 0; i < e->out->n_moves; i++)
        if (e->out->moves[i].move == move)
            return &e->out->moves[i];
    return NULL;
}

static bool take_games(void *context, pg *p)
{
    enum { PLACEMENT, RESULT, GAMES, N_ELO, ELO_SUM, LAST };
    exploring *e = context;
    const tby_text placement = pg_text(p, PLACEMENT), text = pg_text(p, RESULT);
    const uint64_t n = (uint64_t)pg_number(p, GAMES);
    const int last = (int)pg_number(p, LAST);
    tby_result result;
    const uint64_t next = placement.s ? (uint64_t)pg_number(p, PLACEMENT) : e->pos->placement_key;
    tby_db_move *m = next != e->pos->placement_key ? move_to(e, next) : NULL; /* a null move counts as an end */
    if (tby_result_read(&result, text.s, text.n, NULL) != TBY_OK || (next != e->pos->placement_key && !m)) {
        e->is_wrong = true;
        return false;
    }
    e->out->games += n;
    e->out->results[result] += n;
    if (!m) {
        e->out->ended += n;
        return true;
    }
    m->games += n;
    m->results[result] += n;
    m->n_elo += (uint64_t)pg_number(p, N_ELO);
    m->elo_sum += (uint64_t)pg_number(p, ELO_SUM);
    m->last_date = last > m->last_date ? last : m->last_date;
    return true;
}

/* ---- Both ------------------------------------------------------------------------------------------------------- */

static bool add_game(void *context, const tby_db_hit *hit)
{
    text_buffer *ids = context;
    tby_text_printf(ids, "%s%lld", ids->n > 1 ? "," : "", (long long)hit->id);
    return !ids->has_failed;
}

/* The games that count as an array of numbers; nothing if all do. */
static bool list_games(tby_db *db, const tby_db_search *among, text_buffer *ids)
{
    if (!among || (!among->query && !among->where))
        return true;
    tby_db_search all = *among;
    all.limit = all.offset = 0;
    all.wanted = TBY_WANTED_IDS;
    tby_text_string(ids, "{");
    const bool is_good = tby_pg_find(db, &all, add_game, ids);
    tby_text_string(ids, "}");
    return is_good && (!ids->has_failed || tby_db_fail_memory(db));
}

/* The results of the games that are here. */
static void games_statement(text_buffer *sql, pg_values *v, const exploring *e, const char *games)
{
    const char *elo = tby_position_side(e->pos) == TBY_WHITE ? "white_elo" : "black_elo";
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, e->pos, 0);
    pg_value(v, fen);
    tby_text_printf(
        sql,
        "SELECT placementKey(getBoard(g.moves, positionPly(g.moves, $1::chessboard) + 1)), g.result, count(*),"
        " count(g.%s), sum(g.%s), max(g.date) FROM tabiya.game g WHERE hasPosition(g.moves, $1::chessboard)",
        elo, elo);
    if (games)
        tby_text_printf(sql, " AND g.id = ANY ($%zu::bigint[])", pg_value(v, games));
    tby_text_string(sql, " GROUP BY 1, 2");
}

/* All statements see the same games, even if others add some meanwhile. */
static bool explore(pg *p, exploring *e, const tby_db_search *among)
{
    text_buffer ids = {0}, moves = {0}, games = {0};
    pg_values all = {.n = 0}, here = {.n = 0};
    bool is_good = pg_run(p, "BEGIN ISOLATION LEVEL REPEATABLE READ") && list_games(&p->base, among, &ids);
    if (is_good) {
        moves_statement(&moves, &all, e->pos, ids.s);
        games_statement(&games, &here, e, ids.s);
        is_good = !(moves.has_failed || games.has_failed) || tby_db_fail_memory(&p->base);
    }
    is_good = is_good && pg_query(p, moves.s, &all, take_move, e) && pg_query(p, games.s, &here, take_games, e);
    is_good = pg_run(p, is_good ? "COMMIT" : "ROLLBACK") && is_good;
    if (is_good && e->is_wrong)
        is_good = pg_fail(p, "the server's extension tabiya counts in another way than this program");
    pg_values_free(&all);
    pg_values_free(&here);
    tby_text_free(&ids);
    tby_text_free(&moves);
    tby_text_free(&games);
    return is_good;
}

bool tby_pg_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out)
{
    tby_next_move *legal = calloc(TBY_MOVES_MAX, sizeof *legal);
    memset(out, 0, sizeof *out);
    if (!legal)
        return tby_db_fail_memory(db);
    exploring e = {.pos = pos, .legal = legal, .n_legal = tby_next_moves_list(legal, pos), .out = out};
    const bool is_good = explore((pg *)db, &e, among);
    free(legal);
    return is_good;
}
