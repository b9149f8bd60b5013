/*
 * union.c - several databases, read as one.
 *
 *     52        40 39                     0
 *     +-----------+-----------------------+
 *     |   place   | number in its database |     a game's number
 *     +-----------+-----------------------+
 *
 * So the games of the first database keep their numbers, games are in the order of their databases, and all numbers fit
 * into the 53 bits of a JavaScript number.
 *
 * Reads    databases of any kind, even of several kinds
 * Refuses  to change anything; a number of 2^40 or more; more than 8192 databases
 * Keeps    the answers of one database with the games of all of them, in their order. A game that is in two of them counts
 *          twice. A member that fails is a failure of the whole: there is no partial answer.
 */
#include "base/contract.h"
#include "query/copy.h"
#include "store/access.h"
#include "store/name_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const int64_t number_max = ((int64_t)1 << UNION_NUMBER_BITS) - 1;

typedef struct member {
    tby_db *db;
    char *name;
} member;

typedef struct db_union {
    tby_db base;
    bool has_own_ids; /* the numbers in a query are those of each member */
    size_t n;
    member list[];
} db_union;

static db_union *union_of(tby_db *db) { return (db_union *)db; }

/* A member, with the settings of the whole. */
static tby_db *member_at(tby_db *db, size_t place)
{
    tby_db *m = union_of(db)->list[place].db;
    TBY_CONTRACT(place < union_of(db)->n);
    m->watch = db->watch;
    m->watch_context = db->watch_context;
    m->n_threads = db->n_threads;
    return m;
}

/* Passes the failure of a member on, with its name. Always returns false. */
static bool fail_at(tby_db *db, size_t place)
{
    const member *m = &union_of(db)->list[place];
    return db_fail(db, m->db->failure.status, "%s: %s", m->name, m->db->failure.text);
}

/* ---- Numbers -------------------------------------------------------------------------------------------- */

static tby_game_id number_of(size_t place, tby_game_id id)
{
    TBY_CONTRACT(id <= number_max);
    return (int64_t)place << UNION_NUMBER_BITS | id;
}

static bool fits(tby_db *db, size_t place, tby_game_id id)
{
    return id <= number_max || db_fail(db, TBY_TOO_MANY, "%s: the number %" PRId64 " is too large to be combined",
                                       union_of(db)->list[place].name, id);
}

/* The database of a game, and its number there; NULL if there is none. */
static tby_db *member_of(tby_db *db, tby_game_id id, size_t *place, tby_game_id *own)
{
    *place = id > 0 ? (size_t)(id >> UNION_NUMBER_BITS) : SIZE_MAX;
    *own = id & number_max;
    if (*place < union_of(db)->n)
        return member_at(db, *place);
    db_fail(db, TBY_NOT_FOUND, "there is no game %" PRId64, id);
    return NULL;
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

static void union_end_reading(tby_db *db)
{
    for (size_t i = 0; i < union_of(db)->n; i++)
        member_at(db, i)->kind->end_reading(member_at(db, i));
}

/* The version is another one if that of any member is. */
static bool union_begin_reading(tby_db *db, int64_t *version)
{
    uint64_t all = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < union_of(db)->n; i++) {
        tby_db *m = member_at(db, i);
        int64_t one;
        if (!m->kind->begin_reading(m, &one)) {
            while (i-- > 0)
                member_at(db, i)->kind->end_reading(member_at(db, i));
            return fail_at(db, i + 1);
        }
        all = (all ^ (uint64_t)one) * UINT64_C(0x100000001b3);
        all ^= all >> 29;
    }
    *version = (int64_t)(all & INT64_MAX);
    return true;
}

static bool union_n_games(tby_db *db, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < union_of(db)->n; i++) {
        tby_db *m = member_at(db, i);
        int64_t n;
        if (!m->kind->n_games(m, &n))
            return fail_at(db, i);
        *out += n;
    }
    return true;
}

static bool union_last_id(tby_db *db, int64_t *out)
{
    *out = 0;
    for (size_t i = union_of(db)->n; i-- > 0 && *out == 0;) {
        tby_db *m = member_at(db, i);
        int64_t last;
        if (!m->kind->last_id(m, &last))
            return fail_at(db, i);
        if (!fits(db, i, last))
            return false;
        *out = last ? number_of(i, last) : 0;
    }
    return true;
}

static bool union_row(tby_db *db, tby_game_id id, tby_row *out)
{
    size_t place;
    tby_game_id own;
    tby_db *m = member_of(db, id, &place, &own);
    return m && (m->kind->row(m, own, out) || fail_at(db, place));
}

