/*
 * database.h - what the commands on databases share.
 */
#ifndef TABIYA_CLI_DATABASE_H
#define TABIYA_CLI_DATABASE_H

#include "common.h"
#include "tabiya_db.h"

/* Opens the database that the first word names; failure ends the program. */
tby_db *database_open(const args *a, tby_db_mode mode);
/* Ends the program, telling what failed. */
_Noreturn void database_failed(const args *a, tby_db *db);

/* From now on Ctrl-C and SIGTERM only set a flag, so that work can be ended in order; twice ends at once. */
void interrupts_catch(void);
bool interrupts_came(void);

#endif
