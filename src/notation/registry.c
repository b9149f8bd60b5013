/*
 * registry.c - every notation of a position or a move by its name.
 *
 * The command line, SQL and the web page use the two tables at the end of the sections: a new row appears everywhere,
 * except that PostgreSQL needs a line in postgres/notations.c and in its SQL file. The functions before the tables only
 * adapt the readers and writers of the notations to one signature.
 *
 * Flags    TBY_LOSSY and TBY_BASE64_URL are passed on to the notations. TBY_NOTATION_STRICT reads FEN, EPD and SAN
 *          strictly. TBY_NOTATION_CHESS960 reads and writes FEN's KQkq as X-FEN does, and writes castling in UCI as
 *          king takes rook.
 * Keeps    a writer that refuses returns 0 and sets `err`; one that writes sets its status to TBY_OK.
 */
#include "notation/registry.h"

#include "base/text.h"
#include "base/utf8.h"
#include "notation/refuse.h"

/* ---- Positions ----------------------------------------------------------------------------------------- */

static tby_status read_fen(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings, tby_error *err)
{
    return tby_fen_read(out, s, n, registry_fen_flags(flags), warnings, err);
}

static tby_status read_boardinfo(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings,
                                 tby_error *err)
{
    (void)flags;
    registry_no_warnings(warnings);
    return tby_boardinfo_read(out, s, n, err);
}

static tby_status read_base64(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings,
                              tby_error *err)
{
    (void)flags;
    registry_no_warnings(warnings);
    return tby_base64_position_read(out, s, n, err);
}

static size_t write_fen_as(char *buf, size_t cap, const tby_setup *setup, unsigned flags, unsigned fen_flags,
                           tby_error *err)
{
    refuse_nothing(err);
    return tby_fen_write(buf, cap, setup, fen_flags | (flags & TBY_NOTATION_CHESS960 ? (unsigned)TBY_FEN_XFEN : 0));
}

static size_t write_fen(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err)
{
    return write_fen_as(buf, cap, setup, flags, 0, err);
}

static size_t write_fen_legal(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err)
{
    return write_fen_as(buf, cap, setup, flags, TBY_FEN_EP_LEGAL, err);
}

/* Writes clock and move number as operations unless they are the default, so nothing is lost. */
static size_t write_epd(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err)
{
    char fields[TBY_FEN_SIZE];
    text_writer text = text_begin(buf, cap);
    text_bytes(&text, fields, write_fen_as(fields, sizeof fields, setup, flags, TBY_FEN_EPD, err));
    if (setup->clock != 0 || setup->fullmove != 1) {
        text_string(&text, " hmvc ");
        text_number(&text, setup->clock);
        text_string(&text, "; fmvn ");
        text_number(&text, setup->fullmove);
        text_char(&text, ';');
    }
    return text_end(&text);
}

static size_t write_base64url(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err)
{
    return tby_base64_position_write(buf, cap, setup, flags | TBY_BASE64_URL, err);
}

static size_t write_ascii(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err)
{
    (void)flags;
    refuse_nothing(err);
    return tby_diagram_write(buf, cap, &setup->board, 0);
}

static size_t write_unicode(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err)
{
    (void)flags;
    refuse_nothing(err);
    return tby_diagram_write(buf, cap, &setup->board, TBY_DIAGRAM_UNICODE);
}

static size_t write_svg(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err)
{
    (void)flags;
    refuse_nothing(err);
    return tby_svg_write(buf, cap, &setup->board, NULL);
}

static const char ONLY_PIECES[] = "side to move, castling rights, en passant, clock and move number (not written)";
static const char FOUR_RIGHTS[] = "castling rights of Chess960";

