/*
 * verify_tables.c - checks what a database stores besides its games: counters, the kinds of values, rows that belong to
 * nothing, and the order of indexes.
 */
#include "row/same.h"
#include "store/sqlite/index/counts.h"
#include "store/sqlite/index/index.h"
#include "store/sqlite/index/words.h"
#include "store/sqlite/names.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/verify.h"

/* ---- Counters ------------------------------------------------------------------------------------------- */

static bool check_counter(verifier *v, const char *name, int64_t right)
{
    int64_t value = 0;
    const bool is_sound = lite_counter(v->db, name, INT64_MAX, &value);
    if (!is_sound && v->db->base.failure.status != TBY_INVALID_DATABASE)
        return false;
    if (!is_sound || value != right)
        verify_fault(v, 0, "the counter %s is %s", name, is_sound ? "wrong" : "missing or wrong");
    return true;
}

/* A counter that may be missing if `without`, a number that SQL selects, is 0; otherwise it must be from `least` to
   `most`. */
static bool check_range(verifier *v, const char *name, int64_t least, int64_t most, const char *without)
{
    int64_t n = 0, value = 0, n_without = 0;
    if (!lite_number_of(v->db, &n, "SELECT count(*) FROM counter WHERE name = '%s'", name) ||
        !lite_counter_or(v->db, name, 0, &value) || (!n && !lite_number(v->db, without, &n_without)))
        return false;
    if (n ? value < least || value > most : n_without > 0)
        verify_fault(v, 0, "the counter %s is %s", name, n ? "wrong" : "missing");
    return true;
}

