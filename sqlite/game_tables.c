/*
 * game_tables.c - table-valued functions over games and boards.
 *
 *     moves(game)             ply, san, uci, board               a row per half-move, from 1
 *     positions(game)         ply, board, fen, position_key, placement_key      from ply 0
 *     legal_moves(board)      san, uci, board                    in the tree's order; of a game, at its end
 */
#include "table.h"

#include <string.h>

typedef enum columns { PLY, SAN, UCI, BOARD, FEN, POSITION_KEY, PLACEMENT_KEY, ARGUMENT } column;

static const column MOVES_COLUMNS[] = {PLY, SAN, UCI, BOARD, ARGUMENT};
static const column POSITIONS_COLUMNS[] = {PLY, BOARD, FEN, POSITION_KEY, PLACEMENT_KEY, ARGUMENT};
static const column LEGAL_MOVES_COLUMNS[] = {SAN, UCI, BOARD, ARGUMENT};

typedef struct cursor {
    sqlite3_vtab_cursor base;
    uint8_t *game; /* walked by `packed`; NULL for legal moves, and before the first row */
    tby_packed packed;
    tby_position before; /* where `move` is played */
    tby_position after;
    tby_move move;
    int64_t ply; /* of the row */
    bool is_end;
    tby_move *moves; /* the legal ones */
    size_t n_moves;
} cursor;

static cursor *cursor_of(sqlite3_vtab_cursor *base) { return (cursor *)(void *)base; }

static void forget_rows(cursor *c)
{
    sqlite3_free(c->game);
    sqlite3_free(c->moves);
    c->game = NULL;
    c->moves = NULL;
    c->is_end = true;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    forget_rows(cursor_of(base));
    sqlite3_free(base);
    return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *base) { return cursor_of(base)->is_end; }

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = cursor_of(base)->ply;
    return SQLITE_OK;
}

/* ---- Walking a game --------------------------------------------------------------------------------------- */

static int next_ply(sqlite3_vtab_cursor *base)
{
    cursor *c = cursor_of(base);
    c->before = c->packed.pos;
    c->move = tby_packed_next(&c->packed);
    c->after = c->packed.pos;
    c->is_end = c->move == TBY_MOVE_NONE;
    c->ply++;
    return SQLITE_OK;
}

/* At ply 0. */
static int begin_game(cursor *c, sqlite3_value *value)
{
    char *message;
    size_t n;
    forget_rows(c);
    if (sqlite3_value_type(value) == SQLITE_NULL)
        return SQLITE_OK;
    c->game = game_copy(value, &n, &message);
    if (!c->game)
        return table_error(c->base.pVtab, message);
    if (!tby_packed_begin(&c->packed, c->game, n))
        return table_error(c->base.pVtab, sqlite3_mprintf("the packed game is damaged"));
    c->ply = 0;
    c->after = c->packed.pos;
    c->is_end = false;
    return SQLITE_OK;
}

static int filter_positions(sqlite3_vtab_cursor *base, int number, const char *text, int argc, sqlite3_value **argv)
{
    (void)number, (void)text, (void)argc;
    return begin_game(cursor_of(base), argv[0]);
}

static int filter_moves(sqlite3_vtab_cursor *base, int number, const char *text, int argc, sqlite3_value **argv)
{
    const int status = filter_positions(base, number, text, argc, argv);
    return status == SQLITE_OK && cursor_of(base)->game ? next_ply(base) : status;
}

/* ---- Legal moves ------------------------------------------------------------------------------------------ */

static int next_legal_move(sqlite3_vtab_cursor *base)
{
    cursor *c = cursor_of(base);
    c->is_end = (size_t)c->ply >= c->n_moves;
    if (!c->is_end) {
        c->move = c->moves[c->ply++];
        c->after = c->before;
        tby_position_play(&c->after, c->move, NULL);
    }
    return SQLITE_OK;
}

static int filter_legal_moves(sqlite3_vtab_cursor *base, int number, const char *text, int argc, sqlite3_value **argv)
{
    cursor *c = cursor_of(base);
    char *message;
    (void)number, (void)text, (void)argc;
    forget_rows(c);
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
        return SQLITE_OK;
    if (!position_copy(argv[0], &c->before, &message))
        return table_error(base->pVtab, message);
    c->moves = sqlite3_malloc64(TBY_MOVES_MAX * sizeof *c->moves);
    if (!c->moves)
        return SQLITE_NOMEM;
    c->n_moves = tby_moves_list(c->moves, &c->before);
    tby_moves_sort(c->moves, c->n_moves);
    c->ply = 0;
    return next_legal_move(base);
}

/* ---- Columns ---------------------------------------------------------------------------------------------- */

static void answer_column(sqlite3_context *context, const cursor *c, column which)
{
    char text[TBY_FEN_SIZE];
    switch (which) {
    case PLY: sqlite3_result_int64(context, c->ply); break;
    case SAN:
        tby_san_write(text, sizeof text, &c->before, c->move);
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
        break;
    case UCI:
        tby_uci_write(text, sizeof text, &c->before, c->move, 0);
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
        break;
    case BOARD: answer_position(context, &c->after); break;
    case FEN:
        tby_fen_write_position(text, sizeof text, &c->after, 0);
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
        break;
    case POSITION_KEY: answer_key(context, tby_position_key(&c->after)); break;
    case PLACEMENT_KEY: answer_key(context, c->after.placement_key); break;
    case ARGUMENT: break;
    }
}

static int moves_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number)
{
    answer_column(context, cursor_of(base), MOVES_COLUMNS[number]);
    return SQLITE_OK;
}

static int positions_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number)
{
    answer_column(context, cursor_of(base), POSITIONS_COLUMNS[number]);
    return SQLITE_OK;
}

static int legal_moves_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number)
{
    answer_column(context, cursor_of(base), LEGAL_MOVES_COLUMNS[number]);
    return SQLITE_OK;
}

/* ---- Tables ----------------------------------------------------------------------------------------------- */

#define GAME_TABLE(filter, next, column_)                                                                              \
    {                                                                                                                  \
        .xConnect = table_connect, .xBestIndex = table_best_index, .xDisconnect = table_disconnect,                    \
        .xOpen = table_open, .xClose = close_cursor, .xFilter = filter, .xNext = next, .xEof = at_end,                 \
        .xColumn = column_, .xRowid = row_number                                                                       \
    }

int create_game_tables(sqlite3 *db)
{
    static const sqlite3_module modules[] = {
        GAME_TABLE(filter_moves, next_ply, moves_column),
        GAME_TABLE(filter_positions, next_ply, positions_column),
        GAME_TABLE(filter_legal_moves, next_legal_move, legal_moves_column),
    };
    static const sql_table tables[] = {
        {"moves", "CREATE TABLE x(ply INTEGER, san TEXT, uci TEXT, board BLOB, game HIDDEN)", 4, 1,
         SQLITE_VTAB_INNOCUOUS, sizeof(cursor)},
        {"positions",
         "CREATE TABLE x(ply INTEGER, board BLOB, fen TEXT, position_key INTEGER, placement_key INTEGER, game HIDDEN)",
         5, 1, SQLITE_VTAB_INNOCUOUS, sizeof(cursor)},
        {"legal_moves", "CREATE TABLE x(san TEXT, uci TEXT, board BLOB, position HIDDEN)", 3, 1, SQLITE_VTAB_INNOCUOUS,
         sizeof(cursor)},
    };
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == SQLITE_OK; i++)
        status = sqlite3_create_module_v2(db, tables[i].name, &modules[i], (void *)(uintptr_t)&tables[i], NULL);
    return status;
}
