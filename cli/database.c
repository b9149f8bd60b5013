/*
 * database.c - opens databases, and ends work on them in order.
 */
#include "database.h"
#include "collection.h"
#include "progress.h"

#include <signal.h>
#include <stdatomic.h>
#include <sqlite3.h>
#include <stdlib.h>

/* SQLite's count of its memory is not asked for, and costs a lock at every allocation. */
void database_set_up(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

tby_db *database_open(const args *a, tby_db_mode mode)
{
    char error[TBY_DB_ERROR_SIZE];
    if (a->n_words == 0)
        error_exit("%s: no database given; try --help", a->command->name);
    if (pg_is_url(a->words[0]))
        error_exit("%s: this is for database files; on a server, PostgreSQL's own tools do it", a->command->name);
    database_set_up();
    tby_db *db = tby_db_open(a->words[0], mode, error);
    if (!db)
        error_exit("%s: %s: %s", a->command->name, a->words[0], error);
    return db;
}

_Noreturn void database_failed(const args *a, tby_db *db)
{
    progress_hide();
    error_print("%s: %s: %s", a->command->name, a->words[0], tby_db_error(db));
    tby_db_close(db);
    out_close();
    exit(EXIT_FAILED);
}

/* ---- Interrupts ------------------------------------------------------------------------------------------------- */

static atomic_int came; /* any thread may ask */

static void note_interrupt(int number)
{
    atomic_store(&came, 1);
    signal(number, SIG_DFL);
}

void interrupts_catch(void)
{
    signal(SIGINT, note_interrupt);
    signal(SIGTERM, note_interrupt);
}

bool interrupts_came(void) { return atomic_load(&came); }

/* ---- Progress --------------------------------------------------------------------------------------------------- */

static struct {
    double fraction; /* negative: not known */
    uint64_t n_games;
} done;

bool database_look_up(void)
{
    progress_update(done.fraction, 0, done.n_games);
    return !came;
}

/* SQLite calls it now and then while it works; anything but 0 ends its work. */
static int look_up(void *context)
{
    (void)context;
    return !database_look_up();
}

void database_work(tby_db *db, const char *name)
{
    enum { STEPS = 1000 };
    done.fraction = -1;
    done.n_games = 0;
    progress_begin(name);
    if (db)
        sqlite3_progress_handler(tby_db_sqlite(db), STEPS, look_up, NULL);
}

void database_progress(double fraction, uint64_t n_games)
{
    done.fraction = fraction;
    done.n_games = n_games;
    progress_update(fraction, 0, n_games);
}

void database_done(tby_db *db)
{
    if (db)
        sqlite3_progress_handler(tby_db_sqlite(db), 0, NULL, NULL);
    progress_hide();
}

bool database_report(void *context, double fraction)
{
    (void)context;
    database_progress(fraction, 0);
    return !came;
}

int64_t database_number(const args *a, tby_db *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(tby_db_sqlite(db), sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW)
        error_exit("%s: %s: %s", a->command->name, a->words[0], sqlite3_errmsg(tby_db_sqlite(db)));
    const int64_t number = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return number;
}
