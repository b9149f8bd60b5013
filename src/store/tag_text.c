/*
 * tag_text.c - dates and ratings as numbers.
 */
#include "store/tag_text.h"

#include <string.h>

/* `n` digits, or `n` question marks for 0; -1 for anything else. */
static int digits_read(const char *s, size_t n)
{
    int number = 0;
    if (s[0] == '?') {
        for (size_t i = 0; i < n; i++)
            if (s[i] != '?')
                return -1;
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return -1;
        number = number * 10 + (s[i] - '0');
    }
    return number;
}

int tby_date_read(const char *s, size_t n)
{
    if (n != 4 && n != 7 && n != 10)
        return 0;
    if ((n > 4 && s[4] != '.' && s[4] != '-') || (n > 7 && s[7] != '.' && s[7] != '-'))
        return 0;
    const int year = digits_read(s, 4), month = n > 4 ? digits_read(s + 5, 2) : 0,
              day = n > 7 ? digits_read(s + 8, 2) : 0;
    if (year <= 0 || month < 0 || month > 12 || day < 0 || day > 31 || (month == 0 && day != 0))
        return 0;
    return year * 10000 + month * 100 + day;
}

static void part_write(char *out, size_t n, int number)
{
    for (size_t i = n; i-- > 0; number /= 10)
        out[i] = (char)('0' + number % 10);
}

void tby_date_write(char out[TAG_TEXT_SIZE], int date)
{
    memcpy(out, "????.\?\?.??", 11);
    if (date / 10000)
        part_write(out, 4, date / 10000);
    if (date / 100 % 100)
        part_write(out + 5, 2, date / 100 % 100);
    if (date % 100)
        part_write(out + 8, 2, date % 100);
}

int tby_elo_read(const char *s, size_t n)
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
