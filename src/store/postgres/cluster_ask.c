/*
 * cluster_ask.c - queries a single server, or the shards of a cluster in parallel, and combines their results.
 *
 *     each shard: the query for its own games --> sums, or the games of all shards in order of number
 */
#include "store/postgres/cluster.h"
#include "store/postgres/explore.h"
#include "store/postgres/find.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Conditions in SQL ------------------------------------------------------------------------------------------ */

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_word(const char *s, const char *word)
{
    const size_t n = strlen(word);
    return strncasecmp(s, word, n) == 0 && !is_letter(s[n]);
}

/* A condition with a subquery may need all games together, but each shard would only use its own. */
static bool has_query(const char *sql)
{
    for (const char *s = sql; *s; s++)
        if (*s == '\'' || *s == '"') {
            if (!(s = strchr(s + 1, *s)))
                return false;
        } else if ((s == sql || !is_letter(s[-1])) &&
                   (is_word(s, "select") || is_word(s, "table") || is_word(s, "with")))
            return true;
    return false;
}

/* Can the shards be reached, and can each decide for its own games? */
static bool can_be_asked(cluster *c, const tby_db_search *search)
{
    return cluster_reach(c) && (cluster_is_single(c) || !search->where || !has_query(search->where) ||
                                db_fail(&c->to.base, TBY_INVALID_QUERY,
                                        "on a cluster, a condition in SQL cannot have a query inside: each shard knows"
                                        " only its own games"));
}

