/*
 * cmd_report.c - tabiya report: how a player has scored, by colour, opening, year, and opponents.
 *
 *     Paul Morphy: 5 games
 *     colour                         games   won drawn  lost   score    Elo  perf
 *     white                              3     3     0     0  100.0%      -     -
 *
 * Scores are the player's: a win counts one, a draw a half; games without a result are counted, but not in the score.
 */
#include "commands.h"
#include "named.h"
#include "near.h"
#include "visits.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LINES = 10 };

static const option options[] = {
    QUERY_OPTIONS_BESIDE_COLORS,
    [QUERY_BLACK] = {"black", 0, NULL, NULL, "count only games with the black pieces"},
    [QUERY_WHITE] = {"white", 0, NULL, NULL, "count only games with the white pieces"},
    OUTPUT_OPTIONS("one object"),
    {0},
};

static const example examples[] = {
    {"tabiya report games.db carlsen", "Shows how Carlsen has scored."},
    {"tabiya report games.pgn carlsen --black --date 2024..", "Shows how he has scored with Black since 2024."},
    {"tabiya report games.db 'Carlsen, M*' 'date 2019.. elo 2600..'",
     "Counts recent games between strong players only."},
    {"tabiya report games.db carlsen --sort=-date --limit 100", "Shows how he has scored in his last 100 games."},
    {"tabiya report games.db carlsen --limit 0 --to csv -o carlsen.csv", "Writes all numbers as one table."},
    {"tabiya report --json --limit 0 games.db carlsen", "Prints all openings and opponents as JSON."},
    {0},
};

/* Opponents by rating, in ascending order. */
typedef struct opponents {
    struct rated {
        int elo;
        uint32_t n; /* games */
    } * of;
    size_t n, cap;
} opponents;

/* How games ended for the player. */
typedef struct report_score {
    uint64_t games, won, drawn, lost;
    /* Of the games with a result against rated opponents: */
    uint64_t n_rated, elo_sum, points; /* points: 2 for a win, 1 for a draw */
    opponents rated;
} report_score;

/* Games with the same key. */
typedef struct report_line {
    char *key;
    report_score score;
} report_line;

enum {
    REPORT_COLORS,
    REPORT_OPENINGS,
    REPORT_VARIATIONS,
    REPORT_YEARS,
    REPORT_RATINGS,
    REPORT_OPPONENTS,
    REPORT_NAMES,
    N_REPORT_TABLES
};

typedef struct report_of_player {
    report_score all;
    named_list tables[N_REPORT_TABLES]; /* of report_line */
} report_of_player;

static const struct {
    const char *title, *json_name;
    bool is_by_key;  /* the order of its lines; otherwise by their games */
    bool is_limited; /* by --limit */
} kinds[N_REPORT_TABLES] = {
    [REPORT_COLORS] = {"colour", "colors", false, false},
    [REPORT_OPENINGS] = {"opening", "openings", false, true},
    [REPORT_VARIATIONS] = {"variation", "variations", false, true},
    [REPORT_YEARS] = {"year", "years", true, false},
    [REPORT_RATINGS] = {"opponent's Elo", "ratings", true, false},
    [REPORT_OPPONENTS] = {"opponent", "opponents", false, true},
    [REPORT_NAMES] = {"name", "names", false, false},
};

/* ---- Counting --------------------------------------------------------------------------------------------------- */

static void opponents_add(opponents *o, int elo)
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
        memory_need(array_reserve(&o->of, &o->cap, o->n + 1, sizeof *o->of, NULL));
        memmove(o->of + low + 1, o->of + low, (o->n++ - low) * sizeof *o->of);
        o->of[low] = (struct rated){.elo = elo};
    }
    o->of[low].n++;
}

static void score_add(report_score *s, tby_result result, tby_color color, int elo)
{
    const tby_result won = color == TBY_WHITE ? TBY_WHITE_WINS : TBY_BLACK_WINS;
    s->games++;
    s->won += result == won;
    s->drawn += result == TBY_DRAW;
    s->lost += result != won && result != TBY_DRAW && result != TBY_RESULT_NONE;
    if (elo > 0 && result != TBY_RESULT_NONE) {
        s->n_rated++;
        s->elo_sum += (uint64_t)elo;
        s->points += result == won ? 2 : result == TBY_DRAW;
        opponents_add(&s->rated, elo);
    }
}

/* How many points a player of this rating is expected to score, by the Elo formula. */
static double expected_points(const opponents *o, double rating)
{
    double points = 0;
    for (size_t i = 0; i < o->n; i++)
        points += 2 * o->of[i].n / (1 + pow(10, (o->of[i].elo - rating) / 400));
    return points;
}

