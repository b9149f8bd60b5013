/*
 * game_tables.c - table-valued functions over games and boards.
 *
 *     moves(game [, annotated])       ply, san, uci, board, and NOTES                             from half-move 1
 *     positions(game [, annotated])   ply, board, fen, position_key, placement_key, and NOTES     from ply 0
 *     legal_moves(board)              san, uci, board            in the tree's order; of a game, at its end
 *
 * NOTES: nags (JSON), comment, eval (centipawns), mate (in moves), clock (seconds), from the CMBR record `annotated`
 * that a database keeps beside a game with comments; NULL where there are none.
 */
#include "table.h"

#include <string.h>

typedef enum columns {
    PLY,
    SAN,
    UCI,
    BOARD,
    FEN,
    POSITION_KEY,
    PLACEMENT_KEY,
    NAGS,
    COMMENT,
    EVAL,
    MATE,
    CLOCK,
    ARGUMENT
} column;
#define NOTE_COLUMNS NAGS, COMMENT, EVAL, MATE, CLOCK

static const column MOVES_COLUMNS[] = {PLY, SAN, UCI, BOARD, NOTE_COLUMNS, ARGUMENT, ARGUMENT};
static const column POSITIONS_COLUMNS[] = {PLY,           BOARD,        FEN,      POSITION_KEY,
                                           PLACEMENT_KEY, NOTE_COLUMNS, ARGUMENT, ARGUMENT};
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
    tby_game *notes; /* the whole game; NULL if there is no record of it */
    tby_node node;   /* where the row is in it; TBY_NO_NODE if it ends before */
    tby_move *moves; /* the legal ones */
    size_t n_moves;
} cursor;

static cursor *cursor_of(sqlite3_vtab_cursor *base) { return (cursor *)(void *)base; }

static void forget_rows(cursor *c)
{
    sqlite3_free(c->game);
    sqlite3_free(c->moves);
    tby_game_free(c->notes);
    c->game = NULL;
    c->moves = NULL;
    c->notes = NULL;
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
    if (c->notes && c->node != TBY_NO_NODE)
        c->node = tby_game_child(c->notes, c->node);
    c->ply++;
    return SQLITE_OK;
}

static int read_notes(cursor *c, sqlite3_value *record)
{
    char text[TBY_ERROR_SIZE];
    tby_error err;
    const uint8_t *bytes = sqlite3_value_blob(record);
    const size_t n = bytes ? (size_t)sqlite3_value_bytes(record) : 0;
    if (!(c->notes = tby_game_new(&sqlite_allocator)))
        return SQLITE_NOMEM;
    c->node = TBY_ROOT;
    const tby_status status = tby_cmbr_decode(c->notes, bytes, n, &err);
    if (status == TBY_OK || status == TBY_NO_MEMORY)
        return status == TBY_OK ? SQLITE_OK : SQLITE_NOMEM;
    tby_error_write(text, sizeof text, &err);
    return table_error(c->base.pVtab, sqlite3_mprintf("annotated: %s", text));
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
    cursor *c = cursor_of(base);
    (void)number, (void)text;
    const int status = begin_game(c, argv[0]);
    const bool has_notes = status == SQLITE_OK && c->game && argc > 1 && sqlite3_value_type(argv[1]) != SQLITE_NULL;
    return has_notes ? read_notes(c, argv[1]) : status;
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

/* ---- Notes ------------------------------------------------------------------------------------------------ */

static void answer_nags(sqlite3_context *context, const tby_game *game, tby_node node)
{
    const size_t n = tby_game_n_nags(game, node);
    sqlite3_str *text = n ? sqlite3_str_new(NULL) : NULL;
    for (size_t i = 0; i < n; i++)
        sqlite3_str_appendf(text, i ? ",%u" : "[%u", tby_game_nag(game, node, i));
    if (n) {
        sqlite3_str_appendchar(text, 1, ']');
        answer_string(context, text, false);
    }
}

static void answer_comment(sqlite3_context *context, const tby_game *game, tby_node node)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    tby_note_write_comment(game, node, string_sink, text);
    if (sqlite3_str_length(text) || sqlite3_str_errcode(text))
        answer_string(context, text, false);
    else
        sqlite3_free(sqlite3_str_finish(text));
}

static void answer_note(sqlite3_context *context, const cursor *c, column which)
{
    tby_note note;
    if (!c->notes || c->node == TBY_NO_NODE)
        return;
    tby_note_read(&note, c->notes, c->node);
    switch (which) {
    case NAGS: answer_nags(context, c->notes, c->node); break;
    case COMMENT: answer_comment(context, c->notes, c->node); break;
    case EVAL:
    case MATE:
        if (note.has_eval && note.is_mate == (which == MATE))
            sqlite3_result_int64(context, note.eval);
        break;
    default:
        if (note.has_clock)
            sqlite3_result_double(context, (double)note.clock / 1000);
    }
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
    case NAGS:
    case COMMENT:
    case EVAL:
    case MATE:
    case CLOCK: answer_note(context, c, which); break;
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
#define NOTES "nags TEXT, comment TEXT, eval INTEGER, mate INTEGER, clock REAL, game HIDDEN, record HIDDEN)"
    static const sql_table tables[] = {
        {"moves", "CREATE TABLE x(ply INTEGER, san TEXT, uci TEXT, board BLOB, " NOTES, 9, 2, 1, SQLITE_VTAB_INNOCUOUS,
         sizeof(cursor)},
        {"positions",
         "CREATE TABLE x(ply INTEGER, board BLOB, fen TEXT, position_key INTEGER, placement_key INTEGER, " NOTES, 10, 2,
         1, SQLITE_VTAB_INNOCUOUS, sizeof(cursor)},
        {"legal_moves", "CREATE TABLE x(san TEXT, uci TEXT, board BLOB, position HIDDEN)", 3, 1, 1,
         SQLITE_VTAB_INNOCUOUS, sizeof(cursor)},
    };
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == SQLITE_OK; i++)
        status = sqlite3_create_module_v2(db, tables[i].name, &modules[i], (void *)(uintptr_t)&tables[i], NULL);
    return status;
}
