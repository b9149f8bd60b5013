/*
 * collections.c - deletes games, and lists and changes collections, named sets of games: a table that is created when
 * the first game is collected.
 */
#include "store/postgres/server.h"

#include <inttypes.h>
#include <stdio.h>

/* Most databases have no collections. */
static bool find_table(server *s, bool *out) { return server_has(s, "member", out); }

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* Without a table there are no rows. */
static bool send(server *s, const char *sql, const pg_values *v)
{
    bool is_there;
    return find_table(s, &is_there) && (!is_there || pg_send(&s->to, sql, v));
}

bool postgres_collections(tby_db *db, tby_game_id game, collection_take take, void *context)
{
    connection *row = &((server *)db)->to;
    char condition[48] = "TRUE", sql[160];
    if (game)
        snprintf(condition, sizeof condition, "game = %" PRId64, (int64_t)game);
    snprintf(sql, sizeof sql, "SELECT collection, count(*) FROM tabiya.member WHERE %s GROUP BY collection", condition);
    if (!send((server *)db, sql, NULL))
        return false;
    while (pg_next(row))
        take(context, pg_text(row, 0), pg_number(row, 1));
    return pg_is_good(row);
}

bool postgres_members(tby_db *db, tby_text name, void (*take)(void *context, tby_game_id id), void *context)
{
    connection *row = &((server *)db)->to;
    pg_values v = {.n = 0};
    pg_value_of(&v, name.s, name.n);
    const bool is_sent = send((server *)db, "SELECT game FROM tabiya.member WHERE collection = $1::text", &v);
    while (is_sent && pg_next(row))
        take(context, pg_number(row, 0));
    pg_values_free(&v);
    return is_sent && pg_is_good(row);
}

/* ---- Changing --------------------------------------------------------------------------------------------------- */

/* What is changed: games that go, or what a collection has. */
typedef struct change {
    buffer ids;    /* {1,2,3} */
    bool has_ids;  /* otherwise all games of the collection go */
    tby_text name; /* of the collection; none: the games go */
    bool is_adding;
} change;

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

static bool collect(server *s, const change *of, int64_t *n_changed)
{
    pg_values v = {.n = 0};
    bool is_there;
    if (!find_table(s, &is_there))
        return false;
    if (!is_there && !of->is_adding)
        return true;
    pg_value_of(&v, of->name.s, of->name.n);
    if (of->has_ids)
        pg_value(&v, of->ids.s);
    const bool is_good =
        (is_there || make_table(s)) &&
        pg_query(&s->to,
                 of->is_adding ? "INSERT INTO tabiya.member SELECT $1::text, id FROM tabiya.game WHERE id = ANY"
                                 " ($2::bigint[]) ON CONFLICT DO NOTHING RETURNING game"
                 : of->has_ids ? "DELETE FROM tabiya.member WHERE collection = $1::text AND game = ANY ($2::bigint[])"
                                 " RETURNING game"
                               : "DELETE FROM tabiya.member WHERE collection = $1::text RETURNING game",
                 &v, n_changed);
    pg_values_free(&v);
    return is_good;
}

/* What triggers and foreign keys do where there is no Citus. */
static bool uncount(server *s, const change *of, const pg_values *ids)
{
    bool is_there;
    return citus_count_games(s, of->ids.s, true) && contents_count_games(s, of->ids.s, true) &&
           find_table(s, &is_there) &&
           (!is_there || pg_query(&s->to, "DELETE FROM tabiya.member WHERE game = ANY ($1::bigint[])", ids, NULL));
}

static bool erase(server *s, const change *of, int64_t *n_deleted)
{
    const bool is_own = s->has_citus && !s->to.is_writing; /* counts and games are deleted together */
    pg_values v = {.n = 0};
    pg_value(&v, of->ids.s);
    bool is_good =
        (!is_own || pg_run(&s->to, PG_TAKE_TURN)) && (!s->has_citus || uncount(s, of, &v)) &&
        pg_query(&s->to, "DELETE FROM tabiya.game WHERE id = ANY ($1::bigint[]) RETURNING id", &v, n_deleted);
    is_good = is_own ? pg_end(&s->to, is_good) && citus_note_change(s) : is_good;
    pg_values_free(&v);
    return is_good;
}

void put_ids(buffer *out, const tby_game_id *ids, size_t n)
{
    buffer_string(out, "{");
    for (size_t i = 0; i < n; i++)
        buffer_printf(out, "%s%" PRId64, i ? "," : "", (int64_t)ids[i]);
    buffer_string(out, "}");
}

static bool change_games(server *s, change of, const tby_game_id *ids, size_t n_ids, int64_t *n_changed)
{
    of.has_ids = ids != NULL;
    put_ids(&of.ids, ids, n_ids);
    const bool is_good = of.ids.has_failed ? db_fail_memory(&s->to.base)
                                           : (of.name.s ? collect : erase)(s, &of, n_changed);
    if (!is_good)
        *n_changed = 0;
    buffer_free(&of.ids);
    return is_good;
}

bool postgres_erase(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted)
{
    *n_deleted = 0;
    return n_ids == 0 || change_games((server *)db, (change){.is_adding = false}, ids, n_ids, n_deleted);
}

bool postgres_collect(tby_db *db, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                      int64_t *n_changed)
{
    *n_changed = 0;
    return change_games((server *)db, (change){.name = name, .is_adding = is_adding}, ids, n_ids, n_changed);
}
