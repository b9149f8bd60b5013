/*
 * values.c - chessgame and chessboard: text and binary I/O, and casts.
 *
 * The upper bound of an opening is not a game. It is a chessopening, and plans show it as `openingEnd 1. e4 e5 *`; only
 * that type reads such text and bytes. Both types share the writer, so that a table that an early version filled with
 * bounds can still be read.
 */
#include "extension.h"

#include <libpq/pqformat.h>

static const char END[] = "openingEnd ";
enum { END_LENGTH = sizeof END - 1 };

/* ---- Games as text ----------------------------------------------------------------------------------------- */

static Datum read_game(tby_text text)
{
    uint8_t bytes[TBY_CHESSGAME_SIZE];
    size_t n;
    tby_chessgame_error err;
    const tby_allocator allocator = context_allocator(CurrentMemoryContext);
    if (tby_chessgame_read(bytes, &n, text.s, text.n, 0, &allocator, &err) != TBY_OK)
        raise_chessgame_error(&err);
    warn_of_chessgame(&err);
    return bytes_datum(bytes, n);
}

static Datum opening_end(Datum opening)
{
    const bytes_argument game = bytes_of(opening);
    uint8_t *end = palloc(game.n);
    return bytes_datum(end, tby_chessgame_range_end(end, game.bytes, game.n));
}

static tby_text input_text(FunctionCallInfo fcinfo)
{
    return text_of(PointerGetDatum(cstring_to_text(PG_GETARG_CSTRING(0))));
}

SQL_FUNCTION(tabiya_game_in) { return read_game(input_text(fcinfo)); }

SQL_FUNCTION(tabiya_opening_in)
{
    const tby_text text = input_text(fcinfo);
    if (text.n > END_LENGTH && memcmp(text.s, END, END_LENGTH) == 0)
        return opening_end(read_game((tby_text){text.s + END_LENGTH, text.n - END_LENGTH}));
    return read_game(text);
}

static void write_game(StringInfo out, bytes_argument game)
{
    uint8_t opening[TBY_CHESSGAME_SIZE];
    const size_t n = tby_chessgame_of_range_end(opening, game.bytes, game.n);
    if (n > 0) {
        appendStringInfoString(out, END);
        game = (bytes_argument){opening, n};
    }
    if (!tby_chessgame_write(game.bytes, game.n, answer_sink, out))
        ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the chessgame is damaged")));
}

SQL_FUNCTION(tabiya_game_out)
{
    StringInfoData out;
    initStringInfo(&out);
    write_game(&out, PG_GETARG_BYTES(0));
    PG_RETURN_CSTRING(out.data);
}

SQL_FUNCTION(tabiya_to_san)
{
    StringInfoData out;
    answer_begin(&out);
    write_game(&out, PG_GETARG_BYTES(0));
    return answer_text(&out);
}

/* PGN is also the text of a chessgame. */
SQL_FUNCTION(tabiya_game_of_text) { return read_game(PG_GETARG_UTF8(0)); }

/* ---- Games as bytes ---------------------------------------------------------------------------------------- */

static Datum checked_game(bytes_argument game)
{
    tby_error err;
    if (tby_packed_check(game.bytes, game.n, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_BINARY_REPRESENTATION, &err);
    return bytes_datum(game.bytes, game.n);
}

static bytes_argument rest_of_message(StringInfo message)
{
    const int n = message->len - message->cursor;
    return (bytes_argument){(const uint8_t *)pq_getmsgbytes(message, n), (size_t)n};
}

SQL_FUNCTION(tabiya_game_recv) { return checked_game(rest_of_message((StringInfo)PG_GETARG_POINTER(0))); }

/* A game, or the upper bound of the games with an opening. */
SQL_FUNCTION(tabiya_opening_recv)
{
    const bytes_argument bytes = rest_of_message((StringInfo)PG_GETARG_POINTER(0));
    uint8_t opening[TBY_CHESSGAME_SIZE];
    const size_t n = bytes.n + TBY_PACKED_TRAILER_SIZE <= sizeof opening
                         ? tby_chessgame_of_range_end(opening, bytes.bytes, bytes.n)
                         : 0;
    if (n == 0)
        return checked_game(bytes);
    checked_game((bytes_argument){opening, n});
    return bytes_datum(bytes.bytes, bytes.n);
}

/* The bytes of a value of either type, for binary output and the cast to bytea. */
SQL_FUNCTION(tabiya_value_bytes) { return byteasend(fcinfo); }

/* ---- Boards ------------------------------------------------------------------------------------------------ */

SQL_FUNCTION(tabiya_board_in)
{
    const char *s = PG_GETARG_CSTRING(0);
    tby_setup setup;
    tby_error err;
    if (tby_fen_read(&setup, s, strlen(s), TBY_FEN_RAW, NULL, &err) != TBY_OK)
        raise_fen_error(&err);
    return board_datum(&setup);
}

SQL_FUNCTION(tabiya_board_out)
{
    const tby_setup setup = board_of(PG_GETARG_BYTES(0));
    char *fen = palloc(TBY_FEN_SIZE);
    tby_fen_write(fen, TBY_FEN_SIZE, &setup, 0);
    PG_RETURN_CSTRING(fen);
}

static Datum checked_board(bytes_argument board)
{
    tby_setup setup;
    if (!tby_chessboard_decode(&setup, board.bytes, board.n))
        ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION), errmsg("the bytes are not a packed board")));
    return bytes_datum(board.bytes, board.n);
}

SQL_FUNCTION(tabiya_board_recv) { return checked_board(rest_of_message((StringInfo)PG_GETARG_POINTER(0))); }

SQL_FUNCTION(tabiya_board_of_bytes) { return checked_board(PG_GETARG_BYTES(0)); }

/* The game without moves from a playable board. */
SQL_FUNCTION(tabiya_game_of_board)
{
    uint8_t bytes[TBY_CHESSBOARD_SIZE + 1 + TBY_PACKED_TRAILER_SIZE];
    const tby_position pos = position_of(PG_GETARG_BYTES(0));
    return bytes_datum(bytes, tby_packed_encode(bytes, sizeof bytes, &pos, NULL, 0, TBY_RESULT_NONE));
}
