/*
 * dates.c - dates with unknown parts: reads them, and decides whether they may be in a range.
 *
 * Reads    YYYY.MM.DD, with - and / as well as points, and without the day or the month; a question mark for any digit.
 * Keeps    of a year the digits before the first unknown one, and of a month or day with one unknown digit nothing, unless
 *          all after it is unknown too: so the days that a date may be are those between two numbers, or one day of every
 *          month, or one day or month of every year.
 */
#include "row/dates.h"

#include <string.h>

/* ---- Reading -------------------------------------------------------------------------------------------- */

/* A part of a date: the smallest and the largest number that it may be; the same if it is known, 0 and 0 if nothing is
   known of it. */
typedef struct part {
    int least, most;
} part;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_known(part p) { return p.least > 0 && p.least == p.most; }

static int days_of(int year, int month)
{
    static const int days[13] = {31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = year == 0 || (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month] + (month == 2 && is_leap);
}

/* Reads up to `most` digits and question marks at `*s`, and moves past them and the separator after them. Returns how
   many there are; 0 if anything else follows. */
static int take_part(const char **s, const char *end, int most, const char **from)
{
    int n = 0;
    *from = *s;
    for (; *s < end && n < most && (is_digit(**s) || **s == '?'); n++)
        (*s)++;
    if (*s < end && !(**s == '.' || **s == '-' || **s == '/'))
        return 0;
    *s += *s < end;
    return n;
}

/* The number that the digits are; from the first question mark on, all are unknown. */
static part part_of(const char *s, int n)
{
    part out = {0, 0};
    bool is_known = true;
    for (int i = 0; i < n; i++) {
        is_known = is_known && s[i] != '?';
        out.least = out.least * 10 + (is_known ? s[i] - '0' : 0);
        out.most = out.most * 10 + (is_known ? s[i] - '0' : 9);
    }
    return out;
}

/* A year of four digits; 0 counts as unknown. */
static bool read_year(const char **at, const char *end, part *out)
{
    const char *from;
    if (take_part(at, end, 4, &from) != 4)
        return false;
    *out = part_of(from, 4);
    if (out->most == 0)
        out->most = 9999;
    if (out->least == 0)
        out->least = 1;
    return true;
}

/* A month or a day up to `limit`. One with an unknown digit counts only if all after it is unknown: `is_end`. */
static part read_small(const char *from, int n, int limit, bool is_end)
{
    const part none = {0, 0}, out = part_of(from, n);
    const bool is_open = memchr(from, '?', (size_t)n) != NULL;
    if (n == 0 || *from == '?' || out.most == 0 || out.least > limit)
        return none;
    return is_open && !is_end ? none : out;
}

/* Does the text of a part say nothing, instead of something impossible? */
static bool is_blank(const char *s, int n)
{
    bool is_zero = true, is_question = true;
    for (int i = 0; i < n; i++) {
        is_zero = is_zero && s[i] == '0';
        is_question = is_question && s[i] == '?';
    }
    return n > 0 && (is_zero || is_question);
}

static int number_of(int year, int month, int day) { return year * 10000 + month * 100 + day; }

/* The numbers of the parts; an unknown part is every number of two digits. */
static date_parts join(part year, part month, part day)
{
    const bool has_month = is_known(year) && is_known(month);
    const part m = month.most ? month : (part){0, 99}, d = day.most ? day : (part){0, 99};
    return (date_parts){!is_known(year) ? 0
                                        : number_of(year.least, has_month ? month.least : 0,
                                                    has_month && is_known(day) ? day.least : 0),
                        number_of(year.least, m.least, d.least), number_of(year.most, m.most, d.most)};
}

date_parts dates_read(const char *s, size_t n)
{
    const date_parts none = {0, 0, 0};
    const char *at = s, *end = s + n, *from;
    part year, month, day = {0, 0};
    if (!read_year(&at, end, &year))
        return none;
    const int n_month = take_part(&at, end, 2, &from);
    const char *month_text = from;
    const int n_day = n_month ? take_part(&at, end, 2, &from) : 0;
    const bool is_day = n_day && at == end && !is_blank(from, n_day);
    month = read_small(month_text, n_month, 12, is_known(year) && !is_day);
    if (is_day && (is_known(month) || is_blank(month_text, n_month)))
        day = read_small(from, n_day, days_of(is_known(year) ? year.least : 0, month.least),
                         is_known(year) && is_known(month));
    return year.least == 1 && year.most == 9999 && !month.most && !day.most ? none : join(year, month, day);
}

/* ---- Ranges --------------------------------------------------------------------------------------------- */

/* The days of months that are between two numbers of one year. */
static uint32_t days_between(int low, int high)
{
    const int year = low / 10000;
    uint32_t out = 0;
    for (int month = 1; month <= 12; month++)
        for (int day = 1; day <= days_of(year, month); day++) {
            const int number = number_of(year, month, day);
            out |= (uint32_t)(number >= low && number <= high) << (day - 1);
        }
    return out;
}

date_range dates_range(int64_t low, int64_t high)
{
    enum { LEAST = 10000, MOST = 99999999 };
    return (date_range){low < LEAST  ? LEAST
                        : low > MOST ? MOST
                                     : (int)low,
                        high > MOST ? MOST
                        : high < 0  ? 0
                                    : (int)high};
}

uint32_t dates_first_days(const date_range *r)
{
    const int end = number_of(r->low / 10000, 99, 99);
    return days_between(r->low, r->high < end ? r->high : end);
}

uint32_t dates_last_days(const date_range *r)
{
    const int begin = number_of(r->high / 10000, 0, 0);
    return days_between(r->low > begin ? r->low : begin, r->high);
}

/* A day of every month, in one year or more. */
static bool meet_in_months(const date_range *r, int first, int last)
{
    const int from = first / 10000, to = last / 10000, low = r->low / 10000, high = r->high / 10000;
    const uint32_t day = first % 100 > 31 ? 0 : 1u << (first % 100 - 1);
    return (from <= low && low <= to && (dates_first_days(r) & day)) ||
           (from <= high && high <= to && (dates_last_days(r) & day)) || (high - low >= 2 && from < high && to > low);
}

bool dates_meet(const date_range *r, int first, int last)
{
    if (last <= 0 || last < r->low || first > r->high)
        return false;
    const int n_misses = (last % 10000 < r->low % 10000) + (first % 10000 > r->high % 10000);
    return r->high / 10000 - r->low / 10000 >= n_misses && (!dates_lack_month(first) || meet_in_months(r, first, last));
}
