/*
 * analyse.c - /api/analyse: streams an engine's analysis of a position as server-sent events.
 *
 *     event: lines        data: {"depth":12,"time":310,"nodes":90210,"lines":[{"line":1,"cp":34,"mate":null,...}]}
 *     event: done         data: {"uci":"e2e4","san":"e4"}
 *     event: error        data: {"error":"..."}
 *
 * Bounds   the number of engines at a time, their threads and memory, and their seconds, as the server's options say.
 *          The engine ends with the connection.
 */
#include "analyse.h"
#include "clock.h"
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_AT_ONCE = 100, SECONDS_TO_STOP = 2 };

typedef struct analysis {
    stream stream; /* first, so that one is the other */
    engines *room;
    engine *engine;
    tby_position pos;
    engine_info lines[ENGINE_LINES_MAX];
    unsigned n_lines;
    bool is_chess960;
    bool is_new;      /* something to send */
    bool is_stopping; /* it was sent "stop" */
    int64_t end;      /* in milliseconds */
} analysis;

/* ---- Events ----------------------------------------------------------------------------------------------------- */

void event_score(buffer *out, const evaluation *v)
{
    json_name(out, "cp");
    buffer_printf(out, v->is_known && !v->is_mate ? "%d" : "null", v->value);
    json_name(out, "mate");
    buffer_printf(out, v->is_known && v->is_mate ? "%d" : "null", v->value);
}

bool event_error(buffer *out, const char *text)
{
    buffer_string(out, "event: error\ndata: {");
    json_string(out, "error", text);
    buffer_string(out, "}\n\n");
    return false;
}

/* A move of the analysis in SAN or UCI. */
static void write_move(buffer *out, const char *name, const analysis *a, const tby_position *pos, tby_move m,
                       bool is_san)
{
    char san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE];
    tby_san_write(san, sizeof san, pos, m);
    tby_uci_write(uci, sizeof uci, pos, m, a->is_chess960 ? TBY_UCI_CHESS960 : 0);
    json_string(out, name, is_san ? san : uci);
}

static void write_line(buffer *out, const analysis *a, const engine_info *line)
{
    json_open(out, NULL, '{');
    json_number(out, "line", line->line);
    json_number(out, "depth", line->depth);
    event_score(out, &(evaluation){true, line->is_mate, line->score});
    for (int is_san = 0; is_san < 2; is_san++) {
        tby_position pos = a->pos;
        json_open(out, is_san ? "san" : "uci", '[');
        for (size_t i = 0; i < line->n_moves; i++) {
            write_move(out, NULL, a, &pos, line->moves[i], is_san);
            tby_position_play(&pos, line->moves[i], NULL);
        }
        buffer_string(out, "]");
    }
    buffer_string(out, "}");
}

static void write_lines(analysis *a, buffer *out)
{
    const engine_info *best = &a->lines[0];
    if (!a->is_new || best->n_moves == 0)
        return;
    a->is_new = false;
    buffer_printf(out, "event: lines\ndata: {\"depth\":%u,\"time\":%llu,\"nodes\":%llu,\"lines\":[", best->depth,
                  (unsigned long long)best->milliseconds, (unsigned long long)best->nodes);
    for (unsigned i = 0; i < a->n_lines && a->lines[i].n_moves; i++)
        write_line(out, a, &a->lines[i]);
    buffer_string(out, "]}\n\n");
}

static void write_done(const analysis *a, buffer *out, const engine_info *best)
{
    const tby_move m = best->n_moves ? best->moves[0] : a->lines[0].n_moves ? a->lines[0].moves[0] : TBY_MOVE_NONE;
    buffer_string(out, "event: done\ndata: {");
    for (int is_san = 0; is_san < 2; is_san++)
        if (m == TBY_MOVE_NONE)
            json_string(out, is_san ? "san" : "uci", NULL);
        else
            write_move(out, is_san ? "san" : "uci", a, &a->pos, m, is_san);
    buffer_string(out, "}\n\n");
}

