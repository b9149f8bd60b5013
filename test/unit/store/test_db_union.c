/*
 * test_db_union.c - several databases as one: every answer must be that of one database with the same games in the same
 * order.
 */
#include "db_support.h"
#include "os/threads.h"

enum { N_GAMES = 300, N_PARTS = 3, PLACE_BITS = 40 };
static const unsigned ends[N_PARTS] = {120, 180, 300};
static const char *const part_names[N_PARTS] = {"union-a", "union-b", "union-c"};

/* The number that a game of the union has in the one database. */
static tby_game_id plain_of(const tby_db *u, tby_game_id id)
{
    const size_t place = tby_db_place(u, &id);
    assert_true(place < N_PARTS);
    return id + (place ? ends[place - 1] : 0);
}

static tby_db *open_union(void)
{
    tby_db *members[N_PARTS], *out;
    tby_failure failure;
    for (size_t i = 0; i < N_PARTS; i++) {
        tby_db *db = db_fresh(part_names[i]);
        db_add_range(db, i ? ends[i - 1] + 1 : 1, ends[i]);
        db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
        members[i] = db;
    }
    assert_int_equal(tby_db_join(&out, members, part_names, N_PARTS, &failure), TBY_OK);
    return out;
}

static void finish_union(tby_db *u)
{
    tby_db_close(u);
    for (size_t i = 0; i < N_PARTS; i++)
        db_remove(db_path(part_names[i]));
}

static tby_db *open_whole(void)
{
    tby_db *db = db_fresh("union-whole");
    db_add_range(db, 1, N_GAMES);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    return db;
}

/* ---- Finding -------------------------------------------------------------------------------------------- */

typedef struct hits {
    const tby_db *of; /* a union, or NULL */
    size_t n;
    tby_db_hit list[N_GAMES];
} hits;

static bool note_hit(void *context, const tby_db_hit *hit)
{
    hits *h = context;
    h->list[h->n] = *hit;
    if (h->of)
        h->list[h->n].id = plain_of(h->of, hit->id);
    h->n++;
    return true;
}

static void check_search(tby_db *whole, tby_db *u, const tby_db_search *search, const char *what)
{
    hits a = {.of = NULL}, b = {.of = u};
    db_must(whole, tby_db_find(whole, search, note_hit, &a));
    db_must(u, tby_db_find(u, search, note_hit, &b));
    assert_int_equal(db_count_search(whole, search), db_count_search(u, search));
    if (a.n != b.n)
        fail_msg("%s: %zu games, %zu in the union", what, a.n, b.n);
    for (size_t i = 0; i < a.n; i++)
        if (a.list[i].id != b.list[i].id || a.list[i].ply != b.list[i].ply)
            fail_msg("%s: hit %zu is game %lld, in the union %lld", what, i, (long long)a.list[i].id,
                     (long long)b.list[i].id);
}

static const char *const questions[] = {"",
                                        "player adams",
                                        "result 1-0",
                                        "Pd4",
                                        "M-#",
                                        "date 2019",
                                        "white-elo 2100..",
                                        "check",
                                        "player ~\"Brown, B\" or plies ..10"};

TEST(test_db_union__every_search_finds_what_one_database_finds)
{
    static const char *const orders[] = {NULL, "-elo", "date,white", "-white,-id", "Round"};
    static const int64_t limits[][2] = {{0, 0}, {10, 0}, {10, 115}, {0, 290}, {500, 7}};
    tby_db *whole = open_whole(), *u = open_union();
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++)
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
            for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
                tby_order order;
                tby_text fault;
                tby_query *query = *questions[q] ? db_query(questions[q]) : NULL;
                tby_db_search search = {.query = query, .limit = limits[l][0], .offset = limits[l][1]};
                if (orders[o]) {
                    assert_true(tby_order_read(&order, orders[o], &fault));
                    search.order = &order;
                }
                check_search(whole, u, &search, questions[q]);
                tby_query_free(query);
            }
    const tby_db_search sample = {.sample = 17, .seed = 5};
    hits a = {.of = NULL}, b = {.of = u};
    db_must(whole, tby_db_find(whole, &sample, note_hit, &a));
    db_must(u, tby_db_find(u, &sample, note_hit, &b));
    assert_int_equal(a.n, 17);
    for (size_t i = 0; i < a.n; i++)
        assert_int_equal(a.list[i].id, b.list[i].id);
    finish_union(u);
    db_finish(whole, "union-whole");
}

