/*
 * convert_notation.c - finds notations by name, and guesses the notation of an input.
 *
 *     1  games, if the first bytes or the file's name (also with .gz or .zst after it) make that certain or likely
 *     2  the first line: the first notation of a position that reads it; then the first of a line of moves that reads
 *        it whole, strict ones before lenient ones; then a diagram, if it takes all lines to the first empty one
 *     3  what may be a game, such as move text that holds comments or variations, or continues in the next line
 */
#include "convert.h"

#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------------------------ */

static notation notation_of_game(const tby_game_notation *game)
{
    return (notation){.kind = KIND_GAME, .name = game->name, .game = game};
}

static notation notation_of_moves(const tby_move_notation *moves)
{
    return (notation){.kind = KIND_LINE, .name = moves->line_name, .moves = moves};
}

bool notation_at(notation *out, size_t i)
{
    const tby_position_notation *position;
    const tby_move_notation *moves;
    const tby_game_notation *game;
    for (size_t n = 0; (position = tby_position_notation_at(n)) != NULL; n++, i--)
        if (i == 0) {
            *out = (notation){.kind = KIND_POSITION, .name = position->name, .position = position};
            return true;
        }
    for (size_t n = 0; (moves = tby_move_notation_at(n)) != NULL; n++, i--)
        if (i == 0) {
            *out = notation_of_moves(moves);
            return true;
        }
    if ((game = tby_game_notation_at(i)) != NULL)
        *out = notation_of_game(game);
    return game != NULL;
}

bool notation_find(notation *out, const char *name, size_t n)
{
    for (size_t i = 0; notation_at(out, i); i++)
        if (strlen(out->name) == n && memcmp(out->name, name, n) == 0)
            return true;
    return false;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

/* s..n becomes the first line that is not empty; returns what follows it. */
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

/* The first notation of a position, on one line or several, that reads the text. */
static bool guess_position(notation *out, const char *s, size_t n, bool one_line)
{
    tby_setup setup;
    const tby_position_notation *p;
    for (size_t i = 0; (p = tby_position_notation_at(i)) != NULL; i++)
        if (p->read && p->one_line == one_line && p->read(&setup, s, n, 0, NULL, NULL) == TBY_OK)
            return notation_find(out, p->name, strlen(p->name));
    return false;
}

/* Can the whole line be played in this notation? */
static bool reads_line(const tby_move_notation *moves, const char *s, size_t n, tby_position pos)
{
    size_t at = 0, start, length, n_moves = 0;
    tby_move m;
    while ((length = tby_line_next(moves, s, n, &at, &start)) > 0) {
        if (tby_line_read_move(&m, &pos, moves, s + start, length, 0, NULL) != TBY_OK)
            return false;
        tby_line_play(&pos, m);
        n_moves++;
    }
    return n_moves > 0;
}

static bool guess_line(notation *out, const char *s, size_t n, const tby_position *start)
{
    const tby_move_notation *m, *best = NULL;
    for (size_t i = 0; (m = tby_move_notation_at(i)) != NULL; i++)
        if (m->guess_order && (!best || m->guess_order < best->guess_order) && reads_line(m, s, n, *start))
            best = m;
    if (best)
        *out = notation_of_moves(best);
    return best != NULL;
}

/* To the first empty line. */
static size_t paragraph_length(const char *s, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (s[i] == '\n' && (s[i + 1] == '\n' || s[i + 1] == '\r'))
            return i + 1;
    return n;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

/* A line of moves, or the first line of a game that continues in the next. */
static void choose_game(notation *line, const char *next, size_t n)
{
    tby_likeness likeness;
    const size_t n_number = move_number_length((span){next, n}); /* another move number than 1 */
    const bool goes_on = n_number && !(n_number == 2 && *next == '1');
    const tby_game_notation *game = goes_on ? tby_game_notation_guess("", 0, next, n, &likeness) : NULL;
    if (game)
        *line = notation_of_game(game);
}

bool notation_guess(notation *out, span first, const tby_game_notation *game, tby_likeness likeness,
                    const tby_position *start)
{
    if (likeness >= TBY_LIKELY) {
        *out = notation_of_game(game);
        return true;
    }
    const char *s = first.s, *line = s, *end = s + first.n;
    if (first.n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
        line += 3;
    size_t length = (size_t)(end - line);
    const char *all = line, *next = first_line(&line, &length);
    if (length == 0)
        return false;
    if (guess_position(out, line, length, true))
        return true;
    size_t n_next = (size_t)(end - next);
    first_line(&next, &n_next);
    if (guess_line(out, line, length, start)) {
        choose_game(out, next, n_next);
        return true;
    }
    if (guess_position(out, all, paragraph_length(all, (size_t)(end - all)), false))
        return true;
    if (game && next < end)
        *out = notation_of_game(game);
    return game && (next < end || notation_find(out, "san", 3));
}
