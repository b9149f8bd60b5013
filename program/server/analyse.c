/*
 * analyse.c - /api/analyse and /api/annotate: an engine's analysis of a position, and a game with its evaluations and
 * marks for mistakes, as server-sent events.
 *
 *     event: lines        data: {"depth":12,"time":310,"nodes":90210,"lines":[{"line":1,"cp":34,"mate":null,...}]}
 *     event: done         data: {"uci":"e2e4","san":"e4"}
 *
 *     event: evaluation   data: {"ply":12,"of":80,"cp":34,"mate":null}      after each position of the main line
 *     event: game         data: {"pgn":"..."}                              the last one
 *
 *     event: error        data: {"error":"..."}
 *
 * Bounds   the number of engines at a time, their threads and memory, and their seconds, as the server's options say;
 *          /api/annotate has the seconds for each position. The engine ends with the connection.
 */
#include "analyse.h"
#include "annotate.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_AT_ONCE = 100, MILLISECONDS_TO_STOP = 2000, MILLISECONDS = 300 };

/* What a request asks an engine for. */
typedef struct wish {
    tby_position pos; /* to be analysed, */
    span text;        /* or a game to be annotated */
    engine_limits limits;
    uint64_t lines, seconds, threads;
    bool is_chess960;
} wish;

typedef struct analysis {
    stream stream; /* first, so that one is the other */
    engines *room;
    engine *engine;
    wish wish;
    bool is_stopping; /* it was sent "stop" */
    int64_t end;      /* of the search, in milliseconds */

    /* A position. */
    engine_info lines[ENGINE_LINES_MAX];
    bool is_new; /* something to send */

    /* A game. */
    tby_game *game;
    annotation at;
    evaluation value; /* of the position that is searched, so far */
    unsigned ply, n_plies;
    bool is_searching;
} analysis;

/* ---- Engines ---------------------------------------------------------------------------------------------------- */

bool engines_try(engines *room, problem *p)
{
    engine *e = engine_start(&room->options, p);
    if (!e)
        return false;
    snprintf(room->name, sizeof room->name, "%s", engine_name(e));
    engine_end(e);
    return true;
}

static void close_analysis(stream *s)
{
    analysis *a = (analysis *)s;
    atomic_fetch_sub(&a->room->n_busy, 1);
    engine_end(a->engine);
    tby_game_free(a->game);
    free(a);
}

/* Counts the engine as busy until close_analysis. NULL after a problem. */
static analysis *analysis_new(engines *room, const wish *w, problem *p)
{
    analysis *a = calloc(1, sizeof *a);
    if (!a) {
        problem_no_memory(p);
        return NULL;
    }
    *a = (analysis){.stream.close = close_analysis, .room = room, .wish = *w};
    if (atomic_fetch_add(&room->n_busy, 1) < room->most)
        return a;
    problem_set(p, PROBLEM_NOT_NOW, "all engines are busy");
    close_analysis(&a->stream);
    return NULL;
}

static bool start_engine(analysis *a, problem *p)
{
    engine_options o = a->room->options;
    o.lines = (unsigned)a->wish.lines;
    o.threads = (unsigned)a->wish.threads;
    o.is_chess960 = a->wish.is_chess960;
    a->engine = engine_start(&o, p);
    return a->engine != NULL;
}

/* If an engine is free, the answer is the stream of events begun by `start`. */
static bool answer(engines *room, const question *q, const wish *w, bool (*start)(analysis *a, problem *p))
{
    if (strcmp(q->request->method, "HEAD") != 0) {
        analysis *a = analysis_new(room, w, q->problem);
        if (!a)
            return false;
        if (!start(a, q->problem)) {
            close_analysis(&a->stream);
            return false;
        }
        q->response->stream = &a->stream;
    }
    response_header(q->response, "Content-Type", "text/event-stream");
    response_header(q->response, "X-Accel-Buffering", "no"); /* for proxies */
    return true;
}

/* At most as many as the server lets an engine have. */
static bool read_threads(wish *out, const engines *room, const question *q)
{
    const unsigned most = room->options.threads;
    return question_number(&out->threads, q, "threads", most, most);
}

/* ---- Events ----------------------------------------------------------------------------------------------------- */

static void event_score(buffer *out, const evaluation *v)
{
    const bool has_mate = v->is_known && v->is_mate;
    if (v->is_known)
        json_add(out, has_mate ? "'cp':null,'mate':%d" : "'cp':%d,'mate':null", v->value);
    else
        json_add(out, "'cp':null,'mate':null");
}

