/*
 * fold.c - compares names and other texts, ignoring case and accents.
 */
#include "query/fold.h"
#include "base/contract.h"
#include "base/utf8.h"
#include "query/fold_table.h"

#include <string.h>

/* ---- Tables --------------------------------------------------------------------------------------------- */

/* The last row of a table whose first member, a uint16_t, is at most `c`: its index + 1, or 0 if there is none. */
static size_t row_of(const void *table, size_t n, size_t size, uint32_t c)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        uint16_t first;
        memcpy(&first, (const char *)table + middle * size, sizeof first);
        if (first <= c)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_in(const fold_span *spans, size_t n, uint32_t c)
{
    const size_t row = row_of(spans, n, sizeof *spans, c);
    return row > 0 && c <= spans[row - 1].last;
}

#define IS_IN(table, c) is_in(table, sizeof(table) / sizeof *(table), c)

static uint32_t folded(uint32_t c)
{
    const size_t row = row_of(fold_ranges, sizeof fold_ranges / sizeof *fold_ranges, sizeof *fold_ranges, c);
    const fold_range *range = row ? &fold_ranges[row - 1] : NULL;
    if (!range || c > range->last || (range->step == 2 && (c - range->first) % 2))
        return c;
    return range->step ? range->target + (c - range->first) : range->target;
}

static size_t fold_far(fold_reader *r, char out[FOLD_SIZE], bool *is_letter)
{
    size_t length;
    const uint32_t c = utf8_get(r->at, (size_t)(r->end - r->at), &length);
    r->at += length;
    *is_letter = c < 0x10000 ? IS_IN(fold_letters, c) : c >= 0x20000 && c < 0x40000;
    if (IS_IN(fold_accents, c)) {
        *is_letter = true;
        return 0;
    }
    const size_t row = row_of(fold_several, sizeof fold_several / sizeof *fold_several, sizeof *fold_several, c);
    if (row && fold_several[row - 1].character == c) {
        const size_t n = strlen(fold_several[row - 1].letters);
        memcpy(out, fold_several[row - 1].letters, n);
        return n;
    }
    return utf8_put(out, folded(c));
}

/* ---- Texts ---------------------------------------------------------------------------------------------- */

size_t fold_next(fold_reader *r, char out[FOLD_SIZE], bool *is_letter)
{
    const unsigned char c = (unsigned char)*r->at;
    if (c >= 0x80)
        return fold_far(r, out, is_letter);
    const bool is_large = c >= 'A' && c <= 'Z';
    *is_letter = is_large || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    out[0] = (char)(is_large ? c + 32 : c);
    r->at++;
    return 1;
}

static size_t put(char *out, size_t cap, size_t at, const char *s, size_t n)
{
    if (n && at + n <= cap)
        memcpy(out + at, s, n);
    return at + n;
}

size_t fold_text(char *out, size_t cap, const char *s, size_t n)
{
    TBY_CONTRACT(cap == 0 || out);
    fold_reader r = {s, s + n};
    size_t length = 0;
    while (r.at < r.end) {
        char folded_letters[FOLD_SIZE];
        bool is_letter;
        const size_t m = fold_next(&r, folded_letters, &is_letter);
        length = put(out, cap, length, folded_letters, m);
    }
    return length;
}

/* With `is_pattern`, words that touch a * are left out. */
static inline size_t put_words(char *out, size_t cap, const char *s, size_t n, bool is_pattern)
{
    fold_reader r = {s, s + n};
    size_t length = 0, start = 0;
    bool is_whole = true; /* no * precedes the word */
    for (;;) {
        char letters[FOLD_SIZE];
        bool is_letter = false;
        const bool is_star = is_pattern && r.at < r.end && *r.at == '*';
        const size_t m = r.at < r.end ? fold_next(&r, letters, &is_letter) : 0;
        if (is_letter) {
            length = put(out, cap, length, letters, m);
            continue;
        }
        if (length > start && is_whole && !is_star)
            start = put(out, cap, length, "", 1);
        length = start;
        is_whole = !is_star;
        if (m == 0)
            return length;
    }
}

size_t fold_words(char *out, size_t cap, const char *s, size_t n) { return put_words(out, cap, s, n, false); }

size_t fold_pattern_words(char *out, size_t cap, const char *pattern, size_t n)
{
    TBY_CONTRACT(cap == 0 || out);
    return put_words(out, cap, pattern, n, true);
}

/* Does the word that begins at the reader's place equal `word`? The reader is left after the word. */
static bool is_word(fold_reader *r, const char *word)
{
    bool is_same = true;
    while (r->at < r->end) {
        const fold_reader before = *r;
        char letters[FOLD_SIZE];
        bool is_letter;
        const size_t n = fold_next(r, letters, &is_letter);
        if (!is_letter) {
            *r = before;
            break;
        }
        for (size_t i = 0; i < n && is_same; i++)
            is_same = *word && *word++ == letters[i];
    }
    return is_same && !*word;
}

static bool has_word(const char *s, size_t n, const char *word)
{
    fold_reader r = {s, s + n};
    while (r.at < r.end) {
        const fold_reader before = r;
        char letters[FOLD_SIZE];
        bool is_letter;
        fold_next(&r, letters, &is_letter);
        if (!is_letter)
            continue;
        r = before;
        if (is_word(&r, word))
            return true;
    }
    return false;
}

bool fold_has_words(const char *s, size_t n, const char *words, size_t n_words)
{
    for (size_t at = 0; at < n_words; at += strlen(words + at) + 1)
        if (!has_word(s, n, words + at))
            return false;
    return true;
}

/* On a mismatch the last * takes one more byte: no recursion, at most n * n_pattern steps. The text is folded while it
   is read, so a place in it is a place in a folded character. */
typedef struct folded_place {
    fold_reader r;
    char letters[FOLD_SIZE];
    size_t at, n;
} folded_place;

/* Makes letters[at] available; false at the end. */
static bool fill(folded_place *p)
{
    bool is_letter;
    while (p->at == p->n && p->r.at < p->r.end) {
        p->n = fold_next(&p->r, p->letters, &is_letter);
        p->at = 0;
    }
    return p->at < p->n;
}

bool fold_fits(const char *s, size_t n, const char *pattern, size_t n_pattern)
{
    folded_place place = {.r = {s, s + n}}, retry = place;
    const char *end = pattern + n_pattern, *star = NULL;
    while (fill(&place)) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            retry = place;
        } else if (pattern < end && *pattern == place.letters[place.at]) {
            pattern++;
            place.at++;
        } else if (star) {
            pattern = star;
            retry.at++;
            fill(&retry);
            place = retry;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}
