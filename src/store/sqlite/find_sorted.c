/*
 * find_sorted.c - finds games in an order that one number per game decides: a rating, the date, the length, the game
 * number, or the rank of a name or other text among all values of the column.
 *
 * Ratings and dates are in the records of 8 bytes. If all games, or those that records alone select, are wanted, only
 * the records are read. Other searches find their games first, and look up the record of each. The length and texts are
 * in the rows: one column is read for all games, or for those found; for names, the index of the column.
 */
#include "base/contract.h"
#include "query/order.h"
#include "row/columns.h"
#include "store/sqlite/find_plan.h"
#include "store/sqlite/first_games.h"
#include "store/sqlite/scan.h"

#include <stdlib.h>
#include <string.h>

/* How many games to read between two checks whether the caller wants to stop. */
enum { BETWEEN_LOOKS = 1024 };

static bool is_by_result(const tby_order *order)
{
    return order->n == 1 && order->fields[0].column >= 0 &&
           row_columns[order->fields[0].column].offset == offsetof(tby_row, result);
}

/* The first_games of texts other than names require reading all games, which is done only if all games are sorted. */
static bool can_rank_texts(const tby_db_search *s)
{
    const bool is_all = !s->query && !s->where && !s->ignores_index;
    return values_can_rank(s->order) && (is_all || row_columns[s->order->fields[0].column].kind == COLUMN_NAME);
}

bool lite_can_sort(const find_plan *p)
{
    const tby_db_search *s = p->base.search;
    return s->order && !s->sample &&
           (s->order->n == 0 || (s->order->n == 1 && order_is_numeric(s->order)) || is_by_result(s->order) ||
            can_rank_texts(s));
}

/* ---- Ranks ---------------------------------------------------------------------------------------------- */

/* Where a record has the sort number, which is less than `limit`. */
typedef struct record_number {
    int shift;
    uint32_t limit;
    bool is_elo, is_date, is_falling; /* is_elo: twice the mean rating */
    uint32_t results[4];              /* the rank of each result, if `is_result` */
    bool is_result;
    const row_column *column; /* the number is in this column of the row; NULL: in the record */
} record_number;

/* Results are ranked by their texts. */
static record_number number_of_result(const tby_order *order)
{
    record_number out = {.limit = 4, .is_result = true};
    char keys[4][64] = {{0}};
    for (int i = 0; i < 4; i++)
        tby_order_key(keys[i], sizeof keys[i], order, &(tby_row){.result = (tby_result)i});
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            out.results[i] += memcmp(keys[k], keys[i], sizeof keys[i]) < 0;
    return out;
}

static record_number number_of(const tby_order *order)
{
    const tby_order_field *f = &order->fields[0];
    if (order->n == 0)
        return (record_number){.limit = 1};
    if (f->column < 0)
        return (record_number){.limit = 1 << 17, .is_elo = true, .is_falling = f->is_falling};
    if (is_by_result(order))
        return number_of_result(order);
    const size_t offset = row_columns[f->column].offset;
    if (tby_order_needs(order))
        return (record_number){.limit = 1 << 27, .is_falling = f->is_falling, .column = &row_columns[f->column]};
    if (offset == offsetof(tby_row, date))
        return (record_number){.limit = 1 << 27, .is_date = true, .is_falling = f->is_falling};
    return (record_number){
        .shift = offset == offsetof(tby_row, elo[TBY_BLACK]) ? 16 : 0, .limit = 1 << 16, .is_falling = f->is_falling};
}

/* Unknown values come last. */
static inline uint32_t rank_of(uint64_t word, const record_number *from)
{
    if (from->is_result)
        return from->results[word >> 32 & 3];
    const uint32_t number = from->is_elo    ? (uint32_t)elo_twice((int)(word & 0xffff), (int)(word >> 16 & 0xffff))
                            : from->is_date ? (uint32_t)fact_date(word)
                                            : (uint32_t)(word >> from->shift) & (from->limit - 1);
    return number == 0 ? from->limit : from->is_falling ? from->limit - number : number;
}

