/*
 * fen_write.c - write Forsyth-Edwards notation, and the errors and warnings of reading it.
 *
 *     placement side castling en-passant clock fullmove
 *     rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
 *
 * Writes   one blank between fields. Castling rights of white, then of black, the king's side first, each from the
 *          edge inwards:
 *              default             KQkq if all kings are on the e-file and all rooks in the corners, else the rooks' files
 *              TBY_FEN_XFEN        KQkq for the outermost rook on that side of the king, else the rook's file
 *              TBY_FEN_SHREDDER    the rook's file
 *          Rights without king and rook, which TBY_FEN_RAW keeps, are written as KQkq if all are of corners, else as
 *          files: TBY_FEN_RAW reads both back.
 *          En passant after every double step; on request only if a pawn is ready to capture or a capture is legal.
 * Refuses  nothing: bits that are not a piece are written as a question mark, numbers are not checked
 * Keeps    a setup from tby_fen_read is the same after writing and reading (with TBY_FEN_RAW or TBY_FEN_CHESS960 if it
 *          was read or written with them)
 */
#include "base/text.h"
#include "notation/fen.h"

/* ---- Castling ------------------------------------------------------------------------------------------- */

typedef struct wing {
    tby_bitboard king, rooks, squares; /* rooks: the own ones on this wing; king: 0 if none may castle */
    tby_color color;
    bool queen_side;
} wing;

/* May K, Q, k or q stand for the right of `rook`? */
static bool has_wing_letter(const wing *w, tby_bitboard rook, unsigned flags)
{
    return flags & TBY_FEN_XFEN && !(flags & TBY_FEN_SHREDDER) && w->king && (w->rooks & rook) &&
           rook == fen_outermost(w->rooks, w->queen_side);
}

static char *write_wing(char *p, const wing *w, tby_bitboard rights, unsigned flags)
{
    const char first_file = w->color == TBY_WHITE ? 'A' : 'a', wing_letter = w->queen_side ? 'Q' : 'K';
    for (rights &= w->squares; rights;) {
        const tby_bitboard rook = fen_outermost(rights, w->queen_side);
        if (has_wing_letter(w, rook, flags))
            *p++ = (char)(wing_letter - 'A' + first_file);
        else
            *p++ = (char)(first_file + TBY_FILE(bb_first(rook)));
        rights ^= rook;
    }
    return p;
}

/* Would the reader accept KQkq for all these rights? Not if a king beside the e-file has its rook. */
static bool are_corners(const tby_setup *setup, tby_bitboard rights)
{
    if (rights & ~BB_CORNERS)
        return false;
    for (tby_color color = TBY_WHITE; color <= TBY_BLACK; color++) {
        const tby_bitboard king = fen_castling_king(&setup->board, color);
        if ((king & ~bb_file(4)) && (rights & fen_castling_rooks(&setup->board, color)))
            return false;
    }
    return true;
}

static char *write_corners(char *p, tby_bitboard rights)
{
    static const char letters[4] = {'K', 'Q', 'k', 'q'};
    static const uint8_t corners[4] = {7, 0, 63, 56};
    for (int i = 0; i < 4; i++)
        if (rights & bb_square(corners[i]))
            *p++ = letters[i];
    return p;
}

static char *write_castling(char *p, const tby_setup *setup, unsigned flags)
{
    const tby_bitboard rights = setup->castling & (BB_RANK_1 | BB_RANK_8);
    if (!rights) {
        *p++ = '-';
        return p;
    }
    if (!(flags & (TBY_FEN_SHREDDER | TBY_FEN_XFEN)) && are_corners(setup, rights))
        return write_corners(p, rights);
    for (int slot = 0; slot < 4; slot++) {
        wing w = {.color = slot < 2 ? TBY_WHITE : TBY_BLACK, .queen_side = slot & 1};
        w.king = fen_castling_king(&setup->board, w.color);
        w.squares = fen_castling_wing(w.king, w.color, w.queen_side);
        w.rooks = fen_castling_rooks(&setup->board, w.color) & w.squares;
        p = write_wing(p, &w, rights, flags);
    }
    return p;
}

/* ---- En passant ----------------------------------------------------------------------------------------- */

/* Without exactly one king there is no legal move; then the pawn only has to be ready to capture. */
static bool en_passant_is_shown(const tby_setup *setup, unsigned flags)
{
    const tby_board *b = &setup->board;
    const tby_color us = (tby_color)(setup->side & 1);
    const tby_bitboard kings = board_kings(b) & board_color(b, us);
    if (setup->en_passant > 63)
        return false;
    if (!(flags & (TBY_FEN_EP_XFEN | TBY_FEN_EP_LEGAL)))
        return true;
    if (en_passant_flaw(b, setup->en_passant, us))
        return false;
    if ((flags & TBY_FEN_EP_LEGAL) && kings && !bb_many(kings))
        return en_passant_capturers(b, setup->en_passant, bb_first(kings), us) != 0;
    return en_passant_ready(b, setup->en_passant, us) != 0;
}

