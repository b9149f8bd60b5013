/*
 * find_plan.h - how a file finds the games of a search: made once, shown by --explain, and executed as it is.
 */
#ifndef TBY_STORE_SQLITE_FIND_PLAN_H
#define TBY_STORE_SQLITE_FIND_PLAN_H

#include "store/plan.h"
#include "store/sqlite/index/bound.h"

/* The last step says how it is executed: BY_POSITION, the games that come to it are the answer; BY_RECORDS, they are, and
   SQL decides about the few games that records leave open; BY_EVALUATOR, each step leaves a set of games, and the
   evaluator is asked about the last; else all steps are one statement of SQL. */
typedef struct find_plan {
    db_plan base;
    plan plan;
    tby_target target;      /* of plan.position */
    cover records;          /* what records answer */
    game_set may, must;     /* if records are the end: games that the query may hold for, and of these the sure ones */
    tby_query_state *state; /* of the query */
    tby_game_id last_id;    /* of the file; 0 if it has not been looked up */
    double fraction;        /* estimated share of the games that SQLite reads for plan.where; 1: all */
} find_plan;

/* `only` are the games that the caller looks at, which records then pick out; NULL: all. find_plan_free in any case.
   */
bool find_plan_make(find_plan *out, lite *db, const tby_db_search *search, const game_set *only);
void find_plan_free(find_plan *p);
/* Visits the games of a plan in the order of their numbers, within the limits of `search`. (find.c) */
bool lite_visit_found(lite *db, find_plan *made, const tby_db_search *search, tby_db_visit visit, void *context);

/* Does one number of each game decide the order of the search? Then its games can be visited in it. (find_sorted.c) */
bool lite_can_sort(const find_plan *p);
bool lite_run_sorted(lite *db, find_plan *made, tby_db_visit visit, void *context);

#endif