static bool union_facts(tby_db *db, tby_game_id id, tby_db_facts *out)
{
    size_t place;
    tby_game_id own;
    tby_db *m = member_of(db, id, &place, &own);
    return m && (m->kind->facts(m, own, out) || fail_at(db, place));
}

/* ---- Collections ---------------------------------------------------------------------------------------- */

/* Of all members if `game` is 0: a collection is then reported in parts. */
static bool union_collections(tby_db *db, tby_game_id game, collection_take take, void *context)
{
    size_t place;
    tby_game_id own;
    if (game) {
        tby_db *m = member_of(db, game, &place, &own);
        return m && (m->kind->collections(m, own, take, context) || fail_at(db, place));
    }
    for (size_t i = 0; i < union_of(db)->n; i++) {
        tby_db *m = member_at(db, i);
        if (!m->kind->collections(m, 0, take, context))
            return fail_at(db, i);
    }
    return true;
}

typedef struct taking {
    void (*take)(void *context, tby_game_id id);
    void *context;
    size_t place;
} taking;

static void take_member(void *context, tby_game_id id)
{
    const taking *t = context;
    t->take(t->context, number_of(t->place, id));
}

static bool union_members(tby_db *db, tby_text name, void (*take)(void *context, tby_game_id id), void *context)
{
    for (size_t i = 0; i < union_of(db)->n; i++) {
        tby_db *m = member_at(db, i);
        taking t = {take, context, i};
        if (!m->kind->members(m, name, take_member, &t))
            return fail_at(db, i);
    }
    return true;
}

/* ---- Plans ---------------------------------------------------------------------------------------------- */

struct union_plan;
/* The part of a search that one member does. */
typedef struct part {
    struct union_plan *whole;
    size_t place;
    tby_db_search search;
    tby_query *query; /* a copy with the member's own numbers; NULL: the query has none, or has these already */
    db_plan *plan;
    sort_keys keys;
} part;

typedef struct union_plan {
    db_plan base;
    tby_db *db;
    int64_t n_found;
    tby_db_visit visit;
    void *context;
    tby_sorting *sorting; /* holds the games until all are found; NULL: neither sorted nor sampled */
    bool has_failed, is_over;
    size_t n;
    part parts[];
} union_plan;

/* The work of all parts is taken to be equal. */
static bool report_part(void *context, double fraction)
{
    const part *p = context;
    const tby_db_search *s = p->whole->base.search;
    return s->progress(s->progress_context, ((double)p->place + fraction) / (double)p->whole->n);
}

static void union_plan_free(tby_db *db, db_plan *made)
{
    union_plan *p = (union_plan *)made;
    for (size_t i = 0; i < p->n; i++) {
        db_plan_free(member_at(db, i), p->parts[i].plan);
        tby_query_free(p->parts[i].query);
    }
    free(p);
}

/* Each member may have all the games that are wanted, so limits are applied here. */
static bool plan_part(union_plan *p, size_t place)
{
    const tby_db_search *s = p->base.search;
    part *one = &p->parts[place];
    *one = (part){.whole = p, .place = place, .search = *s};
    if (place && s->query && query_has_ids(s->query) && !union_of(p->db)->has_own_ids) {
        one->query = query_copy_ids_less(s->query, number_of(place, 0));
        if (!one->query)
            return db_fail_memory(p->db);
        one->search.query = one->query;
    }
    one->search.offset = one->search.limit = 0;
    one->search.order = s->sample ? NULL : s->order; /* a sample is taken of all games */
    one->search.sample = 0;
    one->search.progress = s->progress ? report_part : NULL;
    one->search.progress_context = one;
    one->plan = db_plan_make(member_at(p->db, place), &one->search, p->base.pos);
    return one->plan || fail_at(p->db, place);
}

/* Each part looks up the collections of its own database. */
static db_plan *union_plan_make(tby_db *db, const tby_db_search *search, const tby_position *pos,
                                query_members *members)
{
    const size_t n = union_of(db)->n;
    (void)members;
    union_plan *p = calloc(1, sizeof *p + n * sizeof *p->parts);
    if (!p) {
        db_fail_memory(db);
        return NULL;
    }
    p->base = (db_plan){.search = search, .pos = pos, .is_sorted = search->order || search->sample};
    p->db = db;
    for (size_t i = 0; i < n; i++, p->n++)
        if (!plan_part(p, i)) {
            p->n = i + 1;
            union_plan_free(db, &p->base);
            return NULL;
        }
    return &p->base;
}

