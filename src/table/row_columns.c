/*
 * row_columns.c - the columns of rows by name, and their contents.
 */
#include "base/text.h"
#include "table/rows.h"

/* ---- Values ---------------------------------------------------------------------------------------------- */

static const row_value MISSING = {.s = NULL};

static row_value text(const char *s, size_t n) { return (row_value){.s = s, .n = n}; }
static row_value string(const char *s) { return text(s, strlen(s)); }
static row_value number(int64_t value) { return (row_value){.s = "", .number = value}; }
static row_value real(double value) { return (row_value){.s = "", .real = value}; }

static row_value seconds(int64_t milliseconds)
{
    return milliseconds < 0 ? MISSING : real((double)milliseconds / 1000);
}

static row_value elo(int value) { return value ? number(value) : MISSING; }

static row_value fen_of(table_row *r, const tby_position *pos)
{
    return text(r->room, tby_fen_write_position(r->room, sizeof r->room, pos, 0));
}

static size_t write_move(char *out, size_t cap, const table_row *r, const tby_position *pos, tby_move move, bool is_uci)
{
    return is_uci ? tby_uci_write(out, cap, pos, move, r->line->is_chess960 ? TBY_UCI_CHESS960 : 0)
                  : tby_san_write(out, cap, pos, move);
}

static row_value move_of(table_row *r, const tby_position *pos, tby_move move, bool is_uci)
{
    return move == TBY_MOVE_NONE ? MISSING : text(r->room, write_move(r->room, sizeof r->room, r, pos, move, is_uci));
}

/* All moves with a blank between. */
static row_value line_of(table_row *r, bool is_uci)
{
    const tby_move *moves = line_moves(r->line);
    const size_t n = line_n_plies(r->line);
    tby_position pos = r->line->start;
    r->text->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            buffer_put(r->text, ' ');
        buffer_add(r->text, r->room, write_move(r->room, sizeof r->room, r, &pos, moves[i], is_uci));
        tby_line_play(&pos, moves[i]);
    }
    return text(r->text->n ? r->text->s : "", r->text->n);
}

/* ---- Of a game ------------------------------------------------------------------------------------------- */

static row_value tag(table_row *r)
{
    size_t n;
    const char *s = line_tag_text(r->line, (size_t)r->rows->tag_of[r->column], &n);
    return s ? text(s, n) : MISSING;
}

static row_value game(table_row *r) { return number(r->game); }
static row_value result(table_row *r) { return string(tby_result_text(r->line->result)); }

static row_value score(table_row *r)
{
    static const double scores[] = {[TBY_WHITE_WINS] = 1, [TBY_BLACK_WINS] = 0, [TBY_DRAW] = 0.5};
    return r->line->result == TBY_RESULT_NONE ? MISSING : real(scores[r->line->result]);
}

static row_value white_elo(table_row *r) { return elo(r->elo[TBY_WHITE]); }
static row_value black_elo(table_row *r) { return elo(r->elo[TBY_BLACK]); }
static row_value eco(table_row *r) { return r->has_opening ? string(r->opening.eco) : MISSING; }
static row_value opening(table_row *r) { return r->has_opening ? string(r->opening.name) : MISSING; }
static row_value plies(table_row *r) { return number((int64_t)line_n_plies(r->line)); }
static row_value moves_san(table_row *r) { return line_of(r, false); }
static row_value moves_uci(table_row *r) { return line_of(r, true); }
static row_value start_fen(table_row *r) { return fen_of(r, &r->line->start); }
static row_value final_fen(table_row *r) { return fen_of(r, &r->final); }
static row_value packed(table_row *r) { return r->n_packed ? text((const char *)r->packed, r->n_packed) : MISSING; }

/* ---- Of a position or a move ----------------------------------------------------------------------------- */

static row_value ply(table_row *r) { return number((int64_t)r->ply); }
static row_value fen(table_row *r) { return fen_of(r, r->pos); }

