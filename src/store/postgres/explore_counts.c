/*
 * explore_counts.c - the moves played in a position that many games reach, from stored counts.
 *
 * The extension's createMoveStats maintains them, by class of the lower rating, by year, by result and by pool (speed
 * and mean rating): a few thousand rows instead of every game, and totals of them: a few dozen, or a few hundred by
 * pool. They can be used for all games, for ratings from a multiple of 200 on, for whole years, for results, and for the
 * groups of mean ratings and the speeds of the public explorer; other searches look at the games. The statement is the
 * extension's own function game_counts.
 */
#include "query/ast.h"
#include "query/facts.h"
#include "store/postgres/explore.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    CLASS_WIDTH = 200,
    MOST_ELO = 9999,
    MOST_YEAR = 9999,
    ALL_RESULTS = 15,
    ALL_GROUPS = (1 << TBY_RATING_GROUPS) - 1,
    ALL_SPEEDS = (1 << TBY_SPEEDS) - 1
};

/* ---- Searches that counts can answer ---------------------------------------------------------------------------- */

typedef struct filter {
    int64_t low_class, low_year, high_year; /* 0: any */
    unsigned results, groups, speeds; /* a bit for each tby_result, group of ratings (tby_pool_of) and tby_speed */
} filter;

static bool has_pools(const filter *f) { return f->groups != ALL_GROUPS || f->speeds != ALL_SPEEDS; }

/* A condition that both players have at least this rating. */
static bool take_elo(filter *f, const query_node *node)
{
    const int64_t low = node->u.range.low, class = low / CLASS_WIDTH;
    if (low < CLASS_WIDTH || low % CLASS_WIDTH != 0 || node->u.range.high < MOST_ELO)
        return false;
    f->low_class = class > f->low_class ? class : f->low_class;
    return true;
}

static bool take_years(filter *f, const query_node *node)
{
    const int64_t low = node->u.range.low, high = node->u.range.high;
    if ((low > 0 && low % 10000 != 0) || (high < MOST_YEAR * 10000 && high % 10000 != 9999))
        return false;
    const int64_t first = low < 10000 ? 1 : low / 10000, last = high / 10000 > MOST_YEAR ? MOST_YEAR : high / 10000;
    f->low_year = first > f->low_year ? first : f->low_year;
    f->high_year = f->high_year && f->high_year < last ? f->high_year : last;
    return true;
}

/* The values that a condition allows, a bit for each; false if it is about something else, or needs a part of a group. */
typedef bool value_set(const query_node *node, unsigned *out);

static bool result_set(const query_node *node, unsigned *out)
{
    const bool is_result = fact_of_node(node)->value == VALUE_RESULT;
    *out = is_result ? 1u << node->number : 0;
    return is_result;
}

static bool speed_set(const query_node *node, unsigned *out)
{
    const bool is_speed = fact_of_node(node)->value == VALUE_SPEED;
    *out = is_speed ? 1u << node->number : 0;
    if (is_speed && node->number == TBY_SPEED_BULLET)
        *out |= 1u << TBY_SPEED_ULTRABULLET;
    return is_speed;
}

/* Twice the least mean of a group. */
static int64_t least_sum(int group)
{
    return group < TBY_RATING_GROUPS ? 2 * (int64_t)tby_pool_least_mean(group) : INT32_MAX;
}

static bool group_set(const query_node *node, unsigned *out)
{
    const query_fact *fact = fact_of_node(node);
    *out = 0;
    if (fact->of != OF_MEAN)
        return false;
    const int64_t low = fact_bound(fact, node->u.range.low), high = fact_bound(fact, node->u.range.high);
    for (int group = 1; group < TBY_RATING_GROUPS; group++) {
        const int64_t first = least_sum(group), end = least_sum(group + 1);
        if (first >= low && (end - 1 <= high || (end == INT32_MAX && high >= 2 * MOST_ELO)))
            *out |= 1u << group;
        else if (first <= high && end > low)
            return false;
    }
    return true;
}

