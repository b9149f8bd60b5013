/*
 * read_error.c - the error messages of the query reader: the place, what was expected, the nearest word.
 */
#include "base/contract.h"
#include "base/text.h"
#include "query/read.h"
#include "support/distance.h"

#include <stdarg.h>
#include <stdio.h>

/* Bytes of a text that a message shows. */
enum { SHOWN_MOST = 40 };

/* As much of a text as a message shows, without NULs. */
static const char *shown(char out[SHOWN_MOST + 1], const char *s, size_t n)
{
    n = n < SHOWN_MOST ? n : SHOWN_MOST;
    for (size_t i = 0; i < n; i++)
        out[i] = (char)(s[i] ? s[i] : ' ');
    out[n] = '\0';
    return out;
}

bool query_fail(query_reader *r, size_t at, size_t length, const char *format, ...)
{
    TBY_CONTRACT(at <= r->n);
    va_list list;
    if (!reader_is_good(r))
        return false;
    *r->err = (tby_query_error){TBY_INVALID_QUERY, .part = r->part, .offset = r->base + at, .length = length};
    va_start(list, format);
    vsnprintf(r->err->text, sizeof r->err->text, format, list);
    va_end(list);
    for (char *c = r->err->text; *c; c++)
        *c = (char)((unsigned char)*c < ' ' ? ' ' : *c);
    return false;
}

bool query_fail_status(query_reader *r, tby_status status, const char *text)
{
    TBY_CONTRACT(status != TBY_OK);
    const bool is_first = reader_is_good(r);
    query_fail(r, r->at, 0, "%s", text);
    if (is_first)
        r->err->status = status;
    return false;
}

bool query_fail_expected(query_reader *r, size_t at, size_t length, const char *what, const char *s, size_t n)
{
    char found[SHOWN_MOST + 1];
    const bool is_first = reader_is_good(r);
    TBY_CONTRACT(strlen(what) < TBY_QUERY_ERROR_SIZE);
    query_fail(r, at, length, s ? "%s was expected, not \"%s\"" : "%s was expected, not the end", what,
               s ? shown(found, s, n) : "");
    if (is_first)
        r->err->n_expected = strlen(what);
    return false;
}

/* The length of the token at the place, up to a blank, a bracket or a comma; at least one character. */
static size_t token(const query_reader *r)
{
    size_t n = 0;
    while (r->at + n < r->n && !is_blank(r->s[r->at + n]) && !strchr("(),;\"", r->s[r->at + n]))
        n++;
    if (n == 0 && r->at < r->n)
        for (n = 1; r->at + n < r->n && ((unsigned char)r->s[r->at + n] & 0xc0) == 0x80;)
            n++;
    return n < SHOWN_MOST ? n : SHOWN_MOST;
}

bool query_expect(query_reader *r, const char *what)
{
    const size_t n = token(r);
    return query_fail_expected(r, r->at, n, what, n ? r->s + r->at : NULL, n);
}

/* ---- Words ---------------------------------------------------------------------------------------------- */

typedef struct nearest {
    const char *s;
    size_t n;
    unsigned distance;
} nearest;

static void look_at(nearest *best, const char *s, size_t n, const char *word, size_t n_word)
{
    const unsigned distance = word_distance_within(s, n, word, n_word, best->distance);
    if (distance < best->distance)
        *best = (nearest){word, n_word, distance};
}

static nearest nearest_word(const query_reader *r, const char *s, size_t n)
{
    /* With more than every third letter wrong, it is a different word. */
    nearest best = {NULL, 0, (unsigned)(n / 3 + 2 < 4 ? n / 3 + 2 : 4)};
    for (const query_fact *f = query_facts; f < query_facts + n_query_facts; f++)
        if (f->word)
            look_at(&best, s, n, f->word, strlen(f->word));
    const query_pattern *patterns = r->patterns->items;
    for (size_t i = 0; i < r->n_patterns; i++)
        look_at(&best, s, n, patterns[i].name.s, patterns[i].name.n);
    return best;
}

/* Is the word one of these, with a blank between? */
static bool is_one_of(const char *words, const char *s, size_t n)
{
    for (; *words; words += strspn(words, " ")) {
        const size_t length = strcspn(words, " ");
        if (length == n && memcmp(words, s, n) == 0)
            return true;
        words += length;
    }
    return false;
}

