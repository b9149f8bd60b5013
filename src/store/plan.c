/*
 * plan.c - takes a query's program apart, for databases.
 *
 * Keeps    a part of the program that becomes a condition holds only for games for which the condition holds too.
 */
#include "store/plan.h"
#include "position/key.h"
#include "query/facts.h"

/* The nodes of a program are shared, so its text may be much longer than the program. */
enum { CONDITION_MAX = 1 << 17 };

typedef struct planner {
    const tby_query *query;
    const dialect *dialect;
    text_buffer *out;
} planner;

static cover write_node(planner *p, uint32_t id);

static dialect_mark here(const planner *p)
{
    dialect_mark mark = {.n_text = p->out->n};
    if (p->dialect->mark)
        p->dialect->mark(p->dialect->context, &mark);
    return mark;
}

/* Takes back what was written from `start` on. */
static cover take_back(planner *p, dialect_mark start)
{
    if (p->out->s)
        p->out->s[start.n_text] = '\0';
    p->out->n = start.n_text;
    if (p->dialect->reset)
        p->dialect->reset(p->dialect->context, &start);
    return COVER_NONE;
}

/* Those that say nothing are left out of AND; an OR with one of them says nothing. */
static cover write_list(planner *p, const query_node *node, const char *word)
{
    const dialect_mark start = here(p);
    const bool is_or = node->type == Q_OR;
    bool is_exact = true;
    size_t n_written = 0;
    for (uint32_t i = 0; i < node->n_kids; i++) {
        const dialect_mark before = here(p);
        tby_text_string(p->out, n_written ? word : "(");
        const cover c = write_node(p, tree_kid(&p->query->program, node, i));
        if (c == COVER_NONE && is_or)
            return take_back(p, start);
        if (c == COVER_NONE)
            take_back(p, before);
        n_written += c != COVER_NONE;
        is_exact = is_exact && c == COVER_EXACT;
    }
    if (n_written == 0)
        return take_back(p, start);
    tby_text_string(p->out, ")");
    return is_exact ? COVER_EXACT : COVER_MORE;
}

static cover write_not(planner *p, uint32_t kid)
{
    const dialect_mark start = here(p);
    tby_text_string(p->out, "((");
    if (write_node(p, kid) != COVER_EXACT)
        return take_back(p, start);
    tby_text_string(p->out, ") IS NOT TRUE)");
    return COVER_EXACT;
}

static cover write_any(planner *p, uint32_t id)
{
    const query_node *node = tree_node(&p->query->program, id);
    switch ((query_type)node->type) {
    case Q_AND: return write_list(p, node, " AND ");
    case Q_OR: return write_list(p, node, " OR ");
    case Q_NOT: return write_not(p, tree_kid(&p->query->program, node, 0));
    case Q_TRUE: tby_text_string(p->out, "TRUE"); return COVER_EXACT;
    case Q_FALSE: tby_text_string(p->out, "FALSE"); return COVER_EXACT;
    case Q_EVER:
    case Q_ALWAYS:
    case Q_FOR:
    case Q_SOON: return write_node(p, tree_kid(&p->query->program, node, 0)) == COVER_NONE ? COVER_NONE : COVER_MORE;
    default: return p->dialect->fact(p->dialect->context, p->out, p->query, node, id);
    }
}

static cover write_node(planner *p, uint32_t id)
{
    const dialect_mark start = here(p);
    const cover c = write_any(p, id);
    return c == COVER_NONE || p->out->n > CONDITION_MAX ? take_back(p, start) : c;
}

/* ---- Positions ------------------------------------------------------------------------------------------ */

/* The first board that the games must have, at whatever ply. */
static const query_node *find_position(const tby_query *q, uint32_t id)
{
    const query_node *node = tree_node(&q->program, id), *found = NULL;
    if (node->type == Q_FEN || node->type == Q_BOARD)
        return node;
    const bool goes_on = node->type == Q_AND || node->type == Q_EVER || node->type == Q_SOON || node->type == Q_FOR;
    for (uint32_t i = 0; goes_on && i < node->n_kids && !found; i++)
        found = find_position(q, tree_kid(&q->program, node, i));
    return found;
}

