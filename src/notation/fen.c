/*
 * fen.c - read Forsyth-Edwards notation.
 *
 *     placement side castling en-passant clock fullmove
 *     rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
 *
 * Reads    the standard's six fields. Lenient reading also takes: several blanks (space, tab) between fields and at
 *          the ends; four fields (then 0 1), five (then 1), the placement alone (then w - - 0 1); digits in a row in
 *          the placement; castling letters doubled or in any order; leading zeros; move number 0 (then 1). Castling
 *          is KQkq for the usual squares, or the file letter of the rook, A-H and a-h (Shredder-FEN). Beside a file
 *          letter, and with TBY_FEN_CHESS960, KQkq mean the outermost rook on that side of the king (X-FEN).
 * Writes   see fen_write.c
 * Refuses  every other byte, with the status of its field (fields are statuses 10 to 15, what follows is 16). A
 *          castling right without its king and rook, or an en passant square that no pawn has just passed, is an
 *          error in strict reading, dropped with a warning in lenient reading and kept by TBY_FEN_RAW.
 * Keeps    the invariant of position/board.h, and fullmove from 1; without TBY_FEN_RAW no setup has the faults
 *          TBY_FAULT_CASTLING and TBY_FAULT_EN_PASSANT.
 */
#include "notation/fen.h"

/* ---- Between the fields --------------------------------------------------------------------------------- */

/* A warning, or in strict reading an error. */
static inline bool tolerate(fen_reader *r, unsigned warning, fen_field f, const char *where, const char *detail)
{
    if (fen_is_strict(r))
        return fen_refuse(r, f, where, detail, 0, 0);
    r->warnings |= warning;
    return true;
}

/* More blanks than one, tabs, blanks at the ends. */
static __attribute__((noinline)) bool skip_unusual_blanks(fen_reader *r, fen_field f)
{
    const char *start = r->at;
    if (f != PLACEMENT && start < r->end && !fen_is_blank(*start))
        return fen_refuse(r, (fen_field)(f - 1), start, "a blank expected", 0, 0);
    while (r->at < r->end && fen_is_blank(*r->at))
        r->at++;
    if (r->at == start)
        return true;
    return tolerate(r, TBY_FEN_WARN_BLANKS, f, start, "one space between fields expected, none at the ends");
}

/* Steps over the blanks before field `f`, or at the end of the text. */
static inline bool skip_blanks(fen_reader *r, fen_field f)
{
    const ptrdiff_t n_left = r->end - r->at, usual = f != PLACEMENT;
    if (f == TRAILING && n_left == 0)
        return true;
    if (n_left > usual && r->at[0] == (usual ? ' ' : r->at[0]) && !fen_is_blank(r->at[usual])) {
        r->at += usual;
        return true;
    }
    return skip_unusual_blanks(r, f);
}

/* ---- Side and castling ---------------------------------------------------------------------------------- */

/* A table, because a branch between w and b would be mispredicted half of the time. */
static inline bool read_side(fen_reader *r)
{
    static const uint8_t letters[256] = {['w'] = 1 + TBY_WHITE, ['b'] = 1 + TBY_BLACK};
    const unsigned side = letters[(uint8_t)*r->at];
    if (!side)
        return fen_refuse(r, SIDE, r->at, "w or b expected", 0, 0);
    r->setup.side = (uint8_t)(side - 1);
    r->at++;
    return true;
}

/* What a castling letter names: a colour, and a file: the rook's, or for KQkq the edge of the wing. */
enum { RIGHT_FILE = 7, RIGHT_BLACK = 8, RIGHT_BY_WING = 16, RIGHT_BY_FILE = 32 };
/* clang-format off */
static const uint8_t right_letters[256] = {
    ['K'] = RIGHT_BY_WING | 7,  ['Q'] = RIGHT_BY_WING | 0,  ['k'] = RIGHT_BY_WING | 15, ['q'] = RIGHT_BY_WING | 8,
    ['A'] = RIGHT_BY_FILE | 0,  ['B'] = RIGHT_BY_FILE | 1,  ['C'] = RIGHT_BY_FILE | 2,  ['D'] = RIGHT_BY_FILE | 3,
    ['E'] = RIGHT_BY_FILE | 4,  ['F'] = RIGHT_BY_FILE | 5,  ['G'] = RIGHT_BY_FILE | 6,  ['H'] = RIGHT_BY_FILE | 7,
    ['a'] = RIGHT_BY_FILE | 8,  ['b'] = RIGHT_BY_FILE | 9,  ['c'] = RIGHT_BY_FILE | 10, ['d'] = RIGHT_BY_FILE | 11,
    ['e'] = RIGHT_BY_FILE | 12, ['f'] = RIGHT_BY_FILE | 13, ['g'] = RIGHT_BY_FILE | 14, ['h'] = RIGHT_BY_FILE | 15,
};
/* clang-format on */

