/*
 * names.c - players' names: how often each occurs, which may be the same player, and renaming.
 *
 * The library decides which spellings may belong to the same person: tby_person_fits.
 */
#include "names.h"
#include "tabiya_query.h"

#include <string.h>

typedef struct name {
    char *text;
    uint64_t games;
    tby_person person;
    struct name *same; /* the spelling it is a variant of; NULL: none */
} name;

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

void names_add(named_list *all, const char *s, size_t n)
{
    if (n == 0 || *s == '?')
        return;
    name *one = named_get(all, s, n, sizeof *one);
    if (one->games++ == 0)
        tby_person_read(&one->person, s, n);
}

static int by_last(const void *a, const void *b)
{
    const name *x = *(name *const *)a, *y = *(name *const *)b;
    const size_t n = last_size(x), m = last_size(y);
    const int order = memcmp(last_of(x), last_of(y), n < m ? n : m);
    return order ? order : n != m ? (n > m) - (n < m) : named_order(a, b);
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

size_t names_each(named_list *all, bool takes_all, names_visit visit)
{
    size_t n_visited = 0, begin = 0;
    if (!takes_all)
        named_sort(all, by_last);
    for (size_t i = 1; !takes_all && i <= all->n; i++)
        if (i == all->n || !has_same_last(all->list[i], all->list[begin])) {
            judge_group((name *const *)all->list + begin, i - begin);
            begin = i;
        }
    named_sort(all, named_order);
    for (size_t i = 0; i < all->n; i++) {
        const name *one = all->list[i], *same = one->same;
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

named_list renaming_read(const char *path)
{
    named_list all = {0};
    line_reader l = lines_open("pgn", path);
    while (lines_next(&l)) {
        char *tab = strchr(l.line, '\t');
        const size_t n = tab ? strcspn(tab + 1, "\t\r") : 0;
        if (*l.line == '#' || *l.line == '\r' || !*l.line)
            continue;
        if (!tab || tab == l.line || n == 0)
            error_exit("pgn: %s:%lu: a name, a tab and another name were expected", path, l.number);
        *tab = '\0';
        if (named_find(&all, l.line))
            error_exit("pgn: %s:%lu: \"%s\" is renamed twice", path, l.number, l.line);
        new_name *one = named_get(&all, l.line, (size_t)(tab - l.line), sizeof *one + n + 1);
        memcpy(one->new, tab + 1, n);
    }
    return all;
}
