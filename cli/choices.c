/*
 * choices.c - the values an option allows: as written in its table, or the names of the library's registry, so that a
 * new notation appears in parsing, help, man page and completions at once.
 */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include <tabiya.h>

enum { CHOICES_SIZE = 512 };

static void add(char *list, const char *name)
{
    const size_t n = strlen(list);
    snprintf(list + n, CHOICES_SIZE - n, "%s%s", n ? "|" : "", name);
}

static void add_positions(char *list, bool to_read)
{
    const tby_position_notation *p;
    for (size_t i = 0; (p = tby_position_notation_at(i)) != NULL; i++)
        if (p->read || !to_read)
            add(list, p->name);
}

/* Where games are chosen too, `cmbr` is the file, and a line of such words has a name of its own. */
static void add_moves(char *list, bool beside_games)
{
    const tby_move_notation *m;
    for (size_t i = 0; (m = tby_move_notation_at(i)) != NULL; i++)
        add(list, beside_games && strcmp(m->name, "cmbr") == 0 ? "cmbr-words" : m->name);
}

static void add_games(char *list)
{
    const tby_game_notation *g;
    for (size_t i = 0; (g = tby_game_notation_at(i)) != NULL; i++)
        add(list, g->name);
}

const char *option_choices(const option *o)
{
    static char list[CHOICES_SIZE];
    if (!o->choices || *o->choices != '@')
        return o->choices;
    list[0] = '\0';
    if (strcmp(o->choices, CHOICES_MOVES) == 0)
        add_moves(list, false);
    else {
        add_positions(list, strcmp(o->choices, CHOICES_FROM) == 0);
        add_moves(list, true);
        add_games(list);
    }
    return list;
}
