/*
 * tag_text.c - converts ratings to numbers, and numbers and dates to text.
 */
#include "row/columns.h"

#include <string.h>

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
