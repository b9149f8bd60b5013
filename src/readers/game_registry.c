/*
 * game_registry.c - the notations of whole games by name, and guessing the notation of a file.
 */
#include "readers/games.h"
#include "support/buffer.h"

static const tby_game_notation *const NOTATIONS[] = {&games_pgn, &games_json, &games_cmbr};
enum { N_NOTATIONS = sizeof NOTATIONS / sizeof *NOTATIONS };

const tby_game_notation *tby_game_notation_at(size_t index) { return index < N_NOTATIONS ? NOTATIONS[index] : NULL; }

const tby_game_notation *tby_game_notation_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_NOTATIONS; i++)
        if (strlen(NOTATIONS[i]->name) == n && memcmp(NOTATIONS[i]->name, name, n) == 0)
            return NOTATIONS[i];
    return NULL;
}

/* ---- Guessing -------------------------------------------------------------------------------------------- */

static const tby_game_notation *guess_name(const char *name, size_t n_name)
{
    for (size_t i = 0; i < N_NOTATIONS; i++)
        if (text_has_ending(name, n_name, NOTATIONS[i]->endings))
            return NOTATIONS[i];
    return NULL;
}

static const tby_game_notation *guess_bytes(const char *s, size_t n, tby_likeness *likeness)
{
    const tby_game_notation *best = NULL;
    *likeness = TBY_UNLIKE;
    for (size_t i = 0; i < N_NOTATIONS; i++) {
        const tby_likeness found = NOTATIONS[i]->guess(s, n);
        if (found > *likeness) {
            *likeness = found;
            best = NOTATIONS[i];
        }
    }
    return best;
}

const tby_game_notation *tby_game_notation_guess(const char *name, size_t n_name, const char *s, size_t n,
                                                 tby_likeness *likeness)
{
    const tby_game_notation *by_bytes = guess_bytes(s, n, likeness);
    const tby_game_notation *by_name = *likeness == TBY_CERTAIN ? NULL : guess_name(name, n_name);
    if (by_name)
        *likeness = TBY_LIKELY;
    return by_name ? by_name : by_bytes;
}
