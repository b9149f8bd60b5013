/*
 * run_notes.c - facts about comments and NAGs, from a game's record.
 *
 * A position has the comments after the move that led to it, and those before the next move, which is where a comment
 * before the first move is kept.
 */
#include "query/run.h"

enum { WORD = 64 };

/* ---- The record ----------------------------------------------------------------------------------------- */

/* Reads it once for each game; a game without a record has no notes. */
bool tby_run_notes_begin(tby_query_state *s)
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
    for (tby_node node = TBY_ROOT; node != TBY_NO_NODE; node = tby_game_child(s->notes, node)) {
        tby_node *to = tby_query_room(&s->allocator, &s->nodes, 1, sizeof *to);
        if (!to)
            return state_fail(s, TBY_QUERY_NO_MEMORY);
        *to = node;
        s->nodes.n++;
    }
    return true;
}

bool tby_run_is_annotated(tby_query_state *s)
{
    if (!tby_run_notes_begin(s) || s->nodes.n == 0)
        return false;
    const tby_node n = (tby_node)tby_game_n_nodes(s->notes);
    if (n > s->nodes.n)
        return true; /* moves beside the main line */
    for (size_t i = 0; i < s->nodes.n; i++) {
        const tby_node node = ((const tby_node *)s->nodes.items)[i];
        if (tby_game_n_comments(s->notes, node, TBY_COMMENT_BEFORE) ||
            tby_game_n_comments(s->notes, node, TBY_COMMENT_AFTER) || tby_game_n_nags(s->notes, node))
            return true;
    }
    return false;
}

/* The comments of a ply, one after the other. */
typedef struct comments {
    const tby_game *game;
    tby_node nodes[2]; /* after the first, before the second */
    int list;
    size_t index;
} comments;

static comments comments_at(const tby_query_state *s, size_t ply)
{
    const tby_node *nodes = s->nodes.items;
    comments c = {s->notes, {TBY_NO_NODE, TBY_NO_NODE}, 0, 0};
    if (ply < s->nodes.n)
        c.nodes[0] = nodes[ply];
    if (ply + 1 < s->nodes.n)
        c.nodes[1] = nodes[ply + 1];
    return c;
}

static const char *next_comment(comments *c, size_t *n)
{
    static const tby_comment_place places[2] = {TBY_COMMENT_AFTER, TBY_COMMENT_BEFORE};
    for (; c->list < 2; c->list++, c->index = 0)
        if (c->nodes[c->list] != TBY_NO_NODE &&
            c->index < tby_game_n_comments(c->game, c->nodes[c->list], places[c->list]))
            return tby_game_comment(c->game, c->nodes[c->list], places[c->list], c->index++, n);
    return NULL;
}

/* ---- Commands ------------------------------------------------------------------------------------------- */

/* The first command of a type after the move to `ply`. */
static bool find_command(const tby_query_state *s, size_t ply, tby_command_type type, tby_command *out)
{
    comments c = comments_at(s, ply);
    const char *text;
    size_t n;
    while (ply > 0 && (text = next_comment(&c, &n)))
        for (size_t at = 0; tby_command_next(out, text, n, &at);)
            if (out->type == type)
                return true;
    return false;
}

/* In millionths of a pawn. A mate on the board is won by the side that has just moved. */
static int64_t eval_of(const tby_query_state *s, const tby_command *command, size_t ply)
{
    enum { CENTIPAWN = 10000 };
    const int64_t mate = 1000 * (int64_t)1000000;
    if (!command->is_mate)
        return command->value * CENTIPAWN;
    return command->value > 0 || (command->value == 0 && state_side(s, ply) == TBY_BLACK) ? mate : -mate;
}

static bool eval_holds(const tby_query_state *s, const query_node *node, size_t ply)
{
    tby_command command;
    return find_command(s, ply, TBY_COMMAND_EVAL, &command) &&
           op_holds(node->op, eval_of(s, &command, ply), node->number);
}

static bool clock_holds(const tby_query_state *s, const query_node *node, size_t ply)
{
    tby_command command;
    return find_command(s, ply, TBY_COMMAND_CLOCK, &command) && op_holds(node->op, command.value * 1000, node->number);
}

static bool nag_holds(const tby_query_state *s, const query_node *node, size_t ply)
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

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Adds text in which every run of blanks becomes one, with none at the beginning and end. */
static void add_text(char *out, size_t *n, bool *has_gap, const char *s, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (is_blank(s[i])) {
            *has_gap = true;
            continue;
        }
        if (*has_gap && *n > 0)
            out[(*n)++] = ' ';
        *has_gap = false;
        out[(*n)++] = s[i];
    }
}

/* Adds a comment without its commands. */
static bool add_comment(tby_query_state *s, size_t *n, const char *text, size_t length)
{
    tby_command command;
    size_t at = 0, behind = 0;
    bool has_gap = true;
    s->text.n = *n;
    if (!tby_query_room(&s->allocator, &s->text, length + 1, 1))
        return state_fail(s, TBY_QUERY_NO_MEMORY);
    char *out = s->text.items;
    while (tby_command_next(&command, text, length, &at)) {
        add_text(out, n, &has_gap, text + behind, command.start - behind);
        behind = command.start + command.length;
    }
    add_text(out, n, &has_gap, text + behind, length - behind);
    return true;
}

static bool comment_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    comments c = comments_at(s, ply);
    const char *text;
    size_t n = 0, length;
    while ((text = next_comment(&c, &length)))
        if (!add_comment(s, &n, text, length))
            return false;
    return n > 0 && tby_run_text_fits(s->query, node, s->text.items, n);
}

/* ---- Plies ---------------------------------------------------------------------------------------------- */

static bool holds_at(tby_query_state *s, const query_node *node, size_t ply)
{
    switch (node->type) {
    case Q_EVAL: return eval_holds(s, node, ply);
    case Q_CLOCK: return clock_holds(s, node, ply);
    case Q_NAG: return nag_holds(s, node, ply);
    default: return comment_holds(s, node, ply);
    }
}

ply_bits tby_run_notes(tby_query_state *s, const query_node *node, size_t w, ply_bits asked)
{
    ply_bits bits = 0;
    if (!tby_run_notes_begin(s) || s->nodes.n == 0)
        return 0;
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        bits |= (ply_bits)holds_at(s, node, w * WORD + i) << i;
    }
    return bits;
}
