/*
 * test_db_beside.c - files that someone has put beside a database: no other file is opened, changed or deleted.
 */
#include "db_support.h"

#include <sys/stat.h>
#include <time.h>

static const char *path;
static const char secret[] = "precious\n";

/* Another file of the user, in the same folder. */
static const char *victim(const char *ending)
{
    static char name[300];
    snprintf(name, sizeof name, "%s%s", path, ending);
    return name;
}

static const char *beside(const char *ending)
{
    static char name[300];
    snprintf(name, sizeof name, "%s%s", path, ending);
    return name;
}

static void write_file(const char *name, const void *bytes, size_t n)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static bool is_intact(const char *name)
{
    char bytes[64] = "";
    FILE *file = fopen(name, "rb");
    const size_t n = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    if (file)
        fclose(file);
    return n == sizeof secret - 1 && memcmp(bytes, secret, n) == 0;
}

static void make(void)
{
    static const char *const endings[] = {"-journal", "-wal", "-shm", "-victim", "-other-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        unlink(beside(endings[i]));
    unlink(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add_range(db, 1, 10);
    tby_db_close(db);
}

static void put_number(uint8_t *to, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(number >> (24 - 8 * i));
}

/* A journal that would roll back nothing, and that ends with the name of a super-journal. */
static void plant_super_journal(const char *name)
{
    static const uint8_t magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    enum { SECTOR = 512, PAGE = 8192 };
    uint8_t bytes[SECTOR + 400] = {0};
    const size_t n = strlen(name);
    uint32_t sum = 0;
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    memcpy(bytes, magic, sizeof magic);
    put_number(bytes + 16, (uint32_t)(status.st_size / PAGE));
    put_number(bytes + 20, SECTOR);
    put_number(bytes + 24, PAGE);
    uint8_t *at = bytes + SECTOR;
    put_number(at, (1u << 30) / PAGE + 1);
    memcpy(at + 4, name, n);
    for (size_t i = 0; i < n; i++)
        sum = sum + (uint8_t)name[i] - (name[i] & 0x80 ? 256u : 0u); /* as signed numbers */
    put_number(at + 4 + n, (uint32_t)n);
    put_number(at + 8 + n, sum);
    memcpy(at + 12 + n, magic, sizeof magic);
    write_file(beside("-journal"), bytes, SECTOR + 20 + n);
}

/* Everything that opens a file: the three modes, and SQL without and with --write. Returns how it went. */
enum { WAYS = 5 };
static bool opens(int way, tby_failure *failure)
{
    tby_db *db = NULL;
    tby_db_session *session = NULL;
    failure->status = way < 3 ? tby_db_open(&db, path, (tby_db_mode)way, failure)
                              : tby_db_session_open(&session, path, way == 4, NULL, NULL, failure);
    if (db && way > 0 && (failure->status = tby_db_index(db, TBY_INDEX_ALL, NULL, NULL)) != TBY_OK)
        *failure = *tby_db_failure(db);
    tby_db_close(db);
    tby_db_session_close(session);
    return failure->status == TBY_OK;
}

TEST(test_db_beside__a_journal_that_names_another_file_is_refused)
{
    /* The last three are names of the database's own files, and one of them is the journal itself. */
    static const char *const names[] = {"-victim", "-other-journal", "", "-missing", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int way = 0; way < WAYS; way++) {
            tby_failure failure;
            const bool is_file = i < 2;
            make();
            if (is_file)
                write_file(victim(names[i]), secret, sizeof secret - 1);
            plant_super_journal(victim(names[i]));
            assert_false(opens(way, &failure));
            assert_non_null(strstr(failure.text, "-journal is from a transaction on several databases"));
            assert_int_equal(access(beside("-journal"), F_OK), 0);
            assert_true(is_file ? is_intact(victim(names[i])) : access(path, F_OK) == 0);
        }
    make();
}

/* A name without a folder means another file than the same name with one. */
TEST(test_db_beside__relative_names_are_refused_too)
{
    static const char *const names[] = {"victim", "./x", "../x", "", "\xff\xfe"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tby_failure failure;
        make();
        plant_super_journal(names[i]);
        assert_int_equal(opens(0, &failure), !*names[i]); /* an empty name is none */
    }
    make();
}

/* Writing to a link would change the file it leads to, and opening a pipe would never end. */
TEST(test_db_beside__links_and_pipes_are_refused)
{
    static const char *const endings[] = {"-journal", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++)
        for (int kind = 0; kind < 4; kind++)
            for (int way = 0; way < WAYS; way++) {
                tby_failure failure;
                make();
                write_file(victim("-victim"), secret, sizeof secret - 1);
                char target[300];
                snprintf(target, sizeof target, "%s", victim("-victim"));
                assert_int_equal(kind == 0   ? symlink(target, beside(endings[i]))
                                 : kind == 1 ? link(target, beside(endings[i]))
                                 : kind == 2 ? mkfifo(beside(endings[i]), 0600)
                                             : mkdir(beside(endings[i]), 0700),
                                 0);
                (void)opens(way, &failure);
                assert_true(is_intact(target));
                (void)rmdir(beside(endings[i]));
            }
    make();
}

/* While the file is in WAL mode, a reader opens the log and its index. */
TEST(test_db_beside__a_log_that_leads_elsewhere_is_refused_in_wal_mode)
{
    static const char *const endings[] = {"-wal", "-shm"};
    for (size_t i = 0; i < 4; i++)
        for (int way = 0; way < WAYS; way++) {
            tby_failure failure;
            char target[300];
            sqlite3 *sql;
            make();
            assert_int_equal(sqlite3_open(path, &sql), SQLITE_OK);
            assert_int_equal(sqlite3_exec(sql, "PRAGMA journal_mode = WAL", NULL, NULL, NULL), SQLITE_OK);
            sqlite3_close(sql);
            write_file(victim("-victim"), secret, sizeof secret - 1);
            snprintf(target, sizeof target, "%s", victim("-victim"));
            assert_int_equal(i < 2 ? link(target, beside(endings[i])) : symlink(target, beside(endings[i - 2])), 0);
            assert_false(opens(way, &failure));
            assert_true(is_intact(target));
        }
    make();
}

/* A database may itself be reached through a link: then its journal is beside the file, not beside the link. */
TEST(test_db_beside__a_link_to_a_database_is_opened)
{
    char name[300];
    make();
    snprintf(name, sizeof name, "%s-link", path);
    assert_int_equal(symlink(path, name), 0);
    tby_db *db = db_open(name, TBY_DB_WRITE);
    db_add_range(db, 11, 20);
    assert_int_equal(db_n_games(db), 20);
    tby_db_close(db);
    unlink(name);
    db = db_open(path, TBY_DB_READ);
    assert_int_equal(db_n_games(db), 20);
    tby_db_close(db);
}

int main(void)
{
    path = db_path("planted");
    const int failed = tests_run(NULL, NULL);
    db_remove(path);
    return failed;
}
