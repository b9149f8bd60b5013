/*
 * test_serve_database.c - the server's answers from a database, without a socket, and what its writers do to them.
 */
#include "serve_support.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <time.h>

static unsigned long number_behind(const char *text, const char *name)
{
    const char *found = strstr(text, name);
    if (!found)
        fail_msg("%s is not in %s", name, text);
    return strtoul(found + strlen(name), NULL, 10);
}

static unsigned long explored_games(const char *target)
{
    response r = get(opened.full, target);
    assert_int_equal(r.status, 200);
    const unsigned long n = number_behind(r.body.s, "\"games\":");
    buffer_free(&r.body);
    return n;
}

TEST(test_serve_database__explores_and_caches_no_outdated_answer)
{
    tby_db_moves *moves = malloc(sizeof *moves);
    tby_position start;
    assert_non_null(moves);
    tby_position_start(&start);
    const tby_db_search all = {.ignores_index = true};
    db_must(opened.db, tby_db_explore(moves, opened.db, &start, &all));
    assert_int_equal(explored_games("/api/explore"), moves->games);
    assert_int_equal(explored_games("/api/explore?fen=startpos"), moves->games);
    db_add(opened.db, opened.games + 1, GAMES, TBY_DUPLICATES_KEEP);
    assert_int_equal(explored_games("/api/explore"), 2 * moves->games);
    expect(opened.full, "/api/explore?moves=1.+e4+e9", 400, "e9");
    expect(opened.full, "/api/explore?fen=8/8", 400, "fen: field 1");
    expect(opened.full, "/api/explore?limit=0", 400, "limit must be");
    expect(opened.full, "/api/explore?fen=4k3/8/8/8/8/8/8/4K3+w+-+-+0+1", 200, "\"games\":0,");
    response one = get(opened.full, "/api/explore?limit=1");
    assert_null(strstr(one.body.s, "},{\"san\""));
    buffer_free(&one.body);
    free(moves);
}

static size_t count_of(const char *text, const char *piece)
{
    size_t n = 0;
    for (; (text = strstr(text, piece)) != NULL; text++)
        n++;
    return n;
}

TEST(test_serve_database__finds_games_page_by_page)
{
    const int64_t n_games = db_n_games(opened.db);
    char target[64], count[64];
    response r = get(opened.full, "/api/find");
    assert_int_equal(count_of(r.body.s, "{\"id\":"), 50);
    assert_non_null(strstr(r.body.s, "],\"more\":true}\n"));
    buffer_free(&r.body);
    snprintf(target, sizeof target, "/api/find?offset=%d&limit=7", (int)n_games - 7);
    r = get(opened.full, target);
    assert_int_equal(count_of(r.body.s, "{\"id\":"), 7);
    assert_non_null(strstr(r.body.s, "],\"more\":false}\n"));
    buffer_free(&r.body);
    snprintf(count, sizeof count, "{\"count\":%d}\n", (int)n_games);
    expect(opened.full, "/api/find?count=1", 200, count);
    expect(opened.full, "/api/find?count=1&limit=1&offset=3", 200, count);
    expect(opened.full, "/api/find?player=nobody", 200, "{\"games\":[],\"more\":false}\n");
    expect(opened.full, "/api/find?fen=startpos&limit=1&chess960=0", 200,
           "\"ply\":0,\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"}");
}

TEST(test_serve_database__refuses_conditions_that_make_no_sense)
{
    expect(opened.full, "/api/find?limit=1001", 400, "limit must be");
    expect(opened.full, "/api/find?limit=x", 400, "limit must be");
    expect(opened.full, "/api/find?elo=high", 400, "elo must be");
    expect(opened.full, "/api/find?date=then", 400, "date must be");
    expect(opened.full, "/api/find?plies=-1", 400, "plies must be");
    expect(opened.full, "/api/find?result=2-0", 400, "result must be");
    expect(opened.full, "/api/find?opening=1.+e9", 400, "opening: column 4");
    expect(opened.full, "/api/find?opening=", 400, "opening must be");
    expect(opened.full, "/api/find?within=3", 400, "within needs");
    expect(opened.full, "/api/find?fen=startpos&board=8/8/8/8/8/8/8/8", 400, "cannot both");
}

