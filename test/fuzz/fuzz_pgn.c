/*
 * fuzz_pgn.c - any bytes as PGN.
 *
 *     first byte    bit 0 warnings, 1 nested comments, 2 a small limit of size
 *     the rest      the text; a byte 31 and the byte after it mean: repeat the latter until what follows crosses the
 *                   end of the reader's window
 *
 * The events follow the grammar of tabiya.h, and there are no more than the text can hold. Their texts respect the
 * limits; those of tags and comments are UTF-8. Their locations agree with lines counted here. A source that returns
 * one byte per call produces the same events. Reading several moves at a time and skipping comments, the fastest way,
 * yields the same moves, faults and other events.
 */
#include "base/utf8.h"
#include "pgn/pgn_lex.h"
#include "pgn/pgn_reader.h"
#include "support.h"

enum { SMALL_LIMIT = 100, MANY = 31, MANY_BYTES = PGN_WINDOW_SIZE - 50, MANY_TIMES = 2 };

/* ---- The input ------------------------------------------------------------------------------------------ */

typedef struct input {
    char *text;
    size_t n, at;
    size_t step;  /* bytes per call */
    size_t *line; /* where each line begins */
    size_t n_lines;
} input;

/* A line ends with \n, or with \r that no \n follows. */
static void find_lines(input *in)
{
    in->line = malloc((in->n + 1) * sizeof *in->line);
    require(in->line != NULL);
    in->line[in->n_lines++] = 0;
    for (size_t i = 0; i < in->n; i++)
        if (in->text[i] == '\n' || (in->text[i] == '\r' && (i + 1 == in->n || in->text[i + 1] != '\n')))
            in->line[in->n_lines++] = i + 1;
}

static input expand(const uint8_t *data, size_t size)
{
    input in = {.text = malloc(size + MANY_TIMES * (size_t)MANY_BYTES), .step = SIZE_MAX};
    unsigned times = 0;
    require(in.text != NULL);
    for (size_t i = 0; i < size; i++) {
        if (data[i] == MANY && i + 1 < size && times < MANY_TIMES) {
            memset(in.text + in.n, data[++i], MANY_BYTES);
            in.n += MANY_BYTES;
            times++;
        } else
            in.text[in.n++] = (char)data[i];
    }
    find_lines(&in);
    return in;
}

static size_t read_input(void *context, char *buf, size_t cap)
{
    input *in = context;
    size_t n = in->n - in->at;
    n = n < cap ? n : cap;
    n = n < in->step ? n : in->step;
    if (n)
        memcpy(buf, in->text + in->at, n);
    in->at += n;
    return n;
}

static void check_place(const input *in, tby_pgn_place place)
{
    require(place.offset <= in->n && place.line >= 1 && place.line <= in->n_lines);
    require(place.line == in->n_lines || place.offset < in->line[place.line]);
    require(place.offset >= in->line[place.line - 1] && place.column == place.offset - in->line[place.line - 1] + 1);
}

/* ---- Events --------------------------------------------------------------------------------------------- */

typedef struct watch {
    const input *in;
    unsigned depth;
    bool in_game, in_moves, saw_result, more, wants_warnings;
    size_t n_events;
    uint64_t hash;
    tby_pgn_place last;
} watch;

