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
#include "notation/refuse.h"

static bool same_name(const char *name, const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && name[i] && name[i] == s[i])
        i++;
    return i == n && !name[i];
}

/* ---- Positions ----------------------------------------------------------------------------------------- */

static unsigned fen_read_flags(unsigned flags)
{
    return (flags & TBY_NOTATION_STRICT ? (unsigned)TBY_FEN_STRICT : 0) |
           (flags & TBY_NOTATION_CHESS960 ? (unsigned)TBY_FEN_CHESS960 : 0);
}

static tby_status read_fen(tby_setup *out, const char *s, size_t n, unsigned flags, tby_error *err)
{
    return tby_fen_read(out, s, n, fen_read_flags(flags), NULL, err);
}

static tby_status read_epd(tby_setup *out, const char *s, size_t n, unsigned flags, tby_error *err)
{
    return epd_read(out, s, n, fen_read_flags(flags), err);
}

static tby_status read_boardinfo(tby_setup *out, const char *s, size_t n, unsigned flags, tby_error *err)
{
    (void)flags;
    return tby_boardinfo_read(out, s, n, err);
}

static tby_status read_base64(tby_setup *out, const char *s, size_t n, unsigned flags, tby_error *err)
{
    (void)flags;
    return tby_base64_position_read(out, s, n, err);
}

static tby_status read_diagram(tby_setup *out, const char *s, size_t n, unsigned flags, tby_error *err)
{
    (void)flags;
    return diagram_read(out, s, n, err);
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
    {"fen", "Forsyth-Edwards notation, en passant square after every double step", NULL, TBY_FEN_SIZE, true, read_fen,
     write_fen},
    {"fen-legal", "FEN, en passant square only if a capture is legal",
     "en passant squares where no capture is legal (not written)", TBY_FEN_SIZE, true, read_fen, write_fen_legal},
    {"epd", "the first four fields of FEN, then operations", NULL, TBY_FEN_SIZE, true, read_epd, write_epd},
    {"boardinfo", "en passant, side, 64 squares from a1, plies", FOUR_RIGHTS, TBY_BOARDINFO_SIZE, true, read_boardinfo,
     tby_boardinfo_write},
    {"base64", "four bits per square and the state, as base64",
     "a half-move clock over 63; castling rights of Chess960", TBY_BASE64_POSITION_SIZE, true, read_base64,
     tby_base64_position_write},
    {"base64url", "base64 with the URL-safe digits - and _", "a half-move clock over 63; castling rights of Chess960",
     TBY_BASE64_POSITION_SIZE, true, read_base64, write_base64url},
    {"ascii", "a diagram of letters", ONLY_PIECES, TBY_DIAGRAM_SIZE, false, read_diagram, write_ascii},
    {"unicode", "a diagram of chess figurines", ONLY_PIECES, TBY_DIAGRAM_SIZE, false, read_diagram, write_unicode},
    {"svg", "a picture", ONLY_PIECES, 0, false, NULL, write_svg},
};

enum { N_POSITIONS = sizeof POSITIONS / sizeof *POSITIONS };

const tby_position_notation *tby_position_notation_at(size_t index)
{
    return index < N_POSITIONS ? &POSITIONS[index] : NULL;
}

const tby_position_notation *tby_position_notation_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_POSITIONS; i++)
        if (same_name(POSITIONS[i].name, name, n))
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

static tby_status read_iccf(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                            tby_error *err)
{
    (void)flags;
    return iccf_read(out, pos, s, n, err);
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

static unsigned hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

static tby_status read_cmbr(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                            tby_error *err)
{
    (void)flags;
    uint32_t word = 0;
    for (size_t i = 0; i < 6; i++) {
        if (i >= n || hex_value(s[i]) > 15)
            return refuse(err, TBY_INVALID_CMBR, i, "six hex digits expected");
        word = word << 4 | hex_value(s[i]);
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

static size_t write_iccf(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err)
{
    (void)flags;
    refuse_nothing(err);
    return iccf_write(buf, cap, pos, m);
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
    {"san", "san", "standard algebraic: Nf3, exd5, O-O, e8=Q#", NULL, TBY_SAN_SIZE, " ", true, true, "--", true, 5,
     read_san, write_san},
    {"uci", "uci", "coordinates: g1f3, e1g1, e7e8q", NULL, TBY_UCI_SIZE, " ", false, true, "0000", false, 1, read_uci,
     write_uci},
    {"lan", "lan", "long algebraic: Ng1-f3, e4xd5, O-O", NULL, TBY_SAN_SIZE, " ", true, true, "--", false, 0, read_lan,
     write_lan},
    {"boardinfo-moves", "boardinfo-moves", "coordinates for boardinfo: a7a8 promotes to a queen", NULL, TBY_UCI_SIZE,
     " ", false, true, "0000", false, 6, read_boardinfo_move, write_uci},
    {"base64-moves", "base64-moves", "two base64 digits per move: 0k",
     "promotions to rook, bishop or knight; null moves", TBY_BASE64_MOVE_SIZE, "", false, true, NULL, false, 2,
     read_base64_move, tby_base64_move_write},
    {"short", "short", "the shortest text that fits only one legal move, as in the tree", "null moves",
     TBY_SHORT_MOVE_SIZE, " ", false, false, NULL, false, 7, read_short, write_short},
    {"iccf", "iccf", "digits, as in correspondence chess: 7163, 5171, 57581", NULL, TBY_UCI_SIZE, " ", false, false,
     "0000", false, 4, read_iccf, write_iccf},
    {"cmbr", "cmbr-words", "24-bit words in hex: 70c000", "null moves", TBY_CMBR_MOVE_SIZE, " ", false, false, NULL,
     false, 3, read_cmbr, write_cmbr},
};

enum { N_MOVES = sizeof MOVES / sizeof *MOVES };

const tby_move_notation *tby_move_notation_at(size_t index) { return index < N_MOVES ? &MOVES[index] : NULL; }

const tby_move_notation *tby_move_notation_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_MOVES; i++)
        if (same_name(MOVES[i].name, name, n))
            return &MOVES[i];
    return NULL;
}