static bool union_describe(tby_db *db, db_plan *made, buffer *out)
{
    union_plan *p = (union_plan *)made;
    for (size_t i = 0; i < p->n; i++) {
        tby_db *m = member_at(db, i);
        buffer_printf(out, "%s%s:\n", i ? "\n" : "", union_of(db)->list[i].name);
        if (!m->kind->describe(m, p->parts[i].plan, out))
            return fail_at(db, i);
    }
    return true;
}

/* ---- Finding -------------------------------------------------------------------------------------------- */

/* Within the limits of the search. */
static bool visit_hit(union_plan *p, const tby_db_hit *hit)
{
    const tby_db_search *s = p->base.search;
    if (p->n_found++ < s->offset)
        return true;
    p->is_over = !p->visit(p->context, hit) || (s->limit > 0 && p->n_found - s->offset >= s->limit);
    return !p->is_over;
}

/* The key is made by the member, with its own number. */
static bool hold_hit(part *one, tby_game_id own, const tby_db_hit *hit)
{
    union_plan *p = one->whole;
    const buffer *key = &one->keys.key;
    p->has_failed = true;
    if (!sort_keys_next(&one->keys, own))
        return fail_at(p->db, one->place);
    p->has_failed = tby_sorting_add(p->sorting, (tby_text){key->s, key->n}, (uint64_t)hit->id, hit, sizeof *hit) !=
                        TBY_OK &&
                    !db_fail_memory(p->db);
    return !p->has_failed;
}

static bool take_hit(void *context, const tby_db_hit *hit)
{
    part *one = context;
    union_plan *p = one->whole;
    p->has_failed = !fits(p->db, one->place, hit->id);
    const tby_db_hit whole = {number_of(one->place, hit->id & number_max), hit->ply};
    return !p->has_failed && (p->sorting ? hold_hit(one, hit->id, &whole) : visit_hit(p, &whole));
}

static bool visit_held(void *context, const char *bytes, size_t n)
{
    tby_db_hit hit;
    memcpy(&hit, bytes, n);
    return visit_hit(context, &hit);
}

/* As many games of each member as are wanted of all, but every game for a sample; limits may have changed since the plan
   was made. */
static void limit_part(const union_plan *p, part *one)
{
    const tby_db_search *s = p->base.search;
    one->search.limit = s->sample ? 0 : db_n_wanted(s);
    one->search.wanted = s->wanted;
    if (p->sorting && one->search.wanted < db_wanted_to_sort(s->order))
        one->search.wanted = db_wanted_to_sort(s->order);
}

static bool run_part(union_plan *p, part *one)
{
    tby_db *m = member_at(p->db, one->place);
    limit_part(p, one);
    bool is_good = (!p->sorting || sort_keys_begin(&one->keys, m, p->base.search->order, one->plan)) &&
                   db_plan_run(m, one->plan, &one->search, take_hit, one);
    is_good = is_good || fail_at(p->db, one->place);
    sort_keys_end(&one->keys);
    return is_good && !p->has_failed;
}

static bool run_parts(union_plan *p)
{
    bool is_good = true;
    for (size_t i = 0; i < p->n && !p->is_over && is_good; i++)
        is_good = run_part(p, &p->parts[i]);
    return is_good;
}

static bool union_run(tby_db *db, db_plan *made, tby_db_visit visit, void *context)
{
    union_plan *p = (union_plan *)made;
    const tby_db_search *s = made->search;
    p->visit = visit;
    p->context = context;
    p->n_found = 0;
    p->is_over = p->has_failed = false;
    if (made->is_sorted && !(p->sorting = tby_sorting_new(s->order, (uint64_t)db_n_wanted(s), s->sample, s->seed)))
        return db_fail_memory(db);
    const bool is_good = run_parts(p);
    if (is_good && p->sorting)
        tby_sorting_each(p->sorting, visit_held, p);
    tby_sorting_free(p->sorting);
    p->sorting = NULL;
    return is_good;
}

static bool union_count(tby_db *db, db_plan *made, int64_t *out)
{
    union_plan *p = (union_plan *)made;
    const tby_db_search *s = made->search;
    int64_t all = 0;
    for (size_t i = 0; i < p->n; i++) {
        tby_db *m = member_at(db, i);
        int64_t n;
        if (!m->kind->count(m, p->parts[i].plan, &n))
            return fail_at(db, i);
        all += n;
    }
    *out = db_within_limits(all, s);
    return true;
}

