/*
 * functions.c - all functions and tables, one after the other.
 */
#include "sql.h"

static bool visit_list(sql_list list, bool (*visit)(void *context, const sql_function *function), void *context)
{
    for (size_t i = 0; i < list.n; i++)
        if (!visit(context, &list.functions[i]))
            return false;
    return true;
}

bool sql_functions_visit(bool (*visit)(void *context, const sql_function *function), void *context)
{
    return visit_list(sql_value_functions(), visit, context) && visit_list(sql_game_functions(), visit, context) &&
           visit_list(sql_board_functions(), visit, context) && sql_notations_visit(visit, context) &&
           visit_list(sql_query_functions(), visit, context) && visit_list(sql_pgn_functions(), visit, context) &&
           visit_list(sql_posting_functions(), visit, context);
}

const sql_table *sql_table_at(size_t i)
{
    static const sql_table *const tables[] = {&sql_moves, &sql_positions, &sql_legal_moves, &sql_read_pgn,
                                              &sql_postings};
    return i < sizeof tables / sizeof *tables ? tables[i] : NULL;
}
