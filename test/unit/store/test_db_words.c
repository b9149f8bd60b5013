/*
 * test_db_words.c - the index of words: it changes no answer, stays up to date, and is verified.
 */
#include "db_support.h"

#include <ctype.h>

static struct {
    tby_db *db;
    char path[256];
} opened;

static const char *const names[] = {
    "Carlsen, Magnus",
    "CARLSEN,M",
    "Carlsen-Berg, Anna",
    "M\xc3\xbcller, Karsten",
    "Muller,K",
    "M\xfcller, Karl",
    "\xc3\x98sterg\xc3\xa5rd, \xc3\x86gir",
    "Strau\xc3\x9f, E.",
    "van der Berg, J",
    "Berg van, D",
    "?",
    "",
    "Polgar 3rd, Judit",
    "polgar",
    "M. Carlsen",
    "Li",
};
enum { N_NAMES = sizeof names / sizeof *names };

static void add_named(const char *white, const char *black, const char *event, const char *site)
{
    tby_game *game = new_game();
    static unsigned number;
    char round[16];
    snprintf(round, sizeof round, "%u", ++number);
    if (event)
        add_tag(game, "Event", event);
    if (site)
        add_tag(game, "Site", site);
    add_tag(game, "Round", round);
    if (white)
        add_tag(game, "White", white);
    if (black)
        add_tag(game, "Black", black);
    db_add(opened.db, &game, 1, TBY_DUPLICATES_KEEP);
    tby_game_free(game);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(opened.path, sizeof opened.path, "%s", db_path("words"));
    db_remove(opened.path);
    opened.db = db_open(opened.path, TBY_DB_CREATE);
    for (unsigned i = 0; i < N_NAMES; i++)
        add_named(names[i], names[i * 7 % N_NAMES], i % 3 ? names[i * 5 % N_NAMES] : "Rated Blitz, Open 2020",
                  i % 4 ? "https://example.org/abc" : NULL);
    add_named(NULL, NULL, NULL, "Wijk aan Zee");
    db_must(opened.db, tby_db_want_index(opened.db, "events"));
    db_must(opened.db, tby_db_index(opened.db, TBY_INDEX_NONE, NULL, NULL));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tby_db_close(opened.db);
    db_remove(opened.path);
    return 0;
}

/* ---- Answers -------------------------------------------------------------------------------------------- */

enum { FOUND_MAX = 1 << 13 };
typedef struct answer {
    size_t n;
    tby_game_id ids[FOUND_MAX];
} answer;

static bool take(void *context, const tby_db_hit *hit)
{
    answer *a = context;
    assert_true(a->n < FOUND_MAX);
    a->ids[a->n++] = hit->id;
    return true;
}

/* The number of games, with and without the index. */
static size_t expect_same(const char *text)
{
    static answer with, without;
    tby_query *query = db_query(text);
    tby_db_search search = {.query = query};
    with.n = without.n = 0;
    db_must(opened.db, tby_db_find(opened.db, &search, take, &with));
    search.ignores_index = true;
    db_must(opened.db, tby_db_find(opened.db, &search, take, &without));
    if (with.n != without.n || memcmp(with.ids, without.ids, with.n * sizeof *with.ids) != 0)
        fail_msg("%s: %zu games by the index, %zu without", text, with.n, without.n);
    tby_query_free(query);
    return with.n;
}

TEST(test_db_words__every_fact_gives_the_same_answer)
{
    static const char *const words[] = {"player", "white", "black", "event", "site"};
    static const char *const values[] = {
        "carlsen",
        "\"magnus carlsen\"",
        "M\xc3\x9cLLER",
        "muller",
        "\"karsten muller\"",
        "ostergard",
        "\"aegir\"",
        "strauss",
        "berg",
        "\"berg van\"",
        "\"\"",
        "\"?\"",
        "=\"CARLSEN,M\"",
        "=\"carlsen,m\"",
        "\"Carl*\"",
        "\"*berg*\"",
        "polgar",
        "3rd",
        "nobody",
        "li",
        "https",
        "\"zee wijk\"",
        "\"...\"",
        "=\"?\"",
        "~\"Magnus Carlsen\"",
        "~\"Carlsen, M\"",
        "~\"Karsten M\xc3\xbcller\"",
        "~\"J. van der Berg\"",
        "~Carlsen",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            char text[200];
            if (i > 2 && values[k][0] == '~') /* only players have spellings */
                continue;
            snprintf(text, sizeof text, "%s %s", words[i], values[k]);
            expect_same(text);
            snprintf(text, sizeof text, "not %s %s", words[i], values[k]);
            expect_same(text);
            snprintf(text, sizeof text, "%s %s wtm", words[i], values[k]);
            expect_same(text);
            snprintf(text, sizeof text, "either (white carlsen) %s %s or rated", words[i], values[k]);
            expect_same(text);
        }
    assert_int_equal(expect_same("rated"), 6);
    assert_true(expect_same("player \"m carlsen\"") >= 2);
}