static char *write_en_passant(char *p, const tby_setup *setup, unsigned flags)
{
    if (!en_passant_is_shown(setup, flags)) {
        *p++ = '-';
        return p;
    }
    *p++ = (char)('a' + TBY_FILE(setup->en_passant));
    *p++ = (char)('1' + TBY_RANK(setup->en_passant));
    return p;
}

/* ---- The whole FEN -------------------------------------------------------------------------------------- */

/* `buf` has TBY_FEN_SIZE bytes: 71 placement, 16 rights, 2 + 2 + 5 + 10 and 5 blanks are at most 111. */
static size_t write_fields(char *buf, const tby_setup *setup, unsigned flags)
{
    char *p = fen_write_placement(buf, &setup->board);
    *p++ = ' ';
    *p++ = setup->side & 1 ? 'b' : 'w';
    *p++ = ' ';
    p = write_castling(p, setup, flags);
    *p++ = ' ';
    p = write_en_passant(p, setup, flags);
    if (!(flags & TBY_FEN_EPD)) {
        *p++ = ' ';
        p = text_put_number(p, setup->clock);
        *p++ = ' ';
        p = text_put_number(p, setup->fullmove);
    }
    *p = '\0';
    return (size_t)(p - buf);
}

size_t tby_fen_write(char *buf, size_t cap, const tby_setup *setup, unsigned flags)
{
    char whole[TBY_FEN_SIZE];
    if (cap >= TBY_FEN_SIZE)
        return write_fields(buf, setup, flags);
    text_writer text = text_begin(buf, cap);
    text_bytes(&text, whole, write_fields(whole, setup, flags));
    return text_end(&text);
}

size_t tby_fen_write_position(char *buf, size_t cap, const tby_position *pos, unsigned flags)
{
    tby_setup setup;
    tby_position_setup(&setup, pos);
    return tby_fen_write(buf, cap, &setup, flags);
}

/* ---- Warnings ------------------------------------------------------------------------------------------- */

static const struct {
    unsigned warning;
    const char *name, *text;
} WARNINGS[] = {
    {TBY_FEN_WARN_CASTLING, "CASTLING", "a castling right without its king or rook was dropped"},
    {TBY_FEN_WARN_EN_PASSANT, "EN_PASSANT", "an en passant square that no pawn can just have passed was dropped"},
    {TBY_FEN_WARN_FIELDS, "FIELDS", "fields were missing"},
    {TBY_FEN_WARN_BLANKS, "BLANKS", "there were more blanks than one between fields, or blanks at the ends"},
    {TBY_FEN_WARN_FULLMOVE, "FULLMOVE", "move number 0 was read as 1"},
    {TBY_FEN_WARN_ORDER, "ORDER", "castling letters were doubled or out of order"},
    {TBY_FEN_WARN_SIDE, "SIDE", "the side to move was missing: read as white"},
    {TBY_FEN_WARN_RIGHTS, "RIGHTS", "the castling rights were missing: read as none"},
};

const char *tby_fen_warning_text(unsigned warning)
{
    for (size_t i = 0; i < sizeof WARNINGS / sizeof *WARNINGS; i++)
        if (WARNINGS[i].warning == warning)
            return WARNINGS[i].text;
    return NULL;
}

const char *tby_fen_warning_name(unsigned warning)
{
    for (size_t i = 0; i < sizeof WARNINGS / sizeof *WARNINGS; i++)
        if (WARNINGS[i].warning == warning)
            return WARNINGS[i].name;
    return NULL;
}

/* ---- Errors --------------------------------------------------------------------------------------------- */

/* Writes the detail of an error, without the status text that tby_error_write puts first. */
static void text_detail(text_writer *text, const tby_error *err)
{
    char sentence[TBY_ERROR_SIZE];
    const char *p = sentence;
    tby_error_write(sentence, sizeof sentence, err);
    for (const char *status = tby_status_text(err->status); *status && *p; status++)
        p++;
    text_string(text, p);
}

size_t tby_fen_error_write(char *buf, size_t cap, const tby_error *err)
{
    static const char *const names[] = {"placement", "side to move", "castling", "en passant", "clock", "move number"};
    text_writer text = text_begin(buf, cap);
    const int f = (int)err->status - (int)TBY_INVALID_PLACEMENT;

    text_string(&text, "fen: ");
    if (f < FEN_PLACEMENT || f > FEN_TRAILING) {
        char sentence[TBY_ERROR_SIZE];
        tby_error_write(sentence, sizeof sentence, err);
        text_string(&text, sentence);
        return text_end(&text);
    }
    if (f < FEN_TRAILING) {
        text_string(&text, "field ");
        text_number(&text, (uint64_t)f + 1);
        text_string(&text, " (");
        text_string(&text, names[f]);
        text_string(&text, "), ");
    }
    text_string(&text, "column ");
    text_number(&text, (uint64_t)err->offset + 1);
    text_detail(&text, err);
    return text_end(&text);
}
