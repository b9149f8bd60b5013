/*
 * explorer_write.c - what the explorer answers, as JSON.
 */
#include "explorer.h"

#include <inttypes.h>
#include <stdlib.h>

/* Results that are not known are not counted: the public explorer has none. */
static void write_results(buffer *out, const uint64_t results[4])
{
    buffer_printf(out, "\"white\":%" PRIu64 ",\"draws\":%" PRIu64 ",\"black\":%" PRIu64, results[TBY_WHITE_WINS],
                  results[TBY_DRAW], results[TBY_BLACK_WINS]);
}

static void write_opening(buffer *out, const tby_opening *opening)
{
    if (!opening->eco) {
        buffer_string(out, "null");
        return;
    }
    buffer_string(out, "{\"eco\":");
    buffer_json_string(out, opening->eco);
    buffer_string(out, ",\"name\":");
    buffer_json_string(out, opening->name);
    buffer_string(out, "}");
}

static void write_player(buffer *out, const char *side, tby_text name, int rating)
{
    buffer_printf(out, ",\"%s\":{\"name\":", side);
    buffer_json(out, name.n ? name.s : "?", name.n ? name.n : 1);
    if (rating)
        buffer_printf(out, ",\"rating\":%d}", rating);
    else
        buffer_string(out, ",\"rating\":null}");
}

static bool write_game(tally *t, buffer *out, tby_game_id id, tby_move m)
{
    char uci[TBY_UCI_SIZE] = "";
    tby_row row;
    if (tby_db_row(t->games->db, id, &row) != TBY_OK) {
        t->has_failed = true;
        return false;
    }
    buffer_string(out, "{");
    if (m != TBY_MOVE_NONE) {
        tby_uci_write(uci, sizeof uci, &t->wish->pos, m, 0);
        buffer_printf(out, "\"uci\":\"%s\",", uci);
    }
    buffer_printf(out, "\"id\":\"%" PRId64 "\",\"winner\":%s", id,
                  row.result == TBY_WHITE_WINS   ? "\"white\""
                  : row.result == TBY_BLACK_WINS ? "\"black\""
                                                 : "null");
    if (t->wish->kind != EXPLORER_MASTERS) {
        const manner how = manner_of(&t->control, &row);
        buffer_string(out, ",\"speed\":");
        buffer_json_string(out, speed_name(how.speed));
        buffer_printf(out, ",\"mode\":\"%s\"", how.is_rated ? "rated" : "casual");
    }
    write_player(out, "white", row.white, row.elo[TBY_WHITE]);
    write_player(out, "black", row.black, row.elo[TBY_BLACK]);
    if (row.date)
        buffer_printf(out, ",\"year\":%d", row.date / 10000);
    else
        buffer_string(out, ",\"year\":null");
    if (row.date / 100 % 100)
        buffer_printf(out, ",\"month\":\"%04d-%02d\"}", row.date / 10000, row.date / 100 % 100);
    else
        buffer_string(out, ",\"month\":null}");
    return true;
}

static bool write_list(tally *t, buffer *out, const char *name, const list *l)
{
    bool is_good = true;
    buffer_printf(out, ",\"%s\":[", name);
    for (size_t i = 0; is_good && i < l->n; i++) {
        buffer_string(out, i ? "," : "");
        is_good = write_game(t, out, l->entries[i].id, l->entries[i].move);
    }
    buffer_string(out, "]");
    return is_good;
}

static void write_mean(buffer *out, const char *name, uint64_t sum, uint64_t n)
{
    if (n)
        buffer_printf(out, ",\"%s\":%" PRIu64, name, (sum + n / 2) / n);
    else
        buffer_printf(out, ",\"%s\":null", name);
}

/* The mean of the opponents, and 400 points for each game more won than lost, by their share. */
static void write_performance(buffer *out, const counted *c, tby_color color)
{
    const int64_t n = (int64_t)total(c->results),
                  won = (int64_t)c->results[TBY_WHITE_WINS] - (int64_t)c->results[TBY_BLACK_WINS];
    write_mean(out, "averageOpponentRating", c->opponent_sum, c->n_opponents);
    if (c->n_opponents && n)
        buffer_printf(out, ",\"performance\":%" PRId64,
                      (int64_t)(c->opponent_sum / c->n_opponents) + (color == TBY_WHITE ? won : -won) * 400 / n);
    else
        buffer_string(out, ",\"performance\":null");
}

static bool write_move(tally *t, buffer *out, const counted *c)
{
    char san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE];
    tby_position after = t->wish->pos;
    tby_opening opening = {NULL, NULL};
    tby_san_write(san, sizeof san, &t->wish->pos, c->move);
    tby_uci_write(uci, sizeof uci, &t->wish->pos, c->move, 0);
    tby_line_play(&after, c->move);
    tby_opening_of(&opening, &after);
    buffer_printf(out, "{\"uci\":\"%s\",\"san\":\"%s\"", uci, san);
    if (t->wish->kind == EXPLORER_PLAYER)
        write_performance(out, c, t->wish->color);
    else
        write_mean(out, "averageRating", c->elo_sum, c->n_elo);
    buffer_string(out, ",");
    write_results(out, c->results);
    buffer_string(out, ",\"game\":");
    bool is_good = true;
    if (total(c->results) == 1)
        is_good = write_game(t, out, c->last, TBY_MOVE_NONE);
    else
        buffer_string(out, "null");
    buffer_string(out, ",\"opening\":");
    write_opening(out, &opening);
    buffer_string(out, "}");
    return is_good;
}

/* By rising date; a year alone for games whose month is not known. */
static void write_months(buffer *out, by_result *months)
{
    bool is_first = true;
    buffer_string(out, ",\"history\":[");
    for (int i = 0; i < N_MONTHS; i++) {
        const uint64_t results[4] = {months[i][0], months[i][1], months[i][2], months[i][3]};
        if (total(results) == 0)
            continue;
        buffer_printf(out, i % 13 ? "%s{\"month\":\"%04d-%02d\"," : "%s{\"month\":\"%04d\",", is_first ? "" : ",",
                      i / 13, i % 13);
        write_results(out, results);
        buffer_string(out, "}");
        is_first = false;
    }
    buffer_string(out, "]");
}

static int compare(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    const uint64_t n = total(x->results), m = total(y->results);
    return n != m ? (n < m ? 1 : -1) : (int)x->move - (int)y->move;
}

bool tally_write(tally *t, buffer *out)
{
    const size_t shown = t->wish->n_moves < t->n_moves ? (size_t)t->wish->n_moves : t->n_moves;
    bool is_good = true;
    qsort(t->moves, t->n_moves, sizeof *t->moves, compare);
    buffer_string(out, "{");
    write_results(out, t->results);
    buffer_string(out, ",\"moves\":[");
    for (size_t i = 0; is_good && i < shown && total(t->moves[i].results); i++) {
        buffer_string(out, i ? "," : "");
        is_good = write_move(t, out, &t->moves[i]);
    }
    buffer_string(out, "]");
    if (t->wish->kind != EXPLORER_PLAYER)
        is_good = is_good && write_list(t, out, "topGames", &t->top);
    if (t->wish->kind != EXPLORER_MASTERS)
        is_good = is_good && write_list(t, out, "recentGames", &t->recent);
    if (t->months)
        write_months(out, t->months);
    buffer_string(out, ",\"opening\":");
    write_opening(out, &t->wish->opening);
    buffer_string(out, t->wish->kind == EXPLORER_PLAYER ? ",\"queuePosition\":0}\n" : "}\n");
    return is_good;
}
