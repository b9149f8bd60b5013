/*
 * read.c - reads from a PostgreSQL server: searches, moves, single games, snapshots.
 */
#include "store/postgres/explore.h"
#include "store/postgres/find.h"

#include <inttypes.h>
#include <stdlib.h>

bool postgres_n_games(tby_db *db, int64_t *out)
{
    return pg_number_of(&((server *)db)->to, "SELECT count(*) FROM tabiya.game", 0, out);
}

bool postgres_last_id(tby_db *db, int64_t *out)
{
    return pg_number_of(&((server *)db)->to, "SELECT max(id) FROM tabiya.game", 0, out);
}

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

db_plan *postgres_plan(tby_db *db, const tby_db_search *search, const tby_position *pos, query_members *members)
{
    finding *f = calloc(1, sizeof *f);
    if (!f) {
        db_fail_memory(db);
        return NULL;
    }
    *f = (finding){.base = {.search = search, .pos = pos, .members = members}, .server = (server *)db};
    if (pos || finding_begin(f))
        return &f->base;
    postgres_plan_free(db, &f->base);
    return NULL;
}

void postgres_plan_free(tby_db *db, db_plan *of)
{
    (void)db;
    finding_end((finding *)of);
    free(of);
}

bool postgres_count(tby_db *db, db_plan *of, int64_t *out)
{
    finding *f = (finding *)of;
    (void)db;
    *out = 0;
    return finding_count(f, out);
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

/* Sends the search, and visits its games. If it is still open afterwards, it has more games, which are not wanted. */
static bool run(finding *f, tby_db_visit visit, void *context)
{
    const tby_db_search *search = f->base.search;
    const bool is_cut = finding_is_exact(f); /* the server knows the limits */
    const int64_t offset = is_cut ? 0 : search->offset, limit = is_cut ? 0 : search->limit;
    f->is_open = finding_send(f);
    if (!f->is_open)
        return false;
    while ((f->is_open = finding_next(f)))
        if ((f->n_seen++ >= offset && !visit(context, &f->hit)) || (limit > 0 && f->n_seen - offset >= limit))
            return true;
    return pg_is_good(&f->server->to);
}

/* Discards the remaining results. */
static void stop(finding *f)
{
    if (f->is_open)
        finding_stop(f);
    f->is_open = false;
}

/* Is only the first page wanted of a search that has to read each game? Then the games are searched in parts, so that
   the first hits arrive before the whole search is over. */
static bool is_in_parts(const finding *f)
{
    const tby_db_search *search = f->base.search;
    return search->limit > 0 && search->offset == 0 && !f->base.is_sorted && !f->server->has_citus &&
           (f->match || !finding_is_exact(f));
}

/* A snapshot for several statements, unless there is a transaction already. */
static bool begin_own(server *s, bool *is_own)
{
    int64_t version;
    *is_own = !s->to.is_reading && !s->to.is_writing;
    return !*is_own || postgres_begin_reading(&s->to.base, &version);
}

static bool run_parts(finding *f, tby_db_visit visit, void *context)
{
    enum { FIRST = 4096, GROWTH = 4 };
    tby_db *db = &f->server->to.base;
    int64_t last = 0, size = FIRST;
    bool is_own;
    if (!begin_own(f->server, &is_own))
        return false;
    bool is_good = postgres_last_id(db, &last);
    for (; is_good && !f->is_open && f->n_seen < f->base.search->limit && f->after < last; f->after = f->upto) {
        f->upto = last - f->after > size ? f->after + size : last;
        f->n_found = f->n_seen;
        is_good = run(f, visit, context);
        size = size < INT64_MAX / GROWTH ? size * GROWTH : size;
    }
    stop(f);
    f->after = f->upto = f->n_found = 0;
    if (is_own)
        postgres_end_reading(db);
    return is_good;
}

bool postgres_run(tby_db *db, db_plan *of, tby_db_visit visit, void *context)
{
    finding *f = (finding *)of;
    (void)db;
    f->n_seen = 0;
    const bool is_good = (is_in_parts(f) ? run_parts : run)(f, visit, context);
    stop(f);
    return is_good;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* Where SQL cannot express which games count, the evaluator lists them first. */
static bool list_games(finding *f)
{
    buffer ids = {0};
    const bool is_sent = finding_send(f);
    while (is_sent && finding_next(f))
        buffer_printf(&ids, "%s%" PRId64, ids.n ? "," : "{", (int64_t)f->hit.id);
    buffer_string(&ids, ids.n ? "}" : "{}");
    pg_values_free(&f->values); /* those of its conditions, which are not needed any more */
    f->ids = pg_value_take(&f->values, &ids);
    return is_sent && pg_is_good(&f->server->to);
}

/* Lists the games and counts them, in one snapshot. */
static bool reach_listed(finding *f, const reaching_visitor *v)
{
    bool is_own;
    if (!begin_own(f->server, &is_own))
        return false;
    const bool is_good = list_games(f) && explore_games(f, v);
    if (is_own)
        postgres_end_reading(&f->server->to.base);
    return is_good;
}

/* The limits of the search do not apply, and only numbers of games are needed. */
bool postgres_reach(tby_db *db, db_plan *of, const reaching_visitor *v)
{
    finding *f = (finding *)of;
    const tby_db_search *search = of->search;
    tby_db_search all = *search;
    (void)db;
    if (v->lists ? !explore_lists(f, v) : v->add && !explore_counts(f, v))
        return false;
    if (f->is_counted)
        return true;
    all.limit = all.offset = 0;
    all.wanted = TBY_WANTED_IDS;
    of->search = &all;
    const bool is_good = finding_begin(f) && (finding_is_exact(f) ? explore_games(f, v) : reach_listed(f, v));
    of->search = search;
    return is_good;
}

bool postgres_facts(tby_db *db, tby_game_id id, tby_db_facts *out)
{
    tby_row row;
    const bool is_good = postgres_row(db, id, &row);
    if (is_good)
        *out = db_facts_of_row(&row);
    return is_good;
}

/* ---- Explaining ------------------------------------------------------------------------------------------------- */

/* Whether counts or games are used. */
static bool describe_source(const finding *f, buffer *out)
{
    static const char *const sentences[] = {
        [PG_FROM_GAMES] = ("from the games; counts are stored only for ratings from a multiple of 200, groups of "
                           "mean-elo, speeds, years and results"),
        [PG_NOT_COUNTED] = "from the games; no counts are stored for this position",
        [PG_FROM_COUNTS] = "from the stored counts of this position",
    };
    pg_source from;
    const bool is_good = explore_explain(f, &from);
    if (is_good)
        buffer_printf(out, "moves: %s\n", sentences[from]);
    return is_good;
}

bool postgres_describe(tby_db *db, db_plan *of, buffer *out)
{
    finding *f = (finding *)of;
    return (!of->pos || (describe_source(f, out) && finding_begin(f))) && finding_explain(f, out) &&
           (!out->has_failed || db_fail_memory(db));
}

/* ---- One snapshot ----------------------------------------------------------------------------------------------- */

bool postgres_begin_reading(tby_db *db, int64_t *version)
{
    server *s = (server *)db;
    if (!version)
        return pg_is_alive(&s->to) || pg_fail(&s->to, "the connection to the server is lost");
    s->to.is_reading = true;
    *version = 0;
    pg_send_several(&s->to, s->has_citus ? citus_version(s)
                                         : PG_BEGIN
                                "; SELECT hashtextextended(pg_current_snapshot()::text, 0::bigint)");
    while (pg_next(&s->to))
        *version = pg_number(&s->to, 0);
    const bool is_good = pg_is_good(&s->to);
    if (!is_good)
        postgres_end_reading(db);
    return is_good;
}

void postgres_end_reading(tby_db *db)
{
    server *s = (server *)db;
    if (!s->to.is_reading)
        return;
    pg_leave(&s->to);
    s->to.is_reading = false;
}
