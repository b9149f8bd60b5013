/*
 * cluster_ask.c - asks the shards of a cluster, all at the same time, and puts their answers together.
 *
 *     each shard: what one database would be asked --> sums, or the games of all in the order of their numbers
 */
#include "store/postgres/cluster.h"
#include "store/postgres/explore.h"
#include "store/postgres/find.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Conditions in SQL ------------------------------------------------------------------------------------------ */

/* Behind a quoted text or name, which begins here. */
static const char *skip_quoted(const char *s)
{
    const char quote = *s;
    for (s++; *s && *s != quote; s++)
        ;
    return s + (*s != '\0');
}

static bool is_word(const char *s, const char *word)
{
    const size_t n = strlen(word);
    return strncasecmp(s, word, n) == 0 && !isalnum((unsigned char)s[n]) && s[n] != '_';
}

/* A condition with a query inside may ask for what only all games together tell: each shard would answer for its own. */
static bool has_query(const char *sql)
{
    bool is_start = true;
    while (*sql) {
        if (*sql == '\'' || *sql == '"') {
            sql = skip_quoted(sql);
            is_start = true;
            continue;
        }
        if (is_start && (is_word(sql, "select") || is_word(sql, "table") || is_word(sql, "with")))
            return true;
        is_start = !isalnum((unsigned char)*sql) && *sql != '_';
        sql++;
    }
    return false;
}

/* Can the shards be asked, and can each decide for its games? */
static bool can_be_asked(cluster *c, const tby_db_search *search)
{
    return cluster_reach(c) && (!search || !search->where || !has_query(search->where) ||
                                db_fail(&c->to.base, TBY_INVALID_QUERY,
                                        "on a cluster, a condition in SQL cannot have a query inside: each shard knows"
                                        " only its own games"));
}

bool cluster_check_where(tby_db *db, const char *where)
{
    cluster *c = (cluster *)db;
    const tby_db_search search = {.where = where};
    return can_be_asked(c, &search) && (server_check_where(&c->shards[0].to->to.base, where) || cluster_tell(c, 0));
}

/* ---- One statement for all -------------------------------------------------------------------------------------- */

/* Calls `visit` for each row that a shard answers. All are asked before the first answer is waited for. */
static bool ask_all(cluster *c, const char *sql, void (*visit)(void *context, const connection *row), void *context)
{
    bool is_good = true;
    for (size_t i = 0; i < c->n_shards; i++) {
        c->shards[i].is_asked = pg_send_several(&c->shards[i].to->to, sql);
        if (!c->shards[i].is_asked && is_good)
            is_good = cluster_tell(c, i);
    }
    cluster_watch(c, true);
    for (size_t i = 0; i < c->n_shards; i++) {
        pg_step step = PG_END;
        while (c->shards[i].is_asked && (step = pg_next(&c->shards[i].to->to)) == PG_ROW)
            visit(context, &c->shards[i].to->to);
        if (step == PG_FAILED && is_good)
            is_good = cluster_tell(c, i);
    }
    cluster_watch(c, false);
    return is_good;
}

static void add_number(void *context, const connection *row) { *(int64_t *)context += pg_number(row, 0); }

static void take_greatest(void *context, const connection *row)
{
    int64_t *out = context;
    const int64_t number = pg_number(row, 0);
    *out = number > *out ? number : *out;
}

bool cluster_n_games(tby_db *db, int64_t *out)
{
    cluster *c = (cluster *)db;
    *out = 0;
    return cluster_reach(c) && ask_all(c, "SELECT count(*) FROM tabiya.game", add_number, out);
}

