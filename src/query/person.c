/*
 * person.c - players' names as people write them: may two spellings be the same person?
 *
 * A name consists of a last name and first names: the parts before and after a comma, or without a comma the last word
 * and the words before it. Words are compared in lower case without accents.
 *
 *     Carlsen,M    Carlsen, M.    Carlsen, Magnus    Magnus Carlsen    carlsen, magnus
 *
 * Names that differ in digits, or in Jr, Sr, II and III, are different people: sources number namesakes (Fridman,D2).
 */
#include "query/fold.h"
#include "tabiya_query.h"

#include <string.h>

enum { LONG_NAME = 5, SHORT_NAME = 2 };

/* 'j' for Jr, 's' for Sr, the number for II to IV, 0 for any other word. */
static char mark_of(const char *word)
{
    /* the mark, and a word */
    static const char *const marks[] = {"jjr",  "jjnr",    "jjun", "jjunior", "ssr", "ssnr",
                                        "ssen", "ssenior", "2ii",  "3iii",    "4iv"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strcmp(word, marks[i] + 1) == 0)
            return *marks[i];
    return 0;
}

/* Adds the words of a text; words that do not fit are left out. */
static void add_words(tby_person *p, const char *s, size_t n)
{
    char room[4 * TBY_PERSON_SIZE];
    const size_t needed = fold_words(room, sizeof room, s, n < TBY_PERSON_SIZE ? n : TBY_PERSON_SIZE);
    const size_t size = needed < sizeof room ? needed : sizeof room;
    for (size_t at = 0, length; at < size; at += length) {
        const char *end = memchr(room + at, '\0', size - at);
        length = end ? (size_t)(end - room) + 1 - at : sizeof p->words;
        if (p->n + length > sizeof p->words)
            return;
        memcpy(p->words + p->n, room + at, length);
        p->n += length;
    }
}

/* Removes the last of the words from `begin` on if it means Jr, Sr or II and at least `least` other words come before it:
   "Xie, Jun" has a first name. */
static void take_mark(tby_person *p, size_t begin, size_t least)
{
    size_t last = begin, n_words = 0;
    for (size_t at = begin; at < p->n; at += strlen(p->words + at) + 1, n_words++)
        last = at;
    const char mark = n_words > least ? mark_of(p->words + last) : 0;
    if (mark) {
        p->mark = mark;
        p->n = last;
    }
}

void tby_person_read(tby_person *out, const char *s, size_t n)
{
    const char *comma = n ? memchr(s, ',', n) : NULL;
    *out = (tby_person){.has_comma = comma != NULL};
    if (comma) {
        add_words(out, comma + 1, n - (size_t)(comma + 1 - s));
        take_mark(out, 0, 1);
        out->last = out->n;
        add_words(out, s, (size_t)(comma - s));
        take_mark(out, out->last, 1);
        return;
    }
    add_words(out, s, n);
    take_mark(out, 0, 2);
    for (size_t i = 0; i + 1 < out->n; i++)
        if (!out->words[i])
            out->last = i + 1;
}

/* Do they differ in at most one letter: changed, added or missing? */
static bool is_near(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    size_t front = 0, back = 0;
    if (n > m)
        return is_near(b, a);
    while (front < n && a[front] == b[front])
        front++;
    while (back < n - front && a[n - 1 - back] == b[m - 1 - back])
        back++;
    return m - n <= 1 && front + back + 1 >= m;
}

/* Compares one word of the first names: equal, an abbreviation of up to `most` letters, or similar if it is long. */
static bool words_fit(const char *a, const char *b, size_t most)
{
    const size_t n = strlen(a), m = strlen(b), less = n < m ? n : m;
    if (strncmp(a, b, less) == 0 && (less <= most || n == m))
        return true;
    return less >= LONG_NAME && a[0] == b[0] && is_near(a, b);
}

/* The size of the last name in bytes; without a comma, it may take as many words as the other's: "Loek van Wely" and
   "van Wely,L". */
static size_t last_size(const tby_person *p, const tby_person *other)
{
    const size_t own = p->n - p->last, wanted = other->n - other->last;
    const bool is_longer = !p->has_comma && wanted > own &&
                           (wanted == p->n || (wanted < p->n && !p->words[p->n - wanted - 1]));
    return is_longer ? wanted : own;
}

/* The next digit of the words from `*at` on; 0 at their end. */
static char next_digit(const tby_person *p, size_t *at)
{
    while (*at < p->n) {
        const char c = p->words[(*at)++];
        if (c >= '0' && c <= '9')
            return c;
    }
    return 0;
}

/* Do they have the same digits, and both Jr or Sr, or neither? */
static bool has_same_marks(const tby_person *a, const tby_person *b)
{
    size_t i = 0, k = 0;
    char digit;
    do {
        digit = next_digit(a, &i);
        if (digit != next_digit(b, &k))
            return false;
    } while (digit);
    return a->mark == b->mark;
}

static bool fits(const tby_person *a, const tby_person *b, size_t most)
{
    const size_t last = last_size(a, b);
    if (last == 0 || last != last_size(b, a) || memcmp(a->words + a->n - last, b->words + b->n - last, last) != 0)
        return false;
    const char *x = a->words, *y = b->words, *x_end = x + a->n - last, *y_end = y + b->n - last;
    if (x == x_end || y == y_end) /* a last name alone matches nothing */
        return x == x_end && y == y_end;
    for (; x < x_end && y < y_end; x += strlen(x) + 1, y += strlen(y) + 1)
        if (!words_fit(x, y, most))
            return false;
    return true;
}

/* Is the only first name a word that more often means Jr or Sr? Jun and Sen are first names as often. */
static bool has_doubtful_mark(const tby_person *p)
{
    const char mark = p->last && strlen(p->words) + 1 == p->last ? mark_of(p->words) : 0;
    return (mark == 'j' || mark == 's') && strcmp(p->words, "jun") != 0 && strcmp(p->words, "sen") != 0;
}

/* "Sai,S" may be the father of "Sai,Sr", even if Sr is the beginning of a first name. */
bool tby_person_fits(const tby_person *a, const tby_person *b)
{
    if ((has_doubtful_mark(a) || has_doubtful_mark(b)) && strcmp(a->words, b->words) != 0)
        return false;
    return has_same_marks(a, b) && fits(a, b, 1);
}

bool person_is_single(const tby_person *p) { return strlen(p->words) + 1 >= p->n; }

/* A single word is the name of a family rather than of a person: everyone who has it is meant. */
bool person_is_asked(const char *asked, size_t n_asked, const char *name, size_t n)
{
    tby_person wanted, found;
    tby_person_read(&wanted, asked, n_asked);
    const bool has_words = wanted.n && fold_has_words(name, n, wanted.words, wanted.n);
    if (person_is_single(&wanted))
        return has_words;
    tby_person_read(&found, name, n);
    return has_same_marks(&wanted, &found) && (has_words || fits(&wanted, &found, SHORT_NAME));
}
