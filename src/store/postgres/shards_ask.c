/*
 * shards_ask.c - asks the shards of a coordinator themselves, all at the same time, and puts their answers together.
 *
 *     the coordinator: which shards are there? --> each shard: what one database would be asked
 *         --> sums, or the games of all in the order of their numbers
 *
 * By the coordinator's foreign tables the same takes a connection more, a plan for each shard and a remote transaction.
 * That way is taken where the program cannot reach the shards itself, or does not know as whom, and where a condition
 * in SQL may speak of more than one game.
 */
#include "store/postgres/explore.h"
#include "store/postgres/find.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* ---- Which way? ------------------------------------------------------------------------------------------------- */

static bool are_connected(pg *p)
{
    for (size_t i = 0; i < p->n_shards; i++)
        if (!p->shards[i].to || !pg_is_alive(p->shards[i].to))
            return false;
    return true;
}

static bool have_logins(const pg *p)
{
    for (size_t i = 0; i < p->n_shards; i++)
        if (!p->shards[i].has_login)
            return false;
    return true;
}

/* Others may have added one. Without the coordinator it is those that are known. */
static void look_for_more(pg *p, int64_t now)
{
    enum { PAUSE = 1 }; /* seconds; shard add waits longer before it moves games */
    int64_t n;
    if (now < p->next_look || !pg_is_alive(p))
        return;
    p->next_look = now + PAUSE;
    if (pg_number_of(p, "SELECT count(*) FROM pg_inherits WHERE inhparent = 'tabiya.game'::regclass", 0, &n) &&
        n != (int64_t)p->n_shards)
        pg_shards_find(p);
}

bool pg_shards_reach(pg *p)
{
    enum { PAUSE = 10 }; /* seconds */
    const int64_t now = (int64_t)time(NULL);
    if (p->is_writing) /* a new connection would be outside of the transaction */
        return true;
    if (p->is_reading)
        return p->reads_shards;
    look_for_more(p, now);
    if (p->n_shards == 0 && !pg_shards_find(p))
        return false;
    if (are_connected(p))
        return true;
    if (!have_logins(p) || now < p->next_try)
        return false;
    p->next_try = now + PAUSE;
    return pg_shards_connect(p);
}

/* A condition with a query inside may ask for what only all games together tell. */
static bool has_query(const char *sql)
{
    for (; *sql; sql++)
        if (strncasecmp(sql, "select", 6) == 0 || strncasecmp(sql, "table", 5) == 0)
            return true;
    return false;
}

/* Is the condition one that each shard can decide for its games? It may call what only the coordinator has. */
static bool can_be_asked(pg *p, const tby_db_search *search)
{
    if (!pg_shards_reach(p))
        return false;
    if (!search || !search->where)
        return true;
    return !has_query(search->where) && pg_check_where(&p->shards[0].to->base, search->where);
}

/* ---- One statement for all -------------------------------------------------------------------------------------- */

/* The caller is told while the shards are waited for. */
static void watch_shards(const pg *p, bool is_on)
{
    for (size_t i = 0; i < p->n_shards; i++)
        tby_db_set_watch(&p->shards[i].to->base, is_on ? p->base.watch : NULL, is_on ? p->base.watch_context : NULL);
}

/* Calls `visit` for each row that a shard answers. All are asked before the first answer is waited for. */
static bool ask_all(pg *p, const char *sql, void (*visit)(void *context, const pg *shard), void *context)
{
    bool is_good = true;
    for (size_t i = 0; i < p->n_shards; i++) {
        p->shards[i].is_asked = pg_send_several(p->shards[i].to, sql);
        if (!p->shards[i].is_asked && is_good)
            is_good = pg_shards_tell(p, i);
    }
    watch_shards(p, true);
    for (size_t i = 0; i < p->n_shards; i++) {
        pg_step step = PG_END;
        while (p->shards[i].is_asked && (step = pg_next(p->shards[i].to)) == PG_ROW)
            visit(context, p->shards[i].to);
        if (step == PG_FAILED && is_good)
            is_good = pg_shards_tell(p, i);
    }
    watch_shards(p, false);
    return is_good;
}

static void add_number(void *context, const pg *shard) { *(int64_t *)context += pg_number(shard, 0); }

static void take_greatest(void *context, const pg *shard)
{
    int64_t *out = context;
    const int64_t number = pg_number(shard, 0);
    *out = number > *out ? number : *out;
}