/* ---- Exploring ------------------------------------------------------------------------------------------ */

/* The visitor's context for one thread and one member. */
typedef struct reaching {
    const reaching_visitor *to;
    void *context;
    size_t place;
    struct reaching *next; /* of the other threads */
} reaching;

static bool visit_game(void *context, const tby_db_reaching *game)
{
    const reaching *p = context;
    tby_db_reaching whole = *game;
    whole.id = number_of(p->place, game->id & number_max);
    return p->to->visit(p->context, &whole);
}

static void add_games(void *context, const tby_db_move *counted)
{
    const reaching *p = context;
    p->to->add(p->context, counted);
}

static void *reaching_of(void *context, unsigned number)
{
    reaching *first = context, *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (reaching){first->to, first->to->context_of(first->context, number), first->place, first->next};
    if (!p->context) {
        free(p);
        return NULL;
    }
    return first->next = p;
}

static bool reach_part(tby_db *db, const part *one, const reaching_visitor *to)
{
    tby_db *m = member_at(db, one->place);
    reaching p = {.to = to, .context = to->context, .place = one->place};
    const reaching_visitor visitor = {.visit = visit_game,
                                      .add = to->add ? add_games : NULL,
                                      .context = &p,
                                      .context_of = to->context_of ? reaching_of : NULL};
    const bool is_good = m->kind->reach(m, one->plan, &visitor);
    for (reaching *other; (other = p.next) != NULL;) {
        p.next = other->next;
        free(other);
    }
    return is_good || fail_at(db, one->place);
}

static bool union_reach(tby_db *db, db_plan *made, const reaching_visitor *visitor)
{
    const union_plan *p = (const union_plan *)made;
    for (size_t i = 0; i < p->n; i++)
        if (!reach_part(db, &p->parts[i], visitor))
            return false;
    return true;
}

/* ---- Names ---------------------------------------------------------------------------------------------- */

/* Names of several members: their games are added up. */
typedef struct found_names {
    const name_search *search;
    name_list list;
} found_names;

static bool fits_name(void *context, tby_text name)
{
    const name_search *to = ((const found_names *)context)->search;
    return to->fits(to->context, name);
}

static void take_name(void *context, tby_text name, int64_t games)
{
    name_list_add(&((found_names *)context)->list, name, games);
}

static bool union_names(tby_db *db, const name_search *search)
{
    found_names all = {.search = search};
    name_search each = *search;
    bool is_good = true;
    each.fits = fits_name;
    each.take = take_name;
    each.context = &all;
    for (size_t i = 0; i < union_of(db)->n && is_good && !(search->is_one && all.list.n); i++) {
        tby_db *m = member_at(db, i);
        is_good = m->kind->names(m, &each) || fail_at(db, i);
    }
    is_good = is_good && (name_list_merge(&all.list) || db_fail_memory(db));
    for (size_t i = 0; is_good && i < all.list.n; i++)
        search->take(search->context, name_list_text(&all.list.items[i]), all.list.items[i].games);
    name_list_free(&all.list);
    return is_good;
}

static bool union_check_where(tby_db *db, const char *where)
{
    for (size_t i = 0; i < union_of(db)->n; i++) {
        tby_db *m = member_at(db, i);
        if (!m->kind->check_where(m, where))
            return fail_at(db, i);
    }
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------------------ */

static void union_limit(tby_db *db, db_limit what, uint64_t n)
{
    for (size_t i = 0; i < union_of(db)->n; i++)
        member_at(db, i)->kind->limit(member_at(db, i), what, n);
}

/* One member while all are verified or measured. */
typedef struct looking {
    tby_db *db;
    size_t place;
    tby_db_fault fault;
    tby_db_size size;
    tby_db_progress progress;
    void *context;
} looking;

static void report_fault(void *context, tby_game_id id, const char *text)
{
    const looking *l = context;
    buffer whole = {0};
    buffer_printf(&whole, "%s: %s", union_of(l->db)->list[l->place].name, text);
    l->fault(l->context, id ? number_of(l->place, id & number_max) : 0, whole.has_failed ? text : whole.s);
    buffer_free(&whole);
}

static bool report_verified(void *context, double fraction)
{
    const looking *l = context;
    return !l->progress || l->progress(l->context, ((double)l->place + fraction) / (double)union_of(l->db)->n);
}

static bool union_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    *n_faults = 0;
    for (size_t i = 0; i < union_of(db)->n; i++) {
        tby_db *m = member_at(db, i);
        looking l = {.db = db, .place = i, .fault = fault, .progress = progress, .context = context};
        int64_t n;
        if (!m->kind->verify(m, report_fault, report_verified, &l, &n))
            return fail_at(db, i);
        *n_faults += n;
    }
    return true;
}

