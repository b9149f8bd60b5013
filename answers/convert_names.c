/*
 * convert_names.c - the notations by name: those of the library's registry.
 *
 * A CMBR word in hex is called `cmbr` among the moves of the registry; here that name is the file's, and lines of such
 * words are `cmbr-words`.
 */
#include "convert.h"

#include <string.h>

notation notation_of_game(const tby_game_notation *game)
{
    return (notation){.kind = KIND_GAME, .name = game->name, .game = game};
}

const char *line_name(const tby_move_notation *moves)
{
    return strcmp(moves->name, "cmbr") == 0 ? "cmbr-words" : moves->name;
}

bool notation_find(notation *out, const char *name)
{
    const bool is_words = strcmp(name, "cmbr-words") == 0;
    const char *registered = is_words ? "cmbr" : name;
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
    *out = (notation){.kind = KIND_LINE, .moves = tby_move_notation_find(registered, strlen(registered))};
    if (out->moves)
        out->name = line_name(out->moves);
    out->is_move_text = strcmp(name, "san") == 0;
    return out->moves != NULL;
}

/* ---- What is lost ----------------------------------------------------------------------------------------------- */

/* A detail such as "a clock over 63: it is 70" counts as what stands before the colon. */
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
