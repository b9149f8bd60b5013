/*
 * annotations.c - a whole game as rows: annotations(annotated), with the record from parsePgn or the table of games.
 *
 *     node, parent   the moves as a tree, in PGN order; 0 is the start
 *     ply, line      half-moves from the start; nesting depth: 0 for the main line, 1 for a variation of it, and so on
 *     san, uci       the move, NULL at the start
 *     nags           the numbers of ! ? +- and so on
 *     before         the comment before the move, at the beginning of a line
 *     comment        the comment after it, without the commands in the next columns
 *     eval, mate     [%eval]: centipawns for White, or moves to mate (below 0: Black mates); depth if it is given
 *     clock, elapsed [%clk], [%emt]: seconds
 */
#include "extension.h"

enum { NODE, PARENT, PLY, LINE, SAN, UCI, NAGS, BEFORE, COMMENT, EVAL, MATE, DEPTH, CLOCK, ELAPSED, BOARD };

/* ---- Comments ---------------------------------------------------------------------------------------------- */

/* If there are several values, the first one counts. */
static void set_command(row_writer *rows, const tby_command *command)
{
    if (command->type == TBY_COMMAND_EVAL) {
        if (!rows->is_null[EVAL] || !rows->is_null[MATE])
            return;
        row_set(rows, command->is_mate ? MATE : EVAL, Int32GetDatum((int32)command->value));
        if (command->depth > 0)
            row_set(rows, DEPTH, Int32GetDatum((int32)command->depth));
    } else {
        const int column = command->type == TBY_COMMAND_CLOCK ? CLOCK : ELAPSED;
        if (rows->is_null[column])
            row_set(rows, column, Float8GetDatum((double)command->value / 1000));
    }
}

/* Blanks between a removed command and the text next to it are removed too. */
static void add_text(StringInfo text, const char *s, size_t n)
{
    while (n > 0 && *s == ' ')
        s++, n--;
    while (n > 0 && s[n - 1] == ' ')
        n--;
    if (n > 0)
        appendStringInfo(text, "%s%.*s", text->len > 0 ? " " : "", (int)n, s);
}

static void take_comment(row_writer *rows, StringInfo text, const char *s, size_t n)
{
    tby_command command;
    size_t at = 0, done = 0;
    while (tby_command_next(&command, s, n, &at)) {
        const bool has_column = command.type == TBY_COMMAND_CLOCK || command.type == TBY_COMMAND_ELAPSED ||
                                command.type == TBY_COMMAND_EVAL;
        if (!has_column)
            continue;
        add_text(text, s + done, command.start - done);
        done = command.start + command.length;
        set_command(rows, &command);
    }
    add_text(text, s + done, n - done);
}

static void set_comments(row_writer *rows, int column, const tby_game *game, tby_node node, tby_comment_place place)
{
    const size_t n = tby_game_n_comments(game, node, place);
    StringInfoData text;
    if (n == 0)
        return;
    initStringInfo(&text);
    for (size_t i = 0; i < n; i++) {
        size_t length;
        const char *s = tby_game_comment(game, node, place, i, &length);
        take_comment(rows, &text, s, length);
    }
    row_set_text(rows, column, &text);
}

/* ---- The tree ---------------------------------------------------------------------------------------------- */

typedef struct walk {
    const tby_game *game;
    int32 *numbers; /* the row number of each node */
    int32 n_rows;
    row_writer rows;
} walk;

static void write_node(walk *w, tby_node node, int32 ply, int32 line)
{
    row_writer *rows = &w->rows;
    tby_position pos;
    if (node != TBY_ROOT) {
        const tby_node parent = tby_game_parent(w->game, node);
        const tby_move m = tby_game_move(w->game, node);
        tby_game_position(w->game, parent, &pos);
        row_set(rows, PARENT, Int32GetDatum(w->numbers[parent]));
        row_set(rows, SAN, san_datum(&pos, m));
        row_set(rows, UCI, uci_datum(&pos, m));
    }
    tby_game_position(w->game, node, &pos);
    row_set(rows, NODE, Int32GetDatum(w->n_rows));
    row_set(rows, PLY, Int32GetDatum(ply));
    row_set(rows, LINE, Int32GetDatum(line));
    row_set(rows, BOARD, position_datum(&pos));
    row_set_nags(rows, NAGS, w->game, node);
    set_comments(rows, COMMENT, w->game, node, TBY_COMMENT_AFTER);
    set_comments(rows, BEFORE, w->game, node, TBY_COMMENT_BEFORE);
    w->numbers[node] = w->n_rows++;
    rows_next(rows);
}

/* In PGN order: a move, its variations, and then its continuation. */
static void write_line(walk *w, tby_node first, int32 ply, int32 line)
{
    check_stack_depth();
    for (tby_node node = first; node != TBY_NO_NODE; node = tby_game_child(w->game, node), ply++) {
        write_node(w, node, ply, line);
        if (node != tby_game_child(w->game, tby_game_parent(w->game, node)))
            continue;
        for (tby_node other = tby_game_sibling(w->game, node); other != TBY_NO_NODE;
             other = tby_game_sibling(w->game, other))
            write_line(w, other, ply, line + 1);
    }
}

SQL_FUNCTION(tabiya_annotations)
{
    walk w = {.game = game_of_record(PG_GETARG_BYTES(0))};
    w.numbers = MemoryContextAllocHuge(CurrentMemoryContext, tby_game_n_nodes(w.game) * sizeof *w.numbers);
    w.rows = rows_begin(fcinfo);
    write_node(&w, TBY_ROOT, 0, 0);
    write_line(&w, tby_game_child(w.game, TBY_ROOT), 1, 0);
    return rows_end(&w.rows);
}
