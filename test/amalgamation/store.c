/*
 * store.c - a database with the amalgamation: created, filled, searched.
 */
#include "tabiya_db.h"

#include <stdio.h>
#include <string.h>

static bool print(void *context, const tby_db_hit *hit)
{
    (void)context;
    printf("game %lld, ply %d\n", (long long)hit->id, hit->ply);
    return true;
}

int main(int argc, char **argv)
{
    static const char text[] = "[White \"Ada\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
    tby_failure failure;
    tby_db *db;
    tby_db_added added = {0, 0};
    tby_query *query = tby_query_new("white ada mate", 14, NULL, NULL, NULL);
    const tby_db_search search = {.query = query};
    tby_batch *batch = tby_batch_new();
    tby_game *game = tby_game_new(NULL);
    tby_pgn *pgn = tby_pgn_new_memory(text, strlen(text), NULL, NULL);

    if (argc != 2 || tby_db_open(&db, argv[1], TBY_DB_CREATE, &failure) != TBY_OK)
        return 1;
    if (tby_game_read_pgn(game, pgn, NULL, NULL) != TBY_GAME_GOOD || tby_batch_add(batch, game) != TBY_OK ||
        tby_db_begin(db) != TBY_OK || tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP) != TBY_OK ||
        tby_db_commit(db) != TBY_OK || tby_db_index(db, TBY_INDEX_ALL, NULL, NULL) != TBY_OK ||
        tby_db_find(db, &search, print, NULL) != TBY_OK)
        printf("failed: %s\n", tby_db_failure(db)->text);
    printf("%llu stored\n", (unsigned long long)added.stored);
    tby_pgn_free(pgn);
    tby_game_free(game);
    tby_batch_free(batch);
    tby_query_free(query);
    tby_db_close(db);
    return 0;
}