/* Called by the loop; it does not wait. */
static bool take(stream *s, buffer *out)
{
    analysis *a = (analysis *)s;
    engine_info info;
    engine_event event = ENGINE_NOTHING;
    for (int i = 0; i < EVENTS_AT_ONCE && (event = engine_next(a->engine, &info, 0)) == ENGINE_INFO; i++)
        if (info.line <= a->n_lines) {
            a->lines[info.line - 1] = info;
            a->is_new = true;
        }
    write_lines(a, out);
    if (event == ENGINE_BEST) {
        write_done(a, out, &info);
        return false;
    }
    if (event == ENGINE_GONE || (a->is_stopping && clock_milliseconds() >= a->end + SECONDS_TO_STOP * 1000))
        return event_error(out, "the engine has ended");
    if (!a->is_stopping && clock_milliseconds() >= a->end) {
        a->is_stopping = true;
        engine_stop(a->engine);
    }
    return true;
}

static void close_analysis(stream *s)
{
    analysis *a = (analysis *)s;
    engine_end(a->engine);
    engines_give_back(a->room);
    free(a);
}

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

void engines_give_back(engines *room) { atomic_fetch_sub(&room->n_busy, 1); }

bool engines_threads(const engines *room, const question *q, unsigned *out)
{
    uint64_t threads;
    if (!params_number(&threads, q->params, "threads", room->options.threads, room->options.threads, q->problem))
        return false;
    *out = (unsigned)threads;
    return true;
}

bool engines_answer(engines *room, const question *q, stream *(*start)(engines *room, void *wish, problem *p),
                    void *wish)
{
    if (strcmp(q->request->method, "HEAD") != 0) {
        const bool is_free = atomic_fetch_add(&room->n_busy, 1) < room->most ||
                             problem_tell(q->problem, PROBLEM_NOT_NOW, "all engines are busy");
        q->response->stream = is_free ? start(room, wish, q->problem) : NULL;
        if (!q->response->stream) {
            engines_give_back(room);
            return false;
        }
    }
    response_header(q->response, "Content-Type", "text/event-stream");
    response_header(q->response, "X-Accel-Buffering", "no"); /* for proxies */
    return true;
}

/* ---- The answer ------------------------------------------------------------------------------------------------- */

typedef struct wish {
    tby_position pos;
    engine_limits limits;
    uint64_t lines, seconds;
    unsigned threads;
    bool is_chess960;
} wish;

static bool read_wish(wish *out, const engines *room, const question *q)
{
    uint64_t depth;
    *out = (wish){.lines = 1};
    if (!params_switch(&out->is_chess960, q->params, "chess960", q->problem) ||
        !params_number(&out->lines, q->params, "lines", 1, 5, q->problem) ||
        !params_number(&depth, q->params, "depth", 0, 99, q->problem) ||
        !params_number(&out->seconds, q->params, "seconds", room->seconds, room->seconds, q->problem) ||
        !engines_threads(room, q, &out->threads) || !question_position(&out->pos, &out->is_chess960, q))
        return false;
    out->limits.depth = (unsigned)depth;
    return tby_moves_count(&out->pos) > 0 ||
           problem_tell(q->problem, PROBLEM_ASKED, "the game is over: there are no legal moves");
}

static stream *start(engines *room, void *context, problem *p)
{
    const wish *w = context;
    engine_options o = room->options;
    analysis *a = calloc(1, sizeof *a);
    if (!a) {
        problem_no_memory(p);
        return NULL;
    }
    o.lines = (unsigned)w->lines;
    o.threads = w->threads;
    o.is_chess960 = w->is_chess960;
    *a = (analysis){.stream = {take, close_analysis},
                    .room = room,
                    .pos = w->pos,
                    .n_lines = (unsigned)w->lines,
                    .is_chess960 = w->is_chess960};
    a->engine = engine_start(&o, p);
    a->end = clock_milliseconds() + (int64_t)w->seconds * 1000;
    if (a->engine && engine_go(a->engine, &w->pos, &w->limits))
        return &a->stream;
    problem_tell(p, PROBLEM_BROKEN, "the engine has ended");
    engine_end(a->engine);
    free(a);
    return NULL;
}

bool answer_analyse(engines *room, const question *q)
{
    wish w;
    return read_wish(&w, room, q) && engines_answer(room, q, start, &w);
}
