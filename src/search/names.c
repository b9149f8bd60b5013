/*
 * names.c - names of players that typed text may mean, and whether a database knows a name.
 *
 * One rule relates a typed word to a word of a name: it is the same, it begins it, it begins with it (the name is abbreviated),
 * or letters differ.
 *
 *     carls, magnus carl    begins or abbreviates each word of another one    Carlsen, Magnus    Carlsen,M
 *     karlsen               near: few letters differ                          Carlsen, Magnus
 *
 * Text being typed becomes names in which it begins words, one of them with two letters or more; those with the most games come
 * first. A name without games is replaced by names that are near, the nearest first. Only names are read, never games.
 */
#include "base/contract.h"
#include "query/fold.h"
#include "search/search.h"
#include "support/distance.h"

#include <stdlib.h>
#include <string.h>

enum {
    TYPED_MAX = 256,
    FOUND_MAX = 64,
    NAME_SIZE = 128,
    NEAR = 2, /* the largest distance of a near word of more than SHORT letters; of others, 1 */
    SHORT = 4,
    DISTANT = 4, /* of words that are not near */
    LETTERS = 3  /* how many first letters of a near word must be equal */
};

/* ---- The rule --------------------------------------------------------------------------------------------------- */

/* Folded words, each followed by a NUL. */
typedef struct name_words {
    char s[4 * TYPED_MAX];
    size_t n;
} name_words;

static void read_words(name_words *out, const char *s, size_t n)
{
    const size_t needed = tby_query_words(out->s, sizeof out->s, s, n < TYPED_MAX ? n : TYPED_MAX);
    out->n = needed <= sizeof out->s ? needed : 0;
}

typedef enum relation { DIFFERENT, ABBREVIATED, BEGUN, SAME } relation;

static relation relate(const char *typed, const char *word)
{
    const size_t n = strlen(typed), m = strlen(word), shared = n < m ? n : m;
    if (shared == 0 || memcmp(typed, word, shared) != 0)
        return DIFFERENT;
    return n == m ? SAME : n < m ? BEGUN : ABBREVIATED;
}

/* Takes the first word of the name that the typed one begins or, with `is_short`, is abbreviated to one or two letters, and
   that is not taken yet; `taken` has a bit for each word. */
static bool take_word(const name_words *name, const char *typed, bool is_short, uint64_t *taken)
{
    size_t i = 0;
    for (size_t at = 0; at < name->n && i < 64; at += strlen(name->s + at) + 1, i++) {
        const char *word = name->s + at;
        const relation r = relate(typed, word);
        if (!(*taken >> i & 1) && (is_short ? r != DIFFERENT && r != BEGUN && strlen(word) <= 2 : r >= BEGUN)) {
            *taken |= 1ULL << i;
            return true;
        }
    }
    return false;
}

/* Does each typed word begin another word of the name, or is it abbreviated? Initials alone are not enough. */
static bool is_begun(const name_words *typed, const name_words *name)
{
    uint64_t taken = 0;
    bool has_long = false;
    for (size_t at = 0; at < typed->n; at += strlen(typed->s + at) + 1)
        if (take_word(name, typed->s + at, false, &taken))
            has_long |= typed->s[at + 1] != '\0';
        else if (!take_word(name, typed->s + at, true, &taken))
            return false;
    return has_long;
}

/* The distance to the nearest word of the name. An abbreviation of at least half the word's length is near, and so is an
   initial if there are other words to compare. */
