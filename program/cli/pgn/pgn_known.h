/*
 * pgn_known.h - the games of tabiya pgn --known: of a file, or of a database.
 */
#ifndef TABIYA_CLI_PGN_KNOWN_H
#define TABIYA_CLI_PGN_KNOWN_H

#include "pgn_pick.h"

/* Adds the games to those that are known, or marks the beginnings of them, by the pass. False if some could not be
   read, which was reported. */
bool known_read(picking *p, const char *path, unsigned n_threads);

#endif
