/*
 * pgn_groups.h - sorts games into files by player, event, opening and so on.
 */
#ifndef TABIYA_CLI_PGN_GROUPS_H
#define TABIYA_CLI_PGN_GROUPS_H

#include "console.h"
#include "support/buffer.h"

/* What games are sorted by. */
typedef struct grouping {
    const char *name;       /* as it is given: "player" */
    const char *tag;        /* NULL: the names of both players */
    size_t length;          /* bytes of the tag's value to use; 0 = all */
    const char *one, *many; /* what the groups are called */
} grouping;
/* player, event, site, eco, eco:1, eco:2, year, month, or the name of a tag. False: none of these. */
bool grouping_read(grouping *out, const char *name);
/* Adds the names of the groups that the game belongs to, each followed by a NUL. */
void grouping_names(buffer *names, const grouping *by, const tby_game *game);

typedef struct groups groups;

/* `pattern` contains %s, which is replaced by the name. The words of `a` are the inputs, none of which will be
   overwritten. */
groups *groups_new(const char *pattern, const args *a);
/* Adds a game to the file of that name. Failures end the program. */
void groups_add(groups *p, const char *name, const char *game, size_t n);
/* Writes the rest, and prints the number of files and those whose name differs from the group's. */
void groups_close(groups *p, uint64_t n_games, const grouping *by);

#endif
