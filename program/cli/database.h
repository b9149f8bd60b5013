/*
 * database.h - what the commands on databases share.
 */
#ifndef TABIYA_CLI_DATABASE_H
#define TABIYA_CLI_DATABASE_H

#include "console.h"
#include "tabiya_db.h"

/* A sentence about servers, for --help. */
#define SERVER_HELP "DB may also be a PostgreSQL database, postgresql://USER@HOST/NAME, with the tabiya extension."

/* Opens the database named by the first word, a file or a URL; failure ends the program. */
tby_db *database_open(const args *a, tby_db_mode mode);
/* Opens a database to read it; failure ends the program, naming the command `who`. */
tby_db *database_read(const char *who, const char *path);
/* Is it a database, in a file or on a server? */
bool is_database(const char *path);
/* Its name for messages, without a password: of a path, and of the first word. Valid until the next call. */
const char *database_shown(const char *path);
/* Prints what users should know about the database, once: tby_db_note. */
void database_tell_note(const char *who, const char *path, const tby_db *db);
const char *database_name(const args *a);
/* Ends the program if there is a word after the first `n`. */
void database_refuse_words(const args *a, size_t n);
/* Closes a database that was changed, and says so if its file is not the whole of it because others have it open. */
void database_close(tby_db *db, const char *path);
void database_warn_of_log(const char *path);
/* Ends the program with a message about what failed. */
_Noreturn void database_failed(const args *a, tby_db *db);

/* Databases opened from now on have the functions of the SQLite extension, for conditions and statements. */
void database_extend(void);

/* Work on the database begins; until it ends, a progress bar called `name` appears, without a fraction until
   database_progress is called: `fraction` from 0 to 1, and games so far. It hides at database_done. */
void database_work(tby_db *db, const char *name);
void database_progress(double fraction, uint64_t n_games);
void database_done(tby_db *db);
/* A tby_db_progress: false after Ctrl-C. */
bool database_report(void *context, double fraction);

/* From now on, Ctrl-C and SIGTERM only set a flag and interrupt running SQL, so that work can end cleanly; a second
   signal ends the program at once. */
void interrupts_catch(void);
bool interrupts_came(void);
/* For work that ends by itself after an interrupt, such as writing what was read: interrupts SQL that then takes too
   long. */
void database_watch(tby_db *db);

#endif
