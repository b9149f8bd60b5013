/*
 * names.c - players' names: how often each occurs, which may be the same player, and renaming.
 *
 * A name is taken apart into a last name and first names: what stands before a comma and behind it, or without a comma
 * the last word and those before it. Words are compared in small letters without accents.
 *
 *     Carlsen,M    Carlsen, M.    Carlsen, Magnus    Magnus Carlsen    carlsen, magnus
 */
#include "names.h"
#include "tabiya_query.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 256, LONG_NAME = 5 };

typedef struct name {
    char *text;
    uint64_t games;
    char last[KEY_SIZE];  /* folded, blanks between words */
    char first[KEY_SIZE]; /* words, a NUL behind each, and one behind the last */
    struct name *same;    /* the one it stands for; NULL: itself */
} name;

struct name_list {
    void *by_text;
    name **list;
    size_t n, cap;
};

static int compare_texts(const void *a, const void *b)
{
    return strcmp(((const name *)a)->text, ((const name *)b)->text);
}

name_list *names_new(void) { return memory_new(1, sizeof(name_list)); }

void names_free(name_list *n)
{
    for (size_t i = 0; i < n->n; i++) {
        tdelete(n->list[i], &n->by_text, compare_texts);
        free(n->list[i]->text);
        free(n->list[i]);
    }
    free(n->list);
    free(n);
}

/* ---- Taking apart ----------------------------------------------------------------------------------------------- */

/* The words of a text, a NUL behind each; how many bytes. Cut where they do not fit. */
static size_t fold(char out[KEY_SIZE], const char *s, size_t n)
{
    char room[4 * KEY_SIZE];
    size_t size = tby_query_words(room, sizeof room, s, n < KEY_SIZE ? n : KEY_SIZE);
    size = size < KEY_SIZE - 2 ? size : KEY_SIZE - 2;
    memcpy(out, room, size);
    if (size && out[size - 1])
        out[size++] = '\0';
    out[size] = '\0';
    return size;
}

static void take_apart(name *one)
{
    const char *comma = strchr(one->text, ',');
    char words[KEY_SIZE];
    size_t n = fold(words, one->text, comma ? (size_t)(comma - one->text) : strlen(one->text)), last = 0;
    if (comma) {
        fold(one->first, comma + 1, strlen(comma + 1));
    } else { /* the last word is the last name */
        for (size_t i = 0; i + 1 < n; i++)
            if (!words[i])
                last = i + 1;
        memcpy(one->first, words, last);
        one->first[last] = '\0';
    }
    for (size_t i = last; i < n; i++)
        one->last[i - last] = words[i] || i + 1 == n ? words[i] : ' ';
}

void names_add_last(buffer *out, const char *s)
{
    name one = {.text = (char *)s};
    take_apart(&one);
    buffer_string(out, one.last);
}

void names_add(name_list *n, const char *s, size_t length)
{
    name key = {0}, *const * found;
    if (length == 0 || *s == '?')
        return;
    key.text = memory_new(length + 1, 1);
    memcpy(key.text, s, length);
    found = tfind(&key, &n->by_text, compare_texts);
    if (found) {
        (*found)->games++;
        free(key.text);
        return;
    }
    name *one = memory_new(1, sizeof *one);
    one->text = key.text;
    one->games = 1;
    take_apart(one);
    if (!array_reserve(&n->list, &n->cap, n->n + 1, sizeof *n->list, NULL) || !tsearch(one, &n->by_text, compare_texts))
        error_exit("out of memory");
    n->list[n->n++] = one;
}

static int by_text(const void *a, const void *b) { return compare_texts(*(name *const *)a, *(name *const *)b); }

static int by_last(const void *a, const void *b)
{
    const int order = strcmp((*(name *const *)a)->last, (*(name *const *)b)->last);
    return order ? order : by_text(a, b);
}

static void sort(name_list *n, int (*order)(const void *a, const void *b))
{
    if (n->n)
        qsort(n->list, n->n, sizeof *n->list, order);
}

size_t names_list(name_list *n, names_visit visit, void *context)
{
    sort(n, by_text);
    for (size_t i = 0; i < n->n; i++)
        visit(context, n->list[i]->text, NULL, n->list[i]->games, 0);
    return n->n;
}

/* ---- The same player? ------------------------------------------------------------------------------------------- */

/* Do they differ in at most one letter: another, one more, or one less? */
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

/* One word of the first names: the same, an initial, or nearly the same if it is long. */
static bool words_fit(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b), less = n < m ? n : m;
    if (strncmp(a, b, less) == 0 && (less == 1 || n == m))
        return true;
    return less >= LONG_NAME && a[0] == b[0] && is_near(a, b);
}

/* Do the first names fit, word by word, as far as both have them? A name without any fits none. */
static bool names_fit(const name *a, const name *b)
{
    const char *x = a->first, *y = b->first;
    if (!*x || !*y)
        return !*x && !*y;
    for (; *x && *y; x += strlen(x) + 1, y += strlen(y) + 1)
        if (!words_fit(x, y))
            return false;
    return true;
}

