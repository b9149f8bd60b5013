/*
 * pgn_letters.h - the letters of the pieces in other languages, in the move text of PGN.
 *
 * Letters are given as knight, bishop, rook, queen and king, "SLTDK", or by the name of a language, "german". The
 * letters of English that are not used otherwise keep their meaning, so one file may have games in both.
 */
#ifndef TABIYA_CLI_PGN_LETTERS_H
#define TABIYA_CLI_PGN_LETTERS_H

#include "console.h"
#include "support/buffer.h"

typedef struct letters {
    const char *name;
    const char *of; /* N B R Q K */
} letters;

/* The languages, by index; NULL after the last. */
const letters *letters_at(size_t index);
/* Five different capital letters, or the name of a language; else the program ends, naming the option. */
letters letters_read(const char *who, const char *value);

/* The state of a text: in tags and comments, letters are not changed. Zero it at the start of a file or a game. */
typedef struct letters_state {
    char map[256];
    char inside; /* [ { ; % or ", the character that opened it; 0: move text */
    bool in_quotes, is_escaped, has_line;
} letters_state;

/* The letters with which a game that could not be read becomes legal, if all alphabets that make it legal give the same
   moves: its text, and the game to read it into. NULL: none, or different moves. Alphabets that have all letters of the
   text come first: Pf3 and Lb5 are Dutch, not a German bishop and an English pawn. */
const letters *letters_guess(tby_game *out, const char *text, size_t n, unsigned flags);

/* The letters with which a game that was read in English is also legal, but with other moves; NULL: none. `*has_pawn`:
   pawns are named, which English move text does not do: Pf3 is probably a Dutch knight. */
const letters *letters_doubt(const tby_game *game, const char *text, size_t n, unsigned flags, bool *has_pawn);

/* To English, in place. */
void letters_begin_reading(letters_state *s, const letters *from);
void letters_translate(letters_state *s, char *text, size_t n);
/* From English; "figurine" uses chess symbols, which take more bytes. */
void letters_write(buffer *out, const letters *to, const char *text, size_t n);

#endif