/* The rating at which the expected score is the one achieved, found by bisection; 0 if unknown. */
static int performance(const report_score *s)
{
    enum { MOST = 800, STEPS = 24 };
    if (!s->n_rated)
        return 0;
    const double mean = (double)s->elo_sum / (double)s->n_rated;
    double low = mean - MOST, high = mean + MOST;
    for (int i = 0; i < STEPS; i++) {
        const double middle = (low + high) / 2;
        *(expected_points(&s->rated, middle) < (double)s->points ? &low : &high) = middle;
    }
    return (int)lround((low + high) / 2);
}

/* The opponents' mean rating; 0 if unknown. */
static uint64_t mean_elo(const report_score *s) { return s->n_rated ? (s->elo_sum + s->n_rated / 2) / s->n_rated : 0; }

static report_score *score_of(named_list *t, const char *key)
{
    report_line *line = named_get(t, key, strlen(key), sizeof *line);
    return &line->score;
}

/* Sicilian Defense (white), and with its variation: B90 Najdorf Variation (white) */
static void opening_keys(char family[256], char variation[256], const tby_row *row, tby_color color)
{
    tby_opening opening;
    const bool is_named = tby_opening_of_chessgame(&opening, (const uint8_t *)row->moves.s, row->moves.n) >= 0;
    const char *name = is_named ? opening.name : "not known", *side = color == TBY_WHITE ? "white" : "black";
    const size_t n = strcspn(name, ":");
    const char *rest = name[n] ? name + n + 1 : name;
    snprintf(family, 256, "%.*s (%s)", (int)n, name, side);
    snprintf(variation, 256, "%s%s%s (%s)", is_named ? opening.eco : "", is_named ? " " : "", rest + strspn(rest, " "),
             side);
}

/* Counts a game that the player has played with that colour. */
static void report_add(report_of_player *r, const tby_row *row, tby_color color)
{
    const tby_color other = color == TBY_WHITE ? TBY_BLACK : TBY_WHITE;
    const int elo = row->elo[other];
    const tby_text name = color == TBY_WHITE ? row->white : row->black;
    const tby_text opponent = color == TBY_WHITE ? row->black : row->white;
    char keys[N_REPORT_TABLES][256];
    snprintf(keys[REPORT_COLORS], sizeof keys[0], "%s", color == TBY_WHITE ? "white" : "black");
    opening_keys(keys[REPORT_OPENINGS], keys[REPORT_VARIATIONS], row, color);
    snprintf(keys[REPORT_YEARS], sizeof keys[0], row->date ? "%04d" : "not known", row->date / 10000);
    snprintf(keys[REPORT_RATINGS], sizeof keys[0], elo > 0 ? "%d-%d" : "not known", elo / 200 * 200,
             elo / 200 * 200 + 199);
    snprintf(keys[REPORT_NAMES], sizeof keys[0], "%.*s", (int)name.n, name.s ? name.s : "");
    snprintf(keys[REPORT_OPPONENTS], sizeof keys[0], "%.*s", (int)opponent.n, opponent.s ? opponent.s : "");
    score_add(&r->all, row->result, color, elo);
    for (int i = 0; i < N_REPORT_TABLES; i++)
        score_add(score_of(&r->tables[i], keys[i]), row->result, color, elo);
}

static void counts_free(report_of_player *r)
{
    free(r->all.rated.of);
    for (int i = 0; i < N_REPORT_TABLES; i++) {
        for (size_t k = 0; k < r->tables[i].n; k++)
            free(((report_line *)r->tables[i].list[k])->score.rated.of);
        named_free(&r->tables[i]);
    }
}

/* ---- Order ------------------------------------------------------------------------------------------------------ */

