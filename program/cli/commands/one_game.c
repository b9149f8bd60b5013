/*
 * one_game.c - one game of a file or a database.
 */
#include "one_game.h"
#include "database.h"
#include "open_input.h"

#include <stdlib.h>

static void read_from_database(tby_game *game, const char *who, const char *path, unsigned long number)
{
    tby_failure failure;
    char shown[1024];
    tby_db *db;
    tby_db_name_write(shown, sizeof shown, path);
    if (tby_db_open(&db, path, TBY_DB_READ, &failure) != TBY_OK)
        error_exit("%s: %s: %s", who, shown, failure.text);
    const tby_status status = tby_db_game(game, db, (tby_game_id)number);
    if (status == TBY_NOT_FOUND)
        error_exit("%s: %s has no game %lu", who, shown, number);
    if (status != TBY_OK)
        error_exit("%s: %s: %s", who, shown, tby_db_failure(db)->text);
    tby_db_close(db);
}

static void read_from_file(tby_game *game, const char *who, const char *path, unsigned long number)
{
    input *in = input_open(path);
    if (!in)
        exit(EXIT_FAILED);
    tby_games *games = memory_got(input_notation(in, NULL)->open(input_read, in, NULL));
    while (tby_games_where(games).n_games + 1 < number && tby_games_skip(games))
        ;
    const tby_game_read read = tby_games_next(games, game, NULL, NULL);
    if (read == TBY_GAME_END)
        error_exit("%s: %s has no game %lu", who, path, number);
    if (read != TBY_GAME_GOOD)
        error_exit("%s: %s: game %lu has a fault; `tabiya check` reports it", who, path, number);
    tby_games_free(games);
    input_close(in);
}

tby_game *one_game_read(const char *who, const char *path, unsigned long number)
{
    tby_game *game = memory_got(tby_game_new(NULL));
    if (tby_db_is_server(path) || tby_db_is_file(path))
        read_from_database(game, who, path, number);
    else
        read_from_file(game, who, path, number);
    return game;
}
