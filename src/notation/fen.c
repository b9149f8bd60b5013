/*
 * fen.c - read Forsyth-Edwards notation.
 *
 *     placement side castling en-passant clock fullmove
 *     rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
 *
 * Reads    the standard's six fields. Lenient reading also accepts: several blanks (space, tab) between fields and at
 *          the ends, and none between - and the clock; five fields (then 1), four (then 0 1), two (then - - 0 1), the
 *          placement alone (then w - - 0 1); several digits in a row in the placement; castling letters doubled or in
 *          any order; leading zeros; move number 0 (then 1).
 *          Castling is KQkq for the usual squares, or the file letter of the rook, A-H and a-h (Shredder-FEN). Beside
 *          a file letter, and with TBY_FEN_CHESS960, KQkq mean the outermost rook on that side of the king (X-FEN).
 * Writes   see fen_write.c
 * Refuses  every other byte, with the status of its field (fields are statuses 10 to 15, what follows is 16). A
 *          castling right without its king and rook, or an en passant square that no pawn has just passed, is an error
 *          in strict reading, dropped with a warning in lenient reading, and kept by TBY_FEN_RAW. KQkq for a king that
 *          is not on the e-file would mean Chess960 rights, but a FEN is standard chess unless marked otherwise: even
 *          TBY_FEN_RAW drops them, because a setup would store them as different rights.
 * Keeps    the invariant of position/board.h; fullmove is at least 1. Without TBY_FEN_RAW no setup has the faults
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

static __attribute__((noinline)) const char *skip_any_blanks(fen_reader *r, const char *start, fen_field f)
{
    const char *p = start;
    while (p < r->end && fen_is_blank(*p))
        p++;
    const bool is_glued = p == start && f != FEN_PLACEMENT && p < r->end;
    if (is_glued && !(f == FEN_CLOCK && p[-1] == '-' && *p >= '0' && *p <= '9'))
        return fen_refuse(r, (fen_field)(f - 1), p, "a blank expected", 0, 0);
    if ((p == start && !is_glued) || (p == start + 1 && *start == ' ' && f != FEN_PLACEMENT && p < r->end))
        return p;
    if (!tolerate(r, TBY_FEN_WARN_BLANKS, f, start, "one space between fields expected, none at the ends"))
        return NULL;
    return p;
}

/* Steps over the blanks before field `f`, or at the end of the text; a single space is the fast case. */
static inline const char *skip_blanks(fen_reader *r, const char *p, fen_field f)
{
    if (f == FEN_TRAILING && p == r->end)
        return p;
    if (f == FEN_PLACEMENT) {
        if (p < r->end && (uint8_t)*p > ' ')
            return p;
    } else if (r->end - p >= 2 && p[0] == ' ' && (uint8_t)p[1] > ' ')
        return p + 1;
    return skip_any_blanks(r, p, f);
}

/* ---- Side and castling ---------------------------------------------------------------------------------- */

/* A table, because a branch between w and b would be mispredicted half of the time. */
static inline const char *read_side(fen_reader *r, const char *p)
{
    static const uint8_t letters[256] = {['w'] = 1 + TBY_WHITE, ['b'] = 1 + TBY_BLACK};
    const unsigned side = letters[(uint8_t)*p];
    if (!side)
        return fen_refuse(r, FEN_SIDE, p, "w or b expected", 0, 0);
    r->setup.side = (uint8_t)(side - 1);
    return p + 1;
}

/* A castling letter names a colour and a file: the rook's file, or for KQkq the edge file of that wing. */
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

/* Reads one letter of any kind. `slot` is the place of the last letter in the order KQkq. */
static bool read_right(fen_reader *r, const char *p, bool by_xfen, unsigned *slot)
{
    const unsigned what = right_letters[(uint8_t)*p], last_slot = *slot;
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
        if (!tolerate(r, TBY_FEN_WARN_ORDER, FEN_CASTLING, p, "castling letters doubled or out of order"))
            return false;
    const bool is_borne_out = king && (rooks & rook) && !(r->setup.castling & wing & ~rook);
    const bool is_displaced = is_borne_out && by_wing && !by_xfen && !(king & bb_file(4));
    if ((is_borne_out || (r->flags & TBY_FEN_RAW)) && !is_displaced) {
        r->setup.castling |= rook;
        return true;
    }
    return tolerate(r, TBY_FEN_WARN_CASTLING, FEN_CASTLING, p, "no king and rook in place for this right");
}

