/*
 * actions.h - commands that do one of several things, named by their first word: tabiya tree grow, tabiya cluster add.
 */
#ifndef TABIYA_CLI_ACTIONS_H
#define TABIYA_CLI_ACTIONS_H

#include "options.h"

typedef struct action {
    const char *name;
    int (*run)(const args *a);
    unsigned options; /* a bit for each that it takes */
} action;

#define TAKES(index) (1u << (index))

/* The action that the first word names. No word, another word, or an option that the action does not take ends the
   program. */
const action *action_of(const args *a, const action *actions, size_t n);

#endif
