/*
 * find_plan.h - how a file finds the games of a search: made once, shown by --explain, and executed unchanged.
 */
#ifndef TBY_STORE_SQLITE_FIND_PLAN_H
#define TBY_STORE_SQLITE_FIND_PLAN_H

#include "store/plan.h"
#include "store/sqlite/index/bound.h"

/* Steps that rule out games, in the order in which they are run; bits. */
typedef enum find_step {
    STEP_SQL = 1,         /* plan.where, with an index of SQLite */
    STEP_WHERE = 2,       /* the user's condition */
    STEP_POSITION = 4,    /* the games that reach the position */
    STEP_RECORDS = 8,     /* records_bound.c */
    STEP_MATERIAL = 0x10, /* lists_bound.c */
    STEP_PAWNS = 0x20,
    STEP_STOOD = 0x40 /* stood_bound.c */
} find_step;

/* What finally decides. */
typedef enum find_end {
    END_POSITION, /* all games that reach the position match */
    END_RECORDS,  /* records; SQL decides the few games that they leave open */
    END_SQL,      /* one SQL statement */
    END_ASK       /* the evaluator checks all remaining games */
} find_end;

typedef struct find_plan {
    db_plan base;
    plan plan;
    tby_target target; /* of plan.position */
    unsigned steps;    /* find_step */
    find_end end;
    cover records;          /* what records can decide */
    game_set may, must;     /* for END_RECORDS: games that may match, and those that surely do */
    tby_query_state *state; /* of the query */
    tby_game_id last_id;    /* of the file; 0 if not looked up yet */
    double fraction;        /* estimated share of the games that SQLite reads for plan.where; 1: all */
} find_plan;

/* `only` are the games of interest to the caller, which records then select; NULL: all. Call find_plan_free in any
   case. */
bool find_plan_make(find_plan *out, lite *db, const tby_db_search *search, const game_set *only);
void find_plan_free(find_plan *p);
/* Visits the games of a plan in the order of their numbers, within the limits of `search`. (find.c) */
bool lite_visit_found(lite *db, const find_plan *made, const tby_db_search *search, tby_db_visit visit, void *context);

/* Does one number per game decide the order of the search? Then games can be visited in that order. (find_sorted.c) */
bool lite_can_sort(const find_plan *p);
bool lite_run_sorted(lite *db, const find_plan *made, tby_db_visit visit, void *context);

#endif
