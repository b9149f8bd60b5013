/*
 * run_summary.c - what the summary of a packed game rules out, so that most games need not be decoded.
 *
 * Without promotions the number of pieces of a kind only decreases: it is never below that of the end, never above that
 * of the start. For pawns this always holds, and pawns on their initial squares at the end have never moved.
 */
#include "base/contract.h"
#include "query/bound.h"
#include "query/facts.h"

typedef struct bounds {
    int64_t low, high;
} bounds;

enum { SUMMARY_MOST = 15 };

static query_bounds bounds_of(const tby_packed_summary *summary, bool is_usual_start)
{
    static const tby_kind kinds[] = {TBY_PAWN, TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN};
    static const int8_t first[] = {8, 2, 2, 2, 1};
    query_bounds b = {.promotes = {summary->has_promotion[0], summary->has_promotion[1]}};
    b.home[TBY_WHITE] = (tby_bitboard)(summary->home_pawns & 0xff) << 8;
    b.home[TBY_BLACK] = (tby_bitboard)(summary->home_pawns >> 8) << 48;
    for (int side = 0; side < 2; side++) {
        b.low[side][TBY_KING] = b.high[side][TBY_KING] = 1;
        for (int i = 0; i < 5; i++) {
            const int8_t last = (int8_t)summary->material[side][i], most = is_usual_start ? first[i] : BOUNDS_MOST;
            const bool is_open = (i > 0 && b.promotes[side]) || last >= SUMMARY_MOST;
            b.low[side][kinds[i]] = i > 0 && b.promotes[side] ? 0 : last;
            b.high[side][kinds[i]] = is_open ? BOUNDS_MOST : most > last ? most : last;
        }
    }
    return b;
}

/* Pawns that never move are on their squares at every ply. */
static int64_t home_pawns(const query_bounds *b, const query_who *who)
{
    int64_t n = 0;
    for (int side = 0; side < 2; side++)
        if (who->pieces >> TBY_PIECE(side, TBY_PAWN) & 1)
            n += bb_count(b->home[side] & who->squares);
    return n;
}

/* The lower bound applies only to a file whose squares are all included. */
static bounds file_bounds(const query_bounds *b, int side, tby_bitboard squares)
{
    bounds sum = {0, 0};
    for (unsigned file = 0; file < 8; file++) {
        const tby_bitboard all = bb_file(file) & ~(BB_RANK_1 | BB_RANK_8);
        const int64_t n = bb_count(squares & all), most = b->files_high[side][file];
        sum.low += (squares & all) == all ? b->files_low[side][file] : 0;
        sum.high += n < most ? n : most;
    }
    return sum;
}

static bounds pieces_bounds(const query_bounds *b, const query_who *who)
{
    bounds sum = {0, 0}, files = {0, 0};
    if (who->pieces & WHO_EMPTY)
        return (bounds){0, BOUNDS_MOST};
    for (int piece = 1; piece < 15; piece++) {
        if (!(who->pieces >> piece & 1))
            continue;
        if (b->has_files && (piece & 7) == TBY_PAWN) {
            const bounds one = file_bounds(b, piece >> 3, who->is_anywhere ? ~0ULL : who->squares);
            files.low += one.low;
            files.high += one.high;
            continue;
        }
        sum.low += b->low[piece >> 3][piece & 7];
        sum.high += b->high[piece >> 3][piece & 7];
    }
    if (!who->is_anywhere)
        sum.low = home_pawns(b, who);
    return (bounds){sum.low + files.low, sum.high + files.high};
}

