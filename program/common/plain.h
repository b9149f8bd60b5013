/*
 * plain.h - plain words, as people type them, read as a query.
 *
 *     Gormally 2019            player ~"Gormally" date 2019
 *     wijk aan zee 2010        site "wijk aan zee" date 2010
 *     sicilian greek gift      opening sicilian greek-gift
 *     carlsen caruana          either (white ~"carlsen" black ~"caruana")
 *
 * Every word must belong to an opening, a player, a place, an event, a named pattern or a year; if a phrase may be
 * several, the first of these counts. Only the names of the database are read, so it takes milliseconds.
 */
#ifndef TABIYA_COMMON_PLAIN_H
#define TABIYA_COMMON_PLAIN_H

#include "support/buffer.h"
#include "tabiya_db.h"

typedef enum plain_kind {
    PLAIN_OPENING,
    PLAIN_PLAYER,
    PLAIN_PLACE,
    PLAIN_EVENT,
    PLAIN_PATTERN,
    PLAIN_YEAR,
    N_PLAIN_KINDS
} plain_kind;
/* "opening", "player" ... */
extern const char *const plain_kind_names[N_PLAIN_KINDS];

enum { PLAIN_WORDS_MAX = 8, PLAIN_VALUE_SIZE = 320 };

/* A phrase and what it may mean. */
typedef struct plain_part {
    plain_kind kind;
    unsigned kinds; /* all that it may be, a bit each */
    size_t at, n;   /* in the text */
    bool is_minor;  /* as an opening: see plain_names.c */
    const char *pattern;
    char opening[PLAIN_VALUE_SIZE], player[PLAIN_VALUE_SIZE]; /* the names as they are searched for */
} plain_part;

typedef struct plain_reading {
    tby_text text;
    plain_part parts[PLAIN_WORDS_MAX];
    size_t n; /* 0: the text is not plain words, or a word is left over */
} plain_reading;

/* Adds a fact about a player whose name was given as an option, argument or parameter: the person in any spelling, unless
   the name says otherwise (tby_query_quote_person). */
void person_add(buffer *facts, const char *word, const char *name);

/* May it be plain words, as far as its signs and its length tell? */
bool plain_is_possible(const char *typed, size_t n);
/* The same, and no word of it is one of the query language. */
bool plain_may_be_name(const char *typed, size_t n);
/* TBY_OK, or the status of the database. */
tby_status plain_read(plain_reading *out, tby_db *db, const char *typed, size_t n);
/* Finds all that each part may be; plain_read stops at the first that it finds. */
tby_status plain_look_further(plain_reading *r, tby_db *db);
/* The reading as a query; two players mean the games between them. */
void plain_write(buffer *out, const plain_reading *r);
/* One part as a query. */
void plain_write_part(buffer *out, const plain_reading *r, const plain_part *part);
/* Is the text one word, the name of a pattern and of an opening as well? */
bool plain_is_opening(plain_reading *out, const char *typed, size_t n);

/* What a phrase means without a database (plain_names.c): an opening, how important, by a name that is found; a pattern. */
typedef enum plain_fame { OPENING_NONE, OPENING_MINOR, OPENING_MAJOR } plain_fame;
/* Is it a code of openings, or a range of them? */
bool plain_is_code(const char *s, size_t n);
plain_fame plain_opening(char out[PLAIN_VALUE_SIZE], const char *s, size_t n);
const char *plain_pattern(const char *s, size_t n);

#endif
