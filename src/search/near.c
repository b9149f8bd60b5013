/*
 * near.c - players' names that resemble a name without games: Carlsen,M for "Carlsen, Magnus".
 *
 * Games are searched for each word of the name, or if there is none, for names that begin like it, or have a word that
 * does; the names of the games that are found are compared word by word. Only the search of the backend is used, so it
 * works in every database.
 */
#include "query/facts.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORDS_SIZE = 256,
    GAMES_MAX = 1000, /* looked at for each word */
    NAMES_MAX = 64,
    NAME_SIZE = 128,
    DISTANCE_MAX = 4, /* of words without similarity */
    NEAR = 2,         /* the largest mean distance of the words of a similar name */
    LETTERS = 3       /* how many first letters must be equal */
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
    int64_t games;     /* at least */
} near_name;

typedef struct searching {
    tby_db *db;
    name_words asked;
    near_name names[NAMES_MAX];
    size_t n_names;
    unsigned most; /* the largest distance */
    bool has_failed;
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
        const unsigned distance = is_start ? n != m : query_distance(word, n, other, m, DISTANCE_MAX);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

static unsigned distance_of(const name_words *asked, tby_text name)
{
    name_words words;
    unsigned sum = 0;
    const bool is_alone = asked->n && strlen(asked->s) + 1 == asked->n;
    read_words(&words, name.s, name.n);
    for (size_t at = 0; words.n && at < asked->n; at += strlen(asked->s + at) + 1)
        sum += word_distance(asked->s + at, &words, is_alone);
    return words.n ? sum : UINT16_MAX;
}

static void take_name(searching *s, tby_text name, int64_t games)
{
    if (!name.s || name.n == 0 || name.n > NAME_SIZE)
        return;
    for (size_t i = 0; i < s->n_names; i++)
        if (s->names[i].n == name.n && memcmp(s->names[i].s, name.s, name.n) == 0) {
            s->names[i].games += games;
            return;
        }
    if (s->n_names == NAMES_MAX)
        return;
    near_name *new = &s->names[s->n_names];
    memcpy(new->s, name.s, name.n);
    new->n = name.n;
    new->games = games;
    new->distance = distance_of(&s->asked, name);
    s->n_names += new->distance <= s->most;
}

static bool take_game(void *context, const tby_db_hit *hit)
{
    searching *s = context;
    tby_row row;
    s->has_failed = !s->db->kind->row(s->db, hit->id, &row);
    if (s->has_failed)
        return false;
    take_name(s, row.white, 1);
    take_name(s, row.black, 1);
    return true;
}

/* Finds games with a player whose name has the word, or matches the pattern. */
static bool find_players(searching *s, const char *value)
{
    tby_query_text facts = {.n = 0};
    tby_query_text_add(&facts, "player", value, strlen(value));
    tby_query *query = facts.has_no_memory ? NULL : tby_query_new(facts.s, facts.n, NULL, NULL, NULL);
    const tby_db_search search = {.query = query, .limit = GAMES_MAX, .n_threads = 1, .wanted = TBY_WANTED_ROWS};
    const bool is_good = query ? db_find(s->db, &search, take_game, s) && !s->has_failed : db_fail_memory(s->db);
    tby_query_free(query);
    tby_query_text_free(&facts);
    return is_good;
}

static void take_player(void *context, tby_text name, int64_t games) { take_name(context, name, games); }

/* A word may be misspelt, but hardly at its beginning. */
static bool find_beginnings(searching *s)
{
    char pattern[4 * LETTERS + 2];
    size_t n = 0;
    while (n < LETTERS && s->asked.s[n])
        n++;
    if (n < LETTERS || (s->asked.s[0] & 0x80) || (s->asked.s[1] & 0x80) || (s->asked.s[2] & 0x80))
        return true;
    memcpy(pattern, s->asked.s, n);
    memcpy(pattern + n, "*", 2);
    return find_players(s, pattern) &&
           (s->n_names || search_suggest(s->db, s->asked.s, LETTERS, NAMES_MAX, take_player, s));
}

static int compare_names(const void *a, const void *b)
{
    const near_name *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    const int order = memcmp(x->s, y->s, x->n < y->n ? x->n : y->n);
    return order ? order : x->n < y->n ? -1 : x->n > y->n;
}

bool search_near(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context)
{
    searching *s = calloc(1, sizeof *s);
    bool is_good = s != NULL;
    if (!s)
        return db_fail_memory(db);
    s->db = db;
    read_words(&s->asked, name, n);
    for (size_t at = 0; at < s->asked.n; at += strlen(s->asked.s + at) + 1)
        s->most += NEAR;
    for (size_t at = 0; is_good && at < s->asked.n; at += strlen(s->asked.s + at) + 1)
        is_good = find_players(s, s->asked.s + at);
    if (is_good && s->asked.n && s->n_names == 0)
        is_good = find_beginnings(s);
    if (s->n_names)
        qsort(s->names, s->n_names, sizeof *s->names, compare_names);
    for (size_t i = 0; is_good && i < s->n_names && i < most; i++)
        visit(context, (tby_text){s->names[i].s, s->names[i].n});
    free(s);
    return is_good;
}