/* Of two that fit, the one to keep: more games, else the longer one, else the first. */
static bool is_better(const name *a, const name *b)
{
    if (a->games != b->games)
        return a->games > b->games;
    if (strlen(a->text) != strlen(b->text))
        return strlen(a->text) > strlen(b->text);
    return strcmp(a->text, b->text) < 0;
}

/* Among names with the same last name: is what fits this one free of contradiction? "Carlsen,M" stands for nobody where
   there are Magnus and Maria. */
static bool is_clear(name *const *group, size_t n, const name *one)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (names_fit(group[i], one) && names_fit(group[k], one) && !names_fit(group[i], group[k]))
                return false;
    return true;
}

/* Has `a` a mere initial where `b`, which it fits, has the name? */
static bool is_shorter(const name *a, const name *b)
{
    const char *x = a->first, *y = b->first;
    for (; *x && *y; x += strlen(x) + 1, y += strlen(y) + 1)
        if (!x[1] && y[1])
            return true;
    return false;
}

/* A name never becomes an initial: Georgy may be another player than the G with more games. */
static name *best_of(name *const *group, size_t n, name *one)
{
    name *best = one;
    for (size_t i = 0; i < n; i++)
        if (names_fit(group[i], one) && !is_shorter(group[i], one) && is_better(group[i], best))
            best = group[i];
    return best;
}

/* More spellings of one last name than this are many players: too many to compare each with each. */
enum { GROUP_MAX = 300 };

static void judge_group(name *const *group, size_t n)
{
    if (n < 2 || n > GROUP_MAX)
        return;
    for (size_t i = 0; i < n; i++)
        if (is_clear(group, n, group[i]))
            group[i]->same = best_of(group, n, group[i]);
}

size_t names_propose(name_list *n, names_visit visit, void *context)
{
    size_t proposed = 0, begin = 0;
    sort(n, by_last);
    for (size_t i = 1; i <= n->n; i++)
        if (i == n->n || strcmp(n->list[i]->last, n->list[begin]->last) != 0) {
            judge_group(n->list + begin, i - begin);
            begin = i;
        }
    sort(n, by_text);
    for (size_t i = 0; i < n->n; i++) {
        const name *one = n->list[i], *same = one->same;
        if (!same || same == one || same->same != same) /* not one that is unclear itself, or renamed */
            continue;
        visit(context, one->text, same->text, one->games, same->games);
        proposed++;
    }
    return proposed;
}

/* ---- Renaming --------------------------------------------------------------------------------------------------- */

typedef struct pair {
    char *text; /* first, as in name: old */
    const char *new;
} pair;

struct renaming {
    void *by_old;
    pair **list;
    size_t n, cap;
};

static int compare_old(const void *a, const void *b)
{
    return strcmp(((const pair *)a)->text, ((const pair *)b)->text);
}

static void add_pair(renaming *r, const char *path, unsigned long number, char *line)
{
    char *tab = strchr(line, '\t'), *end = tab ? tab + 1 + strcspn(tab + 1, "\t\r\n") : NULL;
    if (*line == '#' || *line == '\n' || *line == '\r' || !*line)
        return;
    if (!tab || tab == line || end == tab + 1)
        error_exit("pgn: %s:%lu: a name, a tab and another name were expected", path, number);
    *tab = *end = '\0';
    pair *one = memory_new(1, sizeof *one);
    one->text = memory_new((size_t)(end - line) + 1, 1);
    memcpy(one->text, line, (size_t)(end - line));
    one->new = one->text + (tab + 1 - line);
    if (!array_reserve(&r->list, &r->cap, r->n + 1, sizeof *r->list, NULL))
        error_exit("out of memory");
    r->list[r->n++] = one;
    pair *const *found = tsearch(one, &r->by_old, compare_old);
    if (!found)
        error_exit("out of memory");
    if (*found != one)
        error_exit("pgn: %s:%lu: \"%s\" is renamed twice", path, number, one->text);
}

renaming *renaming_read(const char *path)
{
    renaming *r = memory_new(1, sizeof *r);
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t cap = 0;
    unsigned long number = 0;
    if (!file)
        error_exit("pgn: %s: %s", path, strerror(errno));
    while (getline(&line, &cap, file) >= 0)
        add_pair(r, path, ++number, line);
    if (ferror(file))
        error_exit("pgn: %s: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return r;
}

void renaming_free(renaming *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++) {
        tdelete(r->list[i], &r->by_old, compare_old);
        free(r->list[i]->text);
        free(r->list[i]);
    }
    free(r->list);
    free(r);
}

const char *renaming_of(const renaming *r, const char *text)
{
    const pair key = {.text = (char *)text};
    pair *const *found = tfind(&key, &r->by_old, compare_old);
    return found ? (*found)->new : NULL;
}