bool cluster_last_id(tby_db *db, int64_t *out)
{
    cluster *c = (cluster *)db;
    *out = 0;
    return cluster_reach(c) && ask_all(c, "SELECT max(id) FROM tabiya.game", take_greatest, out);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* Each shard's moves. */
typedef struct explorers {
    exploring *list;
    tby_db_moves *parts;
} explorers;

/* All are asked before the first answer is waited for. */
static bool ask_counts(cluster *c, const explorers *e, const tby_position *pos, const tby_db_search *among)
{
    bool is_good = true;
    for (size_t i = 0; i < c->n_shards; i++)
        if (!exploring_begin(&e->list[i], c->shards[i].to, pos, among, &e->parts[i]) ||
            !exploring_send_counts(&e->list[i]))
            is_good = is_good && cluster_tell(c, i);
    cluster_watch(c, true);
    for (size_t i = 0; i < c->n_shards; i++)
        if (!exploring_take_counts(&e->list[i]))
            is_good = is_good && cluster_tell(c, i);
    cluster_watch(c, false);
    return is_good;
}

static bool ask_rest(server *s, size_t index, void *context)
{
    (void)s;
    return exploring_rest(&((const explorers *)context)->list[index]);
}

static bool are_done(const cluster *c, const explorers *e)
{
    size_t n = 0;
    while (n < c->n_shards && e->list[n].is_done)
        n++;
    return n == c->n_shards;
}

static void put_moves_together(const cluster *c, const explorers *e, tby_db_moves *out)
{
    const exploring *first = &e->list[0];
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < first->n_legal; i++)
        out->moves[i].move = first->legal[i].move;
    for (size_t i = 0; i < c->n_shards; i++)
        db_add_moves(out, first->n_legal, &e->parts[i], e->parts[i].n_moves + e->parts[i].n_unplayed);
    db_order_moves(out, first->n_legal);
}

bool cluster_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out)
{
    cluster *c = (cluster *)db;
    if (!can_be_asked(c, among))
        return false;
    explorers e = {calloc(c->n_shards, sizeof *e.list), calloc(c->n_shards, sizeof *e.parts)};
    bool is_good = (e.list && e.parts) || db_fail_memory(db);
    is_good = is_good && ask_counts(c, &e, pos, among) && (are_done(c, &e) || cluster_all(c, ask_rest, &e));
    if (is_good)
        put_moves_together(c, &e, out);
    for (size_t i = 0; e.list && i < c->n_shards; i++)
        exploring_end(&e.list[i]);
    free(e.list);
    free(e.parts);
    return is_good;
}

/* What is left to come of a shard after another has failed is not wanted. */
static bool meet_shard(cluster *c, exploring *e, size_t index, bool is_wanted, tby_db_meet meet, void *context)
{
    if (!is_wanted) {
        pg_stop(&c->shards[index].to->to, true);
        return false;
    }
    return exploring_take_games(e, meet, context) || cluster_tell(c, index);
}

