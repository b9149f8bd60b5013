/*
 * actions.c - finds the action named by a command's first word.
 */
#include "actions.h"
#include "console.h"

#include <string.h>

enum { LIST_SIZE = 128, ACTIONS_MAX = 8 };

/* "grow, read, show or export" */
static void list_names(char out[LIST_SIZE], const action *actions, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n && at < LIST_SIZE; i++)
        at += (size_t)snprintf(out + at, LIST_SIZE - at, "%s%s",
                               i == 0      ? ""
                               : i + 1 < n ? ", "
                                           : " or ",
                               actions[i].name);
}

static const action *find(const args *a, const action *actions, size_t n)
{
    const char *name = a->words[0], *of = a->command->name, *names[ACTIONS_MAX] = {NULL};
    char list[LIST_SIZE];
    for (size_t i = 0; i < n; i++) {
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
        names[i] = actions[i].name;
    }
    const char *near = nearest_name(name, names, n);
    if (near)
        error_exit("%s: unknown action \"%s\"; did you mean \"%s\"?", of, name, near);
    list_names(list, actions, n);
    error_exit("%s: unknown action \"%s\"; use %s", of, name, list);
}

const action *action_of(const args *a, const action *actions, size_t n)
{
    char list[LIST_SIZE];
    if (a->n_words == 0) {
        list_names(list, actions, n);
        error_exit("%s: no action given; use %s; try --help", a->command->name, list);
    }
    const action *what = find(a, actions, n);
    for (size_t i = 0; i < a->n_given; i++)
        if (!(what->options & TAKES(a->given[i].index)))
            error_exit("%s %s: --%s does not apply", a->command->name, what->name,
                       a->command->options[a->given[i].index].name);
    return what;
}