typedef struct ranking {
    lite *db;
    find_plan *plan;
    const game_set *among; /* the games that records pick; NULL: all */
    record_number from;
    first_games first_games;
    block facts;
    values values;        /* of from.column, if it has texts */
    bool is_by_code;      /* so far all texts are opening codes, which need no values */
    bool has_other_texts; /* some texts are not opening codes */
    sqlite3_stmt *number; /* of from.column */
    hit_list hits;        /* those with a ply, by number */
    size_t n_seen;
    int64_t n_named; /* games that were read by their names */
} ranking;

/* The rank of a code such as "B90", consistent with the order of texts; 0 for any other text. */
static uint32_t rank_of_code(sqlite3_stmt *s, int at, bool is_falling)
{
    enum { LAST = 'z' * 100 + 99 };
    const char *c = (const char *)sqlite3_column_text(s, at);
    if (!c)
        return LAST + 1;
    if (sqlite3_column_bytes(s, at) != 3 || (c[0] | 32) < 'a' || (c[0] | 32) > 'z' || c[1] < '0' || c[1] > '9' ||
        c[2] < '0' || c[2] > '9')
        return 0;
    const uint32_t rank = (uint32_t)((c[0] | 32) * 100 + (c[1] - '0') * 10 + c[2] - '0');
    return is_falling ? LAST - rank + 1 : rank;
}

/* For a column of texts, or of a number that is never unknown; an impossible number counts as 0, as in lists. */
static inline bool rank_of_row(ranking *r, sqlite3_stmt *s, int at, uint32_t *out)
{
    const record_number *from = &r->from;
    if (r->values.n)
        return values_rank(&r->values, r->db, s, at, out);
    if (r->is_by_code) {
        *out = rank_of_code(s, at, from->is_falling);
        r->has_other_texts |= *out == 0;
        return *out != 0;
    }
    const int64_t number = sqlite3_column_int64(s, at);
    const uint32_t sound = number >= 0 && number <= from->column->most ? (uint32_t)number : 0;
    *out = from->is_falling ? from->limit - sound : sound;
    return true;
}

/* ---- All games, or those that records select ------------------------------------------------------------ */

/* Do records decide among all games, not just those that reach a position? */
static bool is_by_records(const find_plan *p) { return plan_end(&p->plan) == BY_RECORDS && !p->plan.position; }

static inline bool is_picked(const ranking *r, tby_game_id id)
{
    return game_id_is_sound(id) && (!r->among || game_set_has(r->among, id));
}

/* Called for each game that is read, in case the caller wants to stop. */
static bool ranking_goes_on(ranking *r) { return r->n_seen++ % BETWEEN_LOOKS != 0 || lite_goes_on(r->db); }

static inline bool add_rank(ranking *r, uint32_t rank, tby_game_id id)
{
    return first_games_add(&r->first_games, rank, id) || lite_fail_memory(r->db);
}

static bool rank_block(ranking *r, int64_t number, const uint8_t *records, size_t n)
{
    const record_number *from = &r->from;
    const game_set *among = r->among;
    for (size_t i = 0; i < n && i < BLOCK_GAMES && number * BLOCK_GAMES + (tby_game_id)i < UINT32_MAX; i++) {
        const tby_game_id id = number * BLOCK_GAMES + (tby_game_id)i + 1;
        const uint64_t word = fact_word(records + i * FACT_SIZE);
        if (word != UINT64_MAX && (!among || game_set_has(among, id)) &&
            !first_games_add(&r->first_games, rank_of(word, from), id))
            return lite_fail_memory(r->db);
    }
    return lite_goes_on(r->db);
}

static bool rank_records(ranking *r)
{
    lite_rows blocks = lite_rows_of_facts(r->db, 0, block_of(UINT32_MAX));
    while (lite_next_up(&blocks)) {
        const lite_bytes records = lite_bytes_at(&blocks, 1);
        blocks.failed = !rank_block(r, blocks.number, records.s, records.n / FACT_SIZE);
    }
    return lite_end(&blocks);
}

