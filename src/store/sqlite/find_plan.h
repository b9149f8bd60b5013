/*
 * find_plan.h - how a file finds the games of a search: made once, shown by --explain, and executed as it is.
 */
#ifndef TBY_STORE_SQLITE_FIND_PLAN_H
#define TBY_STORE_SQLITE_FIND_PLAN_H

#include "store/plan.h"
#include "store/sqlite/index/bound.h"

/* What leaves some of the games, in the order in which it is done; bits. */
typedef enum find_step {
    STEP_SQL = 1,         /* plan.where, which an index of SQLite serves */
    STEP_WHERE = 2,       /* the user's condition */
    STEP_POSITION = 4,    /* the games that come to the position */
    STEP_RECORDS = 8,     /* records_bound.c */
    STEP_MATERIAL = 0x10, /* lists_bound.c */
    STEP_PAWNS = 0x20,
    STEP_STOOD = 0x40 /* stood_bound.c */
} find_step;

/* What decides in the end. */
typedef enum find_end {
    END_POSITION, /* the games that come to the position are the answer */
    END_RECORDS,  /* records do; SQL decides about the few games that they leave open */
    END_SQL,      /* one statement of SQL does */
    END_ASK       /* the evaluator is asked about all games that are left */
} find_end;

typedef struct find_plan {
    db_plan base;
    plan plan;
    tby_target target; /* of plan.position */
    unsigned steps;    /* find_step */
    find_end end;
    cover records;          /* what records answer */
    game_set may, must;     /* of END_RECORDS: games that the query may hold for, and of these the sure ones */
    tby_query_state *state; /* of the query */
    tby_game_id last_id;    /* of the file; 0 if it has not been looked up */
    double fraction;        /* estimated share of the games that SQLite reads for plan.where; 1: all */
} find_plan;

/* `only` are the games that the caller looks at, which records then pick out; NULL: all. find_plan_free in any case.
   */
bool find_plan_make(find_plan *out, lite *db, const tby_db_search *search, const game_set *only);
void find_plan_free(find_plan *p);
/* Visits the games of a plan in the order of their numbers, within the limits of `search`. (find.c) */
bool lite_visit_found(lite *db, const find_plan *made, const tby_db_search *search, tby_db_visit visit, void *context);

/* Does one number of each game decide the order of the search? Then its games can be visited in it. (find_sorted.c) */
bool lite_can_sort(const find_plan *p);
bool lite_run_sorted(lite *db, const find_plan *made, tby_db_visit visit, void *context);

#endif
