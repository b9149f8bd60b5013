/*
 * json_games.c - JSON lines as a notation of games: their row in the registry.
 *
 * Reads    one game per line; blank lines are skipped, and so are a byte order mark and the byte that ends DOS files.
 * Refuses  a line of more than LINE_MAX_SIZE bytes as a bad game, and continues after it.
 */
#include "notation/refuse.h"
#include "pgn/game.h"
#include "readers/games.h"
#include "tabiya_value.h"

enum { LINE_MAX_SIZE = 1 << 24 };

/* ---- One game -------------------------------------------------------------------------------------------- */

/* Tells a sink that failed from a game that cannot be written. */
typedef struct outlet {
    tby_sink sink;
    void *context;
    bool has_refused;
} outlet;

static bool pour(void *context, const char *s, size_t n)
{
    outlet *out = context;
    out->has_refused |= !out->sink(out->context, s, n);
    return !out->has_refused;
}

static tby_status write_one(const tby_game *game, tby_sink sink, void *context, tby_error *err)
{
    outlet out = {sink, context, false};
    if (!games_fits(game, tby_json_write, LINE_MAX_SIZE))
        return refuse(err, TBY_CANNOT_HOLD, 0,
                      game_is_shallow(game, TBY_PGN_DEPTH_MAX) ? "more than 16 MiB in a game" : games_json.cannot_hold);
    if (tby_json_write(game, pour, &out))
        return TBY_OK;
    if (out.has_refused)
        return refuse(err, TBY_IO_ERROR, 0, NULL);
    return refuse(err, TBY_CANNOT_HOLD, 0, games_json.cannot_hold);
}

/* ---- Lines ----------------------------------------------------------------------------------------------- */

static bool is_blank(const uint8_t *s, size_t n)
{
    while (n && memchr(" \t\r\x1a", s[n - 1], 4))
        n--;
    return n == 0;
}

/* The length of this line, without its line break. A line that is too long is not measured to its end. */
static size_t measure(byte_window *in)
{
    for (size_t looked = 0;;) {
        const size_t n = window_left(in);
        const uint8_t *end = n > looked ? memchr(window_here(in) + looked, '\n', n - looked) : NULL;
        if (end)
            return (size_t)(end - window_here(in));
        if (n > LINE_MAX_SIZE)
            return n;
        looked = n;
        window_need(in, n + 1);
        if (window_left(in) == n)
            return n; /* end of the input, or out of memory */
    }
}

/* Skips the line, whose first `n` bytes are measured, and its line break. */
static void pass(window_games *g, size_t n)
{
    byte_window *in = &g->in;
    const uint8_t *end = NULL;
    in->at += n;
    while (!end) {
        window_need(in, 1);
        if (window_left(in) == 0)
            return;
        end = memchr(window_here(in), '\n', window_left(in));
        in->at = end ? (size_t)(end - in->buffer) + 1 : in->end;
    }
    g->head.place.n_lines++;
}

/* Moves to the next line that is not blank, and measures it; false at the end. */
static bool find_line(window_games *g, size_t *n)
{
    byte_window *in = &g->in;
    in->has_no_memory = false;
    window_need(in, 3);
    if (window_offset(in) == 0 && window_left(in) >= 3 && memcmp(window_here(in), "\xef\xbb\xbf", 3) == 0)
        in->at += 3;
    for (;;) {
        window_need(in, 1);
        if (window_left(in) == 0)
            return false;
        *n = measure(in);
        if (in->has_no_memory || *n > LINE_MAX_SIZE || !is_blank(window_here(in), *n))
            return true;
        pass(g, *n);
    }
}

/* ---- Many ------------------------------------------------------------------------------------------------ */

static void report_fault(window_games *g, tby_error *err, tby_fault_watcher on_fault, void *context)
{
    if (!on_fault)
        return;
    const size_t column = err->offset + 1;
    err->offset += (size_t)window_offset(&g->in);
    tby_game_fault fault = games_fault(err);
    fault.line = g->head.place.n_lines + 1;
    fault.column = column;
    on_fault(context, &fault);
}

/* If the input ended because of an error, reports it once. */
static tby_game_read end_or_failure(window_games *g, tby_fault_watcher on_fault, void *context)
{
    tby_error err = {TBY_IO_ERROR, {0, 0}, 0, NULL};
    if (!g->in.has_failed)
        return TBY_GAME_END;
    g->in.has_failed = false;
    report_fault(g, &err, on_fault, context);
    return TBY_GAME_BAD;
}

static tby_status read_line(window_games *g, tby_game *game, size_t n, tby_error *err)
{
    const char *s = (const char *)window_here(&g->in);
    if (n > LINE_MAX_SIZE)
        return refuse(err, TBY_TOO_LONG, LINE_MAX_SIZE, "a line of more than 16 MiB");
    return tby_json_read(game, s, n && s[n - 1] == '\r' ? n - 1 : n, err);
}

static void begin_game(window_games *g)
{
    g->head.place.n_games++;
    g->head.place.line = g->head.place.n_lines + 1;
    g->head.place.begin = window_offset(&g->in);
}

static void end_game(window_games *g, size_t n)
{
    pass(g, n);
    g->head.place.end = window_offset(&g->in);
}

static tby_game_read next(tby_games *games, tby_game *game, tby_fault_watcher on_fault, void *context)
{
    window_games *g = (window_games *)games;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    size_t n;
    tby_game_clear(game);
    if (!find_line(g, &n))
        return end_or_failure(g, on_fault, context);
    if (g->in.has_no_memory)
        return TBY_GAME_NO_MEMORY;
    const tby_status status = read_line(g, game, n, &err);
    if (status == TBY_NO_MEMORY)
        return TBY_GAME_NO_MEMORY;
    begin_game(g);
    if (status != TBY_OK)
        report_fault(g, &err, on_fault, context);
    end_game(g, n);
    return status == TBY_OK ? TBY_GAME_GOOD : TBY_GAME_BAD;
}

static bool skip(tby_games *games)
{
    window_games *g = (window_games *)games;
    size_t n;
    if (!find_line(g, &n) || g->in.has_no_memory)
        return false;
    begin_game(g);
    end_game(g, n);
    return true;
}

static tby_games *open_stream(tby_source source, void *context, const tby_allocator *allocator)
{
    static const games_reader reader = {next, skip, games_close_window, false};
    return games_open_window(sizeof(window_games), &reader, source, context, allocator);
}

/* ---- The row --------------------------------------------------------------------------------------------- */

static size_t last_boundary(const char *s, size_t n)
{
    while (n && s[n - 1] != '\n')
        n--;
    return n;
}

/* An object with a key; {" alone may also begin a PGN comment. */
static tby_likeness guess(const char *s, size_t n)
{
    s = games_text(s, &n);
    if (n < 2 || s[0] != '{' || s[1] != '"')
        return TBY_UNLIKE;
    const char *close = memchr(s + 2, '"', n - 2);
    size_t left = close ? n - (size_t)(close + 1 - s) : 0;
    const char *behind = close ? games_text(close + 1, &left) : s;
    return left && *behind == ':' ? TBY_LIKELY : TBY_UNLIKE;
}

const tby_game_notation games_json = {
    .name = "json",
    .summary = "one JSON object per line",
    .cannot_hold = "variations nested more than 64 deep",
    .endings = ".json .jsonl",
    .guess = guess,
    .read = tby_json_read,
    .write = write_one,
    .open = open_stream,
    .last_boundary = last_boundary,
};
