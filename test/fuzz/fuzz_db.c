/*
 * fuzz_db.c - database files with any damage: every query returns an answer or an error, and verify terminates.
 *
 * The input is a list of patches to a valid file: the offset (three bytes), the length (one byte), and the bytes. Most
 * of the file stays valid, so the damage reaches deep into the code.
 */
#include "support.h"

#include "tabiya_db.h"

#include <stdio.h>
#include <unistd.h>

static char path[64];
static char *original;
static size_t n_original;

static const char games[] =
    "[White \"Anna\"]\n[Date \"2020.01.02\"]\n[WhiteElo \"2400\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 {[%eval 0.3]} a6 "
    "1-0\n\n"
    "[White \"Bob\"]\n[Event \"Cup\"]\n\n1. e4 c5 2. Nf3 d6 (2... e6) 3. d4 cxd4 4. Nxd4 Nf6 0-1\n\n"
    "[FEN \"8/5k2/8/8/8/8/1P6/K7 w - - 0 1\"]\n\n1. b4 Ke6 2. b5 1/2-1/2\n\n1. d4 d5 2. c4 *\n";

static void make_original(void)
{
    tby_failure failure;
    tby_db *db;
    memory in = {(char *)(uintptr_t)games, sizeof games - 1, 0, 0, 0};
    tby_pgn *pgn = tby_pgn_new(from_memory, &in, NULL, NULL);
    tby_game *game = tby_game_new(NULL);
    tby_batch *batch = tby_batch_new();
    tby_db_added added = {0, 0};
    snprintf(path, sizeof path, "/dev/shm/tabiya-fuzz-%ld.db", (long)getpid());
    unlink(path);
    while (tby_game_read_pgn(game, pgn, NULL, NULL) == TBY_GAME_GOOD)
        require(tby_batch_add(batch, game) == TBY_OK);
    require(tby_db_open(&db, path, TBY_DB_CREATE, &failure) == TBY_OK && tby_db_begin(db) == TBY_OK);
    require(tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP) == TBY_OK && tby_db_commit(db) == TBY_OK);
    require(tby_db_want_index(db, "stood") == TBY_OK && tby_db_want_index(db, "material") == TBY_OK);
    require(tby_db_index(db, TBY_INDEX_ALL, NULL, NULL) == TBY_OK);
    tby_db_close(db);
    tby_batch_free(batch);
    tby_game_free(game);
    tby_pgn_free(pgn);
    FILE *file = fopen(path, "rb");
    require(file && fseek(file, 0, SEEK_END) == 0);
    n_original = (size_t)ftell(file);
    rewind(file);
    original = malloc(n_original);
    require(original && fread(original, 1, n_original, file) == n_original);
    fclose(file);
}

static void write_damaged(const uint8_t *data, size_t size)
{
    char *bytes = malloc(n_original);
    require(bytes != NULL);
    memcpy(bytes, original, n_original);
    for (size_t at = 0; at + 4 <= size;) {
        const size_t where = ((size_t)data[at] | (size_t)data[at + 1] << 8 | (size_t)data[at + 2] << 16) % n_original;
        size_t n = data[at + 3];
        at += 4;
        n = n < size - at ? n : size - at;
        n = n < n_original - where ? n : n_original - where;
        memcpy(bytes + where, data + at, n);
        at += n;
    }
    FILE *file = fopen(path, "wb");
    require(file && fwrite(bytes, 1, n_original, file) == n_original && fclose(file) == 0);
    free(bytes);
}

static bool take(void *context, const tby_db_hit *hit)
{
    tby_row row;
    (void)tby_db_row(&row, context, hit->id);
    return true;
}

static void ask(tby_db *db)
{
    static const char *const queries[] = {
        "", "player anna", "Bb5 or KPvK", "elo 2300.. date 2020", "opening \"1. e4 c5\"", "event cup"};
    static tby_db_moves moves;
    tby_position pos;
    int64_t n;
    tby_game *game = tby_game_new(NULL);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        tby_query *query = *queries[i] ? tby_query_new(queries[i], strlen(queries[i]), NULL, NULL, NULL) : NULL;
        const tby_db_search search = {.query = query, .n_threads = 1};
        (void)tby_db_find(db, &search, take, db);
        (void)tby_db_count(&n, db, &search);
        tby_query_free(query);
    }
    tby_position_start(&pos);
    (void)tby_db_explore(&moves, db, &pos, NULL);
    for (tby_game_id id = 1; id < 5; id++)
        (void)tby_db_game(game, db, id);
    (void)tby_db_verify(&n, db, NULL, NULL, NULL);
    tby_game_free(game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tby_failure failure = {.status = TBY_OK};
    tby_db *db;
    if (!original)
        make_original();
    write_damaged(data, size);
    const tby_status status = tby_db_open(&db, path, size % 2 ? TBY_DB_READ : TBY_DB_WRITE, &failure);
    require(status == TBY_OK || failure.text[0]);
    if (status == TBY_OK) {
        const tby_game_id ids[] = {1, 3};
        int64_t n;
        ask(db);
        if (size % 2 == 0) {
            (void)tby_db_delete(&n, db, ids, 2);
            (void)tby_db_index(db, TBY_INDEX_ALL, NULL, NULL);
        }
        tby_db_close(db);
    }
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    for (int i = 0; i < 4; i++) {
        char other[80];
        snprintf(other, sizeof other, "%s%s", path, suffixes[i]);
        unlink(other);
    }
    return 0;
}
