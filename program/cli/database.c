/*
 * database.c - opens databases, and ends work on them cleanly.
 */
#include "database.h"
#include "io/input.h"
#include "log_path.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/signals.h"
#include "progress.h"
#include "query_options.h"
#include "support/buffer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void database_refuse_words(const args *a, size_t n)
{
    if (a->n_words > n)
        error_exit("%s: unexpected argument \"%s\"; conditions are options, such as --player; try --help",
                   a->command->name, a->words[n]);
}

/* Giving a file of games instead of a database is a common mistake. */
static _Noreturn void fail_to_open(const args *a, const char *error)
{
    const char *name = a->command->name, *path = a->words[0];
    os_about about;
    if (os_about_path(&about, path) && about.kind == OS_FILE && about.size > 0 && !tby_db_is_file(path))
        error_exit("%s: %s: not a database; \"tabiya import games.db %s\" puts its games into one", name, path, path);
    error_exit("%s: %s: %s", name, database_name(a), error);
}

const char *database_shown(const char *path)
{
    static char shown[1024];
    tby_db_name_write(shown, sizeof shown, path);
    return shown;
}

const char *database_name(const args *a) { return database_shown(a->words[0]); }

/* The entry point of the SQLite extension, which is part of the program (program/cli/CMakeLists.txt); SQLite's loader
   wants this name. */
int sqlite3_tabiya_init(struct sqlite3 *db, char **message, const struct sqlite3_api_routines *api);

void database_extend(void) { memory_need(tby_db_extend(sqlite3_tabiya_init) == TBY_OK); }

/* A command may open a file several times, and says it once. */
void database_tell_note(const char *who, const char *path, const tby_db *db)
{
    static buffer said;
    const char *note = tby_db_note(db);
    const size_t n = strlen(path) + 1;
    if (!note)
        return;
    for (size_t at = 0; at < said.n; at += strlen(said.s + at) + 1)
        if (strcmp(said.s + at, path) == 0)
            return;
    buffer_add(&said, path, n);
    error_print("%s: %s: %s", who, database_shown(path), note);
}

tby_db *database_open(const args *a, tby_db_mode mode)
{
    tby_failure failure;
    tby_db *db;
    tby_status status;
    if (a->command->n_shared && args_has(a, QUERY_WHERE))
        database_extend();
    if (a->n_words == 0)
        error_exit("%s: no database given; try --help", a->command->name);
    progress_begin("upgrading");
    status = tby_db_open_reporting(&db, a->words[0], mode, database_report, NULL, &failure);
    progress_hide();
    if (status != TBY_OK)
        fail_to_open(a, failure.text);
    database_tell_note(a->command->name, a->words[0], db);
    return db;
}

tby_db *database_read(const char *who, const char *path)
{
    tby_failure failure;
    tby_db *db;
    if (tby_db_open(&db, path, TBY_DB_READ, &failure) != TBY_OK)
        error_exit("%s: %s: %s", who, database_shown(path), failure.text);
    database_tell_note(who, path, db);
    return db;
}

void database_warn_of_log(const char *path)
{
    os_about about;
    char *log = log_path(path);
    if (log && os_about_path(&about, log) && about.size > 0)
        error_print("%s belongs to %s as long as another program has the database open; copy both", log, path);
    free(log);
}

void database_close(tby_db *db, const char *path)
{
    tby_db_close(db);
    database_warn_of_log(path);
}

bool is_database(const char *path) { return tby_db_is_server(path) || tby_db_is_file(path); }

_Noreturn void database_failed(const args *a, tby_db *db)
{
    progress_hide();
    error_print("%s: %s: %s", a->command->name, database_name(a), tby_db_failure(db)->text);
    tby_db_close(db);
    exit(EXIT_FAILED); /* an unfinished output file does not get its name */
}

/* ---- Interrupts ------------------------------------------------------------------------------------------------- */

enum { GRACE_MILLISECONDS = 500 };

static atomic_int came; /* called from any thread */
static atomic_llong came_at;

static void note_interrupt(void)
{
    atomic_store(&came_at, clock_milliseconds());
    atomic_store(&came, 1);
}

void interrupts_catch(void)
{
    input_is_stopped = interrupts_came;
    os_signals_on_stop(note_interrupt);
}

bool interrupts_came(void) { return atomic_load(&came); }

static bool is_in_time(void *context)
{
    (void)context;
    return !interrupts_came() || clock_milliseconds() - atomic_load(&came_at) < GRACE_MILLISECONDS;
}

void database_watch(tby_db *db) { tby_db_set_watch(db, is_in_time, NULL); }

/* ---- Progress --------------------------------------------------------------------------------------------------- */

static struct {
    double fraction; /* negative: unknown */
    uint64_t n_games;
} done;

/* Called from time to time while the database works; returns false after Ctrl-C. */
static bool look_up(void *context)
{
    (void)context;
    progress_update(done.fraction, 0, done.n_games);
    return !came;
}

void database_work(tby_db *db, const char *name)
{
    done.fraction = -1;
    done.n_games = 0;
    progress_begin(name);
    tby_db_set_watch(db, look_up, NULL);
}

void database_progress(double fraction, uint64_t n_games)
{
    done.fraction = fraction;
    done.n_games = n_games;
    progress_update(fraction, 0, n_games);
}

void database_done(tby_db *db)
{
    tby_db_set_watch(db, NULL, NULL);
    progress_hide();
}

bool database_report(void *context, double fraction)
{
    (void)context;
    database_progress(fraction, 0);
    return !came;
}
