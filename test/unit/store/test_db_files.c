/*
 * test_db_files.c - files of games are searched as databases, alone and with others: the answers are those of a database
 * that has imported them.
 */
#include "db_support.h"

#include <stdio.h>
#include <string.h>

static const char good[] = "[White \"Carlsen, Magnus\"]\n[Black \"Anand\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                           "[White \"Anand\"]\n[Black \"Carlsen, Magnus\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n\n";
static const char bad[] =
    "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"c\"]\n\n1. d4 *\n";

static const char *write_file(const char *name, const char *text)
{
    const char *path = db_path(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fputs(text, f) >= 0, true);
    assert_int_equal(fclose(f), 0);
    return path;
}

typedef struct seen {
    size_t n, n_faults;
    tby_game_id ids[8];
    uint64_t game, line, n_most;
    char name[256];
    bool stops;
} seen;

static bool note_row(void *context, const tby_db_hit *hit, const tby_row *row)
{
    seen *s = context;
    assert_true(row->plies > 0);
    s->ids[s->n++] = hit->id;
    return s->n != s->n_most;
}

static bool note_hit(void *context, const tby_db_hit *hit)
{
    seen *s = context;
    s->ids[s->n++] = hit->id;
    return true;
}

static bool note_fault(void *context, const char *name, const tby_game_fault *fault, uint64_t game)
{
    seen *s = context;
    s->n_faults++;
    s->game = game;
    s->line = fault->line;
    snprintf(s->name, sizeof s->name, "%s", name);
    return !s->stops;
}

static tby_query *query_of(const char *text)
{
    tby_query *q = tby_query_new(text, strlen(text), NULL, NULL, NULL);
    assert_non_null(q);
    return q;
}

TEST(test_db_files__a_report_of_a_file_and_a_database)
{
    tby_db *mine = db_fresh("files-mine"), *both;
    tby_failure failure;
    tby_query *q = query_of("white ~\"Magnus Carlsen\"");
    tby_report *report = tby_report_new();
    write_file("files.pgn", good);
    db_add_range(mine, 1, 3);
    tby_db_close(mine);
    char file[256], database[256];
    strcpy(file, db_path("files.pgn"));
    strcpy(database, db_path("files-mine"));
    const char *const names[] = {file, database};
    assert_int_equal(tby_db_open_games(&both, names, 2, NULL, &failure), TBY_OK);
    const tby_db_search search = {.query = q};
    int64_t n;
    db_must(both, tby_db_n_games(&n, both));
    assert_int_equal(n, 5);
    db_must(both, tby_db_report(report, both, &search, TBY_WHITE));
    assert_int_equal(tby_report_total(report).won, 1);
    assert_null(tby_db_temporary_path(both));
    tby_report_free(report);
    tby_query_free(q);
    tby_db_close(both);
    db_remove(database);
    db_remove(file);
}

TEST(test_db_files__a_game_with_a_fault_leaves_its_number_unused)
{
    const char *path = write_file("faults.pgn", bad);
    seen s = {.n = 0};
    tby_db_games_read counts = {0, 0};
    const tby_db_games how = {.fault = note_fault, .context = &s, .counts = &counts, .n_threads = 1};
    tby_failure failure;
    tby_db *db;
    assert_int_equal(tby_db_open_games(&db, &path, 1, &how, &failure), TBY_OK);
    assert_int_equal(s.n_faults, 1);
    assert_int_equal(s.game, 2);
    assert_int_equal(s.line, 7);
    assert_string_equal(s.name, path);
    assert_int_equal(counts.games, 3);
    assert_int_equal(counts.bad, 1);
    db_must(db, tby_db_find(db, &(tby_db_search){.limit = 0}, note_hit, &s));
    assert_int_equal(s.n, 2);
    assert_int_equal(s.ids[1], 3);
    int64_t n_deleted;
    assert_int_not_equal(tby_db_delete(&n_deleted, db, s.ids, 1), TBY_OK);
    char stored[512];
    strcpy(stored, tby_db_temporary_path(db));
    assert_true(tby_db_is_file(stored));
    tby_db_close(db);
    assert_false(tby_db_is_file(stored));
}

TEST(test_db_files__without_a_watcher_a_fault_fails_the_whole)
{
    const char *path = write_file("faults.pgn", bad);
    tby_failure failure;
    tby_db *db;
    assert_int_equal(tby_db_open_games(&db, &path, 1, NULL, &failure), TBY_ILLEGAL_MOVE);
    assert_null(db);
    assert_non_null(strstr(failure.text, "faults.pgn.db:7:"));
    seen s = {.stops = true};
    const tby_db_games how = {.fault = note_fault, .context = &s};
    assert_int_equal(tby_db_find_in_file(path, NULL, &how, note_row, &s, &failure), TBY_ILLEGAL_MOVE);
    assert_int_equal(tby_db_open_games(&db, (const char *const[]){"missing.pgn"}, 1, NULL, &failure), TBY_NOT_FOUND);
}

TEST(test_db_files__a_file_is_read_once_and_its_games_are_visited_in_order)
{
    const char *path = write_file("files.pgn", good);
    tby_failure failure;
    seen s = {.n = 0};
    tby_query *q = query_of("white anand");
    assert_int_equal(tby_db_find_in_file(path, q, NULL, note_row, &s, &failure), TBY_OK);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.ids[0], 2);
    s = (seen){.n_most = 1};
    assert_int_equal(tby_db_find_in_file(path, NULL, NULL, note_row, &s, &failure), TBY_OK);
    assert_int_equal(s.n, 1);
    tby_query_free(q);
    q = query_of("white ~\"Magnus Carlsen\"");
    assert_int_equal(tby_db_find_in_file(path, q, NULL, note_row, &s, &failure), TBY_CANNOT_HOLD);
    tby_query_free(q);
}

TEST(test_db_files__limits_and_notations)
{
    const char *path = write_file("files.pgn", good);
    tby_failure failure;
    tby_db *db;
    assert_int_equal(tby_db_open_games(&db, &path, 1, &(tby_db_games){.most = 1}, &failure), TBY_TOO_MANY);
    assert_int_equal(tby_db_open_games(&db, &path, 1, &(tby_db_games){.notation = "none"}, &failure), TBY_NOT_FOUND);
    assert_int_equal(tby_db_open_games(&db, &path, 1, &(tby_db_games){.notation = "pgn", .most = 2}, &failure), TBY_OK);
    tby_db_close(db);
    assert_int_equal(tby_db_open_games(&db, &path, 0, NULL, &failure), TBY_TOO_MANY);
}

int main(void) { return tests_run(NULL, NULL); }
