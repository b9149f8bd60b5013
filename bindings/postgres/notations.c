/*
 * notations.c - functions to<Name> and from<Name> for every notation of the library.
 *
 *     positions   toFen(game or board) -> text       fromFen(text [, chess960]) -> board    also -Epd, -Base64 ...
 *     moves       toUci(game) -> text                fromUci(text [, start]) -> game
 *     games       toJson(game) -> text or bytea      fromJson(text or bytea) -> game
 *
 * A notation is found in its registry by name. For toSan, the text of a chessgame, see values.c.
 */
#include "extension.h"

/* ---- Positions --------------------------------------------------------------------------------------------- */

static Datum write_position(bytes_argument value, const tby_position_notation *notation)
{
    const tby_setup setup = final_board_of(value);
    tby_error err = {.status = TBY_OK};
    const size_t cap = notation->size ? notation->size : notation->write(NULL, 0, &setup, 0, &err) + 1;
    char *text = palloc(cap);
    const size_t n = notation->write(text, cap, &setup, 0, &err);
    if (err.status != TBY_OK)
        raise_error(ERRCODE_INVALID_PARAMETER_VALUE, &err);
    const Datum answer = text_datum(text, n);
    pfree(text);
    return answer;
}

/* The optional second argument says whether the text is Chess960. */
static bool is_chess960(FunctionCallInfo fcinfo) { return PG_NARGS() > 1 && PG_GETARG_BOOL(1); }

/* Warns of dropped castling rights in a text that was read as standard chess. */
static void warn_of_rights(const tby_position_notation *notation, text_argument text, const tby_setup *setup)
{
    tby_setup other;
    if (notation->read(&other, text.s, text.n, TBY_NOTATION_CHESS960, NULL) == TBY_OK &&
        other.castling != setup->castling)
        ereport(WARNING, (errcode(ERRCODE_WARNING), errmsg("dropped castling rights that only Chess960 has"),
                          errhint("A second argument, true, keeps them.")));
}

