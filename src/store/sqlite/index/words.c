/*
 * words.c - builds, searches and verifies the index of words.
 */
#include "store/sqlite/index/words.h"
#include "base/contract.h"
#include "query/fold.h"
#include "query/run.h"
#include "row/same.h"
#include "store/sqlite/game_set.h"
#include "store/sqlite/index/lists.h"
#include "store/sqlite/names.h"
#include "store/sqlite/schema.h"

#include <string.h>

/* If more names than this match, all names are scanned instead. */
enum { BUCKETS = 1 << 14, FOUND_MAX = 4096 };
/* As many names as can be read while somebody types: one after the other, and by the index. */
enum { QUICK_MAX = 100000, QUICK_WORDS_MAX = 2000 };

const char *const words_counters[WORD_TABLES] = {"player_words", "event_words", "site_words"};

/* The number of a name, or -1. */
static bool check_number(lite *db, name_table table, int64_t id)
{
    return (id >= -1 && id <= NAMES_MAX) ||
           lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: %s is wrong", words_counters[table]);
}

bool words_covered(lite *db, name_table table, int64_t *out)
{
    return lite_counter_or(db, words_counters[table], -1, out) && check_number(db, table, *out);
}

/* ---- Words ---------------------------------------------------------------------------------------------- */

static uint32_t key_of(name_table table, const char *word, size_t n)
{
    return (uint32_t)table << 16 | (uint32_t)(bytes_hash(0, word, n) % BUCKETS);
}

/* Replaces the buffer with the words of a text. */
static bool split(buffer *w, lite *db, tby_text text, size_t (*fold)(char *, size_t, const char *, size_t))
{
    const size_t n = fold(w->s, w->cap, text.s, text.n);
    w->n = 0;
    if (n > w->cap) {
        if (!buffer_reserve(w, n))
            return lite_fail_memory(db);
        fold(w->s, w->cap, text.s, text.n);
    }
    w->n = n;
    return true;
}

static lite_rows names_after(lite *db, name_table table, int64_t id, int64_t last)
{
    const lite_rows r = lite_rows_of(
        db, lite_prepare_of(db, "SELECT id, name FROM %s WHERE id > ?1 AND id <= ?2 ORDER BY id", name_tables[table]));
    lite_bind(&r, 1, id);
    lite_bind(&r, 2, last);
    return r;
}

/* ---- Building ------------------------------------------------------------------------------------------- */

static bool add_name(lists *l, buffer *w, name_table table, int64_t id, tby_text name)
{
    if (!split(w, l->db, name, fold_words))
        return false;
    for (size_t at = 0, n; at < w->n; at += n + 1) {
        n = strlen(w->s + at);
        if (!lists_add(l, id, key_of(table, w->s + at, n)))
            return false;
    }
    return true;
}

/* Adds the names after `after` up to `last`, all of one block. */
static bool add_names(lists *l, buffer *w, name_table table, int64_t after, int64_t last)
{
    lite_rows r = names_after(l->db, table, after, last);
    while (lite_next_up(&r))
        r.failed = !add_name(l, w, table, r.number, lite_text_at(r.s, 1));
    return lite_end(&r) && lists_write(l, last) && lite_count_on(l->db, words_counters[table], last - after);
}

static bool build_table(lists *l, buffer *w, name_table table)
{
    int64_t done = 0, last = 0;
    bool is_good = words_covered(l->db, table, &done) &&
                   lite_number_of(l->db, &last, "SELECT coalesce(max(id), 0) FROM %s", name_tables[table]) &&
                   check_number(l->db, table, last);
    while (is_good && done < last) {
        const int64_t end = list_block_end(done + 1) < last ? list_block_end(done + 1) : last;
        is_good = add_names(l, w, table, done, end);
        done = end;
    }
    return is_good;
}

static bool build(lite *db)
{
    lists l = {.db = db, .table = TABLE_WORD};
    buffer w = {0};
    bool is_good = lite_run(db,
                            SCHEMA_WORD "INSERT OR IGNORE INTO counter VALUES('player_words', 0), ('event_words', 0),"
                                        " ('site_words', 0)");
    for (unsigned i = 0; i < WORD_TABLES && is_good; i++)
        is_good = build_table(&l, &w, (name_table)i);
    lists_end(&l);
    buffer_free(&w);
    return is_good;
}

