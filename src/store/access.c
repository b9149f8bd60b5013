/*
 * access.c - what all kinds of databases share: failures, and running a search from plan to last game.
 */
#include "store/access.h"
#include "base/contract.h"

bool db_fail(tby_db *db, tby_status status, const char *format, ...)
{
    TBY_CONTRACT(status != TBY_OK);
    va_list args;
    va_start(args, format);
    failure_set_list(&db->failure, status, format, args);
    va_end(args);
    return false;
}

db_plan *db_plan_make(tby_db *db, tby_db_search *search, const tby_position *pos)
{
    TBY_CONTRACT(search != NULL);
    query_members *members;
    struct db_people *people = NULL;
    db_plan *plan = NULL;
    if (db_find_members(&members, db, search->query) && db_find_people(db, search, &people))
        plan = db->kind->plan(db, search, pos, members);
    if (plan) {
        plan->members = members;
        plan->people = people;
    } else {
        members_free(members);
        db_people_free(people);
    }
    return plan;
}

void db_plan_free(tby_db *db, db_plan *plan)
{
    if (!plan)
        return;
    query_members *members = plan->members;
    struct db_people *people = plan->people;
    db->kind->plan_free(db, plan);
    members_free(members);
    db_people_free(people);
}

int64_t db_within_limits(int64_t n, const tby_db_search *search)
{
    TBY_CONTRACT(n >= 0);
    n = n > search->offset ? n - search->offset : 0;
    return search->limit > 0 && n > search->limit ? search->limit : n;
}

tby_db_facts db_facts_of_row(const tby_row *row)
{
    return (tby_db_facts){{row->elo[TBY_WHITE], row->elo[TBY_BLACK]}, row->date, row->result, (int)row->speed};
}
