/*
 * tabiya.c - helpers shared by the functions of the PostgreSQL extension.
 */
#include "extension.h"

#include <mb/pg_wchar.h>
#include <utils/memutils.h>

PG_MODULE_MAGIC;

/* ---- Memory ------------------------------------------------------------------------------------------------ */

static void *resize(void *context, void *memory, size_t old_size, size_t new_size)
{
    (void)old_size;
    CHECK_FOR_INTERRUPTS();
    if (new_size == 0) {
        if (memory)
            pfree(memory);
        return NULL;
    }
    if (memory)
        return repalloc_huge(memory, new_size);
    return MemoryContextAllocHuge(context, new_size);
}

tby_allocator context_allocator(MemoryContext context) { return (tby_allocator){resize, context}; }

/* ---- Arguments --------------------------------------------------------------------------------------------- */

tby_text text_of(Datum datum)
{
    const bytes_argument raw = bytes_of(datum);
    if (GetDatabaseEncoding() == PG_UTF8)
        return (tby_text){(const char *)raw.bytes, raw.n};
    char *copy = pnstrdup((const char *)raw.bytes, raw.n);
    const char *s = pg_server_to_any(copy, (int)raw.n, PG_UTF8);
    return (tby_text){s, s == copy ? raw.n : strlen(s)};
}

tby_setup board_of(bytes_argument value)
{
    tby_setup setup;
    if (!tby_chessboard_decode(&setup, value.bytes, value.n))
        ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the chessboard is damaged")));
    return setup;
}

tby_position position_of(bytes_argument value)
{
    tby_position pos;
    tby_error err;
    if (tby_value_kind_of(value.bytes, value.n) != TBY_CHESSBOARD) {
        if (!tby_chessgame_final(&pos, value.bytes, value.n))
            ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the chessgame is damaged")));
        return pos;
    }
    const tby_setup setup = board_of(value);
    if (tby_position_init(&pos, &setup, TBY_FAULTS_UNREACHABLE, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_PARAMETER_VALUE, &err);
    return pos;
}

/* ---- Results ----------------------------------------------------------------------------------------------- */

Datum bytes_datum(const void *bytes, size_t n)
{
    struct varlena *value = palloc(VARHDRSZ + n);
    SET_VARSIZE(value, VARHDRSZ + n);
    memcpy(VARDATA(value), bytes, n);
    return PointerGetDatum(value);
}

Datum board_datum(const tby_setup *setup)
{
    uint8_t board[TBY_CHESSBOARD_SIZE];
    return bytes_datum(board, tby_chessboard_encode(board, setup));
}

Datum position_datum(const tby_position *pos)
{
    tby_setup setup;
    tby_position_setup(&setup, pos);
    return board_datum(&setup);
}

Datum san_datum(const tby_position *before, tby_move m)
{
    char text[TBY_SAN_SIZE];
    return ascii_datum(text, tby_san_write(text, sizeof text, before, m));
}

Datum uci_datum(const tby_position *before, tby_move m)
{
    char text[TBY_UCI_SIZE];
    return ascii_datum(text, m == TBY_MOVE_NONE ? 0 : tby_uci_write(text, sizeof text, before, m, 0));
}

/* A message may quote part of the user's text, which may split a character. */
static void mend_utf8(char *s, size_t n)
{
    if (!pg_verify_mbstr(PG_UTF8, s, (int)n, true))
        for (size_t i = 0; i < n; i++)
            s[i] = IS_HIGHBIT_SET(s[i]) ? '?' : s[i];
}

Datum text_datum(const char *s, size_t n)
{
    if (GetDatabaseEncoding() == PG_UTF8 && pg_verify_mbstr(PG_UTF8, s, (int)n, true))
        return PointerGetDatum(cstring_to_text_with_len(s, (int)n));
    char *copy = pnstrdup(s, n);
    mend_utf8(copy, n);
    const Datum text = PointerGetDatum(cstring_to_text(pg_any_to_server(copy, (int)n, PG_UTF8)));
    pfree(copy);
    return text;
}

/* Leaves room for the varlena header before the text, so that the buffer is the result. */
void answer_begin(StringInfo answer)
{
    initStringInfo(answer);
    appendStringInfoSpaces(answer, VARHDRSZ);
}

bool answer_sink(void *answer, const char *s, size_t n)
{
    CHECK_FOR_INTERRUPTS();
    if (n > MaxAllocSize)
        ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("the answer is too long")));
    appendBinaryStringInfo(answer, s, (int)n);
    return true;
}

Datum answer_bytea(StringInfo answer)
{
    SET_VARSIZE(answer->data, answer->len);
    return PointerGetDatum(answer->data);
}

Datum answer_text(StringInfo answer)
{
    if (GetDatabaseEncoding() == PG_UTF8)
        return answer_bytea(answer);
    return text_datum(answer->data + VARHDRSZ, (size_t)answer->len - VARHDRSZ);
}

/* ---- Errors ------------------------------------------------------------------------------------------------ */

void raise_error(int sqlstate, const tby_error *err)
{
    char text[TBY_ERROR_SIZE];
    tby_error_write(text, sizeof text, err);
    ereport(ERROR, (errcode(sqlstate), errmsg("%s", text)));
}

void raise_fen_error(const tby_error *err)
{
    char text[TBY_ERROR_SIZE];
    tby_fen_error_write(text, sizeof text, err);
    ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION), errmsg("%s", text)));
}

void raise_chessgame_error(const tby_chessgame_error *err)
{
    char text[TBY_CHESSGAME_ERROR_SIZE];
    mend_utf8(text, tby_chessgame_error_write(text, sizeof text, err));
    ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                    errmsg("%s", pg_any_to_server(text, (int)strlen(text), PG_UTF8))));
}

void warn_of_chessgame(const tby_chessgame_error *err)
{
    char text[TBY_CHESSGAME_ERROR_SIZE];
    if (tby_chessgame_warning_write(text, sizeof text, err))
        ereport(WARNING, (errcode(ERRCODE_WARNING), errmsg("%s", text)));
}

/* ---- Earlier versions ---------------------------------------------------------------------------------------- */

/* Version 1.1 declares it, so it must be found until the extension is updated: pg_upgrade looks for it. */
SQL_FUNCTION(tabiya_games_sql)
{
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("gamesSql is gone"),
                    errhint("Run ALTER EXTENSION tabiya UPDATE.")));
}
