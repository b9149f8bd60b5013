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

typedef struct searching {
    tby_db *db;
    name_words asked;
    found_names found;
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

static bool is_near(void *context, tby_text name)
{
    const searching *s = context;
    return name.n > 0 && name.n <= FOUND_NAME_SIZE && name_may_fit(name, s->asked.s, s->asked.n) &&
           distance_of(&s->asked, name) != UINT16_MAX;
}

/* A name may be found by several of its words. */
static void take_name(void *context, tby_text name, int64_t games)
{
    searching *s = context;
    found_names_add(&s->found, name, distance_of(&s->asked, name), games);
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
    *is_good = find_names(s, word, HAVING) && (s->found.n || find_names(s, word, BEGINNING));
    return !*is_good || s->found.n;
}

tby_status tby_db_near_players(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context)
{
    TBY_CONTRACT(name || n == 0);
    searching *s = calloc(1, sizeof *s);
    bool is_good = s != NULL;
    tby_person person;
    if (!s)
        return db_answer(db, db_fail_memory(db));
    s->db = db;
    s->found.most = FOUND_NAMES_MAX;
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
    for (size_t i = 0; is_good && i < s->found.n && i < most; i++)
        visit(context, (tby_text){s->found.list[i].s, s->found.list[i].n});
    free(s);
    return db_answer(db, is_good);
}
