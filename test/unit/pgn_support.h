/*
 * pgn_support.h - shared by the tests of PGN: events as one line of text, sources, games as text.
 *
 *     G            a game begins           (  )        a variation
 *     [Name=text]  a tag                   =1-0        the result token
 *     e2e4  --     a move, a null move     #1-0        the game ends, with its result
 *     $1           a NAG                   ~text       raw
 *     {text}       a comment               !status "token": reason        an error
 *     {text}+      ... that continues        ?warning "token"               a warning
 */
#ifndef TBY_TEST_PGN_SUPPORT_H
#define TBY_TEST_PGN_SUPPORT_H

#include "support.h"

/* A growing text, used as the sink of the writer. */
typedef struct text {
    char *s;
    size_t n, cap;
} text;

static inline bool text_append(void *context, const char *s, size_t n)
{
    text *t = context;
    if (t->n + n + 1 > t->cap) {
        t->cap = 2 * (t->n + n + 1);
        t->s = realloc(t->s, t->cap);
        assert_non_null(t->s);
    }
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = '\0';
    return true;
}

static inline void text_format(text *t, const char *format, ...)
{
    char buf[2048];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(buf, sizeof buf, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof buf);
    text_append(t, buf, (size_t)n);
}

/* ---- Sources -------------------------------------------------------------------------------------------- */

typedef struct memory_source {
    const char *s;
    size_t n, at, step;
} memory_source;

static inline size_t read_steps(void *context, char *buf, size_t cap)
{
    memory_source *source = context;
    size_t n = source->n - source->at;
    n = n < cap ? n : cap;
    n = n < source->step ? n : source->step;
    memcpy(buf, source->s + source->at, n);
    source->at += n;
    return n;
}

/* ---- Events --------------------------------------------------------------------------------------------- */

static inline void text_event(text *t, tby_pgn *pgn, const tby_pgn_event *event)
{
    char buf[TBY_PGN_ERROR_SIZE];
    switch (event->type) {
    case TBY_PGN_END: return;
    case TBY_PGN_GAME: text_format(t, "G"); break;
    case TBY_PGN_TAG:
        text_format(t, "[%.*s=", (int)event->n_name, event->name);
        text_append(t, event->text, event->n_text);
        text_format(t, "]");
        break;
    case TBY_PGN_MOVE:
        tby_uci_write(buf, sizeof buf, tby_pgn_position_before(pgn), event->move, 0);
        text_format(t, "%s", buf);
        break;
    case TBY_PGN_NULL_MOVE: text_format(t, "--"); break;
    case TBY_PGN_NAG: text_format(t, "$%u", event->nag); break;
    case TBY_PGN_COMMENT:
        text_append(t, "{", 1);
        text_append(t, event->text, event->n_text);
        text_format(t, event->more ? "}+" : "}");
        break;
    case TBY_PGN_VARIATION: text_format(t, "("); break;
    case TBY_PGN_VARIATION_END: text_format(t, ")"); break;
    case TBY_PGN_RESULT: text_format(t, "=%s", tby_result_text(event->result)); break;
    case TBY_PGN_GAME_END: text_format(t, "#%s", tby_result_text(event->result)); break;
    case TBY_PGN_RAW: text_format(t, "~%.*s", (int)event->n_text, event->text); break;
    case TBY_PGN_ERROR:
        text_format(t, "!%s \"%.*s\": %s", tby_status_text(event->error.status), (int)event->n_text, event->text,
                    event->error.detail);
        break;
    case TBY_PGN_WARNING:
        text_format(t, "?%s \"%.*s\"", tby_pgn_warning_text(event->warning), (int)event->n_text, event->text);
        break;
    }
    text_append(t, " ", 1);
}

/* All events of a text that is read `step` bytes at a time. */
static inline text events_of(const char *s, size_t n, const tby_pgn_options *options, size_t step)
{
    memory_source source = {s, n, 0, step};
    tby_pgn *pgn = tby_pgn_new(read_steps, &source, options, NULL);
    tby_pgn_event event;
    text t = {NULL, 0, 0};
    assert_non_null(pgn);
    memset(&event, 0, sizeof event);
    text_append(&t, "", 0);
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END)
        text_event(&t, pgn, &event);
    if (t.n)
        t.s[--t.n] = '\0';
    tby_pgn_free(pgn);
    return t;
}

/* The events are as expected, whether the text is read in one piece or byte by byte. */
static inline void expect_events(const char *s, size_t n, unsigned flags, const char *expected)
{
    const tby_pgn_options options = {flags, 0, {0, 0, 0, 0}};
    text at_once = events_of(s, n, &options, SIZE_MAX), bytewise = events_of(s, n, &options, 1);
    assert_string_equal(at_once.s, expected);
    assert_int_equal(at_once.n, bytewise.n);
    assert_memory_equal(at_once.s, bytewise.s, at_once.n);
    free(at_once.s);
    free(bytewise.s);
}

#define reads(s, expected) expect_events(s, sizeof s - 1, 0, expected)
#define reads_with(flags, s, expected) expect_events(s, sizeof s - 1, flags, expected)

/* ---- Games ---------------------------------------------------------------------------------------------- */

static inline tby_game_read read_game_with(tby_game *game, const char *s, size_t n, unsigned flags)
{
    const tby_pgn_options options = {flags, SIZE_MAX / 2, {0, 0, 0, 0}};
    tby_pgn *pgn = tby_pgn_new_memory(s, n, &options, NULL);
    assert_non_null(pgn);
    const tby_game_read read = tby_game_read_pgn(game, pgn, NULL, NULL);
    tby_pgn_free(pgn);
    return read;
}

/* The first game of a text. */
static inline tby_game *game_of(const char *s)
{
    tby_game *game = tby_game_new(NULL);
    assert_non_null(game);
    read_game_with(game, s, strlen(s), 0);
    return game;
}

static inline text written_with(const tby_game *game, unsigned flags)
{
    text t = {NULL, 0, 0};
    text_append(&t, "", 0);
    assert_true(tby_pgn_write(game, flags, text_append, &t));
    return t;
}

static inline void expect_written(const tby_game *game, unsigned flags, const char *expected)
{
    text t = written_with(game, flags);
    assert_string_equal(t.s, expected);
    free(t.s);
}

#endif