static row_value board(table_row *r)
{
    tby_setup setup;
    tby_position_setup(&setup, r->pos);
    return text(r->room, tby_chessboard_encode((uint8_t *)r->room, &setup));
}

static row_value key(table_row *r) { return number((int64_t)tby_position_key(r->pos)); }
static row_value placement_key(table_row *r) { return number((int64_t)r->pos->placement_key); }
static row_value side(table_row *r) { return string(tby_position_side(r->pos) == TBY_WHITE ? "white" : "black"); }
static row_value san(table_row *r) { return move_of(r, r->before, r->move, false); }
static row_value uci(table_row *r) { return move_of(r, r->before, r->move, true); }
static row_value next_san(table_row *r) { return move_of(r, r->next_pos, r->next, false); }
static row_value next_uci(table_row *r) { return move_of(r, r->next_pos, r->next, true); }

static row_value mover_elo(table_row *r)
{
    return r->move == TBY_MOVE_NONE ? MISSING : elo(r->elo[tby_position_side(r->before)]);
}

static row_value clock_left(table_row *r) { return seconds(r->notes->clock); }
static row_value spent(table_row *r) { return seconds(r->notes->spent); }
static row_value eval(table_row *r) { return r->notes->has_eval ? number(r->notes->eval) : MISSING; }
static row_value mate(table_row *r) { return r->notes->has_mate ? number(r->notes->mate) : MISSING; }

static row_value nags(table_row *r)
{
    text_writer out = text_begin(r->room, sizeof r->room);
    for (unsigned i = 0; i < r->notes->n_nags; i++) {
        text_string(&out, i > 0 ? " $" : "$");
        text_number(&out, r->notes->nags[i]);
    }
    const size_t n = text_end(&out);
    return n ? text(r->room, n) : MISSING;
}

/* Without comments there may be no text to point into. */
static row_value comment(table_row *r)
{
    const size_t n = r->notes->n_comment;
    return n ? text(r->line->text.s + r->notes->comment, n) : MISSING;
}

/* ---- The table ------------------------------------------------------------------------------------------- */

#define GAME true
#define PLY false
#define MAYBE true
#define ALWAYS false

