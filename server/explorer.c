/*
 * explorer.c - /lichess, /masters and /player: answers from the database in the form of the public opening explorer, so
 * that programs written for that only need another host.
 *
 *     fen, play         the position: a FEN, and moves in UCI with commas between
 *     since, until      months (2019-06), or years
 *     speeds, ratings   lists with commas between; ratings are the lower ends of groups, by the mean of both players
 *     player, color     /player: whose games, and with which colour
 *     moves, topGames, recentGames   how many of them
 *
 * Every game that comes to the position is looked at once, within the time that all requests have; a game without
 * ratings or time control is in no group of them.
 */
#include "explore.h"
#include "json_member.h"
#include "line.h"
#include "site_games.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LISTED_MAX = 15, N_GROUPS = 9 };

typedef enum explorer_kind { EXPLORER_LICHESS, EXPLORER_MASTERS, EXPLORER_PLAYER } explorer_kind;

/* ---- Speeds ----------------------------------------------------------------------------------------------------- */

static const char *const speed_names[] = {"ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"};
enum { N_SPEEDS = sizeof speed_names / sizeof *speed_names, SPEED_UNKNOWN = N_SPEEDS };

/* By the time for forty moves: "180+2" is 260 seconds. "-" and "1/259200" are correspondence. */
static unsigned speed_of(const char *control)
{
    static const unsigned long limits[] = {30, 180, 480, 1500};
    char *end;
    if (strcmp(control, "-") == 0 || strncmp(control, "1/", 2) == 0)
        return N_SPEEDS - 1;
    const char *slash = strchr(control, '/'), *colon = strchr(control, ':');
    const char *base = slash && (!colon || slash < colon) ? slash + 1 : control; /* 40/7200:3600 */
    if (*base < '0' || *base > '9')
        return SPEED_UNKNOWN;
    unsigned long seconds = strtoul(base, &end, 10);
    seconds = seconds < 1000000 ? seconds : 1000000;
    if (*end == '+' && end[1] >= '0' && end[1] <= '9') {
        const unsigned long increment = strtoul(end + 1, NULL, 10);
        seconds += 40 * (increment < 1000000 ? increment : 1000000);
    }
    unsigned speed = 0;
    while (speed < sizeof limits / sizeof *limits && seconds >= limits[speed])
        speed++;
    return speed;
}

/* ---- What is asked ---------------------------------------------------------------------------------------------- */

typedef struct wish {
    explorer_kind kind;
    tby_position pos;
    tby_opening opening; /* the last that has a name on the way there */
    int date_min, date_max;
    unsigned speeds, groups; /* sets of bits; 0 = all */
    tby_color color;         /* of the player */
    const char *player;
    uint64_t n_moves, n_top, n_recent;
    bool is_rated, is_casual; /* only those */
} wish;

/* A list as a set of bits, by the index that `find` gives its words. */
static bool read_set(const question *q, unsigned *out, const char *name, int (*find)(const char *s, size_t n))
{
    const char *s = params_value(q->params, name);
    *out = 0;
    while (s && *s) {
        const size_t n = strcspn(s, ",");
        const int index = find(s, n);
        if (index < 0)
            return problem_tell(q->problem, PROBLEM_ASKED, "%s has no %.*s", name, n < 50 ? (int)n : 50, s);
        *out |= 1u << index;
        s += n + (s[n] == ',');
    }
    return true;
}

static int find_speed(const char *s, size_t n)
{
    for (int i = 0; i < N_SPEEDS; i++)
        if (strlen(speed_names[i]) == n && strncmp(speed_names[i], s, n) == 0)
            return i;
    return -1;
}

static const char *const group_names[N_GROUPS] = {"0", "1000", "1200", "1400", "1600", "1800", "2000", "2200", "2500"};

static int find_group(const char *s, size_t n)
{
    for (int i = 0; i < N_GROUPS; i++)
        if (strlen(group_names[i]) == n && strncmp(group_names[i], s, n) == 0)
            return i;
    return -1;
}

static int group_of(unsigned rating)
{
    int group = 0;
    while (group + 1 < N_GROUPS && rating >= strtoul(group_names[group + 1], NULL, 10))
        group++;
    return group;
}

