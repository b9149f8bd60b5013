/*
 * test_db_collections.c - named sets of games: what queries find in them, and how they follow changes of their games.
 * The expected games are computed here, from the sets and from queries that name no collection.
 */
#include "db_support.h"
#include "os/threads.h"

enum { N_GAMES = 300 };

static bool is_odd(tby_game_id id) { return id % 2 == 1; }
static bool is_third(tby_game_id id) { return id % 3 == 0; }

static int64_t collect_where(tby_db *db, const char *name, bool (*is_in)(tby_game_id id))
{
    tby_game_id ids[N_GAMES];
    size_t n = 0;
    int64_t n_changed = -1;
    for (tby_game_id id = 1; id <= N_GAMES; id++)
        if (is_in(id))
            ids[n++] = id;
    db_must(db, tby_db_collect(&n_changed, db, name, ids, n));
    return n_changed;
}

static tby_db *open_games(const char *name)
{
    tby_db *db = db_fresh(name);
    db_add_range(db, 1, N_GAMES);
    return db;
}

static void add_name(void *context, tby_text name, int64_t games)
{
    char *out = context;
    sprintf(out + strlen(out), "%.*s %lld;", (int)name.n, name.s, (long long)games);
}

static const char *list_of(tby_db *db, tby_game_id game)
{
    static char out[1024];
    out[0] = '\0';
    db_must(db, tby_db_collections(db, game, add_name, out));
    return out;
}

/* ---- Queries -------------------------------------------------------------------------------------------- */

/* The first matching ply of each game, plus one; 0: not found. */
typedef struct plies {
    int of[N_GAMES + 1];
} plies;

static bool note_hit(void *context, const tby_db_hit *hit)
{
    ((plies *)context)->of[hit->id] = hit->ply + 2;
    return true;
}

static plies find(tby_db *db, const char *asked, bool ignores_index)
{
    plies out = {{0}};
    tby_query *query = db_query(asked);
    const tby_db_search search = {.query = query, .ignores_index = ignores_index};
    int64_t n = 0, n_found = 0;
    db_must(db, tby_db_find(db, &search, note_hit, &out));
    db_must(db, tby_db_count(&n, db, &search));
    for (int i = 1; i <= N_GAMES; i++)
        n_found += out.of[i] != 0;
    if (n != n_found)
        fail_msg("%s: %lld counted, %lld found", asked, (long long)n, (long long)n_found);
    tby_query_free(query);
    return out;
}

/* `among` says which of the games that `plain` finds a query with collections finds; the plies are the same. */
static void check_same(tby_db *db, const char *asked, const char *plain, bool (*among)(tby_game_id id))
{
    for (int ignores = 0; ignores < 2; ignores++) {
        const plies got = find(db, asked, ignores), all = find(db, plain, ignores);
        for (int id = 1; id <= N_GAMES; id++)
            if (got.of[id] != (among(id) ? all.of[id] : 0))
                fail_msg("%s: game %d: %d", asked, id, got.of[id]);
    }
}

static bool is_even(tby_game_id id) { return !is_odd(id); }
static bool is_both(tby_game_id id) { return is_odd(id) && is_third(id); }
static bool is_one(tby_game_id id) { return is_odd(id) || is_third(id); }
static bool is_none(tby_game_id id) { return !is_one(id); }
static bool is_any(tby_game_id id) { return id > 0; }
static bool is_nothing(tby_game_id id) { return id < 0; }