/* Writes SQL that counts rows of a table, 0 without the table. */
static bool put_count(verifier *v, char sql[160], const char *table, const char *condition)
{
    int64_t n = 0;
    const bool is_good =
        lite_number_of(v->db, &n, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '%s'", table);
    sqlite3_snprintf(160, sql, n ? "SELECT count(*) FROM (SELECT 1 FROM %s WHERE %s LIMIT 1)" : "SELECT 0", table,
                     condition);
    return is_good;
}

/* The counter of a table, which has no rows without it. */
static bool check_covering(verifier *v, const char *name, const char *table, const char *condition, int64_t most)
{
    char sql[160];
    return put_count(v, sql, table, condition) && check_range(v, name, 0, most, sql);
}

static bool check_words(verifier *v)
{
    char condition[40];
    bool is_good = true;
    for (unsigned i = 0; i < WORD_TABLES && is_good; i++) {
        sqlite3_snprintf(sizeof condition, condition, "(id >> 16 & 65535) = %u", i);
        is_good = check_covering(v, words_counters[i], "word", condition, NAMES_MAX);
    }
    return is_good;
}

static bool check_index(verifier *v, const db_index *x)
{
    int64_t n = 0;
    if (x->storage == STORED_BY_SQLITE)
        return check_range(v, x->name, 0, 0,
                           "SELECT count(*) FROM sqlite_schema WHERE name IN ('game_event', 'game_site')");
    if (!check_covering(v, x->name, x->name, "1", v->last_id))
        return false;
    if (!x->checksum)
        return true;
    if (!lite_number_of(v->db, &n,
                        "SELECT count(*) FROM counter c WHERE name = '%s' AND NOT EXISTS (SELECT 1 FROM counter t"
                        " WHERE t.name = c.name || '_texts' AND t.value >= 0)",
                        x->name))
        return false;
    if (n)
        verify_fault(v, 0, "the counter %s_texts is missing or wrong", x->name);
    return true;
}

/* The counters that say how far something goes: new games after them would not be added to it. */
static bool check_ranges(verifier *v)
{
    int64_t last_run = 0;
    bool is_good = lite_number(v->db, "SELECT coalesce(max(id), 0) FROM run", &last_run) &&
                   check_range(v, "last_run", last_run, RUN_ID_MAX, "SELECT count(*) FROM run") &&
                   check_covering(v, "common", "common", "1", 0) &&
                   check_covering(v, "hashes", "hash", "1", v->last_id) && check_words(v);
    for (unsigned i = 0; i < N_INDEXES && is_good; i++)
        is_good = check_index(v, db_indexes[i]);
    return is_good;
}

static void put_name(buffer *known, const char *name, const char *more)
{
    buffer_printf(known, "%s'%s%s'", known->n ? "," : "", name, more);
}

/* Every name must be one of ours, and every value a number. */
static bool check_known(verifier *v)
{
    static const char *const others[] = {"last_game", "last_run", "deleted", "plies", "annotated", "common", "hashes"};
    buffer known = {0};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        put_name(&known, others[i], "");
    for (unsigned i = 0; i < WORD_TABLES; i++)
        put_name(&known, words_counters[i], "");
    for (unsigned i = 0; i < N_INDEXES; i++) {
        put_name(&known, db_indexes[i]->name, "");
        if (db_indexes[i]->checksum)
            put_name(&known, db_indexes[i]->name, "_texts");
    }
    lite_rows r = lite_rows_of(
        v->db,
        known.has_failed ? NULL : lite_prepare_of(v->db, "SELECT name FROM counter WHERE name NOT IN (%s)", known.s));
    while (lite_next(&r)) {
        const tby_text name = lite_text_at(r.s, 0);
        verify_fault(v, 0, "there is an unknown counter: %.*s", name.n < 40 ? (int)name.n : 40, name.s);
    }
    const bool is_good = lite_end(&r) || (known.has_failed && lite_fail_memory(v->db));
    buffer_free(&known);
    return is_good;
}

/* Assigned numbers without a game must be those of deleted games. */
static bool check_counters(verifier *v)
{
    return check_counter(v, "deleted", v->last_id - v->n_games) && check_counter(v, "plies", (int64_t)v->n_plies) &&
           check_counter(v, "annotated", v->n_annotated) && check_known(v) && check_ranges(v);
}

/* ---- Records -------------------------------------------------------------------------------------------- */

/* Is the number of records in a table within its limit? `number` and `size` select the number of each block, and the
   size of its records. */
static bool check_length(verifier *v, const char *table, const char *key, const char *number, const char *size)
{
    int64_t n = 0;
    if (!lite_number_of(v->db, &n,
                        "SELECT count(*) FROM (SELECT %s AS k, %s AS b, %s AS size, length(CAST(records AS BLOB)) AS n"
                        " FROM %s) WHERE k < 0 OR n %% size <> 0 OR n > size * %d OR b * %d + n / size > %lld",
                        key, number, size, table, BLOCK_GAMES, BLOCK_GAMES, (long long)v->last_id))
        return false;
    if (n)
        verify_fault(v, 0, "the table %s has records after the last game, or parts of records", table);
    return true;
}

static bool check_lengths(verifier *v)
{
    _Static_assert(SKETCH_SIZE == 32 && FACT_SIZE == 8 && STOOD_COLUMNS == 13 && STOOD_MARKS == 12 && MARKS_SIZE == 2,
                   "the numbers below");
    int64_t covered;
    return check_length(v, "sketch", "block", "block", "32") && check_length(v, "fact", "block", "block", "8") &&
           lite_counter_or(v->db, "stood", -1, &covered) &&
           (covered == -1 || check_length(v, "stood", "id", "id / 13", "CASE id % 13 WHEN 12 THEN 2 ELSE 8 END"));
}

/* ---- Kinds of values ------------------------------------------------------------------------------------ */

/* SQLite accepts any value in any column; SQL then does not find it. Games are checked one by one, and tables of bytes
   by what these contain. */
static bool check_kinds(verifier *v, const char *table)
{
    int64_t n = 0;
    buffer wrong = {0};
    lite_rows r =
        lite_rows_of(v->db, lite_prepare_of(v->db, "SELECT name, lower(type) FROM pragma_table_info('%s')", table));
    while (lite_next(&r))
        buffer_printf(&wrong, "%stypeof(%s) <> '%s'", wrong.n ? " OR " : "", (const char *)sqlite3_column_text(r.s, 0),
                      (const char *)sqlite3_column_text(r.s, 1));
    bool is_good = lite_end(&r) && (!wrong.has_failed || lite_fail_memory(v->db));
    is_good = is_good && (!wrong.n || lite_number_of(v->db, &n, "SELECT count(*) FROM %s WHERE %s", table, wrong.s));
    buffer_free(&wrong);
    if (n)
        verify_fault(v, 0, "the table %s has values of the wrong kind", table);
    return is_good;
}

bool verify_tables(verifier *v)
{
    static const char *const tables[] = {"player", "event",   "site",       "shape", "run",
                                         "common", "counter", "collection", "member"};
    bool is_good = check_lengths(v) && check_counters(v);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && is_good; i++)
        is_good = check_kinds(v, tables[i]);
    return is_good;
}