static const tby_position_notation POSITIONS[] = {
    {.name = "fen",
     .summary = "Forsyth-Edwards notation, en passant square after every double step",
     .size = TBY_FEN_SIZE,
     .one_line = true,
     .read = read_fen,
     .write = write_fen,
     .write_error = tby_fen_error_write},
    {.name = "fen-legal",
     .summary = "FEN, en passant square only if a capture is legal",
     .cannot_hold = "en passant squares where no capture is legal (not written)",
     .size = TBY_FEN_SIZE,
     .one_line = true,
     .read = read_fen,
     .write = write_fen_legal,
     .write_error = tby_fen_error_write},
    {.name = "epd",
     .summary = "the first four fields of FEN, then operations",
     .size = TBY_FEN_SIZE,
     .one_line = true,
     .read = epd_read,
     .write = write_epd},
    {.name = "boardinfo",
     .summary = "en passant, side, 64 squares from a1, plies",
     .cannot_hold = FOUR_RIGHTS,
     .size = TBY_BOARDINFO_SIZE,
     .one_line = true,
     .read = read_boardinfo,
     .write = tby_boardinfo_write},
    {.name = "base64",
     .summary = "four bits per square and the state, as base64",
     .cannot_hold = "a half-move clock over 63; castling rights of Chess960",
     .size = TBY_BASE64_POSITION_SIZE,
     .one_line = true,
     .read = read_base64,
     .write = tby_base64_position_write},
    {.name = "base64url",
     .summary = "base64 with the URL-safe digits - and _",
     .cannot_hold = "a half-move clock over 63; castling rights of Chess960",
     .size = TBY_BASE64_POSITION_SIZE,
     .one_line = true,
     .read = read_base64,
     .write = write_base64url},
    {.name = "ascii",
     .summary = "a diagram of letters",
     .cannot_hold = ONLY_PIECES,
     .size = TBY_DIAGRAM_SIZE,
     .read = diagram_read,
     .write = write_ascii},
    {.name = "unicode",
     .summary = "a diagram of chess figurines",
     .cannot_hold = ONLY_PIECES,
     .size = TBY_DIAGRAM_SIZE,
     .read = diagram_read,
     .write = write_unicode},
    {.name = "svg", .summary = "a picture", .cannot_hold = ONLY_PIECES, .write = write_svg},
};

enum { N_POSITIONS = sizeof POSITIONS / sizeof *POSITIONS };

const tby_position_notation *tby_position_notation_at(size_t index)
{
    return index < N_POSITIONS ? &POSITIONS[index] : NULL;
}

const tby_position_notation *tby_position_notation_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_POSITIONS; i++)
        if (text_is(name, n, POSITIONS[i].name))
            return &POSITIONS[i];
    return NULL;
}

/* ---- Moves --------------------------------------------------------------------------------------------- */

static tby_status read_san(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                           tby_error *err)
{
    return tby_san_read(out, pos, s, n, flags & TBY_NOTATION_STRICT ? TBY_SAN_STRICT : 0, NULL, err);
}

/* Always lenient: strict SAN reading would refuse all long algebraic moves. */
static tby_status read_lan(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                           tby_error *err)
{
    (void)flags;
    return tby_san_read(out, pos, s, n, 0, NULL, err);
}

static tby_status read_uci(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                           tby_error *err)
{
    (void)flags;
    return tby_uci_read(out, pos, s, n, err);
}

/* Like UCI, but a promotion without a piece is to a queen. */
static tby_status read_boardinfo_move(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                                      tby_error *err)
{
    (void)flags;
    const tby_status status = tby_uci_read(out, pos, s, n, err);
    if (status != TBY_PROMOTION_MISSING || n != 4)
        return status;
    const char with_queen[5] = {s[0], s[1], s[2], s[3], 'q'};
    return tby_uci_read(out, pos, with_queen, 5, err);
}

static tby_status read_base64_move(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                                   tby_error *err)
{
    (void)flags;
    return tby_base64_move_read(out, pos, s, n, err);
}

/* The empty move text is written as a hyphen. */
static tby_status read_short(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                             tby_error *err)
{
    (void)flags;
    return tby_short_move_read(out, pos, s, n == 1 && s[0] == '-' ? 0 : n, err);
}

static tby_status read_cmbr(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                            tby_error *err)
{
    (void)flags;
    uint32_t word = 0;
    for (size_t i = 0; i < 6; i++) {
        if (i >= n || text_hex_digit(s[i]) < 0)
            return refuse(err, TBY_INVALID_CMBR, i, "six hex digits expected");
        word = word << 4 | (uint32_t)text_hex_digit(s[i]);
    }
    if (n > 6)
        return refuse(err, TBY_INVALID_CMBR, 6, "a word has six hex digits");
    const tby_status status = tby_cmbr_move_decode(out, pos, word, err);
    if (status != TBY_OK && err)
        err->offset *= 2; /* bytes to digits */
    return status;
}

static size_t write_san(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err)
{
    (void)flags;
    refuse_nothing(err);
    return tby_san_write(buf, cap, pos, m);
}

static size_t write_lan(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err)
{
    (void)flags;
    refuse_nothing(err);
    return tby_lan_write(buf, cap, pos, m);
}

