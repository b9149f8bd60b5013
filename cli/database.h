/*
 * database.h - what the commands on databases share.
 */
#ifndef TABIYA_CLI_DATABASE_H
#define TABIYA_CLI_DATABASE_H

#include "common.h"
#include "tabiya_db.h"

/* A sentence about servers, for --help. */
#define SERVER_HELP "DB may also be a PostgreSQL database, postgresql://USER@HOST/NAME, that has the extension tabiya."

/* Opens the database that the first word names, a file or a server's; failure ends the program. */
tby_db *database_open(const args *a, tby_db_mode mode);
/* Its name as it may be shown: without a password. */
const char *database_name(const args *a);
/* Is there such a file, and does it begin like SQLite's? */
bool database_is_file(const char *path);
/* A word after the first `n` belongs to nothing: that ends the program. */
void database_refuse_words(const args *a, size_t n);
/* Ends the program, telling what failed. */
_Noreturn void database_failed(const args *a, tby_db *db);

/* The entry point of the SQLite extension, which is part of the program. */
struct sqlite3;
struct sqlite3_api_routines;
int sqlite3_tabiya_init(struct sqlite3 *db, char **message, const struct sqlite3_api_routines *api);

/* Work on the database begins; while it goes on a progress bar called `name` appears, without a fraction until
   database_progress is called: `fraction` from 0 to 1, and games so far. It hides at database_done. */
void database_work(tby_db *db, const char *name);
void database_progress(double fraction, uint64_t n_games);
void database_done(tby_db *db);
/* A tby_db_progress: false after Ctrl-C. */
bool database_report(void *context, double fraction);

/* From now on Ctrl-C and SIGTERM only set a flag, so that work can be ended in order; twice ends at once. SQL
   that is running is then given up. */
void interrupts_catch(void);
bool interrupts_came(void);

#endif
