/*
 * explorer_ask.c - what is asked of the explorer, and which games fit.
 *
 *     fen, play         the position: a FEN, and moves in UCI with commas between
 *     since, until      months (2019-06), or years
 *     speeds, ratings   lists with commas between; ratings are the lower ends of groups, by the mean of both players
 *     player, color     /player: whose games, and with which colour
 *     moves, topGames, recentGames   how many of them
 *     history           true: also by months
 */
#include "explorer.h"
#include "json_member.h"
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { N_GROUPS = 9 };

/* ---- Speeds ----------------------------------------------------------------------------------------------------- */

static const char *const speed_names[] = {"ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"};
enum { N_SPEEDS = sizeof speed_names / sizeof *speed_names, ULTRA_BULLET = 30 };

/* By the time for forty moves: "180+2" is 260 seconds. "-" and "1/259200" are correspondence. */
static unsigned speed_of(const char *control)
{
    int64_t seconds;
    const tby_speed speed = tby_speed_read(control, strlen(control), &seconds);
    if (speed == TBY_SPEED_NONE)
        return SPEED_UNKNOWN;
    return speed == TBY_SPEED_BULLET && seconds < ULTRA_BULLET ? 0 : (unsigned)speed;
}

/* ---- Parameters ------------------------------------------------------------------------------------------------ */

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
            return problem_tell(q->problem, PROBLEM_ASKED, "play: \"%.*s\" is not a legal move there",
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

/* "true", as the public explorer has it, or 1. */
static bool read_history(wish *w, const question *q)
{
    const char *value = params_value(q->params, "history");
    w->wants_months = value && (strcmp(value, "true") == 0 || strcmp(value, "1") == 0);
    return !value || w->wants_months || strcmp(value, "false") == 0 || strcmp(value, "0") == 0 ||
           problem_tell(q->problem, PROBLEM_ASKED, "history must be true or false, not \"%.50s\"", value);
}

bool wish_read(wish *w, explorer_kind kind, const question *q)
{
    *w = (wish){.kind = kind};
    return read_position(w, q) && read_player(w, q) && read_modes(w, q) && read_history(w, q) &&
           read_date(q, &w->date_min, "since", 0) && read_date(q, &w->date_max, "until", 99) &&
           read_set(q, &w->speeds, "speeds", find_speed) && read_set(q, &w->groups, "ratings", find_group) &&
           read_count(q, &w->n_moves, "moves", 12, TBY_MOVES_MAX) &&
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

/* ---- Which games fit -------------------------------------------------------------------------------------------- */

/* A date with unknown parts fits if it may. */
static bool fits_dates(const wish *w, int date)
{
    const int last = date % 10000 == 0 ? date + 9999 : date % 100 == 0 ? date + 99 : date;
    if (!w->date_min && !w->date_max)
        return true;
    return date && last >= w->date_min && (!w->date_max || date <= w->date_max);
}

/* The speeds that a game with these facts may have, as bits: two for bullet, all where the facts do not tell. */
static unsigned speeds_of(const tby_db_facts *facts)
{
    if (facts->speed < 0)
        return ~0u;
    return facts->speed == TBY_SPEED_NONE     ? 0
           : facts->speed == TBY_SPEED_BULLET ? 1u << TBY_SPEED_BULLET | 1
                                              : 1u << facts->speed;
}

bool wish_needs_manner(const wish *w, const tby_db_facts *facts)
{
    return w->is_rated || w->is_casual || (w->speeds && speeds_of(facts) & ~w->speeds);
}

bool wish_fits(const wish *w, const tby_db_facts *facts)
{
    const int rating = mean_rating(facts->elo);
    if (w->speeds && !(w->speeds & speeds_of(facts)))
        return false;
    return fits_dates(w, facts->date) && (!w->groups || (rating && w->groups >> group_of((unsigned)rating) & 1));
}

/* The whole name, in capitals or not. */
bool wish_fits_player(const wish *w, const tby_row *row)
{
    const tby_text name = w->color == TBY_WHITE ? row->white : row->black;
    return !w->player || (name.s && name.n == strlen(w->player) && strncasecmp(name.s, w->player, name.n) == 0);
}

static bool is_rated(const tby_row *row)
{
    for (size_t i = 0; i + 5 <= row->event.n; i++)
        if (strncasecmp(row->event.s + i, "rated", 5) == 0)
            return true;
    return false;
}

manner manner_of(buffer *room, const tby_row *row)
{
    buffer_clear(room);
    const bool has_control = row->tags.s && json_member(room, (span){row->tags.s, row->tags.n}, "TimeControl");
    return (manner){has_control ? (uint8_t)speed_of(room->s) : SPEED_UNKNOWN, is_rated(row)};
}

const char *speed_name(unsigned speed) { return speed < N_SPEEDS ? speed_names[speed] : NULL; }

bool wish_fits_manner(const wish *w, manner m)
{
    if ((w->is_rated && !m.is_rated) || (w->is_casual && m.is_rated))
        return false;
    return !w->speeds || (m.speed != SPEED_UNKNOWN && w->speeds >> m.speed & 1);
}
