/*
 * game_tables.c - table-valued functions over games and boards.
 *
 *     moves(game [, annotated])       ply, san, uci, board, and NOTES                             from half-move 1
 *     positions(game [, annotated])   ply, board, fen, position_key, placement_key, and NOTES     from ply 0
 *     legal_moves(board)              san, uci, board            in the order of the tree; for a game, at its end
 *
 * NOTES: nags (JSON), comment, eval (centipawns), mate (in moves), clock (seconds), from the CMBR record `annotated`
 * that a database stores besides a game with comments; NULL if there are none.
 */
#include "sql.h"

#include <stdlib.h>

typedef enum column { PLY, SAN, UCI, BOARD, FEN, POSITION_KEY, PLACEMENT_KEY, NAGS, COMMENT, EVAL, MATE, CLOCK } column;

typedef struct cursor {
    sql_rows rows; /* its number is the ply */
    uint8_t *game; /* walked by `packed`; NULL for legal moves, and before the first row */
    tby_packed packed;
    tby_position before; /* the position before `move` */
    tby_position after;
    tby_move move;
    tby_game *notes; /* the whole game; NULL without a record */
    tby_node node;   /* the row's node in it; TBY_NO_NODE if it ends before */
    tby_move *moves; /* the legal moves */
    size_t n_moves;
} cursor;

static void end(void *memory)
{
    cursor *c = memory;
    free(c->game);
    free(c->moves);
    tby_game_free(c->notes);
}

/* ---- Walking a game --------------------------------------------------------------------------------------- */

static bool next_ply(void *memory, sql_call *call)
{
    cursor *c = memory;
    (void)call;
    c->before = c->packed.pos;
    c->move = tby_packed_next(&c->packed);
    c->after = c->packed.pos;
    c->rows.is_end = c->move == TBY_MOVE_NONE;
    if (c->notes && c->node != TBY_NO_NODE)
        c->node = tby_game_child(c->notes, c->node);
    c->rows.number++;
    return true;
}

static bool read_notes(cursor *c, sql_call *call)
{
    if (!(c->notes = tby_game_new(NULL)))
        return sql_fail_memory(call);
    c->node = TBY_ROOT;
    return sql_record(call, 1, c->notes, "annotated: ");
}

/* At ply 0. */
static bool begin_positions(void *memory, sql_call *call)
{
    cursor *c = memory;
    game_bytes game;
    if (sql_is_null(call, 0))
        return true;
    if (!sql_game(call, 0, &game) || !(c->game = sql_copy(call, game.bytes, game.n)))
        return false;
    if (!tby_packed_begin(&c->packed, c->game, game.n))
        return sql_fail(call, "the packed game is damaged");
    c->after = c->packed.pos;
    c->rows.is_end = false;
    return sql_is_null(call, 1) || read_notes(c, call);
}

static bool begin_moves(void *memory, sql_call *call)
{
    return begin_positions(memory, call) && (sql_is_null(call, 0) || next_ply(memory, call));
}

/* ---- Legal moves ------------------------------------------------------------------------------------------ */

static bool next_legal_move(void *memory, sql_call *call)
{
    cursor *c = memory;
    (void)call;
    c->rows.is_end = (size_t)c->rows.number >= c->n_moves;
    if (!c->rows.is_end) {
        c->move = c->moves[c->rows.number++];
        c->after = c->before;
        tby_position_play(&c->after, c->move, NULL);
    }
    return true;
}

static bool begin_legal_moves(void *memory, sql_call *call)
{
    cursor *c = memory;
    if (sql_is_null(call, 0))
        return true;
    if (!sql_position(call, 0, &c->before))
        return false;
    c->moves = malloc(TBY_MOVES_MAX * sizeof *c->moves);
    if (!c->moves)
        return sql_fail_memory(call);
    c->n_moves = tby_moves_list(c->moves, &c->before);
    tby_moves_sort(c->moves, c->n_moves);
    return next_legal_move(c, call);
}