/* Is a part of the top the position, a ply that it must come by, or exactly a condition? */
static bool is_settled(planner *p, plan *out, uint32_t id)
{
    const query_node *node = tree_node(&p->query->program, id);
    const dialect_mark start = here(p);
    if (node == out->position)
        return true;
    if (fact_of_node(node)->ply_unit == 1 && node->u.range.low <= 0) {
        if (node->u.range.high < out->max_ply)
            out->max_ply = node->u.range.high < 0 ? -1 : (int)node->u.range.high;
        return true;
    }
    const bool is_exact = fact_of_node(node)->scope == SCOPE_GAME && write_node(p, id) == COVER_EXACT;
    take_back(p, start);
    return is_exact;
}

static void look_at_top(planner *p, plan *out)
{
    const query_node *top = tree_node(&p->query->program, p->query->program.root);
    out->position = find_position(p->query, p->query->program.root);
    out->max_ply = TBY_PLIES_MAX;
    out->is_position = out->position && (top == out->position || top->type == Q_AND);
    for (uint32_t i = 0; out->is_position && top->type == Q_AND && i < top->n_kids; i++)
        out->is_position = is_settled(p, out, tree_kid(&p->query->program, top, i));
    if (!out->is_position || out->max_ply < 0) {
        out->is_position = false;
        out->max_ply = TBY_PLIES_MAX;
    }
}

/* ---- All ------------------------------------------------------------------------------------------------ */

bool tby_plan_make(plan *out, const tby_query *query, const dialect *d)
{
    *out = (plan){.covered = COVER_EXACT};
    if (!query)
        return true;
    planner p = {query, d, &out->where};
    look_at_top(&p, out);
    out->covered = write_node(&p, query->program.root);
    return !out->where.has_failed;
}

void tby_plan_free(plan *p) { tby_text_free(&p->where); }

tby_target tby_plan_target(const query_node *node)
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

/* ---- What both dialects say alike ----------------------------------------------------------------------- */

static void put_range(text_buffer *out, const query_node *node)
{
    tby_text_printf(out, " BETWEEN %lld AND %lld", (long long)node->u.range.low, (long long)node->u.range.high);
}

static void put_difference(text_buffer *out, const query_node *node, const query_fact *fact, const char *table)
{
    const char *a = fact->columns[0].name, *b = fact->columns[1].name;
    tby_text_printf(out, "(%s.%s >= %d AND %s.%s >= %d AND %s.%s - %s.%s", table, a, fact->least, table, b, fact->least,
                    table, a, table, b);
    put_range(out, node);
    tby_text_string(out, ")");
}

static void put_column(void *context, text_buffer *out, const query_node *node, const char *column)
{
    const query_fact *fact = fact_of_node(node);
    const char *table = context;
    tby_text_printf(out, "%s.%s", table, column);
    if (fact->value == VALUE_RANGE) {
        const int64_t low = node->u.range.low > fact->least ? node->u.range.low : fact->least;
        tby_text_printf(out, " BETWEEN %lld AND %lld", (long long)low, (long long)node->u.range.high);
    } else {
        tby_text_printf(out, " = '%s'", tby_column_named(column)->text((int)node->number));
    }
}

void tby_plan_columns(text_buffer *out, const query_node *node, void *context,
                      void (*put)(void *context, text_buffer *out, const query_node *node, const char *column))
{
    const query_fact *fact = fact_of_node(node);
    tby_text_string(out, fact->columns[1].name ? "(" : "");
    put(context, out, node, fact->columns[0].name);
    if (fact->columns[1].name) {
        tby_text_string(out, fact->of == OF_ANY ? " OR " : " AND ");
        put(context, out, node, fact->columns[1].name);
        tby_text_string(out, ")");
    }
}

cover tby_plan_fact(text_buffer *out, const query_node *node, const char *table)
{
    const query_fact *fact = fact_of_node(node);
    const row_column *column = fact->columns[0].name ? tby_column_named(fact->columns[0].name) : NULL;
    if (column && column->kind == COLUMN_RECORD) {
        tby_text_printf(out, "%s.%s IS NOT NULL", table, column->name);
        return COVER_MORE;
    }
    if (fact->of == OF_DIFFERENCE)
        put_difference(out, node, fact, table);
    else
        tby_plan_columns(out, node, (void *)table, put_column);
    return COVER_EXACT;
}

void tby_plan_date(text_buffer *out, const query_node *node, const char *table)
{
    tby_text_printf(out,
                    "%s.date + CASE WHEN %s.date %% 10000 = 0 THEN 9999 WHEN %s.date %% 100 = 0 THEN 99 ELSE 0 END"
                    " >= %lld AND %s.date <= %lld",
                    table, table, table, (long long)node->u.range.low, table, (long long)node->u.range.high);
}
