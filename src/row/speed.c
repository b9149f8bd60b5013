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

tby_speed tby_speed_read(const char *s, size_t n, int64_t *seconds)
{
    const char *at = s, *end = s + n;
    *seconds = 0;
    if (n == 1 && *s == '-')
        return TBY_SPEED_CORRESPONDENCE;
    int64_t base = read_seconds(&at, end), increment = 0;
    if (base >= 0 && at < end && *at == '/') {
        const int64_t moves = base;
        at++;
        base = read_seconds(&at, end);
        if (base >= 0 && moves == 1)
            return TBY_SPEED_CORRESPONDENCE;
    }
    if (base >= 0 && at < end && *at == '+') {
        at++;
        increment = read_seconds(&at, end);
    }
    if (base < 0 || increment < 0 || (at < end && *at != ':'))
        return TBY_SPEED_NONE;
    *seconds = base + 40 * increment;
    return speed_of(*seconds);
}

tby_speed speed_find(const char *s, size_t n)
{
    for (int i = TBY_SPEED_BULLET; i <= TBY_SPEED_ULTRABULLET; i++)
        if (strlen(tby_speed_text((tby_speed)i)) == n && memcmp(tby_speed_text((tby_speed)i), s, n) == 0)
            return (tby_speed)i;
    return TBY_SPEED_NONE;
}
