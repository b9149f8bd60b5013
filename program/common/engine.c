/*
 * engine.c - runs a UCI chess engine as a child process.
 *
 *     > uci ... < uciok   > setoption ...   > isready < readyok   > position fen F   > go ...   < info ... < bestmove M
 */
#include "engine.h"
#include "os/clock.h"
#include "os/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 8192, PATIENCE_MILLISECONDS = 10000, SAY_MILLISECONDS = 1000, GLANCE_MILLISECONDS = 100 };
enum { SILENCE_MAX = 60 /* times the patience, by default ten minutes: no search prints nothing for that long */ };

struct engine {
    os_process *process;
    char name[ENGINE_NAME_SIZE];
    tby_position pos; /* being searched */
    bool is_chess960, is_gone;
    int patience; /* milliseconds */
    bool (*is_stopped)(void);
    uint64_t n_lines; /* that it has printed */
    uint64_t n_ready; /* those that only say that it is ready */
    size_t n;         /* bytes of `text`; the first `taken` are used up */
    size_t taken;
    char text[LINE_SIZE];
};

/* ---- Talking ---------------------------------------------------------------------------------------------------- */

/* Sends a line to the engine. An engine that does not read it in time is considered dead. */
static bool say(engine *e, const char *s)
{
    size_t n = strlen(s);
    while (!e->is_gone && n) {
        const ptrdiff_t written = os_process_write(e->process, s, n, SAY_MILLISECONDS);
        e->is_gone = written <= 0;
        s += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
    return !e->is_gone;
}

static bool has_line(const engine *e) { return memchr(e->text + e->taken, '\n', e->n - e->taken) != NULL; }

/* The next line that has already arrived, without its end; NULL if there is none. */
static char *take_line(engine *e)
{
    char *line = e->text + e->taken, *end = memchr(line, '\n', e->n - e->taken);
    if (!end)
        return NULL;
    *end = '\0';
    e->taken = (size_t)(end - e->text) + 1;
    e->n_lines++;
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

/* Waits for bytes; false if none arrived. A line that never ends is dropped. */
static bool listen_to(engine *e, int milliseconds)
{
    memmove(e->text, e->text + e->taken, e->n - e->taken);
    e->n -= e->taken;
    e->taken = 0;
    e->is_gone |= e->n == sizeof e->text;
    if (e->is_gone)
        return false;
    const ptrdiff_t n = os_process_read(e->process, e->text + e->n, sizeof e->text - e->n, milliseconds);
    if (n <= 0) {
        e->is_gone = n == 0 || errno != EAGAIN;
        return false;
    }
    e->n += (size_t)n;
    return true;
}

static bool is_stopped(const engine *e) { return e->is_stopped && e->is_stopped(); }

/* The next line that arrives in time, or NULL. */
static char *next_line(engine *e, int64_t deadline)
{
    char *line;
    while (!(line = take_line(e)) && !is_stopped(e)) {
        const int64_t left = deadline - clock_milliseconds();
        const int64_t wait = e->is_stopped && left > GLANCE_MILLISECONDS ? GLANCE_MILLISECONDS : left;
        if (!listen_to(e, wait > 0 ? (int)wait : 0) && (e->is_gone || clock_milliseconds() >= deadline))
            break;
    }
    return line;
}

/* ---- Starting --------------------------------------------------------------------------------------------------- */

/* Waits for a word at the beginning of a line. */
static bool wait_for(engine *e, const char *word)
{
    const int64_t deadline = clock_milliseconds() + e->patience;
    const size_t n = strlen(word);
    char *line;
    while (clock_milliseconds() < deadline && (line = next_line(e, deadline)) != NULL) {
        if (strncmp(line, "id name ", 8) == 0)
            snprintf(e->name, sizeof e->name, "%s", line + 8);
        if (strncmp(line, word, n) == 0 && (!line[n] || line[n] == ' '))
            return true;
    }
    return false;
}

static bool greet(engine *e, const engine_options *o)
{
    char text[256];
    snprintf(text, sizeof text,
             "setoption name Threads value %u\nsetoption name Hash value %u\nsetoption name MultiPV value %u\n"
             "setoption name UCI_Chess960 value %s\nucinewgame\nisready\n",
             o->threads, o->hash, o->lines, o->is_chess960 ? "true" : "false");
    return say(e, "uci\n") && wait_for(e, "uciok") && say(e, text) && wait_for(e, "readyok");
}

engine *engine_start(const engine_options *o, problem *p)
{
    engine *e = calloc(1, sizeof *e);
    if (!e) {
        problem_no_memory(p);
        return NULL;
    }
    *e = (engine){.process = os_process_start(o->program),
                  .is_chess960 = o->is_chess960,
                  .is_stopped = o->is_stopped,
                  .patience = o->patience ? o->patience : PATIENCE_MILLISECONDS};
    snprintf(e->name, sizeof e->name, "%s", o->program);
    if (!e->process) {
        problem_set(p, PROBLEM_BROKEN, "%s: %s", o->program, strerror(errno));
    } else {
        if (o->memory)
            os_process_limit_memory(e->process, o->memory);
        if (greet(e, o) || problem_set(p, PROBLEM_BROKEN, "%s does not answer as a UCI engine does", o->program))
            return e;
    }
    engine_end(e);
    return NULL;
}

void engine_end(engine *e)
{
    if (!e)
        return;
    os_process_end(e->process);
    free(e);
}

const char *engine_name(const engine *e) { return e->name; }

void engine_set_chess960(engine *e, bool is_chess960)
{
    if (e->is_chess960 != is_chess960)
        say(e, is_chess960 ? "setoption name UCI_Chess960 value true\n" : "setoption name UCI_Chess960 value false\n");
    e->is_chess960 = is_chess960;
}

/* ---- Searching -------------------------------------------------------------------------------------------------- */

bool engine_go(engine *e, const tby_position *pos, const engine_limits *limits)
{
    char fen[TBY_FEN_SIZE], text[TBY_FEN_SIZE + 128];
    tby_fen_write_position(fen, sizeof fen, pos, e->is_chess960 ? TBY_FEN_SHREDDER : 0);
    e->pos = *pos;
    int n = snprintf(text, sizeof text, "position fen %s\ngo", fen);
    if (limits->depth)
        n += snprintf(text + n, sizeof text - (size_t)n, " depth %u", limits->depth);
    if (limits->nodes)
        n += snprintf(text + n, sizeof text - (size_t)n, " nodes %llu", (unsigned long long)limits->nodes);
    if (limits->milliseconds)
        n += snprintf(text + n, sizeof text - (size_t)n, " movetime %u", limits->milliseconds);
    if (!limits->depth && !limits->nodes && !limits->milliseconds)
        n += snprintf(text + n, sizeof text - (size_t)n, " infinite");
    snprintf(text + n, sizeof text - (size_t)n, "\n");
    return say(e, text);
}

void engine_stop(engine *e) { say(e, "stop\n"); }

/* The next word of *s, ended by a NUL; "" at the end. */
static char *take_word(char **s)
{
    char *word = *s + strspn(*s, " \t"), *end = word + strcspn(word, " \t");
    *s = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static unsigned read_count(const char *word)
{
    uint64_t value;
    return digits_read(&value, word, 1000000) ? (unsigned)value : 0;
}

/* Whole numbers only, within what a score can be. */
static bool read_score(int *out, const char *word)
{
    uint64_t value;
    const bool is_negative = *word == '-';
    const bool is_good = digits_read(&value, word + (is_negative || *word == '+'), 1000000);
    *out = is_negative ? -(int)value : (int)value;
    return is_good;
}

/* Reads moves from the searched position, as far as they are legal. */
static void read_moves(const engine *e, engine_info *out, char *s)
{
    tby_position pos = e->pos;
    for (char *word = take_word(&s); *word && out->n_moves < ENGINE_PV_MAX; word = take_word(&s)) {
        tby_move m;
        if (tby_uci_read(&m, &pos, word, strlen(word), NULL) != TBY_OK)
            return;
        out->moves[out->n_moves++] = m;
        tby_position_play(&pos, m, NULL);
    }
}

/* info depth 12 multipv 1 score cp 34 nodes 900 time 10 pv e2e4 ...; false for other information, and for bounds. */
static bool read_info(const engine *e, engine_info *out, char *s)
{
    bool has_score = false;
    *out = (engine_info){.line = 1};
    for (char *word = take_word(&s); *word; word = take_word(&s)) {
        if (strcmp(word, "depth") == 0) {
            out->depth = read_count(take_word(&s));
        } else if (strcmp(word, "multipv") == 0) {
            out->line = read_count(take_word(&s));
        } else if (strcmp(word, "nodes") == 0) {
            digits_read(&out->nodes, take_word(&s), INT64_MAX);
        } else if (strcmp(word, "time") == 0) {
            digits_read(&out->milliseconds, take_word(&s), INT64_MAX);
        } else if (strcmp(word, "score") == 0) {
            out->is_mate = strcmp(take_word(&s), "mate") == 0;
            has_score = read_score(&out->score, take_word(&s));
        } else if (strcmp(word, "lowerbound") == 0 || strcmp(word, "upperbound") == 0 || strcmp(word, "string") == 0) {
            return false;
        } else if (strcmp(word, "pv") == 0) {
            read_moves(e, out, s);
            break;
        }
    }
    if (tby_position_side(&e->pos) == TBY_BLACK)
        out->score = -out->score;
    return has_score && out->n_moves && out->line >= 1 && out->line <= ENGINE_LINES_MAX;
}

engine_event engine_next(engine *e, engine_info *out, int milliseconds)
{
    const int64_t deadline = clock_milliseconds() + milliseconds;
    char *line;
    do {
        if ((line = next_line(e, deadline)) == NULL)
            break;
        const char *word = take_word(&line);
        e->n_ready += strcmp(word, "readyok") == 0;
        if (strcmp(word, "info") == 0 && read_info(e, out, line))
            return ENGINE_INFO;
        if (strcmp(word, "bestmove") == 0) {
            *out = (engine_info){.line = 1};
            char *best = take_word(&line);
            read_moves(e, out, best);
            return ENGINE_BEST;
        }
    } while (has_line(e) || clock_milliseconds() < deadline); /* what has arrived is always read */
    return e->is_gone ? ENGINE_GONE : ENGINE_NOTHING;
}

engine_event engine_finish(engine *e, const engine_limits *limits, engine_info *out, engine_info *first)
{
    const int64_t end = limits->milliseconds ? clock_milliseconds() + limits->milliseconds + e->patience : INT64_MAX;
    int64_t heard = clock_milliseconds(); /* the last line about the search */
    bool is_asked = false;
    for (int64_t left; (left = end - clock_milliseconds()) > 0 && !is_stopped(e);) {
        const uint64_t n_lines = e->n_lines, n_about = e->n_lines - e->n_ready;
        const engine_event event = engine_next(e, out, left < e->patience ? (int)left : e->patience);
        if (event == ENGINE_BEST || event == ENGINE_GONE)
            return event;
        if (event == ENGINE_INFO && out->line == 1)
            *first = *out;
        const bool is_silent = e->n_lines == n_lines;
        heard = e->n_lines - e->n_ready > n_about ? clock_milliseconds() : heard;
        if ((is_silent && is_asked) || clock_milliseconds() - heard > (int64_t)SILENCE_MAX * e->patience)
            break;
        if (is_silent)
            say(e, "isready\n");
        is_asked = is_silent;
    }
    return ENGINE_NOTHING;
}
