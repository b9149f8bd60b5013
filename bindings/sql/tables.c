/*
 * tables.c - the list of all tables.
 */
#include "sql.h"

const sql_table *sql_table_at(size_t i)
{
    static const sql_table *const tables[] = {&sql_moves, &sql_positions, &sql_legal_moves, &sql_read_pgn,
                                              &sql_postings};
    return i < sizeof tables / sizeof *tables ? tables[i] : NULL;
}
