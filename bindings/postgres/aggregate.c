/*
 * aggregate.c - nextMoves(game, board): the moves that games play in a position, with counts and results.
 *
 * The state is the position and the counts for each of its legal moves and the null move; two states for one position
 * can be added, so that parts of a table can be counted separately. It is a type, nextmovestate, so that it can be sent
 * to other processes and machines: its bytes, and the hexadecimal digits of its text, are the length of the board, the
 * board, and six counts of eight bytes for each move, the highest byte first. Input is checked: the moves are generated
 * again from the board. So is a state that was stored, which may be damaged; only the state that an aggregate passes from
 * step to step is used as it is. mergeMoves(list, board) adds up results.
 */
#include "extension.h"

#include <access/htup_details.h>
#include <funcapi.h>
#include <libpq/pqformat.h>
#include <utils/array.h>
#include <utils/lsyscache.h>
#include <utils/typcache.h>

typedef struct count_state {
    int32 vl_len_; /* of a varlena, never compressed or short */
    size_t n_board;
    uint8_t board[TBY_CHESSBOARD_SIZE];
    tby_position pos;
    size_t n_moves;
    tby_next_move moves[FLEXIBLE_ARRAY_MEMBER];
} count_state;

static count_state *state_new(bytes_argument board)
{
    tby_next_move moves[TBY_NEXT_MOVES_MAX];
    const tby_position pos = position_of(board);
    const size_t n = tby_next_moves_list(moves, &pos);
    const size_t size = offsetof(count_state, moves) + n * sizeof *moves;
    count_state *state = palloc0(size);
    SET_VARSIZE(state, size);
    state->pos = pos;
    state->n_moves = n;
    memcpy(state->moves, moves, n * sizeof *moves);
    state->n_board = board.n;
    memcpy(state->board, board.bytes, board.n);
    return state;
}

static void check_board(const count_state *state, const uint8_t *board, size_t n)
{
    if (state->n_board != n || memcmp(state->board, board, n) != 0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("nextMoves takes one board, the same for all games of a group")));
}

/* Only an aggregate may call this: the state is modified in place. */
static void check_caller(FunctionCallInfo fcinfo)
{
    if (!AggCheckCallContext(fcinfo, NULL))
        elog(ERROR, "called outside of an aggregate");
}

static void refuse_state(void) NEVER_RETURNS;
static void refuse_state(void)
{
    ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION), errmsg("the bytes are not a nextmovestate")));
}

/* The state of a board whose bytes may be anything. */
static count_state *state_of_board(const uint8_t *board, size_t n)
{
    tby_setup setup;
    if (n > TBY_CHESSBOARD_SIZE || !tby_chessboard_decode(&setup, board, n))
        refuse_state();
    return state_new((bytes_argument){board, n});
}

/* NULL for NULL. The storage of the type is plain, so the state is never compressed. */
static count_state *state_argument(FunctionCallInfo fcinfo, int index)
{
    return PG_ARGISNULL(index) ? NULL : (count_state *)PG_DETOAST_DATUM(PG_GETARG_DATUM(index));
}

/* A copy of a state that may have been stored: only its board and its counts are used. */
static count_state *stored_argument(FunctionCallInfo fcinfo, int index)
{
    const count_state *from = state_argument(fcinfo, index);
    if (!from)
        return NULL;
    if (VARSIZE(from) < offsetof(count_state, moves))
        refuse_state();
    count_state *state = state_of_board(from->board, from->n_board);
    if (VARSIZE(from) != VARSIZE(state) || from->n_moves != state->n_moves)
        refuse_state();
    for (size_t i = 0; i < state->n_moves; i++) {
        if (from->moves[i].move != state->moves[i].move)
            refuse_state();
        state->moves[i] = from->moves[i];
    }
    return state;
}

/* The state of a step (state, value, board): a new one for the first board; NULL as long as there was none. */
static count_state *state_of_step(FunctionCallInfo fcinfo)
{
    check_caller(fcinfo);
    count_state *state = state_argument(fcinfo, 0);
    if (PG_ARGISNULL(2))
        return state;
    const bytes_argument board = PG_GETARG_BYTES(2);
    if (!state)
        state = state_new(board);
    check_board(state, board.bytes, board.n);
    return state;
}

