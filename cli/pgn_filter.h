/*
 * pgn_filter.h - which games tabiya pgn picks.
 */
#ifndef TABIYA_CLI_PGN_FILTER_H
#define TABIYA_CLI_PGN_FILTER_H

#include "common.h"

/* What a condition looks at; the command's options of the same names. */
typedef enum condition_type {
    BY_BLACK,  /* pattern */
    BY_DATE,   /* range of dates, years or months */
    BY_ECO,    /* pattern, or range of codes */
    BY_ELO,    /* range that holds both players' ratings */
    BY_EVENT,  /* pattern */
    BY_PLAYER, /* pattern of either player */
    BY_PLIES,  /* range, main line */
    BY_RESULT,
    BY_TAG,  /* Name=pattern */
    BY_WHITE /* pattern */
} condition_type;

typedef struct filter filter;

filter *filter_new(void);
void filter_free(filter *f);
/* A value that makes no sense ends the program, naming the option. */
void filter_add(filter *f, condition_type type, const char *name, const char *value);
/* Do all conditions hold? May be asked from any thread. */
bool filter_fits(const filter *f, const tby_game *game);

#endif
