/*
 * rows.c - the plan of a table of games: its columns by name.
 *
 *     columns   name ("," name)*       a known name, or the name of a PGN tag, which begins with a capital
 */
#include "table/rows.h"
#include "notation/refuse.h"

#include <stdio.h>

const char *tby_rows_usual_columns(tby_rows_kind kind)
{
    switch (kind) {
    case TBY_ROWS_POSITIONS: return "game,ply,fen,next_uci,result";
    case TBY_ROWS_MOVES: return "game,ply,side,san,uci,fen,result";
    default: return "game,White,Black,result,white_elo,black_elo,Date,Event,eco,opening,plies";
    }
}

static void add_column(tby_rows *rows, const row_column *column, const char *name)
{
    const size_t i = rows->n_columns++;
    rows->columns[i] = (tby_column){name, column->about.type, column->about.may_be_empty};
    rows->from[i] = column;
    rows->needs |= column->needs;
}

static bool is_there(const tby_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->n_columns; i++)
        if (strcmp(rows->columns[i].name, name) == 0)
            return true;
    return false;
}

static tby_status add_name(tby_rows *rows, const char *name, size_t offset, tby_error *err)
{
    const row_column *column = row_column_find(name, strlen(name));
    if (rows->n_columns == ROWS_COLUMNS_MAX)
        return refuse_with(err, TBY_TOO_LONG, offset, "at most %d columns are allowed", ROWS_COLUMNS_MAX, 0);
    if (is_there(rows, name))
        return refuse(err, TBY_CANNOT_HOLD, offset, "the column is named twice");
    if (!column && *name >= 'A' && *name <= 'Z') {
        add_column(rows, &row_tag_column, name);
        return TBY_OK;
    }
    if (!column)
        return refuse(err, TBY_CANNOT_HOLD, offset, "there is no such column; tags begin with a capital");
    if (!column->about.is_of_game && rows->options.kind == TBY_ROWS_GAMES)
        return refuse(err, TBY_CANNOT_HOLD, offset, "only positions and moves have such a column");
    if (strcmp(name, "game") == 0)
        rows->game_column = (int)rows->n_columns;
    add_column(rows, column, name);
    return TBY_OK;
}

static tby_status add_names(tby_rows *rows, tby_error *err)
{
    tby_status status = TBY_OK;
    char *name = rows->names;
    while (status == TBY_OK && name) {
        char *comma = strchr(name, ',');
        if (comma)
            *comma = '\0';
        status = add_name(rows, name, (size_t)(name - rows->names), err);
        name = comma ? comma + 1 : NULL;
    }
    return status;
}

tby_rows *tby_rows_new(const tby_rows_options *options, const tby_allocator *allocator, tby_error *err)
{
    const tby_allocator memory = allocator_or_default(allocator);
    const char *names = options->columns ? options->columns : tby_rows_usual_columns(options->kind);
    const size_t size = sizeof(tby_rows) + strlen(names) + 1;
    tby_rows *rows = alloc_new(memory, size);
    if (!rows) {
        refuse(err, TBY_NO_MEMORY, 0, NULL);
        return NULL;
    }
    rows->allocator = memory;
    rows->size = size;
    rows->options = *options;
    rows->options.columns = NULL;
    rows->game_column = -1;
    memcpy(rows->names, names, strlen(names) + 1);
    if (add_names(rows, err) != TBY_OK) {
        tby_rows_free(rows);
        return NULL;
    }
    if (options->adds_key)
        add_column(rows, row_column_find("key", 3), "key");
    return rows;
}

void tby_rows_free(tby_rows *rows)
{
    if (rows)
        alloc_free(rows->allocator, rows, rows->size);
}

const tby_column *tby_rows_columns(const tby_rows *rows, size_t *n_columns)
{
    *n_columns = rows->n_columns;
    return rows->columns;
}

int tby_rows_game_column(const tby_rows *rows) { return rows->game_column; }