/* Are both the value and the board given? */
static bool step_adds(FunctionCallInfo fcinfo) { return !PG_ARGISNULL(1) && !PG_ARGISNULL(2); }

SQL_FUNCTION(tabiya_next_moves_add)
{
    count_state *state = state_of_step(fcinfo);
    if (step_adds(fcinfo)) {
        const bytes_argument game = PG_GETARG_BYTES(1);
        tby_next_moves_count(state->moves, state->n_moves, &state->pos, game.bytes, game.n);
    }
    if (!state)
        PG_RETURN_NULL();
    PG_RETURN_POINTER(state);
}

SQL_FUNCTION(tabiya_next_moves_combine)
{
    check_caller(fcinfo);
    count_state *a = state_argument(fcinfo, 0);
    const count_state *b = stored_argument(fcinfo, 1);
    if (b) {
        if (!a)
            a = state_new((bytes_argument){b->board, b->n_board});
        check_board(a, b->board, b->n_board);
        tby_next_moves_combine(a->moves, b->moves, b->n_moves);
    }
    if (!a)
        PG_RETURN_NULL();
    PG_RETURN_POINTER(a);
}

/* ---- Counts ------------------------------------------------------------------------------------------------ */

enum { N_COUNTS = 6 };

/* The counts of a move in the order of a state's bytes: games, reached, and the results by tby_result. */
static uint64_t *count_at(tby_next_move *m, int i)
{
    return i == 0 ? &m->games : i == 1 ? &m->reached : &m->results[i - 2];
}

/* In the order of the columns of a nextmove, after the texts: games, reached, White, draws, Black, unknown. */
static const int columns[N_COUNTS] = {0, 1, 2 + TBY_WHITE_WINS, 2 + TBY_DRAW, 2 + TBY_BLACK_WINS, 2 + TBY_RESULT_NONE};
enum { COLUMN_UCI = 2, COLUMN_COUNTS };

/* ---- Sending states ---------------------------------------------------------------------------------------- */

static bytea *state_bytes(count_state *state)
{
    StringInfoData out;
    pq_begintypsend(&out);
    pq_sendint32(&out, (uint32)state->n_board);
    pq_sendbytes(&out, (const char *)state->board, (int)state->n_board);
    for (size_t i = 0; i < state->n_moves; i++)
        for (int k = 0; k < N_COUNTS; k++)
            pq_sendint64(&out, *count_at(&state->moves[i], k));
    return pq_endtypsend(&out);
}

static count_state *state_of_message(StringInfo in)
{
    const int n_board = (int)pq_getmsgint(in, 4);
    if (n_board < 0 || n_board > TBY_CHESSBOARD_SIZE)
        refuse_state();
    count_state *state = state_of_board((const uint8_t *)pq_getmsgbytes(in, n_board), (size_t)n_board);
    if ((size_t)(in->len - in->cursor) != state->n_moves * N_COUNTS * sizeof(uint64))
        refuse_state();
    for (size_t i = 0; i < state->n_moves; i++)
        for (int k = 0; k < N_COUNTS; k++)
            *count_at(&state->moves[i], k) = (uint64)pq_getmsgint64(in);
    pq_getmsgend(in);
    return state;
}

SQL_FUNCTION(tabiya_next_moves_state_send) { PG_RETURN_BYTEA_P(state_bytes(stored_argument(fcinfo, 0))); }

SQL_FUNCTION(tabiya_next_moves_state_recv) { PG_RETURN_POINTER(state_of_message((StringInfo)PG_GETARG_POINTER(0))); }

SQL_FUNCTION(tabiya_next_moves_state_out)
{
    bytea *bytes = state_bytes(stored_argument(fcinfo, 0));
    const size_t n = VARSIZE_ANY_EXHDR(bytes);
    char *text = palloc(2 * n + 1);
    text[hex_encode(VARDATA_ANY(bytes), n, text)] = '\0';
    PG_RETURN_CSTRING(text);
}

SQL_FUNCTION(tabiya_next_moves_state_in)
{
    const char *text = PG_GETARG_CSTRING(0);
    const size_t n = strlen(text);
    StringInfoData in;
    initStringInfo(&in);
    enlargeStringInfo(&in, (int)(n / 2 + 1));
    in.len = (int)hex_decode(text, n, in.data);
    PG_RETURN_POINTER(state_of_message(&in));
}

