/*
 * fen_usual.c - a fast path for FENs of the usual form.
 *
 *     rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
 *     |-------------- placement -----------------||--- tail ----|
 *
 * Reads    six fields with one space between them, KQkq in this order, of a position without faults: nearly all FENs.
 *          No branch depends on the type of a byte.
 * Refuses  everything else, unusual or wrong, without a reason; fen.c then reads it. fen.c decides what a FEN means;
 *          this file must agree with it (test_fen_usual).
 *
 * The placement is up to 64 bytes, and each property of a byte becomes a set of 64 bits. A byte describes some squares:
 * a piece or 1 describes one, 2 describes two, a slash none. With that many ones in each byte, pext puts all squares
 * side by side, in the order of the text:
 *
 *     bytes      1        p        2           /        P        6         ...
 *     squares    00000001 00000001 00000011    00000000 00000001 00111111
 *     first of   .......1 .......1 ......01    ........ .......1 ..000001        1 1 01 1 000001
 *
 * One bit per byte that has squares is then moved to the byte's first square: pext drops the slashes, pdep skips the
 * other squares of gaps. The four planes get their bits this way, and so does "is after a slash", which must be true of
 * the first square of every rank and of no other.
 */

/* Each position is processed once: the large tables would never be in the cache. */
#define TBY_SMALL_TABLES

#include "base/variant.h"
#include "notation/fen.h"
#include "position/key.h"
#include "rules/sound.h"

#ifdef TBY_VARIANT_V3

enum {
    HALF = 32,                          /* bytes of a vector */
    TAIL_MIN = sizeof " w - - 0 1" - 1, /* at least this many bytes can be read from where the placement ends */
    N_DIGITS = 4,
    AHEAD = 256
};

/* ---- Placement ------------------------------------------------------------------------------------------ */

/* 64 bytes of text and what they are. */
typedef struct bytes64 {
    __m256i half[2];
} bytes64;

/* The top bits of all bytes. */
TBY_INLINE uint64_t top_bits(__m256i first, __m256i second)
{
    return (uint32_t)_mm256_movemask_epi8(first) | (uint64_t)(uint32_t)_mm256_movemask_epi8(second) << HALF;
}

TBY_INLINE uint64_t bytes_equal(const bytes64 *text, char c)
{
    const __m256i wanted = _mm256_set1_epi8(c);
    return top_bits(_mm256_cmpeq_epi8(text->half[0], wanted), _mm256_cmpeq_epi8(text->half[1], wanted));
}

TBY_INLINE __m256i twice(__m128i table) { return _mm256_broadcastsi128_si256(table); }

/* The kind that a letter would be, from its lower four bits and the fifth, which tells B from R. */
TBY_INLINE __m256i kinds_of(__m256i c)
{
    const __m256i row_4 = twice(_mm_setr_epi8(0, 0, TBY_BISHOP, 0, 0, 0, 0, 0, 0, 0, 0, TBY_KING, 0, 0, TBY_KNIGHT, 0));
    const __m256i row_5 = twice(_mm_setr_epi8(TBY_PAWN, TBY_QUEEN, TBY_ROOK, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(row_4, c), _mm256_shuffle_epi8(row_5, c), _mm256_slli_epi16(c, 3));
}

/* 0xff where `c` is the letter of its kind, in upper or lower case. */
TBY_INLINE __m256i pieces_of(__m256i c, __m256i kinds)
{
    const __m256i letters = twice(_mm_setr_epi8(-1, 'P', 'B', 'N', 'R', 'K', 'Q', -1, 0, 0, 0, 0, 0, 0, 0, 0));
    return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(letters, kinds), _mm256_andnot_si256(_mm256_set1_epi8(0x20), c));
}

/* For each byte, as many ones as it describes squares. */
TBY_INLINE __m256i squares_of(__m256i c, __m256i pieces)
{
    const __m256i ones = twice(_mm_setr_epi8(0, 1, 3, 7, 15, 31, 63, 127, -1, 0, 0, 0, 0, 0, 0, 0));
    const __m256i digit = _mm256_xor_si256(c, _mm256_set1_epi8('0')); /* over 15: top bit set */
    const __m256i gaps = _mm256_shuffle_epi8(ones, _mm256_adds_epu8(digit, _mm256_set1_epi8(0x70)));
    return _mm256_or_si256(gaps, _mm256_and_si256(pieces, _mm256_set1_epi8(1)));
}