bool words_build(lite *db) { return lite_begin(db) && lite_finish(db, build(db)); }

/* ---- Finding -------------------------------------------------------------------------------------------- */

typedef struct finder {
    lite *db;
    name_table table;
    const name_search *search; /* the names themselves are wanted; NULL: their numbers are */
    const tby_query *query;    /* whose fact `node` the names must match */
    const query_node *node;
    tby_text words; /* which such names have, as written by fold_words */
    buffer *out;
    size_t n_found;
    sqlite3_stmt *games; /* counts a player's games; NULL: not indexed */
    bool has_failed;
} finder;

/* Reports a name if it matches. */
static void try_wanted(finder *f, int64_t id, tby_text name)
{
    const name_search *p = f->search;
    int64_t games = 0;
    if (!p->fits(p->context, name))
        return;
    if (f->games) {
        lite_rows r = lite_rows_again(f->db, f->games);
        lite_bind(&r, 1, id);
        if (lite_next(&r))
            games = sqlite3_column_int64(r.s, 0);
        f->has_failed |= !lite_end(&r);
    }
    p->take(p->context, name, games);
    f->n_found += p->is_one ? FOUND_MAX + 1 : 0;
}

static void try_name(finder *f, int64_t id, tby_text name)
{
    if (f->search) {
        try_wanted(f, id, name);
        return;
    }
    if (run_text_fits(f->query, f->node, name.s, name.n) && f->n_found++ < FOUND_MAX)
        buffer_printf(f->out, "%s%lld", f->n_found > 1 ? "," : "", (long long)id);
}

/* Tries the names that a statement returns, until there are too many. */
static bool try_names(finder *f, lite_rows r)
{
    while (f->n_found <= FOUND_MAX && lite_next(&r))
        try_name(f, sqlite3_column_int64(r.s, 0), lite_text_at(r.s, 1));
    return lite_end(&r);
}

/* Tries the names with these numbers. */
static bool try_numbers(finder *f, sqlite3_stmt *numbers, int64_t first, int64_t last)
{
    const lite_rows r = lite_rows_again(f->db, numbers);
    lite_bind(&r, 1, first);
    lite_bind(&r, 2, last);
    return try_names(f, r);
}

static sqlite3_stmt *prepare_numbers(const finder *f)
{
    return lite_prepare_of(f->db, "SELECT id, name FROM %s WHERE id BETWEEN ?1 AND ?2", name_tables[f->table]);
}

/* Finds the names that may have all the words. */
static bool read_lists(const finder *f, int64_t covered, game_set *out)
{
    bool is_good = true;
    for (size_t at = 0, n; at < f->words.n && is_good; at += n + 1) {
        game_set found = {0};
        n = strlen(f->words.s + at);
        const uint32_t key = key_of(f->table, f->words.s + at, n);
        is_good = lite_set_begin(f->db, &found, covered);
        for (int64_t first = 1; first <= covered && is_good; first += LIST_NUMBERS)
            is_good = lists_read(f->db, TABLE_WORD, list_row(first, key), &found);
        is_good = game_set_keep(out, &found, is_good);
    }
    return is_good && (!out->has_failed || lite_fail_memory(f->db));
}

static bool try_all(finder *f, int64_t covered)
{
    game_set found = {0};
    sqlite3_stmt *numbers = prepare_numbers(f);
    int64_t n_left = f->search && f->search->is_quick ? QUICK_WORDS_MAX : INT64_MAX;
    bool is_good = numbers && read_lists(f, covered, &found);
    for (int64_t id = 0;
         is_good && f->n_found <= FOUND_MAX && n_left-- > 0 && (id = game_set_next(&found, id + 1)) != 0;)
        is_good = try_numbers(f, numbers, id, id);
    is_good = is_good && try_numbers(f, numbers, covered + 1, INT64_MAX);
    sqlite3_finalize(numbers);
    game_set_free(&found);
    return is_good;
}

