/*
 * pgn_criteria.h - conditions from files: tags in the format of pgn-extract -t, lines of moves, queries.
 *
 * Each adds a fact of the query language. In all of them a line that begins with % or # is a comment. Faults end the
 * program and are reported with their line.
 */
#ifndef TABIYA_CLI_PGN_CRITERIA_H
#define TABIYA_CLI_PGN_CRITERIA_H

#include "query_fault.h"
#include "support/buffer.h"

/* One tag and value per line: for every tag name, one of its values must match. */
void criteria_tags(buffer *facts, const char *path);
/* One line of moves per line: games that begin with any of them. */
void criteria_openings(buffer *facts, const char *path);
/* One line of moves or FEN per line: games that reach any of these positions. */
void criteria_positions(buffer *facts, const char *path);
/* One query per line: games that match any of them. */
void criteria_queries(buffer *facts, const char *path, const patterns *own);

#endif
