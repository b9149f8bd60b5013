/*
 * chessgame_read.c - reads packed games from text, from lines of moves, and from trees.
 *
 *     1.e4 e5 2.h3 d5 1-0        1. e4 {best} e5 (1... c5) *        e2e4 e7e5        [FEN "..."] 1... Nf6 2. c4
 *
 * Reads    what the PGN reader reads, but at most one game; and a bare FEN.
 * Refuses  everything that reader reports as a fault, even in variations; a second game; more than TBY_PLIES_MAX
 *          half-moves.
 * Keeps    the first fault counts. With TBY_CHESSGAME_PREFIX the game ends before a fault of its main line and keeps
 *          its recorded result; an unplayable start and a second game are still refused.
 */
#include "pgn/pgn_reader.h"
#include "value/chessgame.h"

#include <string.h>

/* ---- Games that are being read -------------------------------------------------------------------------- */

typedef struct reading {
    tby_chessgame_error *err; /* the first fault */
    tby_position start, pos;  /* `pos` is the position reached */
    unsigned n_plies;
    tby_move moves[TBY_PLIES_MAX];
} reading;

static void begin(reading *r, const tby_position *start)
{
    r->start = r->pos = *start;
    r->n_plies = 0;
}

/* From the usual start, unless another one is set before the first move. */
static void begin_reading(reading *r, tby_chessgame_error *err)
{
    tby_position start;
    tby_position_start(&start);
    begin(r, &start);
    r->err = err;
    memset(err, 0, sizeof *err);
}

static tby_status refuse(reading *r, const tby_error *error, const tby_position *pos, unsigned ply, const char *token,
                         size_t n)
{
    if (r->err->error.status == TBY_OK)
        chessgame_refuse(r->err, error, pos, ply, token, n);
    return r->err->error.status;
}

static bool play(reading *r, tby_move m, const char *token, size_t n)
{
    if (r->n_plies == TBY_PLIES_MAX) {
        refuse(r, &CHESSGAME_TOO_LONG, &r->pos, r->n_plies + 1, token, n);
        return false;
    }
    r->moves[r->n_plies++] = m;
    if (m == TBY_MOVE_NULL && !r->err->null_ply)
        r->err->null_ply = r->n_plies;
    tby_line_play(&r->pos, m);
    return true;
}

static tby_status end(const reading *r, uint8_t *out, size_t *n_out, tby_result result)
{
    *n_out = tby_packed_encode(out, TBY_CHESSGAME_SIZE, &r->start, r->moves, r->n_plies, result);
    return TBY_OK;
}

/* ---- Text ----------------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Is the text a bare FEN? The first word of a game never has more than two slashes. */
static bool is_fen(const char *s, size_t n)
{
    enum { MOST_OF_A_GAME = 2 }; /* 1/2-1/2 */
    size_t at = 0, slashes = 0;
    while (at < n && is_blank(s[at]))
        at++;
    for (; at < n && !is_blank(s[at]) && slashes <= MOST_OF_A_GAME; at++)
        slashes += s[at] == '/';
    return slashes > MOST_OF_A_GAME;
}

static tby_status read_fen(reading *r, uint8_t *out, size_t *n_out, const char *s, size_t n)
{
    tby_position start = r->start;
    bool is_chess960 = false;
    unsigned warning;
    tby_error error;
    if (pgn_read_start(&start, s, n, 0, &is_chess960, &warning, &error) != TBY_OK)
        return refuse(r, &error, &start, 0, s, n);
    r->err->has_lost_rights = warning == TBY_PGN_WARN_CHESS960;
    *n_out = tby_packed_encode(out, TBY_CHESSGAME_SIZE, &start, NULL, 0, TBY_RESULT_NONE);
    return TBY_OK;
}

/* Is the fault in the FEN or Variant tag, rather than in the moves? */
static bool is_about_start(tby_status status)
{
    return (status >= TBY_INVALID_PLACEMENT && status <= TBY_INVALID_TRAILING) || status == TBY_ILLEGAL_POSITION ||
           status == TBY_UNKNOWN_VARIANT;
}

/* Records a fault of the PGN reader, with the position in the line being read. */
static void pgn_fault(reading *r, const tby_pgn *pgn, const tby_pgn_event *event, bool has_begun)
{
    const tby_position *pos = tby_pgn_position(pgn), *start = has_begun ? &r->start : tby_pgn_position_before(pgn);
    const unsigned ply = is_about_start(event->error.status) ? 0 : pos->ply - start->ply + 1;
    refuse(r, &event->error, pos, ply, event->text, event->n_text);
}

/* Null moves are noted when they are played. */
static void note_warning(tby_chessgame_error *err, const tby_pgn_event *event)
{
    err->has_lost_rights |= event->warning == TBY_PGN_WARN_CHESS960;
    if (event->warning <= TBY_PGN_WARN_CHESS960 || err->odd)
        return;
    err->odd = (uint8_t)event->warning;
    if (err->error.status == TBY_OK)
        err->error.offset = event->error.offset;
}