/* ---- Results from other machines --------------------------------------------------------------------------- */

static void refuse_row(void) NEVER_RETURNS;
static void refuse_row(void)
{
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("mergeMoves takes results of nextMoves for the same board")));
}

static uint64 count_of(HeapTupleHeader row, int column)
{
    bool is_null;
    const int64 n = DatumGetInt64(GetAttributeByNum(row, (AttrNumber)column, &is_null));
    if (is_null || n < 0)
        refuse_row();
    return (uint64)n;
}

static void merge_row(count_state *state, HeapTupleHeader row)
{
    bool is_null;
    tby_move move;
    const Datum text = GetAttributeByNum(row, COLUMN_UCI, &is_null);
    if (is_null)
        refuse_row();
    const tby_text uci = text_of(text);
    if (tby_line_read_move(&move, &state->pos, tby_move_notation_find("uci", 3), uci.s, uci.n, 0, NULL) != TBY_OK)
        refuse_row();
    for (size_t i = 0; i < state->n_moves; i++)
        for (int k = 0; k < N_COUNTS && state->moves[i].move == move; k++)
            *count_at(&state->moves[i], columns[k]) += count_of(row, COLUMN_COUNTS + k);
}

static void merge_list(count_state *state, ArrayType *list)
{
    Datum *rows;
    bool *nulls;
    int n;
    deconstruct_array(list, ARR_ELEMTYPE(list), -1, false, TYPALIGN_DOUBLE, &rows, &nulls, &n);
    for (int i = 0; i < n; i++) {
        if (nulls[i])
            refuse_row();
        merge_row(state, DatumGetHeapTupleHeader(rows[i]));
    }
}

SQL_FUNCTION(tabiya_next_moves_merge)
{
    count_state *state = state_of_step(fcinfo);
    if (step_adds(fcinfo))
        merge_list(state, PG_GETARG_ARRAYTYPE_P(1));
    if (!state)
        PG_RETURN_NULL();
    PG_RETURN_POINTER(state);
}

/* ---- The result -------------------------------------------------------------------------------------------- */

/* Sorts the most played first, then the most reached, then by the order of the tree. */
static int compare_moves(const void *a, const void *b)
{
    const tby_next_move *x = *(const tby_next_move *const *)a, *y = *(const tby_next_move *const *)b;
    if (x->games != y->games)
        return x->games < y->games ? 1 : -1;
    if (x->reached != y->reached)
        return x->reached < y->reached ? 1 : -1;
    return (x > y) - (x < y);
}

static Datum row_of_move(const count_state *state, tby_next_move *m, TupleDesc type)
{
    bool has_null[COLUMN_UCI + N_COUNTS] = {false};
    Datum values[COLUMN_UCI + N_COUNTS] = {san_datum(&state->pos, m->move), uci_datum(&state->pos, m->move)};
    for (int k = 0; k < N_COUNTS; k++)
        values[COLUMN_UCI + k] = key_datum(*count_at(m, columns[k]));
    return HeapTupleGetDatum(heap_form_tuple(type, values, has_null));
}

/* Citus calls this without an expression, so the row type is taken from the function. */
SQL_FUNCTION(tabiya_next_moves_final)
{
    tby_next_move *played[TBY_NEXT_MOVES_MAX];
    Datum rows[TBY_NEXT_MOVES_MAX];
    int n = 0;
    if (PG_ARGISNULL(0))
        PG_RETURN_NULL();
    count_state *state = stored_argument(fcinfo, 0);
    const Oid row = get_base_element_type(get_func_rettype(fcinfo->flinfo->fn_oid));
    if (!OidIsValid(row))
        elog(ERROR, "the type of the result is unknown");
    for (size_t i = 0; i < state->n_moves; i++)
        if (state->moves[i].games > 0 || state->moves[i].reached > 0)
            played[n++] = &state->moves[i];
    qsort(played, (size_t)n, sizeof *played, compare_moves);
    TupleDesc type = lookup_rowtype_tupdesc(row, -1);
    for (int i = 0; i < n; i++)
        rows[i] = row_of_move(state, played[i], type);
    ReleaseTupleDesc(type);
    PG_RETURN_ARRAYTYPE_P(construct_array(rows, n, row, -1, false, TYPALIGN_DOUBLE));
}
