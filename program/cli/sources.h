/*
 * sources.h - the games that a command reads: databases, servers and files of games, through one interface.
 *
 *     games.db            a database: it answers the search
 *     postgresql://...    the same on a server
 *     games.pgn.zst  -    a file of games in any notation: read once, in parallel, and each game is checked
 *
 * For a command that must read games more than once, or with SQL, the games of a file are stored in a temporary
 * database, which is removed at the end. The number of a game in a file is its position there, from 1. Several databases
 * are searched as one.
 */
#ifndef TABIYA_CLI_SOURCES_H
#define TABIYA_CLI_SOURCES_H

#include "database.h"

typedef struct source source;

/* Lower than any exit code. */
enum { FAULTS_ALLOWED = -1 };

typedef struct sources {
    const args *args;
    const char **names;
    size_t n;
    const char **words; /* the rest of the command line's words */
    size_t n_words;
    char *text;       /* of the query: those words, joined with spaces; NULL if there are none */
    const char *from; /* the notation of files, which are then not databases; NULL: detected */
    int fault_code;   /* the exit code after a game with a fault; 0: EXIT_FAILED; FAULTS_ALLOWED: as without */
    uint64_t most;    /* games of a file that are stored: with more of them the program ends; 0: any number */
    bool only_tags; /* a game with a fault in its moves counts up to the fault: it is reported, but is not a failure */
    source **of;    /* once they are open */
} sources;

/* Which words of the command line are sources: the first ones that are the name of a file, a URL, or -. If the first
   word is not a source but the next is, the first is a query. Of the rest, the first `n_own` are the command's, and the
   others the query. */
sources sources_of_words(const args *a, size_t n_own);

/* How the games will be read: once, in order; several times or with SQL; or by position, with a position index. */
typedef enum source_use { SOURCE_ONCE, SOURCE_AGAIN, SOURCE_POSITIONS } source_use;
/* Opens all sources, for a command that has QUERY_OPTIONS: the first for one use, the others for another. If one cannot
   be opened, the program ends. */
void sources_open(sources *s, source_use use, source_use others);
/* The exit code is at least EXIT_FAILED if a file could not be read, and the fault code if it had games with faults. */
int sources_close(sources *s, int code);

/* Is any of the opened sources a file of games? */
bool sources_have_files(void);

/* Without a password. */
const char *source_name(const source *s);
bool source_is_file(const source *s);
/* The number of games in a database, or read so far from a file, including those with a fault. */
tby_db_games_read source_count(source *s);
/* NULL if its games are read in order. */
tby_db *source_db(const source *s);
/* The path of its database: its own, or the temporary one, which exists until the program ends. */
const char *source_database(const source *s);
/* All of them as one database, in which `id` means the number in each; NULL if the games of one are read in order. A source
   is part of one such database only. */
tby_db *sources_db(const sources *all);
/* Ends the program with a message about what failed: in the source, or in the database of all of them. */
_Noreturn void source_failed(source *s);
_Noreturn void sources_failed(const sources *all);

/* Visits the games that a search finds in all sources, with their own numbers; ends early after an interrupt. While a
   database is searched, there is a progress bar called `work` (NULL: none). Only databases sort and sample. */
typedef bool (*source_visit)(void *context, source *s, const tby_db_hit *hit);
void sources_find(const sources *all, const tby_db_search *search, const char *work, source_visit visit, void *context);
/* The work on the databases is done. */
void sources_done(const sources *all);
/* Reads the game being visited, or any game of a database. */
tby_status source_row(source *s, tby_game_id id, tby_row *out);
tby_status source_game(source *s, tby_game_id id, tby_game *out);
/* Why one of these failed. */
const char *source_error(const source *s);
/* Reports that something failed, such as reading a game; the exit code is then at least EXIT_FAILED. */
void source_tell(const source *s, const char *why);

#endif
