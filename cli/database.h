/*
 * database.h - what the commands on databases share.
 */
#ifndef TABIYA_CLI_DATABASE_H
#define TABIYA_CLI_DATABASE_H

#include "common.h"
#include "tabiya_db.h"

/* Before the first database is opened; database_open does it. */
void database_set_up(void);
/* Opens the database that the first word names; failure ends the program. */
tby_db *database_open(const args *a, tby_db_mode mode);
/* Is there such a file, and does it begin like SQLite's? */
bool database_is_file(const char *path);
/* A word behind the first `n` belongs to nothing: that ends the program. */
void database_refuse_words(const args *a, size_t n);
/* Ends the program, telling what failed. */
_Noreturn void database_failed(const args *a, tby_db *db);

/* Work on the database begins; while it goes on a progress bar called `name` appears, without a fraction until
   database_progress is called: `fraction` from 0 to 1, and games so far. It hides at database_done. A database that is
   no file is NULL, and calls database_look_up now and then. */
void database_work(tby_db *db, const char *name);
void database_progress(double fraction, uint64_t n_games);
void database_done(tby_db *db);
/* Renews the bar; false behind Ctrl-C. */
bool database_look_up(void);
/* A tby_db_progress: false behind Ctrl-C. */
bool database_report(void *context, double fraction);

/* From now on Ctrl-C and SIGTERM only set a flag, so that work can be ended in order; twice ends at once. SQL
   that is running is then given up. */
void interrupts_catch(void);
bool interrupts_came(void);

#endif
