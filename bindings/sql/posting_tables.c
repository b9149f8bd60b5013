/*
 * posting_tables.c - the position index of a tabiya database, in SQL.
 *
 *     positionRow(run, row_bits, board)   the number of the row of table `position` that has this position
 *     postings(entries, first, board)     the games in such a row that may reach the position
 */
#include "sql.h"

#include <stdlib.h>

static void position_row(sql_call *call)
{
    tby_position pos;
    const int64_t bits = call->args[1].number;
    if (sql_position(call, 2, &pos))
        sql_answer_number(call, tby_postings_row(call->args[0].number,
                                                 bits > 0 && bits <= TBY_POSTINGS_ROW_BITS ? (unsigned)bits : 0,
                                                 tby_position_key(&pos)));
}

const sql_function sql_posting_functions[] = {{"positionRow", "iivi", .call = position_row}, {.name = ""}};

/* ---- The table ---------------------------------------------------------------------------------------------- */

typedef struct cursor {
    sql_rows rows;
    uint8_t *row;
    tby_postings postings;
    tby_posting posting;
    uint64_t key;
} cursor;

static void end(void *memory) { free(((cursor *)memory)->row); }

static bool next_posting(void *memory, sql_call *call)
{
    cursor *c = memory;
    c->rows.is_end = !tby_postings_next(&c->postings, &c->posting);
    if (c->rows.is_end && tby_postings_find(&c->postings, c->key)) /* another position with the same key part */
        c->rows.is_end = !tby_postings_next(&c->postings, &c->posting);
    c->rows.number++;
    return !c->postings.is_damaged || sql_fail(call, "the row of the index is damaged");
}

static bool begin(void *memory, sql_call *call)
{
    cursor *c = memory;
    tby_position pos;
    const sql_value *entries = &call->args[0];
    if (sql_has_null(call))
        return true;
    if (!sql_position(call, 2, &pos) || !(c->row = sql_copy(call, entries->bytes, entries->n)))
        return false;
    c->postings = tby_postings_begin(c->row, entries->n, call->args[1].number);
    c->key = tby_position_key(&pos);
    return next_posting(c, call);
}

static void answer_column(const void *memory, sql_call *call, int what)
{
    (void)what;
    sql_answer_number(call, ((const cursor *)memory)->posting.game);
}

const sql_table sql_postings = {
    .name = "postings",
    .columns = {{"game", 'i', 0}},
    .arguments = {"entries", "first", "board"},
    .types = "biv",
    .n_needed = 3,
    .cursor_size = sizeof(cursor),
    .begin = begin,
    .next = next_posting,
    .column = answer_column,
    .end = end,
};