/* Patterns made from the names: some letters are replaced by *, some become capitals. */
TEST(test_db_words__patterns_give_the_same_answer)
{
    uint64_t random = 4;
    size_t n_found = 0;
    for (unsigned i = 0; i < 600; i++) {
        const char *name = names[random_below(&random, N_NAMES)];
        char text[200] = "player \"";
        size_t n = strlen(text);
        for (const char *s = name; *s; s++) {
            const unsigned way = random_below(&random, 8);
            if (way == 0 || (way == 1 && s == name))
                text[n++] = '*';
            if (way > 0 || (unsigned char)*s >= 0x80)
                text[n++] = way == 2 ? (char)toupper((unsigned char)*s) : *s;
        }
        snprintf(text + n, sizeof text - n, "%s\"", random_below(&random, 3) ? "*" : "");
        n_found += expect_same(text);
    }
    assert_true(n_found > 600);
}

/* Spellings of one person. Black is another of the names: the one at seven times White's index. */
TEST(test_db_words__a_person_is_found_in_every_spelling)
{
    static const struct {
        const char *query;
        size_t n;
    } rows[] = {
        {"white ~\"Magnus Carlsen\"", 3}, /* "Carlsen, Magnus", "CARLSEN,M" and "M. Carlsen" */
        {"white ~\"carlsen, m\"", 3},        {"white ~Carlsen", 4}, /* Carlsen-Berg too */
        {"white ~\"Anna Carlsen\"", 1},      {"white ~\"Karsten Mueller\"", 0},
        {"white ~\"Karsten Muller\"", 2},                               /* not Karl */
        {"white ~\"Jan van der Berg\"", 1},                             /* a last name of several words */
        {"white ~\"van der Berg, Jan\"", 1}, {"white ~\"Berg, J\"", 1}, /* by its words */
        {"white ~\"Judit Polgar\"", 0},      /* a digit in the name: Polgar 3rd */ {"white ~\"Judit\"", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (expect_same(rows[i].query) != rows[i].n)
            fail_msg("%s: %zu", rows[i].query, expect_same(rows[i].query));
}

static void add_round(const char *white, const char *black, const char *round)
{
    tby_game *game = new_game();
    add_tag(game, "Event", "Namesakes");
    add_tag(game, "Date", "2019.01.01");
    add_tag(game, "Round", round);
    add_tag(game, "White", white);
    add_tag(game, "Black", black);
    db_add(opened.db, &game, 1, TBY_DUPLICATES_KEEP);
    tby_game_free(game);
}

/* The name as it is written in the query comes first, then the one with more games. */
TEST(test_db_words__people_who_have_met_are_not_joined)
{
    add_round("Wang, Yue", "Wang, Yi", "1");
    add_round("Wang, Yue", "Bauer, C", "2");
    add_round("Wang, Ying", "Adams, M", "2"); /* another game of that round */
    add_round("Wang, Yifan", "Adams, M", "3");
    add_round("Wang,Y", "Adams, Michael", "3");                 /* the same game */
    assert_int_equal(expect_same("white ~\"Wang, Y\""), 5 - 1); /* not Ying */
    assert_int_equal(expect_same("player ~\"Wang, Yue\""), 2 + 1);
    assert_int_equal(expect_same("black ~\"Wang, Y\""), 0);
    assert_int_equal(expect_same("player ~\"Yi Wang\""), 4); /* Yi may be short for the others */
    assert_int_equal(expect_same("either (white ~\"Wang, Yi\" result *)"), 4);
    assert_int_equal(expect_same("player ~Wang"), 5); /* everyone of that name */
    assert_int_equal(expect_same("not player ~\"Wang, Y\" event namesakes"), 1);
}

/* ---- What somebody types -------------------------------------------------------------------------------- */

static void list_player(void *context, tby_text name, int64_t games)
{
    char *out = context;
    sprintf(out + strlen(out), "%s%.*s %d", *out ? "; " : "", (int)name.n, name.s, (int)games);
}

static void expect_players(const char *typed, size_t most, const char *wanted)
{
    char got[1000] = "";
    db_must(opened.db, tby_db_suggest_players(opened.db, typed, strlen(typed), most, list_player, got));
    if (strcmp(got, wanted) != 0)
        fail_msg("\"%s\": %s instead of %s", typed, got, wanted);
}

/* Each name is White once, and Black once as long as 7 and the number of names have no common factor. */
TEST(test_db_words__players_are_suggested)
{
    expect_players("carls", 9, "CARLSEN,M 2; Carlsen, Magnus 2; Carlsen-Berg, Anna 2; M. Carlsen 2");
    expect_players("carls", 1, "CARLSEN,M 2");
    expect_players("magnus carl", 9, "CARLSEN,M 2; Carlsen, Magnus 2; M. Carlsen 2");
    expect_players("Carlsen Magnus", 9, "CARLSEN,M 2; Carlsen, Magnus 2; M. Carlsen 2");
    expect_players("mag carlsen", 9, "CARLSEN,M 2; Carlsen, Magnus 2; M. Carlsen 2");
    expect_players("berg", 9, "Berg van, D 2; Carlsen-Berg, Anna 2; van der Berg, J 2");
    expect_players("judit pol", 9, "Polgar 3rd, Judit 2");
    expect_players("muller", 9, "Muller,K 2; M\xc3\xbcller, Karsten 2; M\xfcller, Karl 2");
    expect_players("\xc3\xb8sterg", 9, "\xc3\x98sterg\xc3\xa5rd, \xc3\x86gir 2");
    expect_players("osterg", 9, "\xc3\x98sterg\xc3\xa5rd, \xc3\x86gir 2");
    expect_players("carlsen carlsen", 9, "");
    expect_players("c", 9, "");
    expect_players("", 9, "");
    expect_players("nobody", 9, "");
    expect_players("carls", 0, "");
    add_named("Polgar, Judit", "Polgar, Judit", NULL, NULL);
    expect_players("polg", 2, "Polgar 3rd, Judit 2; Polgar, Judit 2");
    add_named("Polgar, Judit", NULL, NULL, NULL);
    expect_players("polg", 9, "Polgar, Judit 3; Polgar 3rd, Judit 2; polgar 2");
}

static int64_t known(tby_db_names of, const char *text)
{
    int64_t n_names = -1, n_games = -1;
    db_must(opened.db, tby_db_known(&n_names, &n_games, opened.db, of, text, strlen(text)));
    assert_true(of == TBY_DB_PLAYERS || (n_names <= 1 && n_games == 0));
    return n_names;
}

TEST(test_db_words__names_are_known)
{
    add_named("Carlsen, Magnus / Strau\xc3\x9f, Emil", NULL, NULL, NULL);
    assert_int_equal(known(TBY_DB_PLAYERS, "magnus carlsen"), 3);
    assert_int_equal(known(TBY_DB_PLAYERS, "M\xc3\xbcller"), 3);
    assert_int_equal(known(TBY_DB_PLAYERS, "strauss carlsen"), 0); /* a pair is not a person */
    assert_int_equal(known(TBY_DB_PLAYERS, "Carlson"), 0);
    assert_int_equal(known(TBY_DB_PLAYERS, "wijk"), 0);
    assert_int_equal(known(TBY_DB_SITES, "wijk aan zee"), 1);
    assert_int_equal(known(TBY_DB_SITES, "wijk aan meer"), 0);
    assert_int_equal(known(TBY_DB_EVENTS, "open 2020"), 1);
    assert_int_equal(known(TBY_DB_EVENTS, "wijk"), 0);
    static const char *const nothing[] = {"", " ", "?", "-,-", ","};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        for (int of = TBY_DB_PLAYERS; of <= TBY_DB_SITES; of++)
            assert_int_equal(known((tby_db_names)of, nothing[i]), 0);
    char long_text[2000];
    memset(long_text, 'a', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(known(TBY_DB_PLAYERS, long_text), 0);
}

static bool explains(const char *text, const char *part)
{
    buffer got = {0};
    tby_query *query = db_query(text);
    const tby_db_search search = {.query = query};
    assert_int_equal(tby_db_explain(opened.db, &search, buffer_sink, &got), TBY_OK);
    const bool is_there = strstr(got.s, part) != NULL;
    buffer_free(&got);
    tby_query_free(query);
    return is_there;
}

TEST(test_db_words__a_pattern_does_not_check_all_names)
{
    assert_false(explains("player \"Carlsen, *\"", "tabiya_fact")); /* has a whole word */
    assert_false(explains("player \"* der berg*, j\"", "tabiya_fact"));
    assert_false(explains("player \"Carl*\"", "tabiya_fact")); /* has the start of a word */
    assert_true(explains("player \"*arl*\"", "SCAN player"));
}

TEST(test_db_words__a_search_says_that_it_uses_the_index)
{
    buffer got = {0};
    tby_query *query = db_query("event \"open blitz\"");
    const tby_db_search search = {.query = query};
    assert_int_equal(tby_db_explain(opened.db, &search, buffer_sink, &got), TBY_OK);
    assert_non_null(strstr(got.s, "INDEX game_event (event=?)"));
    assert_null(strstr(got.s, "tabiya_fact"));
    buffer_free(&got);
    tby_query_free(query);
}

/* More names than the index lists one by one. */
TEST(test_db_words__very_many_names_are_found)
{
    enum { MANY = 5000 };
    tby_game *games[250];
    for (unsigned i = 0; i < MANY; i += 250) {
        for (unsigned k = 0; k < 250; k++) {
            char name[32];
            snprintf(name, sizeof name, "Common, N%u", i + k);
            games[k] = new_game();
            add_tag(games[k], "White", name);
        }
        db_add(opened.db, games, 250, TBY_DUPLICATES_KEEP);
        for (unsigned k = 0; k < 250; k++)
            tby_game_free(games[k]);
    }
    assert_int_equal(expect_same("player common"), MANY);
    db_must(opened.db, tby_db_index(opened.db, TBY_INDEX_NONE, NULL, NULL));
    assert_int_equal(expect_same("player common"), MANY);
    assert_int_equal(expect_same("player n4321"), 1);
    assert_int_equal(expect_same("player \"n77 common\""), 1);
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
}

/* ---- Keeping -------------------------------------------------------------------------------------------- */

TEST(test_db_words__names_that_are_not_yet_indexed_are_found)
{
    add_named("Newcomer, Ann", "Carlsen, Zoe", "New Event", "New Site");
    assert_int_equal(expect_same("player newcomer"), 1);
    expect_same("player carlsen");
    assert_int_equal(expect_same("site \"site new\""), 1);
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
    db_must(opened.db, tby_db_index(opened.db, TBY_INDEX_NONE, NULL, NULL));
    assert_int_equal(expect_same("event new"), 1);
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
}

/* If the number were given to another name, that name would appear in the lists of the first one's words. */
TEST(test_db_words__the_number_of_a_deleted_name_is_not_reused)
{
    int64_t last = 0;
    add_named("Shortlived, Sue", NULL, NULL, NULL);
    db_must(opened.db, tby_db_index(opened.db, TBY_INDEX_NONE, NULL, NULL));
    db_must(opened.db, tby_db_last_id(&last, opened.db));
    const tby_game_id id = last;
    assert_int_equal(db_delete(opened.db, &id, 1), 1);
    assert_int_equal(expect_same("player shortlived"), 0);
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
    add_named("Successor, Sam", NULL, NULL, NULL);
    assert_int_equal(expect_same("player successor"), 1);
    assert_int_equal(expect_same("player shortlived"), 0);
    db_must(opened.db, tby_db_index(opened.db, TBY_INDEX_NONE, NULL, NULL));
    assert_int_equal(expect_same("player successor"), 1);
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
}

/* ---- Harm ----------------------------------------------------------------------------------------------- */

static void do_sql(const char *sql)
{
    if (sqlite3_exec(db_sql(opened.db), sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db_sql(opened.db)));
}

static void expect_fault(const char *harm)
{
    do_sql("BEGIN");
    do_sql(harm);
    assert_true(db_verify(opened.db, NULL, NULL) > 0);
    do_sql("ROLLBACK");
}

TEST(test_db_words__wrong_lists_are_reported)
{
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
    expect_fault("DELETE FROM word WHERE id = (SELECT max(id) FROM word)");
    expect_fault("UPDATE word SET names = x'00' WHERE id = (SELECT min(id) FROM word)");
    expect_fault("INSERT INTO word VALUES(3 << 16, x'01')");
    expect_fault("UPDATE player SET name = 'Other' WHERE name = 'polgar'");
    expect_fault("UPDATE counter SET value = 1 << 40 WHERE name = 'player_words'");
}

TEST(test_db_words__a_damaged_list_is_an_error)
{
    tby_query *query = db_query("player carlsen");
    const tby_db_search search = {.query = query};
    do_sql("BEGIN; UPDATE word SET names = x'8080'");
    assert_int_equal(db_count_search(opened.db, &search), -1);
    assert_non_null(strstr(tby_db_failure(opened.db)->text, "index of words is damaged"));
    do_sql("ROLLBACK; BEGIN; UPDATE counter SET value = -7 WHERE name = 'player_words'");
    assert_int_equal(db_count_search(opened.db, &search), -1);
    do_sql("ROLLBACK");
    tby_query_free(query);
}

TEST(test_db_words__a_database_without_it_can_be_searched)
{
    do_sql("BEGIN; DROP TABLE word; DELETE FROM counter WHERE name LIKE '%_words'");
    assert_true(expect_same("player carlsen") > 0);
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
    do_sql("ROLLBACK");
}

int main(void) { return tests_run(set_up, tear_down); }
