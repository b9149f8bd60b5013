/*
 * cmbr_file.c - reads the games of a CMBR file one after the other, and continues after damage.
 *
 *     0                8
 *     +----------------+--------+--------+--------+- -
 *     | CMBR!  01 00 00| game 1 | game 2 | game 3 |           the name, the version, two zeros; then records
 *     +----------------+--------+--------+--------+- -
 *
 * Reads    records until the input ends. Concatenated files: a header between records is skipped.
 * Refuses  with TBY_GAME_BAD, then continues: another header (as game 0); bytes that are not a record; a record with a
 *          wrong checksum or wrong words. All bytes up to the next marker count as one damaged game.
 * Keeps    memory for one game. Every byte is looked at a bounded number of times, because a record ends at the next
 *          marker at the latest.
 */
#include "base/text.h"
#include "codec/cmbr.h"
#include "notation/refuse.h"
#include "pgn/game.h"
#include "readers/games.h"

typedef struct cmbr_reader {
    window_games stream; /* its place is that of the last record read, and its window is at the current one */
    bool saw_header;
    tby_fault_watcher on_fault; /* while a game is read as one of a stream, until its fault is reported */
    void *context;
    tby_error err;
} cmbr_reader;

/* ---- Life ------------------------------------------------------------------------------------------------ */

static const uint8_t HEADER[TBY_CMBR_HEADER_SIZE] = {'C', 'M', 'B', 'R', '!', CMBR_VERSION, 0, 0};

static uint64_t record_number(const cmbr_reader *c) { return c->stream.head.place.n_games; }
static uint64_t record_offset(const cmbr_reader *c) { return c->stream.head.place.begin; }

/* ---- Faults ---------------------------------------------------------------------------------------------- */

/* The error is inside a record, or about the file. */
static tby_game_fault fault_of(const cmbr_reader *c)
{
    tby_game_fault fault = games_fault(&c->err);
    text_writer text = text_begin(fault.where, sizeof fault.where);
    if (record_number(c) && c->err.status != TBY_IO_ERROR) {
        text_string(&text, "record at byte ");
        text_number(&text, record_offset(c));
    }
    text_end(&text);
    return fault;
}

static void report_fault(cmbr_reader *c)
{
    const tby_fault_watcher on_fault = c->on_fault;
    c->on_fault = NULL;
    c->stream.head.place.end = window_offset(&c->stream.in);
    if (!on_fault)
        return;
    const tby_game_fault fault = fault_of(c);
    on_fault(c->context, &fault);
}

/* ---- Markers --------------------------------------------------------------------------------------------- */

static size_t left(const cmbr_reader *c) { return window_left(&c->stream.in); }
static const uint8_t *here(const cmbr_reader *c) { return window_here(&c->stream.in); }
static void need(cmbr_reader *c, size_t n) { window_need(&c->stream.in, n); }

/* How many bytes precede the next marker, searching from the byte `from` to the byte `limit`. */
static size_t until_marker(cmbr_reader *c, size_t from, size_t limit)
{
    for (;;) {
        const size_t end = left(c) < limit ? left(c) : limit;
        if (from < end) {
            const uint8_t *found = cmbr_find(here(c) + from, here(c) + end, CMBR_MARKER);
            if (found != here(c) + end)
                return (size_t)(found - here(c));
            if (end >= from + CMBR_MARKER)
                from = end - CMBR_MARKER + 1; /* a marker may begin here */
        }
        if (end == limit)
            return limit;
        need(c, end + 1);
        if (left(c) == end)
            return end; /* end of the input, or out of memory */
    }
}

/* Skips the bytes up to the first marker from `from` on. If more of them must be read, which may take long, the fault is
   reported before. */
static void pass_to_marker(cmbr_reader *c, size_t from)
{
    bool is_found = false;
    if (!c->stream.in.is_whole)
        report_fault(c);
    need(c, from);
    c->stream.in.at += left(c) < from ? left(c) : from;
    do {
        need(c, CMBR_MARKER);
        const uint8_t *end = c->stream.in.buffer + c->stream.in.end, *found = cmbr_find(here(c), end, CMBR_MARKER);
        const size_t n = (size_t)(found - here(c));
        is_found = found != end;
        c->stream.in.at += is_found || n < CMBR_MARKER ? n : n - CMBR_MARKER + 1;
    } while (!is_found && left(c) > 0);
}

/* ---- Records --------------------------------------------------------------------------------------------- */

static bool at_header(cmbr_reader *c)
{
    need(c, sizeof HEADER);
    return left(c) >= sizeof HEADER && memcmp(here(c), HEADER, sizeof HEADER) == 0;
}

/* Reads the header. If it is not valid, the games, if any, are still read. */
static tby_game_read read_header(cmbr_reader *c, tby_error *err)
{
    c->saw_header = true;
    if (at_header(c))
        return TBY_GAME_GOOD;
    const bool has_name = left(c) >= sizeof HEADER && memcmp(here(c), HEADER, 5) == 0;
    refuse(err, TBY_INVALID_CMBR, has_name ? 5 : 0,
           has_name ? "the version of the file is not 1" : "the file does not begin with CMBR!");
    pass_to_marker(c, 0);
    return TBY_GAME_BAD;
}

