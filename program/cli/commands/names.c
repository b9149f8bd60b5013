/*
 * names.c - players' names: how often each occurs, which may be the same player, and renaming.
 *
 * The library decides which spellings may belong to the same person: tby_person_fits.
 */
#include "names.h"
#include "tabiya_query.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

typedef struct name {
    char *text;
    uint64_t games;
    tby_person person;
    struct name *same; /* the spelling it is a variant of; NULL: none */
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

/* The last name, a NUL after each word. */
static const char *last_of(const name *one) { return one->person.words + one->person.last; }
static size_t last_size(const name *one) { return one->person.n - one->person.last; }

void names_add_last(buffer *out, const char *s)
{
    tby_person person;
    tby_person_read(&person, s, strlen(s));
    for (size_t i = person.last; i + 1 < person.n; i++)
        buffer_add(out, person.words[i] ? person.words + i : " ", 1);
}

void names_add(name_list *n, const char *s, size_t length)
{
    name key = {0}, *const * found;
    if (length == 0 || *s == '?')
        return;
    key.text = memory_got(strndup(s, length));
    found = tfind(&key, &n->by_text, compare_texts);
    if (found) {
        (*found)->games++;
        free(key.text);
        return;
    }
    name *one = memory_new(1, sizeof *one);
    one->text = key.text;
    one->games = 1;
    tby_person_read(&one->person, s, length);
    memory_need(array_reserve(&n->list, &n->cap, n->n + 1, sizeof *n->list, NULL) &&
                tsearch(one, &n->by_text, compare_texts));
    n->list[n->n++] = one;
}

static int by_text(const void *a, const void *b) { return compare_texts(*(name *const *)a, *(name *const *)b); }

static int by_last(const void *a, const void *b)
{
    const name *x = *(name *const *)a, *y = *(name *const *)b;
    const size_t n = last_size(x), m = last_size(y);
    const int order = memcmp(last_of(x), last_of(y), n < m ? n : m);
    return order ? order : n != m ? (n > m) - (n < m) : by_text(a, b);
}

static void sort(name_list *n, int (*order)(const void *a, const void *b))
{
    if (n->n)
        qsort(n->list, n->n, sizeof *n->list, order);
}

/* ---- The same player? ------------------------------------------------------------------------------------------- */

static bool names_fit(const name *a, const name *b) { return tby_person_fits(&a->person, &b->person); }

/* The spelling to keep of two that match: the one with more games, else the longer one, else the first. */
static bool is_better(const name *a, const name *b)
{
    if (a->games != b->games)
        return a->games > b->games;
    if (strlen(a->text) != strlen(b->text))
        return strlen(a->text) > strlen(b->text);
    return strcmp(a->text, b->text) < 0;
}

/* Do all names that match this one, among those with the same last name, also match each other? With both Magnus and
   Maria, "Carlsen,M" is a variant of neither. */
static bool is_clear(name *const *group, size_t n, const name *one)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (names_fit(group[i], one) && names_fit(group[k], one) && !names_fit(group[i], group[k]))
                return false;
    return true;
}

/* Does `a` have only an initial where `b`, which it matches, has the full name? */
static bool is_shorter(const name *a, const name *b)
{
    const char *x = a->person.words, *y = b->person.words, *x_end = last_of(a), *y_end = last_of(b);
    for (; x < x_end && y < y_end; x += strlen(x) + 1, y += strlen(y) + 1)
        if (!x[1] && y[1])
            return true;
    return false;
}

/* A name is never shortened to an initial: Georgy may be another player than the G with more games. */
static name *best_of(name *const *group, size_t n, name *one)
{
    name *best = one;
    for (size_t i = 0; i < n; i++)
        if (names_fit(group[i], one) && !is_shorter(group[i], one) && is_better(group[i], best))
            best = group[i];
    return best;
}

/* With more spellings of one last name than this, comparing all pairs would take too long. */
enum { GROUP_MAX = 300 };

static void judge_group(name *const *group, size_t n)
{
    for (size_t i = 0; n > 1 && n <= GROUP_MAX && i < n; i++)
        if (is_clear(group, n, group[i]))
            group[i]->same = best_of(group, n, group[i]);
}

static bool has_same_last(const name *a, const name *b)
{
    return last_size(a) == last_size(b) && memcmp(last_of(a), last_of(b), last_size(a)) == 0;
}

size_t names_each(name_list *n, bool takes_all, names_visit visit)
{
    size_t n_visited = 0, begin = 0;
    if (!takes_all)
        sort(n, by_last);
    for (size_t i = 1; !takes_all && i <= n->n; i++)
        if (i == n->n || !has_same_last(n->list[i], n->list[begin])) {
            judge_group(n->list + begin, i - begin);
            begin = i;
        }
    sort(n, by_text);
    for (size_t i = 0; i < n->n; i++) {
        const name *one = n->list[i], *same = one->same;
        const bool is_proposed = same && same != one && same->same == same; /* not ambiguous, nor renamed itself */
        if (takes_all)
            visit(one->text, NULL, one->games, 0);
        else if (is_proposed)
            visit(one->text, same->text, one->games, same->games);
        n_visited += takes_all || is_proposed;
    }
    return n_visited;
}

/* ---- Renaming --------------------------------------------------------------------------------------------------- */

typedef struct pair {
    char *old, *new;
    struct pair *next;
} pair;

struct renaming {
    void *by_old;
    pair *first;
};

static int compare_old(const void *a, const void *b) { return strcmp(((const pair *)a)->old, ((const pair *)b)->old); }

static void add_pair(renaming *r, const char *path, unsigned long number, char *line)
{
    char *tab = strchr(line, '\t'), *end = tab ? tab + 1 + strcspn(tab + 1, "\t\r\n") : NULL;
    if (*line == '#' || *line == '\n' || *line == '\r' || !*line)
        return;
    if (!tab || tab == line || end == tab + 1)
        error_exit("pgn: %s:%lu: a name, a tab and another name were expected", path, number);
    *tab = *end = '\0';
    pair *one = memory_new(1, sizeof *one);
    *one = (pair){memory_got(strdup(line)), memory_got(strdup(tab + 1)), r->first};
    r->first = one;
    pair *const *found = memory_got(tsearch(one, &r->by_old, compare_old));
    if (*found != one)
        error_exit("pgn: %s:%lu: \"%s\" is renamed twice", path, number, one->old);
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
    for (pair *one = r->first, *next; one; one = next) {
        next = one->next;
        tdelete(one, &r->by_old, compare_old);
        free(one->old);
        free(one->new);
        free(one);
    }
    free(r);
}

const char *renaming_of(const renaming *r, const char *text)
{
    const pair key = {.old = (char *)text};
    pair *const *found = tfind(&key, &r->by_old, compare_old);
    return found ? (*found)->new : NULL;
}
