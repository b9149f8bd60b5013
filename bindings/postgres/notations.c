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
    if (notation->read(&other, text.s, text.n, TBY_NOTATION_CHESS960, NULL, NULL) == TBY_OK &&
        other.castling != setup->castling)
        ereport(WARNING, (errcode(ERRCODE_WARNING), errmsg("dropped castling rights that only Chess960 has"),
                          errhint("A second argument, true, keeps them.")));
}

/* Only FEN reports dropped rights; in other notations they are found by reading again. */
static Datum read_position(FunctionCallInfo fcinfo, const tby_position_notation *notation)
{
    const tby_text text = PG_GETARG_UTF8(0);
    const unsigned flags = is_chess960(fcinfo) ? TBY_NOTATION_CHESS960 : 0;
    unsigned warnings;
    tby_setup setup;
    tby_error err;
    if (notation->read(&setup, text.s, text.n, flags, &warnings, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_TEXT_REPRESENTATION, &err);
    if (PG_NARGS() == 1 && (!notation->write_error || warnings & TBY_FEN_WARN_CASTLING))
        warn_of_rights(notation, text, &setup);
    return board_datum(&setup);
}

#define READS_POSITION(name, notation)                                                                                 \
    SQL_FUNCTION(name) { return read_position(fcinfo, tby_position_notation_find(notation, sizeof notation - 1)); }

READS_POSITION(tabiya_from_fen, "fen")
READS_POSITION(tabiya_from_fen_legal, "fen-legal")
READS_POSITION(tabiya_from_epd, "epd")
READS_POSITION(tabiya_from_boardinfo, "boardinfo")
READS_POSITION(tabiya_from_base64, "base64")
READS_POSITION(tabiya_from_base64url, "base64url")
READS_POSITION(tabiya_from_ascii, "ascii")
READS_POSITION(tabiya_from_unicode, "unicode")

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