/* 2019, 2019-06 or 2019/06 as a number; unknown parts are `missing`. 0 if it is not given. */
static bool read_date(const question *q, int *out, const char *name, unsigned missing)
{
    const char *s = params_value(q->params, name);
    unsigned year = 0, month = missing;
    char separator = 0, more = 0;
    *out = 0;
    if (!s || !*s)
        return true;
    const int n = sscanf(s, "%4u%c%2u%c", &year, &separator, &month, &more);
    const bool is_good = *s >= '0' && *s <= '9' && (n == 1 || (n == 3 && strchr("-/.", separator)));
    if (!is_good)
        return problem_tell(q->problem, PROBLEM_ASKED, "%s must be a year or a month such as 2019-06, not \"%.50s\"",
                            name, s);
    *out = (int)(year * 10000 + (n == 1 ? missing : month) * 100 + missing);
    *out += *out == 0;
    return true;
}

/* Moves of UCI with commas between; the last name on the way is kept. */
static bool play_moves(wish *w, const question *q)
{
    const char *s = params_value(q->params, "play");
    tby_opening_of(&w->opening, &w->pos);
    while (s && *s) {
        const size_t n = strcspn(s, ", ");
        tby_move m;
        tby_opening found = {NULL, NULL};
        if (tby_uci_read(&m, &w->pos, s, n, NULL) != TBY_OK)
            return problem_tell(q->problem, PROBLEM_ASKED, "play: \"%.*s\" is no legal move there",
                                n < 10 ? (int)n : 10, s);
        tby_position_play(&w->pos, m, NULL);
        tby_opening_of(&found, &w->pos);
        w->opening = found.eco ? found : w->opening;
        s += n;
        s += strspn(s, ", ");
    }
    return true;
}

static bool read_position(wish *w, const question *q)
{
    const char *fen = params_value(q->params, "fen"), *variant = params_value(q->params, "variant");
    const bool is_chess960 = variant && strcmp(variant, "chess960") == 0;
    if (variant && !is_chess960 && strcmp(variant, "standard") != 0 && strcmp(variant, "chess") != 0 &&
        strcmp(variant, "fromPosition") != 0)
        return problem_tell(q->problem, PROBLEM_ASKED, "variant: there are no games of %.50s", variant);
    fen = fen && *fen ? fen : "startpos";
    return fen_position(&w->pos, fen_named(fen, strlen(fen)), is_chess960 ? TBY_FEN_CHESS960 : 0,
                        TBY_FAULTS_UNREACHABLE, q->problem) &&
           play_moves(w, q);
}

static bool read_count(const question *q, uint64_t *out, const char *name, uint64_t none, uint64_t most)
{
    const char *value = params_value(q->params, name);
    *out = none;
    return !value || problem_number(out, name, value, 0, most, q->problem);
}

static bool read_player(wish *w, const question *q)
{
    const char *color = params_value(q->params, "color");
    w->player = params_value(q->params, "player");
    if (w->kind != EXPLORER_PLAYER)
        return true;
    if (!w->player || !*w->player || !color)
        return problem_tell(q->problem, PROBLEM_ASKED, "the parameters player and color are needed");
    w->color = strcmp(color, "black") == 0 ? TBY_BLACK : TBY_WHITE;
    return w->color == TBY_BLACK || strcmp(color, "white") == 0 ||
           problem_tell(q->problem, PROBLEM_ASKED, "color must be white or black");
}

static bool read_modes(wish *w, const question *q)
{
    const char *modes = params_value(q->params, "modes");
    const bool casual = modes && strstr(modes, "casual"), rated = modes && strstr(modes, "rated");
    w->is_casual = casual && !rated;
    w->is_rated = rated && !casual;
    return true;
}

static bool read_wish(wish *w, explorer_kind kind, const question *q)
{
    *w = (wish){.kind = kind};
    return read_position(w, q) && read_player(w, q) && read_modes(w, q) && read_date(q, &w->date_min, "since", 0) &&
           read_date(q, &w->date_max, "until", 99) && read_set(q, &w->speeds, "speeds", find_speed) &&
           read_set(q, &w->groups, "ratings", find_group) && read_count(q, &w->n_moves, "moves", 12, TBY_MOVES_MAX) &&
           read_count(q, &w->n_top, "topGames",
                      kind == EXPLORER_MASTERS   ? 15
                      : kind == EXPLORER_LICHESS ? 4
                                                 : 0,
                      LISTED_MAX) &&
           read_count(q, &w->n_recent, "recentGames",
                      kind == EXPLORER_MASTERS   ? 0
                      : kind == EXPLORER_LICHESS ? 4
                                                 : 8,
                      LISTED_MAX);
}

/* ---- What there is ---------------------------------------------------------------------------------------------- */

/* A game that may be shown. */
typedef struct listed {
    tby_game_id id;
    tby_move move;
    int64_t rank; /* the higher the better; then the later number */
} listed;

