/*
 * transaction.c - begins and ends transactions.
 */
#include "base/contract.h"
#include "store/sqlite/db.h"

/* ---- Writing -------------------------------------------------------------------------------------------- */

/* Data about games that is kept between transactions is valid only if no one else writes. */
bool lite_begin(lite *db)
{
    int64_t version = 0;
    if (!lite_run(db, "BEGIN IMMEDIATE"))
        return false;
    if (!lite_number(db, "PRAGMA data_version", &version)) {
        lite_rollback(db);
        return false;
    }
    if (version != db->data_version)
        intake_forget(db);
    db->data_version = version;
    return true;
}

bool lite_begin_part(lite *db, bool *is_own)
{
    *is_own = sqlite3_get_autocommit(db->sql) != 0;
    return !*is_own || lite_begin(db);
}

bool lite_finish(lite *db, bool is_good)
{
    if (is_good)
        return lite_commit(db);
    lite_rollback(db);
    return false;
}

bool lite_end_part(lite *db, bool is_own, bool is_good)
{
    return is_own ? lite_finish(db, is_good) : is_good && intake_flush(db);
}

/* Rolling back may need memory that is available again a moment later. */
static void roll_back(const lite *db)
{
    for (int i = 0; i < 2 && !sqlite3_get_autocommit(db->sql); i++)
        sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
}

void lite_rollback(lite *db)
{
    intake_forget(db);
    roll_back(db);
}

bool lite_commit(lite *db)
{
    TBY_CONTRACT(db->mode != TBY_DB_READ);
    if (intake_flush(db) && lite_run(db, "COMMIT"))
        return true;
    lite_rollback(db);
    return false;
}

/* ---- Closing -------------------------------------------------------------------------------------------- */

void lite_fold(sqlite3 *sql)
{
    enum { PATIENCE_MILLISECONDS = 200 };
    sqlite3_busy_timeout(sql, PATIENCE_MILLISECONDS);
    sqlite3_wal_checkpoint_v2(sql, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    sqlite3_busy_timeout(sql, 0);
}

void lite_settle(sqlite3 *sql)
{
    sqlite3_exec(sql, "PRAGMA synchronous = EXTRA", NULL, NULL, NULL);
    lite_fold(sql);
    sqlite3_exec(sql, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

bool lite_begin_reading(lite *db, bool *is_alone)
{
    *is_alone = sqlite3_get_autocommit(db->sql) != 0;
    return !*is_alone || lite_run(db, "BEGIN");
}

void lite_end_reading(lite *db, bool is_alone)
{
    if (is_alone && sqlite3_exec(db->sql, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        roll_back(db);
}
