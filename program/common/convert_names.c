/*
 * convert_names.c - finds the notations of the library's registry by name.
 */
#include "convert.h"

#include <string.h>

notation notation_of_game(const tby_game_notation *game)
{
    return (notation){.kind = KIND_GAME, .name = game->name, .game = game};
}

notation notation_of_moves(const tby_move_notation *moves)
{
    return (notation){.kind = KIND_LINE, .name = moves->line_name, .moves = moves};
}

bool notation_find(notation *out, const char *name)
{
    const tby_move_notation *m;
    const tby_game_notation *game = tby_game_notation_find(name, strlen(name));
    if (game) {
        *out = notation_of_game(game);
        return true;
    }
    *out = (notation){.kind = KIND_POSITION, .position = tby_position_notation_find(name, strlen(name))};
    if (out->position) {
        out->name = out->position->name;
        return true;
    }
    for (size_t i = 0; (m = tby_move_notation_at(i)) != NULL; i++)
        if (strcmp(m->line_name, name) == 0) {
            *out = notation_of_moves(m);
            return true;
        }
    return false;
}

/* ---- What is lost ----------------------------------------------------------------------------------------------- */

/* A detail such as "a clock over 63: it is 70" counts as the part before the colon. */
static bool is_same_loss(const char *a, const char *b)
{
    const size_t n = strcspn(a, ":");
    return n == strcspn(b, ":") && memcmp(a, b, n) == 0;
}

void losses_add(losses *l, const char *what, uint64_t n)
{
    size_t i = 0;
    while (i < l->n && !is_same_loss(l->list[i].what, what))
        i++;
    if (i == LOSSES_MAX || n == 0)
        return;
    if (i == l->n) {
        l->list[i].what = what;
        l->list[i].n = 0;
        l->n++;
    }
    l->list[i].n += n;
}
