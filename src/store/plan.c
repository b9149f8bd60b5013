/*
 * plan.c - splits a query's program into conditions, for databases.
 *
 * Keeps    if a part of the program becomes a condition, the condition is true of all games for which the part holds.
 */
#include "store/plan.h"
#include "base/contract.h"
#include "position/key.h"
#include "query/facts.h"
#include "row/dates.h"

#include <stdlib.h>

/* Nodes are shared, so the text of a program may be much longer than the program. A part that is too long is left out.
   */
enum { CONDITION_MAX = 1 << 17 };

typedef struct planner {
    const tby_query *query;
    const dialect *dialect;
    struct condition *values; /* for bound_query */
} planner;

/* ---- Conditions ----------------------------------------------------------------------------------------- */

/* A part of the query as SQL. */
typedef struct condition {
    buffer text;
    const char *word;   /* " AND " or " OR " if it is such a list without brackets; else NULL */
    dialect_mark start; /* the state of the dialect before it */
} condition;

static void reset_dialect(const planner *p, const condition *c)
{
    if (p->dialect->reset)
        p->dialect->reset(p->dialect->context, &c->start);
}

static void begin_condition(const planner *p, condition *c)
{
    c->text.n = 0;
    c->word = NULL;
    if (p->dialect->mark)
        p->dialect->mark(p->dialect->context, &c->start);
}

/* A condition that matches too many games cannot be used for BOUND_MUST. */
static cover write_fact(void *context, void *value, const query_node *node, uint32_t id, bound_side side)
{
    const planner *p = context;
    condition *c = value;
    begin_condition(p, c);
    const cover known = p->dialect->fact(p->dialect->context, &c->text, p->query, node, id);
    if (known == COVER_EXACT || (known == COVER_MORE && side == BOUND_MAY))
        return known;
    reset_dialect(p, c);
    return COVER_NONE;
}

static void write_constant(void *context, void *value, bool is_true)
{
    condition *c = value;
    begin_condition(context, c);
    buffer_string(&c->text, is_true ? "TRUE" : "FALSE");
}

static void put_before(buffer *text, const char *s)
{
    const size_t n = strlen(s);
    buffer_string(text, s);
    if (text->has_failed)
        return;
    memmove(text->s + n, text->s, text->n - n);
    memcpy(text->s, s, n);
}

static void put_brackets(condition *c)
{
    if (!c->word)
        return;
    put_before(&c->text, "(");
    buffer_string(&c->text, ")");
    c->word = NULL;
}

static bool join_conditions(void *context, void *value, const void *other, bool is_or)
{
    const char *word = is_or ? " OR " : " AND ";
    condition *c = value;
    const condition *one = other;
    (void)context;
    if (c->text.n + one->text.n > CONDITION_MAX)
        return false;
    if (c->word && strcmp(c->word, word) != 0)
        put_brackets(c);
    c->word = word;
    buffer_string(&c->text, word);
    buffer_string(&c->text, one->word ? "(" : "");
    buffer_add(&c->text, one->text.s, one->text.n);
    buffer_string(&c->text, one->word ? ")" : "");
    return true;
}

static void negate_condition(void *context, void *value)
{
    condition *c = value;
    (void)context;
    put_before(&c->text, "((");
    buffer_string(&c->text, ") IS NOT TRUE)");
    c->word = NULL;
}

static void drop_condition(void *context, const void *value) { reset_dialect(context, value); }

/* Writes the condition of a node, if there is one, to p->values[0]. */
static cover write_node(planner *p, uint32_t id)
{
    static const bound_domain domain = {.leaf = write_fact,
                                        .constant = write_constant,
                                        .join = join_conditions,
                                        .negate = negate_condition,
                                        .drop = drop_condition,
                                        .size = sizeof(condition)};
    const cover known = bound_query(&domain, p, p->values, p->query, id, BOUND_MAY);
    if (known != COVER_NONE)
        put_brackets(&p->values[0]);
    return known;
}

/* ---- Positions ------------------------------------------------------------------------------------------ */

static bool is_board(const query_node *node) { return node->type == Q_FEN || node->type == Q_BOARD; }

/* Is a top-level part the position, a limit on its ply, or exactly a condition? */
static bool is_settled(planner *p, plan *out, uint32_t id)
{
    const query_node *node = tree_node(&p->query->program, id);
    if (node == out->position)
        return true;
    if (fact_of_node(node)->ply_unit == 1 && node->u.range.low <= 0) {
        if (node->u.range.high < out->max_ply)
            out->max_ply = node->u.range.high < 0 ? -1 : (int)node->u.range.high;
        return true;
    }
    if (fact_of_node(node)->scope != SCOPE_GAME)
        return false;
    const cover known = write_node(p, id);
    if (known != COVER_NONE)
        reset_dialect(p, &p->values[0]);
    return known == COVER_EXACT;
}

