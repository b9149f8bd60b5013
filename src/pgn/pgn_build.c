/*
 * pgn_build.c - reads a PGN game into a tree.
 *
 * Where comments are attached:
 *
 *     {a} 1. e4 $1 {b} ({c} 1. d4 {d}) {e} 1... e5 1-0 {f}
 *
 *     a, c   before the first move of a line: before that move        b, d   after a move: after it
 *     e      after a variation: before the next move of the line; NAGs belong to the move that the variation replaces
 *     f      after the result: after the last move of the main line
 *
 * A comment without a following move in its line (a game of comments only, an empty variation, after the last variation)
 * is put after the last move before it, or after the root if there is none; so is one between two variations, for which
 * the tree has no place. The same applies to a NAG before the first move of a line.
 *
 * Tags     a name that occurs twice keeps its place and takes the last value, as in the reader. Event, FEN, Result and
 *          Variant, which the reader knows in any case, get their usual spelling, so that each occurs once. A Result
 *          tag that differs from the result after the moves takes that result.
 * Faults   after a fault in a line, nothing more of it is kept (comments and NAGs neither): a line is its legal
 *          beginning. Beyond the size limit nothing is kept.
 */
#include "pgn/game.h"
#include "pgn/pgn_event.h"

/* One line of play being read: the main line, or a variation. */
typedef struct build_line {
    tby_node last;   /* its last move; before the first, the move that it replaces; else the root */
    tby_node parent; /* where its first move is added */
    bool has_moves;
    bool has_variation; /* after its last move */
} build_line;

typedef struct builder {
    tby_game *game;
    tby_pgn *pgn;
    build_line line;
    unsigned depth;
    uint32_t waiting;   /* comments before the first move of a line, or after a variation */
    bool wants_start;   /* still among the tags */
    bool in_comment;    /* the next comment event continues the last */
    bool skips_comment; /* ... which is not kept */
    bool is_bad, has_no_memory;
    build_line outer[TBY_PGN_DEPTH_MAX];
} builder;

static void check(builder *b, bool has_memory) { b->has_no_memory |= !has_memory; }

/* ---- Tags and start ------------------------------------------------------------------------------------- */

static void build_tag(builder *b, const tby_pgn_event *event)
{
    const char *name = pgn_tag_name(event->name, event->n_name);
    if (!b->pgn->is_over_limit)
        check(b, game_put_tag(b->game, name, event->n_name, event->text, event->n_text));
}

/* Called when the reader has left the tags: its main line is still at its start position. */
static void build_start(builder *b)
{
    b->wants_start = false;
    b->game->start = *pgn_line_before(&b->pgn->line);
    b->game->is_chess960 = b->pgn->is_chess960;
}

/* ---- Comments and NAGs ---------------------------------------------------------------------------------- */

static uint32_t *comment_list(builder *b)
{
    return b->line.has_moves && !b->line.has_variation ? &b->game->nodes[b->line.last].comments[TBY_COMMENT_AFTER]
                                                       : &b->waiting;
}

static void begin_comment(builder *b, const char *s, size_t n)
{
    uint32_t item[2] = {0, (uint32_t)n};
    check(b, game_add_text(b->game, s, n, &item[0]) && game_list_add(b->game, comment_list(b), item, 2));
}

static void continue_comment(builder *b, const char *s, size_t n)
{
    const uint32_t list = *comment_list(b);
    if (game_extend_text(b->game, s, n))
        game_list_items(b->game, list)[game_list_length(b->game, list) - 1] += (uint32_t)n;
    else
        b->has_no_memory = true;
}

/* Comments among the tags are kept, even if a tag names an unsupported variant. */
static void build_comment(builder *b, const tby_pgn_event *event)
{
    if (!b->in_comment)
        b->skips_comment = b->pgn->line.is_broken && b->pgn->state != PGN_TAGS;
    b->skips_comment |= b->pgn->is_over_limit;
    if (!b->skips_comment && b->in_comment)
        continue_comment(b, event->text, event->n_text);
    else if (!b->skips_comment)
        begin_comment(b, event->text, event->n_text);
    b->in_comment = event->more;
}

/* No move followed: the waiting comments go after the last move before them. */
static void place_waiting(builder *b)
{
    const uint32_t list = b->waiting;
    uint32_t *after = &b->game->nodes[b->line.last].comments[TBY_COMMENT_AFTER];
    const size_t n = game_list_length(b->game, list);
    b->waiting = 0;
    if (!*after)
        *after = list;
    else
        for (size_t i = 0; i < n && !b->has_no_memory; i += 2) {
            const uint32_t item[2] = {game_list_items(b->game, list)[i], game_list_items(b->game, list)[i + 1]};
            check(b, game_list_add(b->game, after, item, 2));
        }
}

static void build_nag(builder *b, uint16_t nag)
{
    if (!b->pgn->line.is_broken)
        check(b, tby_game_add_nag(b->game, b->line.last, nag));
}

/* ---- Moves and variations ------------------------------------------------------------------------------- */

