/*
 * actions.h - commands with several actions, named by their first word: tabiya tree grow, tabiya cluster add.
 */
#ifndef TABIYA_CLI_ACTIONS_H
#define TABIYA_CLI_ACTIONS_H

#include "options.h"

#include <stdint.h>

typedef struct action {
    const char *name;
    int (*run)(const args *a);
    uint64_t options; /* a bit for each that it takes */
} action;

#define TAKES(index) (1ULL << (index))

/* Finds the action named by the first word. A missing or unknown action, or an option that it does not take, ends the
   program. */
const action *action_of(const args *a, const action *actions, size_t n);

#endif
