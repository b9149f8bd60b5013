/*
 * explorer_write.c - writes the explorer's answers as JSON.
 */
#include "explorer.h"
#include "json.h"

#include <inttypes.h>
#include <stdio.h>

/* Unknown results are not counted: the public explorer has none. */
static void write_results(buffer *out, const uint64_t results[4])
{
    json_add(out, "'white':%llu,'draws':%llu,'black':%llu", (unsigned long long)results[TBY_WHITE_WINS],
             (unsigned long long)results[TBY_DRAW], (unsigned long long)results[TBY_BLACK_WINS]);
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static const char *speed_name(tby_speed speed)
{
    return speed == TBY_SPEED_ULTRABULLET ? "ultraBullet" : tby_speed_text(speed);
}

static const char *winner_name(tby_result result)
{
    return result == TBY_WHITE_WINS ? "white" : result == TBY_BLACK_WINS ? "black" : NULL;
}

/* An unknown month is null in /lichess and missing elsewhere, as the public explorer documents it. */
static void write_date(buffer *out, explorer_kind kind, int date)
{
    json_add(out, "'year':%d", date / 10000);
    if (date / 100 % 100)
        buffer_printf(out, ",\"month\":\"%04d-%02d\"", date / 10000, date / 100 % 100);
    else if (kind == EXPLORER_LICHESS)
        json_add(out, "'month':null");
}

/* Clients expect ratings and years to be numbers: 0 means unknown. */
static bool write_game(buffer *out, games *g, const wish *w, tby_game_id id)
{
    tby_row row;
    char number[24];
    if (tby_db_row(&row, g->db, id) != TBY_OK)
        return false;
    snprintf(number, sizeof number, "%" PRId64, id);
    json_add(out, "'id':%s,'winner':%s", number, winner_name(row.result));
    if (w->kind != EXPLORER_MASTERS) {
        const char *speed = speed_name(tby_row_speed(&row));
        if (speed)
            json_add(out, "'speed':%s", speed);
        json_add(out, "'mode':%s", tby_row_is_rated(&row) ? "rated" : "casual");
    }
    const tby_text white = row.white.n ? row.white : (tby_text){"?", 1};
    const tby_text black = row.black.n ? row.black : (tby_text){"?", 1};
    json_add(out, "'white':{'name':%.*s,'rating':%d},'black':{'name':%.*s,'rating':%d}", (int)white.n, white.s,
             row.elo[TBY_WHITE], (int)black.n, black.s, row.elo[TBY_BLACK]);
    write_date(out, w->kind, row.date);
    buffer_string(out, "}");
    return true;
}

/* A game that ends here has 0000 as its move: clients expect one. */
static bool write_list(buffer *out, games *g, const wish *w, const char *name, const tby_db_listed *list, size_t n)
{
    bool is_good = true;
    json_add(out, "%s:[", name);
    for (size_t i = 0; is_good && i < n; i++) {
        char uci[TBY_UCI_SIZE] = "0000";
        if (list[i].move != TBY_MOVE_NONE)
            tby_uci_write(uci, sizeof uci, &w->pos, list[i].move, 0);
        json_add(out, "{'uci':%s", uci);
        is_good = write_game(out, g, w, list[i].id);
    }
    json_add(out, "]");
    return is_good;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static uint64_t n_known(const uint64_t results[4])
{
    return results[TBY_WHITE_WINS] + results[TBY_DRAW] + results[TBY_BLACK_WINS];
}

static void write_mean(buffer *out, const char *name, uint64_t sum, uint64_t n)
{
    json_add(out, "%s:%llu", name, n ? (unsigned long long)((sum + n / 2) / n) : 0);
}

/* The mean of the opponents, plus 400 points for each game won more than lost, divided by the number of games. */
static void write_performance(buffer *out, const tby_db_survey_move *m, const wish *w)
{
    const tby_db_move *played = &m->played;
    const bool is_own = tby_position_side(&w->pos) == w->color;
    const uint64_t n = is_own ? m->n_other : played->n_elo, sum = is_own ? m->other_sum : played->elo_sum;
    const int64_t known = (int64_t)n_known(played->results),
                  more = (int64_t)played->results[TBY_WHITE_WINS] - (int64_t)played->results[TBY_BLACK_WINS];
    write_mean(out, "averageOpponentRating", sum, n);
    json_add(out, "'performance':%lld",
             n && known ? (long long)(sum / n) + (w->color == TBY_WHITE ? more : -more) * 400 / known : 0);
}

static bool write_move(buffer *out, games *g, const wish *w, const tby_db_survey_move *m)
{
    char san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE];
    const tby_db_move *played = &m->played;
    tby_position after = w->pos;
    tby_opening opening = {NULL, NULL};
    bool is_good = true;
    tby_san_write(san, sizeof san, &w->pos, played->move);
    tby_uci_write(uci, sizeof uci, &w->pos, played->move, 0);
    tby_line_play(&after, played->move);
    tby_opening_of(&opening, &after);
    json_add(out, "{'uci':%s,'san':%s", uci, san);
    if (w->kind == EXPLORER_PLAYER)
        write_performance(out, m, w);
    else
        write_mean(out, "averageRating", played->elo_sum, played->n_elo);
    write_results(out, played->results);
    json_add(out, n_known(played->results) == 1 ? "'game':{" : "'game':null");
    if (n_known(played->results) == 1)
        is_good = write_game(out, g, w, m->last_id);
    json_opening(out, "opening", &opening);
    buffer_string(out, "}");
    return is_good;
}

static bool write_moves(buffer *out, games *g, const wish *w, const tby_db_survey *survey)
{
    const size_t shown = w->n_moves < survey->n_moves ? (size_t)w->n_moves : survey->n_moves;
    bool is_good = true;
    json_add(out, "'moves':[");
    for (size_t i = 0; is_good && i < shown && n_known(survey->moves[i].played.results); i++)
        is_good = write_move(out, g, w, &survey->moves[i]);
    json_add(out, "]");
    return is_good;
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

/* By ascending date; only the year for games whose month is unknown. */
static void write_months(buffer *out, const tby_db_survey *survey)
{
    json_add(out, "'history':[");
    for (size_t i = 0; i < survey->n_months; i++) {
        const tby_db_month *m = &survey->months[i];
        if (n_known(m->results) == 0)
            continue;
        json_add(out, "{");
        buffer_printf(out, m->month ? "\"month\":\"%04d-%02d\"" : "\"month\":\"%04d\"", m->year, m->month);
        write_results(out, m->results);
        buffer_string(out, "}");
    }
    buffer_string(out, "]");
}

bool survey_write(buffer *out, games *g, const wish *w, const tby_db_survey *survey)
{
    bool is_good = true;
    buffer_string(out, "{");
    if (w->kind != EXPLORER_HISTORY) {
        write_results(out, survey->results);
        is_good = write_moves(out, g, w, survey);
    }
    if (w->kind == EXPLORER_LICHESS || w->kind == EXPLORER_MASTERS)
        is_good = is_good && write_list(out, g, w, "topGames", survey->top, survey->n_top);
    if (w->kind == EXPLORER_LICHESS || w->kind == EXPLORER_PLAYER)
        is_good = is_good && write_list(out, g, w, "recentGames", survey->recent, survey->n_recent);
    if (w->options.wants_months)
        write_months(out, survey);
    json_opening(out, "opening", &w->opening);
    buffer_string(out, w->kind == EXPLORER_PLAYER ? ",\"queuePosition\":0}\n" : "}\n");
    return is_good;
}
