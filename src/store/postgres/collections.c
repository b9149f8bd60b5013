/*
 * collections.c - named sets of games on a PostgreSQL server: a table that is created when the first game is collected;
 * in a cluster, one on each shard for its games.
 */
#include "store/postgres/server.h"

#include <inttypes.h>
#include <stdio.h>

/* Most databases have no collections. */
static bool find_table(server *s, bool *out)
{
    int64_t is_there = 0;
    const bool is_good =
        pg_number_of(&s->to, "SELECT (to_regclass('tabiya.member') IS NOT NULL)::integer", 0, &is_there);
    *out = is_there;
    return is_good;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

bool server_collections(server *s, tby_game_id game, collection_take take, void *context)
{
    bool is_there;
    char condition[48] = "TRUE", sql[160];
    if (game)
        snprintf(condition, sizeof condition, "game = %" PRId64, (int64_t)game);
    snprintf(sql, sizeof sql, "SELECT collection, count(*) FROM tabiya.member WHERE %s GROUP BY collection", condition);
    if (!find_table(s, &is_there))
        return false;
    if (!is_there)
        return true;
    pg_send(&s->to, sql, NULL);
    while (pg_next(&s->to))
        take(context, pg_text(&s->to, 0), pg_number(&s->to, 1));
    return pg_is_good(&s->to);
}

bool server_members(server *s, tby_text name, void (*take)(void *context, tby_game_id id), void *context)
{
    pg_values v = {.n = 0};
    bool is_there;
    if (!find_table(s, &is_there))
        return false;
    if (!is_there)
        return true;
    pg_value_of(&v, name.s, name.n);
    pg_send(&s->to, "SELECT game FROM tabiya.member WHERE collection = $1::text", &v);
    while (pg_next(&s->to))
        take(context, pg_number(&s->to, 0));
    pg_values_free(&v);
    return pg_is_good(&s->to);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* A foreign key removes deleted games; tables distributed by Citus cannot have one. */
static bool make_table(server *s)
{
    return pg_run_format(&s->to,
                         "CREATE TABLE IF NOT EXISTS tabiya.member (collection text COLLATE \"C\" NOT NULL, game bigint"
                         " NOT NULL%s, PRIMARY KEY (collection, game));"
                         "CREATE INDEX IF NOT EXISTS member_game ON tabiya.member (game);"
                         "COMMENT ON TABLE tabiya.member IS 'collections: named sets of games'",
                         s->has_citus ? "" : " REFERENCES tabiya.game ON DELETE CASCADE");
}

static bool change(server *s, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding, int64_t *n_changed)
{
    pg_values v = {.n = 0};
    buffer list = {0};
    pg_value_of(&v, name.s, name.n);
    if (ids) {
        put_ids(&list, ids, n_ids);
        pg_value_take(&v, &list);
    }
    const bool is_good =
        pg_query(&s->to,
                 is_adding ? "INSERT INTO tabiya.member SELECT $1::text, id FROM tabiya.game WHERE id = ANY"
                             " ($2::bigint[]) ON CONFLICT DO NOTHING RETURNING game"
                 : ids     ? "DELETE FROM tabiya.member WHERE collection = $1::text AND game = ANY ($2::bigint[])"
                             " RETURNING game"
                           : "DELETE FROM tabiya.member WHERE collection = $1::text RETURNING game",
                 &v, n_changed);
    pg_values_free(&v);
    return is_good;
}

bool server_collect(server *s, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding, int64_t *n_changed)
{
    bool is_there;
    *n_changed = 0;
    if (!find_table(s, &is_there))
        return false;
    if (!is_there && !is_adding)
        return true;
    return (is_there || make_table(s)) && change(s, name, ids, n_ids, is_adding, n_changed);
}

bool server_uncollect(server *s, const char *ids)
{
    pg_values v = {.n = 0};
    bool is_there;
    pg_value(&v, ids);
    const bool is_good =
        find_table(s, &is_there) &&
        (!is_there || pg_query(&s->to, "DELETE FROM tabiya.member WHERE game = ANY ($1::bigint[])", &v, NULL));
    pg_values_free(&v);
    return is_good;
}
