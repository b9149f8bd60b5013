/*
 * report.c - how a player has scored: by colour, opening, variation, year, opponents' ratings, opponents, and names.
 *
 * Scores are the player's: a win counts one, a draw a half; games without a result are counted, but not in the score.
 */
#include "base/contract.h"
#include "search/search.h"
#include "support/array.h"
#include "support/named.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opponents by rating, in ascending order. */
typedef struct opponents {
    struct rated {
        int elo;
        uint32_t n; /* games */
    } * of;
    size_t n, cap;
} opponents;

/* How games ended for the player. */
typedef struct counts {
    uint64_t games, won, drawn, lost;
    /* Of the games with a result against rated opponents: */
    uint64_t n_rated, elo_sum, points; /* points: 2 for a win, 1 for a draw */
    opponents rated;
} counts;

/* Games with the same key. */
typedef struct line {
    char *key;
    counts of;
} line;

struct tby_report {
    counts all;
    named_list parts[TBY_REPORT_PARTS]; /* of line */
    bool is_sorted;
};

static const struct {
    const char *name;
    bool is_by_key; /* the order of its lines; otherwise by their games */
} parts[TBY_REPORT_PARTS] = {
    [TBY_REPORT_COLORS] = {"colors", false},         [TBY_REPORT_OPENINGS] = {"openings", false},
    [TBY_REPORT_VARIATIONS] = {"variations", false}, [TBY_REPORT_YEARS] = {"years", true},
    [TBY_REPORT_RATINGS] = {"ratings", true},        [TBY_REPORT_OPPONENTS] = {"opponents", false},
    [TBY_REPORT_NAMES] = {"names", false},
};

const char *tby_report_part_name(tby_report_part part) { return parts[part].name; }

tby_report *tby_report_new(void) { return calloc(1, sizeof(tby_report)); }

void tby_report_free(tby_report *report)
{
    if (!report)
        return;
    free(report->all.rated.of);
    for (int i = 0; i < TBY_REPORT_PARTS; i++) {
        for (size_t k = 0; k < report->parts[i].n; k++)
            free(((line *)report->parts[i].list[k])->of.rated.of);
        named_free(&report->parts[i]);
    }
    free(report);
}

/* ---- Counting ------------------------------------------------------------------------------------------- */

static bool opponents_add(opponents *o, int elo)
{
    size_t low = 0, high = o->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (o->of[middle].elo < elo)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == o->n || o->of[low].elo != elo) {
        if (!array_reserve(&o->of, &o->cap, o->n + 1, sizeof *o->of, NULL))
            return false;
        memmove(o->of + low + 1, o->of + low, (o->n++ - low) * sizeof *o->of);
        o->of[low] = (struct rated){.elo = elo};
    }
    o->of[low].n++;
    return true;
}

static bool count(counts *c, tby_result result, tby_color color, int elo)
{
    const tby_result won = color == TBY_WHITE ? TBY_WHITE_WINS : TBY_BLACK_WINS;
    c->games++;
    c->won += result == won;
    c->drawn += result == TBY_DRAW;
    c->lost += result != won && result != TBY_DRAW && result != TBY_RESULT_NONE;
    if (elo <= 0 || result == TBY_RESULT_NONE)
        return true;
    c->n_rated++;
    c->elo_sum += (uint64_t)elo;
    c->points += result == won ? 2 : result == TBY_DRAW;
    return opponents_add(&c->rated, elo);
}

enum { KEY_SIZE = 256 };

/* Sicilian Defense (white), and with its variation: B90 Najdorf Variation (white) */
static void opening_keys(char family[KEY_SIZE], char variation[KEY_SIZE], const tby_row *row, tby_color color)
{
    tby_opening opening;
    const bool is_named = tby_opening_of_chessgame(&opening, (const uint8_t *)row->moves.s, row->moves.n) >= 0;
    const char *name = is_named ? opening.name : "not known", *side = color == TBY_WHITE ? "white" : "black";
    const size_t n = strcspn(name, ":");
    const char *rest = name[n] ? name + n + 1 : name;
    snprintf(family, KEY_SIZE, "%.*s (%s)", (int)n, name, side);
    snprintf(variation, KEY_SIZE, "%s%s%s (%s)", is_named ? opening.eco : "", is_named ? " " : "",
             rest + strspn(rest, " "), side);
}