/* One letter of any kind. `slot` is where in the order KQkq the last one belongs. */
static bool read_right(fen_reader *r, bool by_xfen, unsigned *slot)
{
    const unsigned what = right_letters[(uint8_t)*r->at], last_slot = *slot;
    const tby_color color = what & RIGHT_BLACK ? TBY_BLACK : TBY_WHITE;
    const tby_bitboard king = fen_castling_king(&r->setup.board, color);
    const tby_bitboard rooks = fen_castling_rooks(&r->setup.board, color);
    tby_bitboard rook = bb_square((what & RIGHT_FILE) + 56 * (unsigned)color);
    const bool by_wing = what & RIGHT_BY_WING, queen_side = (rook & (king - 1)) != 0;
    const tby_bitboard wing = fen_castling_wing(king, color, queen_side);

    if (by_wing && by_xfen && (rooks & wing))
        rook = fen_outermost(rooks & wing, queen_side);
    *slot = 2 * (unsigned)color + queen_side;
    if (*slot < last_slot || (r->setup.castling & rook))
        if (!tolerate(r, TBY_FEN_WARN_ORDER, CASTLING, r->at, "castling letters doubled or out of order"))
            return false;
    const bool in_place = king && (rooks & rook) && !(r->setup.castling & wing & ~rook) &&
                          (!by_wing || by_xfen || (king & bb_file(4)));
    if (in_place || (r->flags & TBY_FEN_RAW))
        r->setup.castling |= rook;
    else if (!tolerate(r, TBY_FEN_WARN_CASTLING, CASTLING, r->at, "no king and rook in place for this right"))
        return false;
    r->at++;
    return true;
}

static __attribute__((noinline)) bool read_rights(fen_reader *r)
{
    const char *p = r->at;
    unsigned kinds = 0, slot = 0;
    for (; p < r->end && !fen_is_blank(*p); p++) {
        if (!right_letters[(uint8_t)*p])
            return fen_refuse(r, CASTLING, p, "KQkq, file letters or - expected", 0, 0);
        if (p - r->at == 16)
            return fen_refuse(r, CASTLING, p, "at most 16 castling letters expected", 0, 0);
        kinds |= right_letters[(uint8_t)*p];
    }
    const bool by_xfen = (kinds & RIGHT_BY_FILE) || (r->flags & TBY_FEN_CHESS960);
    while (r->at < p)
        if (!read_right(r, by_xfen, &slot))
            return false;
    return true;
}

/* The corners whose rook may castle with a king on the e-file. */
static inline tby_bitboard usual_rooks(const tby_board *b)
{
    const bool white = fen_castling_king(b, TBY_WHITE) == bb_square(4);
    const bool black = fen_castling_king(b, TBY_BLACK) == bb_square(60);
    return BB_CORNERS &
           ((white ? fen_castling_rooks(b, TBY_WHITE) : 0) | (black ? fen_castling_rooks(b, TBY_BLACK) : 0));
}

/* The usual case first: some of KQkq, in this order, and the board bears them out. */
static inline bool read_castling(fen_reader *r)
{
    static const char letters[4] = {'K', 'Q', 'k', 'q'};
    static const uint8_t corners[4] = {7, 0, 63, 56};
    const char *p = r->at;
    tby_bitboard rooks = 0;
    if (*p == '-') {
        r->at++;
        return true;
    }
    for (int i = 0; i < 4; i++)
        if (p < r->end && *p == letters[i]) {
            rooks |= bb_square(corners[i]);
            p++;
        }
    if ((p < r->end && !fen_is_blank(*p)) || (r->flags & TBY_FEN_CHESS960) || (rooks & ~usual_rooks(&r->setup.board)))
        return read_rights(r);
    r->setup.castling = rooks;
    r->at = p;
    return true;
}

/* ---- En passant, clock, move number --------------------------------------------------------------------- */

static __attribute__((noinline)) bool read_target(fen_reader *r)
{
    const char *p = r->at;
    if (r->end - p < 2 || p[0] < 'a' || p[0] > 'h' || p[1] < '1' || p[1] > '8')
        return fen_refuse(r, EN_PASSANT, p, "a square or - expected", 0, 0);
    const tby_square target = TBY_SQUARE(p[0] - 'a', p[1] - '1');
    const char *flaw = fen_en_passant_flaw(&r->setup.board, (tby_color)r->setup.side, target);
    if (!flaw || (r->flags & TBY_FEN_RAW))
        r->setup.en_passant = target;
    else if (!tolerate(r, TBY_FEN_WARN_EN_PASSANT, EN_PASSANT, p, flaw))
        return false;
    r->at += 2;
    return true;
}

