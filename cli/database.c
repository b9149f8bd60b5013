/*
 * database.c - opens databases, and ends work on them in order.
 */
#include "database.h"
#include "progress.h"

#include <signal.h>
#include <stdlib.h>

tby_db *database_open(const args *a, tby_db_mode mode)
{
    char error[TBY_DB_ERROR_SIZE];
    if (a->n_words == 0)
        error_exit("%s: no database given; try --help", a->command->name);
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

static volatile sig_atomic_t came;

static void note_interrupt(int number)
{
    came = 1;
    signal(number, SIG_DFL);
}

void interrupts_catch(void)
{
    signal(SIGINT, note_interrupt);
    signal(SIGTERM, note_interrupt);
}

bool interrupts_came(void) { return came; }
