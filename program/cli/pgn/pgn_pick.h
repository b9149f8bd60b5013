/*
 * pgn_pick.h - tabiya pgn: what its files share.
 *
 *     read --> pick --> change --> duplicates? --> sort, sample? --> write, in the order of the input
 *
 * To leave out games that are the beginning of another one, the input is read three times: to collect all games, to
 * mark those that another game continues, and to write the others. The games of --known are read first, and again for
 * marking.
 */
#ifndef TABIYA_CLI_PGN_PGN_PICK_H
#define TABIYA_CLI_PGN_PGN_PICK_H

#include "copies.h"
#include "pgn_form.h"
#include "pgn_unique.h"
#include "query_options.h"
#include "support/named.h"
#include "tabiya_db.h"

#include <stdatomic.h>

/* ---- Changes: length, tags, added comments: pgn_change.c -------------------------------------------------------- */

/* Where a game is shortened: after N half-moves, or where a query first holds. */
typedef struct cut {
    bool is_given;
    bool from_end; /* counted from the end of the game */
    unsigned long ply;
    tby_query *where; /* NULL: by the number */
} cut;

enum { ADD_ECO = 1, ADD_OPENING = 2, ADD_PLIES = 4, ADD_RESULT = 8, ADD_HASH = 16 };
enum { NOTE_FEN = 1, NOTE_FINAL_FEN = 2, NOTE_HASH = 4 };

/* Names of tags and their values, in pairs: to set, or old and new names; or names alone. */
typedef struct pairs {
    const char **names, **values;
    size_t n;
} pairs;

typedef struct changes {
    cut begin, end;
    unsigned add, note;
    const char *mark;  /* NULL: none */
    bool marks_played; /* the query is about the move played there, not the one that led there */
    pairs set, renamed;
    const char *dropped; /* lists of names, separated by commas; NULL: none */
    const char *kept;    /* NULL: all */
    named_list names;    /* of players: new_name, by the old ones */
} changes;

/* N, -N from the end where that is allowed, or a query; anything else ends the program. */
cut cut_read(const char *who, const char *value, const patterns *own);
/* ADD_..., NOTE_... and TBY_PGN_NO_... of a list, 0 for NULL; another word ends the program. */
unsigned add_read(const char *list);
unsigned note_read(const char *list);
unsigned strip_read(const char *list);
/* New names for old ones, from a file with lines OLD <tab> NEW; anything after a second tab is ignored, and so are
   lines that begin with #. A file that cannot be read ends the program. */
named_list names_read(const char *path);
/* NAME=VALUE; a missing value ends the program. */
void pairs_add(pairs *p, const char *who, const char *text);
bool changes_any(const changes *c);
void changes_free(changes *c);

/* What one thread needs. */
typedef struct changer changer;
changer *changer_new(const changes *c);
void changer_free(changer *w);
/* Changes the game; `ply` is where the query first holds, below 0 if that is unknown, and follows the game if its start is
   removed. Returns the game, or another one
   that is valid until the next call; NULL if nothing is left of it. */
tby_game *changer_apply(changer *w, tby_game *game, int *ply);

/* Turns every line of play into a separate game: the main line first, then each variation with the moves that lead to
   it and without a result. */
void changer_unfold(changer *w, const tby_game *game, void (*visit)(void *context, const tby_game *line),
                    void *context);

/* ---- Games sorted into files by player, event, opening and so on: pgn_groups.c ---------------------------------- */

/* What games are sorted by. */
typedef struct grouping {
    const char *name;       /* as it is given: "player" */
    const char *tag;        /* NULL: the names of both players */
    size_t length;          /* bytes of the tag's value to use; 0 = all */
    const char *one, *many; /* what the groups are called */
} grouping;
/* player, event, site, eco, eco:1, eco:2, year, month, or the name of a tag. False: none of these. */
bool grouping_read(grouping *out, const char *name);
/* Adds the names of the groups that the game belongs to, each followed by a NUL. */
void grouping_names(buffer *names, const grouping *by, const tby_game *game);

typedef struct groups groups;

/* `pattern` contains %s, which is replaced by the name. The words of `a` are the inputs, none of which will be
   overwritten. */
groups *groups_new(const char *pattern, const args *a);
/* Adds a game to the file of that name. Failures end the program. */
void groups_add(groups *p, const char *name, const char *game, size_t n);
/* Writes the rest, and prints the number of files and those whose name differs from the group's. */
void groups_close(groups *p, uint64_t n_games, const grouping *by);

/* ---- The letters of the pieces in other languages: pgn_letters.c ------------------------------------------------ */

/* Letters are given as knight, bishop, rook, queen and king, "SLTDK", or by the name of a language, "german". The letters
   of English that are not used otherwise keep their meaning, so one file may have games in both. */
typedef struct letters {
    const char *name;
    const char *of; /* N B R Q K */
} letters;

/* The languages, by index; NULL after the last. */
const letters *letters_at(size_t index);
/* Five different capital letters, or the name of a language; else the program ends, naming the option. */
letters letters_read(const char *who, const char *value);

/* The state of a text: in tags and comments, letters are not changed. Zero it at the start of a file or a game. */
typedef struct letters_state {
    char map[256];
    char inside; /* [ { ; % or ", the character that opened it; 0: move text */
    bool in_quotes, is_escaped, has_line;
} letters_state;

/* The letters with which a game that could not be read becomes legal, if all alphabets that make it legal give the same
   moves: its text, and the game to read it into. NULL: none, or different moves. Alphabets that have all letters of the
   text come first: Pf3 and Lb5 are Dutch, not a German bishop and an English pawn. */
const letters *letters_guess(tby_game *out, const char *text, size_t n, unsigned flags);

/* The letters with which a game that was read in English is also legal, but with other moves; NULL: none. `*has_pawn`:
   pawns are named, which English move text does not do: Pf3 is probably a Dutch knight. */
const letters *letters_doubt(const tby_game *game, const char *text, size_t n, unsigned flags, bool *has_pawn);

/* To English, in place. */
void letters_begin_reading(letters_state *s, const letters *from);
void letters_translate(letters_state *s, char *text, size_t n);
/* From English; "figurine" uses chess symbols, which take more bytes. */
void letters_write(buffer *out, const letters *to, const char *text, size_t n);

/* ---- The work: pgn_pick.c --------------------------------------------------------------------------------------- */

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
    tby_query *query;  /* NULL: all games */
    const char *where; /* SQL, which a database checks; NULL: none */
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
    uint64_t offset, limit;
    atomic_bool is_full; /* the requested number of games has been written, or the last one of `games` in this input */

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

/* Does a database find the games itself? Otherwise all of an input is read, because other games are wanted too, or their
   places count. */
bool picking_by_search(const picking *p, const char *path);
/* One input, with the name that messages show; false if it could not be read. */
bool picking_read(picking *p, const char *path, const char *shown);
/* Writes the games that were held back, and closes the files. */
void picking_end(picking *p);

/* ---- Conditions from files: pgn_criteria.c ------------------------------------------------------------------------ */

/* Each adds a fact of the query language. In all of them a line that begins with % or # is a comment. Faults end the
   program and are reported with their line. */

/* One tag and value per line: for every tag name, one of its values must match. */
void criteria_tags(buffer *facts, const char *path);
/* Adds a FENPattern of pgn-extract as a query; nothing for a pattern that any board has. Returns why it is none, or NULL
   (pgn_pattern.c). */
const char *pattern_write(buffer *out, const char *s, size_t n);
/* One query, position or line of moves per line: games that match any of them. */
void criteria_queries(buffer *facts, const char *path, const patterns *own);

#endif