typedef struct list {
    listed entries[LISTED_MAX];
    size_t n, most;
} list;

typedef struct counted {
    tby_move move;
    uint64_t results[4], n_elo, elo_sum, n_opponents, opponent_sum;
    tby_game_id last; /* one of the games */
} counted;

typedef struct tally {
    games *games;
    const wish *wish;
    uint64_t results[4];
    counted moves[TBY_MOVES_MAX];
    size_t n_moves;
    list top, recent;
    buffer control;
    bool has_failed;
} tally;

/* Keeps the best. */
static void list_add(list *l, listed new)
{
    size_t at = l->n < l->most ? l->n++ : l->n;
    while (at > 0 && (l->entries[at - 1].rank < new.rank ||
                      (l->entries[at - 1].rank == new.rank && l->entries[at - 1].id < new.id))) {
        if (at < l->most)
            l->entries[at] = l->entries[at - 1];
        at--;
    }
    if (at < l->most)
        l->entries[at] = new;
}

static unsigned mean_rating(const tby_row *row)
{
    const unsigned white = (unsigned)row->elo[TBY_WHITE], black = (unsigned)row->elo[TBY_BLACK];
    return white && black ? (white + black) / 2 : 0;
}

static bool is_rated(const tby_row *row)
{
    for (size_t i = 0; i + 5 <= row->event.n; i++)
        if (strncasecmp(row->event.s + i, "rated", 5) == 0)
            return true;
    return false;
}

static unsigned speed_of_row(buffer *room, const tby_row *row)
{
    buffer_clear(room);
    if (!row->tags.s || !json_member(room, (span){row->tags.s, row->tags.n}, "TimeControl"))
        return SPEED_UNKNOWN;
    return speed_of(room->s);
}

/* The whole name, whatever its capitals. */
static bool is_name(tby_text value, const char *name)
{
    return value.s && value.n == strlen(name) && strncasecmp(value.s, name, value.n) == 0;
}

static bool fits(tally *t, const tby_row *row)
{
    const wish *w = t->wish;
    const unsigned rating = mean_rating(row);
    if (w->player && !is_name(w->color == TBY_WHITE ? row->white : row->black, w->player))
        return false;
    if (w->groups && (rating == 0 || !(w->groups >> group_of(rating) & 1)))
        return false;
    if ((w->is_rated && !is_rated(row)) || (w->is_casual && is_rated(row)))
        return false;
    if (!w->speeds)
        return true;
    const unsigned speed = speed_of_row(&t->control, row);
    return speed != SPEED_UNKNOWN && w->speeds >> speed & 1;
}

/* The move that is played there; TBY_MOVE_NONE at the end of the game. */
static tby_move move_at(const tby_row *row, int ply)
{
    tby_packed cursor;
    tby_move m = TBY_MOVE_NONE;
    if (!tby_packed_begin(&cursor, (const uint8_t *)row->moves.s, row->moves.n))
        return m;
    for (int i = 0; i <= ply; i++)
        m = tby_packed_next(&cursor);
    return m;
}

static counted *counted_of(tally *t, tby_move m)
{
    for (size_t i = 0; i < t->n_moves; i++)
        if (t->moves[i].move == m)
            return &t->moves[i];
    if (m == TBY_MOVE_NONE || t->n_moves == TBY_MOVES_MAX)
        return NULL;
    t->moves[t->n_moves] = (counted){.move = m};
    return &t->moves[t->n_moves++];
}

static void count(tally *t, const tby_db_hit *hit, const tby_row *row)
{
    const tby_color side = tby_position_side(&t->wish->pos);
    const tby_move m = move_at(row, hit->ply);
    counted *c = counted_of(t, m);
    t->results[row->result]++;
    list_add(&t->top, (listed){hit->id, m, mean_rating(row)});
    list_add(&t->recent, (listed){hit->id, m, row->date});
    if (!c)
        return;
    c->results[row->result]++;
    c->last = hit->id;
    c->n_elo += row->elo[side] > 0;
    c->elo_sum += (uint64_t)row->elo[side];
    const int opponent = row->elo[t->wish->color == TBY_WHITE ? TBY_BLACK : TBY_WHITE];
    c->n_opponents += opponent > 0;
    c->opponent_sum += (uint64_t)opponent;
}

static bool look_at(void *context, const tby_db_hit *hit)
{
    tally *t = context;
    tby_row row;
    if (games_are_late(t->games))
        return false;
    t->has_failed = tby_db_row(t->games->db, hit->id, &row) != TBY_OK;
    if (!t->has_failed && fits(t, &row))
        count(t, hit, &row);
    return !t->has_failed && !t->control.has_failed;
}

