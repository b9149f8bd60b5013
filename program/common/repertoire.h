/*
 * repertoire.h - reads and writes what tabiya repertoire compares.
 */
#ifndef TABIYA_COMMON_REPERTOIRE_H
#define TABIYA_COMMON_REPERTOIRE_H

#include "problem.h"
#include "tabiya_db.h"
#include "tables.h"

/* Adds the games of a text. A faulty game counts up to its fault. */
bool repertoire_read(tby_repertoire *r, tby_games *games, unsigned plies, problem *p);
/* "1. e4 e5 2. Nf3", the moves to the position. */
void repertoire_write_line(buffer *out, const tby_repertoire *r, size_t position);
/* "2... Nc6", a move there; "Nc6" without its number. */
void repertoire_write_move(buffer *out, const tby_repertoire *r, size_t position, tby_move move, bool has_number);
/* "Nc6, d6": the moves that the lines have there. */
void repertoire_write_planned(buffer *out, const tby_repertoire *r, size_t position);
/* The first n_shown rows as a table, to be freed. */
table repertoire_table(const tby_repertoire *r, const tby_repertoire_rows *rows, size_t n_shown);
/* One object, without a line end. */
void repertoire_write_json(buffer *out, const tby_repertoire *r, const tby_repertoire_row *row);

#endif