static void mix(watch *w, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        w->hash = (w->hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211ULL;
}

static void mix_event(watch *w, const tby_pgn_event *event)
{
    mix(w, &event->type, sizeof event->type);
    mix(w, &w->last, sizeof w->last);
    switch (event->type) {
    case TBY_PGN_TAG: mix(w, event->name, event->n_name); break;
    case TBY_PGN_MOVE: mix(w, &event->move, sizeof event->move); break;
    case TBY_PGN_NAG: mix(w, &event->nag, sizeof event->nag); break;
    case TBY_PGN_COMMENT: mix(w, &event->more, sizeof event->more); break;
    case TBY_PGN_RESULT:
    case TBY_PGN_GAME_END: mix(w, &event->result, sizeof event->result); return;
    case TBY_PGN_ERROR: mix(w, &event->error.status, sizeof event->error.status); break;
    case TBY_PGN_WARNING: mix(w, &event->warning, sizeof event->warning); break;
    default: return;
    }
    mix(w, event->text, event->n_text);
}

static void check_text(const tby_pgn_event *event)
{
    if (event->type == TBY_PGN_TAG)
        require(event->n_name > 0 && event->n_text + event->n_name <= TBY_PGN_TAG_MAX);
    if (event->type == TBY_PGN_TAG || event->type == TBY_PGN_COMMENT)
        require(utf8_is_valid(event->text, event->n_text));
    if (event->type == TBY_PGN_MOVE || event->type == TBY_PGN_ERROR || event->type == TBY_PGN_RESULT)
        require(event->n_text <= TBY_PGN_TOKEN_MAX);
}

/* Which events may follow which. */
static void check_order(watch *w, const tby_pgn *pgn, const tby_pgn_event *event)
{
    require(!w->more || event->type == TBY_PGN_COMMENT || event->type == TBY_PGN_ERROR ||
            event->type == TBY_PGN_WARNING);
    switch (event->type) {
    case TBY_PGN_END: require(!w->in_game); break;
    case TBY_PGN_GAME:
        require(!w->in_game);
        w->in_game = true;
        w->in_moves = w->saw_result = false;
        w->depth = 0;
        break;
    case TBY_PGN_TAG: require(w->in_game && !w->in_moves); break;
    case TBY_PGN_MOVE:
    case TBY_PGN_NULL_MOVE:
    case TBY_PGN_NAG:
    case TBY_PGN_RAW:
        require(w->in_game && !w->saw_result);
        w->in_moves = true;
        break;
    case TBY_PGN_COMMENT:
        require(w->in_game);
        w->more = event->more;
        break;
    case TBY_PGN_VARIATION:
        require(w->in_game && !w->saw_result && ++w->depth == tby_pgn_depth(pgn));
        w->in_moves = true;
        break;
    case TBY_PGN_VARIATION_END: require(w->in_game && w->depth-- > 0 && w->depth == tby_pgn_depth(pgn)); break;
    case TBY_PGN_RESULT:
        require(w->in_game && w->depth == 0 && !w->saw_result);
        w->saw_result = true;
        break;
    case TBY_PGN_GAME_END:
        require(w->in_game);
        w->in_game = false;
        break;
    case TBY_PGN_ERROR: require(event->error.status != TBY_OK && event->error.detail); break;
    case TBY_PGN_WARNING: require(w->wants_warnings && tby_pgn_warning_text(event->warning)); break;
    }
}

static void check_event(watch *w, tby_pgn *pgn, const tby_pgn_event *event)
{
    char text[TBY_PGN_ERROR_SIZE];
    w->last = tby_pgn_event_place(pgn, event);
    check_place(w->in, w->last);
    check_order(w, pgn, event);
    check_text(event);
    if (event->type == TBY_PGN_MOVE)
        require(tby_move_is_legal(tby_pgn_position_before(pgn), event->move));
    if (event->type == TBY_PGN_ERROR)
        require(tby_pgn_error_write(text, sizeof text, pgn, event, w->last.game) < sizeof text);
    require(tby_pgn_depth(pgn) <= TBY_PGN_DEPTH_MAX);
    require(tby_pgn_game_begin(pgn) <= tby_pgn_game_end(pgn) && tby_pgn_game_end(pgn) <= w->in->n);
    /* A byte produces at most a token with its warning; in addition a game has its start, end and faults. */
    require(++w->n_events <= 8 * w->in->n + 8);
    mix_event(w, event);
}

static uint64_t read_all(input *in, const tby_pgn_options *options)
{
    tby_pgn *pgn = tby_pgn_new(read_input, in, options, NULL);
    tby_pgn_event event;
    watch w;
    memset(&w, 0, sizeof w);
    memset(&event, 0, sizeof event);
    w.in = in;
    w.hash = 14695981039346656037ULL;
    w.wants_warnings = (options->flags & TBY_PGN_WARNINGS) != 0;
    in->at = 0;
    require(pgn != NULL);
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END)
        check_event(&w, pgn, &event);
    check_event(&w, pgn, &event);
    tby_pgn_free(pgn);
    return w.hash;
}

/* Hashes all events except comments. With `flags`, which skip comments, several moves are read at a time. */
static uint64_t read_moves(input *in, tby_pgn_options options, unsigned flags)
{
    options.flags |= flags;
    tby_pgn *pgn = tby_pgn_new(read_input, in, &options, NULL);
    tby_pgn_event event;
    watch w = {.in = in, .hash = 14695981039346656037ULL};
    in->at = 0;
    require(pgn != NULL);
    memset(&event, 0, sizeof event);
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END) {
        tby_move moves[64];
        require(event.type != TBY_PGN_COMMENT || !flags);
        if (event.type != TBY_PGN_COMMENT) {
            w.last = tby_pgn_event_place(pgn, &event);
            if (event.type == TBY_PGN_MOVE) {
                event.text = "";
                event.n_text = 0;
                memset(&w.last, 0, sizeof w.last);
            }
            mix_event(&w, &event);
        }
        for (size_t n; flags && (n = tby_pgn_moves(pgn, moves, 64)) > 0;)
            for (size_t i = 0; i < n; i++) {
                const tby_pgn_event move = {.type = TBY_PGN_MOVE, .move = moves[i], .text = ""};
                memset(&w.last, 0, sizeof w.last);
                mix_event(&w, &move);
            }
    }
    tby_pgn_free(pgn);
    return w.hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    tby_pgn_options options = {data[0] & 3U, data[0] & 4 ? SMALL_LIMIT : 0, {0, 0, 0, 0}};
    input in = expand(data + 1, size - 1);
    const uint64_t hash = read_all(&in, &options);
    require(read_moves(&in, options, TBY_PGN_SKIP_COMMENTS) == read_moves(&in, options, 0));
    in.step = 1;
    require(read_all(&in, &options) == hash);
    free(in.line);
    free(in.text);
    return 0;
}
