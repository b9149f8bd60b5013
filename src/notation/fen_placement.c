/*
 * fen_placement.c - the first field of FEN: where the pieces stand.
 *
 *     placement = rank 7*("/" rank)          rank = pieces PNBRQK pnbrqk and gaps 1-8, eight squares together
 *
 * Reads    ranks 8 to 1, files a to h; a gap may take several digits (44 for 8) except in strict reading
 * Writes   see fen_placement_write.c
 * Refuses  everything else (TBY_INVALID_PLACEMENT), at the offending byte: a rank too long at its ninth square, a rank
 *          too short at its end
 * Keeps    the invariant of position/board.h; a text longer than any placement is not read to its end
 *
 * The reader spreads the text over 16 bytes per rank, rank 8 first: eight squares, the slash, seven unused bytes. No
 * branch depends on the type of a byte: each byte stores a word of eight bytes, its piece followed by zeros, and then
 * advances by its step. The text is valid if and only if it ends at place 120 and has slashes exactly where they
 * belong. The planes are then gathered, one bit of every square each.
 */
#include "notation/fen.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    PLACEMENT_MAX = 64 + 7, /* bytes */
    PLACEMENT_END = 7 * 16 + 8,
    SLASH = 0x10 /* beside the four bits of a piece */
};

/*
 * What a byte of the text does, in one word:
 *
 *      63  60 59                           5  4  3     0
 *     +------+------------------------------+---+-------+
 *     | step |              0               | / | piece |        0 = not of the placement
 *     +------+------------------------------+---+-------+
 *
 * Storing the word puts down the piece and clears the seven squares after it, the longest possible gap. A step of 8
 * leaves its last byte uncleared, but nothing reads that byte.
 */
#define STEP(n) ((uint64_t)(n) << 60)
#define PUT(color, kind) (STEP(1) | TBY_PIECE(color, kind))
/* clang-format off */
static const uint64_t layout_words[256] = {
    ['P'] = PUT(TBY_WHITE, TBY_PAWN),   ['p'] = PUT(TBY_BLACK, TBY_PAWN),
    ['N'] = PUT(TBY_WHITE, TBY_KNIGHT), ['n'] = PUT(TBY_BLACK, TBY_KNIGHT),
    ['B'] = PUT(TBY_WHITE, TBY_BISHOP), ['b'] = PUT(TBY_BLACK, TBY_BISHOP),
    ['R'] = PUT(TBY_WHITE, TBY_ROOK),   ['r'] = PUT(TBY_BLACK, TBY_ROOK),
    ['Q'] = PUT(TBY_WHITE, TBY_QUEEN),  ['q'] = PUT(TBY_BLACK, TBY_QUEEN),
    ['K'] = PUT(TBY_WHITE, TBY_KING),   ['k'] = PUT(TBY_BLACK, TBY_KING),
    ['1'] = STEP(1), ['2'] = STEP(2), ['3'] = STEP(3), ['4'] = STEP(4),
    ['5'] = STEP(5), ['6'] = STEP(6), ['7'] = STEP(7), ['8'] = STEP(8),
    ['/'] = STEP(8) | SLASH,
};
/* clang-format on */

static inline uint64_t layout_word(char c) { return layout_words[(uint8_t)c]; }
static inline unsigned layout_step(uint64_t word) { return (unsigned)(word >> 60); }

/* ---- From rows to planes: false if a slash is among the squares ------------------------------------------ */

#ifdef __SSE2__

/* Two ranks at a time: shifts the bit to the top of each byte and collects the top bits in one instruction. */
static inline uint64_t top_bits(__m128i bytes, int shift)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_slli_epi16(bytes, shift));
}

static inline bool gather_planes(tby_board *b, const uint8_t *rows)
{
    uint64_t p0 = 0, p1 = 0, p2 = 0, p3 = 0, misplaced = 0;
    for (int i = 0; i < 4; i++) {
        const __m128i upper = _mm_loadl_epi64((const __m128i *)(const void *)(rows + 32 * i));
        const __m128i lower = _mm_loadl_epi64((const __m128i *)(const void *)(rows + 32 * i + 16));
        const __m128i both = _mm_unpacklo_epi64(lower, upper);
        p0 = p0 << 16 | top_bits(both, 7);
        p1 = p1 << 16 | top_bits(both, 6);
        p2 = p2 << 16 | top_bits(both, 5);
        p3 = p3 << 16 | top_bits(both, 4);
        misplaced |= top_bits(both, 3);
    }
    *b = (tby_board){{p0, p1, p2, p3}};
    return !misplaced;
}

