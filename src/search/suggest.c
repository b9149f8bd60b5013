/*
 * suggest.c - text typed into a search field: players' names that it may become, and the query that it means.
 *
 * A name is found if one of the typed words begins a word of it (the first word, if that gives enough names), and the
 * other typed words do so too or are abbreviated to one or two letters. Names with the most games come first.
 *
 *     carls            Carlsen, Magnus    Carlsen,M    Carlsson,K
 *     magnus carl      Carlsen, Magnus    Carlsen,M    Magnus Carlsen
 *
 * A text that is a query means itself. Any other text may be the name of a player, or the names of two: the reading
 * with the most games counts. If none has any, it may be an event, a place, or the moves of an opening.
 *
 *     magnus carlsen            player ~"magnus carlsen"
 *     carlsen caruana           either (white ~"carlsen" black ~"caruana")
 *     Carlsen,M - Caruana,F     either (white ~"Carlsen,M" black ~"Caruana,F")
 */
#include "query/facts.h"
#include "query/fold.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPED_MAX = 256, MOST = 64, NAME_SIZE = 128 };

typedef struct suggested {
    char s[NAME_SIZE];
    size_t n;
    int64_t games;
} suggested;

typedef struct suggesting {
    char words[4 * TYPED_MAX]; /* the typed words, each followed by a NUL */
    size_t n_words, most, n_names;
    suggested names[MOST];
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

/* Does a typed word of two letters or more begin a word of the name? A quick test that rules out most names; letters
   beyond ASCII are left to the exact one. */
static bool may_fit(const suggesting *s, tby_text name)
{
    bool is_inside = false;
    for (size_t i = 0; i < name.n; i++) {
        const unsigned char c = (unsigned char)name.s[i];
        const char small = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
        const bool is_letter = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9');
        if (c >= 0x80)
            return true;
        for (size_t at = 0; is_letter && !is_inside && at < s->n_words; at += strlen(s->words + at) + 1)
            if (s->words[at] == small && s->words[at + 1] && i + 1 < name.n &&
                (s->words[at + 1] & 0x80 || s->words[at + 1] == (name.s[i + 1] | 32)))
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
    if (name.n == 0 || name.n > NAME_SIZE || !may_fit(s, name))
        return false;
    tby_person_read(&person, name.s, name.n);
    for (size_t at = 0; at < s->n_words; at += strlen(s->words + at) + 1)
        if (take_word(&person, s->words + at, begins, &taken))
            has_long |= s->words[at + 1] != '\0';
        else if (!take_word(&person, s->words + at, is_short, &taken))
            return false;
    return has_long;
}

static bool is_before(const suggested *name, tby_text other, int64_t games)
{
    if (name->games != games)
        return name->games > games;
    const int order = memcmp(name->s, other.s, name->n < other.n ? name->n : other.n);
    return order ? order < 0 : name->n < other.n;
}

/* A name that begins with two of the typed words is found twice. */
static void take(void *context, tby_text name, int64_t games)
{
    suggesting *s = context;
    size_t at = s->n_names;
    while (at > 0 && !is_before(&s->names[at - 1], name, games))
        at--;
    if (at == s->most || (at < s->n_names && s->names[at].n == name.n && memcmp(s->names[at].s, name.s, name.n) == 0))
        return;
    s->n_names += s->n_names < s->most;
    memmove(&s->names[at + 1], &s->names[at], (s->n_names - at - 1) * sizeof *s->names);
    memcpy(s->names[at].s, name.s, name.n);
    s->names[at].n = name.n;
    s->names[at].games = games;
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
    const player_search search = {n < 2 ? "" : beginning, is_anywhere, fits, take, s};
    return db->kind->players(db, &search);
}

static const char *longest_word(const suggesting *s)
{
    const char *longest = s->words;
    for (size_t at = 0; at < s->n_words; at += strlen(s->words + at) + 1)
        longest = strlen(s->words + at) > strlen(longest) ? s->words + at : longest;
    return longest;
}

bool search_suggest(tby_db *db, const char *typed, size_t n, size_t most, tby_db_player visit, void *context)
{
    suggesting *s = calloc(1, sizeof *s);
    bool is_good = s != NULL;
    if (!s)
        return db_fail_memory(db);
    s->most = most < MOST ? most : MOST;
    s->n_words = tby_query_words(s->words, sizeof s->words, typed, n < TYPED_MAX ? n : TYPED_MAX);
    if (s->n_words > sizeof s->words || s->most == 0)
        s->n_words = 0;
    for (size_t at = 0; is_good && at < s->n_words; at += strlen(s->words + at) + 1)
        is_good = find_word(db, s, s->words + at, false);
    if (is_good && s->n_words && s->n_names < s->most)
        is_good = find_word(db, s, longest_word(s), true);
    for (size_t i = 0; is_good && i < s->n_names; i++)
        visit(context, (tby_text){s->names[i].s, s->names[i].n}, s->names[i].games);
    free(s);
    return is_good;
}

/* ---- The meaning of a text -------------------------------------------------------------------------------------- */

typedef struct reading {
    tby_db *db;
    const tby_query_options *options;
    buffer best; /* the reading with the most games so far */
    int64_t games;
} reading;

static tby_text trimmed(const char *s, size_t n)
{
    while (n && (*s == ' ' || *s == '\t')) {
        s++;
        n--;
    }
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
        n--;
    return (tby_text){s, n};
}

/* `player ~"..."` */
static void add_value(buffer *out, const char *word, tby_text name)
{
    buffer_printf(out, "%s\"", word);
    for (size_t i = 0; i < name.n; i++) {
        if (name.s[i] == '"' || name.s[i] == '\\')
            buffer_string(out, "\\");
        buffer_add(out, name.s + i, 1);
    }
    buffer_string(out, "\"");
}

/* Keeps the reading `text`, which is freed otherwise, if it has more games than those before; counts at most `limit`
   games (0: all; -1: keeps it even without games). */
static bool try_query(reading *r, buffer text, int64_t limit)
{
    int64_t games = limit < 0;
    tby_query_error err = {.status = TBY_OK};
    tby_query *query = text.has_failed ? NULL : tby_query_new(text.s, text.n, r->options, NULL, &err);
    const tby_db_search search = {.query = query, .limit = limit, .n_threads = 1};
    const bool is_out = text.has_failed || (!query && err.status == TBY_NO_MEMORY);
    const bool is_good = is_out ? db_fail_memory(r->db)
                                : !query || limit < 0 || tby_db_count(&games, r->db, &search) == TBY_OK;
    tby_query_free(query);
    if (is_good && query && games > r->games) {
        r->games = games;
        buffer_free(&r->best);
        r->best = text;
    } else {
        buffer_free(&text);
    }
    return is_good;
}

/* One player, or two if there is an `other`. */
static bool try_names(reading *r, tby_text name, tby_text other)
{
    buffer text = {0};
    buffer_string(&text, other.n ? "either (" : "");
    add_value(&text, other.n ? "white ~" : "player ~", name);
    if (other.n) {
        buffer_string(&text, " ");
        add_value(&text, "black ~", other);
        buffer_string(&text, ")");
    }
    return try_query(r, text, 0);
}

/* Moves, an event, a place, or an opening. */
static bool try_fact(reading *r, const char *word, tby_text value, int64_t limit)
{
    buffer text = {0};
    add_value(&text, word, value);
    return try_query(r, text, limit);
}

/* A text of letters and the signs that names have. */
static bool may_be_names(tby_text text)
{
    fold_reader at = {text.s, text.s + text.n};
    bool has_letter = false;
    while (at.at < at.end) {
        const char *here = at.at;
        char folded[FOLD_SIZE];
        bool is_letter;
        fold_next(&at, folded, &is_letter);
        has_letter |= is_letter;
        if (!is_letter && !strchr(" \t,.'-", *here) && !((unsigned char)*here >= 0x80))
            return false;
    }
    return has_letter;
}

/* Is there a separator between two names here? */
static size_t separator_at(tby_text text, size_t at)
{
    static const char *const separators[] = {" - ", " \xe2\x80\x93 ", " vs ", " vs. ", " v ", " v. ", " against "};
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
        const size_t n = strlen(separators[i]);
        if (at + n <= text.n && memcmp(text.s + at, separators[i], n) == 0)
            return n;
    }
    return 0;
}

enum { SPLITS_MAX = 8 };

static bool try_all(reading *r, tby_text text, bool *has_separator)
{
    unsigned n_splits = 0;
    for (size_t at = 1; at + 1 < text.n; at++) {
        const size_t n = separator_at(text, at);
        *has_separator |= n > 0;
        if (n)
            return try_names(r, trimmed(text.s, at), trimmed(text.s + at + n, text.n - at - n));
    }
    bool is_good = try_names(r, text, (tby_text){NULL, 0});
    for (size_t at = 1; is_good && at + 1 < text.n && n_splits < SPLITS_MAX; at++) {
        if (text.s[at] != ' ' || text.s[at + 1] == ' ')
            continue;
        n_splits++;
        const tby_text left = trimmed(text.s, at), right = trimmed(text.s + at, text.n - at);
        is_good = try_names(r, (tby_text){left.s, left.n - (left.n && left.s[left.n - 1] == ',')}, right);
    }
    return is_good;
}

/* Is it a word of the language, or a typo of one? */
static bool is_query_word(const char *s, size_t n)
{
    enum { LONG = 4 };
    for (size_t i = 0; i < n_query_facts; i++) {
        const char *word = query_facts[i].word;
        if (word && query_distance(s, n, word, strlen(word), 2) < (n < LONG ? 1U : 2U))
            return true;
    }
    return false;
}

/* Then it is probably a query with an error. */
static bool has_query_word(tby_text text)
{
    for (size_t at = 0, n; at < text.n; at += n + 1) {
        for (n = 0; at + n < text.n && text.s[at + n] != ' ';)
            n++;
        if (n && is_query_word(text.s + at, n))
            return true;
    }
    return false;
}

/* Adds similar names to the message. */
static void add_near(void *context, tby_text name)
{
    buffer *out = context;
    buffer_string(out, out->n ? ", " : "");
    buffer_string(out, "\"");
    buffer_add(out, name.s, name.n);
    buffer_string(out, "\"");
}

/* Does a name have games? */
static bool is_player(const reading *r, tby_text name, bool *out)
{
    reading one = {.db = r->db, .options = r->options};
    const bool is_good = try_names(&one, name, (tby_text){NULL, 0});
    *out = one.best.n > 0;
    buffer_free(&one.best);
    return is_good;
}

/* Are these two players, though they have not played each other? */
static bool are_players(const reading *r, tby_text text, bool *out)
{
    unsigned n_splits = 0;
    bool is_good = true, is_left = false;
    *out = false;
    for (size_t at = 1; is_good && !*out && at + 1 < text.n && n_splits < SPLITS_MAX; at++) {
        if (text.s[at] != ' ' || text.s[at + 1] == ' ')
            continue;
        n_splits++;
        is_good = is_player(r, trimmed(text.s, at), &is_left) &&
                  (!is_left || is_player(r, trimmed(text.s + at, text.n - at), out));
    }
    return is_good;
}

static bool explain_none(reading *r, tby_text text, bool has_separator, tby_query_error *err)
{
    enum { NEAR = 3, SHOWN = 60 };
    buffer near = {0};
    const int n = (int)(text.n < SHOWN ? text.n : SHOWN);
    bool are_two = has_separator;
    bool is_good = are_two || (are_players(r, text, &are_two) &&
                               (are_two || search_near(r->db, text.s, text.n, NEAR, add_near, &near)));
    if (is_good && near.has_failed)
        is_good = db_fail_memory(r->db);
    *err = (tby_query_error){.status = TBY_INVALID_QUERY, .length = text.n, .line = 1, .column = 1};
    if (are_two)
        snprintf(err->text, sizeof err->text, "no game between these players: \"%.*s\"", n, text.s);
    else
        snprintf(err->text, sizeof err->text, "no player, event, place or opening is called \"%.*s\"%s%s", n, text.s,
                 near.n ? "; similar names: " : "", near.n ? near.s : "");
    buffer_free(&near);
    return is_good;
}

bool search_typed(tby_db *db, tby_text typed, const tby_query_options *options, buffer *out, tby_query_error *err)
{
    reading r = {.db = db, .options = options};
    const tby_text text = trimmed(typed.s, typed.n);
    bool has_separator = false;
    tby_query *query = tby_query_new(text.s, text.n, options, NULL, err);
    tby_query_free(query);
    if (query)
        buffer_add(&r.best, text.s, text.n);
    const bool may_be = !query && err->status == TBY_INVALID_QUERY && text.n <= TYPED_MAX && may_be_names(text);
    bool is_good = !may_be || try_all(&r, text, &has_separator);
    if (is_good && may_be && !r.best.n && !has_separator)
        is_good = try_fact(&r, "event ", text, 1) && (r.best.n || try_fact(&r, "site ", text, 1)) &&
                  (r.best.n || try_fact(&r, "opening ", text, 1));
    if (!query && text.n && *text.s >= '0' && *text.s <= '9' && !r.best.n)
        is_good = is_good && try_fact(&r, "opening ", text, -1);
    if (is_good && may_be && !r.best.n && !has_query_word(text))
        is_good = explain_none(&r, text, has_separator, err);
    *out = r.best;
    return is_good && (out->n || out->has_failed || db_fail(db, err->status, "%s", err->text));
}
