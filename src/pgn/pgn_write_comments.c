/*
 * pgn_write_comments.c - writes comments as PGN.
 *
 *     {text}     the bytes unchanged, with their line breaks and blanks, as one token that is never broken: a line
 *                break in place of a blank would change the text ;text      to the end of the line, for a text with a
 *                closing brace, which {} cannot hold
 *
 * A text with both a closing brace and a line break (from a program, or from a reader that allows nested braces) fits
 * neither form. It is written as several comments, cut at line breaks; no other byte is lost. The same is done if a
 * line of the text begins with [Event ", which would end a comment in braces.
 *
 * With TBY_PGN_ONE_LINE, line breaks are written as blanks and closing braces as ), because a ; comment ends the line.
 * With TBY_PGN_NO_COMMANDS, each [%...] is omitted together with the blanks after it, and so is a comment that has only
 * blanks left.
 */
#include "pgn/pgn_write.h"

#include "pgn/pgn_scan.h"

enum { STACK_COMMENT = 1024 };

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

static const char *line_end(const char *s, const char *end)
{
    while (s < end && !is_line_end(*s))
        s++;
    return s;
}

/* The place after the line break at s, which may be two bytes. */
static const char *next_line(const char *s, const char *end)
{
    return s + (end - s > 1 && s[0] == '\r' && s[1] == '\n' ? 2 : 1);
}

/* ---- The two forms -------------------------------------------------------------------------------------- */

static void write_braces(pgn_output *out, const char *s, size_t n)
{
    const char *first = line_end(s, s + n), *last = s + n;
    const bool is_broken = first < s + n;
    pgn_output_separate(out, (size_t)(first - s) + (is_broken ? 1 : 2));
    pgn_output_bytes(out, "{", 1);
    pgn_output_bytes(out, s, n);
    pgn_output_bytes(out, "}", 1);
    while (last > s && !is_line_end(last[-1]))
        last--;
    out->column = is_broken ? (size_t)(s + n - last) + 1 : out->column + n + 2;
}

static void write_semicolon(pgn_output *out, const char *s, size_t n)
{
    pgn_output_separate(out, n + 1);
    pgn_output_bytes(out, ";", 1);
    pgn_output_bytes(out, s, n);
    pgn_output_bytes(out, "\n", 1);
    out->column = 0;
}

static void write_one_line(pgn_output *out, const char *s, size_t n)
{
    pgn_output_separate(out, n + 2);
    pgn_output_bytes(out, "{", 1);
    for (size_t i = 0; i < n; i++) {
        const char c = is_line_end(s[i]) ? ' ' : s[i] == '}' ? ')' : s[i];
        pgn_output_bytes(out, &c, 1);
    }
    pgn_output_bytes(out, "}", 1);
    out->column += n + 2;
}

/* Writes the usual comment, short and without line breaks and braces, as an ordinary token. */
static bool write_plain(pgn_output *out, const char *s, size_t n)
{
    if (n > PGN_TOKEN_ROOM - 4)
        return false;
    char *at = output_begin(out);
    *at++ = '{';
    memcpy(at, s, n);
    if (pgn_has_brace_or_end(at, n))
        return false;
    at[n] = '}';
    output_end(out, at + n + 1);
    return true;
}

/* ---- Choosing the form ---------------------------------------------------------------------------------- */

static bool begins_event(const char *s, const char *end) { return end - s >= 8 && memcmp(s, "[Event \"", 8) == 0; }

/* The end of the longest run of lines that one pair of braces can hold. */
static const char *end_of_braces(const char *s, const char *end)
{
    const char *stop = s;
    for (;;) {
        const char *at = line_end(s, end);
        if (memchr(s, '}', (size_t)(at - s)))
            return stop;
        stop = at;
        if (at == end)
            return end;
        s = next_line(at, end);
        if (begins_event(s, end))
            return stop;
    }
}

static void write_pieces(pgn_output *out, const char *s, const char *end)
{
    for (;;) {
        const char *stop = line_end(s, end);
        if (memchr(s, '}', (size_t)(stop - s)))
            write_semicolon(out, s, (size_t)(stop - s));
        else {
            stop = end_of_braces(s, end);
            write_braces(out, s, (size_t)(stop - s));
        }
        if (stop == end)
            return;
        s = next_line(stop, end);
    }
}

static void write_text(pgn_output *out, const char *s, size_t n)
{
    if (write_plain(out, s, n))
        return;
    if (out->is_one_line)
        write_one_line(out, s, n);
    else if (end_of_braces(s, s + n) == s + n)
        write_braces(out, s, n);
    else
        write_pieces(out, s, s + n);
}

/* ---- Without commands ----------------------------------------------------------------------------------- */

/* Copies the text without commands; returns its length, 0 if only blanks are left. */
static size_t strip_commands(char *buf, const char *s, size_t n)
{
    size_t length = 0, at = 0, done = 0;
    tby_command command;
    bool has_text = false;
    for (;;) {
        const bool is_found = tby_command_next(&command, s, n, &at);
        const size_t end = is_found ? command.start : n;
        if (end > done)
            memcpy(buf + length, s + done, end - done);
        length += end > done ? end - done : 0;
        if (!is_found)
            break;
        for (done = at; done < n && (s[done] == ' ' || is_line_end(s[done])); done++) {
        }
    }
    for (size_t i = 0; i < length; i++)
        has_text |= buf[i] != ' ' && buf[i] != '\t' && !is_line_end(buf[i]);
    return has_text ? length : 0;
}

static bool write_stripped(pgn_writer *w, const char *s, size_t n)
{
    char stack[STACK_COMMENT], *buf = stack;
    const tby_allocator *memory = &w->game->allocator;
    if (n > sizeof stack) {
        buf = memory->resize(memory->context, NULL, 0, n);
        if (!buf) {
            w->out.has_failed = true;
            return false;
        }
    }
    const size_t length = strip_commands(buf, s, n);
    if (length)
        write_text(&w->out, buf, length);
    if (buf != stack)
        memory->resize(memory->context, buf, n, 0);
    return length > 0;
}

bool pgn_write_comment(pgn_writer *w, const char *s, size_t n)
{
    if (w->flags & TBY_PGN_NO_COMMANDS)
        return write_stripped(w, s, n);
    write_text(&w->out, s, n);
    return true;
}
