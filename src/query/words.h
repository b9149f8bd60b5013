/*
 * words.h - the words of the query language, and what follows each of them.
 */
#ifndef TBY_QUERY_WORDS_H
#define TBY_QUERY_WORDS_H

#include "query/ast.h"

typedef enum word_kind {
    WORD_JOIN,   /* and, or, for, attacks: they stand between or after facts */
    WORD_PREFIX, /* not, either ...: a fact follows */
    WORD_SUM,    /* points, legal: a count begins */
    WORD_PLAIN,  /* nothing follows */
    WORD_NUMBER,
    WORD_RANGE,
    WORD_DATES,
    WORD_TEXT,
    WORD_TAG, /* a name and a text */
    WORD_CODES,
    WORD_OPENING,
    WORD_RESULT,
    WORD_SPEED,
    WORD_MODE,
    WORD_POSITION,
    WORD_RIGHTS,
    WORD_COMPARED, /* an operator and a number with a fraction */
    WORD_NAG
} word_kind;

typedef struct query_word {
    const char *name;
    uint8_t kind; /* word_kind */
    uint8_t type; /* query_type */
    uint8_t needs;
    int8_t number;
} query_word;

/* The word that is exactly these letters; NULL if there is none. */
const query_word *tby_query_word_find(const char *s, size_t n);
const query_word *tby_query_word_at(size_t index);
/* What a node of a type needs to know of a game, its children aside. */
unsigned tby_query_type_needs(unsigned type);
tby_speed tby_query_speed_find(const char *s, size_t n);

/* How many letters must be changed, added, left out or exchanged, if that is less than `limit`; else `limit`. Capitals
   do not count. */
unsigned tby_query_distance(const char *a, size_t n_a, const char *b, size_t n_b, unsigned limit);

#endif