bool cluster_check_where(tby_db *db, const char *where)
{
    cluster *c = (cluster *)db;
    const tby_db_search search = {.where = where};
    return can_be_asked(c, &search) && (server_check_where(c->shards[0].to, where) || cluster_tell(c, 0));
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

/* Sends to all shards before the first result is awaited; each answers with a number. */
static bool ask_number(cluster *c, const char *sql, int64_t (*join)(int64_t all, int64_t one), int64_t *out)
{
    size_t n = 0;
    *out = 0;
    while (n < c->n_shards && pg_send_several(&c->shards[n].to->to, sql))
        n++;
    bool is_good = n == c->n_shards || cluster_tell(c, n);
    for (size_t i = 0; i < n; i++) {
        connection *row = &c->shards[i].to->to;
        while (pg_next(row))
            *out = join(*out, pg_number(row, 0));
        is_good = is_good && (pg_is_good(row) || cluster_tell(c, i));
    }
    return is_good;
}

static int64_t sum_of(int64_t all, int64_t one) { return all + one; }
static int64_t greatest_of(int64_t all, int64_t one) { return one > all ? one : all; }
static int64_t mix_of(int64_t all, int64_t one)
{
    return (int64_t)(((uint64_t)all ^ (uint64_t)one) * 0x9e3779b97f4a7c15);
}

bool cluster_n_games(tby_db *db, int64_t *out)
{
    cluster *c = (cluster *)db;
    return cluster_reach(c) && ask_number(c, "SELECT count(*) FROM tabiya.game", sum_of, out);
}

bool cluster_last_id(tby_db *db, int64_t *out)
{
    cluster *c = (cluster *)db;
    return cluster_reach(c) && ask_number(c, "SELECT max(id) FROM tabiya.game", greatest_of, out);
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

/* A number does not show which shard has the game, so recent places of games are cached. Games may have moved since. */
enum { N_PLACES = 4096 };

static void note_place(cluster *c, tby_game_id id, size_t index)
{
    if (!c->places && !cluster_is_single(c))
        c->places = calloc(N_PLACES, sizeof *c->places);
    if (c->places)
        c->places[(uint64_t)id % N_PLACES] = (game_place){id, index};
}

/* The shard, or the number of shards if it is unknown. */
static size_t find_place(const cluster *c, tby_game_id id)
{
    const game_place *place = c->places ? &c->places[(uint64_t)id % N_PLACES] : NULL;
    return place && place->id == id && id ? place->shard : c->n_shards;
}

/* A plan for each shard. */
typedef struct cluster_plan {
    db_plan base;
    tby_db_search each; /* the search on each shard: with the limit of the whole */
    int64_t n_seen;     /* games so far */
    size_t n;
    finding sources[];
} cluster_plan;

static bool begin_plan(cluster *c, cluster_plan *p)
{
    bool is_good = true;
    for (size_t i = 0; i < p->n && is_good; i++)
        is_good = finding_begin(&p->sources[i]) || cluster_tell(c, i);
    return is_good;
}

db_plan *cluster_plan_make(tby_db *db, const tby_db_search *search, const tby_position *pos)
{
    cluster *c = (cluster *)db;
    if (!can_be_asked(c, search))
        return NULL;
    cluster_plan *p = calloc(1, sizeof *p + c->n_shards * sizeof *p->sources);
    if (!p) {
        db_fail_memory(db);
        return NULL;
    }
    p->base = (db_plan){.search = search, .pos = pos};
    p->n = c->n_shards;
    p->each = *search;
    for (size_t i = 0; i < p->n; i++)
        p->sources[i] = (finding){.base = {.search = &p->each, .pos = pos}, .to = c->shards[i].to};
    if (pos || begin_plan(c, p)) {
        p->base.is_sorted = p->n > 0;
        for (size_t i = 0; i < p->n; i++)
            p->base.is_sorted &= p->sources[i].base.is_sorted;
        return &p->base;
    }
    cluster_plan_free(db, &p->base);
    return NULL;
}

void cluster_plan_free(tby_db *db, db_plan *of)
{
    cluster_plan *p = (cluster_plan *)of;
    (void)db;
    for (size_t i = 0; i < p->n; i++)
        finding_end(&p->sources[i]);
    free(p);
}

/* Each shard may have all the wanted games. To merge sorted games, their rows are needed. */
static void set_limits(const cluster *c, cluster_plan *p)
{
    const tby_db_search *search = p->base.search;
    const bool is_cut = search->limit > 0 && search->limit <= INT64_MAX - search->offset;
    p->each = *search;
    if (p->base.pos) {
        p->each.limit = p->each.offset = 0;
        p->each.wanted = TBY_WANTED_IDS;
    }
    if (p->base.pos || cluster_is_single(c))
        return;
    p->each.offset = 0;
    p->each.limit = is_cut ? search->limit + search->offset : 0;
    if (p->base.is_sorted && search->wanted != TBY_WANTED_GAMES)
        p->each.wanted = TBY_WANTED_ROWS;
}

static bool send(cluster *c, cluster_plan *p)
{
    set_limits(c, p);
    for (size_t i = 0; i < p->n; i++) {
        p->sources[i].is_open = finding_send(&p->sources[i]);
        if (!p->sources[i].is_open)
            return cluster_tell(c, i);
    }
    return true;
}

/* Discards the remaining results. */
static void stop(cluster_plan *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->sources[i].is_open)
            finding_stop(&p->sources[i]);
        p->sources[i].is_open = false;
    }
}

/* Sends something to all shards before the first result is awaited, and takes the results one after the other. After a
   failure those of the others are not wanted. */
static bool ask_all(cluster *c, cluster_plan *p, bool (*begin)(finding *f, void *context),
                    bool (*take)(finding *f, void *context), void *context)
{
    size_t n = 0;
    while (n < p->n && begin(&p->sources[n], context))
        n++;
    bool is_good = n == p->n || cluster_tell(c, n);
    for (size_t i = 0; i < n; i++)
        if (is_good)
            is_good = take(&p->sources[i], context) || cluster_tell(c, i);
        else
            pg_stop(&p->sources[i].to->to, true);
    return is_good;
}

bool cluster_count(tby_db *db, db_plan *of, int64_t *out)
{
    cluster *c = (cluster *)db;
    cluster_plan *p = (cluster_plan *)of;
    int64_t sum = 0;
    set_limits(c, p);
    const bool is_good = ask_all(c, p, finding_send_count, finding_take_count, &sum);
    *out = cluster_is_single(c) ? sum : within_limits(sum, of->search);
    return is_good;
}

static bool step(cluster *c, const cluster_plan *p, finding *s)
{
    s->is_open = finding_next(s);
    if (s->is_open && p->base.is_sorted && p->n > 1) {
        const tby_row row = server_visited_row(&s->to->to, s->to->what);
        tby_order_key(s->key, sizeof s->key, p->base.search->order, &row);
    }
    return pg_is_good(&s->to->to) || cluster_tell(c, (size_t)(s - p->sources));
}

