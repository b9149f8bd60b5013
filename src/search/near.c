/*
 * near.c - players' names that resemble a name without games: Carlsen,M for "Carlsen, Magnus".
 *
 * Candidates are, for one word of the name after the other, the names that have it, or that begin like it; at last those
 * with a word that does. Only names are read, never games.
 */
#include "base/contract.h"
#include "query/facts.h"
#include "search/search.h"
#include "support/distance.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORDS_SIZE = 256,
    NAMES_MAX = 64,
    NAME_SIZE = 128,
    DISTANCE_MAX = 4, /* of words without similarity */
    NEAR = 2,         /* the largest distance of a similar word of more than SHORT letters; of others, 1 */
    SHORT = 4,
    LETTERS = 3 /* how many first letters must be equal */
};

/* The words of a name, each followed by a NUL. */
typedef struct name_words {
    char s[WORDS_SIZE];
    size_t n;
} name_words;

typedef struct near_name {
    char s[NAME_SIZE];
    size_t n;
    unsigned distance; /* lower is more similar */
    int64_t games;
} near_name;

typedef struct searching {
    tby_db *db;
    name_words asked;
    near_name names[NAMES_MAX]; /* the nearest first */
    size_t n_names;
} searching;

static void read_words(name_words *out, const char *s, size_t n)
{
    const size_t needed = tby_query_words(out->s, sizeof out->s, s, n);
    out->n = needed <= sizeof out->s ? needed : 0;
}

/* The distance from a word to the nearest of the others. An abbreviation of at least half the word's length matches any
   word that begins with it, and so does an initial if there are other words to compare. */
static unsigned word_distance(const char *word, const name_words *others, bool is_alone)
{
    const size_t n = strlen(word);
    unsigned nearest = DISTANCE_MAX;
    for (size_t at = 0; at < others->n; at += strlen(others->s + at) + 1) {
        const char *other = others->s + at;
        const size_t m = strlen(other), shared = n < m ? n : m;
        const bool is_short_form = (m <= 2 && !is_alone) || 2 * m >= n;
        const bool is_start = shared && is_short_form && memcmp(word, other, shared) == 0;
        const unsigned distance = is_start ? n != m : word_distance_within(word, n, other, m, DISTANCE_MAX);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

/* The sum for all words; UINT16_MAX if one of them is not similar. */
static unsigned distance_of(const name_words *asked, tby_text name)
{
    name_words words;
    unsigned sum = 0;
    const bool is_alone = asked->n && strlen(asked->s) + 1 == asked->n;
    read_words(&words, name.s, name.n);
    for (size_t at = 0, n; at < asked->n; at += n + 1) {
        n = strlen(asked->s + at);
        const unsigned distance = word_distance(asked->s + at, &words, is_alone);
        if (distance > (n > SHORT ? NEAR : 1))
            return UINT16_MAX;
        sum += distance;
    }
    return words.n ? sum : UINT16_MAX;
}

static int compare_names(const near_name *x, const near_name *y)
{
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    const int order = memcmp(x->s, y->s, x->n < y->n ? x->n : y->n);
    return order ? order : x->n < y->n ? -1 : x->n > y->n;
}

static bool is_near(void *context, tby_text name)
{
    const searching *s = context;
    return name.n > 0 && name.n <= NAME_SIZE && name_may_fit(name, s->asked.s, s->asked.n) &&
           distance_of(&s->asked, name) != UINT16_MAX;
}

/* A name may be found by several of its words. */
static void take_name(void *context, tby_text name, int64_t games)
{
    searching *s = context;
    near_name new = {.n = name.n, .games = games, .distance = distance_of(&s->asked, name)};
    size_t at = s->n_names;
    memcpy(new.s, name.s, name.n);
    while (at > 0 && compare_names(&new, &s->names[at - 1]) < 0)
        at--;
    if (at == NAMES_MAX || (at > 0 && compare_names(&new, &s->names[at - 1]) == 0))
        return;
    s->n_names += s->n_names < NAMES_MAX;
    memmove(&s->names[at + 1], &s->names[at], (s->n_names - at - 1) * sizeof *s->names);
    s->names[at] = new;
}

/* Names that have the word; or that begin like it; or in which any word does. */
typedef enum near_way { HAVING, BEGINNING, ANYWHERE } near_way;

static bool find_names(searching *s, const char *word, near_way way)
{
    const size_t n = strlen(word);
    char beginning[LETTERS + 1] = "";
    for (size_t i = 0; i < LETTERS && way != HAVING; i++) {
        if (i >= n || (word[i] & 0x80)) /* too short, or it may be written in many ways */
            return true;
        beginning[i] = word[i];
    }
    const name_search search = {.table = NAMES_PLAYER,
                                .words = {word, way == HAVING ? n + 1 : 0},
                                .beginning = beginning,
                                .is_anywhere = way == ANYWHERE,
                                .is_quick = true,
                                .fits = is_near,
                                .take = take_name,
                                .context = s};
    return s->db->kind->names(s->db, &search);
}

/* Candidates for one word; true after a failure, or if a name was found. */
static bool find_word(searching *s, const char *word, bool *is_good)
{
    *is_good = find_names(s, word, HAVING) && (s->n_names || find_names(s, word, BEGINNING));
    return !*is_good || s->n_names;
}

bool search_near(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context)
{
    TBY_CONTRACT(name || n == 0);
    searching *s = calloc(1, sizeof *s);
    bool is_good = s != NULL;
    tby_person person;
    if (!s)
        return db_fail_memory(db);
    s->db = db;
    read_words(&s->asked, name, n);
    tby_person_read(&person, name, n);
    /* The last name first: fewer people have it. */
    bool is_over = s->asked.n == 0;
    for (size_t at = person.last; !is_over && at < person.n; at += strlen(person.words + at) + 1)
        is_over = find_word(s, person.words + at, &is_good);
    for (size_t at = 0; !is_over && at < person.last; at += strlen(person.words + at) + 1)
        is_over = find_word(s, person.words + at, &is_good);
    if (!is_over)
        is_good = find_names(s, person.words + (person.last < person.n ? person.last : 0), ANYWHERE);
    for (size_t i = 0; is_good && i < s->n_names && i < most; i++)
        visit(context, (tby_text){s->names[i].s, s->names[i].n});
    free(s);
    return is_good;
}