/* ---- Beginnings ----------------------------------------------------------------------------------------- */

/* Tries the names from one text up to another, or to the last, with their own index. */
static bool try_between(finder *f, const char *from, const char *to)
{
    sqlite3_stmt *s =
        lite_prepare_of(f->db, "SELECT id, name FROM %s WHERE name >= ?1 AND name < ?2", name_tables[f->table]);
    if (!s)
        return false;
    sqlite3_bind_text(s, 1, from, -1, SQLITE_STATIC);
    if (to)
        sqlite3_bind_text(s, 2, to, -1, SQLITE_STATIC);
    else
        sqlite3_bind_zeroblob(s, 2, 0); /* every text is before it */
    return try_names(f, lite_rows_of(f->db, s));
}

static bool is_plain(char c) { return c && c != '*' && (unsigned char)c < 0x80; }
static bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/* Tries names with `first` as their first byte. A letter beyond ASCII may fold to `second`. */
static bool try_first(finder *f, char first, char second)
{
    const char after[] = {(char)(first + 1), '\0'};
    bool is_good = true;
    if (!is_plain(second))
        return try_between(f, (const char[]){first, '\0'}, after);
    for (int i = 0; i <= is_small(second) && is_good; i++) {
        const char here = (char)(second - i * ('a' - 'A'));
        is_good = try_between(f, (const char[]){first, here, '\0'}, (const char[]){first, (char)(here + 1), '\0'});
    }
    return is_good && try_between(f, (const char[]){first, '\x80', '\0'}, after);
}

/* The same for the first byte of a pattern, if it is not special. */
static bool try_beginning(finder *f, tby_text pattern)
{
    bool is_good = true;
    for (int i = 0; pattern.n && i <= is_small(pattern.s[0]) && is_good; i++)
        is_good = try_first(f, (char)(pattern.s[0] - i * ('a' - 'A')), pattern.n > 1 ? pattern.s[1] : '\0');
    return is_good && try_between(f, "\x80", NULL);
}

/* Tries the names that the search is about, and perhaps more. */
static bool try_search(finder *f)
{
    const char *beginning = f->search->beginning;
    int64_t covered = -1;
    f->words = f->search->words;
    if (f->words.n && !words_covered(f->db, f->table, &covered))
        return false;
    if (covered >= 0)
        return try_all(f, covered);
    if (f->search->is_quick && f->search->is_anywhere) {
        int64_t last = 0;
        if (!lite_number_of(f->db, &last, "SELECT coalesce(max(id), 0) FROM %s", name_tables[f->table]))
            return false;
        if (last > QUICK_MAX)
            return true;
    }
    if (f->words.n || f->search->is_anywhere)
        return try_names(f, names_after(f->db, f->table, 0, INT64_MAX));
    return try_beginning(f, (tby_text){beginning, strlen(beginning)});
}

bool words_names(lite *db, const name_search *search)
{
    TBY_CONTRACT(search->take != NULL);
    int64_t n_indexes = 0;
    finder f = {.db = db, .table = search->table, .search = search};
    bool is_good =
        search->table != NAMES_PLAYER || search->is_one ||
        lite_number(db, "SELECT count(*) FROM sqlite_master WHERE name IN ('game_white', 'game_black')", &n_indexes);
    if (is_good && n_indexes == 2)
        is_good = (f.games = lite_prepare(db, "SELECT (SELECT count(*) FROM game WHERE white = ?1)"
                                              " + (SELECT count(*) FROM game WHERE black = ?1)")) != NULL;
    is_good = is_good && try_search(&f) && !f.has_failed;
    sqlite3_finalize(f.games);
    return is_good;
}

/* ---- Words and beginnings ------------------------------------------------------------------------------- */