static size_t write_uci(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err)
{
    refuse_nothing(err);
    return tby_uci_write(buf, cap, pos, m, flags & TBY_NOTATION_CHESS960 ? TBY_UCI_CHESS960 : 0);
}

/* Where moves are listed, the empty move text is written as a hyphen. */
static size_t write_short(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err)
{
    char move[TBY_SHORT_MOVE_SIZE];
    text_writer text = text_begin(buf, cap);
    (void)flags;
    refuse_nothing(err);
    const size_t n = tby_short_move_write(move, sizeof move, pos, m);
    text_bytes(&text, n ? move : "-", n ? n : 1);
    return text_end(&text);
}

static size_t write_cmbr(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err)
{
    (void)flags;
    refuse_nothing(err);
    const uint32_t word = tby_cmbr_move_encode(pos, m);
    text_writer text = text_begin(buf, cap);
    for (unsigned shift = 24; shift > 0; shift -= 4)
        text_char(&text, "0123456789abcdef"[word >> (shift - 4) & 15]);
    return text_end(&text);
}

/* Lenient SAN accepts coordinates too, so it is tried after them; short moves match almost anything, so they are last.
   */
static const tby_move_notation MOVES[] = {
    {.name = "san",
     .line_name = "san",
     .summary = "standard algebraic: Nf3, exd5, O-O, e8=Q#",
     .size = TBY_SAN_SIZE,
     .separator = " ",
     .is_algebraic = true,
     .has_bare_numbers = true,
     .null_move = "--",
     .is_move_text = true,
     .guess_order = 5,
     .read = read_san,
     .write = write_san},
    {.name = "uci",
     .line_name = "uci",
     .summary = "coordinates: g1f3, e1g1, e7e8q",
     .size = TBY_UCI_SIZE,
     .separator = " ",
     .has_bare_numbers = true,
     .null_move = "0000",
     .guess_order = 1,
     .read = read_uci,
     .write = write_uci},
    {.name = "lan",
     .line_name = "lan",
     .summary = "long algebraic: Ng1-f3, e4xd5, O-O",
     .size = TBY_SAN_SIZE,
     .separator = " ",
     .is_algebraic = true,
     .has_bare_numbers = true,
     .null_move = "--",
     .read = read_lan,
     .write = write_lan},
    {.name = "boardinfo-moves",
     .line_name = "boardinfo-moves",
     .summary = "coordinates for boardinfo: a7a8 promotes to a queen",
     .size = TBY_UCI_SIZE,
     .separator = " ",
     .has_bare_numbers = true,
     .null_move = "0000",
     .guess_order = 6,
     .read = read_boardinfo_move,
     .write = write_uci},
    {.name = "base64-moves",
     .line_name = "base64-moves",
     .summary = "two base64 digits per move: 0k",
     .cannot_hold = "promotions to rook, bishop or knight; null moves",
     .size = TBY_BASE64_MOVE_SIZE,
     .separator = "",
     .has_bare_numbers = true,
     .guess_order = 2,
     .read = read_base64_move,
     .write = tby_base64_move_write},
    {.name = "short",
     .line_name = "short",
     .summary = "the shortest text that fits only one legal move, as in the tree",
     .cannot_hold = "null moves",
     .size = TBY_SHORT_MOVE_SIZE,
     .separator = " ",
     .guess_order = 7,
     .read = read_short,
     .write = write_short},
    {.name = "iccf",
     .line_name = "iccf",
     .summary = "digits, as in correspondence chess: 7163, 5171, 57581",
     .size = TBY_UCI_SIZE,
     .separator = " ",
     .null_move = "0000",
     .guess_order = 4,
     .read = iccf_read,
     .write = iccf_write},
    {.name = "cmbr",
     .line_name = "cmbr-words",
     .summary = "24-bit words in hex: 70c000",
     .cannot_hold = "null moves",
     .size = TBY_CMBR_MOVE_SIZE,
     .separator = " ",
     .guess_order = 3,
     .read = read_cmbr,
     .write = write_cmbr},
};

enum { N_MOVES = sizeof MOVES / sizeof *MOVES };

const tby_move_notation *tby_move_notation_at(size_t index) { return index < N_MOVES ? &MOVES[index] : NULL; }

const tby_move_notation *tby_move_notation_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_MOVES; i++)
        if (text_is(name, n, MOVES[i].name))
            return &MOVES[i];
    return NULL;
}
