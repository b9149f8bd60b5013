/*
 * pgn_pick.h - the work of tabiya pgn: reads, selects, changes and writes games.
 *
 *     read --> pick --> change --> duplicates? --> sort, sample? --> write, in the order of the input
 *
 * To leave out games that are the beginning of another one, the input is read three times: to collect all games, to
 * mark those that another game continues, and to write the others. The games of --known are read first, and again for
 * marking.
 */
#ifndef TABIYA_CLI_PGN_PICK_H
#define TABIYA_CLI_PGN_PICK_H

#include "copies.h"
#include "pgn_change.h"
#include "pgn_form.h"
#include "pgn_groups.h"
#include "pgn_letters.h"
#include "pgn_unique.h"
#include "query_options.h"
#include "tabiya_db.h"

#include <stdatomic.h>

typedef enum pass { PASS_KNOWN, PASS_COLLECT, PASS_MARK, PASS_WRITE } pass;

/* Numbers of games. */
typedef struct numbers {
    range *ranges;
    size_t n;
} numbers;

enum { N_LETTERS = 32 }; /* or fewer: arrays by the index of letters */

/* Games that were read in English, but would be different games with these letters. */
typedef struct doubts {
    uint64_t n, first;  /* how many, and the number of the first */
    uint64_t n_guessed; /* games that only these letters make legal */
    bool has_pawn;
} doubts;

typedef struct picking {
    tby_query *query; /* NULL: all games */
    bool is_inverted, only_counts, keeps_bad, unfolds;
    unsigned write; /* TBY_PGN_NO_... and a width */
    unsigned flags; /* TBY_PGN_... of reading */
    changes changes;
    const form *form;
    letters in, out; /* `of` NULL: detected; `name` NULL: English */
    numbers games;   /* none: all */
    same_rule same;
    pass pass;
    bool is_known;    /* the input is one of --known: all its games count, unchanged */
    const char *name; /* of the input */

    tby_order order;
    bool is_sorted;       /* otherwise they stay in input order */
    tby_sorting *sorting; /* NULL: none are held back */
    uint64_t n_held;
    buffer held; /* the game that is added: the size of its text, its text, its names */
    uint64_t offset, limit;
    atomic_bool is_full; /* the requested number of games has been written */

    uint64_t split;    /* games per file, 0 = all */
    groups *groups;    /* NULL: not sorted into files */
    grouping grouping; /* by what they are */
    const char *output;
    copy_file *others, *duplicates; /* NULL: not wanted */
    buffer path;                    /* of the file being written */
    uint64_t n_files, n_in_file;
    const args *args;
    sources sources;

    uint64_t n_found, n_picked, n_bad;
    uint64_t n_guessed[N_LETTERS];
    doubts doubts[N_LETTERS]; /* in the input that is being read */
} picking;

/* One input; false if it could not be read. */
bool picking_read(picking *p, const char *path);
/* Writes the games that were held back, and closes the files. */
void picking_end(picking *p);

/* ---- Conditions from files: pgn_criteria.c ------------------------------------------------------------------------ */

/* Each adds a fact of the query language. In all of them a line that begins with % or # is a comment. Faults end the
   program and are reported with their line. */

/* One tag and value per line: for every tag name, one of its values must match. */
void criteria_tags(buffer *facts, const char *path);
/* One line of moves per line: games that begin with any of them; one line of moves or FEN: games that reach any of these
   positions; one query: games that match any of them. */
typedef enum criteria_kind { CRITERIA_OPENINGS, CRITERIA_POSITIONS, CRITERIA_QUERIES } criteria_kind;
void criteria_lines(buffer *facts, criteria_kind kind, const char *path, const patterns *own);

#endif
