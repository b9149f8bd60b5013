/*
 * pgn_change.h - the changes that tabiya pgn makes to games: their length, their tags, added comments.
 */
#ifndef TABIYA_CLI_PGN_CHANGE_H
#define TABIYA_CLI_PGN_CHANGE_H

#include "filter.h"
#include "names.h"
#include "query.h"

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
    renaming *names;     /* of players; NULL: unchanged */
} changes;

/* N, -N from the end where that is allowed, or a query; anything else ends the program. */
cut cut_read(const char *who, const char *value, const patterns *own);
/* ADD_..., NOTE_... and TBY_PGN_NO_... of a list, 0 for NULL; another word ends the program. */
unsigned add_read(const char *list);
unsigned note_read(const char *list);
unsigned strip_read(const char *list);
/* NAME=VALUE; a missing value ends the program. */
void pairs_add(pairs *p, const char *who, const char *text);
bool changes_any(const changes *c);
void changes_free(changes *c);

/* What one thread needs. */
typedef struct changer changer;
changer *changer_new(const changes *c);
void changer_free(changer *w);
/* Changes the game; `ply` is where the query first holds, below 0 if that is unknown. Returns the game, or another one
   that is valid until the next call; NULL if nothing is left of it. */
tby_game *changer_apply(changer *w, tby_game *game, int ply);

/* Turns every line of play into a separate game: the main line first, then each variation with the moves that lead to
   it and without a result. */
void changer_unfold(changer *w, const tby_game *game, bool (*visit)(void *context, const tby_game *line),
                    void *context);

#endif
