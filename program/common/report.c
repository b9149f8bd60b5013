/*
 * report.c - a player's results as rows of a table, and as JSON.
 *
 *     {"player":STRING,"games":0,"won":0,"drawn":0,"lost":0,"score":0.0,"elo":0,"performance":0,
 *      "colors":[{"key":STRING,"games":0,...}],"openings":[...],"variations":[...],"years":[...],"ratings":[...],
 *      "opponents":[...],"names":[...]}
 *
 * Keeps    names, order and types; score, elo and performance are null where they are not known.
 */
#include "report.h"

enum { BY, KEY, GAMES, WON, DRAWN, LOST, SCORE, ELO, PERFORMANCE, N_COLUMNS };

static const tby_column columns[N_COLUMNS] = {
    [BY] = {"by", TBY_COLUMN_TEXT, false},
    [KEY] = {"key", TBY_COLUMN_TEXT, false},
    [GAMES] = {"games", TBY_COLUMN_INT64, false},
    [WON] = {"won", TBY_COLUMN_INT64, false},
    [DRAWN] = {"drawn", TBY_COLUMN_INT64, false},
    [LOST] = {"lost", TBY_COLUMN_INT64, false},
    [SCORE] = {"score", TBY_COLUMN_DOUBLE, true},
    [ELO] = {"elo", TBY_COLUMN_INT32, true},
    [PERFORMANCE] = {"performance", TBY_COLUMN_INT32, true},
};

size_t report_n_shown(const tby_report *r, tby_report_part part, size_t limit)
{
    const bool is_limited = part == TBY_REPORT_OPENINGS || part == TBY_REPORT_VARIATIONS ||
                            part == TBY_REPORT_OPPONENTS;
    const size_t n = tby_report_n_lines(r, part);
    return is_limited && limit && limit < n ? limit : n;
}

/* Fills the columns of a table that begins with the column `first`. */
static void put_score(table *t, int first, tby_score s)
{
    table_put(t, (size_t)(GAMES - first), s.games);
    table_put(t, (size_t)(WON - first), s.won);
    table_put(t, (size_t)(DRAWN - first), s.drawn);
    table_put(t, (size_t)(LOST - first), s.lost);
    table_put_tenths(t, (size_t)(SCORE - first), s.tenths);
    table_put_known(t, (size_t)(ELO - first), (uint64_t)s.elo);
    table_put_known(t, (size_t)(PERFORMANCE - first), (uint64_t)s.performance);
    table_end_row(t);
}

static void put_lines(table *t, int first, tby_report *r, tby_report_part part, size_t limit)
{
    const size_t n = report_n_shown(r, part, limit);
    for (size_t i = 0; i < n; i++) {
        tby_score score;
        const char *key = tby_report_line(&score, r, part, i);
        if (first == BY)
            table_put_text(t, BY, tby_report_part_name(part));
        table_put_text(t, (size_t)(KEY - first), key);
        put_score(t, first, score);
    }
}

table report_table(tby_report *r, const char *name, size_t limit)
{
    table t = table_new(columns, N_COLUMNS);
    table_put_text(&t, BY, "all");
    table_put_text(&t, KEY, name);
    put_score(&t, BY, tby_report_total(r));
    for (int part = 0; part < TBY_REPORT_PARTS; part++)
        put_lines(&t, BY, r, (tby_report_part)part, limit);
    return t;
}

/* The object for all games has the same members as the lines, except the key. */
void report_write_json(buffer *out, tby_report *r, const char *name, size_t limit)
{
    table all = table_new(columns + GAMES, N_COLUMNS - GAMES), lines = table_new(columns + KEY, N_COLUMNS - KEY);
    buffer members = {0};
    json_add(out, "{'player':%s", name);
    put_score(&all, GAMES, tby_report_total(r));
    table_write_array(&members, &all);
    if (members.has_failed)
        buffer_fail(out);
    else
        buffer_printf(out, ",%.*s", (int)members.n - 4, members.s + 2);
    for (int part = 0; part < TBY_REPORT_PARTS; part++) {
        put_lines(&lines, KEY, r, (tby_report_part)part, limit);
        buffer_printf(out, ",\"%s\":", tby_report_part_name((tby_report_part)part));
        table_write_array(out, &lines);
    }
    buffer_string(out, "}\n");
    buffer_free(&members);
    table_free(&all);
    table_free(&lines);
}
