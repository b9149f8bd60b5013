/*
 * base64.c - read and write positions and moves as base64 (RFC 4648), in the standard and the URL-safe alphabet.
 */
#include "base/text.h"
#include "notation/refuse.h"
#include "notation/short_move.h"
#include "notation/state.h"

enum { BASE64_NO_DIGIT = 64 };

static inline char base64_digit(unsigned value, unsigned flags)
{
    static const char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if ((flags & TBY_BASE64_URL) && value >= 62)
        return value == 62 ? '-' : '_';
    return digits[value];
}

/* The value of a digit of either alphabet; BASE64_NO_DIGIT for any other byte. */
static inline unsigned base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 26;
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0') + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : BASE64_NO_DIGIT;
}

/* ---- Moves: two digits, the origin and the target ---------------------------------------------------------------- */

/*
 *     A B C D E F G H    8        0k is e2-e4: the digit of a square is its place in the
 *     I J K L M N O P    7        order a8, b8 ... h8, a7 ... h1.
 *     Q R S T U V W X    6
 *     Y Z a b c d e f    5        Castling is the king's move: 8+ is white's O-O.
 *     g h i j k l m n    4        (Where a Chess960 king could also step there, the target
 *     o p q r s t u v    3        is the rook's square.)
 *     w x y z 0 1 2 3    2
 *     4 5 6 7 8 9 + /    1        A promotion is to a queen.
 *     a b c d e f g h
 *
 * Reads    digits of either alphabet; castling also as king takes rook.
 * Writes   two digits; with TBY_BASE64_URL the URL-safe ones.
 * Refuses  TBY_INVALID_BASE64 other bytes and lengths; TBY_ILLEGAL_MOVE. Writing: TBY_CANNOT_HOLD a promotion to a
 *          rook, bishop or knight; TBY_LOSSY makes it a queen.
 */
static bool fits(tby_move m, tby_square to)
{
    if (TBY_MOVE_IS_CASTLING(m))
        return move_target(m) == to || TBY_MOVE_TO(m) == to;
    return TBY_MOVE_TO(m) == to && (!TBY_MOVE_IS_PROMOTION(m) || TBY_MOVE_KIND(m) == TBY_QUEEN);
}

tby_status tby_base64_move_read(tby_move *out, const tby_position *pos, const char *s, size_t n, tby_error *err)
{
    unsigned place[2];
    for (size_t i = 0; i < 2; i++)
        if (i >= n || (place[i] = base64_value(s[i])) == BASE64_NO_DIGIT)
            return refuse(err, TBY_INVALID_BASE64, i, "two base64 digits expected");
    if (n > 2)
        return refuse(err, TBY_INVALID_BASE64, 2, "a move has two digits");

    tby_move moves[TBY_MOVES_MAX];
    const tby_square from = (tby_square)(place[0] ^ 56), to = (tby_square)(place[1] ^ 56);
    const size_t n_moves = tby_moves_from(moves, pos, from);
    for (size_t i = 0; i < n_moves; i++)
        if (fits(moves[i], to)) {
            *out = moves[i];
            return TBY_OK;
        }
    if (!(board_color(&pos->board, position_side(pos)) & bb_square(from)))
        return refuse(err, TBY_ILLEGAL_MOVE, 0, "the side to move has no piece there");
    return refuse(err, TBY_ILLEGAL_MOVE, 1, "the piece cannot go there");
}

size_t tby_base64_move_write(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err)
{
    (void)pos;
    refuse_nothing(err);
    if (TBY_MOVE_IS_PROMOTION(m) && TBY_MOVE_KIND(m) != TBY_QUEEN && !(flags & TBY_LOSSY)) {
        refuse(err, TBY_CANNOT_HOLD, 0, "a promotion to a piece other than a queen");
        return refuse_text(buf, cap);
    }
    text_writer text = text_begin(buf, cap);
    text_char(&text, base64_digit(TBY_MOVE_FROM(m) ^ 56u, flags));
    text_char(&text, base64_digit(move_target(m) ^ 56u, flags));
    return text_end(&text);
}