static bool event_error(buffer *out, const char *text)
{
    json_add(out, "event: error\ndata: {'error':%s}\n\n", text);
    return false;
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

/* A move of the analysis in SAN or UCI. */
static void write_move(buffer *out, const analysis *a, const tby_position *pos, tby_move m, bool is_san)
{
    char text[TBY_SAN_SIZE]; /* UCI is shorter */
    if (is_san)
        tby_san_write(text, sizeof text, pos, m);
    else
        tby_uci_write(text, sizeof text, pos, m, a->wish.is_chess960 ? TBY_UCI_CHESS960 : 0);
    json_add(out, "%s", text);
}

static void write_line(buffer *out, const analysis *a, const engine_info *line)
{
    json_add(out, "{'line':%u,'depth':%u", line->line, line->depth);
    event_score(out, &(evaluation){true, line->is_mate, line->score});
    for (int is_san = 0; is_san < 2; is_san++) {
        tby_position pos = a->wish.pos;
        json_add(out, is_san ? "'san':[" : "'uci':[");
        for (size_t i = 0; i < line->n_moves; i++) {
            write_move(out, a, &pos, line->moves[i], is_san);
            tby_position_play(&pos, line->moves[i], NULL);
        }
        json_add(out, "]");
    }
    buffer_string(out, "}");
}

static void write_lines(analysis *a, buffer *out)
{
    const engine_info *best = &a->lines[0];
    if (!a->is_new || best->n_moves == 0)
        return;
    a->is_new = false;
    json_add(out, "event: lines\ndata: {'depth':%u,'time':%llu,'nodes':%llu,'lines':[", best->depth,
             (unsigned long long)best->milliseconds, (unsigned long long)best->nodes);
    for (unsigned i = 0; i < a->wish.lines && a->lines[i].n_moves; i++)
        write_line(out, a, &a->lines[i]);
    buffer_string(out, "]}\n\n");
}

static void write_done(const analysis *a, buffer *out, const engine_info *best)
{
    const tby_move m = best->n_moves ? best->moves[0] : a->lines[0].n_moves ? a->lines[0].moves[0] : TBY_MOVE_NONE;
    if (m == TBY_MOVE_NONE) {
        json_add(out, "event: done\ndata: {'uci':null,'san':null}\n\n");
        return;
    }
    json_add(out, "event: done\ndata: {'uci':");
    write_move(out, a, &a->wish.pos, m, false);
    json_add(out, "'san':");
    write_move(out, a, &a->wish.pos, m, true);
    buffer_string(out, "}\n\n");
}

/* Called by the loop; it does not wait. */
static bool take_lines(stream *s, buffer *out)
{
    analysis *a = (analysis *)s;
    engine_info info;
    engine_event event = ENGINE_NOTHING;
    for (int i = 0; i < EVENTS_AT_ONCE && (event = engine_next(a->engine, &info, 0)) == ENGINE_INFO; i++)
        if (info.line <= a->wish.lines) {
            a->lines[info.line - 1] = info;
            a->is_new = true;
        }
    write_lines(a, out);
    if (event == ENGINE_BEST) {
        write_done(a, out, &info);
        return false;
    }
    if (event == ENGINE_GONE || (a->is_stopping && clock_milliseconds() >= a->end + MILLISECONDS_TO_STOP))
        return event_error(out, "the engine has ended");
    if (!a->is_stopping && clock_milliseconds() >= a->end) {
        a->is_stopping = true;
        engine_stop(a->engine);
    }
    return true;
}

static bool start_analysis(analysis *a, problem *p)
{
    a->stream.take = take_lines;
    a->end = clock_milliseconds() + (int64_t)a->wish.seconds * 1000;
    return (start_engine(a, p) && engine_go(a->engine, &a->wish.pos, &a->wish.limits)) ||
           problem_set(p, PROBLEM_BROKEN, "the engine has ended");
}

bool answer_analyse(engines *room, const question *q)
{
    wish w = {.lines = 1};
    uint64_t depth;
    if (!question_switch(&w.is_chess960, q, "chess960") || !question_number(&w.lines, q, "lines", 1, 5) ||
        !question_number(&depth, q, "depth", 0, 99) ||
        !question_number(&w.seconds, q, "seconds", room->seconds, room->seconds) || !read_threads(&w, room, q) ||
        !question_position(&w.pos, &w.is_chess960, q))
        return false;
    w.limits.depth = (unsigned)depth;
    if (tby_moves_count(&w.pos) == 0)
        return problem_set(q->problem, PROBLEM_ASKED, "the game is over: there are no legal moves");
    return answer(room, q, &w, start_analysis);
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static void write_evaluation(const analysis *a, const evaluation *v, buffer *out)
{
    json_add(out, "event: evaluation\ndata: {'ply':%u,'of':%u", a->ply, a->n_plies);
    event_score(out, v);
    buffer_string(out, "}\n\n");
}

static void write_game(const analysis *a, buffer *out)
{
    buffer pgn = {0};
    const bool is_good = tby_pgn_write(a->game, 0, buffer_sink, &pgn) && !pgn.has_failed;
    if (is_good)
        json_add(out, "event: game\ndata: {'pgn':%.*s}\n\n", (int)pgn.n, pgn.s);
    else
        event_error(out, "out of memory");
    buffer_free(&pgn);
}

/* The position has its evaluation; continues with the next one. */
static bool finish_position(analysis *a, const evaluation *v, tby_move best, buffer *out)
{
    problem p = {0};
    a->is_searching = false;
    write_evaluation(a, v, out);
    a->ply++;
    const thought t = {.worth = *v, .line = {best}, .n_line = best != TBY_MOVE_NONE};
    return annotation_take(&a->at, &t, &p) || event_error(out, p.text);
}

/* False if the engine has exited. */
static bool begin_position(analysis *a)
{
    const unsigned most = a->wish.limits.milliseconds ? a->wish.limits.milliseconds : a->room->seconds * 1000;
    a->value = (evaluation){.is_known = false};
    a->is_searching = true;
    a->is_stopping = false;
    a->end = clock_milliseconds() + most;
    return engine_go(a->engine, &a->at.pos, &a->wish.limits);
}

/* An engine that exceeds its time is stopped, and abandoned if it does not stop. */
static bool is_too_late(analysis *a)
{
    const int64_t late = clock_milliseconds() - a->end;
    if (!a->is_stopping && late >= MILLISECONDS_TO_STOP / 2) {
        a->is_stopping = true;
        engine_stop(a->engine);
    }
    return late >= MILLISECONDS_TO_STOP * 2;
}

/* Called by the loop; it does not wait. */
static bool take_evaluations(stream *s, buffer *out)
{
    analysis *a = (analysis *)s;
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

static void keep_first(void *context, const tby_game_fault *fault)
{
    tby_game_fault *first = context;
    if (!first->text[0] && fault->error.status != TBY_OK)
        *first = *fault;
}

bool read_one_game(tby_game *game, span text, bool is_alone, problem *p)
{
    tby_game_fault fault = {.line = 0};
    tby_games *input = tby_game_notation_find("pgn", 3)->open(text_part_read, &text, NULL);
    const tby_game_read read = input ? tby_games_next(input, game, keep_first, &fault) : TBY_GAME_NO_MEMORY;
    const bool has_more = read == TBY_GAME_GOOD && is_alone && tby_games_skip(input);
    tby_games_free(input);
    if (has_more)
        return problem_set(p, PROBLEM_ASKED, "the text has more than one game");
    if (read == TBY_GAME_NO_MEMORY)
        return problem_no_memory(p);
    if (read == TBY_GAME_END)
        return problem_set(p, PROBLEM_ASKED, "the text has no game");
    return read == TBY_GAME_GOOD || problem_set(p, PROBLEM_ASKED, "text: %s", fault.text);
}

static bool start_annotating(analysis *a, problem *p)
{
    a->stream.take = take_evaluations;
    a->game = tby_game_new(NULL);
    if (!a->game)
        return problem_no_memory(p);
    if (!read_one_game(a->game, a->wish.text, false, p))
        return false;
    a->wish.is_chess960 = tby_game_is_chess960(a->game);
    a->n_plies = (unsigned)tby_game_main_line(a->game, NULL, 0);
    annotation_begin(&a->at, a->game);
    return start_engine(a, p);
}

bool answer_annotate(engines *room, const question *q)
{
    wish w = {.lines = 1};
    uint64_t depth, milliseconds;
    if (!question_text(&w.text, q) || !question_number(&depth, q, "depth", 0, 99) ||
        !question_number(&milliseconds, q, "time", depth ? 0 : MILLISECONDS, (uint64_t)room->seconds * 1000) ||
        !read_threads(&w, room, q))
        return false;
    w.limits = (engine_limits){.depth = (unsigned)depth, .milliseconds = (unsigned)milliseconds};
    return answer(room, q, &w, start_annotating);
}