static const row_column columns[] = {
    {{"game", TBY_COLUMN_INT64, ALWAYS, GAME, "the number of the game in the input, from 1"}, 0, game},
    {{"result", TBY_COLUMN_TEXT, ALWAYS, GAME, "1-0, 0-1, 1/2-1/2 or *"}, 0, result},
    {{"score", TBY_COLUMN_DOUBLE, MAYBE, GAME, "1, 0.5 or 0 from white's side"}, 0, score},
    {{"white_elo", TBY_COLUMN_INT32, MAYBE, GAME, "white's rating"}, NEEDS_ELO, white_elo},
    {{"black_elo", TBY_COLUMN_INT32, MAYBE, GAME, "black's rating"}, NEEDS_ELO, black_elo},
    {{"eco", TBY_COLUMN_TEXT, MAYBE, GAME, "the code of the opening, by the moves"}, NEEDS_PACKED | NEEDS_OPENING, eco},
    {{"opening", TBY_COLUMN_TEXT, MAYBE, GAME, "the name of the opening, by the moves"},
     NEEDS_PACKED | NEEDS_OPENING,
     opening},
    {{"plies", TBY_COLUMN_INT32, ALWAYS, GAME, "the half-moves of the game"}, 0, plies},
    {{"moves", TBY_COLUMN_TEXT, ALWAYS, GAME, "all moves of the game in SAN"}, 0, moves_san},
    {{"moves_uci", TBY_COLUMN_TEXT, ALWAYS, GAME, "all moves of the game in UCI"}, 0, moves_uci},
    {{"start_fen", TBY_COLUMN_TEXT, ALWAYS, GAME, "where the game begins"}, 0, start_fen},
    {{"final_fen", TBY_COLUMN_TEXT, ALWAYS, GAME, "where it ends"}, NEEDS_FINAL, final_fen},
    {{"packed", TBY_COLUMN_BYTES, MAYBE, GAME, "the packed game"}, NEEDS_PACKED, packed},
    {{"ply", TBY_COLUMN_INT32, ALWAYS, PLY, "how many half-moves were played"}, 0, ply},
    {{"fen", TBY_COLUMN_TEXT, ALWAYS, PLY, "the position; for --moves the one in which the move is played"}, 0, fen},
    {{"board", TBY_COLUMN_BYTES, ALWAYS, PLY, "the same position, packed"}, 0, board},
    {{"key", TBY_COLUMN_UINT64, ALWAYS, PLY, "its key: equal for the same position"}, 0, key},
    {{"placement_key", TBY_COLUMN_UINT64, ALWAYS, PLY, "the key of its 64 squares alone"}, 0, placement_key},
    {{"side", TBY_COLUMN_TEXT, ALWAYS, PLY, "white or black, who is to move there"}, 0, side},
    {{"san", TBY_COLUMN_TEXT, MAYBE, PLY, "the move; for --positions the one that led there"}, 0, san},
    {{"uci", TBY_COLUMN_TEXT, MAYBE, PLY, "the same move in UCI"}, 0, uci},
    {{"next_san", TBY_COLUMN_TEXT, MAYBE, PLY, "the move after that one"}, 0, next_san},
    {{"next_uci", TBY_COLUMN_TEXT, MAYBE, PLY, "the same in UCI"}, 0, next_uci},
    {{"mover_elo", TBY_COLUMN_INT32, MAYBE, PLY, "the rating of the player who made the move"}, NEEDS_ELO, mover_elo},
    {{"clock", TBY_COLUMN_DOUBLE, MAYBE, PLY, "seconds left after the move: [%clk]"}, NEEDS_NOTES, clock_left},
    {{"spent", TBY_COLUMN_DOUBLE, MAYBE, PLY, "seconds used for it: [%emt], or from clocks and TimeControl"},
     NEEDS_NOTES | NEEDS_SPENT,
     spent},
    {{"eval", TBY_COLUMN_INT32, MAYBE, PLY, "centipawns for white after it: [%eval]"}, NEEDS_NOTES, eval},
    {{"mate", TBY_COLUMN_INT32, MAYBE, PLY, "moves to mate after it, negative if black mates"}, NEEDS_NOTES, mate},
    {{"nags", TBY_COLUMN_TEXT, MAYBE, PLY, "its NAGs: $1 $14"}, NEEDS_NOTES, nags},
    {{"comment", TBY_COLUMN_TEXT, MAYBE, PLY, "the comment after it, without [%...]"}, NEEDS_NOTES, comment},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

const tby_rows_column *tby_rows_column_at(size_t index) { return index < N_COLUMNS ? &columns[index].about : NULL; }

const row_column row_tag_column = {{NULL, TBY_COLUMN_TEXT, MAYBE, GAME, NULL}, 0, tag};

void row_put(table_row *r, tby_table *t, size_t column)
{
    r->column = column;
    const row_value v = r->rows->from[column]->value(r);
    const tby_column_type type = r->rows->columns[column].type;
    if (!v.s) {
        r->is_incomplete = true;
        tby_table_put_empty(t, column);
    } else if (type == TBY_COLUMN_TEXT || type == TBY_COLUMN_BYTES) {
        tby_table_put_text(t, column, v.s, v.n);
    } else if (type == TBY_COLUMN_DOUBLE) {
        tby_table_put_double(t, column, v.real);
    } else {
        tby_table_put_int(t, column, v.number);
    }
}

const row_column *row_column_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (strlen(columns[i].about.name) == n && memcmp(columns[i].about.name, name, n) == 0)
            return &columns[i];
    return NULL;
}