static bool rank_rows(ranking *r)
{
    uint32_t rank;
    lite_rows games = lite_rows_of(r->db, lite_prepare_of(r->db, "SELECT id, %s FROM game", r->from.column->name));
    while (lite_next_up(&games))
        if (is_picked(r, games.number))
            games.failed = !rank_of_row(r, games.s, 1, &rank) || !add_rank(r, rank, games.number) ||
                           !ranking_goes_on(r);
    return lite_end(&games);
}

/* Ranks the games of one name. */
static bool rank_name(ranking *r, sqlite3_stmt *s, const struct value *name)
{
    lite_rows games = lite_rows_again(r->db, s);
    if (name->id == VALUES_UNKNOWN)
        sqlite3_bind_null(s, 1);
    else
        sqlite3_bind_int64(s, 1, name->id);
    while (lite_next_up(&games))
        if (is_picked(r, games.number)) {
            r->n_named++;
            games.failed = !add_rank(r, name->rank, games.number);
        }
    return lite_end(&games) && lite_goes_on(r->db);
}

/* Called after the last name: has a game been left out because its name is missing? The counters may be wrong, too. */
static bool check_names(ranking *r)
{
    const row_column *c = r->from.column;
    int64_t n_games;
    if (r->among)
        n_games = game_set_count(r->among);
    else if (!lite_n_games(&r->db->base, &n_games))
        return false;
    if (r->n_named == n_games)
        return true;
    lite_rows lost =
        lite_rows_of(r->db, lite_prepare_of(r->db, "SELECT id FROM game WHERE %s NOT IN (SELECT id FROM %s) LIMIT 1",
                                            c->name, name_tables[c->names]));
    if (lite_next_up(&lost))
        lost.failed = !lite_fail(r->db, TBY_INVALID_DATABASE, "game %lld is damaged: its %s is missing",
                                 (long long)lost.number, c->name);
    return lite_end(&lost);
}

/* Uses the index of the column, name by name in order, until there are enough games. */
static bool rank_names(ranking *r)
{
    sqlite3_stmt *s = lite_prepare_of(r->db, "SELECT id FROM game WHERE %s IS ?1", r->from.column->name);
    bool is_good = s != NULL;
    const struct value *name = r->values.items, *end = name + r->values.n;
    for (; is_good && name < end; name++) {
        const bool is_next = name > r->values.items && name->rank != name[-1].rank;
        if (is_next && r->first_games.most && r->first_games.n >= r->first_games.most)
            break;
        is_good = rank_name(r, s, name);
    }
    sqlite3_finalize(s);
    return is_good && (name < end || check_names(r));
}

/* Are all games wanted, or those that records are sure of? If they are few, their rows are looked up instead. */
static bool reads_all(const ranking *r)
{
    const find_plan *p = r->plan;
    const tby_db_search *s = p->base.search;
    if (s->ignores_index || s->where)
        return false;
    const int64_t n_sure = is_by_records(p) ? game_set_count(&p->must) : 0;
    return !s->query ||
           (is_by_records(p) && game_set_count(&p->may) == n_sure && (!r->from.column || !are_few(n_sure, p->last_id)));
}

/* ---- The games that a search finds ---------------------------------------------------------------------- */

/* A game without a record or row is damaged and comes last. */
static bool find_rank(ranking *r, tby_game_id id, uint32_t *out)
{
    *out = r->from.limit;
    if (!r->from.column) {
        const uint8_t *record = block_get(&r->facts, r->db, id);
        if (record && fact_is_there(record))
            *out = rank_of(fact_word(record), &r->from);
        return record != NULL;
    }
    lite_rows number = lite_rows_again(r->db, r->number);
    lite_bind(&number, 1, id);
    if (lite_next(&number))
        number.failed = !rank_of_row(r, number.s, 0, out);
    return lite_end(&number);
}

