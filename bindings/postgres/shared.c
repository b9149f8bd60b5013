/*
 * shared.c - the functions that PostgreSQL shares with SQLite and DuckDB, found by name in bindings/sql.
 *
 * A chessgame or chessboard is a BLOB there. Values that a function caches from its arguments last as long as the
 * statement, but PostgreSQL frees the arguments after each row; so the bytes that a cached value was made from are
 * copied. Nothing in bindings/sql raises a PostgreSQL error or checks for interrupts, so its memory does not leak.
 */
#include "extension.h"

#include <catalog/pg_type_d.h>
#include <mb/pg_wchar.h>
#include <utils/builtins.h>
#include <utils/fmgrprotos.h>
#include <utils/lsyscache.h>

#include "sql.h"

/* A function call at one place in a statement. */
typedef struct shared_call {
    Oid types[SQL_ARGUMENTS_MAX], answer;
    buffer copies[SQL_ARGUMENTS_MAX]; /* of the arguments that call.kept was made from */
    MemoryContextCallback at_end;
    sql_call call;
} shared_call;

/* ---- Finding it -------------------------------------------------------------------------------------------- */

/* In any case, as SQL has its names. */
static const sql_function *find_function(const char *name, size_t n_args)
{
    const sql_function *f;
    for (size_t i = 0; (f = sql_function_at(i)); i++)
        if (pg_strcasecmp(f->name, name) == 0 && strlen(f->types) == n_args + 1)
            return f;
    elog(ERROR, "no function %s with %d arguments", name, (int)n_args);
}

static void shared_end(void *memory)
{
    shared_call *shared = memory;
    sql_call_end(&shared->call);
    for (int i = 0; i < SQL_ARGUMENTS_MAX; i++)
        buffer_free(&shared->copies[i]);
}

static shared_call *shared_begin(FunctionCallInfo fcinfo, const char *name)
{
    MemoryContext context = fcinfo->flinfo->fn_mcxt;
    const sql_function *function = find_function(name, (size_t)PG_NARGS());
    Oid *types;
    int n;
    shared_call *shared = MemoryContextAlloc(context, sizeof *shared);
    memset(shared, 0, offsetof(shared_call, call) + offsetof(sql_call, error));
    shared->call.function = function;
    shared->call.takes_warnings = true;
    shared->answer = get_func_signature(fcinfo->flinfo->fn_oid, &types, &n);
    memcpy(shared->types, types, (size_t)n * sizeof *types);
    pfree(types);
    shared->at_end.func = shared_end;
    shared->at_end.arg = shared;
    MemoryContextRegisterResetCallback(context, &shared->at_end);
    fcinfo->flinfo->fn_extra = shared;
    return shared;
}

/* ---- Arguments --------------------------------------------------------------------------------------------- */

static sql_value text_value(Datum datum)
{
    const tby_text text = text_of(datum);
    return (sql_value){.type = SQL_TEXT, .bytes = text.s, .n = text.n};
}

/* `kind` is the letter of the argument there: a chessquery is a text, too. */
static sql_value value_of(Datum datum, Oid type, char kind)
{
    switch (type) {
    case BOOLOID: return (sql_value){.type = SQL_INTEGER, .number = DatumGetBool(datum)};
    case INT8OID: return (sql_value){.type = SQL_INTEGER, .number = DatumGetInt64(datum)};
    case TEXTOID: return text_value(datum);
    case JSONBOID:
        return text_value(PointerGetDatum(cstring_to_text(DatumGetCString(DirectFunctionCall1(jsonb_out, datum)))));
    default:
        if (kind == 't')
            return text_value(datum);
    }
    const bytes_argument bytes = bytes_of(datum);
    return (sql_value){.type = SQL_BLOB, .bytes = (const char *)bytes.bytes, .n = bytes.n};
}

static void copy_kept(shared_call *shared)
{
    for (int i = 0; i < shared->call.n_args; i++) {
        sql_kept *kept = &shared->call.kept[i];
        if (!kept->is_new)
            continue;
        buffer_clear(&shared->copies[i]);
        buffer_add(&shared->copies[i], kept->bytes, kept->n);
        kept->bytes = shared->copies[i].s;
        kept->n = shared->copies[i].has_failed ? SIZE_MAX : kept->n; /* not copied: equal to no argument */
        kept->is_new = false;
    }
}

/* ---- Calling it -------------------------------------------------------------------------------------------- */

static void raise_call_error(sql_call *call, int sqlstate)
{
    char *text = pstrdup(call->error);
    text_mend_utf8(text, strlen(text));
    ereport(ERROR, (errcode(call->has_no_memory ? ERRCODE_OUT_OF_MEMORY : sqlstate),
                    errmsg("%s", pg_any_to_server(text, (int)strlen(text), PG_UTF8))));
}