static Datum read_position(FunctionCallInfo fcinfo, const tby_position_notation *notation)
{
    const text_argument text = PG_GETARG_UTF8(0);
    tby_setup setup;
    tby_error err;
    if (notation->read(&setup, text.s, text.n, is_chess960(fcinfo) ? TBY_NOTATION_CHESS960 : 0, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_TEXT_REPRESENTATION, &err);
    if (PG_NARGS() == 1)
        warn_of_rights(notation, text, &setup);
    return board_datum(&setup);
}

/* The FEN reader reports dropped rights itself, so that the text is hardly ever read twice. */
static Datum read_fen(FunctionCallInfo fcinfo, const tby_position_notation *notation)
{
    const text_argument text = PG_GETARG_UTF8(0);
    unsigned warnings = 0;
    tby_setup setup;
    tby_error err;
    if (tby_fen_read(&setup, text.s, text.n, is_chess960(fcinfo) ? TBY_FEN_CHESS960 : 0, &warnings, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_TEXT_REPRESENTATION, &err);
    if (PG_NARGS() == 1 && (warnings & TBY_FEN_WARN_CASTLING))
        warn_of_rights(notation, text, &setup);
    return board_datum(&setup);
}

#define WRITES_POSITION(name, notation)                                                                                \
    SQL_FUNCTION(name)                                                                                                 \
    {                                                                                                                  \
        return write_position(PG_GETARG_BYTES(0), tby_position_notation_find(notation, sizeof notation - 1));          \
    }
#define READS_POSITION(name, notation, read)                                                                           \
    SQL_FUNCTION(name) { return read(fcinfo, tby_position_notation_find(notation, sizeof notation - 1)); }

WRITES_POSITION(tabiya_to_fen, "fen")
WRITES_POSITION(tabiya_to_fen_legal, "fen-legal")
WRITES_POSITION(tabiya_to_epd, "epd")
WRITES_POSITION(tabiya_to_boardinfo, "boardinfo")
WRITES_POSITION(tabiya_to_base64, "base64")
WRITES_POSITION(tabiya_to_base64url, "base64url")
WRITES_POSITION(tabiya_to_ascii, "ascii")
WRITES_POSITION(tabiya_to_unicode, "unicode")
WRITES_POSITION(tabiya_to_svg, "svg")
READS_POSITION(tabiya_from_fen, "fen", read_fen)
READS_POSITION(tabiya_from_fen_legal, "fen-legal", read_fen)
READS_POSITION(tabiya_from_epd, "epd", read_position)
READS_POSITION(tabiya_from_boardinfo, "boardinfo", read_position)
READS_POSITION(tabiya_from_base64, "base64", read_position)
READS_POSITION(tabiya_from_base64url, "base64url", read_position)
READS_POSITION(tabiya_from_ascii, "ascii", read_position)
READS_POSITION(tabiya_from_unicode, "unicode", read_position)

/* ---- Moves ------------------------------------------------------------------------------------------------- */

static Datum write_moves(bytes_argument game, const tby_move_notation *notation)
{
    tby_chessgame_error err = {.error = {.status = TBY_OK}};
    StringInfoData out;
    answer_begin(&out);
    tby_chessgame_write_line(game.bytes, game.n, notation, answer_sink, &out, &err);
    if (err.error.status != TBY_OK)
        raise_chessgame_error(&err);
    return answer_text(&out);
}

static Datum read_moves(FunctionCallInfo fcinfo, const tby_move_notation *notation)
{
    const text_argument text = PG_GETARG_UTF8(0);
    uint8_t bytes[TBY_CHESSGAME_SIZE];
    size_t n;
    tby_position start;
    tby_chessgame_error err;
    if (PG_NARGS() > 1)
        start = position_of(PG_GETARG_BYTES(1));
    else
        tby_position_start(&start);
    if (tby_chessgame_read_line(bytes, &n, &start, notation, text.s, text.n, &err) != TBY_OK)
        raise_chessgame_error(&err);
    warn_of_chessgame(&err);
    return bytes_datum(bytes, n);
}

#define WRITES_MOVES(name, notation)                                                                                   \
    SQL_FUNCTION(name)                                                                                                 \
    {                                                                                                                  \
        return write_moves(PG_GETARG_BYTES(0), tby_move_notation_find(notation, sizeof notation - 1));                 \
    }
#define READS_MOVES(name, notation)                                                                                    \
    SQL_FUNCTION(name) { return read_moves(fcinfo, tby_move_notation_find(notation, sizeof notation - 1)); }

WRITES_MOVES(tabiya_to_uci, "uci")
WRITES_MOVES(tabiya_to_lan, "lan")
WRITES_MOVES(tabiya_to_boardinfo_moves, "boardinfo-moves")
WRITES_MOVES(tabiya_to_base64_moves, "base64-moves")
WRITES_MOVES(tabiya_to_short, "short")
WRITES_MOVES(tabiya_to_iccf, "iccf")
WRITES_MOVES(tabiya_to_cmbr_moves, "cmbr")
READS_MOVES(tabiya_from_san, "san")
READS_MOVES(tabiya_from_uci, "uci")
READS_MOVES(tabiya_from_lan, "lan")
READS_MOVES(tabiya_from_boardinfo_moves, "boardinfo-moves")
READS_MOVES(tabiya_from_base64_moves, "base64-moves")
READS_MOVES(tabiya_from_short, "short")
READS_MOVES(tabiya_from_iccf, "iccf")
READS_MOVES(tabiya_from_cmbr_moves, "cmbr")

/* ---- Games ------------------------------------------------------------------------------------------------- */

static Datum write_game(bytes_argument bytes, const tby_game_notation *notation)
{
    const tby_allocator allocator = context_allocator(CurrentMemoryContext);
    tby_game *game = tby_game_new(&allocator);
    tby_error err;
    StringInfoData out;
    answer_begin(&out);
    if (!tby_chessgame_to_game(game, bytes.bytes, bytes.n))
        ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the chessgame is damaged")));
    if (notation->write(game, answer_sink, &out, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_PARAMETER_VALUE, &err);
    tby_game_free(game);
    return notation->is_binary ? answer_bytea(&out) : answer_text(&out);
}

static Datum read_game(text_argument text, const tby_game_notation *notation)
{
    const tby_allocator allocator = context_allocator(CurrentMemoryContext);
    tby_game *game = tby_game_new(&allocator);
    uint8_t bytes[TBY_CHESSGAME_SIZE];
    size_t n;
    tby_error err;
    tby_chessgame_error fault;
    if (notation->read(game, text.s, text.n, &err) != TBY_OK)
        raise_error(notation->is_binary ? ERRCODE_INVALID_BINARY_REPRESENTATION : ERRCODE_INVALID_TEXT_REPRESENTATION,
                    &err);
    if (tby_chessgame_of_game(bytes, &n, game, &fault) != TBY_OK)
        raise_chessgame_error(&fault);
    tby_game_free(game);
    return bytes_datum(bytes, n);
}

SQL_FUNCTION(tabiya_to_pgn) { return write_game(PG_GETARG_BYTES(0), tby_game_notation_find("pgn", 3)); }

SQL_FUNCTION(tabiya_to_json) { return write_game(PG_GETARG_BYTES(0), tby_game_notation_find("json", 4)); }

SQL_FUNCTION(tabiya_to_cmbr) { return write_game(PG_GETARG_BYTES(0), tby_game_notation_find("cmbr", 4)); }

SQL_FUNCTION(tabiya_from_json) { return read_game(PG_GETARG_UTF8(0), tby_game_notation_find("json", 4)); }

SQL_FUNCTION(tabiya_from_cmbr)
{
    const bytes_argument record = PG_GETARG_BYTES(0);
    const text_argument text = {(const char *)record.bytes, record.n};
    return read_game(text, tby_game_notation_find("cmbr", 4));
}
