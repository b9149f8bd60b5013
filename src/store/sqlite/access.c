/*
 * access.c - database files as a kind of database.
 */
#include "os/file.h"
#include "os/threads.h"
#include "store/sqlite/db.h"
#include "store/sqlite/index/words.h"

#include <string.h>

static void close_file(tby_db *db) { lite_close(lite_of(db)); }
static bool begin(tby_db *db) { return lite_begin(lite_of(db)); }
static bool commit(tby_db *db) { return lite_commit(lite_of(db)); }
static void rollback(tby_db *db) { lite_rollback(lite_of(db)); }
static bool last_id(tby_db *db, int64_t *out) { return lite_last_id(lite_of(db), out); }
static bool names(tby_db *db, const name_search *search) { return words_names(lite_of(db), search); }

/* A writer that was killed may have left a journal, which is rolled back when the file is opened again. */
static bool begin_reading(tby_db *db, int64_t *version)
{
    bool is_alone;
    return lite_begin_reading(lite_of(db), &is_alone) &&
           (!version || lite_number(lite_of(db), "PRAGMA data_version", version));
}

static void end_reading(tby_db *db) { lite_end_reading(lite_of(db), !sqlite3_get_autocommit(lite_of(db)->sql)); }

static void limit(tby_db *db, db_limit what, uint64_t n)
{
    if (what == DB_LIMIT_MEMORY)
        lite_limit_memory(lite_of(db), n);
    else
        lite_of(db)->patience = (int)n;
}

static const db_access sqlite_access = {
    .close = close_file,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .add = lite_add,
    .erase = lite_erase,
    .collections = lite_collections,
    .members = lite_members,
    .collect = lite_collect_games,
    .begin_reading = begin_reading,
    .end_reading = end_reading,
    .n_games = lite_n_games,
    .last_id = last_id,
    .row = lite_row,
    .facts = lite_facts,
    .plan = lite_plan,
    .plan_free = lite_plan_free,
    .describe = lite_describe_plan,
    .run = lite_run_plan,
    .count = lite_count,
    .reach = lite_reach,
    .names = names,
    .check_where = lite_check_where,
    .index = lite_index,
    .want_index = lite_want_index,
    .limit = limit,
    .verify = lite_verify,
    .summarize = lite_summarize,
    .sizes = lite_sizes,
};

/* SQLite's memory statistics are not used, and cost a lock at every allocation. If SQLite is already in use, this has
   no effect. */
static void set_up(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static void set_up_once(void)
{
    static os_once once = OS_ONCE_INIT;
    os_once_call(&once, set_up);
}

tby_status tby_db_extend(tby_db_extension init)
{
    set_up_once();
    return sqlite3_auto_extension((void (*)(void))init) == SQLITE_OK ? TBY_OK : TBY_NO_MEMORY;
}

static int look_up(void *context) { return !db_goes_on(&((lite *)context)->base); }

tby_db *sqlite_open(const char *path, tby_db_mode mode, db_report upgrading, tby_failure *failure)
{
    enum { STEPS = 1000 };
    set_up_once();
    lite *db = lite_open(path, mode, upgrading, failure);
    if (!db)
        return NULL;
    db->base.kind = &sqlite_access;
    db->base.note = *db->note ? db->note : NULL;
    sqlite3_progress_handler(db->sql, STEPS, look_up, db);
    return &db->base;
}

bool tby_db_is_file(const char *name)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    if (!os_is_file(name)) /* a pipe can be read only once */
        return false;
    const int file = os_open(name, OS_READ, 0); /* works even if out of memory */
    const bool answer = file >= 0 && os_read(file, head, sizeof head) == (ptrdiff_t)sizeof head &&
                        memcmp(head, magic, sizeof head) == 0;
    if (file >= 0)
        os_close(file);
    return answer;
}