static __attribute__((noinline)) const char *read_rights(fen_reader *r, const char *start)
{
    const char *p = start;
    unsigned kinds = 0, slot = 0;
    for (; p < r->end && !fen_is_blank(*p); p++) {
        if (!right_letters[(uint8_t)*p])
            return fen_refuse(r, FEN_CASTLING, p, "KQkq, file letters or - expected", 0, 0);
        if (p - start == 16)
            return fen_refuse(r, FEN_CASTLING, p, "at most 16 castling letters expected", 0, 0);
        kinds |= right_letters[(uint8_t)*p];
    }
    const bool by_xfen = (kinds & RIGHT_BY_FILE) || (r->flags & TBY_FEN_CHESS960);
    for (const char *letter = start; letter < p; letter++)
        if (!read_right(r, letter, by_xfen, &slot))
            return NULL;
    return p;
}

/* The corners whose rook may castle with a king on the e-file. */
static inline tby_bitboard usual_rooks(const tby_board *b)
{
    const bool white = fen_castling_king(b, TBY_WHITE) == bb_square(4);
    const bool black = fen_castling_king(b, TBY_BLACK) == bb_square(60);
    return BB_CORNERS &
           ((white ? fen_castling_rooks(b, TBY_WHITE) : 0) | (black ? fen_castling_rooks(b, TBY_BLACK) : 0));
}

/* Tries the usual case first: some of KQkq, in this order, all confirmed by the board. */
static inline const char *read_castling(fen_reader *r, const char *start)
{
    static const char letters[4] = {'K', 'Q', 'k', 'q'};
    static const uint8_t corners[4] = {7, 0, 63, 56};
    const char *p = start;
    tby_bitboard rooks = 0;
    if (*p == '-')
        return p + 1;
    for (int i = 0; i < 4; i++)
        if (p < r->end && *p == letters[i]) {
            rooks |= bb_square(corners[i]);
            p++;
        }
    if ((p < r->end && !fen_is_blank(*p)) || (r->flags & TBY_FEN_CHESS960) || (rooks & ~usual_rooks(&r->setup.board)))
        return read_rights(r, start);
    r->setup.castling = rooks;
    return p;
}

/* ---- En passant, clock, move number --------------------------------------------------------------------- */

static __attribute__((noinline)) const char *read_target(fen_reader *r, const char *p)
{
    if (r->end - p < 2 || p[0] < 'a' || p[0] > 'h' || p[1] < '1' || p[1] > '8')
        return fen_refuse(r, FEN_EN_PASSANT, p, "a square or - expected", 0, 0);
    const tby_square target = TBY_SQUARE(p[0] - 'a', p[1] - '1');
    const char *flaw = en_passant_flaw(&r->setup.board, target, (tby_color)r->setup.side);
    if (!flaw || (r->flags & TBY_FEN_RAW))
        r->setup.en_passant = target;
    else if (!tolerate(r, TBY_FEN_WARN_EN_PASSANT, FEN_EN_PASSANT, p, flaw))
        return NULL;
    return p + 2;
}

static inline const char *read_en_passant(fen_reader *r, const char *p)
{
    return *p == '-' ? p + 1 : read_target(r, p);
}

static inline unsigned digit_of(char c) { return (unsigned)(uint8_t)c - '0'; }

static inline const char *read_number(fen_reader *r, const char *start, fen_field f, unsigned max, unsigned *out)
{
    const char *p = start;
    unsigned value = 0;
    for (; p < r->end && digit_of(*p) <= 9; p++) {
        value = 10 * value + digit_of(*p);
        if (value > max)
            return fen_refuse(r, f, start, "a number up to %d expected", (int)max, 0);
    }
    if (p == start)
        return fen_refuse(r, f, p, "a number expected", 0, 0);
    if (*start == '0' && p > start + 1 && fen_is_strict(r))
        return fen_refuse(r, f, start, "no leading zeros expected", 0, 0);
    *out = value;
    return p;
}

