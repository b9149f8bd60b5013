/*
 * speed.c - the speed of a game, from its TimeControl tag.
 *
 *     300+3   40/7200+30:3600   1/86400   -        only the first period counts
 */
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

/* The digits at `*at`; -1 if there are none. */
static int64_t read_seconds(const char **at, const char *end)
{
    int64_t number = -1;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        number = number > 1000000 ? number : (number < 0 ? 0 : number) * 10 + (**at - '0');
    return number;
}

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
    *out = (period){-1, read_seconds(&at, end), 0};
    if (out->base >= 0 && at < end && *at == '/') {
        at++;
        out->moves = out->base;
        out->base = read_seconds(&at, end);
        if (out->moves == 1)
            return out->base >= 0;
    }
    if (out->base >= 0 && at < end && *at == '+') {
        at++;
        out->increment = read_seconds(&at, end);
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
        if (strlen(tby_speed_text((tby_speed)i)) == n && memcmp(tby_speed_text((tby_speed)i), s, n) == 0)
            return (tby_speed)i;
    return TBY_SPEED_NONE;
}