static bool comes_before(const cluster_plan *p, const finding *a, const finding *b)
{
    const tby_order *order = p->base.is_sorted ? p->base.search->order : NULL;
    const int difference = order ? memcmp(a->key, b->key, order->n * sizeof(int64_t)) : 0;
    return difference ? difference < 0 : (a->hit.id < b->hit.id) != (order && order->ids_fall);
}

/* The source with the first game; NULL if there are no more. */
static finding *next_source(cluster_plan *p)
{
    finding *first = NULL;
    for (size_t i = 0; i < p->n; i++) {
        finding *s = &p->sources[i];
        if (s->is_open && (!first || comes_before(p, s, first)))
            first = s;
    }
    return first;
}

/* A single server may know the limits; otherwise they are applied here. */
static bool merge(cluster *c, cluster_plan *p, tby_db_visit visit, void *context)
{
    const tby_db_search *search = p->base.search;
    const bool is_cut = cluster_is_single(c) && finding_is_exact(&p->sources[0]);
    const int64_t offset = is_cut ? 0 : search->offset, limit = is_cut ? 0 : search->limit;
    for (size_t i = 0; i < p->n; i++)
        if (!step(c, p, &p->sources[i]))
            return false;
    for (finding *s; (s = next_source(p)) != NULL;) {
        c->visited = s->to;
        note_place(c, s->hit.id, (size_t)(s - p->sources));
        if (p->n_seen++ >= offset && !visit(context, &s->hit))
            return true;
        if (limit > 0 && p->n_seen - offset >= limit)
            return true;
        if (!step(c, p, s))
            return false;
    }
    return true;
}

/* Sends the search, and visits its games. Sources that are still open have more games, which are not wanted. */
static bool run(cluster *c, cluster_plan *p, tby_db_visit visit, void *context)
{
    const bool is_good = send(c, p) && merge(c, p, visit, context);
    c->visited = NULL;
    return is_good;
}

/* Is only the first page wanted of a search that has to read each game? Then the games of a single server are searched
   in parts, so that the first hits arrive before the whole search is over. */
static bool is_in_parts(const cluster *c, const cluster_plan *p)
{
    const tby_db_search *search = p->base.search;
    const finding *f = &p->sources[0];
    return cluster_is_single(c) && search->limit > 0 && search->offset == 0 && !p->base.is_sorted &&
           !f->to->has_citus && (f->match || !finding_is_exact(f));
}

static bool run_parts(cluster *c, cluster_plan *p, tby_db_visit visit, void *context)
{
    enum { FIRST = 4096, GROWTH = 4 };
    finding *f = &p->sources[0];
    const bool is_own = !c->to.is_reading && !c->to.is_writing; /* one snapshot for all parts */
    int64_t last = 0, size = FIRST, version;
    if (is_own && !cluster_begin_reading(&c->to.base, &version))
        return false;
    bool is_good = cluster_last_id(&c->to.base, &last);
    for (; is_good && !f->is_open && p->n_seen < p->base.search->limit && f->after < last; f->after = f->upto) {
        f->upto = last - f->after > size ? f->after + size : last;
        f->n_found = p->n_seen;
        is_good = run(c, p, visit, context);
        size = size < INT64_MAX / GROWTH ? size * GROWTH : size;
    }
    stop(p);
    f->after = f->upto = f->n_found = 0;
    if (is_own)
        cluster_end_reading(&c->to.base);
    return is_good;
}