static inline const char *read_clock(fen_reader *r, const char *start)
{
    unsigned clock = 0;
    const char *p = read_number(r, start, FEN_CLOCK, TBY_CLOCK_MAX, &clock);
    r->setup.clock = (uint16_t)clock;
    return p;
}

static inline const char *read_fullmove(fen_reader *r, const char *start)
{
    unsigned fullmove = 1;
    const char *p = read_number(r, start, FEN_FULLMOVE, TBY_FULLMOVE_MAX, &fullmove);
    r->setup.fullmove = fullmove;
    if (fullmove > 0)
        return p;
    r->setup.fullmove = 1;
    return tolerate(r, TBY_FEN_WARN_FULLMOVE, FEN_FULLMOVE, start, "move numbers start from 1") ? p : NULL;
}

/* ---- The whole FEN -------------------------------------------------------------------------------------- */

/* The text ends before field `f`. Any number of fields is accepted except three and none. */
static void miss_field(fen_reader *r, fen_field f)
{
    unsigned warnings = TBY_FEN_WARN_FIELDS;
    if (f == FEN_TRAILING)
        return;
    if (f == FEN_PLACEMENT || f == FEN_EN_PASSANT) {
        fen_refuse(r, f, r->end, "the field is missing", 0, 0);
        return;
    }
    if (f == FEN_SIDE)
        warnings |= TBY_FEN_WARN_SIDE;
    if (f <= FEN_CASTLING && usual_rooks(&r->setup.board))
        warnings |= TBY_FEN_WARN_RIGHTS;
    tolerate(r, warnings, f, r->end, "the field is missing");
}

/* Also returns NULL if the text ends before this field. */
TBY_INLINE const char *read_field(fen_reader *r, const char *p, fen_field f)
{
    p = skip_blanks(r, p, f);
    if (p == r->end)
        miss_field(r, f);
    if (!p || p == r->end)
        return NULL;
    switch (f) {
    case FEN_PLACEMENT: return fen_read_placement(r, p);
    case FEN_SIDE: return read_side(r, p);
    case FEN_CASTLING: return read_castling(r, p);
    case FEN_EN_PASSANT: return read_en_passant(r, p);
    case FEN_CLOCK: return read_clock(r, p);
    case FEN_FULLMOVE: return read_fullmove(r, p);
    case FEN_TRAILING: break;
    }
    return fen_refuse(r, FEN_TRAILING, p, "nothing expected after six fields", 0, 0);
}

static inline tby_status read_fields(fen_reader *r)
{
    const char *p = r->text;
    (void)((p = read_field(r, p, FEN_PLACEMENT)) && (p = read_field(r, p, FEN_SIDE)) &&
           (p = read_field(r, p, FEN_CASTLING)) && (p = read_field(r, p, FEN_EN_PASSANT)) &&
           (p = read_field(r, p, FEN_CLOCK)) && (p = read_field(r, p, FEN_FULLMOVE)) &&
           (p = read_field(r, p, FEN_TRAILING)));
    return r->error.status;
}

static inline tby_status read_text(fen_reader *r, const char *s, size_t n, unsigned flags, unsigned *warnings,
                                   tby_error *err)
{
    r->text = s;
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

/* The slow path, out of line: its reader takes a large frame. */
static __attribute__((noinline)) tby_status read_closely(tby_position *out, const char *s, size_t n, unsigned flags,
                                                         unsigned *warnings, tby_error *err)
{
    fen_reader r;
    const tby_status status = read_text(&r, s, n, flags, warnings, err);
    return status == TBY_OK ? tby_position_init(out, &r.setup, 0, err) : status;
}

tby_status tby_fen_read_position(tby_position *out, const char *s, size_t n, unsigned flags, unsigned *warnings,
                                 tby_error *err)
{
    if (flags || !fen_read_usual(out, s, n))
        return read_closely(out, s, n, flags, warnings, err);
    if (warnings)
        *warnings = 0;
    return TBY_OK;
}
