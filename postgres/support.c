/*
 * support.c - what the planner is told of hasOpening, hasBoard and hasPosition, so that the plain call uses an index.
 *
 *     hasOpening(game, o)        for a B-tree: game >= opening(o) AND game < openingEnd(o), which is exactly the same
 *     hasBoard(game, b, n)       rewritten: game @~ within(b, n), which a GIN index serves
 *     hasPosition(game, b, n)    rewritten: game @~ withinPosition(b, n)
 *
 * Rewriting, for a plan by GIN would keep a call that was only given an index condition as a filter on every row. The
 * other functions and the operator are found in the schema of the function that was called, wherever that is.
 */
#include "extension.h"

#include "estimate.h"

#include <access/htup_details.h>
#include <access/stratnum.h>
#include <catalog/namespace.h>
#include <catalog/pg_am_d.h>
#include <catalog/pg_opfamily.h>
#include <catalog/pg_type_d.h>
#include <nodes/makefuncs.h>
#include <nodes/nodeFuncs.h>
#include <nodes/pathnodes.h>
#include <nodes/supportnodes.h>
#include <optimizer/optimizer.h>
#include <parser/parse_func.h>
#include <utils/lsyscache.h>
#include <utils/syscache.h>

static List *sibling_name(Oid function, const char *name)
{
    return list_make2(makeString(get_namespace_name(get_func_namespace(function))), makeString(pstrdup(name)));
}

/* A call of a sibling of `function`, computed if it is constant; NULL if there is no such function. */
static Expr *sibling_call(PlannerInfo *root, Oid function, const char *name, List *arguments)
{
    Oid types[2];
    int n = 0;
    ListCell *cell;
    foreach (cell, arguments)
        types[n++] = exprType(lfirst(cell));
    const Oid sibling = LookupFuncName(sibling_name(function, name), n, types, true);
    if (!OidIsValid(sibling))
        return NULL;
    FuncExpr *call = makeFuncExpr(sibling, get_func_rettype(sibling), copyObject(arguments), InvalidOid, InvalidOid,
                                  COERCE_EXPLICIT_CALL);
    return (Expr *)eval_const_expressions(root, (Node *)call);
}

/* ---- hasOpening -------------------------------------------------------------------------------------------- */

static bool is_btree(Oid family)
{
    HeapTuple tuple = SearchSysCache1(OPFAMILYOID, ObjectIdGetDatum(family));
    const bool answer = HeapTupleIsValid(tuple) && ((Form_pg_opfamily)GETSTRUCT(tuple))->opfmethod == BTREE_AM_OID;
    if (HeapTupleIsValid(tuple))
        ReleaseSysCache(tuple);
    return answer;
}

static List *opening_range(PlannerInfo *root, FuncExpr *call, Oid family)
{
    Expr *game = linitial(call->args);
    const Oid type = exprType((Node *)game), ge = get_opfamily_member(family, type, type, BTGreaterEqualStrategyNumber),
              lt = get_opfamily_member(family, type, type, BTLessStrategyNumber);
    Expr *first = sibling_call(root, call->funcid, "opening", list_make1(lsecond(call->args))),
         *end = sibling_call(root, call->funcid, "openingend", list_make1(lsecond(call->args)));
    if (!OidIsValid(ge) || !OidIsValid(lt) || !first || !end)
        return NIL;
    return list_make2(make_opclause(ge, BOOLOID, false, copyObject(game), first, InvalidOid, InvalidOid),
                      make_opclause(lt, BOOLOID, false, copyObject(game), end, InvalidOid, InvalidOid));
}

static Node *opening_index_condition(SupportRequestIndexCondition *request)
{
    if (!is_funcclause(request->node) || request->indexarg != 0 || !is_btree(request->opfamily))
        return NULL;
    FuncExpr *call = (FuncExpr *)request->node;
    if (!is_pseudo_constant_for_index(request->root, lsecond(call->args), request->index))
        return NULL;
    List *range = opening_range(request->root, call, request->opfamily);
    request->lossy = range == NIL;
    return (Node *)range;
}

PG_FUNCTION_INFO_V1(tabiya_has_opening_support);
Datum tabiya_has_opening_support(PG_FUNCTION_ARGS)
{
    Node *request = (Node *)PG_GETARG_POINTER(0), *answer = NULL;
    if (IsA(request, SupportRequestIndexCondition))
        answer = opening_index_condition((SupportRequestIndexCondition *)request);
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
    Expr *game = linitial(call->args),
         *query = sibling_call(root, call->funcid, query_name, list_copy_tail(call->args, 1));
    if (!query)
        return NULL;
    const Oid operator=
        OpernameGetOprid(sibling_name(call->funcid, "@~"), exprType((Node *)game), exprType((Node *)query));
    if (!OidIsValid(operator))
        return NULL;
    OpExpr *clause = (OpExpr *)make_opclause(operator, BOOLOID, false, game, query, InvalidOid, InvalidOid);
    clause->opfuncid = get_opcode(operator);
    return (Node *)clause;
}

static Datum simplify(FunctionCallInfo fcinfo, const char *query_name)
{
    SupportRequestSimplify *request = (SupportRequestSimplify *)PG_GETARG_POINTER(0);
    PG_RETURN_POINTER(IsA(request, SupportRequestSimplify) ? operator_of_call(request->root, request->fcall, query_name)
                                                           : NULL);
}

PG_FUNCTION_INFO_V1(tabiya_has_board_support);
Datum tabiya_has_board_support(PG_FUNCTION_ARGS) { return simplify(fcinfo, "within"); }

PG_FUNCTION_INFO_V1(tabiya_has_position_support);
Datum tabiya_has_position_support(PG_FUNCTION_ARGS) { return simplify(fcinfo, "withinposition"); }