TEST(test_db_union__numbers_name_one_game_of_one_database)
{
    tby_db *u = open_union();
    tby_row row;
    tby_game_id last;
    db_must(u, tby_db_last_id(&last, u));
    assert_int_equal(last, ((int64_t)2 << PLACE_BITS) + 120);
    assert_true(last < (int64_t)1 << 53);
    assert_int_equal(db_n_games(u), N_GAMES);
    assert_int_equal(db_count(u, "id 5"), 1);
    assert_int_equal(db_count(u, "id 100.."), 21 + 60 + 120);
    db_must(u, tby_db_row(&row, u, last));
    assert_int_equal(tby_db_row(&row, u, last + 1), TBY_NOT_FOUND);
    assert_int_equal(tby_db_row(&row, u, (int64_t)3 << PLACE_BITS | 1), TBY_NOT_FOUND);
    assert_int_equal(tby_db_row(&row, u, -1), TBY_NOT_FOUND);
    finish_union(u);
}

static bool is_early(const tby_db *u, tby_game_id id)
{
    tby_db_place(u, &id);
    return id <= 60;
}

static bool keep_hit(void *context, const tby_db_hit *hit)
{
    hits *h = context;
    h->list[h->n++] = *hit;
    return true;
}

/* Matches are measured with the same numbers. */
TEST(test_db_union__own_ids_are_those_of_each_database)
{
    tby_query *all = db_query("Pd4"), *early = db_query("Pd4 id ..60");
    tby_db *u = open_union();
    hits a = {.n = 0}, b = {.n = 0};
    tby_order order;
    tby_text fault;
    tby_db_use_own_ids(u);
    assert_int_equal(db_count(u, "id 5"), N_PARTS);
    assert_int_equal(db_count(u, "id 100.."), 21 + 0 + 21);
    assert_true(tby_order_read(&order, "-length", &fault));
    db_must(u, tby_db_find(u, &(tby_db_search){.query = all, .order = &order}, keep_hit, &a));
    for (unsigned sample = 0; sample <= N_GAMES; sample += N_GAMES) {
        size_t n = 0;
        b.n = 0;
        db_must(u, tby_db_find(u, &(tby_db_search){.query = early, .order = &order, .sample = sample}, keep_hit, &b));
        for (size_t i = 0; i < a.n; i++)
            if (is_early(u, a.list[i].id))
                assert_int_equal(a.list[i].id, n < b.n ? b.list[n++].id : 0);
        assert_int_equal(n, b.n);
        assert_true(n > 3 && n < a.n);
    }
    tby_query_free(all);
    tby_query_free(early);
    finish_union(u);
}

/* ---- Exploring ------------------------------------------------------------------------------------------ */

static void check_position(tby_db *whole, tby_db *u, const tby_position *pos, const tby_db_search *among)
{
    static tby_db_moves a, b;
    db_must(whole, tby_db_explore(&a, whole, pos, among));
    db_must(u, tby_db_explore(&b, u, pos, among));
    assert_int_equal(a.games, b.games);
    assert_int_equal(a.ended, b.ended);
    assert_int_equal(a.n_moves, b.n_moves);
    assert_int_equal(a.n_unplayed, b.n_unplayed);
    assert_memory_equal(a.results, b.results, sizeof a.results);
    assert_memory_equal(a.moves, b.moves, (a.n_moves + a.n_unplayed) * sizeof *a.moves);
}

