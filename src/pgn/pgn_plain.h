/*
 * pgn_plain.h - what the readers of single events and of runs of moves share: words, single moves and
 *               plain comments.
 */
#ifndef TBY_PGN_PGN_PLAIN_H
#define TBY_PGN_PGN_PLAIN_H

#include "notation/san.h"
#include "notation/san_plain.h"
#include "pgn/pgn_lex.h"
#include "pgn/pgn_reader.h"
#include "pgn/pgn_scan.h"

/* ---- The words of plain move text: moves, after blanks and move numbers ------------------------------------------ */

/*
 *     "  12. Nbxd5+ "        blanks, a number with its dots, blanks; a word of SAN bytes; a byte that ends it
 *
 * Anything else is refused, and so are words that end more than PGN_PLAIN_BYTES after the last one: the readers of single
 * tokens then take over. The start of a word that is refused for its bytes is still reported. Words may have bytes that
 * no move has: whoever reads them as moves refuses those. The number `1.` is refused after two blanks, because a game may
 * begin there.
 *
 * The x86-64-v3 variant classifies 64 bytes at once, and then finds words in masks of one bit per byte. Each class is a
 * set of low nibbles times a set of high nibbles, one bit in each of two tables.
 */
enum { PGN_PLAIN_BYTES = 64 };

typedef struct pgn_span {
    const char *s, *end;
} pgn_span;

#ifdef TBY_VARIANT_V3

/* The classes of bytes. Those that may precede a word have a bit in the low half, those of words one in the high half;
   digits have both. */
enum {
    PGN_BYTE_CONTROL = 1,  /* \t to \r */
    PGN_BYTE_SPACE = 2,    /* the space */
    PGN_BYTE_DIGIT = 0x44, /* 0 to 9 */
    PGN_BYTE_DOT = 8,      /* . */
    PGN_BYTE_MARK = 0x10,  /* + # */
    PGN_BYTE_SMALL = 0x20, /* a to h, q to x */
    PGN_BYTE_LARGE = 0x80  /* A B K N Q R [ ^ */
};

/* One bit for each byte. */
typedef struct pgn_masks {
    uint64_t skipped, words, digits, dots;
} pgn_masks;

TBY_INLINE uint64_t pgn_signs(__m256i bytes) { return (uint32_t)_mm256_movemask_epi8(bytes); }

TBY_INLINE pgn_masks pgn_masks_of_32(const char *s)
{
    enum {
        C = PGN_BYTE_CONTROL,
        D = PGN_BYTE_DIGIT,
        DS = PGN_BYTE_DIGIT | PGN_BYTE_SMALL,
        DSL = (char)(PGN_BYTE_DIGIT | PGN_BYTE_SMALL | PGN_BYTE_LARGE),
        L = (char)PGN_BYTE_LARGE,
        S = PGN_BYTE_SMALL
    };
    const __m128i low = _mm_setr_epi8(PGN_BYTE_SPACE | D, DSL, DSL, DS | PGN_BYTE_MARK, DS, DS, DS, DS, DS, C | D, C,
                                      C | PGN_BYTE_MARK | L, C, C, PGN_BYTE_DOT | L, 0);
    const __m128i high =
        _mm_setr_epi8(C, 0, PGN_BYTE_SPACE | PGN_BYTE_DOT | PGN_BYTE_MARK, D, L, L, S, S, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)s);
    const __m256i nibbles = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
    const __m256i classes = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(low), bytes),
                                             _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(high), nibbles));
    const __m256i low_half = _mm256_slli_epi16(classes, 4);
    const __m256i any = _mm256_set1_epi8(0x70); /* added to a byte, sets its sign if there is a bit in its high half */
    return (pgn_masks){
        .skipped = pgn_signs(_mm256_adds_epu8(low_half, any)),
        .words = pgn_signs(_mm256_adds_epu8(classes, any)),
        .digits = pgn_signs(_mm256_slli_epi16(classes, 5)),
        .dots = pgn_signs(low_half),
    };
}

TBY_INLINE pgn_masks pgn_masks_of(const char *s)
{
    const pgn_masks a = pgn_masks_of_32(s), b = pgn_masks_of_32(s + 32);
    return (pgn_masks){a.skipped | b.skipped << 32, a.words | b.words << 32, a.digits | b.digits << 32,
                       a.dots | b.dots << 32};
}

/* Is the text s empty, or one run of digits and then one of dots? Not if it is `1.` after two blanks. */
TBY_INLINE bool pgn_is_number(const char *s, uint64_t digits, uint64_t dots)
{
    if (!(digits | dots))
        return true;
    if (__builtin_expect(!(digits & 3), 0) && digits && memcmp(s + _tzcnt_u64(digits), "1.", 2) == 0)
        return false;
    const uint64_t after = digits + (digits & -digits), first_dot = dots & -dots;
    return ((first_dot ^ after) | (after & digits) | ((dots + first_dot) & dots)) == 0;
}

/* Text that is read word by word. It may be read PGN_PLAIN_BYTES beyond its end. */
typedef struct pgn_words {
    const char *base; /* the text that the masks describe */
    uint64_t at;      /* the end of the last word */
    pgn_masks masks;
} pgn_words;

TBY_INLINE void pgn_words_begin(pgn_words *words, const char *s)
{
    words->base = s;
    words->at = 0;
    words->masks = pgn_masks_of(s);
}