static inline bool read_en_passant(fen_reader *r)
{
    if (*r->at != '-')
        return read_target(r);
    r->at++;
    return true;
}

static inline bool read_number(fen_reader *r, fen_field f, uint32_t max, uint32_t *out)
{
    const char *p = r->at;
    uint32_t value = 0;
    for (; p < r->end && *p >= '0' && *p <= '9'; p++) {
        value = 10 * value + (uint32_t)(*p - '0');
        if (value > max)
            return fen_refuse(r, f, r->at, "a number up to %d expected", (int)max, 0);
    }
    if (p == r->at)
        return fen_refuse(r, f, p, "a number expected", 0, 0);
    if (fen_is_strict(r) && *r->at == '0' && p > r->at + 1)
        return fen_refuse(r, f, r->at, "no leading zeros expected", 0, 0);
    r->at = p;
    *out = value;
    return true;
}

static inline bool read_clock(fen_reader *r)
{
    uint32_t clock = 0;
    if (!read_number(r, CLOCK, TBY_CLOCK_MAX, &clock))
        return false;
    r->setup.clock = (uint16_t)clock;
    return true;
}

static inline bool read_fullmove(fen_reader *r)
{
    const char *start = r->at;
    if (!read_number(r, FULLMOVE, TBY_FULLMOVE_MAX, &r->setup.fullmove))
        return false;
    if (r->setup.fullmove > 0)
        return true;
    r->setup.fullmove = 1;
    return tolerate(r, TBY_FEN_WARN_FULLMOVE, FULLMOVE, start, "move numbers start from 1");
}

/* ---- The whole ------------------------------------------------------------------------------------------ */

/* The text ends before field `f`: the placement alone will do, and so will four or five fields. */
static void miss_field(fen_reader *r, fen_field f)
{
    if (f == PLACEMENT || f == CASTLING || f == EN_PASSANT)
        fen_refuse(r, f, r->end, "the field is missing", 0, 0);
    else if (f != TRAILING)
        tolerate(r, TBY_FEN_WARN_FIELDS, f, r->end, "the field is missing");
}

/* False if the text ends before this field, or is refused. */
TBY_INLINE bool read_field(fen_reader *r, fen_field f)
{
    if (!skip_blanks(r, f))
        return false;
    if (r->at == r->end) {
        miss_field(r, f);
        return false;
    }
    switch (f) {
    case PLACEMENT: return tby_fen_read_placement(r);
    case SIDE: return read_side(r);
    case CASTLING: return read_castling(r);
    case EN_PASSANT: return read_en_passant(r);
    case CLOCK: return read_clock(r);
    case FULLMOVE: return read_fullmove(r);
    case TRAILING: break;
    }
    return fen_refuse(r, TRAILING, r->at, "nothing expected after six fields", 0, 0);
}

static inline tby_status read_fields(fen_reader *r)
{
    (void)(read_field(r, PLACEMENT) && read_field(r, SIDE) && read_field(r, CASTLING) && read_field(r, EN_PASSANT) &&
           read_field(r, CLOCK) && read_field(r, FULLMOVE) && read_field(r, TRAILING));
    return r->error.status;
}

static inline tby_status read_text(fen_reader *r, const char *s, size_t n, unsigned flags, unsigned *warnings,
                                   tby_error *err)
{
    r->text = r->at = s;
    r->end = s + n;
    r->flags = flags;
    r->warnings = 0;
    r->error.status = TBY_OK;
    r->setup.castling = 0;
    r->setup.fullmove = 1;
    r->setup.clock = 0;
    r->setup.side = TBY_WHITE;
    r->setup.en_passant = TBY_NO_SQUARE;
    const tby_status status = read_fields(r);
    if (status != TBY_OK && err)
        *err = r->error;
    if (status == TBY_OK && warnings)
        *warnings = r->warnings;
    return status;
}

tby_status tby_fen_read(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings, tby_error *err)
{
    fen_reader r;
    const tby_status status = read_text(&r, s, n, flags, warnings, err);
    if (status == TBY_OK)
        *out = r.setup;
    return status;
}

tby_status tby_fen_read_position(tby_position *out, const char *s, size_t n, unsigned flags, unsigned *warnings,
                                 tby_error *err)
{
    fen_reader r;
    const tby_status status = read_text(&r, s, n, flags, warnings, err);
    return status == TBY_OK ? tby_position_init(out, &r.setup, 0, err) : status;
}
