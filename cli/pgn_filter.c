/*
 * pgn_filter.c - which games tabiya pgn picks.
 *
 *     pattern   letters that mean themselves, large or small, and * for any number of them; the whole value must fit
 *     range     LOW..HIGH, LOW.., ..HIGH, or one value; both ends belong to it
 *     date      2019, 2019.06, 2019.06.30; - for . is taken too
 *
 * A date with unknown parts (2019.??.??) is in a range if it may be. A tag that a game lacks fits only the empty
 * pattern.
 */
#include "pgn_filter.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct condition {
    condition_type type;
    char *name;              /* of the tag */
    const char *pattern;     /* NULL: a range */
    unsigned long low, high; /* Elo, plies, dates as yyyymmdd */
    const char *low_text;    /* ECO */
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

static _Noreturn void refuse(const char *what, const char *value, const char *expected)
{
    error_exit("pgn: --%s must be %s, not \"%s\"", what, expected, value);
}

/* A whole number; `none` if there is nothing. */
static bool read_bound(unsigned long *out, const char *s, size_t n, unsigned long none)
{
    *out = n ? 0 : none;
    for (size_t i = 0; i < n; i++) {
        if (!isdigit((unsigned char)s[i]) || *out > 100000000)
            return false;
        *out = *out * 10 + (unsigned long)(s[i] - '0');
    }
    return true;
}

/* yyyy.mm.dd as a number; parts that are missing or unknown count as `missing`. False if there is no year. */
static bool read_date(unsigned long *out, const char *s, size_t n, unsigned long missing)
{
    static const unsigned long widths[] = {10000, 100, 1};
    size_t at = 0;
    *out = 0;
    for (size_t part = 0; part < 3; part++) {
        unsigned long value = 0;
        size_t digits = 0;
        for (; at < n && isdigit((unsigned char)s[at]) && digits < 4; at++, digits++)
            value = value * 10 + (unsigned long)(s[at] - '0');
        if (part == 0 && digits == 0)
            return false;
        *out += (digits ? value : missing) * widths[part];
        while (at < n && s[at] == '?')
            at++;
        if (at < n && s[at] != '.' && s[at] != '-' && s[at] != '/')
            return false;
        at += at < n;
    }
    return at == n;
}

static void read_range(condition *c, const char *what, const char *value)
{
    const char *dots = strstr(value, "..");
    const size_t n_low = dots ? (size_t)(dots - value) : strlen(value);
    const char *high = dots ? dots + 2 : value;
    const size_t n_high = strlen(high);
    bool good = n_low + n_high > 0;
    if (c->type == BY_DATE) {
        good &= n_low == 0 || read_date(&c->low, value, n_low, 0);
        c->high = ULONG_MAX;
        good &= n_high == 0 || read_date(&c->high, high, n_high, 99);
    } else {
        good &= read_bound(&c->low, value, n_low, 0) && read_bound(&c->high, high, n_high, ULONG_MAX);
    }
    if (!good)
        refuse(what, value,
               c->type == BY_DATE ? "a date or a range such as 2019..2021.06" : "a number or a range such as 2400..");
}

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

static void read_tag(condition *c, const char *what, const char *value)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value)
        refuse(what, value, "NAME=PATTERN");
    const size_t n = (size_t)(equals - value);
    c->name = memory_new(n + 1, 1);
    memcpy(c->name, value, n);
    c->pattern = equals + 1;
}

void filter_add(filter *f, condition_type type, const char *what, const char *value)
{
    condition c = {.type = type};
    switch (type) {
    case BY_DATE:
    case BY_ELO:
    case BY_PLIES: read_range(&c, what, value); break;
    case BY_ECO: read_eco(&c, value); break;
    case BY_TAG: read_tag(&c, what, value); break;
    case BY_RESULT:
        if (tby_result_read(&c.result, value, strlen(value), NULL) != TBY_OK)
            refuse(what, value, "1-0, 0-1, 1/2-1/2 or *");
        break;
    default: c.pattern = value; break;
    }
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
    return elo && *elo && read_bound(&rating, elo, strspn(elo, "0123456789"), ULONG_MAX) && rating >= c->low &&
           rating <= c->high && isdigit((unsigned char)*elo);
}

static bool fits_date(const condition *c, const char *date)
{
    unsigned long first, last;
    return date && read_date(&first, date, strlen(date), 0) && read_date(&last, date, strlen(date), 99) &&
           last >= c->low && first <= c->high;
}

static bool fits_plies(const condition *c, const tby_game *game)
{
    const size_t n = tby_game_main_line(game, NULL, 0);
    return n >= c->low && n <= c->high;
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
