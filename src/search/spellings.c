/*
 * spellings.c - players' names in games, and which of them may be spellings of another.
 *
 * Two names may be the same player's if tby_person_fits says so and tby_rounds_part does not, and no third name contradicts
 * that. The spelling with the most games is the one to keep.
 */
#include "base/contract.h"
#include "search/search.h"
#include "support/named.h"

#include <stdlib.h>
#include <string.h>

typedef struct spelled {
    char *text;
    uint64_t games;
    uint32_t number; /* from 1, in the order in which they are met */
    tby_person person;
    struct spelled *same; /* the spelling it is a variant of; NULL: none */
} spelled;

struct tby_spellings {
    named_list names;
    buffer numbered;    /* the names (spelled *) by their numbers */
    tby_rounds *rounds; /* NULL: names are only counted */
    bool is_judged;
};

tby_spellings *tby_spellings_new(bool compares)
{
    tby_spellings *s = calloc(1, sizeof *s);
    if (s && compares && !(s->rounds = tby_rounds_new())) {
        free(s);
        s = NULL;
    }
    return s;
}

void tby_spellings_free(tby_spellings *s)
{
    if (!s)
        return;
    named_free(&s->names);
    buffer_free(&s->numbered);
    tby_rounds_free(s->rounds);
    free(s);
}

/* ---- Collecting ------------------------------------------------------------------------------------------------- */

/* Counts a game of the name and sets its number. Empty names and "?" are not counted: 0. False if out of memory. */
static bool add_name(tby_spellings *s, tby_text text, uint32_t *number)
{
    *number = 0;
    if (text.n == 0 || *text.s == '?')
        return true;
    spelled *one = named_get(&s->names, text.s, text.n, sizeof *one);
    if (!one)
        return false;
    if (one->games++ == 0) {
        tby_person_read(&one->person, text.s, text.n);
        buffer_add(&s->numbered, &one, sizeof one);
        one->number = (uint32_t)(s->numbered.n / sizeof one);
    }
    *number = one->number;
    return !s->numbered.has_failed;
}

tby_status tby_spellings_add(tby_spellings *s, const tby_row *row)
{
    TBY_CONTRACT(s && row && !s->is_judged);
    uint32_t white, black;
    if (!add_name(s, row->white, &white) || !add_name(s, row->black, &black))
        return TBY_NO_MEMORY;
    return s->rounds ? tby_rounds_add(s->rounds, row, white, black) : TBY_OK;
}

typedef struct collecting {
    tby_spellings *to;
    tby_db *db;
    bool is_good;
} collecting;

static bool collect_game(void *context, const tby_db_hit *hit)
{
    collecting *c = context;
    tby_row row;
    c->is_good = tby_db_row(&row, c->db, hit->id) == TBY_OK &&
                 (tby_spellings_add(c->to, &row) == TBY_OK || db_fail_memory(c->db));
    return c->is_good;
}

tby_status tby_db_spellings(tby_spellings *spellings, tby_db *db, const tby_db_search *search)
{
    TBY_CONTRACT(spellings && search);
    collecting c = {spellings, db, true};
    tby_db_search own = *search;
    own.wanted = TBY_WANTED_ROWS;
    return db_answer(db, db_find(db, &own, collect_game, &c) && c.is_good);
}

/* ---- The same player? ------------------------------------------------------------------------------------------- */

/* The last name, a NUL after each word. */
static const char *last_of(const spelled *one) { return one->person.words + one->person.last; }
static size_t last_size(const spelled *one) { return one->person.n - one->person.last; }

static int compare_last(const spelled *a, const spelled *b)
{
    const size_t n = last_size(a), m = last_size(b);
    const int order = memcmp(last_of(a), last_of(b), n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

static int by_last(const void *a, const void *b)
{
    const int order = compare_last(*(spelled *const *)a, *(spelled *const *)b);
    return order ? order : named_order(a, b);
}

static const spelled *name_at(const tby_spellings *s, uint32_t number)
{
    const spelled *one;
    memcpy(&one, s->numbered.s + (number - 1) * sizeof one, sizeof one);
    return one;
}

static bool are_same(void *context, uint32_t a, uint32_t b)
{
    return a && b && tby_person_fits(&name_at(context, a)->person, &name_at(context, b)->person);
}

static bool names_fit(tby_spellings *s, const spelled *a, const spelled *b)
{
    return a == b ||
           (tby_person_fits(&a->person, &b->person) && !tby_rounds_part(s->rounds, a->number, b->number, are_same, s));
}

/* The spelling to keep of two that match: the one with more games, else the longer one, else the first. */
static bool is_better(const spelled *a, const spelled *b)
{
    if (a->games != b->games)
        return a->games > b->games;
    if (strlen(a->text) != strlen(b->text))
        return strlen(a->text) > strlen(b->text);
    return strcmp(a->text, b->text) < 0;
}

/* Do all names that match this one, among those with the same last name, also match each other? With both Magnus and
   Maria, "Carlsen,M" is a variant of neither. */
static bool is_clear(tby_spellings *s, spelled *const *group, size_t n, const spelled *one)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (names_fit(s, group[i], one) && names_fit(s, group[k], one) && !names_fit(s, group[i], group[k]))
                return false;
    return true;
}

/* Does `a` have only an initial where `b`, which it matches, has the full name? */
static bool is_shorter(const spelled *a, const spelled *b)
{
    const char *x = a->person.words, *y = b->person.words, *x_end = last_of(a), *y_end = last_of(b);
    for (; x < x_end && y < y_end; x += strlen(x) + 1, y += strlen(y) + 1)
        if (!x[1] && y[1])
            return true;
    return false;
}

/* A name is never shortened to an initial: Georgy may be another player than the G with more games. */
static spelled *best_of(tby_spellings *s, spelled *const *group, size_t n, spelled *one)
{
    spelled *best = one;
    for (size_t i = 0; i < n; i++)
        if (names_fit(s, group[i], one) && !is_shorter(group[i], one) && is_better(group[i], best))
            best = group[i];
    return best;
}

/* With more spellings of one last name than this, comparing all pairs would take too long. */
enum { GROUP_MAX = 300 };

static void judge_group(tby_spellings *s, spelled *const *group, size_t n)
{
    for (size_t i = 0; n > 1 && n <= GROUP_MAX && i < n; i++)
        if (is_clear(s, group, n, group[i]))
            group[i]->same = best_of(s, group, n, group[i]);
}

/* ---- The answer -------------------------------------------------------------------------------------------------- */

static void judge(tby_spellings *s)
{
    named_list *all = &s->names;
    if (s->rounds)
        named_sort(all, by_last);
    for (size_t i = 1, begin = 0; s->rounds && i <= all->n; i++)
        if (i == all->n || compare_last(all->list[i], all->list[begin]) != 0) {
            judge_group(s, (spelled *const *)(void *)all->list + begin, i - begin);
            begin = i;
        }
    named_sort(all, named_order);
    s->is_judged = true;
}

bool tby_spellings_at(tby_spelling *out, tby_spellings *s, size_t index)
{
    TBY_CONTRACT(out && s);
    if (!s->is_judged)
        judge(s);
    if (index >= s->names.n)
        return false;
    const spelled *one = s->names.list[index], *same = one->same;
    const bool is_proposed = same && same != one && same->same == same; /* not ambiguous, nor renamed itself */
    *out = (tby_spelling){.name = one->text, .games = one->games};
    if (is_proposed) {
        out->better = same->text;
        out->better_games = same->games;
    }
    return true;
}
