/*
 * tags.h - adds a tag from a file to a game.
 */
#ifndef TBY_FORMAT_TAGS_H
#define TBY_FORMAT_TAGS_H

#include "game/game.h"

/* Returns TBY_OK, TBY_NO_MEMORY, or `invalid` with the reason. */
static inline tby_status tags_add(tby_game *game, const char *name, size_t n_name, const char *value, size_t n_value,
                                  tby_status invalid, const char **detail)
{
    *detail = NULL;
    if (!game_is_tag_name(name, n_name))
        *detail = "letters and digits expected as the name of a tag";
    else if (game_find_tag(game, name, n_name) < game->n_tags)
        *detail = "a tag that occurs twice";
    else if (!tby_game_set_tag(game, name, n_name, value, n_value))
        return TBY_NO_MEMORY;
    return *detail ? invalid : TBY_OK;
}

#endif