tby_status tby_report_add(tby_report *report, const tby_row *row, tby_color color)
{
    TBY_CONTRACT(report && row);
    const int elo = row->elo[color == TBY_WHITE ? TBY_BLACK : TBY_WHITE];
    const tby_text name = color == TBY_WHITE ? row->white : row->black;
    const tby_text opponent = color == TBY_WHITE ? row->black : row->white;
    char keys[TBY_REPORT_PARTS][KEY_SIZE];
    snprintf(keys[TBY_REPORT_COLORS], KEY_SIZE, "%s", color == TBY_WHITE ? "white" : "black");
    opening_keys(keys[TBY_REPORT_OPENINGS], keys[TBY_REPORT_VARIATIONS], row, color);
    snprintf(keys[TBY_REPORT_YEARS], KEY_SIZE, row->date ? "%04d" : "not known", row->date / 10000);
    snprintf(keys[TBY_REPORT_RATINGS], KEY_SIZE, elo > 0 ? "%d-%d" : "not known", elo / 200 * 200,
             elo / 200 * 200 + 199);
    snprintf(keys[TBY_REPORT_NAMES], KEY_SIZE, "%.*s", (int)name.n, name.s ? name.s : "");
    snprintf(keys[TBY_REPORT_OPPONENTS], KEY_SIZE, "%.*s", (int)opponent.n, opponent.s ? opponent.s : "");
    report->is_sorted = false;
    bool is_good = count(&report->all, row->result, color, elo);
    for (int i = 0; is_good && i < TBY_REPORT_PARTS; i++) {
        line *l = named_get(&report->parts[i], keys[i], strlen(keys[i]), sizeof *l);
        is_good = l && count(&l->of, row->result, color, elo);
    }
    return is_good ? TBY_OK : TBY_NO_MEMORY;
}

/* ---- Of a database -------------------------------------------------------------------------------------- */

typedef struct reporting {
    tby_report *report;
    tby_db *db;
    tby_color color;
    bool is_good;
} reporting;

static bool count_game(void *context, const tby_db_hit *hit)
{
    reporting *r = context;
    tby_row row;
    r->is_good = r->db->kind->row(r->db, hit->id, &row) &&
                 (tby_report_add(r->report, &row, r->color) == TBY_OK || db_fail_memory(r->db));
    return r->is_good;
}

tby_status tby_db_report(tby_report *report, tby_db *db, const tby_db_search *search, tby_color color)
{
    TBY_CONTRACT(report && search && (color == TBY_WHITE || color == TBY_BLACK));
    reporting r = {report, db, color, true};
    tby_db_search own = *search;
    own.wanted = TBY_WANTED_ROWS;
    return db_answer(db, db_find(db, &own, count_game, &r) && r.is_good);
}

/* ---- The numbers ---------------------------------------------------------------------------------------- */

/* How many points a player of this rating is expected to score, by the Elo formula. */
static double expected_points(const opponents *o, double rating)
{
    double points = 0;
    for (size_t i = 0; i < o->n; i++)
        points += 2 * o->of[i].n / (1 + pow(10, (o->of[i].elo - rating) / 400));
    return points;
}

/* The rating at which the expected score is the one achieved, found by bisection; 0 if unknown. */
static int performance(const counts *c)
{
    enum { MOST = 800, STEPS = 24 };
    if (!c->n_rated)
        return 0;
    const double mean = (double)c->elo_sum / (double)c->n_rated;
    double low = mean - MOST, high = mean + MOST;
    for (int i = 0; i < STEPS; i++) {
        const double middle = (low + high) / 2;
        *(expected_points(&c->rated, middle) < (double)c->points ? &low : &high) = middle;
    }
    return (int)lround((low + high) / 2);
}

static tby_score score_of(const counts *c)
{
    const uint64_t n = c->won + c->drawn + c->lost;
    return (tby_score){
        .games = c->games,
        .won = c->won,
        .drawn = c->drawn,
        .lost = c->lost,
        .tenths = n ? (int)(((2 * c->won + c->drawn) * 1000 + n) / (2 * n)) : -1,
        .elo = c->n_rated ? (int)((c->elo_sum + c->n_rated / 2) / c->n_rated) : 0,
        .performance = performance(c),
    };
}

tby_score tby_report_total(const tby_report *report) { return score_of(&report->all); }

size_t tby_report_n_lines(const tby_report *report, tby_report_part part) { return report->parts[part].n; }

static int by_games(const void *a, const void *b)
{
    const line *x = *(line *const *)a, *y = *(line *const *)b;
    if (x->of.games != y->of.games)
        return x->of.games > y->of.games ? -1 : 1;
    return named_order(a, b);
}

const char *tby_report_line(tby_score *out, tby_report *report, tby_report_part part, size_t index)
{
    TBY_CONTRACT(out && part < TBY_REPORT_PARTS);
    for (int i = 0; !report->is_sorted && i < TBY_REPORT_PARTS; i++)
        named_sort(&report->parts[i], parts[i].is_by_key ? named_order : by_games);
    report->is_sorted = true;
    if (index >= report->parts[part].n)
        return NULL;
    const line *l = report->parts[part].list[index];
    *out = score_of(&l->of);
    return l->key;
}