/* ---- Entries of indexes --------------------------------------------------------------------------------- */

uint64_t verify_hash(sqlite3_stmt *s, int at, tby_game_id id)
{
    const int type = sqlite3_column_type(s, at);
    if (type == SQLITE_INTEGER || type == SQLITE_NULL) {
        const int64_t words[2] = {sqlite3_column_int64(s, at), id};
        return bytes_hash((uint64_t)type, words, sizeof words);
    }
    const tby_text bytes = lite_text_at(s, at);
    return bytes_hash(bytes_hash((uint64_t)type, bytes.s, bytes.n), &id, sizeof id);
}

/* What comes before: NULL, numbers, texts, bytes. */
static int rank_of(int type) { return type == SQLITE_NULL ? 0 : type == SQLITE_TEXT ? 2 : type == SQLITE_BLOB ? 3 : 1; }

/* An entry of an index; with the same value, games ascend. */
typedef struct entry {
    int rank;
    int64_t number;
    buffer bytes;
    tby_game_id id;
} entry;

static bool is_before(const entry *e, sqlite3_stmt *s, tby_game_id id)
{
    const int rank = rank_of(sqlite3_column_type(s, 0));
    const int64_t number = rank == 1 ? sqlite3_column_int64(s, 0) : 0;
    const tby_text bytes = rank > 1 ? lite_text_at(s, 0) : (tby_text){"", 0};
    if (e->rank != rank)
        return e->rank < rank;
    if (e->number != number)
        return e->number < number;
    const int order = text_order((tby_text){e->bytes.n ? e->bytes.s : "", e->bytes.n}, bytes);
    return order ? order < 0 : e->id < id;
}

static void take_entry(entry *e, sqlite3_stmt *s, tby_game_id id)
{
    const int rank = rank_of(sqlite3_column_type(s, 0));
    const tby_text bytes = rank > 1 ? lite_text_at(s, 0) : (tby_text){"", 0};
    e->rank = rank;
    e->number = rank == 1 ? sqlite3_column_int64(s, 0) : 0;
    e->id = id;
    e->bytes.n = 0;
    buffer_add(&e->bytes, bytes.s, bytes.n);
}

bool verify_index(lite *db, size_t column, uint64_t *sum, bool *is_unordered)
{
    const char *name = row_columns[column].name;
    const bool is_hash = row_columns[column].kind == COLUMN_HASH;
    entry before = {.rank = -1};
    lite_rows r = lite_rows_of(
        db, is_hash
                ? lite_prepare(db, "SELECT hash, game FROM hash ORDER BY hash, game")
                : lite_prepare_of(db, "SELECT %s, id FROM game INDEXED BY game_%s ORDER BY %s, id", name, name, name));
    while (lite_next(&r)) {
        const tby_game_id id = sqlite3_column_int64(r.s, 1);
        *is_unordered |= !is_before(&before, r.s, id);
        *sum += verify_hash(r.s, 0, id);
        take_entry(&before, r.s, id);
        r.failed = before.bytes.has_failed && !lite_fail_memory(db);
    }
    buffer_free(&before.bytes);
    return lite_end(&r);
}
