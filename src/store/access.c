/*
 * access.c - what all kinds of databases share: failures, and running a search from plan to last game.
 */
#include "store/access.h"
#include "base/contract.h"
#include "os/temporary.h"

#include <stdlib.h>

bool db_fail(tby_db *db, tby_status status, const char *format, ...)
{
    TBY_CONTRACT(status != TBY_OK);
    va_list args;
    va_start(args, format);
    failure_set_list(&db->failure, status, format, args);
    va_end(args);
    return false;
}

void db_temporary_remove(db_temporary *temporary)
{
    if (temporary->folder)
        os_temporary_folder_remove(temporary->folder);
    free(temporary->folder);
    free(temporary->path);
}

void db_close(tby_db *db)
{
    if (!db)
        return;
    db_temporary temporary = db->temporary;
    db->kind->close(db);
    db_temporary_remove(&temporary);
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

int64_t db_n_wanted(const tby_db_search *search)
{
    const int64_t offset = search->offset > 0 ? search->offset : 0, limit = search->limit;
    return limit > 0 && offset <= INT64_MAX - limit ? offset + limit : 0;
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

bool db_game_of_row(tby_db *db, tby_game_id id, const tby_row *row, tby_game *out)
{
    TBY_CONTRACT(row && out);
    tby_error err = {.status = TBY_OK};
    const tby_status status = tby_row_game(out, row, &err);
    if (status == TBY_NO_MEMORY)
        return db_fail_memory(db);
    return status == TBY_OK || db_fail(db, TBY_INVALID_DATABASE, "game %lld is damaged: %s", (long long)id, err.detail);
}

tby_status db_make_again(tby_batch *out, tby_game *game, const tby_row *row, const char **fault)
{
    TBY_CONTRACT(row && fault);
    tby_error err = {.status = TBY_OK};
    tby_batch_clear(out);
    tby_status status = tby_row_game(game, row, &err);
    if (status == TBY_OK)
        status = tby_batch_add(out, game);
    *fault = status == TBY_OK || status == TBY_NO_MEMORY ? NULL : err.detail ? err.detail : tby_status_text(status);
    return status;
}