static inline void build_move(builder *b, tby_move m)
{
    build_line *line = &b->line;
    const tby_node node = game_add(b->game, line->has_moves ? line->last : line->parent, m);
    if (node == TBY_NO_NODE) {
        b->has_no_memory = true;
        return;
    }
    b->game->nodes[node].comments[TBY_COMMENT_BEFORE] = b->waiting;
    b->waiting = 0;
    line->last = node;
    line->has_moves = true;
    line->has_variation = false;
}

/* Adds the moves that follow the last one, and the comment after them if it is a plain one; returns whether it was. The
   first move of a line, and one for which a comment waits, are read singly. */
static bool build_moves(builder *b, tby_pgn_event *comment)
{
    tby_move moves[256];
    comment->type = TBY_PGN_END;
    if (b->waiting)
        return false;
    const size_t n = pgn_moves_and_comment(b->pgn, moves, sizeof moves / sizeof *moves, comment);
    if (n == 0 || b->has_no_memory)
        return false;
    assert(b->line.has_moves);
    b->line.has_variation = false;
    const tby_node last = game_add_line(b->game, b->line.last, moves, n);
    if (last == TBY_NO_NODE)
        b->has_no_memory = true;
    else
        b->line.last = last;
    if (comment->type == TBY_PGN_END || b->has_no_memory)
        return false;
    begin_comment(b, comment->text, comment->n_text);
    return true;
}

static void open_line(builder *b)
{
    if (b->waiting && b->line.has_moves)
        place_waiting(b);
    const build_line outer = b->line;
    assert(b->depth < TBY_PGN_DEPTH_MAX);
    b->outer[b->depth++] = outer;
    b->line.parent = outer.has_moves ? b->game->nodes[outer.last].parent : outer.parent;
    b->line.has_moves = b->line.has_variation = false;
}

static void close_line(builder *b)
{
    assert(b->depth > 0);
    if (b->waiting && b->line.has_moves)
        place_waiting(b);
    const bool had_moves = b->line.has_moves;
    b->line = b->outer[--b->depth];
    /* A variation of the first move of a variation is written after the latter. */
    b->line.has_variation |= had_moves && b->line.has_moves && game_is_first(b->game, b->line.last);
    if (b->waiting && b->line.has_moves)
        place_waiting(b);
}

/* The main line has ended: closes any open variations. */
static void close_all(builder *b)
{
    while (b->depth > 0)
        close_line(b);
    if (b->waiting)
        place_waiting(b);
}

/* The result after the moves counts, and the tag is set to it, so that the game is written consistently. */
static void build_result(builder *b, tby_result result)
{
    const char *text = tby_result_text(result);
    b->game->result = result;
    if (b->pgn->saw_result_tag && b->pgn->tag_result != result && !b->pgn->is_over_limit)
        check(b, game_put_tag(b->game, "Result", 6, text, strlen(text)));
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

static void build_event(builder *b, const tby_pgn_event *event)
{
    switch (event->type) {
    case TBY_PGN_TAG: build_tag(b, event); break;
    case TBY_PGN_MOVE:
    case TBY_PGN_NULL_MOVE: build_move(b, event->move); break;
    case TBY_PGN_NAG: build_nag(b, event->nag); break;
    case TBY_PGN_COMMENT: build_comment(b, event); break;
    case TBY_PGN_VARIATION: open_line(b); break;
    case TBY_PGN_VARIATION_END: close_line(b); break;
    case TBY_PGN_GAME_END:
        close_all(b);
        build_result(b, event->result);
        break;
    default: break;
    }
}

static tby_game_read verdict(const builder *b)
{
    if (b->has_no_memory)
        return TBY_GAME_NO_MEMORY;
    return b->is_bad ? TBY_GAME_BAD : TBY_GAME_GOOD;
}

/* Handles one event of a game. True at its end. */
static bool take_event(builder *b, const tby_pgn_event *event)
{
    b->is_bad |= event->type == TBY_PGN_ERROR;
    b->wants_start |= event->type == TBY_PGN_GAME;
    if (b->wants_start && b->pgn->state != PGN_TAGS)
        build_start(b);
    if (!b->has_no_memory)
        build_event(b, event);
    return event->type == TBY_PGN_GAME_END;
}

tby_game_read tby_game_read_pgn(tby_game *game, tby_pgn *pgn, tby_pgn_watcher on_event, void *context)
{
    builder b;
    tby_pgn_event event;
    memset(&b, 0, offsetof(builder, outer));
    memset(&event, 0, sizeof event);
    b.game = game;
    b.pgn = pgn;
    tby_game_clear(game);
    for (;;) {
        const tby_pgn_type type = tby_pgn_next(pgn, &event);
        if (on_event && type != TBY_PGN_MOVE)
            on_event(context, pgn, &event);
        if (type == TBY_PGN_END)
            return b.is_bad ? TBY_GAME_BAD : TBY_GAME_END;
        if (take_event(&b, &event))
            return verdict(&b);
        while (build_moves(&b, &event))
            if (on_event)
                on_event(context, pgn, &event);
    }
}
