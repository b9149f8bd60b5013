/*
 * functions.c - the list of all functions.
 */
#include "sql.h"

#include "os/threads.h"
#include <assert.h>
#include <string.h>

static const sql_other_name other_names[] = {
    {"board", "getBoard"},
    {"eco", "getEco"},
    {"fen", "toFen"},
    {"getOpening", "getFirstMoves"},
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

/* ---- All functions ---------------------------------------------------------------------------------------- */

enum { FUNCTIONS_MAX = 320 };

static sql_function all[FUNCTIONS_MAX];
static size_t n_all;

void sql_function_add(const sql_function *function)
{
    const sql_other_name *name;
    assert(n_all < FUNCTIONS_MAX);
    all[n_all++] = *function;
    for (size_t i = 0; (name = sql_other_name_at(i)); i++)
        if (strcmp(name->of, function->name) == 0) {
            assert(n_all < FUNCTIONS_MAX);
            all[n_all] = *function;
            strcpy(all[n_all++].name, name->name);
        }
}

static void add_list(const sql_function *list)
{
    for (; list->name[0]; list++)
        sql_function_add(list);
}

static void add_all(void)
{
    add_list(sql_value_functions);
    add_list(sql_game_functions);
    add_list(sql_board_functions);
    sql_notations_add();
    add_list(sql_query_functions);
    add_list(sql_pgn_functions);
    add_list(sql_posting_functions);
}

const sql_function *sql_function_at(size_t i)
{
    static os_once once = OS_ONCE_INIT;
    os_once_call(&once, add_all);
    return i < n_all ? &all[i] : NULL;
}