TEST(test_db_union__exploring_adds_up_the_databases)
{
    static tby_db_survey a, b;
    const tby_db_survey_options options = {.n_top = 20, .n_recent = 20, .wants_months = true};
    tby_db *whole = open_whole(), *u = open_union();
    tby_position pos;
    tby_position_start(&pos);
    for (int ply = 0; ply < 4; ply++) {
        tby_move moves[TBY_MOVES_MAX];
        tby_undo undo;
        check_position(whole, u, &pos, NULL);
        for (size_t q = 1; q < sizeof questions / sizeof *questions; q++) {
            tby_query *query = db_query(questions[q]);
            check_position(whole, u, &pos, &(tby_db_search){.query = query});
            tby_query_free(query);
        }
        db_must(whole, tby_db_survey_position(&a, whole, &pos, &options));
        db_must(u, tby_db_survey_position(&b, u, &pos, &options));
        assert_int_equal(a.n_top, b.n_top);
        for (size_t i = 0; i < a.n_top; i++)
            assert_int_equal(a.top[i].id, plain_of(u, b.top[i].id));
        for (size_t i = 0; i < a.n_recent; i++)
            assert_int_equal(a.recent[i].id, plain_of(u, b.recent[i].id));
        assert_int_equal(a.n_months, b.n_months);
        assert_memory_equal(a.months, b.months, a.n_months * sizeof *a.months);
        tby_db_survey_free(&a);
        tby_db_survey_free(&b);
        tby_moves_sort(moves, tby_moves_list(moves, &pos));
        tby_position_play(&pos, moves[0], &undo);
    }
    finish_union(u);
    db_finish(whole, "union-whole");
}

/* ---- The rest ------------------------------------------------------------------------------------------- */

static void add_player(void *context, tby_text name, int64_t games)
{
    char *out = context;
    sprintf(out + strlen(out), "%.*s %lld;", (int)name.n, name.s, (long long)games);
}

TEST(test_db_union__names_are_added_up)
{
    char a[512] = "", b[512] = "";
    tby_db *whole = open_whole(), *u = open_union();
    db_must(whole, tby_db_suggest_players(whole, "ad", 2, 5, add_player, a));
    db_must(u, tby_db_suggest_players(u, "ad", 2, 5, add_player, b));
    assert_true(*a != '\0');
    assert_string_equal(a, b);
    finish_union(u);
    db_finish(whole, "union-whole");
}

TEST(test_db_union__nothing_can_be_changed)
{
    const tby_game_id id = 1;
    tby_db *u = open_union();
    int64_t n;
    assert_int_not_equal(tby_db_begin(u), TBY_OK);
    assert_non_null(strstr(tby_db_failure(u)->text, "read together"));
    assert_int_not_equal(tby_db_delete(&n, u, &id, 1), TBY_OK);
    assert_int_not_equal(tby_db_collect(&n, u, "best", &id, 1), TBY_OK);
    assert_int_not_equal(tby_db_index(u, TBY_INDEX_ALL, NULL, NULL), TBY_OK);
    assert_int_equal(db_n_games(u), N_GAMES);
    finish_union(u);
}

TEST(test_db_union__a_member_that_fails_is_named)
{
    tby_db *u = open_union();
    const tby_db_search bad = {.where = "no_such_column = 1"};
    assert_int_equal(db_count_search(u, &bad), -1);
    assert_non_null(strstr(tby_db_failure(u)->text, "union-a: "));
    finish_union(u);
}

