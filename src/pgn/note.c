/*
 * note.c - the notes after a move: the evaluation, the times and the text of its comments.
 *
 * Comments between a move and the next move of its line belong to the first, whether they are stored after it or before
 * the next one. A comment before the first move belongs to the start.
 */
#include "pgn/game.h"

/* Iterates over the comments of a node. */
typedef struct comments {
    const tby_game *game;
    tby_node nodes[2]; /* after the first, before the second */
    int list;
    size_t index;
} comments;

static comments comments_of(const tby_game *game, tby_node node)
{
    return (comments){game, {node, tby_game_child(game, node)}, 0, 0};
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

static void take(tby_note *out, const tby_command *command)
{
    if (command->type == TBY_COMMAND_EVAL && !out->has_eval) {
        out->has_eval = true;
        out->is_mate = command->is_mate;
        out->eval = command->value;
    } else if (command->type == TBY_COMMAND_CLOCK && !out->has_clock) {
        out->has_clock = true;
        out->clock = command->value;
    } else if (command->type == TBY_COMMAND_ELAPSED && !out->has_spent) {
        out->has_spent = true;
        out->spent = command->value;
    }
}

/* ---- Arrows and circles --------------------------------------------------------------------------------- */

static uint32_t color_of(char letter)
{
    static const uint32_t colors['Z' + 1] = {
        ['R'] = 0x882020, ['Y'] = 0xe68f00, ['B'] = 0x003088, ['O'] = 0xd9631e, ['C'] = 0x1a8f9c, ['M'] = 0x8b2f8b};
    return colors[(unsigned char)letter] ? colors[(unsigned char)letter] : 0x15781b;
}

size_t tby_note_arrows(tby_arrow *out, size_t cap, const tby_game *game, tby_node node)
{
    comments c = comments_of(game, node);
    const char *text;
    size_t n, n_arrows = 0;
    while ((text = next_comment(&c, &n))) {
        tby_command command;
        for (size_t at = 0; tby_command_next(&command, text, n, &at);)
            for (size_t i = 0; command.type >= TBY_COMMAND_SQUARES && i < command.n_marks; i++, n_arrows++)
                if (n_arrows < cap)
                    out[n_arrows] =
                        (tby_arrow){command.marks[i].from, command.marks[i].to, color_of(command.marks[i].color)};
    }
    return n_arrows;
}

/* ---- Text and values --------------------------------------------------------------------------------------------- */

typedef struct writing {
    tby_sink sink;
    void *context;
    bool has_gap, has_text; /* a blank is pending, something was written */
} writing;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Writes a run of blanks as one, and none at the beginning or the end of the whole text. */
static bool write_text(writing *w, const char *s, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t end = at;
        if (is_blank(s[at])) {
            w->has_gap = true;
            at++;
            continue;
        }
        while (end < n && !is_blank(s[end]))
            end++;
        if ((w->has_gap && w->has_text && !w->sink(w->context, " ", 1)) || !w->sink(w->context, s + at, end - at))
            return false;
        w->has_gap = false;
        w->has_text = true;
        at = end;
    }
    return true;
}

bool note_read_and_write(tby_note *out, const tby_game *game, tby_node node, tby_sink sink, void *context)
{
    comments c = comments_of(game, node);
    writing w = {sink, context, false, false};
    const char *text;
    size_t n;
    while ((text = next_comment(&c, &n))) {
        tby_command command;
        size_t at = 0, behind = 0;
        w.has_gap = true;
        while (tby_command_next(&command, text, n, &at)) {
            if (out)
                take(out, &command);
            if (sink && !write_text(&w, text + behind, command.start - behind))
                return false;
            behind = command.start + command.length;
        }
        if (sink && !write_text(&w, text + behind, n - behind))
            return false;
    }
    return true;
}

void tby_note_read(tby_note *out, const tby_game *game, tby_node node)
{
    *out = (tby_note){.has_eval = false};
    if (node != TBY_ROOT)
        note_read_and_write(out, game, node, NULL, NULL);
}

bool tby_note_write_comment(const tby_game *game, tby_node node, tby_sink sink, void *context)
{
    return note_read_and_write(NULL, game, node, sink, context);
}
