/*
 * functions.c - the list of all functions.
 */
#include "sql.h"

#include <string.h>

static const sql_other_name other_names[] = {
    {"board", "getBoard"},
    {"eco", "getEco"},
    {"fen", "toFen"},
    {"is_check", "isCheck"},
    {"is_checkmate", "isCheckmate"},
    {"is_stalemate", "isStalemate"},
    {"opening_name", "getOpeningName"},
    {"pgn", "toPgn"},
    {"plies", "plyCount"},
    {"ply_count", "plyCount"},
    {"position_at", "getBoard"},
    {"result", "getGameResult"},
    {"san", "toSan"},
    {"to_fen", "toFen"},
    {"uci", "toUci"},
};

const sql_other_name *sql_other_name_at(size_t i)
{
    return i < sizeof other_names / sizeof *other_names ? &other_names[i] : NULL;
}

static bool visit_all_names(void *context, const sql_function *function)
{
    const sql_visitor *v = context;
    if (!v->visit(v->context, function))
        return false;
    const sql_other_name *name;
    for (size_t i = 0; (name = sql_other_name_at(i)); i++) {
        sql_function other = *function;
        other.name = name->name;
        if (strcmp(name->of, function->name) == 0 && !v->visit(v->context, &other))
            return false;
    }
    return true;
}

static bool visit_list(sql_list list, sql_visitor *v)
{
    for (size_t i = 0; i < list.n; i++)
        if (!visit_all_names(v, &list.functions[i]))
            return false;
    return true;
}

bool sql_functions_visit(bool (*visit)(void *context, const sql_function *function), void *context)
{
    sql_visitor v = {visit, context};
    return visit_list(sql_value_functions(), &v) && visit_list(sql_game_functions(), &v) &&
           visit_list(sql_board_functions(), &v) && sql_notations_visit(&(sql_visitor){visit_all_names, &v}) &&
           visit_list(sql_query_functions(), &v) && visit_list(sql_pgn_functions(), &v) &&
           visit_list(sql_posting_functions(), &v);
}
