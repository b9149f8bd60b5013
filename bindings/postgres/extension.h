/*
 * extension.h - what the parts of the PostgreSQL extension share: arguments, results, errors, memory.
 *
 * A chessgame is a varlena of a packed game, a chessboard one of a packed board, as in tabiya_value.h: the first byte
 * tells them apart, so a function that takes either is one function here. Values inside the server are valid, because
 * they came through the input functions or were made by the library.
 *
 * Functions that SQL calls are named tabiya_...; the linker hides all other names (exports.map).
 */
#ifndef TABIYA_POSTGRES_EXTENSION_H
#define TABIYA_POSTGRES_EXTENSION_H

#include <postgres.h>

#include "compat.h"

#include <fmgr.h>
#include <lib/stringinfo.h>
#include <miscadmin.h>
#include <utils/builtins.h>

#include "tabiya_query.h"
#include "tabiya_value.h"

/* Declares a function that SQL calls. */
#define SQL_FUNCTION(name)                                                                                             \
    PG_FUNCTION_INFO_V1(name);                                                                                         \
    Datum name(PG_FUNCTION_ARGS)

/* ---- Memory ------------------------------------------------------------------------------------------------ */

/* An allocator that uses a memory context, and checks for interrupts. */
tby_allocator context_allocator(MemoryContext context);

/* ---- Arguments --------------------------------------------------------------------------------------------- */

/* The bytes of a value or a text; not copied if possible. */
typedef struct bytes_argument {
    const uint8_t *bytes;
    size_t n;
} bytes_argument;

static inline bytes_argument bytes_of(Datum datum)
{
    struct varlena *value = PG_DETOAST_DATUM_PACKED(datum);
    return (bytes_argument){(const uint8_t *)VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
}
#define PG_GETARG_BYTES(index) bytes_of(PG_GETARG_DATUM(index))

/* Text as UTF-8. */
tby_text text_of(Datum datum);
#define PG_GETARG_UTF8(index) text_of(PG_GETARG_DATUM(index))

/* Any board, legal or not. */
tby_setup board_of(bytes_argument value);
/* The final board of a game, or a board, which must be playable. */
tby_position position_of(bytes_argument value);

/* A half-move number for the library: -1 if below 0, TBY_PLIES_MAX if beyond. */
static inline int clamp_ply(int64 ply) { return ply < 0 ? -1 : ply < TBY_PLIES_MAX ? (int)ply : TBY_PLIES_MAX; }

/* ---- Results ----------------------------------------------------------------------------------------------- */

Datum bytes_datum(const void *bytes, size_t n);
Datum board_datum(const tby_setup *setup);
Datum position_datum(const tby_position *pos);
/* SQL has no unsigned numbers: the same 64 bits as a signed one. */
static inline Datum key_datum(uint64_t key) { return Int64GetDatum((int64)key); }

/* As SAN, and as UCI, which is '' for TBY_MOVE_NONE. */
Datum san_datum(const tby_position *before, tby_move m);
Datum uci_datum(const tby_position *before, tby_move m);
/* Text that needs no conversion: every encoding of a server contains ASCII. */
static inline Datum ascii_datum(const char *s, size_t n)
{
    return PointerGetDatum(cstring_to_text_with_len(s, (int)n));
}
/* From UTF-8. */
Datum text_datum(const char *s, size_t n);
/* Text or bytes that grow: a sink that writes to a StringInfo, with its begin and end. */
void answer_begin(StringInfo answer);
bool answer_sink(void *answer, const char *s, size_t n);
Datum answer_text(StringInfo answer);
Datum answer_bytea(StringInfo answer);

/* ---- Rows -------------------------------------------------------------------------------------------------- */

/* The rows that a function returns, all before the caller sees the first. Columns that are not set are NULL. Memory
   allocated after rows_begin lasts until the row is written. */
enum { ROW_COLUMNS_MAX = 16 };
typedef struct row_writer {
    ReturnSetInfo *result;
    MemoryContext context, outer;
    Datum values[ROW_COLUMNS_MAX];
    bool is_null[ROW_COLUMNS_MAX];
} row_writer;
row_writer rows_begin(FunctionCallInfo fcinfo);
/* What the function itself keeps for its other calls in the statement, in fn_mcxt; NULL at first. */
void **rows_own(FunctionCallInfo fcinfo);
/* Writes the row and begins the next one; all columns of the next one are NULL. */
void rows_next(row_writer *rows);
/* The return value of the function. */
Datum rows_end(row_writer *rows);
static inline void row_set(row_writer *rows, int column, Datum value)
{
    rows->values[column] = value;
    rows->is_null[column] = false;
}
/* Nothing if there is no text, or no NAG. */
void row_set_text(row_writer *rows, int column, const StringInfoData *utf8);
void row_set_nags(row_writer *rows, int column, const tby_game *game, tby_node node);

/* The game of a CMBR record, in the current memory context. */
tby_game *game_of_record(bytes_argument record);

/* ---- Sorting ----------------------------------------------------------------------------------------------- */

/* A radix sort by the bits from `first_bit` up to `end_bit`, rounded up to whole bytes; stable. The keys alternate
   between the two arrays; returns the one with the result. */
uint64 *sort_keys(uint64 *keys, uint64 *room, size_t n, unsigned first_bit, unsigned end_bit);

/* ---- Errors ------------------------------------------------------------------------------------------------ */

void raise_error(int sqlstate, const tby_error *err) NEVER_RETURNS;
void raise_fen_error(const tby_error *err) NEVER_RETURNS;
void raise_chessgame_error(const tby_chessgame_error *err) NEVER_RETURNS;
/* Warns of null moves in a text that is a game. */
void warn_of_chessgame(const tby_chessgame_error *err);

/* ---- Queries ----------------------------------------------------------------------------------------------- */

/* Never NULL: an error is raised, with its place in characters from 1. */
tby_query *query_read(tby_text text, const tby_allocator *allocator);

/* ---- Board searches ---------------------------------------------------------------------------------------- */

/* How a board is compared. The numbers are part of stored boardqueries and cannot change. */
typedef enum board_query_kind {
    QUERY_PLACEMENT = 1, /* its 64 squares */
    QUERY_POSITION = 2,
    QUERY_MOVES = 3 /* the position, and those after its legal moves */
} board_query_kind;

/* A decoded boardquery. */
typedef struct board_query {
    tby_setup setup;
    board_query_kind kind;
    int max_ply; /* -1 to TBY_PLIES_MAX */
} board_query;
board_query board_query_of(bytes_argument query);
/* What to search for in games (for QUERY_MOVES, the position itself); false if no game can have it. */
bool board_query_target(tby_target *out, const board_query *query);

#endif