static bool rank_hit(void *context, const tby_db_hit *found)
{
    ranking *r = context;
    const hit h = {.id = (uint32_t)found->id, .ply = (uint16_t)found->ply};
    uint32_t rank;
    return ranking_goes_on(r) && find_rank(r, found->id, &rank) && add_rank(r, rank, found->id) &&
           (found->ply < 0 || hit_list_add(&r->hits, &h));
}

/* The visitor returns false on failure, which ends the search just as a reached limit does. */
static bool rank_found(ranking *r)
{
    tby_db_search all = *r->plan->base.search;
    all.limit = all.offset = 0;
    all.wanted = TBY_WANTED_IDS;
    r->facts = facts_begin();
    if (r->from.column &&
        !(r->number = lite_prepare_of(r->db, "SELECT %s FROM game WHERE id = ?1", r->from.column->name)))
        return false;
    failure_clear(&r->db->base.failure);
    const bool is_good = lite_visit_found(r->db, r->plan, &all, rank_hit, r) && r->db->base.failure.status == TBY_OK;
    sqlite3_finalize(r->number);
    block_finish(&r->facts);
    return is_good;
}

/* ---- Running -------------------------------------------------------------------------------------------- */

static void visit_ranked(ranking *r, tby_db_visit visit, void *context)
{
    visiting v;
    visiting_begin(&v, r->db, r->plan->base.search->wanted);
    for (size_t i = 0; i < r->first_games.n; i++) {
        const hit key = {.id = (uint32_t)first_games_id(&r->first_games, i)};
        const hit *h = r->hits.n ? bsearch(&key, r->hits.hits, r->hits.n, sizeof key, compare_hits) : NULL;
        if (!visit(context, &(tby_db_hit){key.id, h ? h->ply : -1}))
            break;
    }
    visiting_end(&v);
}

/* Codes are ranked without reading all of them first; if another text is among them, the ranking starts over. */
static bool rank_texts(ranking *r)
{
    const tby_db_search *s = r->plan->base.search;
    r->is_by_code = true;
    if (rank_rows(r) || !r->has_other_texts)
        return !r->has_other_texts;
    r->is_by_code = false;
    first_games_free(&r->first_games);
    r->first_games = first_games_of(s->order, s->offset, s->limit);
    return values_read(&r->values, r->db, s->order) && rank_rows(r);
}

static bool rank_all(ranking *r)
{
    const bool is_name = r->from.column && r->from.column->kind == COLUMN_NAME, is_all = reads_all(r);
    if (is_name && !values_read(&r->values, r->db, r->plan->base.search->order))
        return false;
    if (!is_all)
        values_sort_by_number(&r->values);
    return !is_all                               ? rank_found(r)
           : !r->from.column                     ? rank_records(r)
           : is_name                             ? rank_names(r)
           : r->from.column->kind == COLUMN_TEXT ? rank_texts(r)
                                                 : rank_rows(r);
}

bool lite_run_sorted(lite *db, find_plan *made, tby_db_visit visit, void *context)
{
    TBY_CONTRACT(made->plan.n_steps <= PLAN_STEPS_MAX);
    const tby_db_search *s = made->base.search;
    ranking r = {.db = db,
                 .plan = made,
                 .from = number_of(s->order),
                 .first_games = first_games_of(s->order, s->offset, s->limit),
                 .hits.db = db};
    bool is_alone;
    if (!lite_begin_reading(db, &is_alone))
        return false;
    bool is_good = find_plan_settle(made, db);
    r.among = is_by_records(made) ? &made->must : NULL;
    is_good = is_good && rank_all(&r) && (first_games_cut(&r.first_games, s->offset, s->limit) || lite_fail_memory(db));
    if (is_good)
        visit_ranked(&r, visit, context);
    lite_end_reading(db, is_alone);
    first_games_free(&r.first_games);
    values_free(&r.values);
    free(r.hits.hits);
    return is_good;
}
