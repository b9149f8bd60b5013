/*
 * row_columns.c - the columns of rows by name, and their contents.
 */
#include "base/text.h"
#include "table/rows.h"

/* ---- Helpers --------------------------------------------------------------------------------------------- */

static void put_none(table_row *r, tby_table *t, size_t column)
{
    r->is_incomplete = true;
    tby_table_put_empty(t, column);
}

/* Nothing for a text that is empty or NULL. */
static void put_some(table_row *r, tby_table *t, size_t column, const char *s, size_t n)
{
    if (n)
        tby_table_put_text(t, column, s, n);
    else
        put_none(r, t, column);
}

static void put_number(table_row *r, tby_table *t, size_t column, bool is_known, int number)
{
    if (is_known)
        tby_table_put_int(t, column, number);
    else
        put_none(r, t, column);
}

static void put_string(tby_table *t, size_t column, const char *s) { tby_table_put_text(t, column, s, strlen(s)); }

static void put_seconds(table_row *r, tby_table *t, size_t column, int64_t milliseconds)
{
    if (milliseconds < 0)
        put_none(r, t, column);
    else
        tby_table_put_double(t, column, (double)milliseconds / 1000);
}

static void put_fen_of(const table_row *r, tby_table *t, size_t column, const tby_position *pos)
{
    char fen[TBY_FEN_SIZE];
    (void)r;
    tby_table_put_text(t, column, fen, tby_fen_write_position(fen, sizeof fen, pos, 0));
}

static void put_san_of(table_row *r, tby_table *t, size_t column, const tby_position *pos, tby_move move)
{
    char san[TBY_SAN_SIZE];
    if (move == TBY_MOVE_NONE)
        put_none(r, t, column);
    else
        tby_table_put_text(t, column, san, tby_san_write(san, sizeof san, pos, move));
}

static void put_uci_of(table_row *r, tby_table *t, size_t column, const tby_position *pos, tby_move move)
{
    char uci[TBY_UCI_SIZE];
    const unsigned flags = r->line->is_chess960 ? TBY_UCI_CHESS960 : 0;
    if (move == TBY_MOVE_NONE)
        put_none(r, t, column);
    else
        tby_table_put_text(t, column, uci, tby_uci_write(uci, sizeof uci, pos, move, flags));
}

static void put_elo(table_row *r, tby_table *t, size_t column, int elo) { put_number(r, t, column, elo != 0, elo); }

/* All moves with a blank between. */
static void put_line(table_row *r, tby_table *t, size_t column, bool is_uci)
{
    const tby_move *moves = line_moves(r->line);
    const size_t n = line_n_plies(r->line);
    const unsigned flags = r->line->is_chess960 ? TBY_UCI_CHESS960 : 0;
    tby_position pos = r->line->start;
    r->text->n = 0;
    for (size_t i = 0; i < n; i++) {
        char move[TBY_SAN_SIZE];
        if (i > 0)
            buffer_put(r->text, ' ');
        buffer_add(r->text, move,
                   is_uci ? tby_uci_write(move, sizeof move, &pos, moves[i], flags)
                          : tby_san_write(move, sizeof move, &pos, moves[i]));
        tby_line_play(&pos, moves[i]);
    }
    tby_table_put_text(t, column, (const char *)r->text->data, r->text->n);
}

/* ---- Of a game ------------------------------------------------------------------------------------------- */

void row_put_tag(table_row *r, tby_table *t, size_t column)
{
    size_t n;
    const char *s = line_tag_text(r->line, (size_t)r->rows->tag_of[column], &n);
    if (s)
        tby_table_put_text(t, column, s, n);
    else
        put_none(r, t, column);
}

static void put_game(table_row *r, tby_table *t, size_t column) { tby_table_put_int(t, column, r->game); }
static void put_result(table_row *r, tby_table *t, size_t column)
{
    put_string(t, column, tby_result_text(r->line->result));
}

static void put_score(table_row *r, tby_table *t, size_t column)
{
    static const double scores[] = {[TBY_WHITE_WINS] = 1, [TBY_BLACK_WINS] = 0, [TBY_DRAW] = 0.5};
    if (r->line->result == TBY_RESULT_NONE)
        put_none(r, t, column);
    else
        tby_table_put_double(t, column, scores[r->line->result]);
}

static void put_white_elo(table_row *r, tby_table *t, size_t column) { put_elo(r, t, column, r->elo[TBY_WHITE]); }
static void put_black_elo(table_row *r, tby_table *t, size_t column) { put_elo(r, t, column, r->elo[TBY_BLACK]); }