bool cluster_run(tby_db *db, db_plan *of, tby_db_visit visit, void *context)
{
    cluster *c = (cluster *)db;
    cluster_plan *p = (cluster_plan *)of;
    p->n_seen = 0;
    const bool is_good = (is_in_parts(c, p) ? run_parts : run)(c, p, visit, context);
    stop(p);
    return is_good;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* Where SQL cannot express which games of a shard count, the evaluator lists them first. */
static bool list_games(server *s, size_t index, void *context)
{
    finding *f = &((cluster_plan *)context)->sources[index];
    buffer ids = {0};
    if (finding_is_exact(f))
        return true;
    const bool is_sent = finding_send(f);
    while (is_sent && finding_next(f))
        buffer_printf(&ids, "%s%lld", ids.n ? "," : "{", (long long)f->hit.id);
    buffer_string(&ids, ids.n ? "}" : "{}");
    pg_values_free(&f->values); /* those of its conditions, which are not needed any more */
    f->ids = pg_value_take(&f->values, &ids);
    return is_sent && pg_is_good(&s->to);
}

/* Lists the games and counts them, in one snapshot. */
static bool pass_listed(cluster *c, cluster_plan *p, const passing_visitor *v)
{
    const bool is_own = !c->to.is_reading && !c->to.is_writing;
    int64_t version;
    if (is_own && !cluster_begin_reading(&c->to.base, &version))
        return false;
    const bool is_good = cluster_all(c, list_games, p) &&
                         ask_all(c, p, explore_send_games, explore_take_games, (void *)v);
    if (is_own)
        cluster_end_reading(&c->to.base);
    return is_good;
}

bool cluster_pass(tby_db *db, db_plan *of, const passing_visitor *v)
{
    cluster *c = (cluster *)db;
    cluster_plan *p = (cluster_plan *)of;
    bool are_counted = true, are_exact = true;
    if (v->add && !ask_all(c, p, explore_send_counts, explore_take_counts, (void *)v))
        return false;
    for (size_t i = 0; i < p->n; i++)
        are_counted &= p->sources[i].is_counted;
    if (are_counted)
        return true;
    set_limits(c, p);
    if (!begin_plan(c, p))
        return false;
    for (size_t i = 0; i < p->n; i++)
        are_exact &= finding_is_exact(&p->sources[i]);
    return are_exact ? ask_all(c, p, explore_send_games, explore_take_games, (void *)v) : pass_listed(c, p, v);
}

/* ---- One game --------------------------------------------------------------------------------------------------- */

/* Requests a game from the shards `first` up to `end`, all before the first result is awaited, except one that is known
   not to have it. If one has it, failures of others do not matter. */
static bool ask_for_game(cluster *c, size_t first, size_t end, size_t except, tby_game_id id, tby_row *out)
{
    bool is_there = false, is_good = true;
    for (size_t i = first; i < end; i++) {
        c->shards[i].is_asked = i != except && server_game_send(c->shards[i].to, id);
        if (i != except && !c->shards[i].is_asked && is_good)
            is_good = cluster_tell(c, i);
    }
    for (size_t i = first; i < end; i++) {
        server *s = c->shards[i].to;
        if (c->shards[i].is_asked && is_there)
            pg_forget(&s->to);
        else if (c->shards[i].is_asked && server_game_take(s, id, out)) {
            note_place(c, id, i);
            is_there = true;
        } else if (c->shards[i].is_asked && s->to.base.failure.status != TBY_NOT_FOUND && is_good)
            is_good = cluster_tell(c, i);
    }
    if (is_good && !is_there)
        db_fail(&c->to.base, TBY_NOT_FOUND, "there is no game %lld", (long long)id);
    return is_there;
}

/* Looks on the shard where it was seen, then on all others. */
static bool look_for_game(cluster *c, tby_game_id id, tby_row *out)
{
    const size_t place = find_place(c, id);
    if (place < c->n_shards && ask_for_game(c, place, place + 1, c->n_shards, id, out))
        return true;
    if (place < c->n_shards && c->to.base.failure.status != TBY_NOT_FOUND)
        return false;
    return ask_for_game(c, 0, c->n_shards, place, id, out);
}

/* The visited game, or any game if none is being visited. */
bool cluster_row(tby_db *db, tby_game_id id, tby_row *out)
{
    cluster *c = (cluster *)db;
    server *s = c->visited ? c->visited : cluster_is_single(c) ? c->shards[0].to : NULL;
    if (!s)
        return cluster_reach(c) && look_for_game(c, id, out);
    return server_row(s, id, out) || db_fail(db, s->to.base.failure.status, "%s", s->to.base.failure.text);
}

/* ---- Explaining ------------------------------------------------------------------------------------------------- */

/* Whether counts or games are used. */
static bool tell_source(cluster *c, const cluster_plan *p, buffer *out)
{
    static const char *const sentences[] = {
        [PG_FROM_GAMES] = "from the games; counts are stored only for ratings from a multiple of 200, and for years",
        [PG_NOT_COUNTED] = "from the games; no counts are stored for this position",
        [PG_FROM_COUNTS] = "from the stored counts of this position",
    };
    pg_source from = PG_FROM_GAMES;
    buffer counters = {0};
    size_t n = 0;
    bool is_good = true;
    for (size_t i = 0; is_good && i < c->n_shards; i++) {
        pg_source here;
        is_good = explore_explain(&p->sources[i], &here) || cluster_tell(c, i);
        if (is_good && here == PG_FROM_COUNTS)
            buffer_printf(&counters, "%s%d", n++ ? "," : "", c->shards[i].number);
        from = is_good && here > from ? here : from;
    }
    is_good = is_good && (!counters.has_failed || db_fail_memory(&c->to.base));
    if (is_good && n && n < c->n_shards)
        buffer_printf(out,
                      "moves: from the stored counts of this position on %s %s, and from the games of the others\n",
                      n == 1 ? "shard" : "shards", counters.s);
    else if (is_good)
        buffer_printf(out, "moves: %s\n", sentences[from]);
    buffer_free(&counters);
    return is_good;
}

/* If all shards have the same plan, as usual, it is shown once. */
bool cluster_tell_plan(tby_db *db, db_plan *of, buffer *out)
{
    cluster *c = (cluster *)db;
    cluster_plan *p = (cluster_plan *)of;
    buffer all = {0};
    size_t first = 0, n = 0; /* where the text of the first shard begins, and its length */
    bool are_equal = true, is_good = !of->pos || (tell_source(c, p, out) && begin_plan(c, p));
    for (size_t i = 0; is_good && i < p->n; i++) {
        buffer_printf(&all, "shard %d:\n", c->shards[i].number);
        const size_t at = all.n;
        is_good = finding_explain(&p->sources[i], &all) ? !all.has_failed || db_fail_memory(db) : cluster_tell(c, i);
        first = i ? first : at;
        n = i ? n : all.n - at;
        are_equal = are_equal && is_good && all.n - at == n && memcmp(all.s + at, all.s + first, n) == 0;
    }
    if (is_good && !cluster_is_single(c) && are_equal)
        buffer_printf(out, "each of %zu shards:\n", c->n_shards);
    if (is_good && are_equal)
        buffer_add(out, all.s + first, n);
    else if (is_good)
        buffer_add(out, all.s, all.n);
    buffer_free(&all);
    return is_good;
}

/* ---- One snapshot of each shard --------------------------------------------------------------------------------- */

static void mark_reading(cluster *c, bool is_reading)
{
    c->to.is_reading = is_reading;
    for (size_t i = 0; i < c->n_shards; i++)
        c->shards[i].to->to.is_reading = is_reading;
}

/* The version combines the snapshots of all shards, so that changes on any of them show. The snapshot of a coordinator
   with Citus does not show changes on its workers: every moment counts as a new version. */
bool cluster_begin_reading(tby_db *db, int64_t *version)
{
    cluster *c = (cluster *)db;
    if (!cluster_reach(c))
        return false;
    if (!version)
        return !cluster_is_single(c) || pg_is_alive(&c->shards[0].to->to) ||
               pg_fail(&c->to, "the connection to the server is lost");
    mark_reading(c, true);
    const char *sql = c->shards[0].to->has_citus
                          ? PG_BEGIN "; SELECT hashtextextended(clock_timestamp()::text, 0::bigint)"
                          : PG_BEGIN "; SELECT hashtextextended(pg_current_snapshot()::text, 0::bigint)";
    const bool is_good = ask_number(c, sql, mix_of, version);
    if (!is_good)
        cluster_end_reading(db);
    return is_good;
}

void cluster_end_reading(tby_db *db)
{
    cluster *c = (cluster *)db;
    if (!c->to.is_reading)
        return;
    for (size_t i = 0; i < c->n_shards; i++)
        pg_leave(&c->shards[i].to->to);
    mark_reading(c, false);
}