/* The first square of every byte, in the order of the text; 0 if the bytes do not describe 64 squares. */
TBY_INLINE uint64_t first_squares(const bytes64 *squares)
{
    uint64_t words[8], first = 0;
    unsigned n = 0;
    _mm256_storeu_si256((__m256i *)words, squares->half[0]);
    _mm256_storeu_si256((__m256i *)(words + 4), squares->half[1]);
    for (int i = 0; i < 8; i++) {
        first |= _pext_u64(0x0101010101010101ULL, words[i]) << (n & 63);
        n += bb_count(words[i]);
    }
    return n == 64 ? first : 0;
}

/* The text of the placement; bytes after it are 0. */
TBY_INLINE bytes64 placement_text(bytes64 text, unsigned length)
{
    const __m256i end = _mm256_set1_epi8((char)length);
    const __m256i places = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                            21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    text.half[0] = _mm256_and_si256(text.half[0], _mm256_cmpgt_epi8(end, places));
    text.half[1] =
        _mm256_and_si256(text.half[1], _mm256_cmpgt_epi8(end, _mm256_add_epi8(places, _mm256_set1_epi8(HALF))));
    return text;
}

/* The bit of every byte that `shift` moves to its top. */
TBY_INLINE uint64_t shifted_bits(const bytes64 *bytes, int shift)
{
    return top_bits(_mm256_slli_epi16(bytes->half[0], shift), _mm256_slli_epi16(bytes->half[1], shift));
}

TBY_INLINE bool read_placement(tby_board *b, bytes64 text, unsigned length)
{
    const bytes64 c = placement_text(text, length);
    const bytes64 kinds = {{kinds_of(c.half[0]), kinds_of(c.half[1])}};
    const bytes64 pieces = {{pieces_of(c.half[0], kinds.half[0]), pieces_of(c.half[1], kinds.half[1])}};
    const bytes64 squares = {{squares_of(c.half[0], pieces.half[0]), squares_of(c.half[1], pieces.half[1])}};
    const uint64_t slashes = bytes_equal(&c, '/'), known = ~bytes_equal(&squares, 0),
                   letters = top_bits(pieces.half[0], pieces.half[1]);
    const uint64_t first = first_squares(&squares);

    if ((known | slashes) != _bzhi_u64(~0ULL, length) || bb_count(slashes) != 7 ||
        _pdep_u64(_pext_u64(slashes << 1, known), first) != (BB_FILE_A ^ 1))
        return false;
    const uint64_t bits[4] = {shifted_bits(&kinds, 7), shifted_bits(&kinds, 6), shifted_bits(&kinds, 5),
                              shifted_bits(&c, 2)};
    for (int i = 0; i < 4; i++) /* the text begins with rank 8 */
        b->plane[i] = __builtin_bswap64(_pdep_u64(_pext_u64(bits[i] & letters, known), first));
    return true;
}

/* ---- Tail ----------------------------------------------------------------------------------------------- */

TBY_INLINE uint32_t load_word(const char *s)
{
    uint32_t word;
    __builtin_memcpy(&word, s, sizeof word);
    return word;
}

/* The digits of a number of `length` digits that ends at `end`, one in each byte, zeros before them. */
TBY_INLINE uint64_t digits_before(const char *end, unsigned length)
{
    return (load_word(end - N_DIGITS) ^ 0x30303030) & (~0U << 8 * (N_DIGITS - length));
}

/* Clock and move number together; false if one of them is no number or has more than N_DIGITS digits. */
TBY_INLINE bool read_numbers(tby_setup *setup, const char *clock_end, unsigned clock_length, const char *end,
                             unsigned length)
{
    if (((clock_length - 1) | (length - 1)) >= N_DIGITS)
        return false;
    const uint64_t digits = digits_before(clock_end, clock_length) | digits_before(end, length) << 32;
    const uint64_t pairs = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ffULL;
    const uint64_t numbers = pairs * 100 + (pairs >> 16);
    setup->clock = (uint16_t)numbers;
    setup->fullmove = (uint16_t)(numbers >> 32);
    return !(((digits + 0x7676767676767676ULL) | digits) & 0x8080808080808080ULL); /* no byte over 9 */
}

/* The field of castling rights by the top four bits of its word times CASTLING_HASH, and the rooks it names. */
#define CASTLING_HASH 0x30794435U
static const struct castling_field {
    char text[4];
    tby_bitboard rooks;
} castling_fields[16] = {
    {"Qk", 0x8000000000000001},
    {"KQk", 0x8000000000000081},
    {"Qkq", 0x8100000000000001},
    {"K", 0x80},
    {"k", 0x8000000000000000},
    {"Q", 0x01},
    {"q", 0x0100000000000000},
    {"KQkq", 0x8100000000000081},
    {"-", 0},
    {"KQ", 0x81},
    {"KQq", 0x0100000000000081},
    {"Kq", 0x0100000000000080},
    {"kq", 0x8100000000000000},
    {"Qq", 0x0100000000000001},
    {"Kk", 0x8000000000000080},
    {"Kkq", 0x8100000000000080},
};

