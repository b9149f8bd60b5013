/*
 * pgn_same.h - when two games of tabiya pgn --unique are the same.
 *
 *     moves      the same start and moves, whoever played
 *     prefix     also: the beginning of a longer game with the same last names of the players and the same date
 *     near       also: the same last names and the same position after some half-moves, or at the end of a shorter game
 *     position   the same position after some half-moves, or at the end of a shorter game, whoever played
 *
 * Longer games may come later, so the beginnings are collected first, then marked by the games that continue them.
 */
#ifndef TABIYA_CLI_PGN_SAME_H
#define TABIYA_CLI_PGN_SAME_H

#include "pgn_unique.h"
#include "support/buffer.h"

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
/* A game that may be the beginning of another. */
void same_collect(const same_rule *rule, const same_hashes *game);
/* Marks what was collected and is continued by this game. Several threads may do it at once. */
void same_mark(const same_rule *rule, const tby_game *game, buffer *room);
/* Is it the same as an earlier game, or the beginning of another one? Adds it. */
bool same_is_duplicate(const same_rule *rule, const same_hashes *game);
void same_add(const same_rule *rule, const same_hashes *game);

#endif
