/*
 * run_pawns.c - facts about pawns, which often stay put for many plies, are checked once per pawn structure; also finds
 * irreversible moves.
 */
#include "base/variant.h"
#include "query/run_block.h"

static uint64_t pawns_at(const packed_plies *p, size_t ply)
{
    return p->plane[0][ply] & ~p->plane[1][ply] & ~p->plane[2][ply];
}

/* The plies of a word at which the pawns differ from the ply before, except for the first ply of the game. */
static ply_bits changes(const packed_plies *p, size_t first, unsigned n)
{
    ply_bits bits = 0;
    unsigned i = first ? 0 : 1;
#ifdef TBY_VARIANT_V3
    for (; i + 4 <= n; i += 4) {
        const size_t here = first + i, before = here - 1;
        const __m256i now = _mm256_andnot_si256(_mm256_or_si256(four(p->plane[1] + here), four(p->plane[2] + here)),
                                                four(p->plane[0] + here)),
                      then =
                          _mm256_andnot_si256(_mm256_or_si256(four(p->plane[1] + before), four(p->plane[2] + before)),
                                              four(p->plane[0] + before));
        const __m256i black = _mm256_xor_si256(_mm256_and_si256(now, four(p->plane[3] + here)),
                                               _mm256_and_si256(then, four(p->plane[3] + before)));
        const __m256i same =
            _mm256_cmpeq_epi64(_mm256_or_si256(_mm256_xor_si256(now, then), black), _mm256_setzero_si256());
        bits |= (ply_bits)(~_mm256_movemask_pd(_mm256_castsi256_pd(same)) & 15) << i;
    }
#endif
    for (; i < n; i++) {
        const size_t here = first + i;
        const uint64_t now = pawns_at(p, here), then = pawns_at(p, here - 1);
        bits |= (ply_bits)(now != then || ((now & p->plane[3][here]) ^ (then & p->plane[3][here - 1]))) << i;
    }
    return bits;
}

TBY_KERNEL(void, run_pawns, (tby_query_state * s), (s))
{
    s->n_pawns = 0;
    for (size_t w = 0; w < s->n_words; w++) {
        const size_t first = w * WORD, left = s->n_positions - first;
        s->pawn_plies[w] = changes(&s->plies, first, left < WORD ? (unsigned)left : WORD) | (w == 0);
        for (ply_bits rest = s->pawn_plies[w]; rest; rest &= rest - 1) {
            const size_t ply = first + (unsigned)__builtin_ctzll(rest);
            s->pawns.plane[0][s->n_pawns] = pawns_at(&s->plies, ply);
            s->pawns.plane[3][s->n_pawns] = s->pawns.plane[0][s->n_pawns] & s->plies.plane[3][ply];
            s->n_pawns++;
        }
    }
    for (size_t n = s->n_pawns; n % 4; n++) /* see run_block.h */
        s->pawns.plane[0][n] = s->pawns.plane[3][n] = 0;
}

/* Converts plies to pawn positions. */
TBY_KERNEL(void, run_pawns_of, (const tby_query_state *s, ply_bits *out, const ply_bits *plies), (s, out, plies))
{
    size_t n = 0; /* pawn positions so far */
    memset(out, 0, (s->n_pawns + WORD - 1) / WORD * sizeof *out);
    for (size_t w = 0; w < s->n_words; w++) {
        ply_bits rest = s->pawn_plies[w], done = 0;
        for (; rest; rest &= rest - 1, n++) {
            const ply_bits before = (rest & -rest) - 1;
            if (n && (plies[w] & before & ~done))
                out[(n - 1) / WORD] |= 1ULL << (n - 1) % WORD;
            done = before;
        }
        if (plies[w] & ~done)
            out[(n - 1) / WORD] |= 1ULL << (n - 1) % WORD;
    }
}

/* Converts pawn positions to plies. */
TBY_KERNEL(void, run_pawns_back, (const tby_query_state *s, ply_bits *out, const ply_bits *pawns), (s, out, pawns))
{
    size_t n = 0;
    ply_bits is_in = 0; /* all ones or none */
    for (size_t w = 0; w < s->n_words; w++) {
        ply_bits rest = s->pawn_plies[w], done = 0;
        out[w] = 0;
        for (; rest; rest &= rest - 1, n++) {
            const ply_bits before = (rest & -rest) - 1;
            out[w] |= is_in & before & ~done;
            is_in = pawns[n / WORD] >> n % WORD & 1 ? ~0ULL : 0;
            done = before;
        }
        out[w] |= is_in & ~done;
    }
}

/* ---- Irreversible moves --------------------------------------------------------------------------------- */

/* A pawn move, a move that ends a castling right, or a capture, which vacates a square without occupying a new one. The
   result for the last ply of the game is meaningless. */
TBY_KERNEL(ply_bits, run_final, (const tby_query_state *s, size_t w), (s, w))
{
    const packed_plies *p = &s->plies;
    const size_t first = w * WORD, left = s->n_positions - 1 - first;
    const unsigned n = left < WORD ? (unsigned)left : WORD;
    uint64_t pawns[WORD], captures[WORD];
    for (unsigned i = 0; i < n; i++) {
        const size_t here = first + i, next = here + 1;
        const uint64_t either = p->plane[1][here] | p->plane[2][here],
                       either_next = p->plane[1][next] | p->plane[2][next], occupied = p->plane[0][here] | either,
                       occupied_next = p->plane[0][next] | either_next;
        pawns[i] = ((p->plane[0][here] & ~either) ^ (p->plane[0][next] & ~either_next)) |
                   (p->castling[here] ^ p->castling[next]);
        captures[i] = occupied_next & ~occupied ? 0 : occupied ^ occupied_next;
    }
    for (unsigned i = n; i % 4; i++)
        pawns[i] = captures[i] = 0;
    return bits_of(pawns, n) | bits_of(captures, n);
}
