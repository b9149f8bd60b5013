/*
 * explorer.c - /lichess, /masters and /player: answers from the database in the form of the public opening explorer, so
 * that programs written for that only need another host.
 *
 *     parameters -> a position and a query -> survey of the library -> JSON
 *
 *     fen, play         the position: a FEN, and moves in UCI with commas between
 *     since, until      months (2019-06), or years                              date 2019.06..
 *     speeds, modes     lists with commas between                               speed blitz or speed rapid
 *     ratings           lower ends of groups, by the mean of both players       mean-elo 2000.. not mean-elo 2200..
 *     player, color     /player: whose games, and with which colour             white "..."
 *     moves, topGames, recentGames   how many of them at most
 *     history           true: also by months
 *     q                 a query that the games must match too
 *
 * A complete list is not a filter, or games without ratings and time controls would be missing. The lists of common
 * clients leave out ultraBullet and the group 0, but mean everything too.
 */
#include "site_games.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LISTED_MAX = 15 };

typedef struct wish {
    explorer_kind kind;
    tby_position pos;
    tby_opening opening; /* the last named opening on the way there */
    query among;         /* which games count */
    bool has_speeds;     /* they are a condition, */
    query at_any_speed;  /* and this is the query without them */
    tby_color color;     /* of the player */
    uint64_t n_moves;    /* to be shown */
    tby_db_survey_options options;
} wish;

/* The query so far: the parameters that are values of it, and other facts as text. */
typedef struct asking {
    const question *q;
    wish *wish;
    query_values values;
    buffer text;
} asking;

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

/* A list of the words in `names`, which end in NULL, as a set of bits. */
static bool read_set(const question *q, unsigned *out, const char *name, const char *const *names)
{
    const char *s = params_value(q->params, name);
    *out = 0;
    while (s && *s) {
        const size_t n = strcspn(s, ",");
        int i = 0;
        while (names[i] && (strlen(names[i]) != n || strncmp(names[i], s, n) != 0))
            i++;
        if (!names[i])
            return problem_set(q->problem, PROBLEM_ASKED, "%s: unknown value \"%.*s\"", name, n < 50 ? (int)n : 50, s);
        *out |= 1u << i;
        s += n + (s[n] == ',');
    }
    return true;
}

/* The explorer's bullet is the query language's without ultrabullet. */
static bool add_speeds(asking *a)
{
    static const char *const names[] = {"ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", NULL};
    enum { ULTRA = 1, ALL_BUT_ULTRA = 62 };
    const char *before = " (";
    unsigned set;
    if (!read_set(a->q, &set, "speeds", names))
        return false;
    if (!set || (set & ALL_BUT_ULTRA) == ALL_BUT_ULTRA)
        return true;
    for (int i = 0; names[i]; i++)
        if (set >> i & 1) {
            buffer_printf(&a->text, "%s(speed %s%s)", before, i ? names[i] : "ultrabullet",
                          i == 1 && !(set & ULTRA) ? " not speed ultrabullet" : "");
            before = " or ";
        }
    buffer_string(&a->text, ")");
    return true;
}

static bool add_modes(asking *a)
{
    static const char *const names[] = {"rated", "casual", NULL};
    unsigned set;
    if (!read_set(a->q, &set, "modes", names))
        return false;
    if (set == 1 || set == 2)
        buffer_printf(&a->text, " mode %s", names[set - 1]);
    return true;
}

/* Adjacent groups form one range, whose upper end is the lower bound of the next group, because a mean may be a
   half. */
static bool add_ratings(asking *a)
{
    static const char *const names[] = {"0", "1000", "1200", "1400", "1600", "1800", "2000", "2200", "2500", NULL};
    enum { ALL_BUT_0 = 510 };
    const char *before = " (";
    unsigned set;
    if (!read_set(a->q, &set, "ratings", names))
        return false;
    if (!set || (set & ALL_BUT_0) == ALL_BUT_0)
        return true;
    for (int i = 0; names[i]; i++) {
        if (!(set >> i & 1))
            continue;
        buffer_printf(&a->text, "%s(mean-elo %s..", before, names[i]);
        before = " or ";
        while (set >> (i + 1) & 1)
            i++;
        if (names[i + 1])
            buffer_printf(&a->text, " not mean-elo %s..", names[i + 1]);
        buffer_string(&a->text, ")");
    }
    buffer_string(&a->text, ")");
    return true;
}

/* ---- Dates and players ------------------------------------------------------------------------------------------ */

typedef struct month {
    unsigned year, month; /* 0: not given */
} month;