/* For the first word only: looks at 32 bytes. */
TBY_INLINE void pgn_words_begin_one(pgn_words *words, const char *s) { *words = (pgn_words){s, 0, pgn_masks_of_32(s)}; }

TBY_INLINE const char *pgn_words_at(const pgn_words *words) { return words->base + words->at; }

/* Finds the next word. If it is refused, words must begin again. */
TBY_INLINE bool pgn_words_next(pgn_words *words, pgn_span *word)
{
    for (;;) {
        const pgn_masks *m = &words->masks;
        const uint64_t at = words->at, n_skipped = _tzcnt_u64(~(m->skipped >> at)), begin = at + n_skipped;
        const uint64_t end = begin + _tzcnt_u64(~(m->words >> (begin & 63)));
        if (__builtin_expect(end >= PGN_PLAIN_BYTES, 0) && at > 0) {
            pgn_words_begin(words, words->base + at);
            continue;
        }
        const uint64_t digits = _bzhi_u64(m->digits >> at, n_skipped), dots = _bzhi_u64(m->dots >> at, n_skipped);
        const bool is_number = pgn_is_number(words->base + at, digits, dots);
        word->s = words->base + (is_number ? begin : at);
        word->end = words->base + end;
        words->at = end;
        if (__builtin_expect(end >= PGN_PLAIN_BYTES, 0))
            return false;
        const bool ends_at_blank = (m->skipped & ~m->dots) >> end & 1;
        return is_number && (__builtin_expect(ends_at_blank, 1) || pgn_ends_word(*word->end));
    }
}

/* The same for a word that begins at `at`. */
TBY_INLINE bool pgn_plain_word(pgn_span *word, const char *at)
{
    const uint64_t n = _tzcnt_u64(~pgn_masks_of_32(at).words);
    *word = (pgn_span){at, at + n};
    return n < 32 && pgn_ends_word(at[n]);
}

#else

TBY_INLINE bool pgn_plain_word(pgn_span *word, const char *at)
{
    const char *end = at;
    while (pgn_class_of(*end) == PGN_WORD || pgn_class_of(*end) == PGN_DIGIT)
        end++;
    *word = (pgn_span){at, end};
    return pgn_ends_word(*end);
}

typedef struct pgn_words {
    const char *at;
} pgn_words;

TBY_INLINE void pgn_words_begin(pgn_words *words, const char *s) { words->at = s; }
TBY_INLINE void pgn_words_begin_one(pgn_words *words, const char *s) { words->at = s; }
TBY_INLINE const char *pgn_words_at(const pgn_words *words) { return words->at; }

TBY_INLINE bool pgn_words_next(pgn_words *words, pgn_span *word)
{
    const char *at = words->at, *limit = at + PGN_PLAIN_BYTES;
    while (pgn_is_blank(*at))
        at++;
    *word = (pgn_span){at, at};
    if (pgn_class_of(*at) == PGN_DIGIT) {
        while (pgn_class_of(*at) == PGN_DIGIT)
            at++;
        if (*at != '.' || (at == word->s + 1 && *word->s == '1'))
            return false;
        while (*at == '.')
            at++;
        while (pgn_is_blank(*at))
            at++;
    }
    if (at >= limit || pgn_class_of(*at) != PGN_WORD || !pgn_plain_word(word, at))
        return false;
    words->at = word->end;
    return true;
}

#endif

/* ---- Moves and comments ------------------------------------------------------------------------------------------ */

/* Castling at s: the end of its text if it is legal, else NULL. Out of line, because it is rare. */
static __attribute__((noinline, unused)) const char *play_castling(tby_position *after, const tby_position *before,
                                                                   const char *s, tby_color us, tby_move *move)
{
    san_move san;
    const char *end = san_end(san_scan_castling(s, &san));
    if (!end || !pgn_ends_word(*end))
        return NULL;
    const san_answer answer = san_resolve_castling(before, san.kind == SAN_CASTLE_KING_SIDE, us);
    if (answer.status != TBY_OK)
        return NULL;
    *after = *before;
    position_castle(after, answer.move & 63, (answer.move >> 6) & 63, us);
    *move = answer.move;
    return end;
}

/* Reads a word that the finders of plain words found or refused as a move: true if it is legal; then its end is known.
 */
TBY_INLINE bool play_word(tby_position *after, const tby_position *before, bool is_plain, pgn_span *word, tby_color us,
                          tby_move *move)
{
    tby_board board;
    san_played m;
    if (__builtin_expect(is_plain, 1) &&
        __builtin_expect(san_play_plain(&board, &before->board, word->s, word->end, us, &m), 1) &&
        __builtin_expect(!king_attackers(&board, us), 1)) {
        after->board = board;
        position_follow(after, before, m.from, m.to, us, m.kind, board_piece(&before->board, m.to));
        *move = TBY_MOVE(m.from, m.to, 0);
        return true;
    }
    word->end = *word->s == 'O' ? play_castling(after, before, word->s, us, move) : NULL;
    return word->end != NULL;
}

/* Does a comment follow a move that ends at s? */
TBY_INLINE bool comment_follows(const char *s) { return __builtin_expect(s[1] == '{', 0) && s[0] == ' '; }

/* The closing brace of a plain comment whose text begins at s: one line of ASCII, as written by programs. NULL: another
   kind of comment. */
TBY_INLINE const char *plain_comment_end(const char *s)
{
    const char *end = pgn_find_plain(s, '}', '{');
    return __builtin_expect(*end == '}' && end - s <= PGN_COMMENT_CHUNK, 1) ? end : NULL;
}

#endif
