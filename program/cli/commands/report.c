/*
 * report.c - a player's games, counted by what they have in common.
 */
#include "report.h"
#include "common.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const titles[N_REPORT_TABLES] = {"colour", "opening", "year", "opponent's Elo", "name"};
static const char *const json_names[N_REPORT_TABLES] = {"colors", "openings", "years", "ratings", "names"};

/* ---- Counting --------------------------------------------------------------------------------------------------- */

static void score_add(report_score *s, tby_result result, tby_color color, int elo)
{
    const tby_result won = color == TBY_WHITE ? TBY_WHITE_WINS : TBY_BLACK_WINS;
    s->games++;
    s->won += result == won;
    s->drawn += result == TBY_DRAW;
    s->lost += result != won && result != TBY_DRAW && result != TBY_RESULT_NONE;
    s->n_elo += elo > 0;
    s->elo_sum += elo > 0 ? (uint64_t)elo : 0;
}

/* A name that matches thousands of players is hardly meant: beyond this number they are counted together. */
enum { LINES_MAX = 1000 };
#define OTHERS "others"

/* The line of a key. The last one is tried first: games of an event stand together. */
static report_score *score_of(report_table *t, const char *key)
{
    for (size_t i = t->n; i-- > 0;)
        if (strcmp(t->lines[i].key, key) == 0)
            return &t->lines[i].score;
    if (t->n == LINES_MAX && strcmp(key, OTHERS) != 0)
        return score_of(t, OTHERS);
    if (!array_reserve(&t->lines, &t->cap, t->n + 1, sizeof *t->lines, NULL))
        error_exit("out of memory");
    char *copy = memory_new(strlen(key) + 1, 1);
    strcpy(copy, key);
    t->lines[t->n] = (report_line){.key = copy};
    return &t->lines[t->n++].score;
}

/* Of a variation its family: Sicilian Defense (white). */
static void opening_key(char *key, size_t cap, const tby_row *row, tby_color color)
{
    tby_opening opening;
    const bool is_named = tby_opening_of_chessgame(&opening, (const uint8_t *)row->moves.s, row->moves.n) >= 0;
    const char *name = is_named ? opening.name : "not known";
    snprintf(key, cap, "%.*s (%s)", (int)strcspn(name, ":"), name, color == TBY_WHITE ? "white" : "black");
}

static void rating_key(char *key, size_t cap, int elo)
{
    if (elo <= 0)
        snprintf(key, cap, "not known");
    else
        snprintf(key, cap, "%d-%d", elo / 200 * 200, elo / 200 * 200 + 199);
}

void report_add(report_of_player *r, const tby_row *row, tby_color color)
{
    const tby_color other = color == TBY_WHITE ? TBY_BLACK : TBY_WHITE;
    const int elo = row->elo[other];
    const tby_text name = color == TBY_WHITE ? row->white : row->black;
    char keys[N_REPORT_TABLES][256];
    snprintf(keys[REPORT_COLORS], sizeof keys[0], "%s", color == TBY_WHITE ? "white" : "black");
    opening_key(keys[REPORT_OPENINGS], sizeof keys[0], row, color);
    if (row->date)
        snprintf(keys[REPORT_YEARS], sizeof keys[0], "%04d", row->date / 10000);
    else
        snprintf(keys[REPORT_YEARS], sizeof keys[0], "not known");
    rating_key(keys[REPORT_RATINGS], sizeof keys[0], elo);
    snprintf(keys[REPORT_NAMES], sizeof keys[0], "%.*s", (int)name.n, name.s ? name.s : "");
    score_add(&r->all, row->result, color, elo);
    for (int i = 0; i < N_REPORT_TABLES; i++)
        score_add(score_of(&r->tables[i], keys[i]), row->result, color, elo);
}

uint64_t report_n_games(const report_of_player *r) { return r->all.games; }

void report_of_player_free(report_of_player *r)
{
    for (int i = 0; i < N_REPORT_TABLES; i++) {
        for (size_t k = 0; k < r->tables[i].n; k++)
            free(r->tables[i].lines[k].key);
        free(r->tables[i].lines);
    }
}

