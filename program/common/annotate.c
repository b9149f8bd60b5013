/*
 * annotate.c - adds an engine's evaluations to a game as comments, and marks mistakes.
 *
 * What a mistake is, and how moves are counted, is in support/review.c.
 */
#include "annotate.h"
#include "position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAG_MISTAKE = 2, NAG_BLUNDER = 4 };

/* ---- Searching -------------------------------------------------------------------------------------------------- */

bool evaluation_of_end(evaluation *out, const tby_position *pos)
{
    if (tby_moves_count(pos) > 0)
        return false;
    *out = (evaluation){.is_known = true, .is_mate = tby_position_is_check(pos)};
    if (out->is_mate)
        out->value = tby_position_side(pos) == TBY_WHITE ? -1 : 1;
    return true;
}

static bool evaluate(thought *out, engine *e, const tby_position *pos, const engine_limits *limits, problem *p)
{
    engine_info info, first = {.n_moves = 0};
    engine_event event = ENGINE_GONE;
    *out = (thought){.line = {TBY_MOVE_NONE}};
    if (evaluation_of_end(&out->worth, pos))
        return true;
    if (engine_go(e, pos, limits))
        event = engine_finish(e, limits, &info, &first);
    if (event != ENGINE_BEST)
        return problem_set(p, PROBLEM_BROKEN, "%s %s", engine_name(e),
                           event == ENGINE_GONE ? "has ended" : "does not answer");
    const tby_move best = info.n_moves ? info.moves[0] : TBY_MOVE_NONE;
    out->worth = (evaluation){first.n_moves > 0, first.is_mate, first.score};
    if (first.n_moves && first.moves[0] == best) {
        out->n_line = first.n_moves;
        memcpy(out->line, first.moves, first.n_moves * sizeof *first.moves);
    } else {
        out->line[0] = best;
        out->n_line = best != TBY_MOVE_NONE;
    }
    return true;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* "[%eval 0.34]", "[%eval #-3]" */
static void write_command(buffer *out, const evaluation *v)
{
    const unsigned size = (unsigned)(v->value < 0 ? -v->value : v->value);
    const char *sign = v->value < 0 ? "-" : "";
    if (v->is_mate)
        buffer_printf(out, "[%%eval #%s%u]", sign, size);
    else
        buffer_printf(out, "[%%eval %s%u.%02u]", sign, size / 100, size % 100);
}

/* The comment without its evaluations and the spaces around them, after a blank unless it is first. */
static void add_without_eval(buffer *out, const char *s, size_t n)
{
    tby_command c;
    size_t from = 0, at = 0;
    const size_t before = out->n;
    buffer_string(out, before ? " " : "");
    const size_t begin = out->n;
    while (tby_command_next(&c, s, n, &at)) {
        if (c.type != TBY_COMMAND_EVAL)
            continue;
        buffer_add(out, s + from, c.start - from);
        from = at;
        while (from < n && s[from] == ' ' && (out->n == begin || out->s[out->n - 1] == ' '))
            from++;
    }
    buffer_add(out, s + from, n - from);
    while (from && out->n > begin && out->s[out->n - 1] == ' ')
        out->n--;
    if (out->n == begin)
        out->n = before;
}

static bool copy_comments(tby_game *out, tby_node to, const tby_game *game, tby_node from, tby_comment_place place)
{
    for (size_t i = 0; i < tby_game_n_comments(game, from, place); i++) {
        size_t n;
        const char *s = tby_game_comment(game, from, place, i, &n);
        if (!tby_game_add_comment(out, to, place, s, n))
            return false;
    }
    return true;
}

/* The evaluation begins the first comment after the move, and replaces others; `words` follow it, if there are any. */
static bool write_evaluation(tby_game *game, tby_node node, const evaluation *v, const buffer *words, problem *p)
{
    buffer text = {0};
    tby_game *old = tby_game_new(NULL); /* removing comments affects both places */
    bool is_good = old && copy_comments(old, TBY_ROOT, game, node, TBY_COMMENT_BEFORE) &&
                   copy_comments(old, TBY_ROOT, game, node, TBY_COMMENT_AFTER);
    if (is_good)
        tby_game_remove_comments(game, node);
    is_good = is_good && copy_comments(game, node, old, TBY_ROOT, TBY_COMMENT_BEFORE);
    write_command(&text, v);
    buffer_add(&text, words->s, words->n);
    for (size_t i = 0, n_old = is_good ? tby_game_n_comments(old, TBY_ROOT, TBY_COMMENT_AFTER) : 0, n;
         is_good && (i == 0 || i < n_old); i++) {
        const char *s = i < n_old ? tby_game_comment(old, TBY_ROOT, TBY_COMMENT_AFTER, i, &n) : NULL;
        if (s)
            add_without_eval(&text, s, n);
        is_good = !text.has_failed &&
                  (text.n == 0 || tby_game_add_comment(game, node, TBY_COMMENT_AFTER, text.s, text.n));
        text.n = 0;
    }
    buffer_free(&text);
    tby_game_free(old);
    return is_good || problem_no_memory(p);
}

/* Does the move already have a mark, from ! (NAG 1) to ?! (NAG 6)? */
static bool has_mark(const tby_game *game, tby_node node)
{
    for (size_t i = 0; i < tby_game_n_nags(game, node); i++)
        if (tby_game_nag(game, node, i) >= 1 && tby_game_nag(game, node, i) <= 6)
            return true;
    return false;
}

/* ---- Mistakes --------------------------------------------------------------------------------------------------- */

/* " Blunder, loses 8.00; best was 3. Nf3." */
static void write_words(buffer *out, uint16_t nag, const tby_position *pos, const thought *t, const evaluation *after)
{
    const tby_color side = tby_position_side(pos);
    const bool is_mated = after->is_mate && (after->value < 0) == (side == TBY_WHITE);
    const bool had_mate = t->worth.is_mate && (t->worth.value > 0) == (side == TBY_WHITE);
    buffer_string(out, nag == NAG_BLUNDER ? " Blunder, " : nag == NAG_MISTAKE ? " Mistake, " : " Inaccuracy, ");
    if (is_mated)
        buffer_printf(out, "allows mate in %d", abs(after->value));
    else if (had_mate)
        buffer_printf(out, "misses mate in %d", abs(t->worth.value));
    else
        buffer_printf(out, "loses %.2f", evaluation_pawns(&t->worth, side) - evaluation_pawns(after, side));
    if (t->line[0] != TBY_MOVE_NONE) {
        buffer_string(out, "; best was ");
        write_numbered_move(out, pos, t->line[0]);
    }
    buffer_string(out, ".");
}

static bool has_child(const tby_game *game, tby_node parent, tby_move m)
{
    for (tby_node n = tby_game_child(game, parent); n != TBY_NO_NODE; n = tby_game_sibling(game, n))
        if (tby_game_move(game, n) == m)
            return true;
    return false;
}

/* Adds the better line as a variation, unless there is already one that begins with its move. */
static bool add_line(tby_game *game, tby_node parent, const thought *t, unsigned n_line)
{
    if (t->n_line == 0 || has_child(game, parent, t->line[0]))
        return true;
    for (size_t i = 0; i < t->n_line && i < n_line; i++)
        if ((parent = tby_game_add(game, parent, t->line[i])) == TBY_NO_NODE)
            return false;
    return true;
}

static void go_to(annotation *a, tby_node node)
{
    a->node = node;
    a->was = a->pos;
    if (node != TBY_NO_NODE)
        tby_game_position(a->game, node, &a->pos);
}

void annotation_begin(annotation *a, tby_game *game)
{
    *a = (annotation){.game = game, .before.line = {TBY_MOVE_NONE}};
    go_to(a, TBY_ROOT);
}

/* Gives the move that led to the position its evaluation and, if it is a mistake, a mark, a comment and the better
   line. */
static bool write_move(const annotation *a, const evaluation *value, problem *p)
{
    const thought *before = &a->before;
    const tby_color side = tby_position_side(&a->was);
    const bool is_end = value->is_mate && tby_moves_count(&a->pos) == 0;
    const bool is_best = tby_game_move(a->game, a->node) == before->line[0];
    const uint16_t nag = is_best || has_mark(a->game, a->node) ? 0 : evaluation_mark(&before->worth, value, side);
    buffer words = {0};
    bool is_good = !nag || tby_game_add_nag(a->game, a->node, nag);
    if (a->sides && before->worth.is_known && value->is_known)
        review_add(&a->sides[side], &a->was, &before->worth, value, is_best);
    if (a->sides && nag) {
        write_words(&words, nag, &a->was, before, value);
        is_good = is_good && add_line(a->game, tby_game_parent(a->game, a->node), before, a->n_line);
    }
    is_good = (is_good && !words.has_failed) || problem_no_memory(p);
    if (is_good && value->is_known && !is_end)
        is_good = write_evaluation(a->game, a->node, value, &words, p);
    buffer_free(&words);
    return is_good;
}

bool annotation_take(annotation *a, const thought *t, problem *p)
{
    if (a->node != TBY_ROOT && !write_move(a, &t->worth, p))
        return false;
    a->before = *t;
    go_to(a, tby_game_child(a->game, a->node));
    return true;
}

bool annotate_game(tby_game *game, engine *e, const engine_limits *limits, unsigned n_line, review_side sides[2],
                   problem *p)
{
    annotation a;
    thought t;
    engine_set_chess960(e, tby_game_is_chess960(game));
    annotation_begin(&a, game);
    a.sides = sides;
    a.n_line = n_line;
    while (a.node != TBY_NO_NODE)
        if (!evaluate(&t, e, &a.pos, limits, p) || !annotation_take(&a, &t, p))
            return false;
    return true;
}
