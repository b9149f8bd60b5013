/*
 * estimate.c - estimates how many games an opening, a board or a query will match.
 *
 * An element on the list (stats.c) is estimated by its share of the sample, unless the search is limited to earlier
 * half-moves. An element that is not on the list, like nearly all positions, is in hardly any game.
 *
 * An unknown parameter is estimated by the largest share on the list. PostgreSQL keeps a generic plan only if it costs
 * no more than the plans made for each value so far: so a generic plan, made for the most common opening, is kept only
 * where such openings are searched for. A plan with a low estimate would be kept for them, too.
 *
 * A query is checked against the games that ANALYZE has kept: the bounds of the histogram, which are a sample, and the
 * most common games.
 */
#include "estimate.h"

#include <access/htup_details.h>
#include <nodes/nodeFuncs.h>
#include <utils/lsyscache.h>
#include <utils/memutils.h>
#include <utils/selfuncs.h>

#define RARE_ROWS 1.5         /* games with a board or opening that is on no list */
#define OPENING_DEFAULT 0.005 /* without statistics: as for any range */
#define OPENING_JOINED 1e-5   /* from another table or a sub-select: few, so that an index alone serves the plan */
#define BOARD_DEFAULT 0.001

/* The share of an element that is on the list and occurs by `max_ply`; 0 if there is none. */
static double listed_share(const AttStatsSlot *list, uint64 key, int max_ply)
{
    int low = 0, high = list->nvalues;
    while (low < high) {
        const int middle = (low + high) / 2;
        const int64 value = DatumGetInt64(list->values[middle]);
        if (is_same_key((uint64)value, key))
            return (value & PLY_MASK) <= max_ply ? list->numbers[middle] : 0;
        if (value < (int64)key)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

/* The largest share except that of the start position, which every game has. */
static double largest_share(const AttStatsSlot *list)
{
    double largest = 0;
    for (int i = 0; i < list->nvalues; i++)
        if ((DatumGetInt64(list->values[i]) & PLY_MASK) > 0 && list->numbers[i] > largest)
            largest = list->numbers[i];
    return largest;
}

/* What is searched for in a column: a key of one of the lists, or an unknown value. */
typedef struct wanted_key {
    int kind;
    bool is_known;
    uint64 key;
    int max_ply;
    bool is_everywhere; /* (nearly) every game has it */
    double fallback;    /* without statistics */
} wanted_key;

static double estimate_key(const VariableStatData *column, const wanted_key *wanted)
{
    AttStatsSlot list;
    const double rare = column->rel && column->rel->tuples > 1 ? RARE_ROWS / column->rel->tuples : 1;
    if (!HeapTupleIsValid(column->statsTuple))
        return wanted->is_everywhere ? 1 : wanted->fallback;
    const double n_null = ((Form_pg_statistic)GETSTRUCT(column->statsTuple))->stanullfrac;
    double share = 0;
    if (get_attstatsslot(&list, column->statsTuple, wanted->kind, InvalidOid,
                         ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS)) {
        share = wanted->is_known ? listed_share(&list, wanted->key, wanted->max_ply) : largest_share(&list);
        free_attstatsslot(&list);
    }
    return (share > rare ? share : rare) * (1 - n_null);
}

static bool has_parameter(Node *node, void *context)
{
    if (!node)
        return false;
    if (IsA(node, Param) && ((Param *)node)->paramkind == PARAM_EXTERN)
        return true;
    return expression_tree_walker(node, has_parameter, context);
}

/* A column of games on the left, and on the right a constant or (as NULL) a parameter; false otherwise. */
static bool column_of(PlannerInfo *root, List *args, int relation, VariableStatData *column, Const **constant)
{
    Node *other;
    bool is_left;
    *constant = NULL;
    if (!get_restriction_variable(root, args, relation, column, &other, &is_left))
        return false;
    if (is_left && IsA(other, Const))
        *constant = (Const *)other;
    if (is_left && (*constant || has_parameter(other, NULL)))
        return true;
    ReleaseVariableStats(*column);
    return false;
}

static double share_of_opening(const VariableStatData *column, const Const *constant)
{
    wanted_key wanted = {.kind = KIND_OPENINGS, .max_ply = TBY_PLIES_MAX, .fallback = OPENING_DEFAULT};
    if (constant) {
        const bytes_argument opening = bytes_of(constant->constvalue);
        const size_t n = tby_packed_prefix(opening.bytes, opening.n);
        if (n == 0)
            return 0;
        wanted.is_known = true;
        wanted.key = opening_key(opening.bytes, n);
        wanted.is_everywhere = n == 1;
    }
    return estimate_key(column, &wanted);
}

/* The share of the games for which a condition on a column is true; `unknown` if it is about something else. */
static double estimate_share(PlannerInfo *root, List *args, int relation, double unknown, double null,
                             double (*share_of)(const VariableStatData *column, const Const *constant))
{
    VariableStatData column;
    Const *constant;
    double answer = null;
    if (!column_of(root, args, relation, &column, &constant))
        return unknown;
    if (!constant || !constant->constisnull)
        answer = share_of(&column, constant);
    ReleaseVariableStats(column);
    CLAMP_PROBABILITY(answer);
    return answer;
}

double estimate_opening(PlannerInfo *root, List *args, int relation)
{
    return estimate_share(root, args, relation, OPENING_JOINED, 0, share_of_opening);
}

/* The same for the arguments of an operator's estimate. */
static double estimate_operator(FunctionCallInfo fcinfo, double unknown, double null,
                                double (*share_of)(const VariableStatData *column, const Const *constant))
{
    return estimate_share((PlannerInfo *)PG_GETARG_POINTER(0), (List *)PG_GETARG_POINTER(2), PG_GETARG_INT32(3),
                          unknown, null, share_of);
}

/* Is it the upper bound of an opening, not the lower one? */
static bool is_end(const Const *constant)
{
    uint8_t opening[TBY_CHESSGAME_SIZE];
    const bytes_argument bound = bytes_of(constant->constvalue);
    return bound.n + TBY_PACKED_TRAILER_SIZE <= sizeof opening &&
           tby_chessgame_of_range_end(opening, bound.bytes, bound.n) > 0;
}

/* hasOpening becomes two conditions, and NOT hasOpening two others. The lower bound of the opening gets the share of
   each pair:
 *
 *     game >= first AND game < end      the share  * 1
 *     game < first OR game >= end       1 - share  + 0
 */
static double share_from(const VariableStatData *column, const Const *constant)
{
    return constant && is_end(constant) ? 0 : share_of_opening(column, constant);
}

static double share_outside(const VariableStatData *column, const Const *constant)
{
    return constant ? share_from(column, constant) : 0;
}

/* game >= bound */
SQL_FUNCTION(tabiya_opening_sel) { PG_RETURN_FLOAT8(estimate_operator(fcinfo, OPENING_JOINED, 0, share_from)); }

/* game < bound */
SQL_FUNCTION(tabiya_opening_end_sel) { PG_RETURN_FLOAT8(1 - estimate_operator(fcinfo, 0, 1, share_outside)); }

SQL_FUNCTION(tabiya_opening_join_sel)
{
    (void)fcinfo;
    PG_RETURN_FLOAT8(OPENING_JOINED);
}

SQL_FUNCTION(tabiya_everything_sel)
{
    (void)fcinfo;
    PG_RETURN_FLOAT8(1);
}

static bool is_usual_start(uint64 placement)
{
    tby_position start;
    tby_position_start(&start);
    return placement == start.placement_key;
}

static double share_of_board(const VariableStatData *column, const Const *constant)
{
    wanted_key wanted = {.kind = KIND_PLACEMENTS, .fallback = BOARD_DEFAULT};
    tby_target target;
    if (constant) {
        const board_query query = board_query_of(bytes_of(constant->constvalue));
        if (!board_query_target(&target, &query))
            return 0;
        wanted.is_known = true;
        wanted.key = tby_placement_key(&query.setup.board);
        wanted.max_ply = query.max_ply;
        wanted.is_everywhere = is_usual_start(wanted.key);
    }
    return estimate_key(column, &wanted);
}

SQL_FUNCTION(tabiya_reaches_sel) { PG_RETURN_FLOAT8(estimate_operator(fcinfo, BOARD_DEFAULT, 0, share_of_board)); }

/* ---- matches ----------------------------------------------------------------------------------------------- */

/* Checked while planning, so that this must not take long: a query that matches often needs fewer games. */
enum {
    SAMPLE_GAMES = 1000,
    ENOUGH_MATCHES = 20,
    COMMON_GAMES = 200,
    STRIDE = 397 /* a prime: games are sorted by their moves, but must be taken from everywhere */
};

/* A call of matches(game, query) with this query. */
typedef struct match_call {
    FmgrInfo function;
    Oid collation;
    Datum query;
    MemoryContext context; /* of one call */
} match_call;

static bool is_match(match_call *call, Datum game)
{
    MemoryContext old = MemoryContextSwitchTo(call->context);
    const bool answer = DatumGetBool(FunctionCall2Coll(&call->function, call->collation, game, call->query));
    MemoryContextSwitchTo(old);
    MemoryContextReset(call->context);
    return answer;
}

/* The share of the games between the most common ones that match. Rare matches may be missing from the sample, and rare
   mismatches too. */
static double share_of_sample(match_call *call, const AttStatsSlot *games)
{
    const int n_all = games->nvalues < SAMPLE_GAMES ? games->nvalues : SAMPLE_GAMES;
    const int64 stride = games->nvalues % STRIDE ? STRIDE : 1;
    int n = 0, n_matches = 0;
    for (; n < n_all && n_matches < ENOUGH_MATCHES; n++)
        n_matches += is_match(call, games->values[n * stride % games->nvalues]);
    return (n_matches + 0.5) / (n + 1);
}

/* The share that the most common games have together, in `all`, and that of those that match. */
static double share_of_common(match_call *call, const AttStatsSlot *games, double *all)
{
    double share = 0;
    *all = 0;
    for (int i = 0; i < games->nvalues; i++) {
        *all += games->numbers[i];
        if (i < COMMON_GAMES && is_match(call, games->values[i]))
            share += games->numbers[i];
    }
    return share;
}

static bool has_sample(double *share, const VariableStatData *column, match_call *call)
{
    AttStatsSlot games;
    double all_common = 0, common = 0;
    const double n_null = ((Form_pg_statistic)GETSTRUCT(column->statsTuple))->stanullfrac;
    if (get_attstatsslot(&games, column->statsTuple, STATISTIC_KIND_MCV, InvalidOid,
                         ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS)) {
        common = share_of_common(call, &games, &all_common);
        free_attstatsslot(&games);
    }
    *share = common;
    const double rest = 1 - n_null - all_common;
    if (get_attstatsslot(&games, column->statsTuple, STATISTIC_KIND_HISTOGRAM, InvalidOid, ATTSTATSSLOT_VALUES)) {
        *share += share_of_sample(call, &games) * (rest > 0 ? rest : 0);
        free_attstatsslot(&games);
        return true;
    }
    return all_common > 0;
}

static bool match_share(double *share, VariableStatData *column, Oid function, Oid collation, const Const *query)
{
    match_call call = {.collation = collation, .query = query->constvalue};
    if (!HeapTupleIsValid(column->statsTuple) || !statistic_proc_security_check(column, function))
        return false;
    call.context = AllocSetContextCreate(CurrentMemoryContext, "estimate of matches", ALLOCSET_DEFAULT_SIZES);
    fmgr_info(function, &call.function);
    const bool is_known = has_sample(share, column, &call);
    MemoryContextDelete(call.context);
    CLAMP_PROBABILITY(*share);
    return is_known;
}

bool estimate_matches(double *share, PlannerInfo *root, Oid function, Oid collation, List *args, int relation)
{
    VariableStatData column;
    Const *query;
    bool is_known = true;
    if (!column_of(root, args, relation, &column, &query))
        return false;
    *share = 0;
    if (!query || !query->constisnull)
        is_known = query && match_share(share, &column, function, collation, query);
    ReleaseVariableStats(column);
    return is_known;
}