/* The same for several conditions of one kind. */
static bool set_of(const query_tree *tree, const query_node *node, value_set *leaf, unsigned all, unsigned *out)
{
    unsigned set = node->type == Q_AND ? all : 0, kid;
    if (node->type != Q_AND && node->type != Q_OR && node->type != Q_NOT)
        return leaf(node, out);
    for (uint32_t i = 0; i < node->n_kids; i++) {
        if (!set_of(tree, tree_node(tree, tree_kid(tree, node, i)), leaf, all, &kid))
            return false;
        set = node->type == Q_AND ? set & kid : set | kid;
    }
    *out = node->type == Q_NOT ? all & ~set : set;
    return true;
}

static bool take_node(filter *f, const query_tree *tree, const query_node *node)
{
    unsigned set;
    if (set_of(tree, node, result_set, ALL_RESULTS, &set))
        f->results &= set;
    else if (set_of(tree, node, group_set, ALL_GROUPS, &set))
        f->groups &= set;
    else if (set_of(tree, node, speed_set, ALL_SPEEDS, &set))
        f->speeds &= set;
    else
        return node->type == Q_ELO    ? take_elo(f, node)
               : node->type == Q_DATE ? take_years(f, node)
                                      : node->type == Q_TRUE;
    return true;
}

/* Can the counts answer the search? */
static bool filter_of(filter *f, const tby_db_search *among)
{
    *f = (filter){.results = ALL_RESULTS, .groups = ALL_GROUPS, .speeds = ALL_SPEEDS};
    if (among->where || !among->query)
        return !among->where;
    const query_tree *tree = &among->query->program;
    const query_node *top = tree_node(tree, tree->root);
    if (top->type != Q_AND)
        return take_node(f, tree, top);
    for (uint32_t i = 0; i < top->n_kids; i++)
        if (!take_node(f, tree, tree_node(tree, tree_kid(tree, top, i))))
            return false;
    return true;
}

/* ---- Which counts exist ----------------------------------------------------------------------------------------- */

/* An import may have created the counts meanwhile. */
static bool find_counts(server *s)
{
    return s->has_counts || !s->is_current || pg_is_true(&s->to, "SELECT " PG_HAS_COUNTS, &s->has_counts);
}

/* Is there a game that is not in the counts by year? */
static bool is_in_several_years(server *s, bool *out)
{
    return pg_is_true(
        &s->to, "SELECT count(*) FROM (SELECT 1 FROM tabiya.game WHERE " PG_IN_SEVERAL_YEARS " LIMIT 1) AS x", out);
}

/* ---- Counts ----------------------------------------------------------------------------------------------------- */

/* The first row is a note that the position is counted; then come its moves, and the positions after moves, with the
   number of games that reach them. Each has a note whether some game has no single year. */
enum { POSITION, IS_PARTIAL = PLAYED_LAST + 1 };

/* The pools of the groups and speeds: {23,24} */
static void put_pools(buffer *out, const filter *by)
{
    char before = '{';
    for (int speed = 0; speed < TBY_SPEEDS; speed++)
        for (int group = 0; group < TBY_RATING_GROUPS; group++)
            if (by->speeds >> speed & 1 && by->groups >> group & 1) {
                buffer_printf(out, "%c%d", before, tby_pool_of((tby_speed)speed, group));
                before = ',';
            }
    buffer_string(out, before == '{' ? "{}" : "}");
}

/* The range of mean ratings that contains all groups; false if games without ratings are wanted, too. */
static bool put_range(buffer *sql, const filter *by)
{
    int first = 1, end = TBY_RATING_GROUPS;
    if (!by->groups || by->groups == ALL_GROUPS || by->groups & 1)
        return false;
    while (!(by->groups >> first & 1))
        first++;
    while (!(by->groups >> (end - 1) & 1))
        end--;
    buffer_printf(sql, " AND (g.white_elo + g.black_elo) BETWEEN %d AND %d", (int)least_sum(first),
                  (int)least_sum(end) - 1);
    return true;
}

/* The planner takes conditions for independent: of ratings there is only one. */
void explore_put_pools(const finding *f, bool is_by_rating, buffer *sql)
{
    filter by;
    const char *ext = f->server->ext;
    if (!filter_of(&by, f->base.search))
        return;
    if (is_by_rating && put_range(sql, &by))
        by.groups = ALL_GROUPS;
    if (!has_pools(&by))
        return;
    buffer_printf(sql, " AND " PG_POOL " = ANY ('", ext, "g.", "g.", "g.", "g.");
    put_pools(sql, &by);
    buffer_string(sql, "'::smallint[])");
}

