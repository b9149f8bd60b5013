/*
 * pgn_unique.h - when two games of tabiya pgn --unique are the same, and sets of lines of play by their hash.
 */
#ifndef TABIYA_CLI_PGN_PGN_UNIQUE_H
#define TABIYA_CLI_PGN_PGN_UNIQUE_H

#include "console.h"

/* ---- Lines: a start position and moves, as 128 bits --------------------------------------------------------------- */

typedef struct line_hash {
    uint64_t a, b; /* b is never 0 */
} line_hash;

line_hash line_begin(const tby_position *start);
line_hash line_play(line_hash hash, tby_move m);
/* The hash of a line and a text. */
line_hash line_mix(line_hash hash, const char *s, size_t n);

/* A set takes 17 bytes per slot and is at most 3/4 full: 24 to 48 bytes per line. */
typedef struct line_set line_set;

line_set *line_set_new(void);
void line_set_free(line_set *set);
/* Adds the line; false if it was there. */
bool line_set_add(line_set *set, line_hash hash);
/* Marks are one bit per line. Marking a line that is not in the set has no effect. Lines may be marked by several
   threads at once while none are added. */
void line_set_mark(line_set *set, line_hash hash);
bool line_set_is_marked(const line_set *set, line_hash hash);

/* ---- Games ------------------------------------------------------------------------------------------------------ */

/*     moves      the same start and moves, whoever played
       prefix     also: the beginning of a longer game with the same last names of the players and the same date
       near       also: the same last names and the same position after some half-moves, or at the end of a shorter game
       position   the same position after some half-moves, or at the end of a shorter game, whoever played

   Longer games may come later, so the beginnings are collected first, then marked by the games that continue them. */
typedef enum unique { UNIQUE_NOT, UNIQUE_MOVES, UNIQUE_PREFIX, UNIQUE_POSITION, UNIQUE_NEAR } unique;

typedef struct same_rule {
    unique kind;
    unsigned long ply; /* of the position that must be the same; ULONG_MAX = the end */
    line_set *lines;   /* of all games so far; NULL if duplicates are kept */
} same_rule;

/* What a game is compared by. */
typedef struct same_hashes {
    line_hash whole;  /* its moves, or its position */
    line_hash tagged; /* its players, date and moves */
    line_hash near;   /* its players and position */
} same_hashes;

/* Does the rule compare beginnings of games? */
bool same_has_prefixes(const same_rule *rule);
/* `room` is reusable memory for texts. */
same_hashes same_hashes_of(const same_rule *rule, const tby_game *game, buffer *room);
/* Marks what was collected and is continued by this game. Several threads may do it at once. */
void same_mark(const same_rule *rule, const tby_game *game, buffer *room);
/* Is it the same as an earlier game, or the beginning of another one? Adds it. */
bool same_is_duplicate(const same_rule *rule, const same_hashes *game);

#endif
