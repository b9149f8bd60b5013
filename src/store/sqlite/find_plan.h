/*
 * find_plan.h - how a file finds the games of a search: made once, shown by --explain, and executed unchanged.
 */
#ifndef TBY_STORE_SQLITE_FIND_PLAN_H
#define TBY_STORE_SQLITE_FIND_PLAN_H

#include "store/plan.h"
#include "store/sqlite/index/bound.h"

/* What a search costs: the unit is one game fetched from the table. A scan of all games by SQL costs as much as there are
   games. Games are few if they are at most one in FEW: then they are fetched one by one, rather than a whole range of the
   table or all records. */
enum { FEW = 16 };
static inline bool are_few(int64_t n, int64_t of) { return n <= of / FEW; }
#define COST_OF_RECORD (1.0 / FEW) /* of reading one */
#define SHARE_BY_INDEX 0.01        /* of the games that an indexed condition leaves, without other knowledge */
#define SHARE_BY_INDEXES 0.05      /* the largest for which several such conditions are taken to be worthwhile */
#define SHARE_WORTHWHILE (1.0 / 8) /* the largest that is worth a step by SQL before games are checked */
#define SHARE_OPEN (1.0 / 8)       /* of the games that records leave open, from which on SQL checks all instead */

/* The last step decides how the plan is executed. BY_POSITION: all games that reach it match. BY_RECORDS: records decide,
   and SQL or the evaluator decides the few games that they leave open; after BY_POSITION, among the games that reach the position.
   BY_EVALUATOR: each step rules out games, and the evaluator checks the remaining ones. Otherwise all steps are one SQL
   statement. */
typedef struct find_plan {
    db_plan base;
    plan plan;
    const game_set *only; /* the games of interest to the caller; NULL: all */
    bool is_settled;
    tby_target target;      /* of plan.position */
    cover records;          /* what records can decide */
    game_set may, must;     /* if records decide among all games: games that may match, and those that surely do */
    tby_query_state *state; /* of the query */
    tby_game_id last_id;    /* of the file; 0 if not looked up yet */
    double fraction;        /* estimated share of the games that SQLite reads for plan.where; 1: all */
} find_plan;

/* `only` are the games of interest to the caller, which records then select; NULL: all. Call find_plan_free in any
   case. */
bool find_plan_make(find_plan *out, lite *db, const tby_db_search *search, query_members *members,
                    const game_set *only);
void find_plan_free(find_plan *p);
/* Before a plan is run or shown: reads the records, if they decide it. If they leave too many games open, SQL takes their
   place. */
bool find_plan_settle(find_plan *p, lite *db);
/* Visits the games of a plan in the order of their numbers, within the limits of `search`. (find.c) */
bool lite_visit_found(lite *db, find_plan *made, const tby_db_search *search, tby_db_visit visit, void *context);
/* Adds the games of a plan to a set; `search` is the plan's without limits. (find.c) */
bool lite_find_into(lite *db, find_plan *made, const tby_db_search *search, game_set *out);

/* Does one number per game decide the order of the search? Then games can be visited in that order. (find_sorted.c) */
bool lite_can_sort(const find_plan *p);
bool lite_run_sorted(lite *db, find_plan *made, tby_db_visit visit, void *context);

/* Checks the query against each game that is in `among` (NULL: all) and meets `where`, a condition of SQL on the table
   `game` (NULL: none). Calls `visit` in this thread for every matching game, in the order of ids, as soon as all games
   before it are decided, until it returns false. (check_games.c) */
bool lite_check_games(lite *db, const tby_db_search *search, const query_members *members, const char *where,
                      const game_set *among, tby_db_visit visit, void *context);

#endif
