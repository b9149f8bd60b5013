/*
 * indexes.c - the table of optional indexes, and what follows from it for all of them.
 */
#include "store/sqlite/index/index.h"
#include "store/sqlite/schema.h"

#define INDEX_DECLARE(name) extern const db_index index_##name;
INDEXES(INDEX_DECLARE)
#define INDEX_ROW(name) [INDEX_##name] = &index_##name,
const db_index *const db_indexes[N_INDEXES] = {INDEXES(INDEX_ROW)};

/* ---- Names ---------------------------------------------------------------------------------------------- */

bool tby_db_index_at(tby_db_index_about *out, size_t i)
{
    if (i >= N_INDEXES)
        return false;
    *out = (tby_db_index_about){db_indexes[i]->name, db_indexes[i]->about};
    return true;
}

/* ---- Tables --------------------------------------------------------------------------------------------- */

static void put_schema(buffer *out, const db_index *x)
{
    static const char *const forms[] = {
        [STORED_AS_LISTS] = SCHEMA_LIST, [STORED_AS_BLOCKS] = SCHEMA_BLOCKS, [STORED_BY_SQLITE] = "%s;"};
    buffer_printf(out, forms[x->storage], x->storage == STORED_BY_SQLITE ? x->sql : x->name);
}

void indexes_schema(buffer *out)
{
    for (unsigned i = 0; i < N_INDEXES; i++)
        put_schema(out, db_indexes[i]);
}

static void name_checksum(char out[40], const db_index *x) { sqlite3_snprintf(40, out, "%s_texts", x->name); }

static void put_checksum(buffer *out, const db_index *x, const char *otherwise)
{
    char name[40];
    name_checksum(name, x);
    if (x->checksum)
        buffer_printf(out, "INSERT OR %s INTO counter VALUES('%s', %lld);", otherwise, name, (long long)*x->checksum);
}

static bool want(lite *db, const char *name)
{
    buffer sql = {0};
    for (unsigned i = 0; i < N_INDEXES; i++) {
        const db_index *x = db_indexes[i];
        if (name && strcmp(name, x->name) != 0)
            continue;
        if (x->storage != STORED_BY_SQLITE)
            put_schema(&sql, x);
        buffer_printf(&sql, "INSERT OR IGNORE INTO counter VALUES('%s', 0);", x->name);
        put_checksum(&sql, x, "IGNORE");
    }
    return sql.n || sql.has_failed ? lite_run_text(db, &sql)
                                   : lite_fail(db, TBY_NOT_FOUND, "there is no index \"%.40s\"", name);
}

bool lite_want_index(tby_db *base, const char *name)
{
    lite *db = lite_of(base);
    return lite_begin(db) && lite_finish(db, want(db, name));
}

/* Files of versions before the index of named openings had that of opening codes by default. */
bool indexes_upgrade(lite *db)
{
    int64_t covered;
    return lite_counter_if(db, "eco", UINT32_MAX, &covered) && (covered < 0 || want(db, "opening"));
}

bool indexes_make_sql(lite *db)
{
    bool is_good = true;
    for (unsigned i = 0; i < N_INDEXES && is_good; i++) {
        int64_t covered;
        if (db_indexes[i]->storage == STORED_BY_SQLITE)
            is_good = lite_counter_if(db, db_indexes[i]->name, UINT32_MAX, &covered) &&
                      (covered < 0 || lite_run(db, db_indexes[i]->sql));
    }
    return is_good;
}

/* ---- Coverage ------------------------------------------------------------------------------------------- */

/* Are the index's texts those of this version? */
static bool read_texts(lite *db, const db_index *x, bool *are_current)
{
    char name[40];
    int64_t stored = -1;
    name_checksum(name, x);
    const bool is_good = !x->checksum || lite_counter_or(db, name, -1, &stored);
    *are_current = !x->checksum || stored == *x->checksum;
    return is_good;
}

bool index_stored(lite *db, index_place index, int64_t *out, bool *are_current)
{
    const db_index *x = db_indexes[index];
    *are_current = true;
    return lite_counter_if(db, x->name, UINT32_MAX, out) && (*out < 0 || read_texts(db, x, are_current));
}

bool index_covered(lite *db, index_place index, int64_t *out)
{
    bool are_current = true;
    if (!index_stored(db, index, out, &are_current))
        return false;
    *out = are_current ? *out : -1;
    return true;
}

static bool renew(lite *db, const db_index *x)
{
    buffer sql = {0};
    buffer_printf(&sql, "DELETE FROM %s; UPDATE counter SET value = 0 WHERE name = '%s';", x->name, x->name);
    put_checksum(&sql, x, "REPLACE");
    return lite_begin(db) && lite_finish(db, lite_run_text(db, &sql));
}

bool indexes_renew(lite *db)
{
    bool is_good = true;
    for (unsigned i = 0; i < N_INDEXES && is_good; i++) {
        int64_t last;
        bool are_current;
        is_good = !db_indexes[i]->checksum ||
                  (index_stored(db, (index_place)i, &last, &are_current) && (are_current || renew(db, db_indexes[i])));
    }
    return is_good;
}

bool index_rules_out(lite *db, index_place index, const tby_query *query, tby_game_id last_id, game_set *among,
                     bool *helps)
{
    const db_index *x = db_indexes[index];
    *helps = false;
    return !x->helps || (x->bounds ? lists_narrow(db, index, query, last_id, among, helps)
                                   : x->narrow(db, query, last_id, among, helps));
}