/* The length of the record: to its end, the next marker, or the end of the input. */
static size_t measure(cmbr_reader *c)
{
    need(c, CMBR_FRAME);
    if (left(c) < CMBR_FRAME || memcmp(here(c), cmbr_marker(), CMBR_MARKER) != 0)
        return until_marker(c, CMBR_MARKER, CMBR_FRAME);
    const size_t length = bytes_get_32(here(c) + 4);
    return length > CMBR_PAYLOAD_MAX ? CMBR_FRAME : until_marker(c, CMBR_FRAME, CMBR_FRAME + length);
}

/* Finds the next record with a valid checksum: `*length` bytes of payload after its frame. The reader stays before it,
   but moves past a bad one. If the input fails within a record, the input ends there. */
static tby_game_read read_record(cmbr_reader *c, size_t *length, tby_error *err)
{
    while (at_header(c))
        c->stream.in.at += sizeof HEADER;
    c->stream.in.has_no_memory = false;
    const uint64_t offset = window_offset(&c->stream.in);
    const size_t n = left(c) > 0 ? measure(c) : 0;
    if (n == 0)
        return TBY_GAME_END;
    if (c->stream.in.has_no_memory) {
        refuse(err, TBY_NO_MEMORY, 0, NULL);
        return TBY_GAME_NO_MEMORY;
    }
    const bool is_good = cmbr_check_frame(here(c), n, err) == TBY_OK;
    const uint64_t before = record_offset(c);
    c->stream.head.place.n_games++;
    c->stream.head.place.begin = offset;
    if (!is_good && err)
        err->offset += (size_t)offset;
    if (!is_good)
        pass_to_marker(c, 1);
    if (!is_good && left(c) == 0 && c->stream.in.has_failed) {
        c->stream.head.place.n_games--;
        c->stream.head.place.begin = before;
        return TBY_GAME_END;
    }
    *length = is_good ? n - CMBR_FRAME : 0;
    return is_good ? TBY_GAME_GOOD : TBY_GAME_BAD;
}

/* If the input ended because of an error, reports it once. */
static tby_game_read end_or_failure(cmbr_reader *c, tby_error *err)
{
    if (!c->stream.in.has_failed)
        return TBY_GAME_END;
    c->stream.in.has_failed = false;
    refuse(err, TBY_IO_ERROR, (size_t)window_offset(&c->stream.in), NULL);
    return TBY_GAME_BAD;
}

/* Moves past the record and decodes its payload in place. */
static tby_game_read decode_record(cmbr_reader *c, tby_game *game, size_t length, tby_error *err)
{
    uint8_t *payload = window_here(&c->stream.in) + CMBR_FRAME;
    c->stream.in.at += CMBR_FRAME + length;
    const tby_status status = cmbr_unstuff(payload, &length)
                                  ? cmbr_decode_payload(game, payload, length, err)
                                  : refuse(err, TBY_INVALID_CMBR, 0, "a marker inside the game");
    if (status != TBY_OK && err)
        err->offset += (size_t)record_offset(c) + CMBR_FRAME;
    return status == TBY_OK ? TBY_GAME_GOOD : status == TBY_NO_MEMORY ? TBY_GAME_NO_MEMORY : TBY_GAME_BAD;
}

static tby_game_read read_game(cmbr_reader *c, tby_game *game, tby_error *err)
{
    size_t length = 0;
    tby_game_clear(game);
    if (!c->saw_header && read_header(c, err) != TBY_GAME_GOOD)
        return TBY_GAME_BAD;
    const tby_game_read answer = read_record(c, &length, err);
    if (answer == TBY_GAME_END)
        return end_or_failure(c, err);
    return answer == TBY_GAME_GOOD ? decode_record(c, game, length, err) : answer;
}

/* ---- A stream -------------------------------------------------------------------------------------------- */

static tby_game_read next(tby_games *games, tby_game *game, tby_fault_watcher on_fault, void *context)
{
    cmbr_reader *c = (cmbr_reader *)games;
    c->on_fault = on_fault;
    c->context = context;
    c->err = (tby_error){TBY_OK, {0, 0}, 0, NULL};
    const tby_game_read answer = read_game(c, game, &c->err);
    if (answer != TBY_GAME_BAD)
        c->on_fault = NULL;
    report_fault(c);
    return answer;
}

static bool skip(tby_games *games)
{
    cmbr_reader *c = (cmbr_reader *)games;
    size_t length = 0;
    if (!c->saw_header)
        read_header(c, NULL);
    const tby_game_read answer = read_record(c, &length, NULL);
    if (answer == TBY_GAME_GOOD)
        c->stream.in.at += CMBR_FRAME + length;
    games->place.end = window_offset(&c->stream.in);
    return answer == TBY_GAME_GOOD || answer == TBY_GAME_BAD;
}

static tby_games *open_stream(tby_source source, void *context, const tby_allocator *allocator)
{
    static const games_reader reader = {next, skip, games_close_window, false};
    return games_open_window(sizeof(cmbr_reader), &reader, source, context, allocator);
}

/* ---- The row in the registry ----------------------------------------------------------------------------- */

static tby_status read_one(tby_game *game, const char *s, size_t n, tby_error *err)
{
    return tby_cmbr_decode(game, (const uint8_t *)s, n, err);
}

static tby_status write_one(const tby_game *game, tby_sink sink, void *context, tby_error *err)
{
    return tby_cmbr_encode(game, sink, context, &game->allocator, err);
}

static bool write_header(tby_sink sink, void *context) { return sink(context, (const char *)HEADER, sizeof HEADER); }

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
