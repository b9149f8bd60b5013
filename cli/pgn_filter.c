/*
 * pgn_filter.c - which games tabiya pgn picks.
 *
 *     pattern   letters that mean themselves, large or small, and * for any number of them; the whole value must fit
 *     range     of numbers or dates: see range.h
 *
 * A date with unknown parts (2019.??.??) is in a range if it may be. A tag that a game lacks fits only the empty
 * pattern.
 */
#include "pgn_filter.h"
#include "messages.h"
#include "range.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct condition {
    condition_type type;
    char *name;           /* of the tag */
    const char *pattern;  /* NULL: a range */
    range range;          /* Elo, plies, dates */
    const char *low_text; /* ECO */
    const char *high_text;
    size_t n_low_text;
    tby_result result;
} condition;

struct filter {
    condition *list;
    size_t n;
};

filter *filter_new(void) { return memory_new(1, sizeof(filter)); }

void filter_free(filter *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->list[i].name);
    free(f->list);
    free(f);
}

/* ---- Conditions from text --------------------------------------------------------------------------------------- */

static void read_eco(condition *c, const char *value)
{
    const char *dots = strstr(value, "..");
    if (!dots) {
        c->pattern = value;
        return;
    }
    c->low_text = value;
    c->n_low_text = (size_t)(dots - value);
    c->high_text = dots + 2;
}

static bool read_tag(condition *c, const char *what, const char *value, problem *p)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value)
        return value_refuse(what, value, "NAME=PATTERN", p);
    const size_t n = (size_t)(equals - value);
    c->name = memory_new(n + 1, 1);
    memcpy(c->name, value, n);
    c->pattern = equals + 1;
    return true;
}

static bool read_result(condition *c, const char *what, const char *value, problem *p)
{
    return tby_result_read(&c->result, value, strlen(value), NULL) == TBY_OK ||
           value_refuse(what, value, "1-0, 0-1, 1/2-1/2 or *", p);
}

void filter_add(filter *f, condition_type type, const char *name, const char *value)
{
    condition c = {.type = type};
    problem p = {0};
    char what[32];
    snprintf(what, sizeof what, "pgn: --%s", name);
    switch (type) {
    case BY_DATE: range_of_dates(&c.range, what, value, &p); break;
    case BY_ELO:
    case BY_PLIES: range_of_numbers(&c.range, what, value, &p); break;
    case BY_ECO: read_eco(&c, value); break;
    case BY_TAG: read_tag(&c, what, value, &p); break;
    case BY_RESULT: read_result(&c, what, value, &p); break;
    default: c.pattern = value; break;
    }
    problem_exit(&p);
    f->list = realloc(f->list, (f->n + 1) * sizeof *f->list);
    if (!f->list)
        error_exit("out of memory");
    f->list[f->n++] = c;
}

/* ---- Fitting ---------------------------------------------------------------------------------------------------- */

static int lower(char c) { return tolower((unsigned char)c); }

/* On a mismatch the last * takes one letter more: no recursion, at most n * m steps. */
static bool fits_pattern(const char *pattern, const char *s)
{
    const char *star = NULL, *retry = NULL;
    if (!s)
        return !*pattern;
    while (*s) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = s;
        } else if (*pattern && lower(*pattern) == lower(*s)) {
            pattern++;
            s++;
        } else if (star) {
            pattern = star;
            s = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static int compare(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const int difference = lower(a[i]) - lower(b[i]);
        if (difference || !a[i])
            return difference;
    }
    return 0;
}

static bool fits_eco(const condition *c, const char *eco)
{
    if (c->pattern)
        return fits_pattern(c->pattern, eco);
    return eco && compare(eco, c->low_text, c->n_low_text) >= 0 &&
           (!*c->high_text || compare(eco, c->high_text, strlen(c->high_text)) <= 0);
}

static bool fits_rating(const condition *c, const char *elo)
{
    unsigned long rating;
    return elo && *elo && bound_read(&rating, elo, strspn(elo, "0123456789"), ULONG_MAX) && rating >= c->range.low &&
           rating <= c->range.high && isdigit((unsigned char)*elo);
}

static bool fits_date(const condition *c, const char *date)
{
    unsigned long first, last;
    return date && date_read(&first, date, strlen(date), 0) && date_read(&last, date, strlen(date), 99) &&
           last >= c->range.low && first <= c->range.high;
}

static bool fits_plies(const condition *c, const tby_game *game)
{
    const size_t n = tby_game_main_line(game, NULL, 0);
    return n >= c->range.low && n <= c->range.high;
}

static bool fits(const condition *c, const tby_game *game)
{
    switch (c->type) {
    case BY_BLACK: return fits_pattern(c->pattern, tby_game_tag(game, "Black"));
    case BY_DATE: {
        const char *date = tby_game_tag(game, "Date");
        return fits_date(c, date ? date : tby_game_tag(game, "UTCDate"));
    }
    case BY_ECO: return fits_eco(c, tby_game_tag(game, "ECO"));
    case BY_ELO:
        return fits_rating(c, tby_game_tag(game, "WhiteElo")) && fits_rating(c, tby_game_tag(game, "BlackElo"));
    case BY_EVENT: return fits_pattern(c->pattern, tby_game_tag(game, "Event"));
    case BY_PLAYER:
        return fits_pattern(c->pattern, tby_game_tag(game, "White")) ||
               fits_pattern(c->pattern, tby_game_tag(game, "Black"));
    case BY_PLIES: return fits_plies(c, game);
    case BY_RESULT: return tby_game_result(game) == c->result;
    case BY_TAG: return fits_pattern(c->pattern, tby_game_tag(game, c->name));
    case BY_WHITE: return fits_pattern(c->pattern, tby_game_tag(game, "White"));
    }
    return false;
}

bool filter_fits(const filter *f, const tby_game *game)
{
    for (size_t i = 0; i < f->n; i++)
        if (!fits(&f->list[i], game))
            return false;
    return true;
}