/* 2019, 2019-06 or 2019/06. */
static bool read_month(const question *q, month *out, const char *name)
{
    const char *s = params_value(q->params, name);
    char separator = 0, more = 0;
    *out = (month){0, 0};
    if (!s || !*s)
        return true;
    const int n = sscanf(s, "%4u%c%2u%c", &out->year, &separator, &out->month, &more);
    const bool has_month = n == 3 && strchr("-/.", separator) && out->month >= 1 && out->month <= 12;
    return (*s >= '0' && *s <= '9' && (n == 1 || has_month)) ||
           problem_set(q->problem, PROBLEM_ASKED, "%s must be a year or a month such as 2019-06, not \"%.50s\"", name,
                       s);
}

static void put_month(buffer *out, month m)
{
    if (m.month)
        buffer_printf(out, "%04u.%02u", m.year, m.month);
    else
        buffer_printf(out, "%04u", m.year);
}

/* In the public explorer, the year 0, and 3000 or later, mean no limit. */
static bool add_dates(asking *a)
{
    enum { FAR = 3000 };
    month since, until;
    if (!read_month(a->q, &since, "since") || !read_month(a->q, &until, "until"))
        return false;
    const bool has_until = until.year && until.year < FAR;
    if (!since.year && !has_until)
        return true;
    buffer_string(&a->text, " date ");
    if (since.year)
        put_month(&a->text, since);
    buffer_string(&a->text, "..");
    if (has_until)
        put_month(&a->text, until);
    return true;
}