static unsigned word_distance(const char *typed, const name_words *name, bool is_alone)
{
    const size_t n = strlen(typed);
    unsigned nearest = DISTANT;
    for (size_t at = 0, m; at < name->n; at += m + 1) {
        const char *word = name->s + at;
        const relation r = relate(typed, word);
        m = strlen(word);
        const bool is_near = r != DIFFERENT && ((m <= 2 && !is_alone) || 2 * m >= n);
        const unsigned distance = is_near ? r != SAME : word_distance_within(typed, n, word, m, DISTANT);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

/* The sum for all words; UINT16_MAX if one of them is not near. */
static unsigned distance_of(const name_words *typed, const name_words *name)
{
    unsigned sum = 0;
    const bool is_alone = typed->n && strlen(typed->s) + 1 == typed->n;
    for (size_t at = 0, n; at < typed->n; at += n + 1) {
        n = strlen(typed->s + at);
        const unsigned distance = word_distance(typed->s + at, name, is_alone);
        if (distance > (n > SHORT ? NEAR : 1))
            return UINT16_MAX;
        sum += distance;
    }
    return name->n ? sum : UINT16_MAX;
}

/* Does one of the words, of two letters or more, begin a word of the name? A quick test that rules out most names; letters
   beyond ASCII are left to an exact one. */
static bool may_fit(tby_text name, const name_words *typed)
{
    const char *words = typed->s;
    bool is_inside = false;
    for (size_t i = 0; i < name.n; i++) {
        const unsigned char c = (unsigned char)name.s[i];
        const char small = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
        const bool is_letter = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9');
        if (c >= 0x80)
            return true;
        for (size_t at = 0; is_letter && !is_inside && at < typed->n; at += strlen(words + at) + 1)
            if (words[at] == small && words[at + 1] && i + 1 < name.n &&
                (words[at + 1] & 0x80 || words[at + 1] == (name.s[i + 1] | 32)))
                return true;
        is_inside = is_letter;
    }
    return false;
}

/* ---- Names that were found -------------------------------------------------------------------------------------- */

typedef struct found_name {
    char s[NAME_SIZE];
    size_t n;
    unsigned distance; /* 0 for all that are begun */
    int64_t games;
} found_name;

/* Each once: the nearest first, then those with the most games. */
typedef struct asking {
    tby_db *db;
    name_words typed;
    bool is_near; /* near names are wanted, not begun ones */
    found_name found[FOUND_MAX];
    size_t n, most;
} asking;

static int compare_names(const found_name *x, const found_name *y)
{
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    return text_order((tby_text){x->s, x->n}, (tby_text){y->s, y->n});
}

/* A name may be found by several of its words. */
static void take(void *context, tby_text name, int64_t games)
{
    asking *to = context;
    name_words words;
    TBY_CONTRACT(name.n <= NAME_SIZE && to->most <= FOUND_MAX);
    read_words(&words, name.s, name.n);
    found_name new = {.n = name.n, .distance = to->is_near ? distance_of(&to->typed, &words) : 0, .games = games};
    size_t at = to->n;
    memcpy(new.s, name.s, name.n);
    while (at > 0 && compare_names(&new, &to->found[at - 1]) < 0)
        at--;
    if (at == to->most || (at > 0 && compare_names(&new, &to->found[at - 1]) == 0))
        return;
    to->n += to->n < to->most;
    memmove(&to->found[at + 1], &to->found[at], (to->n - at - 1) * sizeof *to->found);
    to->found[at] = new;
}

static bool fits(void *context, tby_text name)
{
    const asking *a = context;
    name_words words;
    if (name.n == 0 || name.n > NAME_SIZE || !may_fit(name, &a->typed))
        return false;
    read_words(&words, name.s, name.n);
    return a->is_near ? distance_of(&a->typed, &words) != UINT16_MAX : is_begun(&a->typed, &words);
}

/* NULL, with a failure of the database, if out of memory. */
static asking *asking_new(tby_db *db, const char *s, size_t n, bool is_near, size_t most)
{
    asking *a = calloc(1, sizeof *a);
    if (!a) {
        db_fail_memory(db);
        return NULL;
    }
    a->db = db;
    a->is_near = is_near;
    a->most = most;
    read_words(&a->typed, s, n);
    return a;
}

/* Names that have a word (of `n` bytes with its NUL; 0: any), whose first word has this beginning, or with `is_anywhere` any
   word. */
static bool find(asking *a, const char *word, size_t n, const char *beginning, bool is_anywhere)
{
    const name_search search = {.table = NAMES_PLAYER,
                                .words = {word, n},
                                .beginning = beginning,
                                .is_anywhere = is_anywhere,
                                .is_quick = a->is_near,
                                .fits = fits,
                                .take = take,
                                .context = a};
    return a->db->kind->names(a->db, &search);
}

/* The first ASCII letters of a word, at most `most`; returns how many. */
static size_t beginning_of(char out[TYPED_MAX], const char *word, size_t most)
{
    size_t n = 0;
    while (n + 1 < TYPED_MAX && n < most && word[n] && !(word[n] & 0x80)) {
        out[n] = word[n];
        n++;
    }
    out[n] = '\0';
    return n;
}

/* ---- Typed text ------------------------------------------------------------------------------------------------- */

/* Finds names that begin with the word, or contain it. Not for one letter, which would match a tenth of all names. */
static bool find_begun(asking *a, const char *word, bool is_anywhere)
{
    char beginning[TYPED_MAX];
    const size_t n = beginning_of(beginning, word, TYPED_MAX);
    return (n == 1 && !word[1]) || find(a, word, 0, n < 2 ? "" : beginning, is_anywhere);
}

static const char *longest_word(const name_words *typed)
{
    const char *longest = typed->s;
    for (size_t at = 0; at < typed->n; at += strlen(typed->s + at) + 1)
        longest = strlen(typed->s + at) > strlen(longest) ? typed->s + at : longest;
    return longest;
}

tby_status tby_db_suggest_players(tby_db *db, const char *typed, size_t n, size_t most, tby_db_player visit,
                                  void *context)
{
    TBY_CONTRACT(typed || n == 0);
    asking *a = asking_new(db, typed, n, false, most < FOUND_MAX ? most : FOUND_MAX);
    const size_t n_words = a && a->most ? a->typed.n : 0;
    bool is_good = a != NULL;
    for (size_t at = 0; is_good && at < n_words; at += strlen(a->typed.s + at) + 1)
        is_good = find_begun(a, a->typed.s + at, false);
    if (is_good && n_words && a->n < a->most)
        is_good = find_begun(a, longest_word(&a->typed), true);
    for (size_t i = 0; is_good && i < a->n; i++)
        visit(context, (tby_text){a->found[i].s, a->found[i].n}, a->found[i].games);
    free(a);
    return db_answer(db, is_good);
}

/* ---- Names without games ---------------------------------------------------------------------------------------- */

/* The names that begin like the word, or in which any word does. A word that is too short, or may be written in many ways, is
   passed over. */
static bool find_near(asking *a, const char *word, bool is_anywhere)
{
    char beginning[TYPED_MAX];
    return beginning_of(beginning, word, LETTERS) < LETTERS || find(a, word, 0, beginning, is_anywhere);
}

/* Candidates for the words from `at` to `end`, those that have a word before those that begin like it. */
static bool find_words(asking *a, const tby_person *person, size_t at, size_t end)
{
    bool is_good = true;
    for (; is_good && !a->n && at < end; at += strlen(person->words + at) + 1) {
        const char *word = person->words + at;
        is_good = find(a, word, strlen(word) + 1, "", false) && (a->n || find_near(a, word, false));
    }
    return is_good;
}

tby_status tby_db_near_players(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context)
{
    TBY_CONTRACT(name || n == 0);
    asking *a = asking_new(db, name, n, true, FOUND_MAX);
    tby_person person;
    tby_person_read(&person, name, n);
    /* The last name first: fewer people have it. */
    const bool is_good =
        a &&
        (a->typed.n == 0 || (find_words(a, &person, person.last, person.n) && find_words(a, &person, 0, person.last) &&
                             (a->n || find_near(a, person.words + (person.last < person.n ? person.last : 0), true))));
    for (size_t i = 0; is_good && i < a->n && i < most; i++)
        visit(context, (tby_text){a->found[i].s, a->found[i].n});
    free(a);
    return db_answer(db, is_good);
}

/* ---- Known names ------------------------------------------------------------------------------------------------ */

typedef struct knowing {
    tby_text asked;
    const char *words; /* of the text */
    size_t n_words;
    size_t count;
    bool is_person;
    int64_t n_names, n_games;
} knowing;

static size_t count_words(const char *words, size_t n)
{
    size_t count = 0;
    for (size_t at = 0; at < n; at += strlen(words + at) + 1)
        count++;
    return count;
}

/* A pair or team, whose name has the words of several people: "Carlsen/Caruana". */
static bool is_team(tby_text name) { return memchr(name.s, '/', name.n) || memchr(name.s, '&', name.n); }

/* A name with many more words than the text is not evidence that the text is a person's name. */
static bool is_known(void *context, tby_text name)
{
    const knowing *k = context;
    tby_person wanted, found;
    if (!k->is_person)
        return fold_has_words(name.s, name.n, k->words, k->n_words);
    if (!person_is_asked(k->asked.s, k->asked.n, name.s, name.n) || (k->count > 1 && is_team(name)))
        return false;
    tby_person_read(&wanted, k->asked.s, k->asked.n);
    tby_person_read(&found, name.s, name.n);
    return k->count == 1 || count_words(found.words, found.n) <= k->count + 1 || tby_person_fits(&wanted, &found);
}

static void take_known(void *context, tby_text name, int64_t games)
{
    knowing *k = context;
    (void)name;
    k->n_names++;
    k->n_games += games;
}

tby_status tby_db_known(int64_t *n_names, int64_t *n_games, tby_db *db, tby_db_names of, const char *s, size_t n)
{
    static const name_table tables[] = {
        [TBY_DB_PLAYERS] = NAMES_PLAYER, [TBY_DB_EVENTS] = NAMES_EVENT, [TBY_DB_SITES] = NAMES_SITE};
    char words[4 * TYPED_MAX];
    const size_t n_words = tby_query_words(words, sizeof words, s, n < TYPED_MAX ? n : TYPED_MAX);
    knowing k = {.asked = {s, n}, .words = words, .n_words = n_words, .is_person = of == TBY_DB_PLAYERS};
    tby_person person;
    tby_person_read(&person, s, n);
    const tby_text last = {person.words + person.last, person.n - person.last};
    const name_search search = {.table = tables[of],
                                .words = k.is_person ? last : (tby_text){words, n_words},
                                .beginning = "",
                                .is_one = !k.is_person,
                                .fits = is_known,
                                .take = take_known,
                                .context = &k};
    k.count = n_words <= sizeof words ? count_words(words, n_words) : 0;
    const bool is_good = n > TYPED_MAX || !k.count || !search.words.n || db->kind->names(db, &search);
    *n_names = k.n_names;
    *n_games = k.n_games;
    return db_answer(db, is_good);
}
