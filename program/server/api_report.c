/*
 * api_report.c - /api/report: how a player has scored; /api/novelty: the first new move of a game.
 *
 * The answers are those of tabiya report --json and tabiya novelty --json.
 */
#include "novelty.h"
#include "report.h"
#include "site_games.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_SHOWN = 10, LINES_MAX = 10000 };

/* ---- Reports ---------------------------------------------------------------------------------------------------- */

/* A player and a colour are parameters of their own. */
bool report_takes(const char *name)
{
    static const int others[] = {QUERY_PLAYER, QUERY_WHITE, QUERY_BLACK, QUERY_LIMIT, QUERY_OFFSET};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(query_names[others[i]], name) == 0)
            return false;
    return find_takes(name);
}

typedef struct reporting {
    const char *player;
    uint64_t limit;
    bool has[2]; /* which colours are counted */
    query of[2]; /* the player's games with each of them */
} reporting;

static bool read_colors(reporting *r, const question *q)
{
    const char *color = params_value(q->params, "color");
    r->has[TBY_WHITE] = !color || strcmp(color, "white") == 0;
    r->has[TBY_BLACK] = !color || strcmp(color, "black") == 0;
    return r->has[TBY_WHITE] || r->has[TBY_BLACK] ||
           problem_set(q->problem, PROBLEM_ASKED, "color may be white or black, not \"%.100s\"", color);
}

static bool read_games(reporting *r, tby_color color, games *g, const question *q)
{
    buffer fact = {0};
    person_add(&fact, color == TBY_WHITE ? "white" : "black", r->player);
    const bool is_good = fact.has_failed
                             ? problem_no_memory(q->problem)
                             : games_conditions(&r->of[color], q, g, report_takes, (tby_text){fact.s, fact.n});
    buffer_free(&fact);
    return is_good;
}

static bool write_report(games *g, const question *q, const void *context)
{
    const reporting *r = context;
    buffer *out = &q->response->body;
    tby_report *report = tby_report_new();
    bool is_good = report || problem_no_memory(q->problem);
    for (int color = 0; is_good && color < 2; color++)
        if (r->has[color])
            is_good = games_are_read(g, q, tby_db_report(report, g->db, &r->of[color].search, (tby_color)color));
    if (is_good)
        report_write_json(out, report, r->player, (size_t)r->limit);
    if (is_good && !out->has_failed && tby_report_total(report).games == 0) {
        out->n -= strlen("}\n");
        is_good = games_offer_names(g, q);
        buffer_string(out, "}\n");
    }
    tby_report_free(report);
    return is_good;
}

bool answer_report(games *g, const question *q)
{
    reporting r = {.limit = 0};
    bool is_good = question_needed(&r.player, q, "player") &&
                   question_number(&r.limit, q, "limit", LINES_SHOWN, LINES_MAX) && read_colors(&r, q);
    for (int color = 0; is_good && color < 2; color++) {
        is_good = !r.has[color] || read_games(&r, (tby_color)color, g, q);
        r.of[color].search.n_threads = 1;
    }
    is_good = is_good && games_answer(g, q, q->request->target, false, write_report, &r);
    for (int color = 0; color < 2; color++)
        query_free(&r.of[color]);
    return is_good;
}

/* ---- New moves -------------------------------------------------------------------------------------------------- */

/* The game of a text or, with the parameter id, of the database. */
static bool read_game(tby_game *out, games *g, const question *q)
{
    tby_game_id id;
    span text;
    if (!params_value(q->params, "id"))
        return question_text(&text, q) && read_one_game(out, text, true, q->problem);
    if (params_value(q->params, "text"))
        return problem_set(q->problem, PROBLEM_ASKED, "id and text cannot both be given");
    if (!question_id(&id, q))
        return false;
    const tby_status status = tby_db_game(out, g->db, id);
    if (status == TBY_NOT_FOUND)
        return problem_set(q->problem, PROBLEM_ABSENT, "there is no game %lld", (long long)id);
    return games_are_read(g, q, status);
}

/* A game without players is a line of moves. */
static bool is_line(const tby_game *game) { return !tby_game_tag(game, "White") && !tby_game_tag(game, "Black"); }

static bool write_novelty(games *g, const question *q, tby_game *game, bool takes_any_date)
{
    tby_novelty *found = malloc(sizeof *found);
    bool is_good = (found && game) || problem_no_memory(q->problem);
    if (is_good && read_game(game, g, q)) {
        const tby_novelty_options options = {
            .is_line = is_line(game), .takes_any_date = takes_any_date, .n_threads = 1};
        is_good = games_are_read(g, q, tby_db_novelty(found, g->db, game, &options));
        json_add(&q->response->body, "{");
        if (is_good)
            novelty_write_json(&q->response->body, found);
        buffer_string(&q->response->body, "}\n");
    } else {
        is_good = false;
    }
    free(found);
    return is_good;
}

bool answer_novelty(games *g, const question *q)
{
    bool takes_any_date;
    if (!question_switch(&takes_any_date, q, "any_date") || !games_begin(g, q))
        return false;
    tby_game *game = tby_game_new(NULL);
    const bool is_good = write_novelty(g, q, game, takes_any_date);
    tby_game_free(game);
    games_end(g);
    return is_good;
}
