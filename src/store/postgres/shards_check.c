/*
 * shards_check.c - what must be right of a database before it becomes a shard or a coordinator: the extension, in the
 * same version and schema everywhere, because the coordinator sends calls of its functions by name; and that it is no
 * database that is given a second time, by whatever name of its server.
 */
#include "store/postgres/pg.h"

#include <string.h>

static bool take_text(void *context, pg *p)
{
    const tby_text text = pg_text(p, 0);
    buffer_add(context, text.s ? text.s : "", text.n);
    return true;
}

static bool ask_text(pg *p, const char *sql, buffer *out)
{
    out->n = 0;
    buffer_string(out, "");
    return pg_query(p, sql, NULL, take_text, out) && (!out->has_failed || db_fail_memory(&p->base));
}

/* ---- Which database? -------------------------------------------------------------------------------------------- */

/* No two servers begin in the same microsecond and have a database with the same number. */
bool pg_write_identity(pg *p, buffer *out)
{
    return ask_text(p,
                    "SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' || oid::text FROM pg_database"
                    " WHERE datname = current_database()",
                    out);
}

/* ---- The extension ---------------------------------------------------------------------------------------------- */

/* The version that the database has, or will have when the extension is created; empty if the server has none. */
static bool find_version(pg *p, buffer *out)
{
    return ask_text(p,
                    "SELECT coalesce(e.extversion, a.default_version) FROM pg_available_extensions a LEFT JOIN"
                    " pg_extension e ON e.extname = a.name WHERE a.name = 'tabiya'",
                    out);
}

/* Empty if the database does not have the extension yet. */
static bool find_schema(pg *p, buffer *out)
{
    return ask_text(p, "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'tabiya'", out);
}

static bool are_equal(const buffer *a, const buffer *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->s, b->s, a->n) == 0);
}

static int length(const buffer *text) { return (int)text->n; }

static bool compare(pg *shard, const buffer version[2], const buffer schema[2])
{
    if (version[0].n == 0)
        return pg_fail(shard, "the extension tabiya is not installed on this server");
    if (!are_equal(&version[0], &version[1]))
        return pg_fail(shard,
                       "its extension tabiya has version %.*s, that of the coordinator %.*s; install the later one on"
                       " both servers, then run ALTER EXTENSION tabiya UPDATE",
                       length(&version[0]), version[0].s, length(&version[1]), version[1].s);
    return schema[0].n == 0 || are_equal(&schema[0], &schema[1]) ||
           pg_fail(shard,
                   "its extension tabiya is in the schema %.*s, that of the coordinator in %.*s; ALTER EXTENSION"
                   " tabiya SET SCHEMA moves it",
                   length(&schema[0]), schema[0].s, length(&schema[1]), schema[1].s);
}

bool pg_check_shard_extension(pg *shard, pg *coordinator)
{
    buffer version[2] = {0}, schema[2] = {0};
    bool is_good = find_version(shard, &version[0]) && find_schema(shard, &schema[0]);
    if (is_good && !(find_version(coordinator, &version[1]) && find_schema(coordinator, &schema[1])))
        is_good = pg_fail(shard, "%s", coordinator->base.error);
    is_good = is_good && compare(shard, version, schema);
    for (int i = 0; i < 2; i++) {
        buffer_free(&version[i]);
        buffer_free(&schema[i]);
    }
    return is_good;
}

bool pg_check_coordinator_extension(pg *p)
{
    int64_t knows_shards;
    return pg_number_of(p,
                        "SELECT count(*) FROM pg_proc p JOIN pg_extension e ON e.extnamespace = p.pronamespace"
                        " WHERE e.extname = 'tabiya' AND p.proname = 'shardsql'",
                        0, &knows_shards) &&
           (knows_shards || pg_fail(p, "its extension tabiya has a version that does not know shards; ALTER EXTENSION"
                                       " tabiya UPDATE brings the one that is installed on the server"));
}
