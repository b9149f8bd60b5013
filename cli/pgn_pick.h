/*
 * pgn_pick.h - the work of tabiya pgn: reads games, picks them, changes them, and writes them.
 *
 *     read --> pick --> change --> duplicates? --> sort, sample? --> write, in the order of the input
 *
 * To leave out games that are the beginning of another one the input is read three times: once to collect all lines,
 * once to mark those that some game goes through, and once to write the others.
 */
#ifndef TABIYA_CLI_PGN_PICK_H
#define TABIYA_CLI_PGN_PICK_H

#include "pgn_change.h"
#include "pgn_form.h"
#include "pgn_groups.h"
#include "pgn_hold.h"
#include "pgn_letters.h"
#include "pgn_unique.h"
#include "tabiya_db.h"
#include "whole_file.h"

#include <stdatomic.h>

typedef enum pass { PASS_KNOWN, PASS_COLLECT, PASS_MARK, PASS_WRITE } pass;

/* When two games are the same. */
typedef enum unique { UNIQUE_NOT, UNIQUE_MOVES, UNIQUE_PREFIX, UNIQUE_POSITION, UNIQUE_NEAR } unique;

/* Numbers of games. */
typedef struct numbers {
    uint64_t (*ranges)[2];
    size_t n;
} numbers;

typedef struct picking {
    filter *filter;
    bool is_inverted, only_counts, keeps_bad, unfolds;
    unsigned write; /* TBY_PGN_NO_... and a width */
    unsigned flags; /* TBY_PGN_... of reading */
    changes changes;
    const form *form;
    letters in, out; /* `of` NULL: guessed; `name` NULL: English */
    numbers games;   /* none: all */
    line_set *lines; /* NULL: duplicates stay */
    unique unique;
    unsigned long unique_ply; /* of the position that must be the same; ULONG_MAX = the end */
    pass pass;
    const char *name; /* of the input */

    tby_order order;
    bool is_sorted; /* else they stay as they come */
    hold *hold;     /* NULL: none are held back */
    uint64_t offset, limit;
    atomic_bool is_full; /* as many as were asked for are written */

    uint64_t split;    /* games a file, 0 = all */
    groups *groups;    /* NULL: not sorted into files */
    grouping grouping; /* by what they are */
    const char *output;
    whole_file *others, *duplicates; /* NULL: not wanted */
    buffer path;                     /* of the file being written */
    uint64_t n_files, n_in_file;
    const args *args;
    const char *query; /* the word that is not a file; NULL: all are */

    uint64_t n_found, n_picked, n_bad;
    uint64_t n_guessed[32]; /* by the index of the letters */
} picking;

/* One input; false if it could not be read. */
bool picking_read(picking *p, const char *path, unsigned n_threads);
/* Writes what was held back, and ends the files. */
void picking_end(picking *p);

#endif
