/*
 * pgn_plain.h - what the readers of single events and of runs of moves share: single moves and plain comments.
 */
#ifndef TBY_PGN_PGN_PLAIN_H
#define TBY_PGN_PGN_PLAIN_H

#include "notation/san.h"
#include "notation/san_plain.h"
#include "pgn/pgn_reader.h"
#include "pgn/pgn_scan.h"
#include "pgn/pgn_word.h"

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
