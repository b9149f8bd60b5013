/*
 * maintain.c - maintenance of a database on a PostgreSQL server: contents, sizes and verification; deleting games.
 */
#include "store/postgres/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Contents --------------------------------------------------------------------------------------------------- */

#define SUMMARY                                                                                                        \
    "SELECT count(*), sum(plies), count(annotated), count(*) FILTER (WHERE result = '1-0'), count(*) FILTER (WHERE"    \
    " result = '1/2-1/2'), count(*) FILTER (WHERE result = '0-1'), min(date), max(date) FROM tabiya.game"
#define BYTES                                                                                                          \
    "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class WHERE relnamespace = 'tabiya'::regnamespace"        \
    " AND relkind = 'r'"

static void take_summary(tby_db_summary *out, const connection *p)
{
    enum { GAMES, PLIES, ANNOTATED, WHITE, DRAWS, BLACK, FIRST, LAST };
    const int first = (int)pg_number(p, FIRST), last = (int)pg_number(p, LAST);
    const int64_t n = pg_number(p, GAMES), white = pg_number(p, WHITE), draws = pg_number(p, DRAWS),
                  black = pg_number(p, BLACK);
    out->n_games += n;
    out->n_plies += pg_number(p, PLIES);
    out->n_annotated += pg_number(p, ANNOTATED);
    out->results[TBY_WHITE_WINS] += white;
    out->results[TBY_DRAW] += draws;
    out->results[TBY_BLACK_WINS] += black;
    out->results[TBY_RESULT_NONE] += n - white - draws - black;
    if (first && (!out->first_date || first < out->first_date))
        out->first_date = first;
    out->last_date = last > out->last_date ? last : out->last_date;
}

/* The distinct texts of one or two columns. */
static const char *const names[PG_N_NAMES] = {
    [PG_PLAYERS] = "SELECT white AS name FROM tabiya.game GROUP BY 1 UNION SELECT black FROM tabiya.game GROUP BY 1",
    [PG_EVENTS] = "SELECT event AS name FROM tabiya.game GROUP BY 1",
    [PG_SITES] = "SELECT site AS name FROM tabiya.game GROUP BY 1",
};

bool server_count_names(server *s, pg_names which, int64_t *out)
{
    char sql[160];
    snprintf(sql, sizeof sql, "SELECT count(name) FROM (%s) AS x", names[which]);
    return pg_number_of(&s->to, sql, 0, out);
}

bool server_send_names(server *s, pg_names which)
{
    char sql[192];
    snprintf(sql, sizeof sql, "SELECT name, 1 FROM (%s) AS x WHERE name IS NOT NULL ORDER BY name COLLATE \"C\"",
             names[which]);
    return pg_send(&s->to, sql, NULL);
}

bool server_add_summary(server *s, tby_db_summary *out)
{
    int64_t n_bytes;
    pg_send(&s->to, SUMMARY, NULL);
    while (pg_next(&s->to))
        take_summary(out, &s->to);
    if (!pg_is_good(&s->to) || !pg_number_of(&s->to, s->has_citus ? citus_bytes : BYTES, 0, &n_bytes))
        return false;
    out->file_size += n_bytes;
    return true;
}

#define SIZES                                                                                                          \
    "SELECT relname::text, pg_relation_size(oid) + CASE WHEN reltoastrelid <> 0 THEN pg_total_relation_size("          \
    "reltoastrelid) ELSE 0 END FROM pg_class WHERE relnamespace = 'tabiya'::regnamespace AND relkind IN ('r', 'i')"    \
    " ORDER BY 2 DESC, 1"

bool server_send_sizes(server *s) { return pg_send(&s->to, s->has_citus ? citus_sizes : SIZES, NULL); }

/* ---- Deleting --------------------------------------------------------------------------------------------------- */

static bool delete_games(server *s, const char *ids, int64_t *n_deleted)
{
    pg_values v = {.n = 0};
    pg_value(&v, ids);
    const bool is_good =
        (!s->has_citus || (citus_count_games(s, ids, true) && server_uncollect(s, ids))) &&
        pg_query(&s->to, "DELETE FROM tabiya.game WHERE id = ANY ($1::bigint[]) RETURNING id", &v, n_deleted);
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

bool server_erase(server *s, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted)
{
    const bool is_own = s->has_citus && !s->to.is_writing; /* counts and games are deleted together */
    buffer list = {0};
    *n_deleted = 0;
    put_ids(&list, ids, n_ids);
    bool is_good = !list.has_failed || db_fail_memory(&s->to.base);
    if (is_good && n_ids) {
        is_good = (!is_own || pg_run(&s->to, PG_TAKE_TURN)) && delete_games(s, list.s, n_deleted);
        is_good = is_own ? pg_end(&s->to, is_good) : is_good;
    }
    buffer_free(&list);
    return is_good;
}
