/*
 * annotating.c - /api/annotate: a game with the evaluations of an engine and marks for mistakes, as server-sent events.
 *
 *     event: evaluation   data: {"ply":12,"of":80,"cp":34,"mate":null}      after each position of the main line
 *     event: game         data: {"pgn":"..."}                              the last one
 *     event: error        data: {"error":"..."}
 *
 * Bounds   those of /api/analyse, the seconds for each position. The engine ends with the connection.
 */
#include "analyse.h"
#include "clock.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS_AT_ONCE = 100, MILLISECONDS_TO_STOP = 2000, MILLISECONDS = 300 };

typedef struct annotating {
    stream stream; /* first, so that one is the other */
    engines *room;
    engine *engine;
    tby_game *game;
    annotation at;
    evaluation value; /* of the position that is searched, so far */
    engine_limits limits;
    unsigned ply, n_plies;
    bool is_searching, is_stopping;
    int64_t end; /* of the search, in milliseconds */
} annotating;

/* ---- Events ----------------------------------------------------------------------------------------------------- */

static void write_evaluation(const annotating *a, const evaluation *v, buffer *out)
{
    buffer_string(out, "event: evaluation\ndata: {");
    json_number(out, "ply", a->ply);
    json_number(out, "of", a->n_plies);
    event_score(out, v);
    buffer_string(out, "}\n\n");
}

static void write_game(const annotating *a, buffer *out)
{
    buffer pgn = {0};
    const bool is_good = tby_pgn_write(a->game, 0, buffer_sink, &pgn) && !pgn.has_failed;
    if (is_good) {
        buffer_string(out, "event: game\ndata: {");
        json_text(out, "pgn", pgn.s, pgn.n);
        buffer_string(out, "}\n\n");
    }
    buffer_free(&pgn);
    if (!is_good)
        event_error(out, "out of memory");
}

/* ---- Searching -------------------------------------------------------------------------------------------------- */

/* The position has its evaluation; continues with the next one. */
static bool finish_position(annotating *a, const evaluation *v, tby_move best, buffer *out)
{
    problem p = {0};
    a->is_searching = false;
    write_evaluation(a, v, out);
    a->ply++;
    const thought t = {.worth = *v, .line = {best}, .n_line = best != TBY_MOVE_NONE};
    return annotation_take(&a->at, &t, &p) || event_error(out, p.text);
}

/* False if the engine has exited. */
static bool begin_position(annotating *a)
{
    const unsigned most = a->limits.milliseconds ? a->limits.milliseconds : a->room->seconds * 1000;
    a->value = (evaluation){.is_known = false};
    a->is_searching = true;
    a->is_stopping = false;
    a->end = clock_milliseconds() + most;
    return engine_go(a->engine, &a->at.pos, &a->limits);
}

/* An engine that exceeds its time is stopped, and abandoned if it does not stop. */
static bool is_too_late(annotating *a)
{
    const int64_t late = clock_milliseconds() - a->end;
    if (!a->is_stopping && late >= MILLISECONDS_TO_STOP / 2) {
        a->is_stopping = true;
        engine_stop(a->engine);
    }
    return late >= MILLISECONDS_TO_STOP * 2;
}

/* Called by the loop; it does not wait. */
static bool take(stream *s, buffer *out)
{
    annotating *a = (annotating *)s;
    engine_info info;
    evaluation end;
    for (int i = 0; i < EVENTS_AT_ONCE && a->at.node != TBY_NO_NODE; i++) {
        if (!a->is_searching && evaluation_of_end(&end, &a->at.pos)) {
            if (!finish_position(a, &end, TBY_MOVE_NONE, out))
                return false;
            continue;
        }
        if (!a->is_searching && !begin_position(a))
            return event_error(out, "the engine has ended");
        const engine_event event = engine_next(a->engine, &info, 0);
        if (event == ENGINE_NOTHING)
            return !is_too_late(a) || event_error(out, "the engine does not answer");
        if (event == ENGINE_GONE)
            return event_error(out, "the engine has ended");
        if (event == ENGINE_BEST && !finish_position(a, &a->value, info.n_moves ? info.moves[0] : TBY_MOVE_NONE, out))
            return false;
        if (event == ENGINE_INFO && info.line == 1)
            a->value = (evaluation){true, info.is_mate, info.score};
    }
    if (a->at.node == TBY_NO_NODE)
        write_game(a, out);
    return a->at.node != TBY_NO_NODE;
}

