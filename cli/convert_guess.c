/*
 * convert_guess.c - guesses the notation of an input.
 *
 *     1  the first bytes of a CMBR file
 *     2  the file's name: .pgn .json .jsonl .cmbr, also with .gz or .zst behind
 *     3  the first sign: [ and % begin PGN, {" begins JSON
 *     4  the first line: the first notation of a position that reads it; then the first of a line of moves that reads
 *        it whole, strict ones before lenient ones; then a diagram, if it takes all lines to the first empty one
 *     5  move text that goes on in the next line, or holds comments or variations, is PGN
 */
#include "convert.h"

#include <string.h>

static bool has_prefix(const char *s, size_t n, const char *prefix)
{
    return n >= strlen(prefix) && memcmp(s, prefix, strlen(prefix)) == 0;
}

/* ---- By name ---------------------------------------------------------------------------------------------------- */

static bool has_ending(const char *s, size_t n, const char *ending)
{
    const size_t length = strlen(ending);
    return n > length && memcmp(s + n - length, ending, length) == 0;
}

static bool guess_name(notation *out, const char *path)
{
    static const char *const endings[][2] = {{".pgn", "pgn"}, {".json", "json"}, {".jsonl", "json"}, {".cmbr", "cmbr"}};
    size_t n = strlen(path);
    if (has_ending(path, n, ".gz"))
        n -= 3;
    else if (has_ending(path, n, ".zst"))
        n -= 4;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (has_ending(path, n, endings[i][0]))
            return notation_find(out, endings[i][1]);
    return false;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

/* s..n becomes the first line that is not empty; returns what stands behind it. */
static const char *first_line(const char **s, size_t *n)
{
    const char *end = *s + *n;
    while (*s < end && strchr(" \t\r\n", **s))
        ++*s;
    const char *line_end = memchr(*s, '\n', (size_t)(end - *s));
    line_end = line_end ? line_end : end;
    *n = (size_t)(line_end - *s);
    while (*n && (*s)[*n - 1] == '\r')
        --*n;
    return line_end;
}

static bool guess_position(notation *out, const char *s, size_t n)
{
    tby_setup setup;
    const tby_position_notation *p;
    for (size_t i = 0; (p = tby_position_notation_at(i)) != NULL; i++)
        if (p->read && p->one_line && p->read(&setup, s, n, 0, NULL) == TBY_OK)
            return notation_find(out, p->name);
    return false;
}

/* Can the whole line be played in this notation? */
static bool reads_line(const tby_move_notation *moves, const char *s, size_t n, tby_position pos)
{
    size_t at = 0, start, length, n_moves = 0;
    tby_move m;
    while ((length = tby_line_next(moves, s, n, &at, &start)) > 0) {
        if (moves->read(&m, &pos, s + start, length, 0, NULL) != TBY_OK)
            return false;
        tby_position_play(&pos, m, NULL);
        n_moves++;
    }
    return n_moves > 0;
}

static bool guess_line(notation *out, const char *s, size_t n, const tby_position *start)
{
    /* SAN is read leniently and takes coordinates too, so it comes behind them; short moves fit almost anything. */
    static const char *const order[] = {"uci", "base64-moves", "cmbr-words", "san", "boardinfo-moves", "short"};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (notation_find(out, order[i]) && reads_line(out->moves, s, n, *start))
            return true;
    return false;
}

/* To the first empty line. */
static size_t paragraph_length(const char *s, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (s[i] == '\n' && (s[i + 1] == '\n' || s[i + 1] == '\r'))
            return i + 1;
    return n;
}

static bool guess_diagram(notation *out, const char *s, size_t n)
{
    tby_setup setup;
    const tby_position_notation *p;
    n = paragraph_length(s, n);
    for (size_t i = 0; (p = tby_position_notation_at(i)) != NULL; i++)
        if (p->read && !p->one_line && p->read(&setup, s, n, 0, NULL) == TBY_OK)
            return notation_find(out, p->name);
    return false;
}

/* ---- Move text -------------------------------------------------------------------------------------------------- */

static size_t digits(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] >= '0' && s[i] <= '9')
        i++;
    return i;
}

/* Does the line begin with a move number other than 1? */
static bool goes_on(const char *s, size_t n)
{
    const size_t length = digits(s, n);
    return length && length < n && s[length] == '.' && !(length == 1 && *s == '1');
}

static bool is_move_text(const char *s, size_t n)
{
    const size_t length = digits(s, n);
    return (length && length < n && s[length] == '.') || (n && strchr("{(;", *s));
}

bool notation_guess(notation *out, const char *path, const char *s, size_t n, const tby_position *start)
{
    if (has_prefix(s, n, "CMBR!"))
        return notation_find(out, "cmbr");
    if (path && guess_name(out, path))
        return true;
    if (has_prefix(s, n, "\xef\xbb\xbf")) {
        s += 3;
        n -= 3;
    }
    const char *all = s, *line = s, *end = s + n;
    size_t length = n;
    const char *next = first_line(&line, &length);
    if (has_prefix(line, length, "{\""))
        return notation_find(out, "json");
    if (length == 0 || *line == '[' || *line == '%')
        return length && notation_find(out, "pgn");
    if (guess_position(out, line, length))
        return true;
    size_t n_next = (size_t)(end - next);
    first_line(&next, &n_next);
    if (guess_line(out, line, length, start))
        return goes_on(next, n_next) ? notation_find(out, "pgn") : true;
    if (guess_diagram(out, all, n))
        return true;
    return is_move_text(line, length) && notation_find(out, next < end ? "pgn" : "san");
}
