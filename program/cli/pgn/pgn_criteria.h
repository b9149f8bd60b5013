/*
 * pgn_criteria.h - conditions from files: tags as pgn-extract's -t has them, lines of moves, queries.
 *
 * Each adds a fact of the query language. In all of them a line that begins with % or # is a comment. Faults end the program and are reported with their line.
 */
#ifndef TABIYA_CLI_PGN_CRITERIA_H
#define TABIYA_CLI_PGN_CRITERIA_H

#include "query_fault.h"
#include "support/buffer.h"

/* A tag and a value a line: one of the values of a name must fit, for every name. */
void criteria_tags(buffer *facts, const char *path);
/* A line of moves each: games that begin with one of them. */
void criteria_openings(buffer *facts, const char *path);
/* A line of moves, or a FEN, each: games that come to one of these positions. */
void criteria_positions(buffer *facts, const char *path);
/* A query each: games that one of them holds for. */
void criteria_queries(buffer *facts, const char *path, const patterns *own);

#endif