TEST(test_serve_database__returns_a_game_as_it_was_added)
{
    tby_game *back = tby_game_new(NULL);
    response r = get(opened.full, "/api/game?id=17&to=json");
    assert_string_equal(header_of(&r, "Content-Type"), "application/json");
    assert_int_equal(tby_json_read(back, r.body.s, r.body.n, NULL), TBY_OK);
    assert_true(tby_game_equal(back, opened.games[17]));
    buffer_free(&r.body);
    r = get(opened.full, "/api/game?id=17");
    assert_string_equal(header_of(&r, "Content-Type"), "text/plain;charset=utf-8");
    tby_pgn *pgn = tby_pgn_new_memory(r.body.s, r.body.n, NULL, NULL);
    assert_int_equal(tby_game_read_pgn(back, pgn, NULL, NULL), TBY_GAME_GOOD);
    assert_true(tby_game_equal(back, opened.games[17]));
    tby_pgn_free(pgn);
    tby_game_free(back);
    buffer_free(&r.body);
    expect(opened.full, "/api/game?id=1000000", 404, "no game 1000000");
    expect(opened.full, "/api/game?id=0", 400, "id must be");
    expect(opened.full, "/api/game?id=99999999999999999999999", 400, "id must be");
    /* 2^64 + 17: a number that overflows would be game 17. */
    expect(opened.full, "/api/game?id=18446744073709551633", 400, "id must be");
    expect(opened.full, "/api/game?id=9223372036854775808", 400, "id must be");
    expect(opened.full, "/api/game?id=9223372036854775807", 404, "no game 9223372036854775807");
    expect(opened.full, "/api/explore?limit=18446744073709551617", 400, "limit must be");
    expect(opened.full, "/api/find?offset=18446744073709551616", 400, "offset must be");
    expect(opened.full, "/api/game", 400, "id is missing");
    expect(opened.full, "/api/game?id=1&to=fen", 400, "fen is not a notation of games");
}

/* Sets the file's time back, as if it had not changed for a while. */
static void set_age(const char *path, time_t seconds)
{
    const struct timespec then = {.tv_sec = time(NULL) - seconds}, times[2] = {then, then};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(test_serve_database__reports_that_the_database_has_not_changed)
{
    static const char *const targets[] = {"/api/explore", "/api/find?limit=2", "/api/game?id=3", "/api/info"};
    const char *path = db_path("etag");
    problem p = {0};
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add(db, opened.games + 1, 10, TBY_DUPLICATES_KEEP);
    site *s = site_new(&(site_options){.database = path}, &p);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        set_age(path, 0);
        response r = get(s, targets[i]);
        assert_int_equal(r.etag[0], 0); /* it may still be changing */
        assert_string_equal(header_of(&r, "Cache-Control"), "no-store");
        buffer_free(&r.body);
        set_age(path, 100);
        r = get(s, targets[i]);
        assert_int_equal(strncmp(r.etag, "W/\"", 3), 0);
        assert_string_equal(header_of(&r, "Cache-Control"), "no-cache");
        response again = ask(s, (request){.target = targets[i], .if_none_match = r.etag});
        assert_int_equal(again.status, 304);
        assert_int_equal(again.body.n, 0);
        assert_string_equal(header_of(&again, "Cache-Control"), "no-cache");
        assert_string_equal(again.etag, r.etag);
        buffer_free(&again.body);
        set_age(path, 50);
        again = ask(s, (request){.target = targets[i], .if_none_match = r.etag});
        assert_int_equal(again.status, 200);
        buffer_free(&again.body);
        buffer_free(&r.body);
    }
    response r = ask(s, (request){.target = "/api/game?id=99", .if_none_match = "\"0\""});
    assert_int_equal(r.status, 404);
    assert_int_equal(r.etag[0], 0);
    buffer_free(&r.body);
    site_free(s);
    tby_db_close(db);
    db_remove(path);
}

/* The tag of a good answer, or *, turned a bad request into "not modified". */
TEST(test_serve_database__refuses_a_bad_request_whatever_the_client_has_cached)
{
    static const struct {
        const char *target;
        unsigned status;
    } bad[] = {
        {"/api/find?limit=x", 400}, {"/lichess?fen=x", 400}, {"/api/game?id=99", 404}, {"/api/explore?fen=x", 400}};
    const char *path = db_path("etag-bad");
    problem p = {0};
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add(db, opened.games + 1, 10, TBY_DUPLICATES_KEEP);
    site *s = site_new(&(site_options){.database = path}, &p);
    set_age(path, 100);
    response good = get(s, "/api/find");
    assert_int_not_equal(good.etag[0], 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        response r = ask(s, (request){.target = bad[i].target, .if_none_match = good.etag});
        assert_int_equal(r.status, bad[i].status);
        buffer_free(&r.body);
        r = ask(s, (request){.target = bad[i].target, .if_none_match = "*"});
        assert_int_equal(r.status, bad[i].status);
        buffer_free(&r.body);
    }
    response r = ask(s, (request){.target = "/api/find", .if_none_match = "*"});
    assert_int_equal(r.status, 304);
    assert_int_equal(r.body.n, 0);
    buffer_free(&r.body);
    buffer_free(&good.body);
    site_free(s);
    tby_db_close(db);
    db_remove(path);
}