/* ---- Positions: BOARD:STATE -------------------------------------------------------------------------------------- */

/*
 *     vNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM:eAAA
 *
 * BOARD is 43 digits for 32 bytes, four bits per square in the order a8, b8 ... h8, a7 ... h1:
 *
 *     0 empty    white 1 K  2 Q  3 R  4 N  5 B  6 P     black the same plus 8
 *
 * STATE is three bytes or more, bit 0 being the highest of the first byte:
 *
 *        0     1     2     3     4     5  7    8      9  14     15 to the end
 *     +-----+-----+-----+-----+-----+--------+-----+---------+---------------+
 *     |black|black|black|white|white|  file  | is  |  clock  |      ply      |
 *     |moves|long |short|long |short| of en passant|         |               |
 *     +-----+-----+-----+-----+-----+--------+-----+---------+---------------+
 *
 * Reads    a text without colon and STATE: white to move, ply 0, and a castling right wherever king and rook are on
 *          their home squares. More bytes of STATE than the ply needs, up to eight. Full padding with "=". Digits of
 *          either alphabet. An en passant file is ignored if the en passant bit is not set.
 * Writes   no padding, as few bytes as the ply needs; with TBY_BASE64_URL the URL-safe digits.
 * Refuses  TBY_INVALID_BASE64 other bytes and lengths, spare bits that are not 0, numbers that are not a piece, a side
 *          to move that does not match the ply; TBY_INVALID_CASTLING and TBY_INVALID_EN_PASSANT values that contradict
 *          the board; TBY_INVALID_FULLMOVE a ply over its limit. Writing: TBY_CANNOT_HOLD a clock over 63, a castling
 *          right of Chess960, and values that could not be read back; TBY_LOSSY clamps the clock and drops the others.
 * Keeps    reading what was written gives the same setup.
 */
enum {
    BOARD_DIGITS = 43,
    STATE_DIGITS_MIN = 4,  /* three bytes */
    STATE_DIGITS_MAX = 11, /* eight bytes */
    PLY_BIT = 15,
    CLOCK_LIMIT = 63
};

/* Castling bits 1 to 4, by the rook's square. */
static const tby_square CORNERS[4] = {56, 63, 0, 7};

/* ---- Reading ------------------------------------------------------------------------------------------- */

static size_t count_digits(const char *s, size_t n, size_t most)
{
    size_t n_digits = 0;
    while (n_digits < n && n_digits < most && base64_value(s[n_digits]) != BASE64_NO_DIGIT)
        n_digits++;
    return n_digits;
}

/* The length of the padding required after `n_digits` digits; 0 if it is missing. */
static size_t count_padding(const char *s, size_t n, size_t n_digits)
{
    const size_t n_padding = (4 - n_digits % 4) % 4;
    if (n - n_digits < n_padding)
        return 0;
    for (size_t i = 0; i < n_padding; i++)
        if (s[n_digits + i] != '=')
            return 0;
    return n_padding;
}

/* White's piece for a number; black's is 8 more, as in the notation. 7 is not a piece. */
static const tby_piece PIECES[8] = {TBY_NO_PIECE, TBY_KING, TBY_QUEEN, TBY_ROOK, TBY_KNIGHT, TBY_BISHOP, TBY_PAWN, 255};

static tby_status read_board(tby_board *board, const char *s, tby_error *err)
{
    unsigned bits = 0, n_bits = 0, place = 0;
    for (size_t i = 0; i < BOARD_DIGITS; i++) {
        bits = bits << 6 | base64_value(s[i]);
        for (n_bits += 6; n_bits >= 4; n_bits -= 4, place++) {
            const unsigned code = bits >> (n_bits - 4) & 15, kind = code & 7;
            if (kind == 7 || code == 8)
                return refuse(err, TBY_INVALID_BASE64, i, "7, 8 and 15 are not pieces");
            board_add(board, place ^ 56, kind ? (tby_piece)(PIECES[kind] | (code & 8)) : TBY_NO_PIECE);
        }
        bits &= 15;
    }
    if (bits & 3)
        return refuse(err, TBY_INVALID_BASE64, BOARD_DIGITS - 1, "the last two bits of the board should be 0");
    return TBY_OK;
}