static void put_eco(table_row *r, tby_table *t, size_t column)
{
    put_some(r, t, column, r->opening.eco, r->has_opening ? strlen(r->opening.eco) : 0);
}

static void put_opening(table_row *r, tby_table *t, size_t column)
{
    put_some(r, t, column, r->opening.name, r->has_opening ? strlen(r->opening.name) : 0);
}

static void put_plies(table_row *r, tby_table *t, size_t column)
{
    tby_table_put_int(t, column, (int64_t)line_n_plies(r->line));
}

static void put_moves_san(table_row *r, tby_table *t, size_t column) { put_line(r, t, column, false); }
static void put_moves_uci(table_row *r, tby_table *t, size_t column) { put_line(r, t, column, true); }
static void put_start_fen(table_row *r, tby_table *t, size_t column) { put_fen_of(r, t, column, &r->line->start); }
static void put_final_fen(table_row *r, tby_table *t, size_t column) { put_fen_of(r, t, column, &r->final); }

static void put_packed(table_row *r, tby_table *t, size_t column)
{
    put_some(r, t, column, (const char *)r->packed, r->n_packed);
}

/* ---- Of a position or a move ----------------------------------------------------------------------------- */

static void put_ply(table_row *r, tby_table *t, size_t column) { tby_table_put_int(t, column, (int64_t)r->ply); }

static void put_fen(table_row *r, tby_table *t, size_t column) { put_fen_of(r, t, column, r->pos); }

static void put_board(table_row *r, tby_table *t, size_t column)
{
    uint8_t board[TBY_CHESSBOARD_SIZE];
    tby_setup setup;
    tby_position_setup(&setup, r->pos);
    const size_t n = tby_chessboard_encode(board, &setup);
    tby_table_put_text(t, column, (const char *)board, n);
}

void row_put_key(table_row *r, tby_table *t, size_t column)
{
    tby_table_put_int(t, column, (int64_t)tby_position_key(r->pos));
}

static void put_placement_key(table_row *r, tby_table *t, size_t column)
{
    tby_table_put_int(t, column, (int64_t)r->pos->placement_key);
}

static void put_side(table_row *r, tby_table *t, size_t column)
{
    put_string(t, column, tby_position_side(r->pos) == TBY_WHITE ? "white" : "black");
}

static void put_san(table_row *r, tby_table *t, size_t column) { put_san_of(r, t, column, r->before, r->move); }
static void put_uci(table_row *r, tby_table *t, size_t column) { put_uci_of(r, t, column, r->before, r->move); }
static void put_next_san(table_row *r, tby_table *t, size_t column) { put_san_of(r, t, column, r->next_pos, r->next); }
static void put_next_uci(table_row *r, tby_table *t, size_t column) { put_uci_of(r, t, column, r->next_pos, r->next); }

static void put_mover_elo(table_row *r, tby_table *t, size_t column)
{
    put_elo(r, t, column, r->move == TBY_MOVE_NONE ? 0 : r->elo[tby_position_side(r->before)]);
}

static void put_clock(table_row *r, tby_table *t, size_t column) { put_seconds(r, t, column, r->notes->clock); }
static void put_spent(table_row *r, tby_table *t, size_t column) { put_seconds(r, t, column, r->notes->spent); }

static void put_eval(table_row *r, tby_table *t, size_t column)
{
    put_number(r, t, column, r->notes->has_eval, r->notes->eval);
}

static void put_mate(table_row *r, tby_table *t, size_t column)
{
    put_number(r, t, column, r->notes->has_mate, r->notes->mate);
}

static void put_nags(table_row *r, tby_table *t, size_t column)
{
    char nags[LINE_NAGS * 8];
    text_writer text = text_begin(nags, sizeof nags);
    for (unsigned i = 0; i < r->notes->n_nags; i++) {
        text_string(&text, i > 0 ? " $" : "$");
        text_number(&text, r->notes->nags[i]);
    }
    put_some(r, t, column, nags, text_end(&text));
}

static void put_comment(table_row *r, tby_table *t, size_t column)
{
    const size_t n = r->notes->n_comment; /* without comments there may be no text to point into */
    put_some(r, t, column, n ? (const char *)r->line->text.data + r->notes->comment : NULL, n);
}

/* ---- The table ------------------------------------------------------------------------------------------- */

#define GAME true
#define PLY false
#define MAYBE true
#define ALWAYS false