/* What people mean by words that are none of the language; NULL: not known. */
static const char *meaning_of(const char *s, size_t n)
{
    static const char material[] = "material is written KRPvKR, with White's pieces first";
    static const struct {
        const char *words, *meaning;
    } known[] = {
        {"since until year years before after from", "dates are ranges: date 2020.., date ..2019, date 2020"},
        {"draw draws drawn win wins won loss lost", "write result 1-0, result 0-1 or result 1/2-1/2"},
        {"rating ratings min-elo", "ratings are ranges: elo 2400.., any-elo 2600.., white-elo ..2000"},
        {"opposite opposite-colored opposite-coloured", "bishops on different colours are opposite-bishops"},
        {"checkmate", "mate ends a game; M-# is the move that mates"},
        {"material", material},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_one_of(known[i].words, s, n))
            return known[i].meaning;
    const bool has_kings = n > 2 && (*s | 32) == 'k' && memchr("Kk", s[1], 2) == NULL;
    for (size_t i = 0; has_kings && i < n; i++)
        if (!strchr("KQRBNPkqrbnpv-", s[i]))
            return NULL;
    return has_kings ? material : NULL;
}

/* The sentence for an unknown word; `best` is the nearest known one. */
static void fail_nearest(query_reader *r, size_t at, size_t n, const nearest *best)
{
    char word[SHOWN_MOST + 1];
    const int n_best = (int)best->n;
    const bool is_typo = best->distance == 1; /* with more wrong letters it may be a name */
    shown(word, r->s + at, n);
    if (!best->s)
        query_fail(r, at, n, "no such word: \"%s\"; for a name: player %s", word, word);
    else if (best->distance == 0)
        query_fail(r, at, n, "no such word: \"%s\"; words are in lower case: \"%.*s\"", word, n_best, best->s);
    else
        query_fail(r, at, n, "no such word: \"%s\"; did you mean \"%.*s\"?%s%s", word, n_best, best->s,
                   is_typo ? "" : " For a name: player ", is_typo ? "" : word);
}

bool query_fail_word(query_reader *r, size_t at, size_t n)
{
    if (!reader_is_good(r))
        return false;
    const char *meaning = meaning_of(r->s + at, n);
    if (meaning)
        return query_fail(r, at, n, "no such word: \"%.*s\"; %s", (int)(n < SHOWN_MOST ? n : SHOWN_MOST), r->s + at,
                          meaning);
    const nearest best = nearest_word(r, r->s + at, n);
    fail_nearest(r, at, n, &best);
    if (best.s && best.n < sizeof r->err->near)
        memcpy(r->err->near, best.s, best.n);
    return false;
}

/* ---- The whole message ---------------------------------------------------------------------------------- */

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/* Only the part of a long line near the place is shown. */
enum { SHOWN_BEFORE = 60, SHOWN_BEHIND = 40 };

static bool is_inside_character(const char *s, size_t at) { return ((unsigned char)s[at] & 0xc0) == 0x80; }

static size_t line_begin(const char *s, size_t offset, bool *is_cut)
{
    size_t at = offset;
    while (at > 0 && offset - at < SHOWN_BEFORE && !is_line_end(s[at - 1]))
        at--;
    *is_cut = at > 0 && !is_line_end(s[at - 1]);
    while (at < offset && is_inside_character(s, at))
        at++;
    return at;
}

static size_t line_end(const char *s, size_t n, size_t offset, bool *is_cut)
{
    size_t at = offset;
    while (at < n && at - offset < SHOWN_BEHIND && !is_line_end(s[at]))
        at++;
    *is_cut = at < n && !is_line_end(s[at]);
    while (at > offset && at < n && is_inside_character(s, at))
        at--;
    return at;
}

/* Writes the line, indented by two columns, and the caret below the place. A UTF-8 character is one column. */
static void put_line(text_writer *out, const char *s, size_t n, size_t offset)
{
    bool is_cut_before, is_cut_behind;
    const size_t begin_at = line_begin(s, offset, &is_cut_before), end = line_end(s, n, offset, &is_cut_behind);
    text_string(out, is_cut_before ? "  ..." : "  ");
    for (size_t i = begin_at; i < end; i++)
        text_char(out, (unsigned char)s[i] < ' ' ? ' ' : s[i]);
    text_string(out, is_cut_behind ? "...\n" : "\n");
    text_string(out, is_cut_before ? "     " : "  ");
    for (size_t i = begin_at; i < offset; i++)
        if (!is_inside_character(s, i))
            text_char(out, ' ');
    text_char(out, '^');
}

size_t tby_query_error_write(char *buf, size_t cap, const tby_query_error *err, const char *s, size_t n)
{
    text_writer out = text_begin(buf, cap);
    text_string(&out, err->text);
    text_char(&out, '\n');
    put_line(&out, s, n, err->offset < n ? err->offset : n);
    return text_end(&out);
}
