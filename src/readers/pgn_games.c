/*
 * pgn_games.c - PGN as a notation of games: its row in the registry.
 */
#include "notation/refuse.h"
#include "pgn/game.h"
#include "pgn/pgn_reader.h"
#include "readers/games.h"

/* ---- One game -------------------------------------------------------------------------------------------- */

/* Stores the first error of the game being read. */
static void keep_first_error(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    tby_error *first = context;
    (void)pgn;
    if (event->type == TBY_PGN_ERROR && first->status == TBY_OK)
        *first = event->error;
}

static tby_status read_one(tby_game *game, const char *s, size_t n, tby_error *err)
{
    tby_error first = {TBY_OK, {0, 0}, 0, NULL};
    tby_pgn *pgn = tby_pgn_new_memory(s, n, NULL, &game->allocator);
    const tby_game_read answer = pgn ? tby_game_read_pgn(game, pgn, keep_first_error, &first) : TBY_GAME_NO_MEMORY;
    tby_pgn_free(pgn);
    if (answer == TBY_GAME_NO_MEMORY)
        first.status = TBY_NO_MEMORY;
    if (answer == TBY_GAME_END) {
        first.status = TBY_INVALID_PGN;
        first.detail = "there is no game";
    }
    if (first.status != TBY_OK && err)
        *err = first;
    return first.status;
}

static bool write_whole(const tby_game *game, tby_sink sink, void *context)
{
    return tby_pgn_write(game, 0, sink, context);
}

/* Why the reader would refuse the game; NULL if it would not. */
static const char *too_large(const tby_game *game)
{
    for (size_t i = 0; i < game->n_tags; i++) {
        const game_tag *tag = &game->tags[i];
        if (!pgn_tag_fits(tag->n_name, game_tag_text(game, tag->value), tag->n_value))
            return "a tag of more than 8192 bytes";
    }
    if (!game_is_shallow(game, TBY_PGN_DEPTH_MAX))
        return "variations nested more than 64 deep";
    return games_fits(game, write_whole, PGN_GAME_BYTES) ? NULL : "more than 1 MiB of text in a game";
}

static tby_status write_one(const tby_game *game, tby_sink sink, void *context, tby_error *err)
{
    const char *why = too_large(game);
    if (why)
        return refuse(err, TBY_CANNOT_HOLD, 0, why);
    return tby_pgn_write(game, 0, sink, context) ? TBY_OK : refuse(err, TBY_IO_ERROR, 0, NULL);
}

/* ---- Many ------------------------------------------------------------------------------------------------ */

typedef struct pgn_games {
    tby_games head;
    tby_pgn *pgn;
    tby_fault_watcher on_fault; /* while a game is read */
    void *context;
} pgn_games;

static void watch(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    pgn_games *g = context;
    tby_game_fault fault;
    if (event->type == TBY_PGN_GAME) {
        g->head.place.n_games++;
        g->head.place.line = tby_pgn_event_place(pgn, event).line;
        g->head.place.begin = g->head.place.end = tby_pgn_game_begin(pgn);
    } else if (event->type == TBY_PGN_END) {
        g->head.place.n_lines = tby_pgn_event_place(pgn, event).line - 1;
    } else if ((event->type == TBY_PGN_ERROR || event->type == TBY_PGN_WARNING) && g->on_fault) {
        tby_pgn_event_fault(&fault, pgn, event);
        g->on_fault(g->context, &fault);
    }
}

static void note_place(pgn_games *g)
{
    g->head.place.begin = tby_pgn_game_begin(g->pgn);
    g->head.place.end = tby_pgn_game_end(g->pgn);
}

static tby_game_read next(tby_games *games, tby_game *game, tby_fault_watcher on_fault, void *context)
{
    pgn_games *g = (pgn_games *)games;
    g->on_fault = on_fault;
    g->context = context;
    g->pgn->options.flags = (games->flags & (TBY_PGN_ANY_VARIANT | TBY_PGN_CHESS960 | TBY_PGN_SKIP_COMMENTS)) |
                            TBY_PGN_SERIOUS;
    const tby_game_read answer = tby_game_read_pgn(game, g->pgn, watch, g);
    note_place(g);
    return answer;
}

/* Reads the moves without building a tree. */
static bool skip(tby_games *games)
{
    pgn_games *g = (pgn_games *)games;
    tby_pgn_event event;
    tby_pgn_type type;
    memset(&event, 0, sizeof event);
    g->on_fault = NULL;
    do {
        type = tby_pgn_next(g->pgn, &event);
        watch(g, g->pgn, &event);
    } while (type != TBY_PGN_GAME_END && type != TBY_PGN_END);
    note_place(g);
    return type == TBY_PGN_GAME_END;
}

static void close_stream(tby_games *games) { tby_pgn_free(((pgn_games *)games)->pgn); }

static tby_games *open_stream(tby_source source, void *context, const tby_allocator *allocator)
{
    static const games_reader reader = {next, skip, close_stream, true};
    tby_games *games = games_alloc(sizeof(pgn_games), &reader, allocator);
    if (!games)
        return NULL;
    tby_pgn *pgn = tby_pgn_new(source, context, NULL, allocator);
    ((pgn_games *)games)->pgn = pgn;
    if (!pgn)
        tby_games_free(games);
    return pgn ? games : NULL;
}

/* ---- The row --------------------------------------------------------------------------------------------- */

/* Tags and escaped lines mean PGN; a move number or a comment may also begin a line of moves. */
static tby_likeness guess(const char *s, size_t n)
{
    s = games_text(s, &n);
    if (n && (*s == '[' || *s == '%'))
        return TBY_LIKELY;
    size_t digits = 0;
    while (digits < n && s[digits] >= '0' && s[digits] <= '9')
        digits++;
    const bool has_number = digits && digits < n && s[digits] == '.';
    return has_number || (n && memchr("{(;", *s, 3)) ? TBY_POSSIBLE : TBY_UNLIKE;
}

const tby_game_notation games_pgn = {
    .name = "pgn",
    .summary = "portable game notation",
    .cannot_hold = "more than 1 MiB of text in a game",
    .endings = ".pgn",
    .has_roster = true,
    .keeps_beginning = true,
    .guess = guess,
    .read = read_one,
    .write = write_one,
    .open = open_stream,
    .last_boundary = tby_pgn_last_boundary,
    .open_events = tby_pgn_new,
};
