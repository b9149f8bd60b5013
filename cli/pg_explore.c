/*
 * pg_explore.c - what the games on a PostgreSQL server play in a position.
 *
 * Two statements, of which the server does the counting: the moves in their order and the games that reach where they lead,
 * by the aggregate nextMoves; then the results, ratings and dates of the games that are here, by the board behind the next
 * move.
 */
#include "pg.h"

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

/* Games that come neither here nor to where a move leads need not be looked at. */
static void moves_statement(buffer *sql, pg_values *v, const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    char fen[TBY_FEN_SIZE];
    const size_t n = tby_moves_list(moves, pos);
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    pg_value(v, fen);
    buffer_string(sql,
                  "SELECT m.uci, m.reached FROM (SELECT nextMoves(g.moves, $1::chessboard) AS list FROM tabiya.game g"
                  " WHERE hasPosition(g.moves, $1::chessboard)");
    for (size_t i = 0; i < n; i++) {
        tby_position after = *pos;
        tby_position_play(&after, moves[i], NULL);
        tby_fen_write_position(fen, sizeof fen, &after, 0);
        buffer_printf(sql, " OR hasPosition(g.moves, $%zu::chessboard)", pg_value(v, fen));
    }
    buffer_string(sql, ") AS x, unnest(x.list) AS m");
    buffer_add(sql, "", 1);
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
    m->node = (uint64_t)pg_number(p, 1);
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

bool pg_explore(void *db, const tby_position *pos, tby_db_moves *out)
{
    tby_next_move *legal = memory_new(TBY_MOVES_MAX, sizeof *legal);
    exploring e = {.pos = pos, .legal = legal, .n_legal = tby_next_moves_list(legal, pos), .out = out};
    const char *elo = tby_position_side(pos) == TBY_WHITE ? "white_elo" : "black_elo";
    pg *p = db;
    buffer sql = {0};
    pg_values all = {.n = 0}, here = {.n = 0};
    memset(out, 0, sizeof *out);
    moves_statement(&sql, &all, pos);
    pg_value(&here, all.texts.s);
    /* One picture of the games for both, should others add some. */
    bool is_good = pg_run(p, "BEGIN ISOLATION LEVEL REPEATABLE READ") && pg_query(p, sql.s, &all, take_move, &e);
    sql.n = 0;
    buffer_printf(
        &sql,
        "SELECT placementKey(getBoard(g.moves, positionPly(g.moves, $1::chessboard) + 1)), g.result, count(*),"
        " count(g.%s), sum(g.%s), max(g.date) FROM tabiya.game g"
        " WHERE hasPosition(g.moves, $1::chessboard) GROUP BY 1, 2",
        elo, elo);
    buffer_add(&sql, "", 1);
    is_good = is_good && pg_query(p, sql.s, &here, take_games, &e) && pg_run(p, "COMMIT");
    if (is_good && e.is_wrong)
        is_good = pg_fail(p, "the server's extension tabiya counts in another way than this program");
    pg_values_free(&all);
    pg_values_free(&here);
    buffer_free(&sql);
    free(legal);
    return is_good;
}