static bool term_bounds(bounds *sum, const query_bounds *b, const query_node *term)
{
    bounds one = {term->number, term->number};
    if (term->type == Q_TERM_PIECES)
        one = pieces_bounds(b, &term->u.m.who[0]);
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

bool may_count(const query_bounds *b, const tby_query *q, const query_node *node)
{
    bounds sides[2] = {{0, 0}, {0, 0}};
    for (uint32_t i = 0; i < node->n_kids; i++)
        if (!term_bounds(&sides[i >= node->number], b, tree_node(&q->program, tree_kid(&q->program, node, i))))
            return true;
    return may_compare(node->op, sides[0], sides[1]);
}

bool may_material(const query_bounds *b, const tby_query *q, const query_node *node)
{
    (void)q;
    for (int side = 0; side < 2; side++)
        for (int kind = TBY_PAWN; kind <= TBY_QUEEN; kind++) {
            const int least = node->u.material.least[side][kind];
            if (b->high[side][kind] < least || (b->low[side][kind] > least && !node->u.material.is_open[side][kind]))
                return false;
        }
    return true;
}

bool may_opposite_bishops(const query_bounds *b, const tby_query *q, const query_node *node)
{
    (void)q, (void)node;
    return b->low[0][TBY_BISHOP] <= 1 && b->high[0][TBY_BISHOP] >= 1 && b->low[1][TBY_BISHOP] <= 1 &&
           b->high[1][TBY_BISHOP] >= 1;
}

bool may_promote(const query_bounds *b, const tby_query *q, const query_node *node)
{
    (void)q;
    const uint16_t pieces = node->u.m.who[0].pieces;
    return !node->u.m.promotion || ((pieces & WHO_WHITE) && b->promotes[TBY_WHITE]) ||
           ((pieces & WHO_BLACK) && b->promotes[TBY_BLACK]);
}

bool may_pieces(const query_bounds *b, const tby_query *q, const query_node *node)
{
    (void)q;
    return pieces_bounds(b, &node->u.m.who[0]).high > 0;
}

/* ---- Queries -------------------------------------------------------------------------------------------- */

/* A game before it is decoded, or one position. */
typedef struct glance {
    const tby_query *query;
    tby_query_state *state;     /* NULL: the game is unknown */
    const query_bounds *bounds; /* NULL: the pieces are unknown */
} glance;

/* A fact about the game is decided; any other can only be ruled out. */
static cover glance_fact(void *context, void *value, const query_node *node, uint32_t id, bound_side side)
{
    const glance *g = context;
    const query_fact *fact = fact_of_node(node);
    if (fact->scope == SCOPE_GAME) {
        if (!g->state)
            return COVER_NONE;
        *(bool *)value = run_node_of_game(g->state, id);
        return COVER_EXACT;
    }
    if (side == BOUND_MUST || !g->bounds || !fact->may_hold || fact->may_hold(g->bounds, g->query, node))
        return COVER_NONE;
    *(bool *)value = false;
    return COVER_MORE;
}

static void glance_constant(void *context, void *value, bool is_true)
{
    (void)context;
    *(bool *)value = is_true;
}

static bool glance_join(void *context, void *value, const void *other, bool is_or)
{
    (void)context;
    if (*(bool *)value != is_or)
        *(bool *)value = *(const bool *)other;
    return true;
}

static void glance_negate(void *context, void *value)
{
    (void)context;
    *(bool *)value = !*(bool *)value;
}

static bool glance_is_settled(const void *value, bool is_or) { return *(const bool *)value == is_or; }

#define GLANCE_DOMAIN(one_ply)                                                                                         \
    {                                                                                                                  \
        .leaf = glance_fact, .constant = glance_constant, .join = glance_join, .negate = glance_negate,                \
        .is_settled = glance_is_settled, .is_of_one_ply = (one_ply), .size = sizeof(bool)                              \
    }

cover run_glance(tby_query_state *s, bool *may_hold)
{
    enum { ONE_IN = 32 };
    static const bound_domain domain = GLANCE_DOMAIN(false);
    const tby_query_game *game = s->game;
    tby_packed_summary summary;
    query_bounds bounds_at;
    glance g = {.query = s->query, .state = s};
    const bool has_bounds = s->query->is_of_game || trial_is_worth(&s->glance, ONE_IN);
    if (has_bounds && game->moves && tby_packed_summary_of(&summary, game->moves, game->n_moves)) {
        bounds_at = bounds_of(&summary, (game->moves[0] & 15) == PACKED_START_USUAL);
        g.bounds = &bounds_at;
    }
    const cover c = bound_query(&domain, &g, s->glances, s->query, s->query->program.root, BOUND_MAY);
    *may_hold = c == COVER_NONE || s->glances[0];
    if (has_bounds)
        trial_add(&s->glance, !*may_hold);
    return c;
}

bool run_allows(const query_bounds *b, const tby_query *query, uint32_t id, bool *values)
{
    TBY_CONTRACT(id < query->program.nodes.n && values);
    static const bound_domain domain = GLANCE_DOMAIN(true);
    glance g = {.query = query, .bounds = b};
    return bound_query(&domain, &g, values, query, id, BOUND_MAY) == COVER_NONE || values[0];
}
