/*
 * backend.c - database files as a kind of database.
 */
#include "store/sqlite/db.h"
#include "store/sqlite/words.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LITE(db) ((lite *)(db))

static void close_file(tby_db *db) { lite_close(LITE(db)); }
static bool begin(tby_db *db) { return lite_begin(LITE(db)); }
static bool commit(tby_db *db) { return lite_commit(LITE(db)); }
static void rollback(tby_db *db) { lite_rollback(LITE(db)); }
static bool n_games(tby_db *db, int64_t *out) { return lite_n_games(LITE(db), out); }
static bool last_id(tby_db *db, int64_t *out) { return lite_last_id(LITE(db), out); }
static bool row(tby_db *db, tby_game_id id, tby_row *out) { return lite_row(LITE(db), id, out); }
static bool check_where(tby_db *db, const char *where) { return lite_check_where(LITE(db), where); }
static bool summarize(tby_db *db, tby_db_summary *out) { return lite_summarize(LITE(db), out); }
static bool sizes(tby_db *db, tby_db_size visit, void *context) { return lite_sizes(LITE(db), visit, context); }
static void be_patient(tby_db *db, int milliseconds) { LITE(db)->patience = milliseconds; }

static bool add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added)
{
    return lite_add(LITE(db), batch, duplicates, added);
}

static bool make_index(tby_db *db, int plies, tby_db_progress progress, void *context)
{
    return lite_index(LITE(db), plies, progress, context);
}

static bool erase(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted)
{
    return lite_delete(LITE(db), ids, n_ids, n_deleted);
}

static bool find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    return lite_find(LITE(db), search, visit, context);
}

static bool count(tby_db *db, const tby_db_search *search, int64_t *out) { return lite_count(LITE(db), search, out); }

static bool explain(tby_db *db, const tby_db_search *search, text_buffer *out)
{
    return lite_explain(LITE(db), search, out);
}

static bool explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out)
{
    return lite_explore(LITE(db), pos, among, out);
}

static bool explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet,
                          void *context)
{
    return lite_explore_games(LITE(db), pos, among, meet, context);
}

static bool players(tby_db *db, const player_search *search) { return tby_words_players(LITE(db), search); }
static bool facts(tby_db *db, tby_game_id id, tby_db_facts *out) { return lite_facts(LITE(db), id, out); }

static bool verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    return lite_verify(LITE(db), fault, progress, context, n_faults);
}

/* A writer that was killed may have left a journal, which opening the file again rolls back. */
static bool begin_reading(tby_db *db, int64_t *version)
{
    bool is_alone;
    return lite_begin_reading(LITE(db), &is_alone) &&
           (!version || lite_number(LITE(db), "PRAGMA data_version", version));
}

static void end_reading(tby_db *db) { lite_end_reading(LITE(db), !sqlite3_get_autocommit(LITE(db)->sql)); }

static bool want_index(tby_db *db, unsigned kinds) { return lite_want_index(LITE(db), kinds); }
static void limit_memory(tby_db *db, uint64_t n_bytes) { lite_limit_memory(LITE(db), n_bytes); }

static const backend sqlite_kind = {
    .close = close_file,
    .begin = begin,
    .add = add,
    .commit = commit,
    .rollback = rollback,
    .want_index = want_index,
    .limit_memory = limit_memory,
    .index = make_index,
    .erase = erase,
    .n_games = n_games,
    .last_id = last_id,
    .row = row,
    .find = find,
    .count = count,
    .players = players,
    .check_where = check_where,
    .explain = explain,
    .facts = facts,
    .explore = explore,
    .explore_games = explore_games,
    .verify = verify,
    .summarize = summarize,
    .sizes = sizes,
    .begin_reading = begin_reading,
    .end_reading = end_reading,
    .be_patient = be_patient,
};

/* Nobody asks how much memory SQLite uses, and counting it costs a lock at every allocation. If SQLite is already in
   use, nothing changes. */
static void set_up(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static void set_up_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_up);
}

tby_status tby_db_extend(tby_db_extension init)
{
    set_up_once();
    return sqlite3_auto_extension((void (*)(void))init) == SQLITE_OK ? TBY_OK : TBY_NO_MEMORY;
}

static int look_up(void *context) { return !tby_db_goes_on(&((lite *)context)->base); }

tby_db *tby_sqlite_open(const char *path, tby_db_mode mode, tby_status *status, char error[TBY_DB_ERROR_SIZE])
{
    enum { STEPS = 1000 };
    set_up_once();
    lite *db = lite_open(path, mode, status, error);
    if (!db)
        return NULL;
    db->base.kind = &sqlite_kind;
    sqlite3_progress_handler(db->sql, STEPS, look_up, db);
    return &db->base;
}

bool tby_db_is_file(const char *name)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    struct stat status;
    if (stat(name, &status) != 0 || !S_ISREG(status.st_mode)) /* a pipe can be read only once */
        return false;
    const int fd = open(name, O_RDONLY | O_CLOEXEC); /* no memory is needed, so that there is an answer without any */
    const bool answer = fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head &&
                        memcmp(head, magic, sizeof head) == 0;
    if (fd >= 0)
        close(fd);
    return answer;
}
