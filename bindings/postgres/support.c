/*
 * support.c - planner support for hasOpening, hasBoard, hasPosition and matches, so that a plain call uses an index.
 *
 *     hasOpening(game, o)        for a B-tree: game >= openingFirst(o) AND game < openingLast(o), exactly the same
 *     hasBoard(game, b, n)       rewritten: game @~ within(b, n), which a GIN index serves
 *     hasPosition(game, b, n)    rewritten: game @~ withinPosition(b, n)
 *     matches(game, q)           rewritten, if q requires some position, board or opening: hasPosition(game, b) AND ...
 *                                AND chessgame_matches(game, q), which is the same function without this support
 *
 * Calls are rewritten because with a mere index condition, a GIN plan would keep the call as a filter on every row. The
 * other functions and the operators are looked up in the schema of the called function, wherever that is, even if the
 * user has no rights on that schema: a view may call functions that its readers cannot name.
 */
#include "extension.h"

#include "estimate.h"

#include <catalog/pg_am_d.h>
#include <catalog/pg_operator.h>
#include <catalog/pg_proc.h>
#include <catalog/pg_type_d.h>
#include <nodes/makefuncs.h>
#include <nodes/nodeFuncs.h>
#include <nodes/pathnodes.h>
#include <nodes/supportnodes.h>
#include <optimizer/optimizer.h>
#include <utils/builtins.h>
#include <utils/fmgroids.h>
#include <utils/lsyscache.h>
#include <utils/syscache.h>

static FuncExpr *function_call(Oid function, List *arguments)
{
    return makeFuncExpr(function, get_func_rettype(function), arguments, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* A call of another function in the schema of `function`, evaluated if constant; NULL if there is none. */
static Expr *sibling_call(PlannerInfo *root, Oid function, const char *name, List *arguments)
{
    Oid types[2];
    int n = 0;
    const ListCell *cell;
    foreach (cell, arguments)
        types[n++] = exprType(lfirst(cell));
    const Oid sibling = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
                                        PointerGetDatum(buildoidvector(types, n)),
                                        ObjectIdGetDatum(get_func_namespace(function)));
    if (!OidIsValid(sibling))
        return NULL;
    return (Expr *)eval_const_expressions(root, (Node *)function_call(sibling, copyObject(arguments)));
}

/* An operator in the schema of `function`. */
static Oid sibling_operator(Oid function, const char *name, Expr *left, Expr *right)
{
    return GetSysCacheOid4(OPERNAMENSP, Anum_pg_operator_oid, CStringGetDatum(name),
                           ObjectIdGetDatum(exprType((Node *)left)), ObjectIdGetDatum(exprType((Node *)right)),
                           ObjectIdGetDatum(get_func_namespace(function)));
}

static Expr *comparison(Oid comparator, Expr *left, Expr *right)
{
    OpExpr *clause = (OpExpr *)make_opclause(comparator, BOOLOID, false, left, right, InvalidOid, InvalidOid);
    clause->opfuncid = get_opcode(comparator);
    return (Expr *)clause;
}

/* ---- hasOpening -------------------------------------------------------------------------------------------- */

/* The two conditions, with operators of `family` if one is given; NIL if that is not possible. */
static List *opening_range(PlannerInfo *root, FuncExpr *call, Oid family)
{
    Expr *game = linitial(call->args);
    Expr *first = sibling_call(root, call->funcid, "openingfirst", list_make1(lsecond(call->args))),
         *end = sibling_call(root, call->funcid, "openinglast", list_make1(lsecond(call->args)));
    if (!first || !end)
        return NIL;
    const Oid ge = sibling_operator(call->funcid, ">=", game, first),
              lt = sibling_operator(call->funcid, "<", game, end);
    if (!OidIsValid(ge) || !OidIsValid(lt))
        return NIL;
    if (OidIsValid(family) && (!op_in_opfamily(ge, family) || !op_in_opfamily(lt, family)))
        return NIL;
    return list_make2(comparison(ge, copyObject(game), first), comparison(lt, copyObject(game), end));
}

/* For a constant opening the conditions replace the call, because a bitmap plan would keep it as a filter. Other
   openings would be computed twice, so they are not rewritten. */
static Node *opening_conditions(SupportRequestSimplify *request)
{
    FuncExpr *call = request->fcall;
    if (!IsA(linitial(call->args), Var) || !IsA(lsecond(call->args), Const))
        return NULL;
    List *range = opening_range(request->root, call, InvalidOid);
    return range == NIL ? NULL : (Node *)make_andclause(range);
}

static Node *opening_index_condition(SupportRequestIndexCondition *request)
{
    if (!is_funcclause(request->node) || request->indexarg != 0 || request->index->relam != BTREE_AM_OID)
        return NULL;
    FuncExpr *call = (FuncExpr *)request->node;
    if (!is_pseudo_constant_for_index(request->root, lsecond(call->args), request->index))
        return NULL;
    List *range = opening_range(request->root, call, request->opfamily);
    request->lossy = range == NIL;
    return (Node *)range;
}

SQL_FUNCTION(tabiya_has_opening_support)
{
    Node *request = (Node *)PG_GETARG_POINTER(0), *answer = NULL;
    if (IsA(request, SupportRequestIndexCondition))
        answer = opening_index_condition((SupportRequestIndexCondition *)request);
    else if (IsA(request, SupportRequestSimplify))
        answer = opening_conditions((SupportRequestSimplify *)request);
    else if (IsA(request, SupportRequestSelectivity)) {
        SupportRequestSelectivity *wanted = (SupportRequestSelectivity *)request;
        wanted->selectivity = estimate_opening(wanted->root, wanted->args, wanted->is_join ? 0 : wanted->varRelid);
        answer = request;
    }
    PG_RETURN_POINTER(answer);
}

/* ---- hasBoard, hasPosition --------------------------------------------------------------------------------- */

static Node *operator_of_call(PlannerInfo *root, FuncExpr *call, const char *query_name)
{
    Expr *game = linitial(call->args);
    Expr *query = sibling_call(root, call->funcid, query_name, list_copy_tail(call->args, 1));
    const Oid reaches = query ? sibling_operator(call->funcid, "@~", game, query) : InvalidOid;
    return OidIsValid(reaches) ? (Node *)comparison(reaches, game, query) : NULL;
}

static Datum simplify(FunctionCallInfo fcinfo, const char *query_name)
{
    SupportRequestSimplify *request = (SupportRequestSimplify *)PG_GETARG_POINTER(0);
    PG_RETURN_POINTER(IsA(request, SupportRequestSimplify) ? operator_of_call(request->root, request->fcall, query_name)
                                                           : NULL);
}

SQL_FUNCTION(tabiya_has_board_support) { return simplify(fcinfo, "within"); }

SQL_FUNCTION(tabiya_has_position_support) { return simplify(fcinfo, "withinposition"); }

/* ---- matches ----------------------------------------------------------------------------------------------- */

static Const *value_constant(Oid type, Datum value) { return makeConst(type, -1, InvalidOid, -1, value, false, false); }

/* A condition that is true of every matching game; NULL if it cannot be expressed. */
static Expr *needed_condition(PlannerInfo *root, const FuncExpr *call, const tby_query_must *must)
{
    static const char *const names[] = {[TBY_QUERY_MUST_POSITION] = "hasposition",
                                        [TBY_QUERY_MUST_BOARD] = "hasboard",
                                        [TBY_QUERY_MUST_OPEN] = "hasopening"};
    Node *game = linitial(call->args);
    const Oid schema = get_func_namespace(call->funcid);
    const Oid type =
        must->type == TBY_QUERY_MUST_OPEN
            ? exprType(game)
            : GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("chessboard"), ObjectIdGetDatum(schema));
    if (!OidIsValid(type))
        return NULL;
    const Datum value = must->type == TBY_QUERY_MUST_OPEN ? bytes_datum(must->opening, must->n_opening)
                                                          : board_datum(&must->setup);
    return sibling_call(root, call->funcid, names[must->type], list_make2(game, value_constant(type, value)));
}