TEST(test_serve_database__reports_what_is_in_the_database)
{
    expect(opened.full, "/api/info", 200, "\"games\":");
    expect(opened.full, "/api/info?tables=1", 200, "{\"games\":");
}

TEST(test_serve_database__says_to_retry_when_the_database_is_locked)
{
    problem p = {0};
    sqlite3 *other;
    const char *path = db_path("locked");
    db_remove(path);
    tby_db_close(db_open(path, TBY_DB_CREATE));
    site *s = site_new(&(site_options){.database = path}, &p);
    assert_non_null(s);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    response r = get(s, "/api/explore");
    assert_int_equal(r.status, 503);
    assert_non_null(header_of(&r, "Retry-After"));
    buffer_free(&r.body);
    sqlite3_close(other);
    expect(s, "/api/explore", 200, "\"games\":0,");
    site_free(s);
    db_remove(path);
}

TEST(test_serve_database__refuses_explorer_requests_that_make_no_sense)
{
    expect(opened.full, "/lichess?play=e2e5", 400, "play: \\\"e2e5\\\" is not a legal move there");
    expect(opened.full, "/lichess?play=e2e4,e7e5,nonsense-that-is-long", 400, "play: \\\"nonsense-t\\\" is not");
    expect(opened.full, "/lichess?fen=8/8", 400, "fen: field 1");
    expect(opened.full, "/lichess?variant=atomic", 400, "there are no games of atomic");
    expect(opened.full, "/lichess?speeds=blitz,slow", 400, "speeds: unknown value \\\"slow\\\"");
    expect(opened.full, "/lichess?ratings=1", 400, "ratings: unknown value \\\"1\\\"");
    expect(opened.full, "/lichess?speeds=123456789-123456789-123456789-123456789-123456789-x", 400,
           "123456789-123456789-123456789-123456789-123456789-\\\"\"}");
    expect(opened.full, "/lichess?history=perhaps", 400, "history must be true or false");
    expect(opened.full, "/lichess?moves=x", 400, "moves must be a number");
    expect(opened.full, "/lichess?topGames=-1", 400, "topGames must be a number");
    expect(opened.full, "/lichess?recentGames=x", 400, "recentGames must be a number");
    expect(opened.full, "/lichess?play=e2e4&play=d2d4", 400, "the parameter play is given twice");
    expect(opened.full, "/player?player=Adams", 400, "player and color are needed");
    expect(opened.full, "/player?color=white", 400, "player and color are needed");
    expect(opened.full, "/player?player=&color=white", 400, "player and color are needed");
    expect(opened.full, "/player?player=Adams&color=red", 400, "color must be white or black");
    for (const char *const *date =
             (const char *const[]){"x", "2019-", "2019-x", "2019x06", "2019-06-01", "19999", ":1", NULL};
         *date; date++) {
        char target[64];
        snprintf(target, sizeof target, "/lichess?since=%s", *date);
        expect(opened.full, target, 400, "since must be a year or a month");
        snprintf(target, sizeof target, "/masters?until=%s", *date);
        expect(opened.full, target, 400, "until must be a year or a month");
    }
}

TEST(test_serve_database__accepts_explorer_requests_in_every_form)
{
    static const char *const targets[] = {
        "/lichess",
        "/lichess?fen=&variant=standard&since=&until=",
        "/lichess?variant=chess&play=e2e4,e7e5",
        "/lichess?variant=fromPosition&play=e2e4%20e7e5",
        "/lichess?variant=chess960&play=e2e4&since=0000&until=9999-12",
        "/lichess?since=1990/01&until=2020.12&history=true",
        "/lichess?history=1&speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence",
        "/lichess?history=0&ratings=0,1000,1200,1400,1600,1800,2000,2200,2500",
        "/lichess?modes=rated",
        "/lichess?modes=casual&history=false",
        "/lichess?modes=casual,rated&moves=0&topGames=0&recentGames=0",
        "/masters?topGames=15&since=1900",
        "/player?player=Adams,+Anna&color=white",
        "/player?player=ADAMS,+ANNA&color=black&recentGames=3",
        "/player?player=nobody&color=white",
    };
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        expect(opened.full, targets[i], 200, "\"moves\":[");
}

