/*
 * iccf.c - read and write moves in the numeric notation of correspondence chess (ICCF).
 *
 *     move = file rank file rank [1 | 2 | 3 | 4]              5254  5171  75811
 *
 * Files are digits too, a = 1; the fifth digit is the promotion piece: queen, rook, bishop, knight.
 *
 * Reads    castling as the king's move; everything else like UCI, whose texts are the same in other characters
 * Writes   the null move as 0000
 * Refuses  TBY_INVALID_UCI other forms, at the first wrong byte; otherwise like UCI, at the same bytes
 */
#include "base/text.h"
#include "notation/refuse.h"
#include "notation/registry.h"

static const char PROMOTIONS[] = "qrbn";

tby_status iccf_read(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags, tby_error *err)
{
    (void)flags;
    char uci[TBY_UCI_SIZE];
    if (text_is(s, n, "0000"))
        return tby_uci_read(out, pos, s, n, err);
    for (size_t i = 0; i < 4; i++) {
        if (i >= n || s[i] < '1' || s[i] > '8')
            return refuse(err, TBY_INVALID_UCI, i, "a digit 1 to 8 expected");
        uci[i] = i % 2 ? s[i] : (char)('a' + (s[i] - '1'));
    }
    if (n > 5)
        return refuse(err, TBY_INVALID_UCI, 5, "the move should end here");
    if (n == 5 && (s[4] < '1' || s[4] > '4'))
        return refuse(err, TBY_INVALID_UCI, 4, "1, 2, 3 or 4 expected: a queen, rook, bishop or knight");
    if (n == 5)
        uci[4] = PROMOTIONS[s[4] - '1'];
    return tby_uci_read(out, pos, uci, n, err);
}

static char digit_of(char sign, size_t place)
{
    size_t promotion = 0;
    if (place < 4)
        return sign >= 'a' ? (char)('1' + (sign - 'a')) : sign;
    while (PROMOTIONS[promotion] != sign)
        promotion++;
    return (char)('1' + promotion);
}

size_t iccf_write(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err)
{
    char uci[TBY_UCI_SIZE];
    text_writer text = text_begin(buf, cap);
    const size_t n = tby_uci_write(uci, sizeof uci, pos, m, 0);
    (void)flags;
    refuse_nothing(err);
    for (size_t i = 0; i < n; i++)
        text_char(&text, digit_of(uci[i], i));
    return text_end(&text);
}