bool pg_shards_n_games(tby_db *db, int64_t *out)
{
    pg *p = (pg *)db;
    *out = 0;
    return pg_shards_reach(p) ? ask_all(p, "SELECT count(*) FROM tabiya.game", add_number, out) : pg_n_games(db, out);
}

bool pg_shards_last_id(tby_db *db, int64_t *out)
{
    pg *p = (pg *)db;
    *out = 0;
    return pg_shards_reach(p) ? ask_all(p, "SELECT max(id) FROM tabiya.game", take_greatest, out) : pg_last_id(db, out);
}

/* That of the one that has the least. */
bool pg_shards_index_depth(pg *p, int64_t *out)
{
    *out = TBY_INDEX_ALL;
    for (size_t i = 0; i < p->n_shards; i++) {
        int64_t depth;
        if (!pg_index_depth(p->shards[i].to, &depth))
            return pg_shards_tell(p, i);
        *out = depth < *out ? depth : *out;
    }
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* Each shard's moves. */
typedef struct explorers {
    exploring *list;
    tby_db_moves *parts;
} explorers;

/* All are asked before the first answer is waited for. */
static bool ask_counts(pg *p, const explorers *e, const tby_position *pos, const tby_db_search *among)
{
    bool is_good = true;
    for (size_t i = 0; i < p->n_shards; i++)
        if (!pg_explore_begin(&e->list[i], p->shards[i].to, pos, among, &e->parts[i]) ||
            !pg_explore_send_counts(&e->list[i]))
            is_good = is_good && pg_shards_tell(p, i);
    watch_shards(p, true);
    for (size_t i = 0; i < p->n_shards; i++)
        if (!pg_explore_take_counts(&e->list[i]))
            is_good = is_good && pg_shards_tell(p, i);
    watch_shards(p, false);
    return is_good;
}

static bool ask_rest(pg *shard, size_t index, void *context)
{
    (void)shard;
    return pg_explore_rest(&((const explorers *)context)->list[index]);
}

static bool are_done(const pg *p, const explorers *e)
{
    size_t n = 0;
    while (n < p->n_shards && e->list[n].is_done)
        n++;
    return n == p->n_shards;
}

bool pg_shards_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, const passing_visitor *visitor)
{
    pg *p = (pg *)db;
    if (!can_be_asked(p, among))
        return pg_explore(db, pos, among, visitor);
    explorers e = {calloc(p->n_shards, sizeof *e.list), calloc(p->n_shards, sizeof *e.parts)};
    bool is_good = (e.list && e.parts) || db_fail_memory(db);
    is_good = is_good && ask_counts(p, &e, pos, among) && (are_done(p, &e) || pg_shards_all(p, ask_rest, &e));
    for (size_t i = 0; e.list && i < p->n_shards; i++) {
        if (is_good)
            pg_explored_tell(&e.list[i], visitor);
        pg_explore_end(&e.list[i]);
    }
    free(e.list);
    free(e.parts);
    return is_good;
}

/* What is left to come of a shard after another has failed is not wanted. */
static bool meet_shard(pg *p, exploring *e, size_t index, bool is_wanted, tby_db_meet meet, void *context)
{
    if (!is_wanted) {
        pg_stop(p->shards[index].to, true);
        return false;
    }
    return pg_meet_take(e, meet, context) || pg_shards_tell(p, index);
}

