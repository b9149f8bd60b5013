/*
 * run_summary.c - what a packed game's summary rules out, so that most games need no decoding.
 *
 * Without promotions the men of a kind only become fewer: what the end has is the least, what the start had the most. Of
 * pawns that is always true.
 */
#include "query/run.h"

typedef struct bounds {
    int64_t low, high;
} bounds;

enum { MOST_MEN = 64, SUMMARY_MOST = 15 };

/* How many of a kind a side may have had at some time. */
static bounds bounds_of(const tby_packed_summary *summary, bool is_usual_start, int side, int kind)
{
    static const int8_t places[] = {
        [TBY_PAWN] = 0, [TBY_KNIGHT] = 1, [TBY_BISHOP] = 2, [TBY_ROOK] = 3, [TBY_KING] = -1, [TBY_QUEEN] = 4};
    static const int8_t first[] = {8, 2, 2, 2, 1};
    const int place = places[kind];
    if (place < 0)
        return (bounds){1, 1};
    const int64_t last = summary->material[side][place], most = is_usual_start ? first[place] : MOST_MEN;
    if (kind != TBY_PAWN && summary->has_promotion[side])
        return (bounds){0, MOST_MEN};
    return (bounds){last, last < SUMMARY_MOST && most > last ? most : last < SUMMARY_MOST ? last : MOST_MEN};
}

static bounds men_bounds(const tby_packed_summary *summary, bool is_usual_start, const query_men *men)
{
    bounds sum = {0, 0};
    if (men->pieces & MEN_EMPTY)
        return (bounds){0, MOST_MEN};
    for (int piece = 1; piece < 15; piece++) {
        if (!(men->pieces >> piece & 1))
            continue;
        const bounds one = bounds_of(summary, is_usual_start, piece >> 3, piece & 7);
        sum.low += one.low;
        sum.high += one.high;
    }
    if (!men->is_anywhere)
        sum.low = 0;
    return sum;
}

static bool term_bounds(bounds *sum, const tby_packed_summary *summary, bool is_usual_start, const query_node *term)
{
    bounds one = {term->number, term->number};
    if (term->type == Q_TERM_MEN)
        one = men_bounds(summary, is_usual_start, &term->u.m.men[0]);
    else if (term->type != Q_TERM_NUMBER)
        return false;
    sum->low += one.low;
    sum->high += one.high;
    return true;
}

/* May the comparison hold for some numbers within these bounds? */
static bool may_compare(unsigned op, bounds a, bounds b)
{
    switch (op) {
    case OP_EQUAL: return a.low <= b.high && b.low <= a.high;
    case OP_LESS: return a.low < b.high;
    case OP_LESS_EQUAL: return a.low <= b.high;
    case OP_MORE: return a.high > b.low;
    case OP_MORE_EQUAL: return a.high >= b.low;
    default: return true;
    }
}

static bool may_count(const tby_packed_summary *summary, bool is_usual_start, const tby_query *q,
                      const query_node *node)
{
    bounds sides[2] = {{0, 0}, {0, 0}};
    for (uint32_t i = 0; i < node->n_kids; i++)
        if (!term_bounds(&sides[i >= node->number], summary, is_usual_start,
                         tree_node(&q->program, tree_kid(&q->program, node, i))))
            return true;
    return may_compare(node->op, sides[0], sides[1]);
}

static bool may_have_material(const tby_packed_summary *summary, bool is_usual_start, const query_node *node)
{
    for (int side = 0; side < 2; side++)
        for (int kind = TBY_PAWN; kind <= TBY_QUEEN; kind++) {
            const bounds had = bounds_of(summary, is_usual_start, side, kind);
            const unsigned least = node->u.material.least[side][kind];
            if (had.high < least || (had.low > least && !node->u.material.is_open[side][kind]))
                return false;
        }
    return true;
}

static bool may_promote(const tby_packed_summary *summary, const query_node *node)
{
    const uint16_t pieces = node->u.m.men[0].pieces;
    return !node->u.m.promotion || ((pieces & MEN_WHITE) && summary->has_promotion[TBY_WHITE]) ||
           ((pieces & MEN_BLACK) && summary->has_promotion[TBY_BLACK]);
}

bool tby_run_may_hold(const tby_packed_summary *summary, bool is_usual_start, const tby_query *q,
                      const query_node *node)
{
    switch (node->type) {
    case Q_MEN: return men_bounds(summary, is_usual_start, &node->u.m.men[0]).high > 0;
    case Q_COUNT: return may_count(summary, is_usual_start, q, node);
    case Q_MATERIAL: return may_have_material(summary, is_usual_start, node);
    case Q_MOVE: return may_promote(summary, node);
    default: return true;
    }
}
