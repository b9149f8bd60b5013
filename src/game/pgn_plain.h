/*
 * pgn_plain.h - what the readers of single events and of runs of moves share: castling and plain comments.
 */
#ifndef TBY_GAME_PGN_PLAIN_H
#define TBY_GAME_PGN_PLAIN_H

#include "game/pgn_reader.h"
#include "game/pgn_scan.h"
#include "game/pgn_word.h"
#include "notation/san.h"
#include "notation/san_plain.h"

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

/* The closing brace of a plain comment whose text begins at s: one line of ASCII, as written by programs. NULL: another
   kind of comment. */
TBY_INLINE const char *plain_comment_end(const char *s)
{
    const char *end = pgn_find_plain(s, '}', '{');
    return __builtin_expect(*end == '}' && end - s <= PGN_COMMENT_CHUNK, 1) ? end : NULL;
}

#endif
