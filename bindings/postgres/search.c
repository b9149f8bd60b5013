/*
 * search.c - searches games for boards with the operator @~, which an index supports.
 *
 * The right side of @~ is a boardquery: a board, how it is compared, and the last half-move that counts. As text:
 *
 *     board FEN              compares the 64 squares      within(board)
 *     position FEN           compares the position        withinPosition(board)
 *     moves FEN              the position, or one after a legal move: one pass over a game for all of them
 *                                                         withinMoves(board)
 *     board FEN within 10    at half-move 10 at the latest
 *
 * As bytes: kind (1 placement, 2 position, 3 moves), the half-move in two bytes (0xffff for -1), the chessboard. The
 * search target of a query is computed once and cached for the next row.
 */
#include "extension.h"

#include <libpq/pqformat.h>
#include <port/pg_bitutils.h>

enum { QUERY_HEAD = 3, QUERY_SIZE = QUERY_HEAD + TBY_CHESSBOARD_SIZE };

/* ---- Queries as values ------------------------------------------------------------------------------------- */

static size_t query_encode(uint8_t out[QUERY_SIZE], const board_query *query)
{
    const uint16 ply = (uint16)query->max_ply;
    out[0] = (uint8_t)query->kind;
    out[1] = (uint8_t)(ply >> 8);
    out[2] = (uint8_t)ply;
    return QUERY_HEAD + tby_chessboard_encode(out + QUERY_HEAD, &query->setup);
}

static Datum query_datum(const board_query *query)
{
    uint8_t bytes[QUERY_SIZE];
    return bytes_datum(bytes, query_encode(bytes, query));
}

static bool query_decode(board_query *out, bytes_argument query)
{
    if (query.n <= QUERY_HEAD || query.bytes[0] < QUERY_PLACEMENT || query.bytes[0] > QUERY_MOVES)
        return false;
    out->kind = (board_query_kind)query.bytes[0];
    out->max_ply = (int16)(query.bytes[1] << 8 | query.bytes[2]);
    return out->max_ply >= -1 && out->max_ply <= TBY_PLIES_MAX &&
           tby_chessboard_decode(&out->setup, query.bytes + QUERY_HEAD, query.n - QUERY_HEAD);
}

board_query board_query_of(bytes_argument query)
{
    board_query out;
    if (!query_decode(&out, query))
        ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the boardquery is damaged")));
    return out;
}

/* No game has an unplayable board. */
bool board_query_target(tby_target *out, const board_query *query)
{
    tby_position pos;
    if (query->max_ply < 0)
        return false;
    if (query->kind == QUERY_PLACEMENT)
        tby_target_placement(out, &query->setup.board);
    else if (tby_position_init(&pos, &query->setup, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK)
        tby_target_position(out, &pos);
    else
        return false;
    return true;
}

/* ---- Queries as text --------------------------------------------------------------------------------------- */

static const char *const WORDS[] = {
    [QUERY_PLACEMENT] = "board ", [QUERY_POSITION] = "position ", [QUERY_MOVES] = "moves "};
static const char WITHIN[] = " within ";

static bool skip_word(const char **s, const char *word)
{
    const size_t n = strlen(word);
    const bool is_there = strncmp(*s, word, n) == 0;
    *s += is_there ? n : 0;
    return is_there;
}

static void refuse_query(const char *text)
{
    ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION), errmsg("invalid boardquery: \"%s\"", text),
                    errdetail("Expected: board FEN, position FEN or moves FEN, and perhaps: within HALF-MOVES.")));
}

SQL_FUNCTION(tabiya_query_in)
{
    const char *text = PG_GETARG_CSTRING(0), *s = text, *within = strstr(text, WITHIN);
    board_query query = {.kind = QUERY_PLACEMENT, .max_ply = TBY_PLIES_MAX};
    tby_error err;
    while (query.kind <= QUERY_MOVES && !skip_word(&s, WORDS[query.kind]))
        query.kind++;
    if (query.kind > QUERY_MOVES)
        refuse_query(text);
    if (within)
        query.max_ply = clamp_ply(pg_strtoint32(within + strlen(WITHIN)));
    if (tby_fen_read(&query.setup, s, within ? (size_t)(within - s) : strlen(s), TBY_FEN_RAW, NULL, &err) != TBY_OK)
        raise_fen_error(&err);
    return query_datum(&query);
}