/* The whole bytes that the digits hold, as one number; false if a spare bit is not 0. */
static bool read_bits(uint64_t *bits, unsigned *n_bits, const char *s, size_t n_digits)
{
    const unsigned n_spare = (unsigned)(n_digits * 6 % 8);
    *bits = 0;
    *n_bits = (unsigned)n_digits * 6 - n_spare;
    for (size_t i = 0; i + 1 < n_digits; i++)
        *bits = *bits << 6 | base64_value(s[i]);
    const unsigned last = base64_value(s[n_digits - 1]);
    *bits = *bits << (6 - n_spare) | last >> n_spare;
    return !(last & ((1u << n_spare) - 1));
}

/* STATE as one number; `at` is where it begins in the text. */
typedef struct state {
    uint64_t bits;
    unsigned n_bits;
    size_t at;
} state;

static unsigned state_field(const state *st, unsigned bit, unsigned width)
{
    return (unsigned)(st->bits >> (st->n_bits - bit - width)) & ((1u << width) - 1);
}

static tby_status refuse_bit(const state *st, tby_error *err, tby_status status, unsigned bit, const char *detail)
{
    return refuse(err, status, st->at + bit / 6, detail);
}

static tby_status read_castling(tby_setup *setup, const state *st, tby_error *err)
{
    const tby_bitboard home = state_home_rights(&setup->board);
    for (unsigned i = 0; i < 4; i++) {
        if (!state_field(st, 1 + i, 1))
            continue;
        if (!(home & bb_square(CORNERS[i])))
            return refuse_bit(st, err, TBY_INVALID_CASTLING, 1 + i,
                              "a castling right whose king or rook is not on its square");
        setup->castling |= bb_square(CORNERS[i]);
    }
    return TBY_OK;
}

static tby_status read_en_passant(tby_setup *setup, const state *st, tby_error *err)
{
    if (!state_field(st, 8, 1))
        return TBY_OK;
    setup->en_passant = TBY_SQUARE(state_field(st, 5, 3), setup->side == TBY_WHITE ? 5u : 2u);
    const char *flaw = state_en_passant_flaw(setup);
    return flaw ? refuse_bit(st, err, TBY_INVALID_EN_PASSANT, 5, flaw) : TBY_OK;
}

static tby_status read_ply(tby_setup *setup, const state *st, tby_error *err)
{
    const uint64_t ply = st->bits & ((1ULL << (st->n_bits - PLY_BIT)) - 1);
    const char *problem = state_set_ply(setup, ply);
    if (!problem)
        return TBY_OK;
    return refuse_bit(st, err, ply > STATE_PLY_MAX ? TBY_INVALID_FULLMOVE : TBY_INVALID_BASE64, PLY_BIT, problem);
}

static tby_status read_fields(tby_setup *setup, const state *st, tby_error *err)
{
    setup->side = (uint8_t)state_field(st, 0, 1);
    setup->clock = (uint16_t)state_field(st, 9, 6);
    tby_status status = read_castling(setup, st, err);
    if (status == TBY_OK)
        status = read_en_passant(setup, st, err);
    return status == TBY_OK ? read_ply(setup, st, err) : status;
}

/* s[at..n) is the text after the colon. */
static tby_status read_state(tby_setup *setup, const char *s, size_t n, size_t at, tby_error *err)
{
    const size_t n_digits = count_digits(s + at, n - at, STATE_DIGITS_MAX + 1);
    if (n_digits > STATE_DIGITS_MAX)
        return refuse(err, TBY_TOO_LONG, at + STATE_DIGITS_MAX, "the state has more than 8 bytes");
    if (n_digits < STATE_DIGITS_MIN)
        return refuse(err, TBY_INVALID_BASE64, at + n_digits, "a base64 digit expected, the state has 4 at least");
    const size_t end = at + n_digits + count_padding(s + at, n - at, n_digits);
    if (end < n)
        return refuse(err, TBY_INVALID_BASE64, end, "the text should end here");
    if (n_digits % 4 == 1)
        return refuse(err, TBY_INVALID_BASE64, n, "this number of digits does not make whole bytes");
    state st = {.at = at};
    if (!read_bits(&st.bits, &st.n_bits, s + at, n_digits))
        return refuse(err, TBY_INVALID_BASE64, at + n_digits - 1, "the spare bits of the last digit should be 0");
    return read_fields(setup, &st, err);
}

