/*
 * main_line.c - collects the main line of a game, from events or from a tree.
 */
#include "table/main_line.h"
#include "base/utf8.h"

/* ---- Life ------------------------------------------------------------------------------------------------ */

void line_init(line *l, line_tag *tags, size_t n_tags, bool wants_notes, const tby_allocator *allocator)
{
    *l = (line){.allocator = *allocator,
                .wants_notes = wants_notes,
                .tags = tags,
                .n_tags = n_tags,
                .text = buffer_begin(allocator),
                .comment = buffer_begin(allocator),
                .moves = buffer_begin(allocator),
                .notes = buffer_begin(allocator)};
}

void line_finish(line *l)
{
    buffer_free(&l->text);
    buffer_free(&l->comment);
    buffer_free(&l->moves);
    buffer_free(&l->notes);
}

static void add_notes(line *l)
{
    const line_notes none = {.clock = -1, .spent = -1};
    if (l->wants_notes)
        buffer_add(&l->notes, &none, sizeof none);
}

void line_clear(line *l)
{
    l->text.n = l->comment.n = l->moves.n = l->notes.n = 0;
    for (size_t i = 0; i < l->n_tags; i++)
        l->tags[i].is_there = false;
    l->result = TBY_RESULT_NONE;
    l->is_chess960 = false;
    add_notes(l);
}

/* ---- Text ------------------------------------------------------------------------------------------------ */

/* The PGN reader returns UTF-8; a tree may contain any bytes. */
static void append_utf8(buffer *out, const char *s, size_t n)
{
    char sign[UTF8_SIZE];
    if (utf8_is_valid(s, n)) {
        buffer_add(out, s, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        buffer_add(out, sign, utf8_from_windows_1252(sign, s + i, 1));
}

void line_add_tag(line *l, const char *name, size_t n_name, const char *s, size_t n)
{
    for (size_t i = 0; i < l->n_tags; i++) {
        line_tag *tag = &l->tags[i];
        if (strlen(tag->name) != n_name || memcmp(tag->name, name, n_name) != 0)
            continue;
        tag->at = (uint32_t)l->text.n;
        append_utf8(&l->text, s, n);
        tag->n = (uint32_t)(l->text.n - tag->at);
        tag->is_there = true;
        return;
    }
}

/* ---- Moves and notes ------------------------------------------------------------------------------------- */

void line_add_moves(line *l, const tby_move *moves, size_t n)
{
    buffer_add(&l->moves, moves, n * sizeof *moves);
    for (size_t i = 0; i < n && l->wants_notes; i++)
        add_notes(l);
}

static line_notes *last_notes(line *l)
{
    return l->wants_notes && !line_has_failed(l) ? line_notes_at(l, line_n_plies(l)) : NULL;
}

void line_add_nag(line *l, uint16_t nag)
{
    line_notes *notes = last_notes(l);
    if (notes && notes->n_nags < LINE_NAGS)
        notes->nags[notes->n_nags++] = nag;
}

/* If there are several values, the first one counts, as for tby_note_read. */
static void take_command(line_notes *notes, const tby_command *command)
{
    if (command->type == TBY_COMMAND_CLOCK && notes->clock < 0) {
        notes->clock = command->value;
    } else if (command->type == TBY_COMMAND_ELAPSED && notes->spent < 0) {
        notes->spent = command->value;
    } else if (command->type == TBY_COMMAND_EVAL && !notes->has_eval && !notes->has_mate &&
               command->value >= INT32_MIN && command->value <= INT32_MAX) {
        *(command->is_mate ? &notes->mate : &notes->eval) = (int32_t)command->value;
        notes->has_mate = command->is_mate;
        notes->has_eval = !command->is_mate;
    }
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Appends the words of a comment, with one blank between words. */
static void keep_words(line *l, line_notes *notes, const char *s, size_t n)
{
    while (n > 0 && is_blank(*s))
        s++, n--;
    while (n > 0 && is_blank(s[n - 1]))
        n--;
    if (n == 0)
        return;
    if (notes->n_comment == 0)
        notes->comment = (uint32_t)l->text.n;
    else
        buffer_put(&l->text, ' ');
    append_utf8(&l->text, s, n);
    notes->n_comment = (uint32_t)(l->text.n - notes->comment);
}

/* The text of a move's comments is contiguous: nothing else is added between two of them. */
static void take_comment(line *l, line_notes *notes, const char *s, size_t n)
{
    tby_command command;
    size_t at = 0, kept = 0;
    while (tby_command_next(&command, s, n, &at)) {
        take_command(notes, &command);
        keep_words(l, notes, s + kept, command.start - kept);
        kept = at;
    }
    keep_words(l, notes, s + kept, n - kept);
}

void line_add_comment(line *l, const char *s, size_t n, bool more)
{
    line_notes *notes = last_notes(l);
    if (!notes)
        return;
    if (more || l->comment.n > 0) {
        buffer_add(&l->comment, s, n);
        s = (const char *)l->comment.data;
        n = l->comment.n;
    }
    if (more || l->comment.has_failed)
        return;
    take_comment(l, notes, s, n);
    l->comment.n = 0;
}

/* ---- Trees ----------------------------------------------------------------------------------------------- */

static void add_tree_comments(line *l, const tby_game *game, tby_node node, tby_comment_place place)
{
    const size_t n_comments = tby_game_n_comments(game, node, place);
    for (size_t i = 0; i < n_comments; i++) {
        size_t n;
        const char *s = tby_game_comment(game, node, place, i, &n);
        line_add_comment(l, s, n, false);
    }
}

static void add_tree_notes(line *l, const tby_game *game, tby_node node)
{
    const size_t n_nags = tby_game_n_nags(game, node);
    for (size_t i = 0; i < n_nags; i++)
        line_add_nag(l, tby_game_nag(game, node, i));
    add_tree_comments(l, game, node, TBY_COMMENT_AFTER);
}

void line_of_game(line *l, const tby_game *game)
{
    line_clear(l);
    for (size_t i = 0; i < tby_game_n_tags(game); i++) {
        const char *name = tby_game_tag_name(game, i), *value = tby_game_tag_value(game, i);
        line_add_tag(l, name, strlen(name), value, strlen(value));
    }
    l->start = *tby_game_start(game);
    l->is_chess960 = tby_game_is_chess960(game);
    l->result = tby_game_result(game);
    add_tree_notes(l, game, TBY_ROOT);
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node)) {
        const tby_move move = tby_game_move(game, node);
        add_tree_comments(l, game, node, TBY_COMMENT_BEFORE);
        line_add_moves(l, &move, 1);
        add_tree_notes(l, game, node);
    }
}
