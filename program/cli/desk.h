/*
 * desk.h - one server per user and games: tabiya serve --open, and what a double click opens.
 *
 * In the user's folder for the program's own files (os_state_folder):
 *
 *     last           the path of the games that were served last
 *     server-HASH    locked by the server of these games as long as it runs; its address, for the next start
 *     sample.pgn     the sample games, if the user has opened no others
 */
#ifndef TABIYA_CLI_DESK_H
#define TABIYA_CLI_DESK_H

#include <stdbool.h>
#include <stddef.h>

enum { DESK_URL_SIZE = 160 };

typedef struct desk {
    int file; /* locked; -1: none */
} desk;

/* Takes the place of the server for these games. False if another one has it: then its address is in `url`. Without a
   folder for such files, nothing is noted, and nothing is known of others. */
bool desk_take(desk *d, char url[DESK_URL_SIZE], const char *const *games, size_t n);
/* The server has this address. */
void desk_tell(const desk *d, const char *url);
void desk_leave(desk *d);

/* The games that were served last, if they are still there, else the sample games; to be freed. NULL if there is no folder
   for them. */
char *desk_last(void);

#endif
