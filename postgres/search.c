/*
 * search.c - boards that are looked for in games: hasBoard, hasPosition, where they stand, and the operator @~ that
 * an index can serve.
 *
 * The right side of @~ is a boardquery, a board with how it is compared and up to which half-move. As text:
 *
 *     board FEN              the 64 squares count         within(board)
 *     position FEN           the position counts          withinPosition(board)
 *     board FEN within 10    at half-move 10 at the latest
 *
 * As bytes: kind (1 placement, 2 position), the half-move in two bytes (0xffff for -1), the chessboard. What a query
 * means for games is found out once and kept for the next row.
 */
#include "extension.h"

#include <libpq/pqformat.h>

enum { QUERY_PLACEMENT = 1, QUERY_POSITION = 2, QUERY_HEAD = 3, QUERY_SIZE = QUERY_HEAD + TBY_CHESSBOARD_SIZE };

/* ---- Queries as values ------------------------------------------------------------------------------------- */

static size_t query_encode(uint8_t out[QUERY_SIZE], const board_query *query)
{
    const uint16 ply = (uint16)query->max_ply;
    out[0] = query->is_placement ? QUERY_PLACEMENT : QUERY_POSITION;
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
    if (query.n <= QUERY_HEAD || (query.bytes[0] != QUERY_PLACEMENT && query.bytes[0] != QUERY_POSITION))
        return false;
    out->is_placement = query.bytes[0] == QUERY_PLACEMENT;
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

/* No game has a board that cannot be played on. */
bool board_query_target(tby_target *out, const board_query *query)
{
    tby_position pos;
    if (query->max_ply < 0)
        return false;
    if (query->is_placement)
        tby_target_placement(out, &query->setup.board);
    else if (tby_position_init(&pos, &query->setup, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK)
        tby_target_position(out, &pos);
    else
        return false;
    return true;
}

/* ---- Queries as text --------------------------------------------------------------------------------------- */

static const char BOARD[] = "board ", POSITION[] = "position ", WITHIN[] = " within ";

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
                    errdetail("Expected: board FEN, or position FEN, and perhaps: within HALF-MOVES.")));
}

PG_FUNCTION_INFO_V1(tabiya_query_in);
Datum tabiya_query_in(PG_FUNCTION_ARGS)
{
    const char *text = PG_GETARG_CSTRING(0), *s = text, *within = strstr(text, WITHIN);
    board_query query = {.max_ply = TBY_PLIES_MAX};
    tby_error err;
    query.is_placement = skip_word(&s, BOARD);
    if (!query.is_placement && !skip_word(&s, POSITION))
        refuse_query(text);
    if (within)
        query.max_ply = clamp_ply(pg_strtoint32(within + strlen(WITHIN)));
    if (tby_fen_read(&query.setup, s, within ? (size_t)(within - s) : strlen(s), TBY_FEN_RAW, NULL, &err) != TBY_OK)
        raise_fen_error(&err);
    return query_datum(&query);
}

PG_FUNCTION_INFO_V1(tabiya_query_out);
Datum tabiya_query_out(PG_FUNCTION_ARGS)
{
    const board_query query = board_query_of(PG_GETARG_BYTES(0));
    char fen[TBY_FEN_SIZE];
    StringInfoData out;
    initStringInfo(&out);
    tby_fen_write(fen, sizeof fen, &query.setup, 0);
    appendStringInfo(&out, "%s%s", query.is_placement ? BOARD : POSITION, fen);
    if (query.max_ply < TBY_PLIES_MAX)
        appendStringInfo(&out, "%s%d", WITHIN, query.max_ply);
    PG_RETURN_CSTRING(out.data);
}

PG_FUNCTION_INFO_V1(tabiya_query_recv);
Datum tabiya_query_recv(PG_FUNCTION_ARGS)
{
    StringInfo message = (StringInfo)PG_GETARG_POINTER(0);
    const int n = message->len - message->cursor;
    const bytes_argument bytes = {(const uint8_t *)pq_getmsgbytes(message, n), (size_t)n};
    board_query query;
    if (!query_decode(&query, bytes))
        ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION), errmsg("the bytes are not a boardquery")));
    return query_datum(&query);
}

/* The last half-move that counts, if the call has one at `index`. */
static int ply_argument(FunctionCallInfo fcinfo, int index)
{
    return PG_NARGS() > index ? clamp_ply(PG_GETARG_INT32(index)) : TBY_PLIES_MAX;
}

static Datum make_query(FunctionCallInfo fcinfo, bool is_placement, int max_ply)
{
    const board_query query = {board_of(PG_GETARG_BYTES(0)), is_placement, max_ply};
    return query_datum(&query);
}

PG_FUNCTION_INFO_V1(tabiya_within);
Datum tabiya_within(PG_FUNCTION_ARGS) { return make_query(fcinfo, true, ply_argument(fcinfo, 1)); }

