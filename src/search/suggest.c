/*
 * suggest.c - names of players that typed text may become, and whether a database knows a name.
 *
 * A name is found if one of the typed words begins a word of it (the first word, if that gives enough names), and the
 * other typed words do so too or are abbreviated to one or two letters. Names with the most games come first.
 *
 *     carls            Carlsen, Magnus    Carlsen,M    Carlsson,K
 *     magnus carl      Carlsen, Magnus    Carlsen,M    Magnus Carlsen
 */
#include "base/contract.h"
#include "query/fold.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

enum { TYPED_MAX = 256 };

typedef struct suggesting {
    char words[4 * TYPED_MAX]; /* the typed words, each followed by a NUL */
    size_t n_words;
    found_names found;
} suggesting;

/* ---- Matching names --------------------------------------------------------------------------------------------- */

static bool begins(const char *word, const char *typed) { return strncmp(word, typed, strlen(typed)) == 0; }
/* "M" or "Ma", for Magnus. */
static bool is_short(const char *word, const char *typed) { return strlen(word) <= 2 && begins(typed, word); }

/* Takes the first matching word of the name that is not taken yet; `taken` has a bit for each word. */
static bool take_word(const tby_person *name, const char *typed, bool (*fits)(const char *, const char *),
                      uint64_t *taken)
{
    size_t i = 0;
    for (size_t at = 0; at < name->n && i < 64; at += strlen(name->words + at) + 1, i++)
        if (!(*taken >> i & 1) && fits(name->words + at, typed)) {
            *taken |= 1ULL << i;
            return true;
        }
    return false;
}

bool name_may_fit(tby_text name, const char *words, size_t n_words)
{
    bool is_inside = false;
    for (size_t i = 0; i < name.n; i++) {
        const unsigned char c = (unsigned char)name.s[i];
        const char small = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
        const bool is_letter = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9');
        if (c >= 0x80)
            return true;
        for (size_t at = 0; is_letter && !is_inside && at < n_words; at += strlen(words + at) + 1)
            if (words[at] == small && words[at + 1] && i + 1 < name.n &&
                (words[at + 1] & 0x80 || words[at + 1] == (name.s[i + 1] | 32)))
                return true;
        is_inside = is_letter;
    }
    return false;
}

static bool fits(void *context, tby_text name)
{
    const suggesting *s = context;
    tby_person person;
    uint64_t taken = 0;
    bool has_long = false; /* initials alone are not enough */
    if (name.n == 0 || name.n > FOUND_NAME_SIZE || !name_may_fit(name, s->words, s->n_words))
        return false;
    tby_person_read(&person, name.s, name.n);
    for (size_t at = 0; at < s->n_words; at += strlen(s->words + at) + 1)
        if (take_word(&person, s->words + at, begins, &taken))
            has_long |= s->words[at + 1] != '\0';
        else if (!take_word(&person, s->words + at, is_short, &taken))
            return false;
    return has_long;
}

static int compare_names(const found_name *x, const found_name *y)
{
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    return text_order((tby_text){x->s, x->n}, (tby_text){y->s, y->n});
}

void found_names_add(found_names *to, tby_text name, unsigned distance, int64_t games)
{
    TBY_CONTRACT(name.n <= FOUND_NAME_SIZE && to->most <= FOUND_NAMES_MAX);
    found_name new = {.n = name.n, .distance = distance, .games = games};
    size_t at = to->n;
    memcpy(new.s, name.s, name.n);
    while (at > 0 && compare_names(&new, &to->list[at - 1]) < 0)
        at--;
    if (at == to->most || (at > 0 && compare_names(&new, &to->list[at - 1]) == 0))
        return;
    to->n += to->n < to->most;
    memmove(&to->list[at + 1], &to->list[at], (to->n - at - 1) * sizeof *to->list);
    to->list[at] = new;
}

/* A name that begins with two of the typed words is found twice. */
static void take(void *context, tby_text name, int64_t games)
{
    suggesting *s = context;
    found_names_add(&s->found, name, 0, games);
}

/* Finds names that begin with the word, or contain it. Not for one letter, which would match a tenth of all names. */
static bool find_word(tby_db *db, suggesting *s, const char *word, bool is_anywhere)
{
    char beginning[TYPED_MAX];
    size_t n = 0;
    while (n + 1 < sizeof beginning && word[n] && !(word[n] & 0x80)) {
        beginning[n] = word[n];
        n++;
    }
    beginning[n] = '\0';
    if (n == 1 && !word[1])
        return true;
    const name_search search = {.table = NAMES_PLAYER,
                                .beginning = n < 2 ? "" : beginning,
                                .is_anywhere = is_anywhere,
                                .fits = fits,
                                .take = take,
                                .context = s};
    return db->kind->names(db, &search);
}

static const char *longest_word(const suggesting *s)
{
    const char *longest = s->words;
    for (size_t at = 0; at < s->n_words; at += strlen(s->words + at) + 1)
        longest = strlen(s->words + at) > strlen(longest) ? s->words + at : longest;
    return longest;
}

tby_status tby_db_suggest_players(tby_db *db, const char *typed, size_t n, size_t most, tby_db_player visit,
                                  void *context)
{
    TBY_CONTRACT(typed || n == 0);
    suggesting *s = calloc(1, sizeof *s);
    bool is_good = s != NULL;
    if (!s)
        return db_answer(db, db_fail_memory(db));
    s->found.most = most < FOUND_NAMES_MAX ? most : FOUND_NAMES_MAX;
    s->n_words = tby_query_words(s->words, sizeof s->words, typed, n < TYPED_MAX ? n : TYPED_MAX);
    if (s->n_words > sizeof s->words || s->found.most == 0)
        s->n_words = 0;
    for (size_t at = 0; is_good && at < s->n_words; at += strlen(s->words + at) + 1)
        is_good = find_word(db, s, s->words + at, false);
    if (is_good && s->n_words && s->found.n < s->found.most)
        is_good = find_word(db, s, longest_word(s), true);
    for (size_t i = 0; is_good && i < s->found.n; i++)
        visit(context, (tby_text){s->found.list[i].s, s->found.list[i].n}, s->found.list[i].games);
    free(s);
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