bool pg_shards_explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet,
                             void *context)
{
    pg *p = (pg *)db;
    if (!can_be_asked(p, among))
        return pg_explore_games(db, pos, among, meet, context);
    exploring *list = calloc(p->n_shards, sizeof *list);
    bool is_good = list || db_fail_memory(db);
    watch_shards(p, true);
    for (size_t i = 0; list && i < p->n_shards; i++) {
        p->shards[i].is_asked = is_good && pg_explore_begin(&list[i], p->shards[i].to, pos, among, NULL) &&
                                pg_meet_send(&list[i]);
        is_good = is_good && (p->shards[i].is_asked || pg_shards_tell(p, i));
    }
    for (size_t i = 0; list && i < p->n_shards; i++)
        if (p->shards[i].is_asked)
            is_good = meet_shard(p, &list[i], i, is_good, meet, context);
    watch_shards(p, false);
    for (size_t i = 0; list && i < p->n_shards; i++)
        pg_explore_end(&list[i]);
    free(list);
    return is_good;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

/* A number does not tell its shard; where games were seen is remembered. They may have been moved since. */
enum { N_PLACES = 4096 };

static void note_place(pg *p, tby_game_id id, size_t shard)
{
    if (!p->places)
        p->places = calloc(N_PLACES, sizeof *p->places);
    if (p->places)
        p->places[(uint64_t)id % N_PLACES] = (pg_place){id, shard};
}

/* The shard, or how many there are if it is not known. */
static size_t find_place(const pg *p, tby_game_id id)
{
    const pg_place *place = p->places ? &p->places[(uint64_t)id % N_PLACES] : NULL;
    return place && place->id == id && id ? place->shard : p->n_shards;
}

/* A shard's games, of which the first may be at hand. */
typedef struct source {
    finding finding;
    bool is_open; /* an answer is still to come */
    tby_db_hit hit;
} source;

typedef struct merging {
    pg *to;
    tby_db_search search; /* what each shard is asked */
    source *sources;
} merging;

/* All are asked before the first answer is waited for. */
static bool open_sources(merging *m, const tby_db_search *search, bool (*begin)(finding *f))
{
    pg *p = m->to;
    m->search = *search;
    m->sources = calloc(p->n_shards, sizeof *m->sources);
    if (!m->sources)
        return db_fail_memory(&p->base);
    watch_shards(p, true);
    for (size_t i = 0; i < p->n_shards; i++) {
        m->sources[i].finding = (finding){.to = p->shards[i].to, .search = &m->search};
        pg_find_prepare(&m->sources[i].finding);
    }
    for (size_t i = 0; i < p->n_shards; i++) {
        m->sources[i].is_open = begin(&m->sources[i].finding);
        if (!m->sources[i].is_open)
            return pg_shards_tell(p, i);
    }
    return true;
}

/* What is left of the answers is not wanted. */
static void close_sources(merging *m)
{
    for (size_t i = 0; m->sources && i < m->to->n_shards; i++) {
        source *s = &m->sources[i];
        if (s->is_open)
            pg_find_stop(&s->finding);
        pg_find_end(&s->finding);
    }
    watch_shards(m->to, false);
    free(m->sources);
}

bool pg_shards_count(tby_db *db, const tby_db_search *search, int64_t *out)
{
    merging m = {.to = (pg *)db};
    tby_db_search all = *search;
    int64_t sum = 0;
    if (!can_be_asked(m.to, search))
        return pg_count(db, search, out);
    all.limit = all.offset = 0;
    bool is_good = open_sources(&m, &all, pg_count_begin);
    for (size_t i = 0; is_good && i < m.to->n_shards; i++) {
        int64_t n = 0;
        is_good = pg_count_take(&m.sources[i].finding, &n) || pg_shards_tell(m.to, i);
        m.sources[i].is_open = false;
        sum += n;
    }
    close_sources(&m);
    *out = pg_within_limits(sum, search);
    return is_good;
}

static bool step(const merging *m, source *s)
{
    const pg_step step = pg_find_next(&s->finding, &s->hit);
    s->is_open = step == PG_ROW;
    return step != PG_FAILED || pg_shards_tell(m->to, (size_t)(s - m->sources));
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

bool pg_shards_find_games(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    merging m = {.to = (pg *)db};
    tby_db_search first = *search;
    if (!can_be_asked(m.to, search))
        return pg_find(db, search, visit, context);
    first.offset = 0;
    if (search->limit > 0)
        first.limit = search->limit <= INT64_MAX - search->offset ? search->limit + search->offset : 0;
    const bool is_good = open_sources(&m, &first, pg_find_begin) && merge(&m, search, visit, context);
    m.to->visited = NULL;
    close_sources(&m);
    return is_good;
}

/* Asks the shards from `first` to before `end` for a game, all before the first answer is waited for, except one that
   is known not to have it. Where one has it, what others say does not matter. */
static bool ask_for_game(pg *p, size_t first, size_t end, size_t except, tby_game_id id, tby_row *out)
{
    bool is_there = false, is_good = true;
    for (size_t i = first; i < end; i++) {
        p->shards[i].is_asked = i != except && pg_game_send(p->shards[i].to, id);
        if (i != except && !p->shards[i].is_asked && is_good)
            is_good = pg_shards_tell(p, i);
    }
    for (size_t i = first; i < end; i++) {
        pg *shard = p->shards[i].to;
        if (p->shards[i].is_asked && is_there)
            pg_forget(shard);
        else if (p->shards[i].is_asked && pg_game_take(shard, id, out)) {
            note_place(p, id, i);
            is_there = true;
        } else if (p->shards[i].is_asked && shard->base.status != TBY_NOT_FOUND && is_good)
            is_good = pg_shards_tell(p, i);
    }
    if (is_good && !is_there)
        db_fail(&p->base, TBY_NOT_FOUND, "there is no game %lld", (long long)id);
    return is_there;
}

/* Where it was seen, then everywhere else. */
static bool look_for_game(pg *p, tby_game_id id, tby_row *out)
{
    const size_t place = find_place(p, id);
    if (place < p->n_shards && ask_for_game(p, place, place + 1, p->n_shards, id, out))
        return true;
    if (place < p->n_shards && p->base.status != TBY_NOT_FOUND)
        return false;
    return ask_for_game(p, 0, p->n_shards, place, id, out);
}

static bool fail_visited(pg *p)
{
    const tby_db *shard = &p->visited->base;
    return db_fail(&p->base, shard->status, "%s", shard->error);
}

/* The game that is being visited, or any if none is. */
bool pg_shards_row(tby_db *db, tby_game_id id, tby_row *out)
{
    pg *p = (pg *)db;
    if (p->visited)
        return pg_fetch_row(&p->visited->base, id, out) || fail_visited(p);
    if (p->row || !pg_shards_reach(p))
        return pg_fetch_row(db, id, out);
    watch_shards(p, true);
    const bool is_good = look_for_game(p, id, out);
    watch_shards(p, false);
    return is_good;
}

/* ---- Explaining ------------------------------------------------------------------------------------------------- */

/* Shards mostly say the same: then once. */
bool pg_shards_explain(tby_db *db, const tby_db_search *search, buffer *out)
{
    pg *p = (pg *)db;
    buffer first = {0}, one = {0}, all = {0};
    bool is_good = true, are_equal = true;
    if (!can_be_asked(p, search))
        return pg_explain(db, search, out);
    for (size_t i = 0; i < p->n_shards; i++) {
        one.n = 0;
        const buffer *text = i ? &one : &first;
        is_good = pg_explain(&p->shards[i].to->base, search, i ? &one : &first) || pg_shards_tell(p, i);
        is_good = is_good && (!text->has_failed || db_fail_memory(db));
        if (!is_good)
            break;
        are_equal = are_equal && text->n == first.n && memcmp(text->s, first.s, first.n) == 0;
        buffer_printf(&all, "shard %d:\n%s", p->shards[i].number, text->s);
    }
    is_good = is_good && (!all.has_failed || db_fail_memory(db));
    if (is_good && are_equal)
        buffer_printf(out, "each of %zu shards:\n%s", p->n_shards, first.s);
    else if (is_good)
        buffer_add(out, all.s, all.n);
    buffer_free(&first);
    buffer_free(&one);
    buffer_free(&all);
    return is_good;
}

/* ---- One picture of each shard ---------------------------------------------------------------------------------- */

static void mark_reading(pg *p, bool is_reading)
{
    p->is_reading = p->reads_shards = is_reading;
    for (size_t i = 0; i < p->n_shards; i++)
        p->shards[i].to->is_reading = is_reading;
}

static void mix_snapshot(void *context, const pg *shard)
{
    uint64_t *mixed = context;
    *mixed = (*mixed ^ (uint64_t)pg_snapshot(shard)) * 0x9e3779b97f4a7c15;
}

/* What others have written shows in the snapshots of all. */
bool pg_shards_begin_reading(tby_db *db, int64_t *version)
{
    pg *p = (pg *)db;
    uint64_t mixed = 0;
    if (!pg_shards_reach(p))
        return pg_begin_reading(db, version);
    if (!version)
        return true;
    mark_reading(p, true);
    if (ask_all(p, PG_BEGIN_READING, mix_snapshot, &mixed)) {
        *version = (int64_t)mixed;
        return true;
    }
    pg_shards_end_reading(db);
    return false;
}

void pg_shards_end_reading(tby_db *db)
{
    pg *p = (pg *)db;
    if (!p->reads_shards) {
        pg_end_reading(db);
        return;
    }
    for (size_t i = 0; i < p->n_shards; i++)
        pg_leave(p->shards[i].to);
    mark_reading(p, false);
}