static const row_column columns[] = {
    {{"game", TBY_COLUMN_INT64, ALWAYS, GAME, "the number of the game in the input, from 1"}, 0, put_game},
    {{"result", TBY_COLUMN_TEXT, ALWAYS, GAME, "1-0, 0-1, 1/2-1/2 or *"}, 0, put_result},
    {{"score", TBY_COLUMN_DOUBLE, MAYBE, GAME, "1, 0.5 or 0 from white's side"}, 0, put_score},
    {{"white_elo", TBY_COLUMN_INT32, MAYBE, GAME, "white's rating"}, NEEDS_ELO, put_white_elo},
    {{"black_elo", TBY_COLUMN_INT32, MAYBE, GAME, "black's rating"}, NEEDS_ELO, put_black_elo},
    {{"eco", TBY_COLUMN_TEXT, MAYBE, GAME, "the code of the opening, by the moves"},
     NEEDS_PACKED | NEEDS_OPENING,
     put_eco},
    {{"opening", TBY_COLUMN_TEXT, MAYBE, GAME, "the name of the opening, by the moves"},
     NEEDS_PACKED | NEEDS_OPENING,
     put_opening},
    {{"plies", TBY_COLUMN_INT32, ALWAYS, GAME, "the half-moves of the game"}, 0, put_plies},
    {{"moves", TBY_COLUMN_TEXT, ALWAYS, GAME, "all moves of the game in SAN"}, 0, put_moves_san},
    {{"moves_uci", TBY_COLUMN_TEXT, ALWAYS, GAME, "all moves of the game in UCI"}, 0, put_moves_uci},
    {{"start_fen", TBY_COLUMN_TEXT, ALWAYS, GAME, "where the game begins"}, 0, put_start_fen},
    {{"final_fen", TBY_COLUMN_TEXT, ALWAYS, GAME, "where it ends"}, NEEDS_FINAL, put_final_fen},
    {{"packed", TBY_COLUMN_BYTES, MAYBE, GAME, "the packed game"}, NEEDS_PACKED, put_packed},
    {{"ply", TBY_COLUMN_INT32, ALWAYS, PLY, "how many half-moves were played"}, 0, put_ply},
    {{"fen", TBY_COLUMN_TEXT, ALWAYS, PLY, "the position; for --moves the one in which the move is played"},
     0,
     put_fen},
    {{"board", TBY_COLUMN_BYTES, ALWAYS, PLY, "the same position, packed"}, 0, put_board},
    {{"key", TBY_COLUMN_UINT64, ALWAYS, PLY, "its key: equal for the same position"}, 0, row_put_key},
    {{"placement_key", TBY_COLUMN_UINT64, ALWAYS, PLY, "the key of its 64 squares alone"}, 0, put_placement_key},
    {{"side", TBY_COLUMN_TEXT, ALWAYS, PLY, "white or black, who is to move there"}, 0, put_side},
    {{"san", TBY_COLUMN_TEXT, MAYBE, PLY, "the move; for --positions the one that led there"}, 0, put_san},
    {{"uci", TBY_COLUMN_TEXT, MAYBE, PLY, "the same move in UCI"}, 0, put_uci},
    {{"next_san", TBY_COLUMN_TEXT, MAYBE, PLY, "the move after that one"}, 0, put_next_san},
    {{"next_uci", TBY_COLUMN_TEXT, MAYBE, PLY, "the same in UCI"}, 0, put_next_uci},
    {{"mover_elo", TBY_COLUMN_INT32, MAYBE, PLY, "the rating of the player who made the move"},
     NEEDS_ELO,
     put_mover_elo},
    {{"clock", TBY_COLUMN_DOUBLE, MAYBE, PLY, "seconds left after the move: [%clk]"}, NEEDS_NOTES, put_clock},
    {{"spent", TBY_COLUMN_DOUBLE, MAYBE, PLY, "seconds used for it: [%emt], or from clocks and TimeControl"},
     NEEDS_NOTES | NEEDS_SPENT,
     put_spent},
    {{"eval", TBY_COLUMN_INT32, MAYBE, PLY, "centipawns for white after it: [%eval]"}, NEEDS_NOTES, put_eval},
    {{"mate", TBY_COLUMN_INT32, MAYBE, PLY, "moves to mate after it, negative if black mates"}, NEEDS_NOTES, put_mate},
    {{"nags", TBY_COLUMN_TEXT, MAYBE, PLY, "its NAGs: $1 $14"}, NEEDS_NOTES, put_nags},
    {{"comment", TBY_COLUMN_TEXT, MAYBE, PLY, "the comment after it, without [%...]"}, NEEDS_NOTES, put_comment},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

const tby_rows_column *tby_rows_column_at(size_t index) { return index < N_COLUMNS ? &columns[index].about : NULL; }

const row_column *row_column_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (strlen(columns[i].about.name) == n && memcmp(columns[i].about.name, name, n) == 0)
            return &columns[i];
    return NULL;
}