tby_status tby_base64_position_read(tby_setup *out, const char *s, size_t n, tby_error *err)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    const size_t n_digits = count_digits(s, n, BOARD_DIGITS);
    if (n_digits < BOARD_DIGITS)
        return refuse_with(err, TBY_INVALID_BASE64, n_digits, "a base64 digit expected, %d of the board's 43 read",
                           (int)n_digits, 0);
    tby_status status = read_board(&setup.board, s, err);
    if (status != TBY_OK)
        return status;
    const size_t end = n_digits + count_padding(s, n, n_digits);
    if (end == n)
        setup.castling = state_home_rights(&setup.board);
    else if (s[end] != ':')
        return refuse(err, TBY_INVALID_BASE64, end, "a colon or the end of the text expected");
    else
        status = read_state(&setup, s, n, end + 1, err);
    if (status == TBY_OK)
        *out = setup;
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static unsigned piece_code(tby_piece piece)
{
    static const uint8_t codes[8] = {
        [TBY_KING] = 1, [TBY_QUEEN] = 2, [TBY_ROOK] = 3, [TBY_KNIGHT] = 4, [TBY_BISHOP] = 5, [TBY_PAWN] = 6,
    };
    return codes[piece & 7] | (piece & 8u);
}

static void write_board(text_writer *text, const tby_board *board, unsigned flags)
{
    unsigned bits = 0, n_bits = 0;
    for (unsigned place = 0; place < 64; place++) {
        bits = bits << 4 | piece_code(tby_board_piece(board, (tby_square)(place ^ 56)));
        for (n_bits += 4; n_bits >= 6; n_bits -= 6)
            text_char(text, base64_digit(bits >> (n_bits - 6) & 63, flags));
        bits &= 63;
    }
    text_char(text, base64_digit(bits << 2 & 63, flags)); /* the remaining four bits */
}

/* Bits 0 to 14. */
static uint64_t state_head(const tby_setup *setup)
{
    uint64_t head = setup->side == TBY_BLACK;
    for (int i = 0; i < 4; i++)
        head = head << 1 | (setup->castling >> CORNERS[i] & 1);
    const bool has_en_passant = setup->en_passant != TBY_NO_SQUARE;
    head = head << 3 | (has_en_passant ? (unsigned)TBY_FILE(setup->en_passant) : 0);
    head = head << 1 | has_en_passant;
    return head << 6 | setup->clock;
}

static void write_state(text_writer *text, const tby_setup *setup, unsigned flags)
{
    const uint64_t ply = state_ply(setup);
    unsigned n_bits = 24;
    while (ply >> (n_bits - PLY_BIT))
        n_bits += 8;
    const unsigned n_digits = (n_bits + 5) / 6;
    const uint64_t bits = (state_head(setup) << (n_bits - PLY_BIT) | ply) << (n_digits * 6 - n_bits);
    for (unsigned i = n_digits; i-- > 0;)
        text_char(text, base64_digit((unsigned)(bits >> (6 * i)) & 63, flags));
}

size_t tby_base64_position_write(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err)
{
    tby_setup held = *setup;
    refuse_nothing(err);
    if (state_fit(&held, flags, err) != TBY_OK)
        return refuse_text(buf, cap);
    if (held.clock > CLOCK_LIMIT) {
        if (!(flags & TBY_LOSSY)) {
            refuse_with(err, TBY_CANNOT_HOLD, 0, "a half-move clock over 63: it is %d", held.clock, 0);
            return refuse_text(buf, cap);
        }
        held.clock = CLOCK_LIMIT;
    }
    text_writer text = text_begin(buf, cap);
    write_board(&text, &held.board, flags);
    text_char(&text, ':');
    write_state(&text, &held, flags);
    return text_end(&text);
}
