/*
 * collection.c - opens collections of games; those that are files.
 */
#include "collection.h"
#include "progress.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static void file_close(void *db) { tby_db_close(db); }
static const char *file_error(void *db) { return tby_db_error(db); }
static bool file_begin(void *db) { return tby_db_begin(db); }
static bool file_commit(void *db) { return tby_db_commit(db); }
static bool file_index(void *db, int plies) { return tby_db_index(db, plies, database_report, NULL); }
static int64_t file_count(void *db, const query *q) { return tby_db_count(db, &q->db); }
static bool file_row(void *db, tby_game_id id, tby_row *out) { return tby_db_row(db, id, out); }

static bool file_add(void *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added)
{
    return tby_db_add(db, batch, duplicates, added);
}

static bool file_find(void *db, const query *q, wanted what, tby_db_visit visit, void *context)
{
    (void)what;
    return tby_db_find(db, &q->db, visit, context);
}

static int64_t file_last_id(void *db)
{
    int64_t id = -1;
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(tby_db_sqlite(db), "SELECT coalesce(max(id), 1) FROM game", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW)
        id = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return id;
}

static bool file_explore(void *db, const tby_position *pos, tby_db_moves *out)
{
    return tby_db_explore(db, pos, false, out);
}

static const collection_kind file_kind = {
    .close = file_close,
    .error = file_error,
    .begin = file_begin,
    .add = file_add,
    .commit = file_commit,
    .index = file_index,
    .check_where = query_check_where,
    .find = file_find,
    .count = file_count,
    .last_id = file_last_id,
    .explore = file_explore,
    .row = file_row,
};

/* ---- Collections ------------------------------------------------------------------------------------------------ */

collection *collection_open(const args *a, tby_db_mode mode)
{
    collection *c = memory_new(1, sizeof *c);
    *c = (collection){.kind = &file_kind, .args = a, .name = a->n_words ? a->words[0] : NULL};
    if (c->name && pg_is_url(c->name)) {
        c->kind = &pg_kind;
        c->name = pg_url_shown(a->words[0]);
        c->db = pg_open(a->words[0], mode, c->error);
        if (!c->db)
            error_exit("%s: %s: %s", a->command->name, c->name, c->error);
    } else {
        c->db = c->file = database_open(a, mode);
    }
    return c;
}

void collection_close(collection *c)
{
    c->kind->close(c->db);
    if (!c->file)
        free((char *)c->name);
    free(c);
}

const char *collection_error(collection *c) { return c->error[0] ? c->error : c->kind->error(c->db); }

_Noreturn void collection_failed(collection *c)
{
    progress_hide();
    error_print("%s: %s: %s", c->args->command->name, c->name, collection_error(c));
    collection_close(c);
    out_close();
    exit(EXIT_FAILED);
}

void collection_query(collection *c, query *q) { query_of_options(q, c->args, c->kind->check_where, c->db); }

bool collection_game(collection *c, tby_game_id id, tby_game *out)
{
    tby_row row;
    tby_error err = {.status = TBY_OK};
    c->error[0] = '\0';
    if (!c->kind->row(c->db, id, &row))
        return false;
    const tby_status status = tby_row_game(out, &row, &err);
    if (status == TBY_NO_MEMORY)
        error_exit("out of memory");
    if (status != TBY_OK)
        snprintf(c->error, sizeof c->error, "game %lld is damaged: %s", (long long)id, err.detail);
    return status == TBY_OK;
}