/* ---- Notes ------------------------------------------------------------------------------------------------ */

static void answer_nags(sql_call *call, const tby_game *game, tby_node node)
{
    const size_t n = tby_game_n_nags(game, node);
    for (size_t i = 0; i < n; i++)
        buffer_printf(&call->out, i ? ",%u" : "[%u", tby_game_nag(game, node, i));
    if (n)
        sql_answer_text(call, "]");
}

static void answer_note(sql_call *call, const cursor *c, column which)
{
    tby_note note;
    if (!c->notes || c->node == TBY_NO_NODE)
        return;
    tby_note_read(&note, c->notes, c->node);
    switch (which) {
    case NAGS: answer_nags(call, c->notes, c->node); break;
    case COMMENT:
        tby_note_write_comment(c->notes, c->node, buffer_sink, &call->out);
        if (call->out.n || call->out.has_failed)
            sql_answer_out(call, SQL_TEXT);
        break;
    case EVAL:
    case MATE:
        if (note.has_eval && note.is_mate == (which == MATE))
            sql_answer_number(call, note.eval);
        break;
    default:
        if (note.has_clock)
            call->answer = (sql_value){.type = SQL_REAL, .real = (double)note.clock / 1000};
    }
}

/* ---- Columns ---------------------------------------------------------------------------------------------- */

static void answer_column(const void *memory, sql_call *call, int what)
{
    const cursor *c = memory;
    char text[TBY_FEN_SIZE];
    switch ((column)what) {
    case PLY: sql_answer_number(call, c->rows.number); break;
    case SAN:
        tby_san_write(text, sizeof text, &c->before, c->move);
        sql_answer_text(call, text);
        break;
    case UCI:
        tby_uci_write(text, sizeof text, &c->before, c->move, 0);
        sql_answer_text(call, text);
        break;
    case BOARD: sql_answer_position(call, &c->after); break;
    case FEN:
        tby_fen_write_position(text, sizeof text, &c->after, 0);
        sql_answer_text(call, text);
        break;
    case POSITION_KEY: sql_answer_number(call, (int64_t)tby_position_key(&c->after)); break;
    case PLACEMENT_KEY: sql_answer_number(call, (int64_t)c->after.placement_key); break;
    case NAGS:
    case COMMENT:
    case EVAL:
    case MATE:
    case CLOCK: answer_note(call, c, (column)what); break;
    }
}

/* ---- Tables ----------------------------------------------------------------------------------------------- */

#define NOTES                                                                                                          \
    {"nags", 't', NAGS}, {"comment", 't', COMMENT}, {"eval", 'i', EVAL}, {"mate", 'i', MATE}, { "clock", 'r', CLOCK }
#define GAME_TABLE .cursor_size = sizeof(cursor), .column = answer_column, .end = end, .n_needed = 1

const sql_table sql_moves = {
    .name = "moves",
    .columns = {{"ply", 'i', PLY}, {"san", 't', SAN}, {"uci", 't', UCI}, {"board", 'b', BOARD}, NOTES},
    .arguments = {"game", "record"},
    .types = "vb",
    .begin = begin_moves,
    .next = next_ply,
    GAME_TABLE,
};

const sql_table sql_positions = {
    .name = "positions",
    .columns = {{"ply", 'i', PLY},
                {"board", 'b', BOARD},
                {"fen", 't', FEN},
                {"position_key", 'i', POSITION_KEY},
                {"placement_key", 'i', PLACEMENT_KEY},
                NOTES},
    .arguments = {"game", "record"},
    .types = "vb",
    .begin = begin_positions,
    .next = next_ply,
    GAME_TABLE,
};

const sql_table sql_legal_moves = {
    .name = "legal_moves",
    .columns = {{"san", 't', SAN}, {"uci", 't', UCI}, {"board", 'b', BOARD}},
    .arguments = {"position"},
    .types = "v",
    .begin = begin_legal_moves,
    .next = next_legal_move,
    GAME_TABLE,
};