bool cluster_explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet,
                           void *context)
{
    cluster *c = (cluster *)db;
    if (!can_be_asked(c, among))
        return false;
    exploring *list = calloc(c->n_shards, sizeof *list);
    bool is_good = list || db_fail_memory(db);
    cluster_watch(c, true);
    for (size_t i = 0; list && i < c->n_shards; i++) {
        c->shards[i].is_asked = is_good && exploring_begin(&list[i], c->shards[i].to, pos, among, NULL) &&
                                exploring_send_games(&list[i]);
        is_good = is_good && (c->shards[i].is_asked || cluster_tell(c, i));
    }
    for (size_t i = 0; list && i < c->n_shards; i++)
        if (c->shards[i].is_asked)
            is_good = meet_shard(c, &list[i], i, is_good, meet, context);
    cluster_watch(c, false);
    for (size_t i = 0; list && i < c->n_shards; i++)
        exploring_end(&list[i]);
    free(list);
    return is_good;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

/* A number does not tell its shard; where games were seen is remembered. They may have been moved since. */
enum { N_PLACES = 4096 };

static void note_place(cluster *c, tby_game_id id, size_t index)
{
    if (!c->places)
        c->places = calloc(N_PLACES, sizeof *c->places);
    if (c->places)
        c->places[(uint64_t)id % N_PLACES] = (game_place){id, index};
}

/* The shard, or how many there are if it is not known. */
static size_t find_place(const cluster *c, tby_game_id id)
{
    const game_place *place = c->places ? &c->places[(uint64_t)id % N_PLACES] : NULL;
    return place && place->id == id && id ? place->shard : c->n_shards;
}

/* A shard's games, one after the other. */
typedef struct source {
    finding finding;
    bool is_open; /* an answer is still to come */
    tby_db_hit hit;
} source;

typedef struct merging {
    cluster *to;
    tby_db_search search; /* what each shard is asked */
    source *sources;
} merging;

/* All are asked before the first answer is waited for. */
static bool open_sources(merging *m, const tby_db_search *search, bool (*begin)(finding *f))
{
    cluster *c = m->to;
    m->search = *search;
    m->sources = calloc(c->n_shards, sizeof *m->sources);
    if (!m->sources)
        return db_fail_memory(&c->to.base);
    cluster_watch(c, true);
    for (size_t i = 0; i < c->n_shards; i++) {
        m->sources[i].finding = (finding){.to = c->shards[i].to, .search = &m->search};
        finding_prepare(&m->sources[i].finding);
    }
    for (size_t i = 0; i < c->n_shards; i++) {
        m->sources[i].is_open = begin(&m->sources[i].finding);
        if (!m->sources[i].is_open)
            return cluster_tell(c, i);
    }
    return true;
}

/* What is left of the answers is not wanted. */
static void close_sources(merging *m)
{
    for (size_t i = 0; m->sources && i < m->to->n_shards; i++) {
        source *s = &m->sources[i];
        if (s->is_open)
            finding_stop(&s->finding);
        finding_end(&s->finding);
    }
    cluster_watch(m->to, false);
    free(m->sources);
}

bool cluster_count(tby_db *db, const tby_db_search *search, int64_t *out)
{
    merging m = {.to = (cluster *)db};
    tby_db_search all = *search;
    int64_t sum = 0;
    if (!can_be_asked(m.to, search))
        return false;
    all.limit = all.offset = 0;
    bool is_good = open_sources(&m, &all, finding_count_begin);
    for (size_t i = 0; is_good && i < m.to->n_shards; i++) {
        int64_t n = 0;
        is_good = finding_count_take(&m.sources[i].finding, &n) || cluster_tell(m.to, i);
        m.sources[i].is_open = false;
        sum += n;
    }
    close_sources(&m);
    *out = within_limits(sum, search);
    return is_good;
}

static bool step(const merging *m, source *s)
{
    const pg_step step = finding_next(&s->finding, &s->hit);
    s->is_open = step == PG_ROW;
    return step != PG_FAILED || cluster_tell(m->to, (size_t)(s - m->sources));
}

/* The one with the game of the lowest number; NULL if none has any. */
static source *next_source(const merging *m)
{
    source *first = NULL;
    for (size_t i = 0; i < m->to->n_shards; i++) {
        source *s = &m->sources[i];
        if (s->is_open && (!first || s->hit.id < first->hit.id))
            first = s;
    }
    return first;
}

static bool merge(const merging *m, const tby_db_search *search, tby_db_visit visit, void *context)
{
    int64_t n_seen = 0;
    for (size_t i = 0; i < m->to->n_shards; i++)
        if (!step(m, &m->sources[i]))
            return false;
    for (source *s; (s = next_source(m)) != NULL;) {
        m->to->visited = s->finding.to;
        note_place(m->to, s->hit.id, (size_t)(s - m->sources));
        if (n_seen++ >= search->offset && !visit(context, &s->hit))
            return true;
        if (search->limit > 0 && n_seen - search->offset >= search->limit)
            return true;
        if (!step(m, s))
            return false;
    }
    return true;
}

bool cluster_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    merging m = {.to = (cluster *)db};
    tby_db_search first = *search;
    if (!can_be_asked(m.to, search))
        return false;
    first.offset = 0;
    if (search->limit > 0)
        first.limit = search->limit <= INT64_MAX - search->offset ? search->limit + search->offset : 0;
    const bool is_good = open_sources(&m, &first, finding_begin) && merge(&m, search, visit, context);
    m.to->visited = NULL;
    close_sources(&m);
    return is_good;
}

/* Asks the shards from `first` to before `end` for a game, all before the first answer is waited for, except one that
   is known not to have it. Where one has it, what others say does not matter. */
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
        } else if (c->shards[i].is_asked && s->to.base.status != TBY_NOT_FOUND && is_good)
            is_good = cluster_tell(c, i);
    }
    if (is_good && !is_there)
        db_fail(&c->to.base, TBY_NOT_FOUND, "there is no game %lld", (long long)id);
    return is_there;
}

/* Where it was seen, then everywhere else. */
static bool look_for_game(cluster *c, tby_game_id id, tby_row *out)
{
    const size_t place = find_place(c, id);
    if (place < c->n_shards && ask_for_game(c, place, place + 1, c->n_shards, id, out))
        return true;
    if (place < c->n_shards && c->to.base.status != TBY_NOT_FOUND)
        return false;
    return ask_for_game(c, 0, c->n_shards, place, id, out);
}