static void free_annotating(annotating *a)
{
    engine_end(a->engine);
    tby_game_free(a->game);
    free(a);
}

static void close_annotating(stream *s)
{
    annotating *a = (annotating *)s;
    engines_give_back(a->room);
    free_annotating(a);
}

/* ---- The answer ------------------------------------------------------------------------------------------------- */

typedef struct wish {
    span text;
    engine_limits limits;
    unsigned threads;
} wish;

static void keep_first(void *context, const tby_game_fault *fault)
{
    tby_game_fault *first = context;
    if (!first->text[0] && fault->error.status != TBY_OK)
        *first = *fault;
}

bool read_one_game(tby_game *game, span text, bool is_alone, problem *p)
{
    tby_game_fault fault = {.line = 0};
    tby_games *input = tby_game_notation_find("pgn", 3)->open(span_read, &text, NULL);
    const tby_game_read read = input ? tby_games_next(input, game, keep_first, &fault) : TBY_GAME_NO_MEMORY;
    if (read == TBY_GAME_GOOD && is_alone) {
        tby_game *more = tby_game_new(NULL);
        const tby_game_read next = more ? tby_games_next(input, more, NULL, NULL) : TBY_GAME_NO_MEMORY;
        if (next != TBY_GAME_END)
            problem_tell(p, PROBLEM_ASKED, "the text has more than one game");
        tby_game_free(more);
    }
    tby_games_free(input);
    if (p->status)
        return false;
    if (read == TBY_GAME_NO_MEMORY)
        return problem_no_memory(p);
    if (read == TBY_GAME_END)
        return problem_tell(p, PROBLEM_ASKED, "the text has no game");
    return read == TBY_GAME_GOOD || problem_tell(p, PROBLEM_ASKED, "text: %s", fault.text);
}

static unsigned count_plies(const tby_game *game)
{
    unsigned n = 0;
    for (tby_node node = TBY_ROOT; (node = tby_game_child(game, node)) != TBY_NO_NODE;)
        n++;
    return n;
}

static stream *start(engines *room, void *context, problem *p)
{
    const wish *w = context;
    engine_options o = room->options;
    annotating *a = calloc(1, sizeof *a);
    tby_game *game = a ? tby_game_new(NULL) : NULL;
    if (!game) {
        problem_no_memory(p);
        free(a);
        return NULL;
    }
    *a = (annotating){.stream = {take, close_annotating}, .room = room, .game = game, .limits = w->limits};
    o.lines = 1;
    o.threads = w->threads;
    if (read_one_game(game, w->text, false, p)) {
        o.is_chess960 = tby_game_is_chess960(game);
        a->n_plies = count_plies(game);
        annotation_begin(&a->at, game);
        a->engine = engine_start(&o, p);
    }
    if (a->engine)
        return &a->stream;
    free_annotating(a);
    return NULL;
}

bool answer_annotate(engines *room, const question *q)
{
    wish w = {.limits = {.depth = 0}};
    uint64_t depth, milliseconds;
    if (!question_text(&w.text, q) || !params_number(&depth, q->params, "depth", 0, 99, q->problem) ||
        !params_number(&milliseconds, q->params, "time", depth ? 0 : MILLISECONDS, (uint64_t)room->seconds * 1000,
                       q->problem) ||
        !engines_threads(room, q, &w.threads))
        return false;
    w.limits = (engine_limits){.depth = (unsigned)depth, .milliseconds = (unsigned)milliseconds};
    return engines_answer(room, q, start, &w);
}