SQL_FUNCTION(tabiya_query_out)
{
    const board_query query = board_query_of(PG_GETARG_BYTES(0));
    char fen[TBY_FEN_SIZE];
    StringInfoData out;
    initStringInfo(&out);
    tby_fen_write(fen, sizeof fen, &query.setup, 0);
    appendStringInfo(&out, "%s%s", WORDS[query.kind], fen);
    if (query.max_ply < TBY_PLIES_MAX)
        appendStringInfo(&out, "%s%d", WITHIN, query.max_ply);
    PG_RETURN_CSTRING(out.data);
}

SQL_FUNCTION(tabiya_query_recv)
{
    StringInfo message = (StringInfo)PG_GETARG_POINTER(0);
    const int n = message->len - message->cursor;
    const bytes_argument bytes = {(const uint8_t *)pq_getmsgbytes(message, n), (size_t)n};
    board_query query;
    if (!query_decode(&query, bytes))
        ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION), errmsg("the bytes are not a boardquery")));
    return query_datum(&query);
}

/* The last half-move that counts, if the call has it as argument `index`. */
static int ply_argument(FunctionCallInfo fcinfo, int index)
{
    return PG_NARGS() > index ? clamp_ply(PG_GETARG_INT64(index)) : TBY_PLIES_MAX;
}

static Datum make_query(FunctionCallInfo fcinfo, board_query_kind kind, int max_ply)
{
    const board_query query = {board_of(PG_GETARG_BYTES(0)), kind, max_ply};
    return query_datum(&query);
}

SQL_FUNCTION(tabiya_within) { return make_query(fcinfo, QUERY_PLACEMENT, ply_argument(fcinfo, 1)); }

SQL_FUNCTION(tabiya_within_position) { return make_query(fcinfo, QUERY_POSITION, ply_argument(fcinfo, 1)); }

SQL_FUNCTION(tabiya_within_moves) { return make_query(fcinfo, QUERY_MOVES, TBY_PLIES_MAX); }

/* ---- Searching --------------------------------------------------------------------------------------------- */

/* The target of the last row, which is probably the same in this row. */
typedef struct kept_target {
    size_t n;
    uint8_t bytes[QUERY_SIZE]; /* the argument */
    int max_ply;
    tby_target *targets; /* the first, and the positions after the moves, if they count; any of them matches */
    size_t n_targets;    /* 0: no game can have it */
} kept_target;

static void keep_next(kept_target *kept, const board_query *query)
{
    tby_move moves[TBY_MOVES_MAX];
    tby_position pos;
    if (tby_position_init(&pos, &query->setup, TBY_FAULTS_UNREACHABLE, NULL) != TBY_OK)
        return;
    const size_t n_moves = tby_moves_list(moves, &pos);
    for (size_t i = 0; i < n_moves; i++) {
        tby_position after = pos;
        tby_position_play(&after, moves[i], NULL);
        tby_target_position(&kept->targets[kept->n_targets++], &after);
    }
}

static void keep(kept_target *kept, MemoryContext context, bytes_argument wanted, const board_query *query)
{
    if (!kept->targets)
        kept->targets = MemoryContextAlloc(context, TBY_NEXT_MOVES_MAX * sizeof *kept->targets);
    kept->max_ply = query->max_ply;
    kept->n_targets = board_query_target(kept->targets, query) ? 1 : 0;
    if (kept->n_targets && query->kind == QUERY_MOVES)
        keep_next(kept, query);
    kept->n = wanted.n;
    memcpy(kept->bytes, wanted.bytes, wanted.n);
}

/* Does the game match? */
static bool is_reached(const kept_target *kept, bytes_argument game)
{
    if (kept->n_targets > 1)
        return tby_target_find_any(kept->targets, kept->n_targets, game.bytes, game.n, kept->max_ply) >= 0;
    return kept->n_targets && tby_target_find(kept->targets, game.bytes, game.n, kept->max_ply) >= 0;
}

SQL_FUNCTION(tabiya_reaches)
{
    const bytes_argument wanted = PG_GETARG_BYTES(1);
    MemoryContext context = fcinfo->flinfo->fn_mcxt;
    kept_target *kept = fcinfo->flinfo->fn_extra;
    if (!kept)
        kept = fcinfo->flinfo->fn_extra = MemoryContextAllocZero(context, sizeof *kept);
    if (kept->n != wanted.n || memcmp(kept->bytes, wanted.bytes, wanted.n) != 0) {
        const board_query query = board_query_of(wanted);
        keep(kept, context, wanted, &query);
    }
    PG_RETURN_BOOL(is_reached(kept, PG_GETARG_BYTES(0)));
}
