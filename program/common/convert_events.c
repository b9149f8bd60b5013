/*
 * convert_events.c - converts games to lines of moves or final positions, event by event, without building a tree.
 */
#include "convert.h"

#include <string.h>

/* A game while it is read. */
typedef struct reading {
    converter *k;
    tby_pgn *pgn;
    unsigned depth;
    bool has_fault; /* the reader found one */
    bool is_failed; /* nothing can be written for this game */
    bool is_cut;    /* what follows in the main line is lost */
    bool has_begun;
    tby_move last;     /* of the main line */
    tby_position main; /* the position of the main line, while a variation is read */
} reading;

static bool wants_moves(const reading *r) { return r->k->c->to.kind == KIND_LINE; }

static void begin_game(reading *r)
{
    r->k->game++;
    r->depth = 0;
    r->has_fault = r->is_failed = r->is_cut = r->has_begun = false;
    r->last = TBY_MOVE_NONE;
    unit_begin(r->k);
}

static void lose(reading *r, const tby_pgn_event *event, const char *what)
{
    if (r->is_failed || !wants_moves(r) || (r->has_fault && !r->k->c->is_lossy))
        return;
    r->k->event = event;
    r->is_failed = !unit_loses(r->k, what, 1);
    r->k->event = NULL;
}

/* At the first move, or at the end: is the game's start position the one that lines start from? */
static void begin_moves(reading *r, const tby_pgn_event *event)
{
    r->has_begun = true;
    if (memcmp(tby_pgn_position_before(r->pgn), &r->k->c->start, sizeof(tby_position)) != 0)
        lose(r, event, "the start position");
}

static void add_move(reading *r, const tby_pgn_event *event)
{
    if (r->depth || r->is_failed || r->is_cut)
        return;
    r->last = event->move;
    if (!r->has_begun)
        begin_moves(r, event);
    if (r->is_failed || !wants_moves(r))
        return;
    r->k->event = event;
    r->is_failed = !line_add(r->k, tby_pgn_position_before(r->pgn), event->move);
    r->k->event = NULL;
}

static void add_null_move(reading *r, const tby_pgn_event *event)
{
    if (r->depth)
        return;
    if (!wants_moves(r) || line_holds(r->k, event->move)) {
        add_move(r, event);
    } else if (!r->is_cut) {
        if (!r->has_begun)
            begin_moves(r, event);
        lose(r, event, "null moves");
        r->is_cut = true;
    }
}

/* At this event, the reader has already undone the last move. */
static void open_variation(reading *r, const tby_pgn_event *event)
{
    if (r->depth++ == 0 && !wants_moves(r)) {
        r->main = *tby_pgn_position(r->pgn);
        if (r->last != TBY_MOVE_NONE)
            tby_line_play(&r->main, r->last);
    }
    lose(r, event, "variations");
}

static bool write_end(reading *r, const tby_pgn_event *event)
{
    if (!wants_moves(r))
        return write_position(r->k, r->depth ? &r->main : tby_pgn_position(r->pgn));
    if (!r->has_begun)
        begin_moves(r, event);
    if (r->is_failed)
        return false;
    line_end(r->k, event->result);
    return true;
}

static void end_game(reading *r, const tby_pgn_event *event)
{
    const bool is_lossy = r->k->c->is_lossy;
    if (r->has_fault) {
        r->k->result->n_failed += is_lossy;
        losses_add(&r->k->result->lost, "what follows a fault", is_lossy);
        r->is_failed |= !is_lossy;
    }
    if (!r->is_failed && write_end(r, event))
        unit_end(r->k);
    else
        unit_fail(r->k);
}

static void read_event(reading *r, const tby_pgn_event *event)
{
    switch (event->type) {
    case TBY_PGN_GAME: begin_game(r); break;
    case TBY_PGN_GAME_END: end_game(r, event); break;
    case TBY_PGN_NULL_MOVE: add_null_move(r, event); break;
    case TBY_PGN_NAG: lose(r, event, "NAGs"); break;
    case TBY_PGN_COMMENT:
        if (!event->more)
            lose(r, event, "comments");
        break;
    case TBY_PGN_VARIATION: open_variation(r, event); break;
    case TBY_PGN_VARIATION_END: r->depth--; break;
    case TBY_PGN_WARNING: note_error(&r->k->result->notes, r->k->c->name, r->pgn, event, r->k->game); break;
    case TBY_PGN_ERROR:
        note_error(&r->k->result->notes, r->k->c->name, r->pgn, event, r->k->game);
        r->has_fault = true;
        break;
    default: break;
    }
}

void convert_events(converter *k)
{
    reading r = {.k = k};
    tby_pgn_event event;
    tby_pgn_type type;
    const tby_pgn_options options = {.flags = conversion_pgn_flags(k->c)};
    r.pgn = k->pgn = k->c->from.game->open_events(k->text->read, k->text->context, &options, NULL);
    if (!has_memory(k, r.pgn != NULL))
        return;
    memset(&event, 0, sizeof event);
    while ((type = tby_pgn_next(r.pgn, &event)) != TBY_PGN_END) {
        if (type == TBY_PGN_MOVE)
            add_move(&r, &event);
        else
            read_event(&r, &event);
    }
    k->text->n_lines = tby_pgn_event_place(r.pgn, &event).line - 1;
    k->text->n_games = k->game;
    tby_pgn_free(r.pgn);
    k->pgn = NULL;
}