static int by_games(const void *a, const void *b)
{
    const report_line *x = *(report_line *const *)a, *y = *(report_line *const *)b;
    if (x->score.games != y->score.games)
        return x->score.games > y->score.games ? -1 : 1;
    return named_order(a, b);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* The score in tenths of a percent; -1 without results. */
static int score_tenths(const report_score *s)
{
    const uint64_t n = s->won + s->drawn + s->lost;
    return n ? (int)(((2 * s->won + s->drawn) * 1000 + n) / (2 * n)) : -1;
}

static void write_score(buffer *out, const report_score *s)
{
    const int score = score_tenths(s);
    char elo[24] = "-", performed[24] = "-";
    buffer_printf(out, " %7" PRIu64 " %5" PRIu64 " %5" PRIu64 " %5" PRIu64, s->games, s->won, s->drawn, s->lost);
    if (score >= 0)
        buffer_printf(out, " %4d.%d%%", score / 10, score % 10);
    else
        buffer_printf(out, " %7s", "-");
    if (s->n_rated) {
        snprintf(elo, sizeof elo, "%" PRIu64, mean_elo(s));
        snprintf(performed, sizeof performed, "%d", performance(s));
    }
    buffer_printf(out, " %6s %5s\n", elo, performed);
}

/* A key cut to its column; the colour at its end stays. */
static void write_key(buffer *out, const char *key)
{
    enum { COLUMN = 32, SIDE = 8 };
    const size_t n = strlen(key);
    const char *side = text_width(key) > COLUMN && n > SIDE && key[n - 1] == ')' ? key + n - SIDE : "";
    buffer_cell(out, key, COLUMN - strlen(side));
    buffer_harmless(out, side, strlen(side), '?');
}

static void write_table(buffer *out, const named_list *t, const char *title, size_t limit)
{
    buffer_printf(out, "\n%s%-32s %7s %5s %5s %5s %7s %6s %5s%s\n", color_code(COLOR_BOLD), title, "games", "won",
                  "drawn", "lost", "score", "Elo", "perf", color_code(COLOR_END));
    for (size_t i = 0; i < t->n && (!limit || i < limit); i++) {
        const report_line *line = t->list[i];
        write_key(out, line->key);
        write_score(out, &line->score);
    }
    if (limit && t->n > limit)
        buffer_printf(out, "... and %zu more\n", t->n - limit);
}

static void write_text(buffer *out, const report_of_player *r, const char *name, size_t limit)
{
    buffer_harmless(out, name, strlen(name), '?');
    buffer_printf(out, ": %" PRIu64 " %s\n", r->all.games, plural(r->all.games, "game", "games"));
    for (int i = 0; i < N_REPORT_TABLES; i++)
        if (i != REPORT_NAMES || r->tables[i].n > 1)
            write_table(out, &r->tables[i], kinds[i].title, kinds[i].is_limited ? limit : 0);
}

/* ---- For programs ----------------------------------------------------------------------------------------------- */

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

/* Fills the columns of a table that begins with the column `first`. */
static void put_score(table *t, int first, const report_score *s)
{
    table_put(t, (size_t)(GAMES - first), s->games);
    table_put(t, (size_t)(WON - first), s->won);
    table_put(t, (size_t)(DRAWN - first), s->drawn);
    table_put(t, (size_t)(LOST - first), s->lost);
    table_put_tenths(t, (size_t)(SCORE - first), score_tenths(s));
    table_put_known(t, (size_t)(ELO - first), mean_elo(s));
    table_put_known(t, (size_t)(PERFORMANCE - first), (uint64_t)performance(s));
    table_end_row(t);
}

static void put_lines(table *t, int first, const report_of_player *r, int which, size_t limit)
{
    const named_list *from = &r->tables[which];
    for (size_t i = 0; i < from->n && (!kinds[which].is_limited || !limit || i < limit); i++) {
        const report_line *line = from->list[i];
        if (first == BY)
            table_put_text(t, BY, kinds[which].json_name);
        table_put_text(t, (size_t)(KEY - first), line->key);
        put_score(t, first, &line->score);
    }
}

/* One table, with the totals first. */
static table table_of(const report_of_player *r, const char *name, size_t limit)
{
    table t = table_new(columns, N_COLUMNS);
    table_put_text(&t, BY, "all");
    table_put_text(&t, KEY, name);
    put_score(&t, BY, &r->all);
    for (int i = 0; i < N_REPORT_TABLES; i++)
        put_lines(&t, BY, r, i, limit);
    return t;
}

/* The object for all games has the same members as the lines, except the key. */
static void write_json(buffer *out, const report_of_player *r, const char *name, size_t limit)
{
    table all = table_new(columns + GAMES, N_COLUMNS - GAMES), lines = table_new(columns + KEY, N_COLUMNS - KEY);
    buffer members = {0};
    buffer_string(out, "{\"player\":");
    buffer_json_string(out, name);
    put_score(&all, GAMES, &r->all);
    table_write_array(&members, &all);
    buffer_printf(out, ",%.*s", (int)members.n - 4, members.s + 2);
    for (int i = 0; i < N_REPORT_TABLES; i++) {
        put_lines(&lines, KEY, r, i, limit);
        buffer_printf(out, ",\"%s\":", kinds[i].json_name);
        table_write_array(out, &lines);
    }
    buffer_string(out, "}\n");
    buffer_free(&members);
    table_free(&all);
    table_free(&lines);
}

/* At most `limit` openings, variations and opponents; 0 for all. */
static void report_print(report_of_player *r, const char *name, size_t limit, const output *form)
{
    buffer text = {0};
    for (int i = 0; i < N_REPORT_TABLES; i++)
        named_sort(&r->tables[i], kinds[i].is_by_key ? named_order : by_games);
    if (form->format)
        output_whole(form, table_of(r, name, limit));
    else
        (form->is_json ? write_json : write_text)(&text, r, name, limit);
    out_buffer(&text);
}

/* ---- Searching -------------------------------------------------------------------------------------------------- */

typedef struct reporting {
    sources sources;
    counted counted;
    tby_color color;
    report_of_player report;
} reporting;

static bool count_game(void *context, source *s, const tby_db_hit *hit)
{
    reporting *r = context;
    tby_row row;
    if (source_row(s, hit->id, &row) != TBY_OK)
        source_failed(s);
    report_add(&r->report, &row, r->color);
    return !interrupts_came();
}

/* An additional condition: "white", "black" or "player" and the player's name. */
static buffer name_fact(const reporting *r, const char *word)
{
    buffer fact = {0};
    person_add(&fact, word, r->sources.words[0]);
    return fact;
}

static void query_of_name(query *q, const reporting *r, const char *word)
{
    buffer fact = name_fact(r, word);
    query_of_options(q, &r->counted.args, r->counted.text, (tby_text){fact.s, fact.n}, NULL,
                     source_db(r->counted.games.of[0]));
    buffer_free(&fact);
}

/* The player's games with that colour. */
static void count_color(reporting *r, tby_color color)
{
    query q;
    query_of_name(&q, r, color == TBY_WHITE ? "white" : "black");
    q.search.wanted = TBY_WANTED_ROWS;
    q.search.progress = database_report;
    r->color = color;
    sources_find(&r->counted.games, &q.search, NULL, count_game, r);
    query_free(&q);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static int explain(const reporting *r, const char *word)
{
    query q;
    query_of_name(&q, r, word);
    query_explain_all(&q, &r->counted.games, NULL);
    query_free(&q);
    return EXIT_YES;
}

static int report_colors(reporting *r, bool has_white, bool has_black, size_t limit)
{
    const char *name = r->sources.words[0];
    const output o = output_begin(r->sources.args);
    if (has_white)
        count_color(r, TBY_WHITE);
    if (has_black)
        count_color(r, TBY_BLACK);
    if (interrupts_came())
        error_exit("report: interrupted");
    if (r->report.all.games == 0) {
        error_print("report: no game of \"%s\" was found; * in a name matches any text", name);
        near_players(&r->sources, name);
        return EXIT_NO;
    }
    report_print(&r->report, name, limit, &o);
    return EXIT_YES;
}

static int report_run(const args *a)
{
    const bool has_white = args_has(a, QUERY_WHITE) || !args_has(a, QUERY_BLACK);
    const bool has_black = args_has(a, QUERY_BLACK) || !args_has(a, QUERY_WHITE);
    /* Without --sort, --limit is the length of the lists, not a condition. */
    const args conditions = args_keeping(a, args_has(a, QUERY_SORT) ? ~0ULL : ~TAKES(QUERY_LIMIT));
    reporting r = {.sources = sources_of_words(a, 1)};
    if (r.sources.n_words == 0)
        error_exit("report: no player given; name one after the games; try --help");
    const size_t limit = visits_lines(a, DEFAULT_LINES, 0, 1000000);
    r.sources.args = &conditions;
    sources_open(&r.sources, SOURCE_AGAIN, SOURCE_AGAIN);
    const char *word = has_white && has_black ? "player" : has_white ? "white" : "black";
    buffer fact = name_fact(&r, word);
    visits_counted(&r.counted, &r.sources, 0, SOURCE_AGAIN, r.sources.text, (tby_text){fact.s, fact.n});
    buffer_free(&fact);
    const int code = args_has(a, QUERY_EXPLAIN) ? explain(&r, word) : report_colors(&r, has_white, has_black, limit);
    counts_free(&r.report);
    free(r.counted.args.given);
    free(conditions.given);
    return sources_close(&r.sources, code);
}

const command cmd_report = {
    .name = "report",
    .group = GROUP_LOOK,
    .words = "SOURCE... PLAYER [QUERY]",
    .summary = "show a player's results and openings",
    .description =
        "Counts a player's games and their results from the player's point of view: by colour, by opening and "
        "variation with each colour, by year, by the opponent's rating, and by opponent. PLAYER is a person in any "
        "spelling: \"Magnus Carlsen\" also means Carlsen,M. With an asterisk, which matches any text, it must match "
        "the "
        "whole name, and after = it is exactly the name. All names that match are listed and counted together.\n\nThe "
        "column Elo is the opponents' mean rating in the games with a result against rated opponents, and perf the "
        "performance in these games: the rating at which the expected score, the sum of the expectations against each "
        "opponent, is the one achieved, at most 800 points from their mean. --limit N lists at most N openings, "
        "variations and opponents (default: 10); 0 lists "
        "all. The table formats of --to put all results into one table: what the games are grouped by, the group, and "
        "its numbers. --sample N counts only N of the games, and with --sort only the first --limit of them count, "
        "after --offset.\n\n" QUERY_HELP,
    .exits = "0  done\n1  the player has no games there\n2  a source could not be read, or the query has an error",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = report_run,
};
