/*
 * annotate.c - adds an engine's evaluations to a game as comments, and marks mistakes.
 *
 * A mistake costs chances, not pawns: a lost queen matters little in a lost game. Chances are 2 / (1 + e^(-k cp)) - 1
 * with k = 0.00368208, which was fitted to millions of games between people; a mate counts as certain.
 *
 *     chances lost, of 2   0.1 dubious ?!   0.2 mistake ?   0.3 blunder ??
 */
#include "annotate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAG_MISTAKE = 2, NAG_BLUNDER = 4, NAG_DUBIOUS = 6 };

double evaluation_chance(const evaluation *v)
{
    if (v->is_mate)
        return v->value > 0 ? 1 : -1;
    return 2 / (1 + exp(-0.00368208 * v->value)) - 1;
}

uint16_t evaluation_mark(const evaluation *before, const evaluation *after, tby_color side)
{
    if (!before->is_known || !after->is_known)
        return 0;
    const double change = evaluation_chance(before) - evaluation_chance(after);
    const double lost = side == TBY_WHITE ? change : -change;
    return lost >= 0.3 ? NAG_BLUNDER : lost >= 0.2 ? NAG_MISTAKE : lost >= 0.1 ? NAG_DUBIOUS : 0;
}

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

static void take_line(void *context, const engine_info *info)
{
    if (info->line == 1)
        *(evaluation *)context = (evaluation){true, info->is_mate, info->score};
}

/* The evaluation and the best move, TBY_MOVE_NONE if there is none. */
static bool evaluate(evaluation *out, tby_move *best, engine *e, const tby_position *pos, const engine_limits *limits,
                     problem *p)
{
    engine_info info;
    engine_event event = ENGINE_GONE;
    *best = TBY_MOVE_NONE;
    *out = (evaluation){.is_known = false};
    if (evaluation_of_end(out, pos))
        return true;
    if (engine_go(e, pos, limits))
        event = engine_finish(e, limits, &info, take_line, out);
    if (event != ENGINE_BEST)
        return problem_tell(p, PROBLEM_BROKEN, "%s %s", engine_name(e),
                            event == ENGINE_GONE ? "has ended" : "does not answer");
    *best = info.n_moves ? info.moves[0] : TBY_MOVE_NONE;
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

/* The comment without its evaluations, and without the blanks that these leave. */
static void add_without_eval(buffer *out, const char *s, size_t n)
{
    tby_command c;
    size_t from = 0, at = 0;
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
}

/* A comment, to be added again. */
typedef struct kept {
    tby_comment_place place;
    size_t begin, length;
} kept;

/* All comments of the node, one after the other in `text`. */
static void gather(buffer *text, buffer *list, const tby_game *game, tby_node node)
{
    for (int place = TBY_COMMENT_BEFORE; place <= TBY_COMMENT_AFTER; place++)
        for (size_t i = 0; i < tby_game_n_comments(game, node, (tby_comment_place)place); i++) {
            size_t n;
            const char *s = tby_game_comment(game, node, (tby_comment_place)place, i, &n);
            kept k = {.place = (tby_comment_place)place, .begin = text->n};
            if (place == TBY_COMMENT_AFTER)
                add_without_eval(text, s, n);
            else
                buffer_add(text, s, n);
            k.length = text->n - k.begin;
            buffer_add(list, (const char *)&k, sizeof k);
        }
}

static bool add_back(tby_game *game, tby_node node, const buffer *text, const buffer *list, const buffer *command)
{
    const kept *k = (const kept *)(const void *)list->s;
    const size_t n = list->n / sizeof *k;
    bool is_good = true, is_written = false;
    buffer first = {0};
    for (size_t i = 0; is_good && i < n; i++) {
        buffer_clear(&first);
        if (k[i].place == TBY_COMMENT_AFTER && !is_written) {
            buffer_add(&first, command->s, command->n);
            buffer_string(&first, k[i].length ? " " : "");
            is_written = true;
        }
        if (k[i].length)
            buffer_add(&first, text->s + k[i].begin, k[i].length);
        is_good = !first.has_failed && (first.n == 0 || tby_game_add_comment(game, node, k[i].place, first.s, first.n));
    }
    buffer_free(&first);
    return is_good && (is_written || tby_game_add_comment(game, node, TBY_COMMENT_AFTER, command->s, command->n));
}

static bool write_evaluation(tby_game *game, tby_node node, const evaluation *v, problem *p)
{
    buffer text = {0}, list = {0}, command = {0};
    write_command(&command, v);
    gather(&text, &list, game, node);
    bool is_good = !text.has_failed && !list.has_failed && !command.has_failed;
    if (is_good) {
        tby_game_remove_comments(game, node);
        is_good = add_back(game, node, &text, &list, &command);
    }
    buffer_free(&text);
    buffer_free(&list);
    buffer_free(&command);
    return is_good || problem_no_memory(p);
}

/* Somebody has marked it from ! to ?!. */
static bool has_mark(const tby_game *game, tby_node node)
{
    for (size_t i = 0; i < tby_game_n_nags(game, node); i++)
        if (tby_game_nag(game, node, i) >= 1 && tby_game_nag(game, node, i) <= 6)
            return true;
    return false;
}

static void go_to(annotation *a, tby_node node)
{
    a->node = node;
    if (node != TBY_NO_NODE)
        tby_game_position(a->game, node, &a->pos);
}

void annotation_begin(annotation *a, tby_game *game)
{
    *a = (annotation){.game = game, .best = TBY_MOVE_NONE};
    go_to(a, TBY_ROOT);
}

/* The move that led to the position gets its evaluation and its mark. */
static bool write_move(const annotation *a, const evaluation *value, problem *p)
{
    const bool is_end = value->is_mate && tby_moves_count(&a->pos) == 0;
    if (value->is_known && !is_end && !write_evaluation(a->game, a->node, value, p))
        return false;
    const tby_color side = tby_position_side(&a->pos) == TBY_WHITE ? TBY_BLACK : TBY_WHITE;
    const bool is_best = tby_game_move(a->game, a->node) == a->best;
    const uint16_t nag = is_best || has_mark(a->game, a->node) ? 0 : evaluation_mark(&a->before, value, side);
    return !nag || tby_game_add_nag(a->game, a->node, nag) || problem_no_memory(p);
}

bool annotation_take(annotation *a, const evaluation *value, tby_move best, problem *p)
{
    if (a->node != TBY_ROOT && !write_move(a, value, p))
        return false;
    a->before = *value;
    a->best = best;
    go_to(a, tby_game_child(a->game, a->node));
    return true;
}

bool annotate_game(tby_game *game, engine *e, const engine_limits *limits, problem *p)
{
    annotation a;
    evaluation value;
    tby_move best;
    engine_set_chess960(e, tby_game_is_chess960(game));
    annotation_begin(&a, game);
    while (a.node != TBY_NO_NODE)
        if (!evaluate(&value, &best, e, &a.pos, limits, p) || !annotation_take(&a, &value, best, p))
            return false;
    return true;
}