/* Reads the only game of a text, as far as its main line is readable. */
static void read_game(reading *r, tby_pgn *pgn, tby_result *result)
{
    static const tby_error second = {TBY_INVALID_PGN, {0, 0}, 0, "one game only"};
    tby_pgn_event event;
    bool has_begun = false, is_cut = false;
    for (tby_pgn_type type = tby_pgn_next(pgn, &event); type != TBY_PGN_END; type = tby_pgn_next(pgn, &event)) {
        const bool is_move = type == TBY_PGN_MOVE || type == TBY_PGN_NULL_MOVE;
        if (is_move && !has_begun) { /* the tags have ended */
            begin(r, tby_pgn_position_before(pgn));
            has_begun = true;
        }
        if (is_move && tby_pgn_depth(pgn) == 0 && !is_cut)
            is_cut = !play(r, event.move, event.text, event.n_text);
        else if (type == TBY_PGN_ERROR)
            pgn_fault(r, pgn, &event, has_begun);
        else if (type == TBY_PGN_WARNING)
            note_warning(r->err, &event);
        else if (type == TBY_PGN_GAME_END) {
            *result = event.result;
            if (!has_begun)
                begin(r, tby_pgn_position(pgn));
            while ((type = tby_pgn_next(pgn, &event)) == TBY_PGN_WARNING)
                note_warning(r->err, &event);
            if (type != TBY_PGN_END)
                refuse(r, &second, &r->start, 0, "", 0);
            return;
        }
    }
}

tby_status tby_chessgame_read(uint8_t out[TBY_CHESSGAME_SIZE], size_t *n_out, const char *s, size_t n, unsigned flags,
                              const tby_allocator *allocator, tby_chessgame_error *err)
{
    static const tby_error no_memory = {TBY_NO_MEMORY, {0, 0}, 0, NULL};
    tby_chessgame_error own;
    tby_result result = TBY_RESULT_NONE;
    reading r;
    begin_reading(&r, err ? err : &own);
    if (is_fen(s, n))
        return read_fen(&r, out, n_out, s, n);
    tby_pgn *pgn = tby_pgn_new_memory(s, n, &(tby_pgn_options){.flags = TBY_PGN_SERIOUS}, allocator);
    if (!pgn)
        return refuse(&r, &no_memory, &r.pos, 0, "", 0);
    read_game(&r, pgn, &result);
    tby_pgn_free(pgn);
    if (r.err->error.status != TBY_OK && !(r.err->ply > 0 && flags & TBY_CHESSGAME_PREFIX))
        return r.err->error.status;
    return end(&r, out, n_out, result);
}

/* ---- Lines ---------------------------------------------------------------------------------------------- */

/* The result after the last move. */
static tby_result result_behind(const char *s, size_t n, size_t at)
{
    tby_result result;
    while (n > at && is_blank(s[n - 1]))
        n--;
    while (at < n && is_blank(s[at]))
        at++;
    return tby_result_read(&result, s + at, n - at, NULL) == TBY_OK ? result : TBY_RESULT_NONE;
}

tby_status tby_chessgame_read_line(uint8_t out[TBY_CHESSGAME_SIZE], size_t *n_out, const tby_position *start,
                                   const tby_move_notation *notation, const char *s, size_t n, tby_chessgame_error *err)
{
    tby_chessgame_error own;
    reading r;
    size_t at = 0, from = 0, behind = 0;
    begin_reading(&r, err ? err : &own);
    begin(&r, start);
    for (size_t length; (length = tby_line_next(notation, s, n, &at, &from)) > 0; behind = from + length) {
        tby_move m;
        tby_error error;
        if (tby_line_read_move(&m, &r.pos, notation, s + from, length, 0, &error) != TBY_OK)
            return refuse(&r, &error, &r.pos, r.n_plies + 1, s + from, length);
        if (!play(&r, m, s + from, length))
            return r.err->error.status;
    }
    return end(&r, out, n_out, result_behind(s, n, behind));
}

/* ---- Trees ---------------------------------------------------------------------------------------------- */

tby_status tby_chessgame_of_game(uint8_t out[TBY_CHESSGAME_SIZE], size_t *n_out, const tby_game *game,
                                 tby_chessgame_error *err)
{
    tby_chessgame_error own;
    reading r;
    begin_reading(&r, err ? err : &own);
    begin(&r, tby_game_start(game));
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node)) {
        const tby_move m = tby_game_move(game, node);
        if (!play(&r, m, "--", m == TBY_MOVE_NULL ? 2 : 0))
            return r.err->error.status;
    }
    return end(&r, out, n_out, tby_game_result(game));
}