static void add_summary(tby_db_summary *to, const tby_db_summary *from)
{
    int64_t *const sums[] = {&to->n_games, &to->n_plies, &to->n_annotated, &to->n_players, &to->n_events,
                             &to->n_sites, &to->n_runs,  &to->n_indexed,   &to->file_size};
    const int64_t more[] = {from->n_games, from->n_plies, from->n_annotated, from->n_players, from->n_events,
                            from->n_sites, from->n_runs,  from->n_indexed,   from->file_size};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        *sums[i] += more[i];
    for (size_t i = 0; i < 4; i++)
        to->results[i] += from->results[i];
    if (from->first_date && (!to->first_date || from->first_date < to->first_date))
        to->first_date = from->first_date;
    to->last_date = from->last_date > to->last_date ? from->last_date : to->last_date;
    to->index_plies = from->index_plies < to->index_plies ? from->index_plies : to->index_plies;
    to->schema_version = from->schema_version < to->schema_version ? from->schema_version : to->schema_version;
}

/* A player, event or site of two members counts twice. */
static bool union_summarize(tby_db *db, tby_db_summary *out)
{
    tby_db_summary one;
    for (size_t i = 0; i < union_of(db)->n; i++) {
        tby_db *m = member_at(db, i);
        if (!m->kind->summarize(m, i ? &one : out))
            return fail_at(db, i);
        if (i)
            add_summary(out, &one);
    }
    return true;
}

static void report_size(void *context, const char *name, int64_t n_bytes)
{
    const looking *l = context;
    buffer whole = {0};
    buffer_printf(&whole, "%s: %s", union_of(l->db)->list[l->place].name, name);
    l->size(l->context, whole.has_failed ? name : whole.s, n_bytes);
    buffer_free(&whole);
}

static bool union_sizes(tby_db *db, tby_db_size visit, void *context)
{
    for (size_t i = 0; i < union_of(db)->n; i++) {
        tby_db *m = member_at(db, i);
        looking l = {.db = db, .place = i, .size = visit, .context = context};
        if (!m->kind->sizes(m, report_size, &l))
            return fail_at(db, i);
    }
    return true;
}

/* ---- Opening and closing -------------------------------------------------------------------------------- */

static void union_close(tby_db *db)
{
    db_union *u = union_of(db);
    for (size_t i = 0; i < u->n; i++) {
        db_close(u->list[i].db);
        free(u->list[i].name);
    }
    free(u);
}

static const db_access union_access = {
    .close = union_close,
    .collections = union_collections,
    .members = union_members,
    .begin_reading = union_begin_reading,
    .end_reading = union_end_reading,
    .n_games = union_n_games,
    .last_id = union_last_id,
    .row = union_row,
    .facts = union_facts,
    .plan = union_plan_make,
    .plan_free = union_plan_free,
    .describe = union_describe,
    .run = union_run,
    .count = union_count,
    .reach = union_reach,
    .names = union_names,
    .check_where = union_check_where,
    .limit = union_limit,
    .verify = union_verify,
    .summarize = union_summarize,
    .sizes = union_sizes,
};

tby_db *union_new(tby_db *const *members, const char *const *names, size_t n)
{
    TBY_CONTRACT(n > 1 && n <= UNION_MEMBERS_MAX);
    db_union *u = calloc(1, sizeof *u + n * sizeof *u->list);
    if (!u)
        return NULL;
    u->base.kind = &union_access;
    for (size_t i = 0; i < n; i++, u->n++)
        if (!(u->list[i].name = strdup(names[i]))) {
            union_close(&u->base);
            return NULL;
        }
    for (size_t i = 0; i < n; i++)
        u->list[i].db = members[i];
    return &u->base;
}

size_t union_place(const tby_db *db, tby_game_id *id)
{
    if (db->kind != &union_access)
        return 0;
    const size_t place = (size_t)(*id >> UNION_NUMBER_BITS);
    *id &= number_max;
    return place;
}

void union_use_own_ids(tby_db *db)
{
    if (db->kind == &union_access)
        union_of(db)->has_own_ids = true;
}
