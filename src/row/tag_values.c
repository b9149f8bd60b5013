/*
 * tag_values.c - the values of tags: speeds, ratings and dates.
 *
 * The speed of a game follows from its TimeControl tag:
 *
 *     300+3   40/7200+30:3600   1/86400   -        only the first period counts
 */
#include "base/text.h"
#include "row/columns.h"

#include <string.h>

const char *tby_speed_text(tby_speed speed)
{
    static const char *const texts[] = {
        [TBY_SPEED_BULLET] = "bullet",
        [TBY_SPEED_BLITZ] = "blitz",
        [TBY_SPEED_RAPID] = "rapid",
        [TBY_SPEED_CLASSICAL] = "classical",
        [TBY_SPEED_CORRESPONDENCE] = "correspondence",
        [TBY_SPEED_ULTRABULLET] = "ultrabullet",
    };
    return texts[speed];
}

enum { SECONDS_MAX = 9999998 }; /* anything longer counts as one second more */

static tby_speed speed_of(int64_t seconds)
{
    return seconds < 180    ? TBY_SPEED_BULLET
           : seconds < 480  ? TBY_SPEED_BLITZ
           : seconds < 1500 ? TBY_SPEED_RAPID
                            : TBY_SPEED_CLASSICAL;
}

/* The first period. Numbers that are not there are -1, or 0 for the increment. */
typedef struct period {
    int64_t moves, base, increment;
} period;

static bool read_period(period *out, const char *s, size_t n)
{
    const char *at = s, *end = s + n;
    *out = (period){-1, text_take_number(&at, end, SECONDS_MAX), 0};
    if (out->base >= 0 && at < end && *at == '/') {
        at++;
        out->moves = out->base;
        out->base = text_take_number(&at, end, SECONDS_MAX);
        if (out->moves == 1)
            return out->base >= 0;
    }
    if (out->base >= 0 && at < end && *at == '+') {
        at++;
        out->increment = text_take_number(&at, end, SECONDS_MAX);
    }
    return out->base >= 0 && out->increment >= 0 && (at == end || *at == ':');
}

int64_t speed_base(const char *s, size_t n)
{
    period first;
    return read_period(&first, s, n) ? first.base : -1;
}

tby_speed tby_speed_read(const char *s, size_t n, int64_t *seconds)
{
    period first;
    *seconds = 0;
    if (n == 1 && *s == '-')
        return TBY_SPEED_CORRESPONDENCE;
    if (!read_period(&first, s, n))
        return TBY_SPEED_NONE;
    if (first.moves == 1)
        return TBY_SPEED_CORRESPONDENCE;
    *seconds = first.base + 40 * first.increment;
    return speed_of(*seconds);
}

tby_speed speed_find(const char *s, size_t n)
{
    for (int i = TBY_SPEED_BULLET; i <= TBY_SPEED_ULTRABULLET; i++)
        if (text_is(s, n, tby_speed_text((tby_speed)i)))
            return (tby_speed)i;
    return TBY_SPEED_NONE;
}

/* ---- Ratings and dates ------------------------------------------------------------------------------------------- */

bool eco_is_code(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] != '?' && s[i] != '-' && s[i] != ' ')
            return true;
    return false;
}

static void part_write(char *out, size_t n, int number)
{
    for (size_t i = n; i-- > 0; number /= 10)
        out[i] = (char)('0' + number % 10);
}

void date_write(char out[TBY_ROW_TEXT_SIZE], int date)
{
    memcpy(out, "????.\?\?.??", 11);
    if (date / 10000)
        part_write(out, 4, date / 10000);
    if (date / 100 % 100)
        part_write(out + 5, 2, date / 100 % 100);
    if (date % 100)
        part_write(out + 8, 2, date % 100);
}

const char *tby_row_date_text(char room[TBY_ROW_TEXT_SIZE], int date)
{
    if (date == 0)
        return NULL;
    memcpy(room, "0000-00-00", 11);
    part_write(room, 4, date / 10000);
    part_write(room + 5, 2, date / 100 % 100);
    part_write(room + 8, 2, date % 100);
    room[date % 10000 == 0 ? 4 : date % 100 == 0 ? 7 : 10] = '\0';
    return room;
}

void number_write(char out[TBY_ROW_TEXT_SIZE], int number)
{
    size_t n = 1;
    for (int rest = number; rest > 9; rest /= 10)
        n++;
    part_write(out, n, number);
    out[n] = '\0';
}

int elo_read(const char *s, size_t n)
{
    const char *at = s;
    const int64_t elo = n && *s != '0' ? text_take_number(&at, s + n, ELO_MAX) : 0;
    return at == s + n && elo > 0 && elo <= ELO_MAX ? (int)elo : 0;
}
