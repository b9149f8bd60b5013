/*
 * plain_names.c - the openings and named patterns that plain words mean.
 *
 * An opening is meant by words of its name. If they are part of the name of its family ("Sicilian Defense"), or begin the
 * name of a variation with many lines ("Najdorf Variation"), the opening is major and comes before a player of that name;
 * otherwise a player does: there is a Carlsen Variation, too.
 *
 *     najdorf    queens gambit    kings indian defence    caro-kann    B90    B90-B99
 */
#include "plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_SIZE = 2 * PLAIN_VALUE_SIZE, MANY_LINES = 20 };

/* Folded words, each followed by a NUL. */
typedef struct folded {
    char s[WORDS_SIZE];
    size_t n;
} folded;

static void fold(folded *out, const char *s, size_t n)
{
    const size_t needed = tby_query_words(out->s, sizeof out->s, s, n);
    out->n = needed <= sizeof out->s ? needed : 0;
}

static bool has_word(const folded *of, const char *word)
{
    for (size_t at = 0; at < of->n; at += strlen(of->s + at) + 1)
        if (strcmp(of->s + at, word) == 0)
            return true;
    return false;
}

static bool has_words(const folded *of, const folded *words)
{
    for (size_t at = 0; at < words->n; at += strlen(words->s + at) + 1)
        if (!has_word(of, words->s + at))
            return false;
    return true;
}

static bool begins_with(const folded *of, const folded *words)
{
    return words->n <= of->n && memcmp(of->s, words->s, words->n) == 0;
}

/* ---- Openings --------------------------------------------------------------------------------------------------- */

/* Words that are in many names say nothing by themselves. */
static bool says_something(const folded *words)
{
    static const char *const common[] = {"defense", "opening",  "variation", "attack", "gambit",   "system",
                                         "game",    "line",     "open",      "closed", "accepted", "declined",
                                         "main",    "exchange", "s",         "of",     "the",      "classical",
                                         "modern",  "old",      "new",       "with",   "and"};
    for (size_t at = 0; at < words->n; at += strlen(words->s + at) + 1) {
        bool is_common = false;
        for (size_t i = 0; i < sizeof common / sizeof *common; i++)
            is_common |= strcmp(words->s + at, common[i]) == 0;
        if (!is_common && words->s[at + 1] && !(words->s[at] >= '0' && words->s[at] <= '9'))
            return true;
    }
    return false;
}

/* Could the name contain a word, given in lower case? Compares without folding, so a name that is not ASCII could contain any. */
static bool may_have_word(const char *name, const char *word)
{
    for (; *name; name++) {
        size_t n = 0;
        while (word[n] && (name[n] | 32) == word[n])
            n++;
        if (!word[n] || name[n] & 0x80)
            return true;
    }
    return false;
}

static bool may_have_words(const char *name, const folded *words)
{
    for (size_t at = 0; at < words->n; at += strlen(words->s + at) + 1)
        if (!may_have_word(name, words->s + at))
            return false;
    return true;
}

static plain_fame fame_of(const folded *words)
{
    tby_opening opening;
    folded name;
    unsigned n_lines = 0;
    plain_fame fame = OPENING_NONE;
    for (size_t i = 0; tby_opening_at(&opening, i); i++) {
        const size_t family = strcspn(opening.name, ":");
        if (!may_have_words(opening.name, words))
            continue;
        fold(&name, opening.name, strlen(opening.name));
        if (!has_words(&name, words))
            continue;
        fame = OPENING_MINOR;
        fold(&name, opening.name, family);
        if (has_words(&name, words))
            return OPENING_MAJOR;
        const char *variation = opening.name + family + (opening.name[family] == ':');
        fold(&name, variation, strcspn(variation, ","));
        n_lines += begins_with(&name, words);
    }
    return n_lines >= MANY_LINES ? OPENING_MAJOR : fame;
}

/* Writes the words as names of openings spell them: "defence" is "defense", and with `splits`, "kings" is "king's". */
static void spell(char out[PLAIN_VALUE_SIZE], const folded *words, bool splits)
{
    size_t n = 0;
    out[0] = '\0';
    for (size_t at = 0; at < words->n && n < PLAIN_VALUE_SIZE; at += strlen(words->s + at) + 1) {
        const char *word = strcmp(words->s + at, "defence") == 0 ? "defense" : words->s + at;
        const size_t length = strlen(word);
        const bool is_split = splits && length > 3 && word[length - 1] == 's';
        n += (size_t)snprintf(out + n, PLAIN_VALUE_SIZE - n, is_split ? "%s%.*s's" : "%s%.*s", n ? " " : "",
                              (int)(length - is_split), word);
    }
    if (n >= PLAIN_VALUE_SIZE)
        out[0] = '\0';
}

bool plain_is_code(const char *s, size_t n)
{
    if (n == 7)
        return s[3] == '-' && plain_is_code(s, 3) && plain_is_code(s + 4, 3);
    return n == 3 && (*s | 32) >= 'a' && (*s | 32) <= 'e' && s[1] >= '0' && s[1] <= '9' && s[2] >= '0' && s[2] <= '9';
}

plain_fame plain_opening(char out[PLAIN_VALUE_SIZE], const char *s, size_t n)
{
    folded words, typed;
    if (plain_is_code(s, n)) {
        snprintf(out, PLAIN_VALUE_SIZE, "%.*s", (int)n, s);
        return OPENING_MAJOR;
    }
    plain_fame fame = OPENING_NONE;
    fold(&typed, s, n);
    for (int splits = 0; splits < 2 && fame == OPENING_NONE; splits++) {
        spell(out, &typed, splits);
        fold(&words, out, strlen(out));
        fame = says_something(&words) ? fame_of(&words) : OPENING_NONE;
    }
    if (typed.n == words.n && memcmp(typed.s, words.s, words.n) == 0 && n < PLAIN_VALUE_SIZE)
        snprintf(out, PLAIN_VALUE_SIZE, "%.*s", (int)n, s); /* as it was typed */
    return fame == OPENING_MINOR && plain_pattern(s, n) ? OPENING_MAJOR : fame;
}

/* ---- Patterns --------------------------------------------------------------------------------------------------- */

static bool is_same(const folded *words, const char *s, size_t n)
{
    folded other;
    fold(&other, s, n);
    return words->n && other.n == words->n && memcmp(other.s, words->s, words->n) == 0;
}

/* By its name, with blanks or hyphens, or another one. */
const char *plain_pattern(const char *s, size_t n)
{
    const tby_query_pattern *p;
    folded words;
    fold(&words, s, n);
    for (size_t i = 0; (p = tby_query_pattern_at(i)) != NULL; i++) {
        if (is_same(&words, p->name, strlen(p->name)))
            return p->name;
        for (const char *also = p->also; also && *also;
             also += also[strcspn(also, ",")] ? strcspn(also, ",") + 1 : strlen(also))
            if (is_same(&words, also, strcspn(also, ",")))
                return p->name;
    }
    return NULL;
}