/* The board, the positions after its moves, and the ranges, or NULL for all. */
static void put_values(pg_values *v, const tby_position *pos, const filter *by)
{
    char text[TBY_FEN_SIZE];
    tby_next_move legal[TBY_NEXT_MOVES_MAX];
    const size_t n = tby_next_moves_list(legal, pos) - 1; /* without the null move */
    buffer keys = {0};
    tby_fen_write_position(text, sizeof text, pos, 0);
    pg_value(v, text);
    buffer_string(&keys, "{");
    for (size_t i = 0; i < n; i++)
        buffer_printf(&keys, "%s%" PRId64, i ? "," : "", (int64_t)legal[i].key);
    buffer_string(&keys, "}");
    pg_value_take(v, &keys);
    snprintf(text, sizeof text, "[%" PRId64 ",)", by->low_class);
    pg_value(v, by->low_class ? text : "");
    snprintf(text, sizeof text, "[%" PRId64 ",%" PRId64 "]", by->low_year, by->high_year);
    pg_value(v, by->high_year ? text : "");
    buffer results = {0};
    for (int i = 0; i < 4; i++)
        if (by->results != ALL_RESULTS && by->results >> i & 1)
            buffer_printf(&results, "%s%d", results.n ? "," : "{", i);
    buffer_string(&results, by->results == ALL_RESULTS ? "" : results.n ? "}" : "{}");
    pg_value_take(v, &results);
    buffer pools = {0};
    buffer_string(&pools, "");
    if (has_pools(by))
        put_pools(&pools, by);
    pg_value_take(v, &pools);
}

/* Citus would run the function as part of a distributed statement, in which it cannot query the workers: there the
   years are checked separately. */
static bool send_statement(finding *f, const filter *by)
{
    const bool is_of_years = by->high_year && !f->server->has_citus;
    buffer sql = {0};
    pg_values v = {.n = 0};
    buffer_printf(&sql,
                  "SELECT *, %s FROM tabiya.game_counts($1::%schessboard, $2::bigint[], nullif($3::text, '')"
                  "::int4range, nullif($4::text, '')::int4range, nullif($5::text, '')::integer[],"
                  " nullif($6::text, '')::integer[])",
                  is_of_years ? "EXISTS (SELECT 1 FROM tabiya.game WHERE " PG_IN_SEVERAL_YEARS ")::integer" : "0",
                  f->server->ext);
    put_values(&v, f->base.pos, by);
    const bool is_sent =
        pg_send_often(&f->server->to, is_of_years ? PG_COUNTS_OF_YEARS : PG_COUNTS, sql.has_failed ? NULL : sql.s, &v);
    buffer_free(&sql);
    pg_values_free(&v);
    return is_sent;
}

/* Requests the counts; `is_asked` stays false if they cannot answer the search. */
static bool ask(finding *f, bool *is_asked)
{
    filter by;
    bool is_partial = false;
    if (!filter_of(&by, f->base.search))
        return true;
    if (!find_counts(f->server))
        return false;
    if (!f->server->has_counts)
        return true;
    if (by.high_year && f->server->has_citus && !is_in_several_years(f->server, &is_partial))
        return false;
    *is_asked = !is_partial;
    return is_partial || send_statement(f, &by);
}

static void put_narrowed(buffer *sql, const filter *by)
{
    if (by->low_class)
        buffer_printf(sql, " AND t.class >= %" PRId64, by->low_class);
    if (by->high_year)
        buffer_printf(sql, " AND t.year BETWEEN %" PRId64 " AND %" PRId64, by->low_year, by->high_year);
}

#define NUMBERS                                                                                                        \
    "SELECT t.position, t.uci, t.games, t.white, t.draws, t.black, t.unknown FROM tabiya.%s t WHERE t.position = ANY"  \
    " ($1::bigint[])"

