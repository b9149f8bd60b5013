/*
 * notations.c - functions from<Name> for the notations of positions and moves, with warnings.
 *
 *     positions   fromFen(text [, chess960]) -> board    also -Epd, -Base64 ...
 *     moves       fromUci(text [, start]) -> game
 *
 * A notation is found in its registry by name. The other functions for notations are in shared.c; toSan, the text of a
 * chessgame, is in values.c.
 */
#include "extension.h"

/* ---- Positions --------------------------------------------------------------------------------------------- */

/* The optional second argument says whether the text is Chess960. */
static bool is_chess960(FunctionCallInfo fcinfo) { return PG_NARGS() > 1 && PG_GETARG_BOOL(1); }

/* Warns of dropped castling rights in a text that was read as standard chess. */
static void warn_of_rights(const tby_position_notation *notation, tby_text text, const tby_setup *setup)
{
    tby_setup other;
    if (notation->read(&other, text.s, text.n, TBY_NOTATION_CHESS960, NULL) == TBY_OK &&
        other.castling != setup->castling)
        ereport(WARNING, (errcode(ERRCODE_WARNING), errmsg("dropped castling rights that only Chess960 has"),
                          errhint("A second argument, true, keeps them.")));
}

static Datum read_position(FunctionCallInfo fcinfo, const tby_position_notation *notation)
{
    const tby_text text = PG_GETARG_UTF8(0);
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
    const tby_text text = PG_GETARG_UTF8(0);
    unsigned warnings = 0;
    tby_setup setup;
    tby_error err;
    if (tby_fen_read(&setup, text.s, text.n, is_chess960(fcinfo) ? TBY_FEN_CHESS960 : 0, &warnings, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_TEXT_REPRESENTATION, &err);
    if (PG_NARGS() == 1 && (warnings & TBY_FEN_WARN_CASTLING))
        warn_of_rights(notation, text, &setup);
    return board_datum(&setup);
}

#define READS_POSITION(name, notation, read)                                                                           \
    SQL_FUNCTION(name) { return read(fcinfo, tby_position_notation_find(notation, sizeof notation - 1)); }

READS_POSITION(tabiya_from_fen, "fen", read_fen)
READS_POSITION(tabiya_from_fen_legal, "fen-legal", read_fen)
READS_POSITION(tabiya_from_epd, "epd", read_position)
READS_POSITION(tabiya_from_boardinfo, "boardinfo", read_position)
READS_POSITION(tabiya_from_base64, "base64", read_position)
READS_POSITION(tabiya_from_base64url, "base64url", read_position)
READS_POSITION(tabiya_from_ascii, "ascii", read_position)
READS_POSITION(tabiya_from_unicode, "unicode", read_position)

/* ---- Moves ------------------------------------------------------------------------------------------------- */

static Datum read_moves(FunctionCallInfo fcinfo, const tby_move_notation *notation)
{
    const tby_text text = PG_GETARG_UTF8(0);
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

#define READS_MOVES(name, notation)                                                                                    \
    SQL_FUNCTION(name) { return read_moves(fcinfo, tby_move_notation_find(notation, sizeof notation - 1)); }

READS_MOVES(tabiya_from_san, "san")
READS_MOVES(tabiya_from_uci, "uci")
READS_MOVES(tabiya_from_lan, "lan")
READS_MOVES(tabiya_from_boardinfo_moves, "boardinfo-moves")
READS_MOVES(tabiya_from_base64_moves, "base64-moves")
READS_MOVES(tabiya_from_short, "short")
READS_MOVES(tabiya_from_iccf, "iccf")
READS_MOVES(tabiya_from_cmbr_moves, "cmbr")