static bool fail_visited(cluster *c)
{
    const tby_db *it = &c->visited->to.base;
    return db_fail(&c->to.base, it->status, "%s", it->error);
}

/* The game that is being visited, or any if none is. */
bool cluster_row(tby_db *db, tby_game_id id, tby_row *out)
{
    cluster *c = (cluster *)db;
    if (c->visited)
        return server_row(&c->visited->to.base, id, out) || fail_visited(c);
    if (!cluster_reach(c))
        return false;
    cluster_watch(c, true);
    const bool is_good = look_for_game(c, id, out);
    cluster_watch(c, false);
    return is_good;
}

/* ---- Explaining ------------------------------------------------------------------------------------------------- */

/* Shards mostly say the same: then once. */
bool cluster_explain(tby_db *db, const tby_db_search *search, buffer *out)
{
    cluster *c = (cluster *)db;
    buffer first = {0}, one = {0}, all = {0};
    bool is_good = true, are_equal = true;
    if (!can_be_asked(c, search))
        return false;
    for (size_t i = 0; i < c->n_shards; i++) {
        one.n = 0;
        const buffer *text = i ? &one : &first;
        is_good = server_explain(&c->shards[i].to->to.base, search, i ? &one : &first) || cluster_tell(c, i);
        is_good = is_good && (!text->has_failed || db_fail_memory(db));
        if (!is_good)
            break;
        are_equal = are_equal && text->n == first.n && memcmp(text->s, first.s, first.n) == 0;
        buffer_printf(&all, "shard %d:\n%s", c->shards[i].number, text->s);
    }
    is_good = is_good && (!all.has_failed || db_fail_memory(db));
    if (is_good && are_equal)
        buffer_printf(out, "each of %zu shards:\n%s", c->n_shards, first.s);
    else if (is_good)
        buffer_add(out, all.s, all.n);
    buffer_free(&first);
    buffer_free(&one);
    buffer_free(&all);
    return is_good;
}

/* Whose counts answer, and whose games. */
bool cluster_explain_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, buffer *out)
{
    cluster *c = (cluster *)db;
    pg_source from = PG_FROM_GAMES;
    buffer counters = {0};
    size_t n = 0;
    bool is_good = can_be_asked(c, among);
    for (size_t i = 0; is_good && i < c->n_shards; i++) {
        pg_source here;
        is_good = exploring_explain(c->shards[i].to, pos, among, &here) || cluster_tell(c, i);
        if (is_good && here == PG_FROM_COUNTS)
            buffer_printf(&counters, "%s%d", n++ ? "," : "", c->shards[i].number);
        from = is_good && here > from ? here : from;
    }
    is_good = is_good && (!counters.has_failed || db_fail_memory(db));
    if (is_good && n && n < c->n_shards)
        buffer_printf(out, "moves: from the counts that %s %s %s of this position, and from the games of others\n",
                      n == 1 ? "shard" : "shards", counters.s, n == 1 ? "keeps" : "keep");
    else if (is_good)
        exploring_put_source(out, from);
    buffer_free(&counters);
    return is_good;
}

/* ---- One snapshot of each shard --------------------------------------------------------------------------------- */

static void mark_reading(cluster *c, bool is_reading)
{
    c->to.is_reading = is_reading;
    for (size_t i = 0; i < c->n_shards; i++)
        c->shards[i].to->to.is_reading = is_reading;
}

static void mix_snapshot(void *context, const connection *row)
{
    uint64_t *mixed = context;
    *mixed = (*mixed ^ (uint64_t)pg_snapshot(row)) * 0x9e3779b97f4a7c15;
}

/* What others have written shows in the snapshots of all. */
bool cluster_begin_reading(tby_db *db, int64_t *version)
{
    cluster *c = (cluster *)db;
    uint64_t mixed = 0;
    if (!cluster_reach(c))
        return false;
    if (!version)
        return true;
    mark_reading(c, true);
    if (ask_all(c, PG_BEGIN_READING, mix_snapshot, &mixed)) {
        *version = (int64_t)mixed;
        return true;
    }
    cluster_end_reading(db);
    return false;
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
