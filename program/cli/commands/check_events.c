/*
 * check_events.c - checks games event by event, without building them.
 *
 * Every byte of the input is written to --rejects or --clean, including those between games.
 */
#include "check.h"

#include <string.h>

/* State while a part is read. */
typedef struct reading {
    const check *check;
    part *part;
    check_result *result;
    tby_pgn *pgn;
    uint64_t game; /* from 1 in the part */
    unsigned depth;
    bool is_bad;
    bool is_between;             /* the game has ended */
    bool is_closed;              /* with a result, and no fault after it */
    bool is_bare;                /* only comments so far */
    bool is_begun;               /* some of its bytes have been copied */
    char first[GAME_FIRST_SIZE]; /* bytes of the game */
    uint64_t settled;            /* bytes before this have been copied */
} reading;

/* The bytes up to `offset` belong to the game being read. */
static void settle(reading *r, uint64_t offset)
{
    copied *to = destination_of(r->check, r->result, r->is_bad);
    if (to) {
        if (!r->is_begun)
            copied_begin_game(to, r->first);
        buffer_add(&to->text, part_text(r->part, r->settled), (size_t)(offset - r->settled));
        to->end = r->is_closed ? GAME_CLOSED : r->is_bad ? GAME_BROKEN : GAME_OPEN;
        to->is_bare = r->is_bare;
        r->is_begun = true;
    }
    r->settled = offset;
    part_forget(r->part, offset);
}

/* A tby_source: the bytes of the part. The bytes of a game that is already known to be bad are not held until its end,
   which may never come, nor are those after a game. */
static size_t read_on(void *context, char *buf, size_t cap)
{
    reading *r = context;
    uint64_t offset;
    if (keeps_text(r->check) && (r->is_bad || r->is_between) && part_is_long(r->part, AHEAD_LITTLE, &offset) &&
        offset > r->settled) {
        settle(r, offset);
        part_flush(r->part);
    }
    return part_read(r->part, buf, cap);
}

static void end_game(reading *r)
{
    r->result->counts.bad += r->is_bad;
    r->is_between = true;
    flush_large(r->part, r->result);
}

static void note_first(reading *r)
{
    const uint64_t begin = tby_pgn_game_begin(r->pgn), there = r->part->base + r->part->at - begin;
    memset(r->first, 0, sizeof r->first);
    /* An escaped line before the game counts as an empty line. */
    if (begin == r->settled || !memchr(part_text(r->part, r->settled), '%', (size_t)(begin - r->settled)))
        memcpy(r->first, part_text(r->part, begin), there < sizeof r->first ? (size_t)there : sizeof r->first);
}

/* Text between games belongs to the one before it, text before the first to the first. */
static void begin_game(reading *r)
{
    if (keeps_text(r->check) && r->game > 0)
        settle(r, tby_pgn_game_begin(r->pgn));
    if (keeps_text(r->check))
        note_first(r);
    r->game++;
    r->result->counts.games++;
    r->depth = 0;
    r->is_bad = r->is_between = r->is_closed = r->is_begun = false;
    r->is_bare = true;
}

static void note_event(reading *r, const tby_pgn_event *event)
{
    report *notes = &r->part->notes;
    if (event->type == TBY_PGN_WARNING) {
        note_warning(notes, r->part->job->name, r->pgn, event, r->game);
        r->result->counts.warnings++;
        return;
    }
    note_error(notes, r->part->job->name, r->pgn, event, r->game);
    r->is_bad = true;
    r->is_closed = false;
}

static void count_moves(reading *r, size_t n)
{
    *(r->depth == 0 ? &r->result->counts.plies : &r->result->counts.variation_plies) += n;
}

/* For a fault in a comment, the token is its brace. */
static bool is_of_comment(const tby_pgn_event *event)
{
    return event->type == TBY_PGN_WARNING ||
           (event->type == TBY_PGN_ERROR && event->n_text == 1 && *event->text == '{');
}

static void read_event(reading *r, const tby_pgn_event *event)
{
    const bool was_bare = r->is_bare && (is_of_comment(event) || event->type == TBY_PGN_GAME_END);
    switch (event->type) {
    case TBY_PGN_GAME: begin_game(r); break;
    case TBY_PGN_GAME_END: end_game(r); break;
    case TBY_PGN_RESULT: r->is_closed = true; break;
    case TBY_PGN_VARIATION: r->depth++; break;
    case TBY_PGN_VARIATION_END: r->depth--; break;
    case TBY_PGN_NULL_MOVE: count_moves(r, 1); break;
    case TBY_PGN_ERROR:
    case TBY_PGN_WARNING: note_event(r, event); break;
    default: break;
    }
    r->is_bare = was_bare || event->type == TBY_PGN_GAME;
}

static void read_events(reading *r)
{
    tby_pgn_event event;
    tby_pgn_type type;
    tby_move moves[256];
    memset(&event, 0, sizeof event);
    while ((type = tby_pgn_next(r->pgn, &event)) != TBY_PGN_END) {
        if (type == TBY_PGN_MOVE) {
            count_moves(r, 1);
            r->is_bare = false;
        } else
            read_event(r, &event);
        count_moves(r, tby_pgn_moves(r->pgn, moves, sizeof moves / sizeof *moves));
    }
    r->part->n_lines = tby_pgn_event_place(r->pgn, &event).line - 1;
    r->part->n_games = r->game;
    if (keeps_text(r->check) && r->game > 0)
        settle(r, r->part->base + r->part->at);
}

void check_events(const check *c, part *p)
{
    const tby_pgn_options options = {.flags = c->flags | TBY_PGN_SKIP_COMMENTS |
                                              (c->wants_warnings ? TBY_PGN_WARNINGS : TBY_PGN_SERIOUS)};
    reading r = {.check = c, .part = p, .result = p->result};
    r.pgn = memory_got(p->job->from->open_events(read_on, &r, &options, NULL));
    read_events(&r);
    tby_pgn_free(r.pgn);
}