/* ---- Order ------------------------------------------------------------------------------------------------------ */

static int by_key(const void *a, const void *b)
{
    return strcmp(((const report_line *)a)->key, ((const report_line *)b)->key);
}

static int by_games(const void *a, const void *b)
{
    const report_line *x = a, *y = b;
    if (x->score.games != y->score.games)
        return x->score.games > y->score.games ? -1 : 1;
    return by_key(a, b);
}

static void sort_tables(report_of_player *r)
{
    for (int i = 0; i < N_REPORT_TABLES; i++) {
        report_table *t = &r->tables[i];
        const bool has_order = i == REPORT_YEARS || i == REPORT_RATINGS;
        if (t->n)
            qsort(t->lines, t->n, sizeof *t->lines, has_order ? by_key : by_games);
    }
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static void write_score(buffer *out, const report_score *s)
{
    const uint64_t n = s->won + s->drawn + s->lost;
    buffer_printf(out, " %7" PRIu64 " %5" PRIu64 " %5" PRIu64 " %5" PRIu64, s->games, s->won, s->drawn, s->lost);
    if (n)
        buffer_printf(out, " %6.1f%%", 50.0 * (double)(2 * s->won + s->drawn) / (double)n);
    else
        buffer_printf(out, " %7s", "-");
    if (s->n_elo)
        buffer_printf(out, " %6" PRIu64, (s->elo_sum + s->n_elo / 2) / s->n_elo);
    else
        buffer_printf(out, " %6s", "-");
    buffer_string(out, "\n");
}

static void write_table(buffer *out, const report_table *t, const char *title, size_t limit)
{
    buffer_printf(out, "\n%-36s %7s %5s %5s %5s %7s %6s\n", title, "games", "won", "drawn", "lost", "score", "Elo");
    for (size_t i = 0; i < t->n && (!limit || i < limit); i++) {
        const size_t begin = out->n;
        buffer_printf(out, "%-36.36s", t->lines[i].key);
        text_make_harmless(out->s + begin, out->n - begin, '?', "");
        write_score(out, &t->lines[i].score);
    }
    if (limit && t->n > limit)
        buffer_printf(out, "... and %zu more\n", t->n - limit);
}

static void write_text(buffer *out, const report_of_player *r, const char *name, size_t limit)
{
    buffer_printf(out, "%s: %" PRIu64 " %s\n", name, r->all.games, plural(r->all.games, "game", "games"));
    for (int i = 0; i < N_REPORT_TABLES; i++)
        if (i != REPORT_NAMES || r->tables[i].n > 1)
            write_table(out, &r->tables[i], titles[i], i == REPORT_OPENINGS ? limit : 0);
}

static void write_json_score(buffer *out, const report_score *s)
{
    buffer_printf(out, "\"games\":%" PRIu64 ",\"won\":%" PRIu64 ",\"drawn\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"elo\":",
                  s->games, s->won, s->drawn, s->lost);
    if (s->n_elo)
        buffer_printf(out, "%" PRIu64, (s->elo_sum + s->n_elo / 2) / s->n_elo);
    else
        buffer_string(out, "null");
}

static void write_json(buffer *out, const report_of_player *r, const char *name, size_t limit)
{
    buffer_string(out, "{\"player\":");
    buffer_json_string(out, name);
    buffer_string(out, ",");
    write_json_score(out, &r->all);
    for (int i = 0; i < N_REPORT_TABLES; i++) {
        buffer_printf(out, ",\"%s\":[", json_names[i]);
        for (size_t k = 0; k < r->tables[i].n && (i != REPORT_OPENINGS || !limit || k < limit); k++) {
            buffer_string(out, k ? ",{\"key\":" : "{\"key\":");
            buffer_json_string(out, r->tables[i].lines[k].key);
            buffer_string(out, ",");
            write_json_score(out, &r->tables[i].lines[k].score);
            buffer_string(out, "}");
        }
        buffer_string(out, "]");
    }
    buffer_string(out, "}\n");
}

void report_write(buffer *out, report_of_player *r, const char *name, size_t limit, bool as_json)
{
    sort_tables(r);
    (as_json ? write_json : write_text)(out, r, name, limit);
}
