/*
 * pgn_mend.c - what the PGN reader still reads where the usual reading fails, always with a warning.
 *
 *     1. e4 e5            an empty line, then `1.` and a first move of White: the next game, without tags. Not inside
 *                         a variation, nor before the first move. The empty line and the blanks around it are at most
 *     1. d4 d5            63 bytes.
 *
 *     +-- +:- --+ -:+     won and lost by forfeit, where the game ends; in a Result tag anywhere, also +- +/- -+ -/+.
 *                         -:- and ---: both lost
 *     R8xg20-1            a result without a blank after the move
 *     Bb5 +   Rg7, Kh8    a check mark by itself; commas and closing braces
 *     exd6(e.p.)          after an en passant capture
 *     [pgn] ... [/pgn]    around games
 */
#include "pgn/pgn_event.h"

#include "base/text.h"
#include "pgn/pgn_lex.h"
#include "position/board.h"

/* ---- Games without tags --------------------------------------------------------------------------------- */

/* Is the line before the one of `s` empty? Looks at the bytes that the window keeps. */
static bool follows_empty_line(const pgn_window *w, const char *s)
{
    const char *first = s - w->buffer < PGN_WINDOW_BEHIND ? w->buffer : s - PGN_WINDOW_BEHIND + 1;
    unsigned line_ends = 0;
    for (const char *at = s; at > first && pgn_is_blank(at[-1]); at--) {
        line_ends += at[-1] == '\n' || (at[-1] == '\r' && *at != '\n');
        if (line_ends == 2)
            return true;
    }
    return false;
}

bool pgn_begins_bare_game(const tby_pgn *pgn, const char *s)
{
    const pgn_window *w = &pgn->window;
    const char *word = s + 2, *limit = s + PGN_WINDOW_BEHIND;
    tby_position start;
    tby_move m;
    if (pgn->depth || pgn->too_deep || !pgn_has_words(pgn) || s[0] != '1' || s[1] != '.' || !follows_empty_line(w, s))
        return false;
    while (word < limit && pgn_is_blank(*word))
        word++;
    tby_position_start(&start);
    const size_t n = pgn_word(word, w->end);
    return n <= TBY_PGN_TOKEN_MAX && tby_san_read(&m, &start, word, n, 0, NULL, NULL) == TBY_OK;
}

/* ---- Results -------------------------------------------------------------------------------------------- */

bool pgn_read_forfeit(tby_result *result, const char *s, size_t n, bool is_tag)
{
    static const struct {
        const char *text;
        bool is_mark; /* among moves, it says who stands better */
        tby_result result;
    } spellings[] = {{"+--", false, TBY_WHITE_WINS}, {"+:-", false, TBY_WHITE_WINS},  {"--+", false, TBY_BLACK_WINS},
                     {"-:+", false, TBY_BLACK_WINS}, {"---", false, TBY_RESULT_NONE}, {"-:-", false, TBY_RESULT_NONE},
                     {"+-", true, TBY_WHITE_WINS},   {"+/-", true, TBY_WHITE_WINS},   {"-+", true, TBY_BLACK_WINS},
                     {"-/+", true, TBY_BLACK_WINS}};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (text_is(s, n, spellings[i].text) && (is_tag || !spellings[i].is_mark)) {
            *result = spellings[i].result;
            return true;
        }
    return false;
}

bool pgn_game_ends_at(const tby_pgn *pgn, const char *s)
{
    const pgn_window *w = &pgn->window;
    unsigned lines = 0;
    if (pgn->depth || pgn->too_deep)
        return false;
    for (; pgn_is_blank(*s); s++)
        lines += *s == '\n' || (*s == '\r' && s[1] != '\n');
    return lines > 1 || *s == '[' || *s == '{' || *s == ';' || (s == w->end && w->is_whole);
}

size_t pgn_glued_result(const char *s, size_t n)
{
    static const char *const results[] = {"1/2-1/2", "1-0", "0-1"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const size_t length = strlen(results[i]);
        if (n > length && memcmp(s + n - length, results[i], length) == 0)
            return length;
    }
    return 0;
}

/* ---- What is ignored ------------------------------------------------------------------------------------ */

static bool is_one_of(const char *s, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (text_is(s, n, *words))
            return true;
    return false;
}

bool pgn_is_stray_mark(const tby_pgn *pgn, const char *s, size_t n)
{
    static const char *const marks[] = {"+", "++", "#", "\xe2\x80\xa0", "\xe2\x80\xa1", NULL};
    return pgn->line.has_moves && is_one_of(s, n, marks);
}

size_t pgn_stray_length(const char *s)
{
    size_t n = 0;
    while (n < TBY_PGN_TOKEN_MAX && (s[n] == ',' || s[n] == '}'))
        n++;
    return n;
}

bool pgn_is_passing_note(const pgn_line *line, const char *s, size_t n)
{
    static const char *const notes[] = {"e.p.", "ep", NULL};
    const tby_square square = pgn_line_before(line)->en_passant;
    return is_one_of(s, n, notes) && line->has_moves && square != TBY_NO_SQUARE &&
           board_piece(&pgn_line_now(line)->board, square) == TBY_PIECE(color_other(line->side), TBY_PAWN);
}

size_t pgn_passing_brackets(const pgn_line *line, const char *s)
{
    size_t n = 1;
    while (n < 6 && s[n] && s[n] != ')')
        n++;
    return s[n] == ')' && pgn_is_passing_note(line, s + 1, n - 1) ? n + 1 : 0;
}

size_t pgn_wrapper_length(const char *s, const char *end)
{
    const size_t slash = s < end && s[1] == '/';
    const bool is_wrapper = (size_t)(end - s) >= slash + 5 && pgn_same_letters(s + 1 + slash, 3, "pgn") &&
                            s[slash + 4] == ']';
    return is_wrapper ? slash + 5 : 0;
}