/* Only for a column: any other expression would be evaluated for each condition. */
static Node *matching_conditions(SupportRequestSimplify *request)
{
    FuncExpr *call = request->fcall;
    const Const *asked = lsecond(call->args);
    const tby_allocator allocator = context_allocator(CurrentMemoryContext);
    List *conditions = NIL;
    tby_query_must must;
    if (!IsA(linitial(call->args), Var) || !IsA(asked, Const) || asked->constisnull)
        return NULL;
    tby_query *query = query_read(text_of(asked->constvalue), &allocator);
    for (size_t i = 0; tby_query_must_at(query, i, &must); i++) {
        Expr *condition = needed_condition(request->root, call, &must);
        if (condition)
            conditions = lappend(conditions, condition);
    }
    tby_query_free(query);
    Expr *rest = conditions == NIL ? NULL : sibling_call(request->root, call->funcid, "chessgame_matches", call->args);
    return rest ? (Node *)make_andclause(lappend(conditions, rest)) : NULL;
}

SQL_FUNCTION(tabiya_matches_support)
{
    Node *request = (Node *)PG_GETARG_POINTER(0), *answer = NULL;
    if (IsA(request, SupportRequestSimplify))
        answer = matching_conditions((SupportRequestSimplify *)request);
    else if (IsA(request, SupportRequestSelectivity)) {
        SupportRequestSelectivity *wanted = (SupportRequestSelectivity *)request;
        if (!wanted->is_join && estimate_matches(&wanted->selectivity, wanted->root, wanted->funcid,
                                                 wanted->inputcollid, wanted->args, wanted->varRelid))
            answer = request;
    }
    PG_RETURN_POINTER(answer);
}