static bool add_player(asking *a)
{
    const char *color = params_value(a->q->params, "color"), *player = params_value(a->q->params, "player");
    wish *w = a->wish;
    if (w->kind != EXPLORER_PLAYER)
        return true;
    if (!player || !*player || !color)
        return problem_set(a->q->problem, PROBLEM_ASKED, "the parameters player and color are needed");
    w->color = strcmp(color, "black") == 0 || strcmp(color, "b") == 0 ? TBY_BLACK : TBY_WHITE;
    if (w->color == TBY_WHITE && strcmp(color, "white") != 0 && strcmp(color, "w") != 0)
        return problem_set(a->q->problem, PROBLEM_ASKED, "color must be white or black, not \"%.50s\"", color);
    a->values.of[w->color == TBY_WHITE ? QUERY_WHITE : QUERY_BLACK] = player;
    return true;
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

/* UCI moves separated by commas; keeps the last opening name on the way. */
static bool play_moves(wish *w, const question *q)
{
    const char *s = params_value(q->params, "play");
    tby_opening_of(&w->opening, &w->pos);
    while (s && *s) {
        const size_t n = strcspn(s, ", ");
        tby_move m;
        tby_opening found = {NULL, NULL};
        if (tby_uci_read(&m, &w->pos, s, n, NULL) != TBY_OK)
            return problem_set(q->problem, PROBLEM_ASKED, "play: \"%.*s\" is not a legal move there",
                               n < 10 ? (int)n : 10, s);
        tby_position_play(&w->pos, m, NULL);
        tby_opening_of(&found, &w->pos);
        w->opening = found.eco ? found : w->opening;
        s += n;
        s += strspn(s, ", ");
    }
    return true;
}

static bool is_chess960(const question *q)
{
    const char *variant = params_value(q->params, "variant");
    return variant && strcmp(variant, "chess960") == 0;
}

static bool read_position(wish *w, const question *q)
{
    const char *fen = params_value(q->params, "fen"), *variant = params_value(q->params, "variant");
    if (variant && *variant && !is_chess960(q) && strcmp(variant, "standard") != 0 && strcmp(variant, "chess") != 0 &&
        strcmp(variant, "fromPosition") != 0)
        return problem_set(q->problem, PROBLEM_ASKED, "variant: there are no games of %.50s", variant);
    fen = fen && *fen ? fen : "startpos";
    return fen_position(&w->pos, fen_named(fen, strlen(fen)), is_chess960(q) ? TBY_FEN_CHESS960 : 0,
                        TBY_FAULTS_UNREACHABLE, q->problem) &&
           play_moves(w, q);
}

/* ---- Numbers and switches --------------------------------------------------------------------------------------- */

/* Numbers above the maximum mean the maximum. */
static bool read_count(const question *q, uint64_t *out, const char *name, uint64_t none, uint64_t most)
{
    const char *value = params_value(q->params, name);
    *out = none;
    if (value && *value && !problem_number(out, name, value, 0, UINT64_MAX, q->problem))
        return false;
    *out = *out < most ? *out : most;
    return true;
}

static bool read_counts(wish *w, const question *q)
{
    const bool has_top = w->kind == EXPLORER_LICHESS || w->kind == EXPLORER_MASTERS;
    const bool has_recent = w->kind == EXPLORER_LICHESS || w->kind == EXPLORER_PLAYER;
    uint64_t n_top, n_recent;
    if (!read_count(q, &w->n_moves, "moves", 12, TBY_MOVES_MAX) ||
        !read_count(q, &n_top, "topGames", w->kind == EXPLORER_MASTERS ? 15 : 4, has_top ? LISTED_MAX : 0) ||
        !read_count(q, &n_recent, "recentGames", w->kind == EXPLORER_PLAYER ? 8 : 4, has_recent ? LISTED_MAX : 0))
        return false;
    w->options.n_top = (size_t)n_top;
    w->options.n_recent = (size_t)n_recent;
    w->options.wants_opponents = w->kind == EXPLORER_PLAYER;
    return true;
}

/* In the spellings of various client languages: True, true, on, yes, 1. */
static bool read_history(wish *w, const question *q)
{
    static const char *const yes[] = {"true", "on", "yes", "1"}, *const no[] = {"false", "off", "no", "0", ""};
    const char *value = params_value(q->params, "history");
    bool is_no = !value;
    w->options.wants_months = w->kind == EXPLORER_HISTORY;
    for (size_t i = 0; value && i < sizeof yes / sizeof *yes; i++)
        w->options.wants_months |= strcasecmp(yes[i], value) == 0;
    for (size_t i = 0; value && i < sizeof no / sizeof *no; i++)
        is_no |= strcasecmp(no[i], value) == 0;
    return is_no || w->options.wants_months ||
           problem_set(q->problem, PROBLEM_ASKED, "history must be true or false, not \"%.50s\"", value);
}

/* ---- The question ----------------------------------------------------------------------------------------------- */

/* Reads the first `n_facts` bytes of the text and the other parameters as a query. */
static bool read_query(query *out, asking *a, size_t n_facts)
{
    a->values.facts = (tby_text){a->text.s, n_facts};
    if (!query_read(out, &a->values, NULL, a->q->problem))
        return false;
    out->search.n_threads = 1; /* other requests use the other threads */
    return true;
}

/* The conditions as text, with the speeds at the end. */
static bool add_facts(asking *a, size_t *n_without_speeds)
{
    if (is_chess960(a->q))
        buffer_string(&a->text, " fischer-random");
    if (!add_player(a) || !add_dates(a) || !add_ratings(a) || !add_modes(a))
        return false;
    *n_without_speeds = a->text.n;
    return add_speeds(a) && (!a->text.has_failed || problem_no_memory(a->q->problem));
}

static bool wish_read(wish *w, explorer_kind kind, const patterns *own, const question *q)
{
    asking a = {.q = q, .wish = w, .values = {.who = "", .dashes = "", .patterns = own}};
    size_t n_without;
    *w = (wish){.kind = kind};
    /* The parameter q is the query's own text, so its faults have their place there. */
    a.values.of[QUERY_QUERY] = params_value(q->params, "q");
    const bool is_good = read_position(w, q) && read_counts(w, q) && read_history(w, q) && add_facts(&a, &n_without) &&
                         read_query(&w->among, &a, a.text.n) &&
                         (n_without == a.text.n || read_query(&w->at_any_speed, &a, n_without));
    w->has_speeds = is_good && n_without < a.text.n;
    buffer_free(&a.text);
    return is_good;
}

/* ---- Answers ---------------------------------------------------------------------------------------------------- */

/* A survey has no unknown results, and neither has the public explorer. */
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

/* Clients expect a month in every game: null means unknown. */
static void write_date(buffer *out, int date)
{
    json_add(out, "'year':%d", date / 10000);
    if (date / 100 % 100)
        buffer_printf(out, ",\"month\":\"%04d-%02d\"", date / 10000, date / 100 % 100);
    else
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
    write_date(out, row.date);
    buffer_string(out, "}");
    return true;
}

/* As the public explorer writes moves: castling as the king taking his rook, e1h1. */
static void write_uci(char uci[TBY_UCI_SIZE], const tby_position *pos, tby_move move)
{
    tby_uci_write(uci, TBY_UCI_SIZE, pos, move, TBY_UCI_CHESS960);
}

/* A game that ends here has 0000 as its move: clients expect one. */
static bool write_list(buffer *out, games *g, const wish *w, const char *name, const tby_db_listed *list, size_t n)
{
    bool is_good = true;
    json_add(out, "%s:[", name);
    for (size_t i = 0; is_good && i < n; i++) {
        char uci[TBY_UCI_SIZE] = "0000";
        if (list[i].move != TBY_MOVE_NONE)
            write_uci(uci, &w->pos, list[i].move);
        json_add(out, "{'uci':%s", uci);
        is_good = write_game(out, g, w, list[i].id);
    }
    json_add(out, "]");
    return is_good;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static void write_mean(buffer *out, const char *name, uint64_t sum, uint64_t n)
{
    json_add(out, "%s:%llu", name, n ? (unsigned long long)((sum + n / 2) / n) : 0);
}

/* The mean of the opponents, plus 400 points for each game won more than lost, divided by the number of games. */
static void write_performance(buffer *out, const tby_db_move *m, const wish *w)
{
    const bool is_own = tby_position_side(&w->pos) == w->color;
    const uint64_t n = is_own ? m->n_other : m->n_elo, sum = is_own ? m->other_sum : m->elo_sum;
    const int64_t n_games = (int64_t)m->games,
                  more = (int64_t)m->results[TBY_WHITE_WINS] - (int64_t)m->results[TBY_BLACK_WINS];
    write_mean(out, "averageOpponentRating", sum, n);
    json_add(out, "'performance':%lld",
             n ? (long long)(sum / n) + (w->color == TBY_WHITE ? more : -more) * 400 / n_games : 0);
}

static bool write_move(buffer *out, games *g, const wish *w, const tby_db_move *m)
{
    char san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE];
    tby_position after = w->pos;
    tby_opening opening = {NULL, NULL};
    bool is_good = true;
    tby_san_write(san, sizeof san, &w->pos, m->move);
    write_uci(uci, &w->pos, m->move);
    tby_line_play(&after, m->move);
    tby_opening_of(&opening, &after);
    json_add(out, "{'uci':%s,'san':%s", uci, san);
    if (w->kind == EXPLORER_PLAYER)
        write_performance(out, m, w);
    else
        write_mean(out, "averageRating", m->elo_sum, m->n_elo);
    write_results(out, m->results);
    json_add(out, m->games == 1 ? "'game':{" : "'game':null");
    if (m->games == 1)
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
    for (size_t i = 0; is_good && i < shown; i++)
        is_good = write_move(out, g, w, &survey->moves[i]);
    json_add(out, "]");
    return is_good;
}

/* By ascending date; only the year for games whose month is unknown. */
static void write_months(buffer *out, const tby_db_survey *survey)
{
    json_add(out, "'history':[");
    for (size_t i = 0; i < survey->n_months; i++) {
        const tby_db_month *m = &survey->months[i];
        json_add(out, "{");
        buffer_printf(out, m->month ? "\"month\":\"%04d-%02d\"" : "\"month\":\"%04d\"", m->year, m->month);
        write_results(out, m->results);
        buffer_string(out, "}");
    }
    buffer_string(out, "]");
}

static bool survey_write(buffer *out, games *g, const wish *w, const tby_db_survey *survey)
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

static tby_status make_survey(tby_db_survey *out, games *g, const wish *w, const query *among)
{
    tby_db_survey_options options = w->options;
    options.among = among->query ? &among->search : NULL;
    return tby_db_survey_position(out, g->db, &w->pos, &options);
}

/* Where no game has a time control, no game has a speed either: then the speeds are ignored, and a header says so. */
static tby_status survey_games(tby_db_survey *out, games *g, const wish *w, const question *q)
{
    bool has_speeds = true;
    tby_status status = make_survey(out, g, w, &w->among);
    if (status != TBY_OK || !w->has_speeds || out->games > 0)
        return status;
    status = games_have_speeds(&has_speeds, g, q);
    if (status != TBY_OK || has_speeds)
        return status;
    tby_db_survey_free(out);
    response_header(q->response, "Tabiya-Ignored", "speeds; no game has a time control");
    return make_survey(out, g, w, &w->at_any_speed);
}

static bool write_survey(games *g, const question *q, const void *context)
{
    const wish *w = context;
    tby_db_survey *survey = malloc(sizeof *survey);
    if (!survey)
        return problem_no_memory(q->problem);
    const tby_status status = survey_games(survey, g, w, q);
    const bool is_good = status == TBY_OK && !g->is_late && survey_write(&q->response->body, g, w, survey);
    tby_db_survey_free(survey);
    free(survey);
    return is_good || games_fail(g, q, status != TBY_OK ? status : TBY_IO_ERROR);
}

bool answer_explorer(games *g, const question *q)
{
    const explorer_kind kind = (explorer_kind)q->kind;
    wish w;
    const bool is_good = wish_read(&w, kind, g->patterns, q) &&
                         games_answer(g, q, q->request->target, false, write_survey, &w);
    query_free(&w.among);
    query_free(&w.at_any_speed);
    if (is_good && kind == EXPLORER_PLAYER)
        response_header(q->response, "Content-Type", "application/x-ndjson");
    return is_good;
}
