/*
 * load.c - a stored game as it was added.
 */
#include "store/row.h"
#include "store/tag_text.h"

#include <stdlib.h>
#include <string.h>

static tby_text text_at(sqlite3_stmt *s, int column)
{
    const char *bytes = sqlite3_column_blob(s, column);
    const bool is_null = sqlite3_column_type(s, column) == SQLITE_NULL;
    /* SQLite gives no address for what is empty. */
    return (tby_text){is_null ? NULL : bytes ? bytes : "", bytes ? (size_t)sqlite3_column_bytes(s, column) : 0};
}

/* What is out of range is not known; `verify` tells it. */
static int number_at(sqlite3_stmt *s, int column, int most)
{
    const int64_t number = sqlite3_column_int64(s, column);
    return number < 0 || number > most ? 0 : (int)number;
}

tby_row tby_row_of_statement(sqlite3_stmt *s)
{
    enum { DATE_MAX = 99991231 };
    tby_row row = {
        .white = text_at(s, ROW_WHITE),
        .black = text_at(s, ROW_BLACK),
        .event = text_at(s, ROW_EVENT),
        .site = text_at(s, ROW_SITE),
        .round = text_at(s, ROW_ROUND),
        .eco = text_at(s, ROW_ECO),
        .shape = text_at(s, ROW_SHAPE),
        .tags = text_at(s, ROW_TAGS),
        .moves = text_at(s, ROW_MOVES),
        .annotated = text_at(s, ROW_ANNOTATED),
        .date = number_at(s, ROW_DATE, DATE_MAX),
        .elo = {number_at(s, ROW_WHITE_ELO, ELO_MAX), number_at(s, ROW_BLACK_ELO, ELO_MAX)},
        .plies = (uint32_t)number_at(s, ROW_PLIES, TBY_PLIES_MAX),
        .hash = (uint64_t)sqlite3_column_int64(s, ROW_HASH),
    };
    const tby_text result = text_at(s, ROW_RESULT);
    if (tby_result_read(&row.result, result.s ? result.s : "", result.n, NULL) != TBY_OK)
        row.result = TBY_RESULT_NONE;
    return row;
}

/* The row of a game, and its statement, which is to be reset; NULL if there is none. */
static sqlite3_stmt *row_begin(lite *db, tby_game_id id, tby_row *out)
{
    bool failed = false;
    sqlite3_stmt *s = lite_statement(db, SQL_GAME_BY_ID);
    if (!s)
        return NULL;
    sqlite3_bind_int64(s, 1, id);
    if (lite_step(db, s, &failed)) {
        *out = tby_row_of_statement(s);
        if (sqlite3_errcode(db->sql) != SQLITE_NOMEM)
            return s;
        failed = !lite_fail_memory(db);
    }
    sqlite3_reset(s);
    if (!failed)
        lite_fail(db, TBY_NOT_FOUND, "there is no game %lld", (long long)id);
    return NULL;
}

bool lite_game(lite *db, tby_game_id id, tby_game *out)
{
    tby_row row;
    tby_error err = {.status = TBY_OK};
    sqlite3_stmt *s = row_begin(db, id, &row);
    if (!s)
        return false;
    const tby_status status = tby_row_game(out, &row, &err);
    sqlite3_reset(s);
    if (status == TBY_NO_MEMORY)
        return lite_fail_memory(db);
    return status == TBY_OK ||
           lite_fail(db, TBY_INVALID_DATABASE, "game %lld is damaged: %s", (long long)id, err.detail);
}

/* A statement that is not reset would keep others from writing, so the row is copied. */
bool lite_row(lite *db, tby_game_id id, tby_row *out)
{
    sqlite3_stmt *s = row_begin(db, id, out);
    tby_text *texts[] = {&out->white, &out->black, &out->event, &out->site,  &out->round,
                         &out->eco,   &out->shape, &out->tags,  &out->moves, &out->annotated};
    size_t n = 1;
    if (!s)
        return false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        n += texts[i]->n;
    char *memory = realloc(db->row, n);
    if (memory) {
        db->row = memory;
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            if (!texts[i]->s)
                continue;
            memcpy(memory, texts[i]->s, texts[i]->n);
            texts[i]->s = memory;
            memory += texts[i]->n;
        }
    }
    sqlite3_reset(s);
    return memory || lite_fail_memory(db);
}
