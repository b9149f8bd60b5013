/*
 * api_repertoire.c - compares lines that a player wants to play with the games of the database: /api/repertoire/gaps
 * and /api/repertoire/deviations.
 *
 *     {"side":"white","positions":0,"moves":[{"line":STRING,"fen":STRING,"san":STRING,"uci":STRING,"mine":false,
 *      "planned":[STRING],"games":0,"of":0,"white":0,"draw":0,"black":0,"unknown":0}],"more":false}
 *
 * Deviations also have "games" and "followed". The lines are the body of a POST, or the parameter `lines`.
 */
#include "repertoire.h"
#include "site_games.h"

#include <string.h>

enum { MOVES_SHOWN = 20, MOVES_MAX = 500, POSITIONS_MAX = 20000 };

static tby_repertoire *read_lines(const question *q)
{
    const char *value = params_value(q->params, "lines");
    span from = value ? (span){value, strlen(value)} : (span){q->request->body, q->request->n_body};
    if (from.n == 0) {
        problem_set(q->problem, PROBLEM_ASKED, "the lines are missing: send games as the body of a POST");
        return NULL;
    }
    tby_likeness likeness;
    const tby_game_notation *notation = tby_game_notation_guess("", 0, from.s, from.n, &likeness);
    notation = notation ? notation : tby_game_notation_find("pgn", 3);
    tby_repertoire *r = tby_repertoire_new();
    tby_games *reader = r ? notation->open(text_part_read, &from, NULL) : NULL;
    const bool is_good = reader ? repertoire_read(r, reader, TBY_PLIES_MAX, q->problem) : problem_no_memory(q->problem);
    tby_games_free(reader);
    if (is_good && tby_repertoire_n_positions(r) <= POSITIONS_MAX)
        return r;
    if (is_good)
        problem_set(q->problem, PROBLEM_TOO_LARGE, "the lines have more than %d positions", POSITIONS_MAX);
    tby_repertoire_free(r);
    return NULL;
}

static bool read_side(tby_color *out, const tby_repertoire *r, const question *q)
{
    const char *side = params_value(q->params, "side");
    *out = side && *side == 'b' ? TBY_BLACK : side ? TBY_WHITE : tby_repertoire_side(r);
    return !side || strcmp(side, "white") == 0 || strcmp(side, "black") == 0 ||
           problem_set(q->problem, PROBLEM_ASKED, "side may be white or black, not \"%.100s\"", side);
}

static void write_rows(buffer *out, const tby_repertoire *r, tby_color side, const tby_repertoire_rows *rows,
                       size_t limit, bool is_gaps)
{
    json_add(out, "{'side':%s,'positions':%zu", side == TBY_WHITE ? "white" : "black", tby_repertoire_n_positions(r));
    if (!is_gaps)
        json_add(out, "'games':%llu,'followed':%llu", (unsigned long long)rows->n_games,
                 (unsigned long long)rows->n_followed);
    json_add(out, "'moves':[");
    for (size_t i = 0; i < rows->n && i < limit; i++)
        repertoire_write_json(out, r, &rows->rows[i]);
    json_add(out, "],'more':%i}\n", rows->n > limit);
}

static bool compare(games *g, const question *q, const tby_repertoire *r, query *conditions, bool is_gaps)
{
    const size_t limit = conditions->search.limit ? (size_t)conditions->search.limit : MOVES_SHOWN;
    tby_repertoire_rows rows = {.n = 0};
    tby_color side;
    if (limit > MOVES_MAX)
        return problem_set(q->problem, PROBLEM_ASKED, "limit must be a number from 1 to %d", MOVES_MAX);
    conditions->search.limit = conditions->search.offset = 0;
    conditions->search.n_threads = 1;
    if (!read_side(&side, r, q) || !games_begin(g, q))
        return false;
    const tby_db_search *among = is_gaps && !conditions->has_condition ? NULL : &conditions->search;
    const bool is_good = games_are_read(
        g, q, (is_gaps ? tby_db_repertoire_gaps : tby_db_repertoire_deviations)(&rows, g->db, r, side, among));
    games_end(g);
    if (is_good)
        write_rows(&q->response->body, r, side, &rows, limit, is_gaps);
    tby_repertoire_rows_free(&rows);
    return is_good;
}

bool answer_repertoire(games *g, const question *q)
{
    query conditions;
    tby_repertoire *r = read_lines(q);
    bool is_good = r && games_conditions(&conditions, q, g, find_takes, (tby_text){NULL, 0});
    if (is_good) {
        is_good = compare(g, q, r, &conditions, q->kind == REPERTOIRE_GAPS);
        query_free(&conditions);
    }
    tby_repertoire_free(r);
    return is_good;
}
