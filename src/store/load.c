/*
 * load.c - a stored game as it was added.
 */
#include "codec/json_lex.h"
#include "store/db.h"
#include "store/tag_text.h"

#include <stdlib.h>
#include <string.h>

static bool no_memory(tby_db *db) { return tby_db_fail(db, "out of memory"); }

/* ---- Tags ----------------------------------------------------------------------------------------------- */

/* The value of the JSON object's member `name`, NULL if it has none; `out` has room for the object's length. */
static const char *member(sqlite3_stmt *s, const char *name, char *out)
{
    const char *text = (const char *)sqlite3_column_text(s, ROW_TAGS);
    json_text value;
    const char *at = NULL;
    if (!text)
        return NULL;
    json_reader j = tby_json_begin(text, (size_t)sqlite3_column_bytes(s, ROW_TAGS));
    if (!tby_json_members(&j, &name, &at, 1) || !at)
        return NULL;
    j.at = at;
    if (!tby_json_text(&j, &value))
        return NULL;
    out[tby_json_unescape(out, &value)] = '\0';
    return out;
}

/* The text that a column gives; NULL for a tag without one. */
static const char *column_text(sqlite3_stmt *s, const char *name, char number[TAG_TEXT_SIZE])
{
    static const struct {
        const char *name;
        int column;
    } columns[] = {
        {"White", ROW_WHITE},        {"Black", ROW_BLACK},        {"Event", ROW_EVENT},
        {"Site", ROW_SITE},          {"Round", ROW_ROUND},        {"Result", ROW_RESULT},
        {"WhiteElo", ROW_WHITE_ELO}, {"BlackElo", ROW_BLACK_ELO}, {"ECO", ROW_ECO},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i].name, name) == 0)
            return (const char *)sqlite3_column_text(s, columns[i].column);
    if (strcmp(name, "Date") != 0)
        return NULL;
    tby_date_write(number, sqlite3_column_int(s, ROW_DATE));
    return number;
}

static bool set_tag(tby_game *game, sqlite3_stmt *s, const char *name, char *memory)
{
    char number[TAG_TEXT_SIZE];
    const char *value = member(s, name, memory);
    if (!value)
        value = column_text(s, name, number);
    return !value || tby_game_set_tag(game, name, strlen(name), value, strlen(value));
}

/* In the order of the shape. */
static bool set_tags(tby_db *db, tby_game *game, sqlite3_stmt *s)
{
    const char *shape = (const char *)sqlite3_column_text(s, ROW_SHAPE);
    char *names = shape ? strdup(shape) : NULL, *memory = malloc((size_t)sqlite3_column_bytes(s, ROW_TAGS) + 1);
    bool is_good = names && memory;
    for (char *name = names; is_good && *name;) {
        char *end = name + strcspn(name, " ");
        const bool is_last = !*end;
        *end = '\0';
        is_good = set_tag(game, s, name, memory);
        name = is_last ? end : end + 1;
    }
    free(names);
    free(memory);
    return is_good || no_memory(db);
}

/* ---- Moves ---------------------------------------------------------------------------------------------- */

static bool set_moves(tby_db *db, tby_game *game, sqlite3_stmt *s, tby_game_id id)
{
    const uint8_t *bytes = sqlite3_column_blob(s, ROW_MOVES);
    const size_t n = (size_t)sqlite3_column_bytes(s, ROW_MOVES);
    tby_error err;
    tby_packed cursor;
    if (tby_packed_check(bytes, n, &err) != TBY_OK || !tby_packed_begin(&cursor, bytes, n))
        return tby_db_fail(db, "game %lld is damaged: %s", (long long)id, err.detail);
    if (!tby_game_set_start(game, &cursor.pos, false))
        return no_memory(db);
    tby_node node = TBY_ROOT;
    for (tby_move m; (m = tby_packed_next(&cursor)) != TBY_MOVE_NONE;)
        if ((node = tby_game_add(game, node, m)) == TBY_NO_NODE)
            return no_memory(db);
    tby_game_set_result(game, tby_packed_result(bytes, n));
    return true;
}

static bool set_annotated(tby_db *db, tby_game *game, sqlite3_stmt *s, tby_game_id id)
{
    tby_error err;
    if (tby_cmbr_decode(game, sqlite3_column_blob(s, ROW_ANNOTATED), (size_t)sqlite3_column_bytes(s, ROW_ANNOTATED),
                        &err) == TBY_OK)
        return true;
    return tby_db_fail(db, "game %lld is damaged: %s", (long long)id, err.detail);
}

bool tby_db_game(tby_db *db, tby_game_id id, tby_game *out)
{
    bool failed = false;
    sqlite3_stmt *s = tby_db_statement(db, SQL_GAME_BY_ID);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, id);
    tby_game_clear(out);
    if (!tby_db_step(db, s, &failed))
        failed = failed || !tby_db_fail(db, "there is no game %lld", (long long)id);
    else if (sqlite3_column_type(s, ROW_ANNOTATED) != SQLITE_NULL)
        failed = !set_annotated(db, out, s, id);
    else
        failed = !set_moves(db, out, s, id) || !set_tags(db, out, s);
    sqlite3_reset(s);
    return !failed;
}
