/*
 * row_columns.c - the columns of rows by name, and their contents.
 */
#include "base/text.h"
#include "base/utf8.h"
#include "table/rows.h"

/* ---- Values ---------------------------------------------------------------------------------------------- */

static const row_value MISSING = {.s = NULL};

static row_value text(const char *s, size_t n) { return (row_value){.s = s, .n = n}; }
static row_value string(const char *s) { return text(s, strlen(s)); }
static row_value number(int64_t value) { return (row_value){.s = "", .number = value}; }
static row_value real(double value) { return (row_value){.s = "", .real = value}; }

static row_value seconds(int64_t milliseconds) { return real((double)milliseconds / 1000); }

/* A tree may contain any bytes. */
static row_value utf8(table_row *r, const char *s, size_t n)
{
    if (utf8_is_valid(s, n))
        return text(s, n);
    r->utf8->n = 0;
    char *out = buffer_room(r->utf8, 3 * n);
    return out ? text(out, utf8_from_windows_1252(out, s, n)) : MISSING;
}

static row_value elo(int value) { return value ? number(value) : MISSING; }

static row_value fen_of(table_row *r, const tby_position *pos)
{
    return text(r->room, tby_fen_write_position(r->room, sizeof r->room, pos, 0));
}

static size_t write_move(char *out, size_t cap, const table_row *r, const tby_position *pos, tby_move move, bool is_uci)
{
    return is_uci ? tby_uci_write(out, cap, pos, move, tby_game_is_chess960(r->tree) ? TBY_UCI_CHESS960 : 0)
                  : tby_san_write(out, cap, pos, move);
}

static row_value move_of(table_row *r, const tby_position *pos, tby_move move, bool is_uci)
{
    return move == TBY_MOVE_NONE ? MISSING : text(r->room, write_move(r->room, sizeof r->room, r, pos, move, is_uci));
}

/* All moves with a blank between. */
static row_value line_of(table_row *r, bool is_uci)
{
    tby_position pos = *tby_game_start(r->tree);
    r->text->n = 0;
    for (size_t i = 0; i < r->n_plies; i++) {
        if (i > 0)
            buffer_put(r->text, ' ');
        buffer_add(r->text, r->room, write_move(r->room, sizeof r->room, r, &pos, r->moves[i], is_uci));
        tby_line_play(&pos, r->moves[i]);
    }
    return text(r->text->n ? r->text->s : "", r->text->n);
}

/* ---- Of a game ------------------------------------------------------------------------------------------- */

static row_value tag(table_row *r)
{
    const char *s = tby_game_tag(r->tree, r->rows->columns[r->column].name);
    return s ? utf8(r, s, strlen(s)) : MISSING;
}

static row_value game(table_row *r) { return number(r->game); }
static row_value result(table_row *r) { return string(tby_result_text(tby_game_result(r->tree))); }

static row_value score(table_row *r)
{
    static const double scores[] = {[TBY_WHITE_WINS] = 1, [TBY_BLACK_WINS] = 0, [TBY_DRAW] = 0.5};
    const tby_result result = tby_game_result(r->tree);
    return result == TBY_RESULT_NONE ? MISSING : real(scores[result]);
}

static row_value white_elo(table_row *r) { return elo(r->elo[TBY_WHITE]); }
static row_value black_elo(table_row *r) { return elo(r->elo[TBY_BLACK]); }
static row_value eco(table_row *r) { return r->has_opening ? string(r->opening.eco) : MISSING; }
static row_value opening(table_row *r) { return r->has_opening ? string(r->opening.name) : MISSING; }
static row_value plies(table_row *r) { return number((int64_t)r->n_plies); }
static row_value moves_san(table_row *r) { return line_of(r, false); }
static row_value moves_uci(table_row *r) { return line_of(r, true); }
static row_value start_fen(table_row *r) { return fen_of(r, tby_game_start(r->tree)); }
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

static row_value clock_left(table_row *r) { return r->note.has_clock ? seconds(r->note.clock) : MISSING; }

/* Computed from the player's clock after the previous move and after this one if it is not given. */
static row_value spent(table_row *r)
{
    const int64_t before = r->ply > 2 ? r->clocks[r->ply % 2] : -1, left = before + r->increment - r->note.clock;
    if (r->note.has_spent)
        return seconds(r->note.spent);
    return r->note.has_clock && r->increment >= 0 && before >= 0 && left >= 0 ? seconds(left) : MISSING;
}

static row_value eval(table_row *r) { return r->note.has_eval && !r->note.is_mate ? number(r->note.eval) : MISSING; }
static row_value mate(table_row *r) { return r->note.has_eval && r->note.is_mate ? number(r->note.eval) : MISSING; }

static row_value nags(table_row *r)
{
    enum { SHOWN_MOST = 8 };
    text_writer out = text_begin(r->room, sizeof r->room);
    for (size_t i = 0; i < tby_game_n_nags(r->tree, r->node) && i < SHOWN_MOST; i++) {
        text_string(&out, i > 0 ? " $" : "$");
        text_number(&out, tby_game_nag(r->tree, r->node, i));
    }
    const size_t n = text_end(&out);
    return n ? text(r->room, n) : MISSING;
}

static row_value comment(table_row *r) { return r->comment->n ? utf8(r, r->comment->s, r->comment->n) : MISSING; }

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
     NEEDS_NOTES,
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
        if (text_is(name, n, columns[i].about.name))
            return &columns[i];
    return NULL;
}