#else

static inline uint64_t load_row(const uint8_t *row)
{
    uint64_t word;
    __builtin_memcpy(&word, row, 8);
    return in_memory_order(word);
}

/* The lowest bits of eight bytes, side by side. */
static inline uint64_t lowest_bits(uint64_t row)
{
    return ((row & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56;
}

static inline bool gather_planes(tby_board *b, const uint8_t *rows)
{
    uint64_t p0 = 0, p1 = 0, p2 = 0, p3 = 0, all = 0;
    for (int i = 0; i < 8; i++) {
        const uint64_t row = load_row(rows + 16 * i);
        p0 = p0 << 8 | lowest_bits(row);
        p1 = p1 << 8 | lowest_bits(row >> 1);
        p2 = p2 << 8 | lowest_bits(row >> 2);
        p3 = p3 << 8 | lowest_bits(row >> 3);
        all |= row;
    }
    *b = (tby_board){{p0, p1, p2, p3}};
    return !(all & 0x0101010101010101ULL * SLASH);
}

#endif

static inline bool slashes_end_ranks(const uint8_t *rows)
{
    unsigned all = SLASH;
    for (int i = 0; i < 7; i++)
        all &= rows[16 * i + 8];
    return all;
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

/* How many squares the rank at `p` describes; stops counting far above eight. */
static int count_squares(const fen_reader *r, const char *p)
{
    unsigned n_squares = 0;
    for (; p < r->end && *p != '/' && layout_word(*p) && n_squares < 1000; p++)
        n_squares += layout_step(layout_word(*p));
    return (int)n_squares;
}

/* Reads the placement again, slowly, to say what is wrong with it and where. */
static __attribute__((noinline, cold)) const char *refuse_placement(fen_reader *r, const char *p)
{
    const char *start = p;
    int rank = 8;
    unsigned n_squares = 0;
    for (; p < r->end && !fen_is_blank(*p); p++) {
        if (!layout_word(*p))
            return fen_refuse(r, FEN_PLACEMENT, p, "unknown piece letter", 0, 0);
        if (*p != '/') {
            n_squares += layout_step(layout_word(*p));
            if (n_squares > 8)
                return fen_refuse(r, FEN_PLACEMENT, p, "rank %d has %d squares", rank, count_squares(r, start));
            continue;
        }
        if (n_squares != 8)
            break;
        if (rank == 1)
            return fen_refuse(r, FEN_PLACEMENT, p, "8 ranks expected, more found", 0, 0);
        rank--;
        n_squares = 0;
        start = p + 1;
    }
    if (n_squares != 8)
        return fen_refuse(r, FEN_PLACEMENT, p, "rank %d has %d squares", rank, (int)n_squares);
    return fen_refuse(r, FEN_PLACEMENT, p, "8 ranks expected, %d found", 9 - rank, 0);
}

/* The standard writes a gap as one digit: 8, not 44. */
static const char *refuse_digit_pairs(fen_reader *r, const char *start, const char *end)
{
    for (const char *p = start + 1; p < end; p++)
        if (p[-1] >= '1' && p[-1] <= '8' && p[0] >= '1' && p[0] <= '8')
            return fen_refuse(r, FEN_PLACEMENT, p, "two digits in a row", 0, 0);
    return end;
}

const char *fen_read_placement(fen_reader *r, const char *start)
{
    uint8_t rows[8 * (PLACEMENT_MAX + 1)]; /* no byte steps further than 8 */
    const char *p = start, *limit = r->end - p > PLACEMENT_MAX ? p + PLACEMENT_MAX : r->end;
    uint64_t word;
    size_t place = 0;

    for (; p < limit && (word = layout_word(*p)) != 0; p++) {
        const uint64_t bytes = in_memory_order(word);
        __builtin_memcpy(rows + place, &bytes, 8);
        place += layout_step(word);
    }
    if (place != PLACEMENT_END || !slashes_end_ranks(rows) || !gather_planes(&r->setup.board, rows))
        return refuse_placement(r, start);
    return fen_is_strict(r) ? refuse_digit_pairs(r, start, p) : p;
}