static uint64_t total(const uint64_t results[4])
{
    return results[TBY_WHITE_WINS] + results[TBY_DRAW] + results[TBY_BLACK_WINS];
}

static int compare(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    const uint64_t n = total(x->results), m = total(y->results);
    return n != m ? (n < m ? 1 : -1) : (int)x->move - (int)y->move;
}

/* ---- The answer ------------------------------------------------------------------------------------------------- */

/* Games without a result are not counted: the public explorer has none. */
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
        const unsigned speed = speed_of_row(&t->control, &row);
        buffer_printf(out, ",\"speed\":%s%s%s,\"mode\":\"%s\"", speed < N_SPEEDS ? "\"" : "",
                      speed < N_SPEEDS ? speed_names[speed] : "null", speed < N_SPEEDS ? "\"" : "",
                      is_rated(&row) ? "rated" : "casual");
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
    tby_position_play(&after, c->move, NULL);
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

static bool write_tally(tally *t, buffer *out)
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
    buffer_string(out, ",\"opening\":");
    write_opening(out, &t->wish->opening);
    buffer_string(out, t->wish->kind == EXPLORER_PLAYER ? ",\"queuePosition\":0}\n" : "}\n");
    return is_good;
}

/* "2019.05", "2019": the parts that say something. */
static size_t date_write(char *out, size_t cap, int date)
{
    const int month = date / 100 % 100;
    if (date == 0)
        return 0;
    return (size_t)(month == 0 || month == 99 ? snprintf(out, cap, "%04d", date / 10000)
                                              : snprintf(out, cap, "%04d.%02d", date / 10000, month));
}

/* The games that come to the position, within the dates, of the player. NULL without memory. */
static tby_query *query_of(const wish *w)
{
    tby_query_text facts = {.n = 0};
    char text[TBY_FEN_SIZE];
    tby_query_text_add(&facts, "fen", text, tby_fen_write_position(text, sizeof text, &w->pos, TBY_FEN_SHREDDER));
    if (w->date_min || w->date_max) {
        size_t n = date_write(text, 16, w->date_min);
        memcpy(text + n, "..", 3);
        n += 2 + date_write(text + n + 2, 16, w->date_max);
        tby_query_text_add(&facts, "date", text, n);
    }
    if (w->player)
        tby_query_text_add(&facts, w->color == TBY_WHITE ? "white" : "black", w->player, strlen(w->player));
    tby_query *query = facts.has_no_memory ? NULL : tby_query_new(facts.s, facts.n, NULL, NULL, NULL);
    tby_query_text_free(&facts);
    return query;
}

static bool answer(games *g, const question *q, const wish *w, tally *t)
{
    tby_query *query = query_of(w);
    const tby_db_search search = {.query = query, .n_threads = 1, .wanted = TBY_WANTED_ROWS};
    if (!query)
        return problem_no_memory(q->problem);
    *t = (tally){.games = g, .wish = w, .top = {.most = w->n_top}, .recent = {.most = w->n_recent}};
    const tby_status status = tby_db_find(g->db, &search, look_at, t);
    tby_query_free(query);
    const bool is_good = status == TBY_OK && !t->has_failed && !g->is_late && !t->control.has_failed &&
                         write_tally(t, &q->response->body);
    if (t->control.has_failed)
        problem_no_memory(q->problem);
    else if (!is_good)
        games_fail(g, q, status != TBY_OK ? status : TBY_IO_ERROR);
    buffer_free(&t->control);
    return is_good;
}

static bool explore_as(games *g, const question *q, explorer_kind kind)
{
    wish w;
    if (!read_wish(&w, kind, q) || !games_begin(g, q))
        return false;
    bool is_good = games_find_kept(g, q->request->target, &q->response->body);
    if (!is_good) {
        tally *t = malloc(sizeof *t);
        is_good = t ? answer(g, q, &w, t) : problem_no_memory(q->problem);
        free(t);
        if (is_good)
            games_keep(g, q->request->target, &q->response->body);
    }
    games_end(g);
    if (is_good && kind == EXPLORER_PLAYER)
        response_header(q->response, "Content-Type", "application/x-ndjson");
    return is_good;
}

bool answer_lichess(games *g, const question *q) { return explore_as(g, q, EXPLORER_LICHESS); }
bool answer_masters(games *g, const question *q) { return explore_as(g, q, EXPLORER_MASTERS); }
bool answer_player(games *g, const question *q) { return explore_as(g, q, EXPLORER_PLAYER); }