/* Finds the words of the fact: they are in the query, or those of a whole name or of a pattern. */
static bool find_words(finder *f, buffer *w)
{
    const query_node *node = f->node;
    const bool is_pattern = node->way == TEXT_PATTERN;
    const query_span span = node->way == TEXT_PERSON                ? node->u.t.name
                            : node->way == TEXT_WORDS || is_pattern ? node->u.t.folded
                                                                    : node->u.t.text;
    f->words = (tby_text){query_bytes(f->query, span), span.n};
    if (node->way == TEXT_PERSON || node->way == TEXT_WORDS)
        return true;
    if (!split(w, f->db, f->words, is_pattern ? fold_pattern_words : fold_words))
        return false;
    f->words = (tby_text){w->s, w->n};
    return true;
}

bool words_find(lite *db, name_table table, const tby_query *query, const query_node *node, buffer *out,
                bool *is_answered)
{
    const query_span folded = node->u.t.folded;
    const tby_text pattern = {query_bytes(query, folded), node->way == TEXT_PATTERN ? folded.n : 0};
    finder f = {.db = db, .table = table, .query = query, .node = node, .out = out};
    buffer w = {0};
    int64_t covered = -1;
    bool is_good = words_covered(db, table, &covered) && find_words(&f, &w);
    const bool has_index = covered >= 0 && f.words.n > 0;
    *is_answered = is_good && (has_index || (pattern.n && is_plain(pattern.s[0])));
    if (*is_answered)
        is_good = has_index ? try_all(&f, covered) : try_beginning(&f, pattern);
    *is_answered = *is_answered && f.n_found <= FOUND_MAX;
    buffer_free(&w);
    return is_good;
}

/* ---- Verifying ------------------------------------------------------------------------------------------ */

typedef struct verifier {
    lite *db;
    int64_t covered[WORD_TABLES];
    game_set there[WORD_TABLES]; /* names found in the index */
    lists lists;                 /* what one name should have */
    buffer words;
    uint64_t of_names, of_rows; /* sums */
    bool is_whole;
} verifier;

static bool sum_name(verifier *v, name_table table, int64_t id, tby_text name)
{
    v->lists.n = 0;
    game_set_put(&v->there[table], id);
    if (!add_name(&v->lists, &v->words, table, id, name))
        return false;
    const position_entry *e = v->lists.entries;
    for (size_t i = 0, first; i < v->lists.n; i++) {
        for (first = 0; e[first].key != e[i].key; first++)
            continue;
        v->of_names += first == i ? lists_hash((uint32_t)e[i].key, id) : 0; /* each key once */
    }
    return true;
}

static bool sum_names(verifier *v, name_table table)
{
    if (!words_covered(v->db, table, &v->covered[table])) {
        v->covered[table] = -1;
        v->is_whole = false;
        return v->db->base.failure.status == TBY_INVALID_DATABASE;
    }
    if (v->covered[table] < 0)
        return true;
    if (!lite_set_begin(v->db, &v->there[table], v->covered[table]))
        return false;
    lite_rows r = names_after(v->db, table, 0, v->covered[table]);
    while (lite_next_up(&r))
        r.failed = !sum_name(v, table, r.number, lite_text_at(r.s, 1));
    return lite_end(&r) && (!v->there[table].has_failed || lite_fail_memory(v->db));
}

bool words_verify(lite *db, void (*report)(void *context, tby_game_id id, const char *text), void *context)
{
    verifier v = {.db = db, .lists = {.db = db, .table = TABLE_WORD}, .is_whole = true};
    bool is_good = true, has_index = false;
    for (unsigned i = 0; i < WORD_TABLES && is_good; i++) {
        is_good = sum_names(&v, (name_table)i);
        has_index |= v.covered[i] >= 0;
    }
    const lists_check check = {v.there, v.covered, WORD_TABLES, false};
    is_good = is_good && (!has_index || lists_sum(db, TABLE_WORD, &check, &v.of_rows, &v.is_whole));
    if (is_good && (!v.is_whole || v.of_rows != v.of_names))
        report(context, 0,
               v.is_whole ? "the index of words does not match the names" : "the index of words is damaged");
    for (unsigned i = 0; i < WORD_TABLES; i++)
        game_set_free(&v.there[i]);
    lists_end(&v.lists);
    buffer_free(&v.words);
    return is_good;
}
