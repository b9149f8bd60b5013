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

#include <access/htup_details.h>
#include <catalog/pg_type_d.h>
#include <funcapi.h>
#include <utils/array.h>

enum { NODE, PARENT, PLY, LINE, SAN, UCI, NAGS, BEFORE, COMMENT, EVAL, MATE, DEPTH, CLOCK, ELAPSED, BOARD, N_COLUMNS };

typedef struct row {
    Datum values[N_COLUMNS];
    bool nulls[N_COLUMNS];
} row;

static void put(row *out, int column, Datum value)
{
    out->values[column] = value;
    out->nulls[column] = false;
}

/* ---- Comments ---------------------------------------------------------------------------------------------- */

static void put_command(row *out, const tby_command *command)
{
    switch (command->type) {
    case TBY_COMMAND_CLOCK: put(out, CLOCK, Float8GetDatum((double)command->value / 1000)); break;
    case TBY_COMMAND_ELAPSED: put(out, ELAPSED, Float8GetDatum((double)command->value / 1000)); break;
    default:
        put(out, command->is_mate ? MATE : EVAL, Int32GetDatum((int32)command->value));
        if (command->depth > 0)
            put(out, DEPTH, Int32GetDatum((int32)command->depth));
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

static void take_comment(row *out, StringInfo text, const char *s, size_t n)
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
        put_command(out, &command);
    }
    add_text(text, s + done, n - done);
}

static void put_comments(row *out, const tby_game *game, tby_node node, tby_comment_place place, int column)
{
    const size_t n = tby_game_n_comments(game, node, place);
    StringInfoData text;
    initStringInfo(&text);
    for (size_t i = 0; i < n; i++) {
        size_t length;
        const char *s = tby_game_comment(game, node, place, i, &length);
        take_comment(out, &text, s, length);
    }
    if (text.len > 0)
        put(out, column, text_datum(text.data, (size_t)text.len));
    pfree(text.data);
}

/* ---- Moves ------------------------------------------------------------------------------------------------- */

static void put_nags(row *out, const tby_game *game, tby_node node)
{
    const size_t n = tby_game_n_nags(game, node);
    Datum *nags = palloc((n + 1) * sizeof *nags);
    for (size_t i = 0; i < n; i++)
        nags[i] = Int32GetDatum(tby_game_nag(game, node, i));
    if (n > 0)
        put(out, NAGS, PointerGetDatum(construct_array(nags, (int)n, INT4OID, sizeof(int32), true, TYPALIGN_INT)));
}

static void put_move(row *out, const tby_game *game, tby_node node)
{
    char san[TBY_SAN_SIZE];
    tby_position before;
    const tby_move m = tby_game_move(game, node);
    tby_game_position(game, tby_game_parent(game, node), &before);
    put(out, SAN, text_datum(san, tby_san_write(san, sizeof san, &before, m)));
    put(out, UCI, uci_datum(&before, m));
}

/* ---- The tree ---------------------------------------------------------------------------------------------- */

typedef struct listed {
    tby_node node;
    int32 ply, line;
} listed;

typedef struct walk {
    tby_game *game;
    int32 *numbers; /* the row number of each node */
    listed *rows;
    int32 n_rows;
} walk;

static void list_node(walk *w, tby_node node, int32 ply, int32 line)
{
    w->numbers[node] = w->n_rows;
    w->rows[w->n_rows++] = (listed){node, ply, line};
}

/* In PGN order: a move, its variations, and then its continuation. */
static void list_line(walk *w, tby_node first, int32 ply, int32 line)
{
    check_stack_depth();
    for (tby_node node = first; node != TBY_NO_NODE; node = tby_game_child(w->game, node), ply++) {
        list_node(w, node, ply, line);
        if (node != tby_game_child(w->game, tby_game_parent(w->game, node)))
            continue;
        for (tby_node other = tby_game_sibling(w->game, node); other != TBY_NO_NODE;
             other = tby_game_sibling(w->game, other))
            list_line(w, other, ply, line + 1);
    }
}

static walk *walk_new(bytes_argument record)
{
    const tby_allocator allocator = context_allocator(CurrentMemoryContext);
    tby_error err;
    walk *w = palloc(sizeof *w);
    w->game = tby_game_new(&allocator);
    if (tby_cmbr_decode(w->game, record.bytes, record.n, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_BINARY_REPRESENTATION, &err);
    const size_t n = tby_game_n_nodes(w->game);
    w->numbers = MemoryContextAllocHuge(CurrentMemoryContext, n * sizeof *w->numbers);
    w->rows = MemoryContextAllocHuge(CurrentMemoryContext, n * sizeof *w->rows);
    w->n_rows = 0;
    list_node(w, TBY_ROOT, 0, 0);
    list_line(w, tby_game_child(w->game, TBY_ROOT), 1, 0);
    return w;
}

static Datum row_at(const walk *w, size_t index, TupleDesc type)
{
    const listed *at = &w->rows[index];
    row out;
    tby_position pos;
    memset(out.nulls, true, sizeof out.nulls);
    put(&out, NODE, Int32GetDatum((int32)index));
    put(&out, PLY, Int32GetDatum(at->ply));
    put(&out, LINE, Int32GetDatum(at->line));
    if (at->node != TBY_ROOT) {
        put(&out, PARENT, Int32GetDatum(w->numbers[tby_game_parent(w->game, at->node)]));
        put_move(&out, w->game, at->node);
    }
    put_nags(&out, w->game, at->node);
    put_comments(&out, w->game, at->node, TBY_COMMENT_BEFORE, BEFORE);
    put_comments(&out, w->game, at->node, TBY_COMMENT_AFTER, COMMENT);
    tby_game_position(w->game, at->node, &pos);
    put(&out, BOARD, position_datum(&pos));
    return HeapTupleGetDatum(heap_form_tuple(type, out.values, out.nulls));
}

SQL_FUNCTION(tabiya_annotations)
{
    if (SRF_IS_FIRSTCALL()) {
        FuncCallContext *call = SRF_FIRSTCALL_INIT();
        const MemoryContext old = MemoryContextSwitchTo(call->multi_call_memory_ctx);
        TupleDesc type;
        if (get_call_result_type(fcinfo, NULL, &type) != TYPEFUNC_COMPOSITE)
            elog(ERROR, "a row type is expected");
        call->tuple_desc = BlessTupleDesc(type);
        call->user_fctx = walk_new(PG_GETARG_BYTES(0));
        MemoryContextSwitchTo(old);
    }
    FuncCallContext *call = SRF_PERCALL_SETUP();
    const walk *w = call->user_fctx;
    if (call->call_cntr >= (uint64)w->n_rows)
        SRF_RETURN_DONE(call);
    const Datum answer = row_at(w, call->call_cntr, call->tuple_desc); /* before the macro increments the counter */
    SRF_RETURN_NEXT(call, answer);
}
