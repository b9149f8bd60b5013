/*
 * access.c - what all kinds of databases share: failures, and running a search from plan to last game.
 */
#include "store/access.h"

bool db_fail(tby_db *db, tby_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    failure_set_list(&db->failure, status, format, args);
    va_end(args);
    return false;
}

db_plan *db_plan_make(tby_db *db, const tby_db_search *search, const tby_position *pos)
{
    return db_find_members(db, search->query) ? db->kind->plan(db, search, pos) : NULL;
}

bool db_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    db_plan *plan = db_plan_make(db, search, NULL);
    const bool is_good = plan && db->kind->run(db, plan, visit, context);
    if (plan)
        db->kind->plan_free(db, plan);
    return is_good;
}

tby_db_facts db_facts_of_row(const tby_row *row)
{
    return (tby_db_facts){{row->elo[TBY_WHITE], row->elo[TBY_BLACK]}, row->date, row->result, (int)row->speed};
}
