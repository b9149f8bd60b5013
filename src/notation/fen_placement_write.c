/*
 * fen_placement_write.c - write the first field of FEN: where the pieces stand.
 *
 *     placement = rank 7*("/" rank)          rank = pieces PNBRQK pnbrqk and gaps 1-8, eight squares together
 *
 * Writes   ranks 8 to 1, files a to h, one digit for each gap
 * Refuses  nothing: bits that are not a piece are written as a question mark
 *
 * With vectors, every square first becomes the byte it would be written as: its piece, or the length of the gap that
 * ends here. pext then keeps the pieces and the last square of each gap:
 *
 *     squares    .  p  .  .  P  .  .  .
 *     bytes      1  p  1  2  P  1  2  3
 *     written    1  p     2  P        3
 */
#include "base/variant.h"
#include "notation/fen.h"

#ifdef TBY_VARIANT_V3

/* Four ranks, a byte for each square. */
enum { HALF = 32 };

/* 0xff where a bit is set, in the order of the text: ranks fall, files rise. */
TBY_INLINE __m256i spread_bits(uint32_t bits)
{
    const __m256i ranks = _mm256_setr_epi8(3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0,
                                           0, 0, 0, 0, 0, 0);
    const __m256i files = _mm256_set1_epi64x((long long)0x8040201008040201ULL);
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), ranks);
    return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, files), files);
}

/* The letters of the pieces on four ranks from `shift` on, 0 where there is none. */
TBY_INLINE __m256i letters_of(const tby_board *b, int shift)
{
    const __m256i letters = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 'P', 'B', 'N', 'R', 'K', 'Q', '?', 0, 'p', 'b', 'n', 'r', 'k', 'q', '?'));
    __m256i pieces = _mm256_setzero_si256();
    for (int i = 0; i < 4; i++) {
        const __m256i bits = spread_bits((uint32_t)(b->plane[i] >> shift));
        pieces = _mm256_or_si256(pieces, _mm256_and_si256(bits, _mm256_set1_epi8((char)(1 << i))));
    }
    return _mm256_shuffle_epi8(letters, pieces);
}

/* The letters, and for an empty square the length of the gap so far: its number in the rank minus that of the last
   piece before it, which three steps propagate. */
TBY_INLINE __m256i bytes_of(__m256i letters)
{
    const __m256i numbers = _mm256_set1_epi64x(0x0807060504030201LL);
    const __m256i empty = _mm256_cmpeq_epi8(letters, _mm256_setzero_si256());
    __m256i last = _mm256_andnot_si256(empty, numbers);
    last = _mm256_max_epu8(last, _mm256_slli_epi64(last, 8));
    last = _mm256_max_epu8(last, _mm256_slli_epi64(last, 16));
    last = _mm256_max_epu8(last, _mm256_slli_epi64(last, 32));
    const __m256i digits = _mm256_sub_epi8(_mm256_add_epi8(numbers, _mm256_set1_epi8('0')), last);
    return _mm256_or_si256(letters, _mm256_and_si256(empty, digits));
}

/* Each rank stores eight bytes; the next rank overwrites the excess. */
TBY_INLINE char *write_board(char *p, const tby_board *b)
{
    const tby_bitboard all = board_occupied(b);
    uint64_t stops = all | all >> 1 | BB_FILE_H; /* pieces, the squares before them, and the ends of ranks */
    uint64_t ranks[8];
    _mm256_storeu_si256((__m256i *)ranks, bytes_of(letters_of(b, HALF)));
    _mm256_storeu_si256((__m256i *)(ranks + 4), bytes_of(letters_of(b, 0)));
    for (int i = 0; i < 8; i++, stops <<= 8) {
        const uint64_t in_rank = stops >> 56;
        const uint64_t text = _pext_u64(ranks[i], _pdep_u64(in_rank, BB_FILE_A) * 0xff);
        __builtin_memcpy(p, &text, 8);
        p += bb_count(in_rank);
        *p++ = '/';
    }
    return p;
}

#else

enum { SLASH = 0x10 /* beside the four bits of a piece */ };

/* The bits of a byte, one in each of eight bytes. */
static inline uint64_t spread_bits(uint64_t byte)
{
    const uint64_t apart = (byte * 0x0101010101010101ULL) & 0x8040201008040201ULL;
    return ((apart + 0x7f7f7f7f7f7f7f7fULL) >> 7) & 0x0101010101010101ULL;
}

/* The pieces of a rank, one in each byte. */
static inline uint64_t rank_pieces(const tby_board *b, int rank)
{
    uint64_t pieces = 0;
    for (int i = 0; i < 4; i++)
        pieces |= spread_bits((b->plane[i] >> (8 * rank)) & 0xff) << i;
    return pieces;
}

/*
 * Writes some ranks, at most half a board, each of nine places: eight squares and the slash. The loop runs over pieces
 * and slashes without another branch: the gap before each is always stored, and kept if it is not 0.
 */
static inline char *write_ranks(char *p, const tby_board *b, int top_rank, int n_ranks)
{
    static const char letters[] = "?PBNRKQ??pbnrkq?/";
    const tby_bitboard all = board_occupied(b);
    uint8_t places[4 * 9];
    uint64_t stops = 0;
    unsigned next = 0;

    for (int i = 0; i < n_ranks; i++) {
        const int rank = top_rank - i;
        const uint64_t pieces = in_memory_order(rank_pieces(b, rank));
        __builtin_memcpy(places + 9 * i, &pieces, 8);
        places[9 * i + 8] = SLASH;
        stops |= (((all >> (8 * rank)) & 0xff) | 0x100) << (9 * i);
    }
    for (; stops; stops = bb_rest(stops)) {
        const unsigned place = bb_first(stops);
        *p = (char)('0' + place - next);
        p += place != next;
        *p++ = letters[places[place]];
        next = place + 1;
    }
    return p;
}

static inline char *write_board(char *p, const tby_board *b) { return write_ranks(write_ranks(p, b, 7, 4), b, 3, 4); }

#endif

/* The text after the placement overwrites the slash after the last rank. */
TBY_KERNEL(char *, fen_write_placement, (char *p, const tby_board *b), (p, b)) { return write_board(p, b) - 1; }