static void look_at_top(planner *p, plan *out)
{
    const query_node *top = tree_node(&p->query->program, p->query->program.root);
    out->position = bound_needed(p->query, is_board, 0);
    out->max_ply = TBY_PLIES_MAX;
    out->is_position = out->position && (top == out->position || top->type == Q_AND);
    for (uint32_t i = 0; out->is_position && top->type == Q_AND && i < top->n_kids; i++)
        out->is_position = is_settled(p, out, tree_kid(&p->query->program, top, i));
    if (!out->is_position || out->max_ply < 0) {
        out->is_position = false;
        out->max_ply = TBY_PLIES_MAX;
    }
}

/* ---- Plans ---------------------------------------------------------------------------------------------- */

bool plan_make(plan *out, const tby_query *query, const dialect *d)
{
    *out = (plan){.covered = COVER_EXACT};
    if (!query)
        return true;
    const size_t n = bound_n_values(query);
    planner p = {query, d, calloc(n, sizeof *p.values)};
    if (!p.values)
        return false;
    look_at_top(&p, out);
    out->covered = write_node(&p, query->program.root);
    if (out->covered != COVER_NONE) {
        out->where = p.values[0].text;
        p.values[0].text = (buffer){0};
    }
    bool has_failed = out->where.has_failed;
    for (size_t i = 0; i < n; i++) {
        has_failed |= p.values[i].text.has_failed;
        buffer_free(&p.values[i].text);
    }
    free(p.values);
    return !has_failed;
}

void plan_free(plan *p) { buffer_free(&p->where); }

/* ---- Steps ---------------------------------------------------------------------------------------------- */

plan_step *plan_add(plan *p, plan_by by, const char *what, const char *sql)
{
    TBY_CONTRACT(p->n_steps < PLAN_STEPS_MAX);
    p->steps[p->n_steps] = (plan_step){.by = by, .what = what, .condition = sql, .n_games = -1};
    return &p->steps[p->n_steps++];
}

plan_by plan_end(const plan *p) { return p->n_steps ? p->steps[p->n_steps - 1].by : BY_SQL; }

static void describe_step(const plan *p, const plan_step *s, buffer *out)
{
    buffer_string(out, s->what);
    if (s->condition)
        buffer_printf(out, " %s", s->condition);
    if (s->by == BY_POSITION && p->max_ply < TBY_PLIES_MAX)
        buffer_printf(out, ", within %d half-moves", p->max_ply);
    if (s->n_games >= 0)
        buffer_printf(out, "%s %lld game%s", s->is_counted ? ", which leaves" : ", about", (long long)s->n_games,
                      s->n_games == 1 ? "" : "s");
    buffer_string(out, "\n");
}

void plan_describe(const plan *p, const char *extra, int64_t n_all, buffer *out)
{
    TBY_CONTRACT(p->n_steps <= PLAN_STEPS_MAX);
    const bool is_left = plan_end(p) == BY_EVALUATOR;
    const size_t n = p->n_steps - is_left;
    for (size_t i = 0; i < n; i++)
        describe_step(p, &p->steps[i], out);
    buffer_string(out, extra ? extra : "");
    if (is_left && p->steps[n].n_games >= 0)
        buffer_printf(out, "left to check in %lld of %lld games: the query\n", (long long)p->steps[n].n_games,
                      (long long)n_all);
    else
        buffer_printf(out, "left to check in each game: %s\n", is_left ? "the query" : "nothing");
}

tby_target plan_target(const query_node *node)
{
    tby_target target;
    const tby_position pos = {.board = node->u.board.board,
                              .castling = node->u.board.castling,
                              .ply = node->u.board.side,
                              .en_passant = node->u.board.en_passant,
                              .placement_key = placement_key(&node->u.board.board)};
    if (node->type == Q_BOARD)
        tby_target_placement(&target, &node->u.board.board);
    else
        tby_target_position(&target, &pos);
    return target;
}

/* ---- Conditions that are the same in both dialects ------------------------------------------------------ */

static void put_combination(buffer *out, const query_node *node, const query_fact *fact, const char *table)
{
    const char *a = fact->columns[0].name, *b = fact->columns[1].name;
    buffer_printf(out, "(%s.%s >= %d AND %s.%s >= %d AND %s.%s %c %s.%s BETWEEN %lld AND %lld)", table, a, fact->least,
                  table, b, fact->least, table, a, fact->of == OF_MEAN ? '+' : '-', table, b,
                  (long long)fact_bound(fact, node->u.range.low), (long long)fact_bound(fact, node->u.range.high));
}