PG_FUNCTION_INFO_V1(tabiya_within_position);
Datum tabiya_within_position(PG_FUNCTION_ARGS) { return make_query(fcinfo, false, ply_argument(fcinfo, 1)); }

PG_FUNCTION_INFO_V1(tabiya_within_bigint);
Datum tabiya_within_bigint(PG_FUNCTION_ARGS) { return make_query(fcinfo, true, clamp_ply(PG_GETARG_INT64(1))); }

PG_FUNCTION_INFO_V1(tabiya_within_position_bigint);
Datum tabiya_within_position_bigint(PG_FUNCTION_ARGS)
{
    return make_query(fcinfo, false, clamp_ply(PG_GETARG_INT64(1)));
}

/* ---- Searching --------------------------------------------------------------------------------------------- */

/* What was looked for in the last row: probably it is the same in this one. */
typedef struct kept_target {
    size_t n;
    uint8_t bytes[QUERY_SIZE]; /* the argument: a boardquery, or a chessboard */
    bool is_anywhere;          /* false if no game can have it */
    int max_ply;
    tby_target target;
} kept_target;

static kept_target *kept_for(FunctionCallInfo fcinfo, bytes_argument wanted, bool *is_known)
{
    kept_target *kept = fcinfo->flinfo->fn_extra;
    if (!kept)
        kept = fcinfo->flinfo->fn_extra = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof *kept);
    *is_known = kept->n == wanted.n && memcmp(kept->bytes, wanted.bytes, wanted.n) == 0;
    return kept;
}

static void keep(kept_target *kept, bytes_argument wanted, const board_query *query)
{
    kept->max_ply = query->max_ply;
    kept->is_anywhere = board_query_target(&kept->target, query);
    kept->n = wanted.n;
    memcpy(kept->bytes, wanted.bytes, wanted.n);
}

/* The first ply at which a game has what is wanted, -1 if there is none. */
static int find(const kept_target *kept, bytes_argument game, int max_ply)
{
    return kept->is_anywhere ? tby_target_find(&kept->target, game.bytes, game.n, max_ply) : -1;
}

static int find_board(FunctionCallInfo fcinfo, bool is_placement, int max_ply)
{
    const bytes_argument board = PG_GETARG_BYTES(1);
    bool is_known;
    kept_target *kept = kept_for(fcinfo, board, &is_known);
    if (!is_known) {
        const board_query query = {board_of(board), is_placement, TBY_PLIES_MAX};
        keep(kept, board, &query);
    }
    return find(kept, PG_GETARG_BYTES(0), max_ply);
}

PG_FUNCTION_INFO_V1(tabiya_reaches);
Datum tabiya_reaches(PG_FUNCTION_ARGS)
{
    const bytes_argument wanted = PG_GETARG_BYTES(1);
    bool is_known;
    kept_target *kept = kept_for(fcinfo, wanted, &is_known);
    if (!is_known) {
        const board_query query = board_query_of(wanted);
        keep(kept, wanted, &query);
    }
    PG_RETURN_BOOL(find(kept, PG_GETARG_BYTES(0), kept->max_ply) >= 0);
}

PG_FUNCTION_INFO_V1(tabiya_has_board);
Datum tabiya_has_board(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(find_board(fcinfo, true, ply_argument(fcinfo, 2)) >= 0); }

PG_FUNCTION_INFO_V1(tabiya_has_position);
Datum tabiya_has_position(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(find_board(fcinfo, false, ply_argument(fcinfo, 2)) >= 0); }

PG_FUNCTION_INFO_V1(tabiya_has_board_bigint);
Datum tabiya_has_board_bigint(PG_FUNCTION_ARGS)
{
    PG_RETURN_BOOL(find_board(fcinfo, true, clamp_ply(PG_GETARG_INT64(2))) >= 0);
}

PG_FUNCTION_INFO_V1(tabiya_has_position_bigint);
Datum tabiya_has_position_bigint(PG_FUNCTION_ARGS)
{
    PG_RETURN_BOOL(find_board(fcinfo, false, clamp_ply(PG_GETARG_INT64(2))) >= 0);
}

static Datum answer_ply(FunctionCallInfo fcinfo, int ply)
{
    if (ply < 0)
        PG_RETURN_NULL();
    PG_RETURN_INT32(ply);
}

PG_FUNCTION_INFO_V1(tabiya_board_ply);
Datum tabiya_board_ply(PG_FUNCTION_ARGS) { return answer_ply(fcinfo, find_board(fcinfo, true, TBY_PLIES_MAX)); }

PG_FUNCTION_INFO_V1(tabiya_position_ply);
Datum tabiya_position_ply(PG_FUNCTION_ARGS) { return answer_ply(fcinfo, find_board(fcinfo, false, TBY_PLIES_MAX)); }