TEST(test_db_union__a_missing_database_fails_the_whole)
{
    char path[2][256];
    const char *names[2];
    tby_failure failure;
    tby_db *out;
    tby_db_close(db_fresh("union-a"));
    snprintf(path[0], sizeof path[0], "%s", db_path("union-a"));
    snprintf(path[1], sizeof path[1], "%s", db_path("union-none"));
    names[0] = path[0];
    names[1] = path[1];
    assert_int_not_equal(tby_db_open_all(&out, names, 2, &failure), TBY_OK);
    assert_null(out);
    names[1] = path[0];
    assert_int_equal(tby_db_open_all(&out, names, 2, &failure), TBY_OK);
    tby_db_close(out);
    assert_int_equal(tby_db_open_all(&out, names, 1, &failure), TBY_OK);
    tby_db_close(out);
    assert_int_not_equal(tby_db_open_all(&out, names, 0, &failure), TBY_OK);
    db_remove(path[0]);
}

/* ---- One query, many databases -------------------------------------------------------------------------- */

enum { N_THREADS = 8, ROUNDS = 20 };
typedef struct sharing {
    const tby_query *query;
    tby_db *of[N_THREADS];
    bool is_wrong[N_THREADS];
} sharing;

static void ask_often(void *context, unsigned number)
{
    sharing *s = context;
    const tby_db_search search = {.query = s->query};
    int64_t n;
    for (int i = 0; i < ROUNDS; i++)
        s->is_wrong[number] |= tby_db_count(&n, s->of[number], &search) != TBY_OK || n != number + 1;
}

/* A state from the database checks single games. */
TEST(test_db_union__a_state_knows_the_collections_of_all)
{
    static const tby_game_id ids[] = {2, 5};
    tby_query *query = db_query("collection best");
    tby_db *one = db_fresh("union-a"), *two = db_fresh("union-b"), *u;
    tby_failure failure;
    int64_t n, n_found = 0;
    db_add_range(one, 1, 9);
    db_add_range(two, 10, 19);
    db_must(one, tby_db_collect(&n, one, "best", ids, 1));
    db_must(two, tby_db_collect(&n, two, "best", ids, 2));
    assert_int_equal(tby_db_join(&u, (tby_db *[]){one, two}, part_names, 2, &failure), TBY_OK);
    tby_query_state *asking = tby_db_query_state(u, query);
    assert_non_null(asking);
    for (tby_game_id id = 1; id <= 9; id++)
        for (int place = 0; place < 2; place++) {
            tby_row row;
            const tby_game_id number = (int64_t)place << PLACE_BITS | id;
            db_must(u, tby_db_row(&row, u, number));
            const tby_query_game game = tby_query_game_of_row(&row, number);
            const bool is_found = tby_query_first(asking, &game) >= 0;
            assert_int_equal(is_found, id == 2 || (id == 5 && place));
            n_found += is_found;
        }
    assert_int_equal(n_found, 3);
    assert_int_equal(db_count(u, "collection best"), 3);
    assert_int_equal(db_count(u, "collection \"\""), 16);
    tby_query_state_free(asking);
    tby_query_free(query);
    finish_union(u);
}

/* In each database the collection has another number of games. */
TEST(test_db_union__one_query_asks_eight_databases_with_their_own_collections)
{
    static const tby_game_id ids[N_THREADS] = {1, 2, 3, 4, 5, 6, 7, 8};
    tby_query *query = db_query("collection best (Pe2 or plies ..60)");
    sharing s = {.query = query};
    char name[32];
    int64_t n;
    for (unsigned i = 0; i < N_THREADS; i++) {
        snprintf(name, sizeof name, "union-t%u", i);
        s.of[i] = db_fresh(name);
        db_add_range(s.of[i], 1, 50);
        db_must(s.of[i], tby_db_collect(&n, s.of[i], "best", ids, i + 1));
    }
    threads_run(N_THREADS, ask_often, &s);
    for (unsigned i = 0; i < N_THREADS; i++) {
        snprintf(name, sizeof name, "union-t%u", i);
        assert_false(s.is_wrong[i]);
        db_finish(s.of[i], name);
    }
    tby_query_free(query);
}

int main(void) { return tests_run(NULL, NULL); }