TEST(test_db_collections__are_found_by_queries)
{
    static const struct {
        const char *asked, *plain;
        bool (*among)(tby_game_id id);
    } cases[] = {
        {"collection odd", "id 1..", is_odd},
        {"collection \"THE odd\"", "id 1..", is_odd},
        {"collection =\"The odd ones\"", "id 1..", is_odd},
        {"collection =odd", "id 1..", is_nothing},
        {"collection \"the*\"", "id 1..", is_odd},
        {"collection \"*o*\"", "id 1..", is_one},
        {"collection nowhere", "id 1..", is_nothing},
        {"collection \"\"", "id 1..", is_none},
        {"not collection \"\"", "id 1..", is_one},
        {"not collection odd", "id 1..", is_even},
        {"collection odd collection o'third", "id 1..", is_both},
        {"collection odd or collection o'third", "id 1..", is_one},
        {"collection odd result 1-0", "result 1-0", is_odd},
        {"collection odd player adams", "player adams", is_odd},
        {"collection odd check", "check", is_odd},
        {"not collection odd (check or P{d4} for 3)", "check or P{d4} for 3", is_even},
        {"either (collection odd Pe4)", "either Pe4", is_odd},
        {"collection \"\" ever check", "ever check", is_none},
        {"(collection odd or check) check", "check", is_any},
        {"Pe4 ; check collection odd", "Pe4 ; check", is_odd},
        {"opening \"1. a3\" collection o'third", "opening \"1. a3\"", is_third},
        {"fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" collection odd",
         "fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"", is_odd},
    };
    tby_db *db = open_games("queries");
    check_same(db, "collection odd", "id 1..", is_nothing); /* the tables do not exist yet */
    check_same(db, "collection \"\"", "id 1..", is_any);
    assert_int_equal(collect_where(db, "The odd ones", is_odd), N_GAMES / 2);
    assert_int_equal(collect_where(db, "o'third", is_third), N_GAMES / 3);
    assert_int_equal(collect_where(db, "o'third", is_third), 0);
    assert_string_equal(list_of(db, 0), "The odd ones 150;o'third 100;");
    assert_string_equal(list_of(db, 3), "The odd ones 1;o'third 1;");
    assert_string_equal(list_of(db, 2), "");
    for (int with_index = 0; with_index < 2; with_index++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            check_same(db, cases[i].asked, cases[i].plain, cases[i].among);
        db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    }
    db_finish(db, "queries");
}

TEST(test_db_collections__are_explored)
{
    tby_db *db = open_games("explored");
    tby_query *query = db_query("collection odd");
    const tby_db_search among = {.query = query};
    static tby_db_moves moves;
    tby_position start;
    tby_position_start(&start);
    collect_where(db, "odd", is_odd);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    db_must(db, tby_db_explore(&moves, db, &start, &among));
    assert_int_equal(moves.games, N_GAMES / 2);
    tby_query_free(query);
    db_finish(db, "explored");
}

/* ---- Changes -------------------------------------------------------------------------------------------- */

TEST(test_db_collections__follow_their_games)
{
    static const tby_game_id some[] = {1, 3, 5, 299}, rest[] = {3, 6, 9};
    tby_db *db = open_games("follow");
    int64_t n;
    collect_where(db, "odd", is_odd);
    db_must(db, tby_db_collect(&n, db, "few", rest, 3));
    assert_int_equal(db_delete(db, some, 4), 4);
    assert_string_equal(list_of(db, 0), "few 2;odd 146;");
    db_must(db, tby_db_uncollect(&n, db, "few", rest, 3));
    assert_int_equal(n, 2);
    db_must(db, tby_db_uncollect(&n, db, "few", rest, 3));
    assert_int_equal(n, 0);
    assert_string_equal(list_of(db, 0), "odd 146;");
    db_must(db, tby_db_collect(&n, db, "gone", some, 4)); /* these games no longer exist */
    assert_int_equal(n, 0);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    db_must(db, tby_db_uncollect(&n, db, "odd", NULL, 0));
    assert_int_equal(n, 146);
    assert_string_equal(list_of(db, 0), "");
    assert_int_equal(db_n_games(db), N_GAMES - 4);
    tby_db_close(db);
    db = db_open(db_path("follow"), TBY_DB_READ); /* the schema is accepted */
    assert_string_equal(list_of(db, 0), "");
    db_finish(db, "follow");
}

TEST(test_db_collections__refuse_names)
{
    static const tby_game_id one = 1;
    static const char *const names[] = {"", " x", "x ", "a\nb", "a\x7f", "\xff", NULL};
    char name[TBY_COLLECTION_NAME_MAX + 2];
    tby_db *db = open_games("names");
    int64_t n;
    for (size_t i = 0; names[i]; i++)
        assert_int_equal(tby_db_collect(&n, db, names[i], &one, 1), TBY_CANNOT_HOLD);
    memset(name, 'x', sizeof name);
    name[TBY_COLLECTION_NAME_MAX + 1] = '\0';
    assert_int_equal(tby_db_collect(&n, db, name, &one, 1), TBY_CANNOT_HOLD);
    name[TBY_COLLECTION_NAME_MAX] = '\0';
    db_must(db, tby_db_collect(&n, db, name, &one, 1));
    db_finish(db, "names");
}

TEST(test_db_collections__members_that_do_not_exist_are_faults)
{
    tby_db *db = open_games("faults");
    collect_where(db, "odd", is_odd);
    assert_int_equal(sqlite3_exec(db_sql(db), "INSERT INTO member VALUES(1, 7000)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(db_verify(db, NULL, NULL), 1);
    check_same(db, "collection odd", "id 1..", is_odd);
    db_finish(db, "faults");
}

/* ---- Saving --------------------------------------------------------------------------------------------- */

TEST(test_db_collections__keep_a_game_that_is_replaced)
{
    tby_db *db = open_games("replaced");
    tby_game *game = new_game(), *read = new_game();
    tby_game_id id = -1;
    collect_where(db, "odd", is_odd);
    db_must(db, tby_db_game(game, db, 5));
    db_must(db, tby_db_save(&id, db, 5, game)); /* nothing has changed */
    assert_int_equal(id, 5);
    db_must(db, tby_db_save(&id, db, 6, game)); /* already in the database, so 6 stays */
    assert_int_equal(id, 0);
    assert_int_equal(db_n_games(db), N_GAMES);
    add_tag(game, "Annotator", "me");
    db_must(db, tby_db_save(&id, db, 5, game));
    assert_int_equal(id, N_GAMES + 1);
    assert_int_equal(db_n_games(db), N_GAMES);
    assert_int_equal(tby_db_game(read, db, 5), TBY_NOT_FOUND);
    db_must(db, tby_db_game(read, db, id));
    assert_string_equal(list_of(db, id), "odd 1;");
    assert_string_equal(list_of(db, 0), "odd 150;");
    add_tag(game, "Source", "here");
    db_must(db, tby_db_save(&id, db, 0, game));
    assert_int_equal(id, N_GAMES + 2);
    assert_int_equal(tby_db_save(&id, db, 7000, game), TBY_NOT_FOUND);
    assert_int_equal(db_n_games(db), N_GAMES + 1);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    tby_game_free(game);
    tby_game_free(read);
    db_finish(db, "replaced");
}

/* Another connection holds the lock: nothing is lost, and nothing is stored twice. */
TEST(test_db_collections__a_write_that_fails_changes_nothing)
{
    static const tby_game_id one = 2;
    tby_db *db = open_games("locked"), *other = db_open(db_path("locked"), TBY_DB_WRITE);
    tby_game *game = new_game();
    tby_game_id id;
    int64_t n;
    collect_where(db, "odd", is_odd);
    db_must(db, tby_db_game(game, db, 5));
    add_tag(game, "Annotator", "me");
    tby_db_set_patience(db, 0);
    db_must(other, tby_db_begin(other));
    assert_int_equal(tby_db_save(&id, db, 5, game), TBY_BUSY);
    assert_int_equal(tby_db_collect(&n, db, "odd", &one, 1), TBY_BUSY);
    tby_db_rollback(other);
    tby_db_close(other);
    assert_int_equal(db_n_games(db), N_GAMES);
    assert_string_equal(list_of(db, 0), "odd 150;");
    db_must(db, tby_db_save(&id, db, 5, game));
    assert_string_equal(list_of(db, 0), "odd 150;");
    tby_game_free(game);
    db_finish(db, "locked");
}

/* The new game cannot be added to a collection of the old one, so it is not stored either. */
TEST(test_db_collections__a_game_is_replaced_completely_or_not_at_all)
{
    tby_db *db = open_games("whole");
    tby_game *game = new_game();
    tby_game_id id;
    collect_where(db, "odd", is_odd);
    db_must(db, tby_db_game(game, db, 5));
    add_tag(game, "Annotator", "me");
    assert_int_equal(
        sqlite3_exec(db_sql(db),
                     "CREATE TEMP TRIGGER kept BEFORE INSERT ON main.member BEGIN SELECT RAISE(ABORT, 'no'); END", NULL,
                     NULL, NULL),
        SQLITE_OK);
    assert_int_not_equal(tby_db_save(&id, db, 5, game), TBY_OK);
    assert_int_equal(db_n_games(db), N_GAMES);
    assert_string_equal(list_of(db, 5), "odd 1;");
    assert_int_equal(sqlite3_exec(db_sql(db), "DROP TRIGGER kept", NULL, NULL, NULL), SQLITE_OK);
    db_must(db, tby_db_save(&id, db, 5, game));
    assert_int_equal(db_n_games(db), N_GAMES);
    assert_string_equal(list_of(db, id), "odd 1;");
    tby_game_free(game);
    db_finish(db, "whole");
}

/* ---- Threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 8, ROUNDS = 20 };

typedef struct shared_query {
    tby_query *query;
    tby_db *dbs[THREADS];
    int64_t n_wrong[THREADS];
} shared_query;

static void count_shared(void *context, unsigned number)
{
    shared_query *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        const tby_db_search search = {.query = s->query, .n_threads = 1};
        int64_t n = -1;
        s->n_wrong[number] += tby_db_count(&n, s->dbs[number], &search) != TBY_OK || n != (int64_t)number + 1;
    }
}

/* A query never changes: what a database has in its collections is no part of it. */
TEST(test_db_collections__eight_threads_ask_one_query_of_different_collections)
{
    static const tby_game_id ids[THREADS] = {1, 2, 3, 4, 5, 6, 7, 8};
    shared_query s = {.query = db_query("collection shared")};
    static const char *const names[THREADS] = {"of-1", "of-2", "of-3", "of-4", "of-5", "of-6", "of-7", "of-8"};
    for (unsigned i = 0; i < THREADS; i++) {
        int64_t n;
        s.dbs[i] = db_fresh(names[i]);
        db_add_range(s.dbs[i], 1, 20);
        db_must(s.dbs[i], tby_db_collect(&n, s.dbs[i], "shared", ids, i + 1));
    }
    assert_int_equal(threads_run(THREADS, count_shared, &s), THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(s.n_wrong[i], 0);
        db_finish(s.dbs[i], names[i]);
    }
    tby_query_free(s.query);
}

int main(void) { return tests_run(NULL, NULL); }