/* The tag is needed to recognize ultrabullet within bullet. */
static bool is_part_of_bullet(const query_node *node)
{
    return fact_of_node(node)->value == VALUE_SPEED && node->number == TBY_SPEED_ULTRABULLET;
}

static void put_column(void *context, buffer *out, const query_node *node, const char *column)
{
    const query_fact *fact = fact_of_node(node);
    const char *table = context;
    buffer_printf(out, "%s.%s", table, column);
    if (fact->value == VALUE_RANGE) {
        const int64_t low = node->u.range.low > fact->least ? node->u.range.low : fact->least;
        buffer_printf(out, " BETWEEN %lld AND %lld", (long long)low, (long long)node->u.range.high);
    } else {
        buffer_printf(out, " = '%s'",
                      column_named(column)->text(is_part_of_bullet(node) ? (int)TBY_SPEED_BULLET : (int)node->number));
    }
}

void plan_columns(buffer *out, const query_node *node, void *context,
                  void (*put)(void *context, buffer *out, const query_node *node, const char *column))
{
    TBY_CONTRACT(node != NULL);
    const query_fact *fact = fact_of_node(node);
    buffer_string(out, fact->columns[1].name ? "(" : "");
    put(context, out, node, fact->columns[0].name);
    if (fact->columns[1].name) {
        buffer_string(out, fact->of == OF_ANY ? " OR " : " AND ");
        put(context, out, node, fact->columns[1].name);
        buffer_string(out, ")");
    }
}

/* " OR (... day of the month in these)": dates without a month that may be in this year. */
static void put_days_of_year(buffer *out, const char *table, int year, uint32_t days)
{
    char before = '(';
    buffer_printf(out, " OR (%s.first_day < %d AND %s.last_day >= %d AND %s.first_day %% 100 IN ", table,
                  (year + 1) * 10000, table, year * 10000, table);
    for (int day = 1; day <= 31; day++)
        if (days >> (day - 1) & 1) {
            buffer_printf(out, "%c%d", before, day);
            before = ',';
        }
    buffer_string(out, before == '(' ? "(0))" : "))");
}

/* The rule for dates whose month is unknown, but not the day; nothing if all of them are in the range. */
static void put_months(buffer *out, const date_range *r, const char *table)
{
    const uint32_t first = dates_first_days(r), last = dates_last_days(r);
    const int low = r->low / 10000, high = r->high / 10000;
    if (first == DATES_ALL_DAYS && last == DATES_ALL_DAYS)
        return;
    buffer_printf(out, " AND (%s.first_day %% 10000 NOT BETWEEN 1 AND 99", table);
    put_days_of_year(out, table, low, first);
    if (high > low)
        put_days_of_year(out, table, high, last);
    if (high - low >= 2)
        buffer_printf(out, " OR (%s.first_day < %d AND %s.last_day >= %d)", table, high * 10000, table,
                      (low + 1) * 10000);
    buffer_string(out, ")");
}

/* The rule of dates_meet; the bounds are possible values of a column, so that its index can be used. */
static void put_dates(buffer *out, const query_node *node, const char *table)
{
    const date_range r = dates_range(node->u.range.low, node->u.range.high);
    const int n_years = r.high / 10000 - r.low / 10000, low = r.low % 10000, high = r.high % 10000;
    buffer_printf(out, "(%s.last_day >= %d AND %s.first_day <= %d", table, r.low, table, r.high);
    if (n_years < 2 && low > 0 && high < 9999)
        buffer_printf(out, " AND (%s.last_day %% 10000 >= %d %s %s.first_day %% 10000 <= %d)", table, low,
                      n_years ? "OR" : "AND", table, high);
    else if (n_years == 0 && (low > 0 || high < 9999))
        buffer_printf(out, low ? " AND %s.last_day %% 10000 >= %d" : " AND %s.first_day %% 10000 <= %d", table,
                      low ? low : high);
    put_months(out, &r, table);
    buffer_string(out, ")");
}

cover plan_fact(buffer *out, const query_node *node, const char *table)
{
    const query_fact *fact = fact_of_node(node);
    const row_column *column = fact->columns[0].name ? column_named(fact->columns[0].name) : NULL;
    if (column && column->kind == COLUMN_RECORD) {
        buffer_printf(out, "%s.%s IS NOT NULL", table, column->name);
        return COVER_MORE;
    }
    if (fact->value == VALUE_DATES)
        put_dates(out, node, table);
    else if (fact_is_combined(fact))
        put_combination(out, node, fact, table);
    else
        plan_columns(out, node, (void *)table, put_column);
    return is_part_of_bullet(node) ? COVER_MORE : COVER_EXACT;
}