/* Some of KQkq, or -, with kings on the e-file and rooks in the corners. Whether there are rights is as good as random,
   so no branch asks. The last byte must not be NUL, which would pass for the end of a shorter field. */
TBY_INLINE bool read_castling(tby_setup *setup, const char *p, const char *end)
{
    const unsigned length = (unsigned)(end - p);
    const uint32_t word = _bzhi_u32(load_word(p), 8 * length);
    const struct castling_field *field = &castling_fields[word * CASTLING_HASH >> 28];
    const tby_bitboard rooks = field->rooks, at_home = ~(board_black(&setup->board) ^ BB_RANK_8);
    const tby_bitboard wings = rooks | rooks >> 7;
    const tby_bitboard kings = (wings & (bb_square(0) | bb_square(56))) << 4;
    const tby_bitboard missing = (rooks & ~(board_rooks(&setup->board) & at_home)) |
                                 (kings & ~(board_kings(&setup->board) & at_home));
    setup->castling = rooks;
    return length <= sizeof field->text && end[-1] && word == load_word(field->text) && !missing;
}

TBY_INLINE bool read_en_passant(tby_setup *setup, const char *p, const char *end)
{
    if (*p == '-')
        return p + 1 == end;
    if (p + 2 != end || p[0] < 'a' || p[0] > 'h' || p[1] < '1' || p[1] > '8')
        return false;
    setup->en_passant = TBY_SQUARE(p[0] - 'a', p[1] - '1');
    return true;
}

/* The fields after the placement, from the space that ends it: `p`, with at least TAIL_MIN bytes to `end`. */
TBY_INLINE bool read_tail(tby_setup *setup, const char *p, const char *end)
{
    const __m256i last = _mm256_loadu_si256((const __m256i *)(end - HALF));
    const uint32_t in_last = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(last, _mm256_set1_epi8(' ')));
    uint64_t spaces = (in_last | 1ULL << HALF) >> (HALF - (end - p)); /* and the end */
    if (bb_count(spaces) != 6 || (spaces & 7) != 5 || ((p[1] != 'w') & (p[1] != 'b')))
        return false;
    const char *stops[4];
    spaces = bb_rest(bb_rest(spaces));
    for (int i = 0; i < 4; i++, spaces = bb_rest(spaces))
        stops[i] = p + bb_first(spaces);
    setup->side = p[1] == 'b';
    return read_numbers(setup, stops[2], (unsigned)(stops[2] - stops[1] - 1), end, (unsigned)(end - stops[2] - 1)) &&
           read_castling(setup, p + 3, stops[0]) && read_en_passant(setup, stops[0] + 1, stops[1]);
}

/* ---- The whole FEN -------------------------------------------------------------------------------------- */

/* The first 64 bytes of a text of at least 32 bytes; up to three bytes at the end of the text are left out. */
TBY_INLINE bytes64 load_text(const char *s, size_t n)
{
    const __m256i places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i n_words = _mm256_set1_epi32((int)((n - HALF) / 4));
    const bytes64 text = {{_mm256_loadu_si256((const __m256i *)s),
                           _mm256_maskload_epi32((const int *)(s + HALF), _mm256_cmpgt_epi32(n_words, places))}};
    return text;
}

TBY_INLINE bool read_usual(tby_position *out, const char *s, size_t n)
{
    if (n < HALF || n > 3 * HALF)
        return false;
    /* Many FENs are often read in a row: fetch the text a few FENs ahead. */
    __builtin_prefetch((const void *)((uintptr_t)s + AHEAD));
    __builtin_prefetch((const void *)((uintptr_t)s + AHEAD + 64));
    const bytes64 text = load_text(s, n);
    const uint64_t spaces = bytes_equal(&text, ' ');
    const size_t length = spaces ? bb_first(spaces) : 0;
    tby_setup setup = {.en_passant = TBY_NO_SQUARE};
    if (length == 0 || n - length < TAIL_MIN || n - length > HALF)
        return false;
    if (!read_placement(&setup.board, text, (unsigned)length) || !read_tail(&setup, s + length, s + n) ||
        !setup_is_sound_but_for_castling(&setup))
        return false;
    *out = position_of_setup(&setup);
    return true;
}

#endif

TBY_KERNEL(bool, fen_read_usual, (tby_position * out, const char *s, size_t n), (out, s, n))
{
#ifdef TBY_VARIANT_V3
    return read_usual(out, s, n);
#else
    (void)out, (void)s, (void)n;
    return false;
#endif
}