TEST(test_serve_database__sorts_the_games_it_finds)
{
    static const char *const keys[] = {"date", "elo", "plies"};
    char target[64];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snprintf(target, sizeof target, "/api/find?limit=5&sort=%s", keys[i]);
        expect(opened.full, target, 200, "\"more\":true}");
        snprintf(target, sizeof target, "/api/find?limit=5&offset=298&sort=-%s", keys[i]);
        expect(opened.full, target, 200, "\"more\":");
    }
    expect(opened.full, "/api/find?limit=5&sort=id", 200, "\"more\":true}");
    expect(opened.full, "/api/find?sort=-id&limit=1", 200, "\"more\":true}");
    expect(opened.full, "/api/find?sort=-name", 400,
           "sort must be a column of the list, elo, length or id, perhaps after a minus");
    expect(opened.full, "/api/find?sort=name", 400, "sort");
    expect(opened.full, "/api/find?sort=", 400, "sort");
    expect(opened.full, "/api/find?sort=date&elo=4000..", 200, "{\"games\":[],\"more\":false}");
}

TEST(test_serve_database__lists_user_patterns)
{
    static char text[] = "# a comment\n\n  mine\tmate  \tThe end \r\nbare check\nlast   stalemate\tA draw";
    const patterns own = {.path = "mine", .text = {.s = text, .n = sizeof text - 1}};
    problem p = {0};
    site *s = site_new(&(site_options){.patterns = &own}, &p);
    assert_non_null(s);
    expect(s, "/api/patterns", 200, "{\"name\":\"mine\",\"query\":\"mate\",\"sentence\":\"The end\"}");
    expect(s, "/api/patterns", 200, "{\"name\":\"bare\",\"query\":\"check\",\"sentence\":\"check\"}");
    expect(s, "/api/patterns", 200, "{\"name\":\"last\",\"query\":\"stalemate\",\"sentence\":\"A draw\"}]}");
    site_free(s);
}

static void copy_file(const char *from, const char *to)
{
    char bytes[4096];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "r+b");
    out = out ? out : fopen(to, "wb");
    assert_true(in && out);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
        assert_int_equal(fwrite(bytes, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* The files are as a writer leaves them when it is killed half-way: some pages written, and the journal. */
TEST(test_serve_database__answers_after_a_writer_was_killed)
{
    char path[256], other[256], journal[300], other_journal[300];
    problem p = {0};
    sqlite3 *writer;
    snprintf(path, sizeof path, "%s", db_path("killed"));
    snprintf(other, sizeof other, "%s", db_path("writer"));
    snprintf(journal, sizeof journal, "%s-journal", path);
    snprintf(other_journal, sizeof other_journal, "%s-journal", other);
    for (int i = 0; i < 2; i++) {
        tby_db *db = db_open(i ? other : path, TBY_DB_CREATE);
        db_add(db, opened.games + 1, GAMES, TBY_DUPLICATES_KEEP);
        tby_db_close(db);
    }
    site *s = site_new(&(site_options){.database = path}, &p);
    assert_non_null(s);
    expect(s, "/api/find?count=1", 200, "{\"count\":300}");
    assert_int_equal(sqlite3_open(other, &writer), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(writer,
                     "PRAGMA cache_size = 10; BEGIN; DELETE FROM game; CREATE TABLE more(x); WITH RECURSIVE "
                     "n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO more "
                     "SELECT randomblob(2000) FROM n",
                     NULL, NULL, NULL),
        SQLITE_OK);
    copy_file(other, path);
    copy_file(other_journal, journal);
    sqlite3_close(writer);
    expect(s, "/api/find?count=1", 200, "{\"count\":300}");
    assert_int_not_equal(access(journal, F_OK), 0);
    site_free(s);
    db_remove(path);
    db_remove(other);
}

/* A transaction left open would block writers, and would show an old state forever. */
TEST(test_serve_database__leaves_no_transaction_open)
{
    static const char *const targets[] = {"/api/explore", "/api/find?limit=1",     "/api/find?count=1",
                                          "/api/info",    "/api/game?id=3",        "/api/game?id=1000000",
                                          "/api/find",    "/api/find?fen=startpos"};
    sqlite3 *other;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        response r = get(opened.full, targets[i]);
        buffer_free(&r.body);
        assert_int_equal(sqlite3_open(db_path("serve"), &other), SQLITE_OK);
        assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE; ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(other);
    }
}

TEST(test_serve_database__refuses_options_that_make_no_sense)
{
    expect(opened.full, "/api/info?tables=x", 400, "tables must be 0 or 1");
    expect(opened.full, "/api/find?chess960=x", 400, "chess960 must be 0 or 1");
    expect(opened.full, "/api/find?count=x", 400, "count must be 0 or 1");
    expect(opened.full, "/api/explore?match=mate&moves=e4", 400, "match cannot be used with fen or moves");
    expect(opened.full, "/api/explore?match=mate&fen=startpos", 400, "match cannot be used with fen or moves");
    expect(opened.full, "/api/explore?match=mate", 200, "\"match\":\"mate\"");
    expect(opened.full, "/api/explore?match=mate", 200, "\"match\":\"mate\""); /* from the cache */
}
int main(void) { return tests_run(set_up, tear_down); }
