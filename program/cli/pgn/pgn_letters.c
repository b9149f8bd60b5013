/*
 * pgn_letters.c - the letters of the pieces in other languages, in the move text of PGN.
 *
 * Every capital letter of the move text that means a piece is replaced, so that Sf3, e8D and e8=D can all be read.
 * Tags, comments and escaped lines (% in the first column) are not changed.
 */
#include "pgn_pick.h"

#include <stdlib.h>
#include <string.h>

static const char ENGLISH[] = "NBRQK";

static const letters languages[] = {
    {"german", "SLTDK"},     {"danish", "SLTDK"},   {"norwegian", "SLTDK"}, {"swedish", "SLTDK"},
    {"dutch", "PLTDK"},      {"french", "CFTDR"},   {"spanish", "CATDR"},   {"italian", "CATDR"},
    {"portuguese", "CBTDR"}, {"romanian", "CNTDR"}, {"polish", "SGWHK"},    {"czech", "JSVDK"},
    {"hungarian", "HFBVK"},  {"finnish", "RLTDK"},  {"icelandic", "RBHDK"}, {"english", "NBRQK"},
};

const letters *letters_at(size_t index)
{
    return index < sizeof languages / sizeof *languages ? &languages[index] : NULL;
}

static bool are_five_letters(const char *s)
{
    for (size_t i = 0; s[i]; i++)
        if (s[i] < 'A' || s[i] > 'Z' || s[i] == 'O' || strchr(s + i + 1, s[i]))
            return false;
    return strlen(s) == 5;
}

letters letters_read(const char *who, const char *value)
{
    const letters *known;
    if (are_five_letters(value))
        return (letters){value, value};
    for (size_t i = 0; (known = letters_at(i)) != NULL; i++)
        if (strcmp(known->name, value) == 0)
            return *known;
    if (strcmp(who, "--letters-out") == 0 && strcmp(value, "figurine") == 0)
        return (letters){"figurine", NULL};
    error_exit("pgn: %s takes the letters of knight, bishop, rook, queen and king, such as SLTDK, or a language, such "
               "as german, not \"%s\"",
               who, value);
}

/* ---- Move text -------------------------------------------------------------------------------------------------- */

/* Is the next character part of the move text? */
static bool is_move_text(letters_state *s, char c)
{
    const bool is_first = !s->has_line;
    s->has_line = c != '\n' && c != '\r';
    switch (s->inside) {
    case '[':
        if (s->in_quotes) {
            s->in_quotes = s->is_escaped || c != '"';
            s->is_escaped = !s->is_escaped && c == '\\';
        } else if (c == '"') {
            s->in_quotes = true;
        }
        if ((c == ']' && !s->in_quotes) || !s->has_line) /* a value does not continue on the next line */
            s->inside = 0;
        s->in_quotes &= s->inside != 0;
        return false;
    case '{': s->inside = c == '}' ? 0 : '{'; return false;
    case ';':
    case '%': s->inside = s->has_line ? s->inside : 0; return false;
    default: break;
    }
    if (c == '[' || c == '{' || c == ';' || (c == '%' && is_first)) {
        s->inside = c;
        s->in_quotes = s->is_escaped = false;
        return false;
    }
    return true;
}

void letters_begin_reading(letters_state *s, const letters *from)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 256; i++)
        s->map[i] = (char)i;
    for (int i = 0; i < 5; i++)
        s->map[(unsigned char)from->of[i]] = ENGLISH[i];
}

void letters_translate(letters_state *s, char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_move_text(s, text[i]))
            text[i] = s->map[(unsigned char)text[i]];
}

void letters_write(buffer *out, const letters *to, const char *text, size_t n)
{
    static const char *const figurines[] = {"\u2658", "\u2657", "\u2656", "\u2655", "\u2654"};
    letters_state s = {0};
    for (size_t i = 0; i < n; i++) {
        const char *piece = is_move_text(&s, text[i]) && text[i] ? strchr(ENGLISH, text[i]) : NULL;
        if (piece && to->of)
            buffer_add(out, to->of + (piece - ENGLISH), 1);
        else if (piece)
            buffer_string(out, figurines[piece - ENGLISH]);
        else
            buffer_add(out, text + i, 1);
    }
}

/* ---- Guessing --------------------------------------------------------------------------------------------------- */

