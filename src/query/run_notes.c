/*
 * run_notes.c - facts about comments and NAGs, from a game's record.
 *
 * A position has the comments and NAGs after the move that led to it (tby_note_read).
 */
#include "query/run.h"
#include "tabiya_value.h"

/* ---- The record ----------------------------------------------------------------------------------------- */

/* Reads the record once per game; a game without a record has no notes. */
static bool begin_notes(tby_query_state *s)
{
    if (s->has_notes)
        return true;
    s->has_notes = true;
    s->nodes.n = 0;
    if (!s->game->annotated)
        return true;
    if (!s->notes && !(s->notes = tby_game_new(&s->allocator)))
        return state_fail(s, TBY_QUERY_NO_MEMORY);
    const tby_status status = tby_cmbr_decode(s->notes, s->game->annotated, s->game->n_annotated, NULL);
    if (status != TBY_OK)
        return state_fail(s, status == TBY_NO_MEMORY ? TBY_QUERY_NO_MEMORY : TBY_QUERY_DAMAGED);
    for (tby_node node = TBY_ROOT; node != TBY_NO_NODE; node = tby_game_child(s->notes, node))
        if (!array_list_add_id(&s->allocator, &s->nodes, node))
            return state_fail(s, TBY_QUERY_NO_MEMORY);
    return true;
}

GAME_FACT(run_annotated)
{
    (void)node;
    if (!begin_notes(s) || s->nodes.n == 0)
        return false;
    const tby_node n = (tby_node)tby_game_n_nodes(s->notes);
    if (n > s->nodes.n)
        return true; /* has variations */
    for (size_t i = 0; i < s->nodes.n; i++) {
        const tby_node at = ((const tby_node *)s->nodes.items)[i];
        if (tby_game_n_comments(s->notes, at, TBY_COMMENT_BEFORE) ||
            tby_game_n_comments(s->notes, at, TBY_COMMENT_AFTER) || tby_game_n_nags(s->notes, at))
            return true;
    }
    return false;
}

/* ---- Evaluations and clocks ----------------------------------------------------------------------------- */

static tby_note note_at(const tby_query_state *s, size_t ply)
{
    tby_note note = {.has_eval = false};
    if (ply < s->nodes.n)
        tby_note_read(&note, s->notes, ((const tby_node *)s->nodes.items)[ply]);
    return note;
}

/* In millionths of a pawn. Mate on the board counts as a win for the side that has just moved. */
static int64_t eval_of(const tby_query_state *s, const tby_note *note, size_t ply)
{
    enum { CENTIPAWN = 10000 };
    const int64_t mate = 1000 * (int64_t)1000000;
    if (!note->is_mate)
        return note->eval * CENTIPAWN;
    return note->eval > 0 || (note->eval == 0 && state_side(s, ply) == TBY_BLACK) ? mate : -mate;
}

static bool eval_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    const tby_note note = note_at(s, ply);
    return note.has_eval && op_holds(node->op, eval_of(s, &note, ply), node->number);
}

static bool clock_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    const tby_note note = note_at(s, ply);
    return note.has_clock && op_holds(node->op, note.clock * 1000, node->number);
}

static bool nag_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    if (ply == 0 || ply >= s->nodes.n)
        return false;
    const tby_node at = ((const tby_node *)s->nodes.items)[ply];
    for (size_t i = 0; i < tby_game_n_nags(s->notes, at); i++)
        if (tby_game_nag(s->notes, at, i) == node->number)
            return true;
    return false;
}

/* ---- Comments ------------------------------------------------------------------------------------------- */

/* A tby_sink that collects the text in the state. */
static bool keep_text(void *context, const char *text, size_t n)
{
    tby_query_state *s = context;
    char *to = array_list_room(&s->allocator, &s->text, n, 1);
    if (!to)
        return state_fail(s, TBY_QUERY_NO_MEMORY);
    memcpy(to, text, n);
    s->text.n += n;
    return true;
}

static bool comment_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    if (ply >= s->nodes.n)
        return false;
    s->text.n = 0;
    return tby_note_write_comment(s->notes, ((const tby_node *)s->nodes.items)[ply], keep_text, s) && s->text.n > 0 &&
           run_text_fits(s->query, node, s->text.items, s->text.n);
}

/* ---- Plies ---------------------------------------------------------------------------------------------- */

static ply_bits run_notes(tby_query_state *s, const query_node *node, size_t w, ply_bits asked, ply_holds *holds)
{
    return begin_notes(s) && s->nodes.n > 0 ? each_ply(s, node, w, asked, holds) : 0;
}

PLY_FACT(run_eval) { return run_notes(s, node, w, asked, eval_holds); }
PLY_FACT(run_clock) { return run_notes(s, node, w, asked, clock_holds); }
PLY_FACT(run_nag) { return run_notes(s, node, w, asked, nag_holds); }
PLY_FACT(run_comment) { return run_notes(s, node, w, asked, comment_holds); }
