/*
 * repertoire.h - lines that a player wants to play: where games left them, and opponents' moves that they do not cover.
 *
 * Lines are positions and the moves that are planned there, with variations; the order of moves that led to a position
 * does not matter.
 */
#ifndef TABIYA_COMMON_REPERTOIRE_H
#define TABIYA_COMMON_REPERTOIRE_H

#include "problem.h"
#include "tabiya_db.h"
#include "tables.h"

typedef struct repertoire repertoire;

/* NULL: no memory. */
repertoire *repertoire_new(void);
void repertoire_free(repertoire *r);
/* Adds the moves of a game, with variations, up to `plies` half-moves; null moves end a line. */
bool repertoire_add(repertoire *r, const tby_game *game, unsigned plies, problem *p);
/* Adds the games of a text. A faulty game counts up to its fault. */
bool repertoire_read(repertoire *r, tby_games *games, unsigned plies, problem *p);

size_t repertoire_n_positions(const repertoire *r);
/* The side whose lines they are: the one with fewer positions that have several moves; White if the numbers are
   equal. */
tby_color repertoire_side(const repertoire *r);

/* A move that was played where the lines have other moves. */
typedef struct repertoire_row {
    size_t position; /* its number in the repertoire */
    tby_move move;
    bool is_mine;        /* the side of the lines played it */
    uint64_t games, of;  /* games with the move, and with the position */
    uint64_t results[4]; /* of `games`, by tby_result */
    size_t next;         /* while games are counted */
} repertoire_row;

typedef struct repertoire_rows {
    repertoire_row *rows; /* the most played first */
    size_t n, cap;
    /* Of deviations: games that begin in the lines, and those of them that follow them to their end. */
    uint64_t n_games, n_followed;
} repertoire_rows;
void repertoire_rows_free(repertoire_rows *rows);

/* Opponents' moves in positions for which the lines have a reply, if the lines have neither the move nor any
   position after it. `among` as in tby_db_explore. Must be freed, even after
   a failure. */
bool repertoire_gaps(repertoire_rows *out, const repertoire *r, tby_color side, tby_db *db, const tby_db_search *among,
                     problem *p);
/* Where the games of a search left the lines for the last time: games that return by another move order have not left
   them. */
bool repertoire_deviations(repertoire_rows *out, const repertoire *r, tby_color side, tby_db *db, tby_db_search *search,
                           problem *p);

/* "1. e4 e5 2. Nf3", the moves to the position. */
void repertoire_write_line(buffer *out, const repertoire *r, size_t position);
/* "2... Nc6", a move there; "Nc6" without its number. */
void repertoire_write_move(buffer *out, const repertoire *r, size_t position, tby_move move, bool has_number);
/* "Nc6, d6": the moves that the lines have there. */
void repertoire_write_planned(buffer *out, const repertoire *r, size_t position);
/* The first n_shown rows as a table, to be freed. */
table repertoire_table(const repertoire *r, const repertoire_rows *rows, size_t n_shown);
/* One object, without a line end. */
void repertoire_write_json(buffer *out, const repertoire *r, const repertoire_row *row);

#endif