/* "[1,2,3]" as an array. */
static Datum array_datum(const sql_value *json)
{
    Datum *items = palloc((json->n / 2 + 1) * sizeof *items);
    int32 number = 0;
    int n = 0;
    for (const char *s = json->bytes + 1, *end = json->bytes + json->n; s < end; s++)
        if (*s >= '0' && *s <= '9') {
            number = 10 * number + (*s - '0');
        } else if (s[-1] != '[') { /* the end of a number */
            items[n++] = Int32GetDatum(number);
            number = 0;
        }
    return PointerGetDatum(construct_array(items, n, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}

static Datum answer_datum(const sql_value *answer, Oid type)
{
    if (type == INT4ARRAYOID)
        return array_datum(answer);
    if (answer->type == SQL_TEXT)
        return text_datum(answer->bytes, answer->n);
    if (answer->type == SQL_BLOB)
        return bytes_datum(answer->bytes, answer->n);
    if (type == BOOLOID)
        return BoolGetDatum(answer->number != 0);
    return type == INT4OID ? Int32GetDatum((int32)answer->number) : Int64GetDatum(answer->number);
}

static Datum call_shared(FunctionCallInfo fcinfo, const char *name, int sqlstate)
{
    shared_call *shared = fcinfo->flinfo->fn_extra;
    sql_value values[SQL_ARGUMENTS_MAX];
    if (!shared)
        shared = shared_begin(fcinfo, name);
    for (int i = 0; i < PG_NARGS(); i++)
        values[i] = PG_ARGISNULL(i) ? (sql_value){.type = SQL_NULL}
                                    : value_of(PG_GETARG_DATUM(i), shared->types[i], shared->call.function->types[i]);
    sql_call *call = &shared->call;
    sql_call_begin(call, values, PG_NARGS());
    call->function->call(call);
    copy_kept(shared);
    if (call->error[0])
        raise_call_error(call, sqlstate);
    if (call->warning[0])
        ereport(WARNING,
                (errcode(ERRCODE_WARNING), errmsg("%s", call->warning), call->hint ? errhint("%s", call->hint) : 0));
    if (call->answer.type == SQL_NULL)
        PG_RETURN_NULL();
    return answer_datum(&call->answer, shared->answer);
}

/* Any of them, by the name that it has in the database: a new one needs no symbol of its own. */
SQL_FUNCTION(tabiya_shared)
{
    const char *name = fcinfo->flinfo->fn_extra ? NULL : get_func_name(fcinfo->flinfo->fn_oid);
    return call_shared(fcinfo, name, ERRCODE_INVALID_PARAMETER_VALUE);
}

/* These have symbols, which databases of version 1.1 name until they are updated. */
#define SHARED(symbol, name)                                                                                           \
    SQL_FUNCTION(symbol) { return call_shared(fcinfo, name, ERRCODE_INVALID_PARAMETER_VALUE); }
#define SHARED_READER(symbol, name, sqlstate)                                                                          \
    SQL_FUNCTION(symbol) { return call_shared(fcinfo, name, sqlstate); }
#define READER(symbol, name) SHARED_READER(symbol, name, ERRCODE_INVALID_TEXT_REPRESENTATION)

/* For the extension's script, which creates the aliases. */
SQL_FUNCTION(tabiya_other_names)
{
    row_writer rows = rows_begin(fcinfo);
    const sql_other_name *other;
    for (size_t i = 0; (other = sql_other_name_at(i)); i++) {
        row_set(&rows, 0, text_datum(other->name, strlen(other->name)));
        row_set(&rows, 1, text_datum(other->of, strlen(other->of)));
        rows_next(&rows);
    }
    return rows_end(&rows);
}

SHARED(tabiya_version, "tabiyaVersion")
SHARED_READER(tabiya_game_of_bytes, "chessgame", ERRCODE_INVALID_BINARY_REPRESENTATION)
SHARED(tabiya_game_error, "chessgameError")
SHARED(tabiya_legal_prefix, "legalPrefix")

/* ---- A game ------------------------------------------------------------------------------------------------ */

SHARED(tabiya_get_board, "getBoard")
SHARED(tabiya_get_final_board, "getBoard")
SHARED(tabiya_get_first_moves, "getFirstMoves")
SHARED(tabiya_undo_last_move, "undoLastMove")
READER(tabiya_add_move, "addMove")
SHARED(tabiya_is_valid_move, "isValidMove")
SHARED(tabiya_ply_count, "plyCount")
SHARED(tabiya_has_opening, "hasOpening")
SHARED(tabiya_opening, "opening")
SHARED(tabiya_opening_end, "openingEnd")
SHARED(tabiya_get_opening_moves, "getOpeningMoves")
SHARED(tabiya_get_opening_name, "getOpeningName")
SHARED(tabiya_get_eco, "getEco")
SHARED(tabiya_has_board, "hasBoard")
SHARED(tabiya_has_position, "hasPosition")
SHARED(tabiya_board_ply, "boardPly")
SHARED(tabiya_position_ply, "positionPly")
SHARED(tabiya_is_threefold, "isDrawByThreefoldRepetition")
SHARED(tabiya_is_fivefold, "isDrawByFivefoldRepetition")
SHARED(tabiya_get_game_result, "getGameResult")
SHARED(tabiya_get_termination, "getTermination")

/* Also chessgame_matches, which replaces it if an index has done part of the work: see support.c. */
SHARED_READER(tabiya_matches, "matches", ERRCODE_DATA_CORRUPTED)
SHARED_READER(tabiya_match_ply, "matchPly", ERRCODE_DATA_CORRUPTED)
SHARED_READER(tabiya_match_plies, "matchPlies", ERRCODE_DATA_CORRUPTED)

/* ---- The final board of a game, or a board ----------------------------------------------------------------- */

SHARED(tabiya_is_check, "isCheck")
SHARED(tabiya_is_checkmate, "isCheckmate")
SHARED(tabiya_is_stalemate, "isStalemate")
SHARED(tabiya_is_fifty, "isDrawByFiftyMoveRule")
SHARED(tabiya_is_seventy_five, "isDrawBySeventyFiveMoveRule")
SHARED(tabiya_is_insufficient, "isInsufficientMaterial")
SHARED(tabiya_is_dead, "isDeadPosition")
SHARED(tabiya_get_legal_moves, "getLegalMoves")
SHARED(tabiya_get_legal_moves_uci, "getLegalMovesUci")
SHARED(tabiya_count_legal_moves, "countLegalMoves")
SHARED(tabiya_is_legal_position, "isLegalPosition")
SHARED(tabiya_position_errors, "positionErrors")
SHARED(tabiya_get_piece_square_value, "getPieceSquareValue")
SHARED(tabiya_placement_key, "placementKey")
SHARED(tabiya_position_key, "positionKey")
SHARED(tabiya_polyglot_key, "polyglotKey")
SHARED(tabiya_same_placement, "samePlacement")
SHARED(tabiya_same_position, "samePosition")

/* ---- Notations --------------------------------------------------------------------------------------------- */

SHARED(tabiya_to_fen, "toFen")
SHARED(tabiya_to_fen_legal, "toFenLegal")
SHARED(tabiya_to_epd, "toEpd")
SHARED(tabiya_to_boardinfo, "toBoardinfo")
SHARED(tabiya_to_base64, "toBase64")
SHARED(tabiya_to_base64url, "toBase64url")
SHARED(tabiya_to_ascii, "toAscii")
SHARED(tabiya_to_unicode, "toUnicode")
SHARED(tabiya_to_svg, "toSvg")
SHARED(tabiya_to_uci, "toUci")
SHARED(tabiya_to_lan, "toLan")
SHARED(tabiya_to_boardinfo_moves, "toBoardinfoMoves")
SHARED(tabiya_to_base64_moves, "toBase64Moves")
SHARED(tabiya_to_short, "toShort")
SHARED(tabiya_to_iccf, "toIccf")
SHARED(tabiya_to_cmbr_moves, "toCmbrMoves")
SHARED(tabiya_to_pgn, "toPgn")
SHARED(tabiya_to_pgn_with_tags, "toPgn")
SHARED(tabiya_to_json, "toJson")
SHARED(tabiya_to_cmbr, "toCmbr")
READER(tabiya_from_fen, "fromFen")
READER(tabiya_from_fen_legal, "fromFenLegal")
READER(tabiya_from_epd, "fromEpd")
READER(tabiya_from_boardinfo, "fromBoardinfo")
READER(tabiya_from_base64, "fromBase64")
READER(tabiya_from_base64url, "fromBase64url")
READER(tabiya_from_ascii, "fromAscii")
READER(tabiya_from_unicode, "fromUnicode")
READER(tabiya_from_san, "fromSan")
READER(tabiya_from_uci, "fromUci")
READER(tabiya_from_lan, "fromLan")
READER(tabiya_from_boardinfo_moves, "fromBoardinfoMoves")
READER(tabiya_from_base64_moves, "fromBase64Moves")
READER(tabiya_from_short, "fromShort")
READER(tabiya_from_iccf, "fromIccf")
READER(tabiya_from_cmbr_moves, "fromCmbrMoves")
READER(tabiya_from_json, "fromJson")
SHARED_READER(tabiya_from_cmbr, "fromCmbr", ERRCODE_INVALID_BINARY_REPRESENTATION)
