/*
 * explorer.c - /lichess, /masters and /player: answers from the database in the form of the public opening explorer, so
 * that programs written for that only need another host.
 *
 *     parameters -> query -> survey of the library -> JSON
 */
#include "explorer.h"

#include <stdlib.h>

static bool answer_wish(games *g, const question *q, const wish *w)
{
    tby_db_survey *survey = malloc(sizeof *survey);
    if (!survey)
        return problem_no_memory(q->problem);
    const tby_status status = tby_db_survey_position(survey, g->db, &w->pos, &w->options);
    const bool is_good = status == TBY_OK && !g->is_late && survey_write(&q->response->body, g, w, survey);
    tby_db_survey_free(survey);
    free(survey);
    return is_good || games_fail(g, q, status != TBY_OK ? status : TBY_IO_ERROR);
}

static bool answer_from(games *g, const question *q, const wish *w)
{
    if (!games_begin(g, q))
        return false;
    bool is_good = games_find_kept(g, q->request->target, &q->response->body);
    if (!is_good && (is_good = answer_wish(g, q, w)))
        games_keep(g, q->request->target, &q->response->body);
    games_end(g);
    return is_good;
}

static bool explore_as(games *g, const question *q, explorer_kind kind)
{
    wish w;
    const bool is_good = wish_read(&w, kind, g->patterns, q) && answer_from(g, q, &w);
    wish_free(&w);
    if (is_good && kind == EXPLORER_PLAYER)
        response_header(q->response, "Content-Type", "application/x-ndjson");
    return is_good;
}

bool answer_lichess(games *g, const question *q) { return explore_as(g, q, EXPLORER_LICHESS); }
bool answer_masters(games *g, const question *q) { return explore_as(g, q, EXPLORER_MASTERS); }
bool answer_player(games *g, const question *q) { return explore_as(g, q, EXPLORER_PLAYER); }
bool answer_history(games *g, const question *q) { return explore_as(g, q, EXPLORER_HISTORY); }
