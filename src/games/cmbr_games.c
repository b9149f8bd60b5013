/*
 * cmbr_games.c - CMBR files as a notation of games: their row in the registry.
 */
#include "base/text.h"
#include "game/game.h"
#include "games/games.h"
#include "tabiya_value.h"

/* ---- One game -------------------------------------------------------------------------------------------- */

static tby_status read_one(tby_game *game, const char *s, size_t n, tby_error *err)
{
    return tby_cmbr_decode(game, (const uint8_t *)s, n, err);
}

static tby_status write_one(const tby_game *game, tby_sink sink, void *context, tby_error *err)
{
    return tby_cmbr_encode(game, sink, context, &game->allocator, err);
}

/* ---- Many ------------------------------------------------------------------------------------------------ */

typedef struct cmbr_games {
    tby_games head;
    tby_cmbr *cmbr;
    tby_source source;
    void *source_context;
    tby_fault_watcher on_fault; /* while a game is read, until its fault is reported */
    void *context;
    tby_error err;
} cmbr_games;

static void note_place(cmbr_games *g)
{
    g->head.place.n_games = tby_cmbr_number(g->cmbr);
    g->head.place.begin = tby_cmbr_offset(g->cmbr);
    g->head.place.end = tby_cmbr_end(g->cmbr);
}

/* The error is inside a record, or about the file. */
static tby_game_fault fault_of(const cmbr_games *g, const tby_error *err)
{
    tby_game_fault fault = games_fault(err);
    text_writer text = text_begin(fault.where, sizeof fault.where);
    if (g->head.place.n_games && err->status != TBY_IO_ERROR) {
        text_string(&text, "record at byte ");
        text_number(&text, g->head.place.begin);
    }
    text_end(&text);
    return fault;
}

static void report_fault(cmbr_games *g)
{
    const tby_fault_watcher on_fault = g->on_fault;
    g->on_fault = NULL;
    if (!on_fault)
        return;
    const tby_game_fault fault = fault_of(g, &g->err);
    on_fault(g->context, &fault);
}

/* A tby_source. Reports damage before skipping it, which may take long. */
static size_t read_on(void *context, char *buf, size_t cap)
{
    cmbr_games *g = context;
    if (g->on_fault && cmbr_passes_damage(g->cmbr)) {
        note_place(g);
        report_fault(g);
    }
    return g->source(g->source_context, buf, cap);
}

static tby_game_read next(tby_games *games, tby_game *game, tby_fault_watcher on_fault, void *context)
{
    cmbr_games *g = (cmbr_games *)games;
    g->on_fault = on_fault;
    g->context = context;
    g->err = (tby_error){TBY_OK, {0, 0}, 0, NULL};
    const tby_game_read answer = tby_cmbr_next(g->cmbr, game, &g->err);
    note_place(g);
    if (answer == TBY_GAME_BAD)
        report_fault(g);
    g->on_fault = NULL;
    return answer;
}

static bool skip(tby_games *games)
{
    cmbr_games *g = (cmbr_games *)games;
    const bool is_there = tby_cmbr_skip(g->cmbr);
    note_place(g);
    return is_there;
}

static void close_stream(tby_games *games) { tby_cmbr_free(((cmbr_games *)games)->cmbr); }

static tby_games *open_stream(tby_source source, void *context, const tby_allocator *allocator)
{
    static const games_reader reader = {next, skip, close_stream, false};
    tby_games *games = games_alloc(sizeof(cmbr_games), &reader, allocator);
    if (!games)
        return NULL;
    cmbr_games *g = (cmbr_games *)games;
    g->source = source;
    g->source_context = context;
    tby_cmbr *cmbr = g->cmbr = tby_cmbr_new(read_on, g, allocator);
    if (!cmbr)
        tby_games_free(games);
    return cmbr ? games : NULL;
}

/* ---- The row --------------------------------------------------------------------------------------------- */

static bool write_header(tby_sink sink, void *context)
{
    uint8_t header[TBY_CMBR_HEADER_SIZE];
    tby_cmbr_header(header);
    return sink(context, (const char *)header, sizeof header);
}

static tby_likeness guess(const char *s, size_t n)
{
    return n >= 5 && memcmp(s, "CMBR!", 5) == 0 ? TBY_CERTAIN : TBY_UNLIKE;
}

const tby_game_notation games_cmbr = {
    .name = "cmbr",
    .summary = "records of 24-bit words",
    .cannot_hold = "more than 65535 variations in a game",
    .endings = ".cmbr",
    .is_binary = true,
    .guess = guess,
    .read = read_one,
    .write = write_one,
    .write_header = write_header,
    .open = open_stream,
};