static bool reads_as(tby_game *out, const letters *from, const char *text, size_t n, unsigned flags)
{
    letters_state s;
    const tby_pgn_options how = {.flags = flags};
    char *copy = memory_new(n + 1, 1);
    memcpy(copy, text, n);
    letters_begin_reading(&s, from);
    letters_translate(&s, copy, n);
    tby_pgn *pgn = memory_got(tby_pgn_new_memory(copy, n, &how, NULL));
    const bool is_good = tby_game_read_pgn(out, pgn, NULL, NULL) == TBY_GAME_GOOD;
    tby_pgn_free(pgn);
    free(copy);
    return is_good;
}

static bool is_new(size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(languages[i].of, languages[index].of) == 0)
            return false;
    return true;
}

static unsigned letter_bit(char c) { return c >= 'A' && c <= 'Z' ? 1U << (c - 'A') : 0; }

static unsigned letters_set(const char *s)
{
    unsigned set = 0;
    for (; *s; s++)
        set |= letter_bit(*s);
    return set;
}

/* Where lines of tags end, so that is_move_text need not skip them character by character. */
static size_t tags_end(const char *text, size_t n)
{
    size_t at = 0;
    while (at < n && text[at] == '[') {
        const char *end = memchr(text + at, '\n', n - at);
        at = end ? (size_t)(end + 1 - text) : n;
    }
    return at;
}

/* The capital letters of the move text except O: all, or enough to see that it is English. No other language has Q, or
   both N and B, so the rest of a text with these is not examined: that applies to most games after a few moves. */
static unsigned letters_used(const char *text, size_t n, bool wants_all)
{
    const unsigned queen = letter_bit('Q'), minor = letter_bit('N') | letter_bit('B');
    letters_state s = {0};
    unsigned set = 0;
    size_t i = wants_all ? 0 : tags_end(text, n);
    for (; i < n && (wants_all || (!(set & queen) && (set & minor) != minor)); i++)
        if (is_move_text(&s, text[i]))
            set |= letter_bit(text[i]);
    return set & ~letter_bit('O');
}

/* Does a language other than English have all capital letters of the text? */
static bool has_all(const letters *of, unsigned used)
{
    return strcmp(of->of, ENGLISH) != 0 && !(used & ~letters_set(of->of));
}

typedef struct guess {
    const letters *found;
    bool is_clear; /* all languages in which it is legal give the same game */
} guess;

/* First among languages that have all letters of the text, then among those that have some and leave the others to
   English. */
static guess guess_among(tby_game *out, tby_game *other, const char *text, size_t n, unsigned flags, bool wants_all)
{
    const unsigned used = letters_used(text, n, true), foreign = used & ~letters_set(ENGLISH);
    guess g = {.is_clear = true};
    const letters *one;
    for (size_t i = 0; g.is_clear && (one = letters_at(i)) != NULL; i++) {
        if (!is_new(i) || has_all(one, used) != wants_all || !(letters_set(one->of) & foreign) ||
            !reads_as(g.found ? other : out, one, text, n, flags))
            continue;
        g.is_clear = !g.found || tby_game_equal(out, other);
        g.found = g.found ? g.found : one;
    }
    return g;
}

const letters *letters_guess(tby_game *out, const char *text, size_t n, unsigned flags)
{
    tby_game *other = memory_got(tby_game_new(NULL));
    guess g = guess_among(out, other, text, n, flags, true);
    if (!g.found)
        g = guess_among(out, other, text, n, flags, false);
    tby_game_free(other);
    return g.is_clear ? g.found : NULL;
}

/* ---- Doubt ------------------------------------------------------------------------------------------------------ */

const letters *letters_doubt(const tby_game *game, const char *text, size_t n, unsigned flags, bool *has_pawn)
{
    const unsigned used = letters_used(text, n, false);
    const letters *found = NULL, *one;
    tby_game *other = NULL;
    *has_pawn = used & letter_bit('P');
    for (size_t i = 0; used && !found && (one = letters_at(i)) != NULL; i++) {
        if (!has_all(one, used) || !is_new(i))
            continue;
        if (!other)
            other = memory_got(tby_game_new(NULL));
        if (reads_as(other, one, text, n, flags) && !tby_game_equal(game, other))
            found = one;
    }
    tby_game_free(other);
    return found;
}