/* The totals, and what came since; all rows where there is no total. A position without a game left has no row. */
static void put_many(buffer *sql, const filter *by)
{
    const int level = (by->low_class ? 0 : 2) + (by->high_year ? 0 : 1);
    buffer_string(sql, "SELECT x.position, x.uci, sum(x.games), sum(x.white), sum(x.draws), sum(x.black),"
                       " sum(x.unknown), 0::bigint, 0::bigint, 0 FROM (");
    if (level) {
        buffer_printf(sql, NUMBERS " AND t.level = %d", "game_totals", level);
        put_narrowed(sql, by);
        buffer_string(sql, " UNION ALL ");
    }
    buffer_printf(sql, NUMBERS "%s", "game_played", level ? " AND NOT t.is_folded" : "");
    put_narrowed(sql, by);
    buffer_string(sql, ") AS x JOIN tabiya.game_tracked k ON k.position = x.position WHERE k.is_popular GROUP BY"
                       " x.position, x.uci HAVING sum(x.games) > 0");
}

bool explore_ask_many(finding *f, const tby_position *const *positions, size_t n, bool *is_asked)
{
    filter by;
    bool is_partial = false;
    *is_asked = false;
    if (!filter_of(&by, f->base.search) || by.results != ALL_RESULTS || has_pools(&by))
        return true;
    if (!find_counts(f->server) || (by.high_year && !is_in_several_years(f->server, &is_partial)))
        return false;
    if (!f->server->has_counts || is_partial)
        return true;
    buffer keys = {0}, sql = {0};
    pg_values v = {.n = 0};
    for (size_t i = 0; i < n; i++)
        buffer_printf(&keys, "%s%" PRId64, i ? "," : "{", (int64_t)tby_position_key(positions[i]));
    buffer_string(&keys, "}");
    pg_value_take(&v, &keys);
    put_many(&sql, &by);
    *is_asked = pg_send(&f->server->to, sql.has_failed ? NULL : sql.s, &v);
    pg_values_free(&v);
    buffer_free(&sql);
    return *is_asked;
}

/* False if the row is invalid. */
static bool take_row(finding *f, const reaching_visitor *v, const tby_next_move *legal, size_t n_legal)
{
    const connection *row = &f->server->to;
    const uint64_t position = (uint64_t)pg_number(row, POSITION);
    if (pg_number(row, IS_PARTIAL))
        return true;
    if (pg_text(row, PLAYED_UCI).s)
        return f->is_counted && explore_pass_move(f, v);
    if (position == tby_position_key(f->base.pos))
        f->is_counted = true;
    for (size_t i = 0; i < n_legal; i++)
        if (legal[i].key == position)
            v->add(v->context,
                   &(tby_db_move){.move = legal[i].move, .reached = (uint64_t)pg_number(row, PLAYED_GAMES)});
    return true;
}

/* If the tables were dropped meanwhile, one query fails and the next one recovers. */
bool explore_counts(finding *f, const reaching_visitor *v)
{
    tby_next_move legal[TBY_NEXT_MOVES_MAX];
    const size_t n_legal = tby_next_moves_list(legal, f->base.pos) - 1;
    bool is_right = true, is_asked = false;
    if (!ask(f, &is_asked))
        return false;
    if (!is_asked)
        return true;
    while (pg_next(&f->server->to))
        is_right = is_right && take_row(f, v, legal, n_legal);
    if (!pg_is_good(&f->server->to))
        f->server->has_counts = false;
    return pg_is_good(&f->server->to) && (is_right || explore_fail(f->server));
}

bool explore_explain(const finding *f, pg_source *out)
{
    filter by;
    bool is_counted = false, is_partial = false;
    char sql[128];
    *out = PG_FROM_GAMES;
    if (!filter_of(&by, f->base.search))
        return true;
    if (!find_counts(f->server) || (by.high_year && !is_in_several_years(f->server, &is_partial)))
        return false;
    if (is_partial)
        return true;
    snprintf(sql, sizeof sql, "SELECT 1 FROM tabiya.game_tracked WHERE position = %" PRId64 " AND is_popular",
             (int64_t)tby_position_key(f->base.pos));
    if (f->server->has_counts && !pg_is_true(&f->server->to, sql, &is_counted))
        return false;
    *out = is_counted ? PG_FROM_COUNTS : PG_NOT_COUNTED;
    return true;
}
