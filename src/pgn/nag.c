/*
 * nag.c - numeric annotation glyphs: the marks used for them.
 *
 * Six marks are PGN's own (! to ?!); the others are the usual signs of chess publications and the letters N and D.
 */
#include "base/text.h"
#include "pgn/pgn_lex.h"

typedef struct nag_mark {
    const char *text;
    uint16_t nag;
} nag_mark;

/* If several marks have the same NAG, the first is written. A mark that is a prefix of another comes after it. */
static const nag_mark MARKS[] = {
    {"!!", 3},
    {"!?", 5},
    {"?!", 6},
    {"??", 4},
    {"!", 1},
    {"?", 2},
    {"\xe2\x80\xbc", 3},
    {"\xe2\x81\x87", 4},
    {"\xe2\x81\x89", 5},
    {"\xe2\x81\x88", 6},
    {"\xe2\x96\xa1", 7},  /* only move */
    {"\xe2\x88\x9e", 13}, /* unclear */
    {"\xe2\xa9\xb2", 14}, /* white slightly better */
    {"\xe2\xa9\xb1", 15},
    {"\xc2\xb1", 16}, /* white better */
    {"\xe2\x88\x93", 17},
    {"+/-", 16},
    {"-/+", 17},
    {"+=", 14},
    {"=+", 15},
    {"+-", 18},
    {"-+", 19},
    {"\xe2\xa8\x80", 22},  /* zugzwang */
    {"\xe2\x9f\xb3", 32},  /* development */
    {"\xe2\x86\x91", 36},  /* initiative */
    {"\xe2\x86\x92", 40},  /* attack */
    {"\xe2\x87\x86", 132}, /* counterplay */
    {"\xe2\x8a\x95", 138}, /* time trouble */
    {"\xe2\x8c\x93", 142}, /* better is */
    {"\xe2\x88\x86", 140}, /* with the idea */
    {"=", 10},
};
enum { N_MARKS = sizeof MARKS / sizeof MARKS[0] };

static bool mark_fits(const char *mark, const char *s, const char *end, size_t *length)
{
    size_t n = 0;
    for (; mark[n]; n++)
        if (s + n >= end || s[n] != mark[n])
            return false;
    *length = n;
    return true;
}

uint16_t nag_at(const char *s, const char *end, size_t *length)
{
    for (int i = 0; i < N_MARKS; i++)
        if (mark_fits(MARKS[i].text, s, end, length))
            return MARKS[i].nag;
    return 0;
}

uint16_t tby_nag_read(const char *s, size_t n)
{
    size_t length;
    const uint16_t nag = nag_at(s, s + n, &length);
    if (nag && length == n)
        return nag;
    if (n == 1 && *s == 'N')
        return 146; /* novelty */
    if (n == 1 && *s == 'D')
        return 220; /* diagram */
    return 0;
}

size_t tby_nag_write(char *buf, size_t cap, uint16_t nag)
{
    text_writer text = text_begin(buf, cap);
    for (int i = 0; i < N_MARKS; i++)
        if (MARKS[i].nag == nag) {
            text_string(&text, MARKS[i].text);
            return text_end(&text);
        }
    text_char(&text, '$');
    text_number(&text, nag);
    return text_end(&text);
}
