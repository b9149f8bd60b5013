/*
 * tag_text.c - converts dates and ratings to numbers.
 */
#include "row/tag_text.h"
#include "row/dates.h"

#include <string.h>

/* Reads up to `most` digits at `*s`, and moves past them and the separator; -1 if there are none. */
static int digits_read(const char **s, const char *end, int most)
{
    int number = 0, n = 0;
    for (; *s < end && n < most && **s >= '0' && **s <= '9'; n++)
        number = number * 10 + (*(*s)++ - '0');
    if (n == 0 || (*s < end && !(**s == '.' || **s == '-' || **s == '/')))
        return -1;
    *s += *s < end;
    return number;
}

static int days_of(int year, int month)
{
    static const int days[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month] + (month == 2 && is_leap);
}

int date_of_text(const char *s, size_t n)
{
    const char *at = s, *end = s + n;
    if (n < 4 || s[3] < '0' || s[3] > '9')
        return 0;
    const int year = digits_read(&at, end, 4);
    if (year <= 0)
        return 0;
    const int month = digits_read(&at, end, 2);
    if (month < 1 || month > 12)
        return year * 10000;
    const int day = digits_read(&at, end, 2);
    return year * 10000 + month * 100 + (day >= 1 && day <= days_of(year, month) && at == end ? day : 0);
}

/* Digits and question marks: the smallest and the largest number that they may be, appended to those before; false for
   anything else. */
static bool part_read(const char **at, const char *end, int n, date_span *to)
{
    for (int i = 0; i < n; i++, ++*at) {
        if (*at == end || ((**at < '0' || **at > '9') && **at != '?'))
            return false;
        to->first = to->first * 10 + (**at == '?' ? 0 : **at - '0');
        to->last = to->last * 10 + (**at == '?' ? 9 : **at - '0');
    }
    return true;
}

date_span date_span_read(const char *s, size_t n)
{
    static const char unknown[] = "??";
    const date_span none = {0, 0};
    date_span out = {0, 0};
    const char *at = s;
    if (n < 4 || *s == '?' || !part_read(&at, s + n, 4, &out))
        return none;
    const char *end = s + n;
    for (int part = 0; part < 2; part++) {
        const bool is_there = at < end && (*at == '.' || *at == '-' || *at == '/');
        const char *rest = unknown;
        at += is_there;
        if (!(is_there ? part_read(&at, end, 2, &out) : part_read(&rest, unknown + 2, 2, &out)))
            return none;
    }
    /* The year 0 begins at 1, because 0 would mean no date. */
    return at == end ? (date_span){out.first ? out.first : 1, out.last ? out.last : 1} : none;
}

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
    int elo = 0;
    if (n == 0 || n > 4 || s[0] == '0')
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return 0;
        elo = elo * 10 + (s[i] - '0');
    }
    return elo;
}
