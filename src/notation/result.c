/*
 * result.c - the result of a game as text.
 *
 *     result = "1" dash "0" | "0" dash "1" | half dash half | half | "*"
 *     half   = "1/2" | "½" | "0.5"
 *     dash   = "-" | "–" | "—" | "‑" | "−" | ":"
 *
 * Reads    all of these; the dashes other than "-" are U+2013, U+2014, U+2011 and U+2212, in UTF-8
 * Writes   1-0, 0-1, 1/2-1/2 and *
 * Refuses  everything else, blanks included (TBY_INVALID_RESULT), at the first wrong byte. 0-0 and 1-1 are not results;
 *          the PGN reader handles 0-0 itself.
 */
#include "notation/refuse.h"

typedef struct spelling {
    const char *text;
    int value; /* half points for a score, 0 for a dash */
} spelling;

static const spelling SCORES[] = {{"1/2", 1}, {"\xc2\xbd", 1}, {"0.5", 1}, {"1", 2}, {"0", 0}};
static const spelling DASHES[] = {
    {"-", 0}, {"\xe2\x80\x93", 0}, {"\xe2\x80\x94", 0}, {"\xe2\x80\x91", 0}, {"\xe2\x88\x92", 0}, {":", 0}};
#define N_SCORES (sizeof SCORES / sizeof *SCORES)
#define N_DASHES (sizeof DASHES / sizeof *DASHES)

/* The first spelling that `s` begins with, with its length in `length`; NULL if there is none. */
static const spelling *find_spelling(const spelling *list, size_t n_list, const char *s, size_t n, size_t *length)
{
    for (size_t i = 0; i < n_list; i++) {
        const char *text = list[i].text;
        size_t k = 0;
        while (text[k] && k < n && text[k] == s[k])
            k++;
        if (!text[k]) {
            *length = k;
            return &list[i];
        }
    }
    return NULL;
}

static tby_status refuse_result(tby_error *err, size_t offset)
{
    return refuse(err, TBY_INVALID_RESULT, offset, "1-0, 0-1, 1/2-1/2 or * expected");
}

const char *tby_result_text(tby_result result)
{
    switch (result) {
    case TBY_RESULT_NONE: break;
    case TBY_WHITE_WINS: return "1-0";
    case TBY_BLACK_WINS: return "0-1";
    case TBY_DRAW: return "1/2-1/2";
    }
    return "*";
}

tby_status tby_result_read(tby_result *out, const char *s, size_t n, tby_error *err)
{
    size_t at = 0, length = 0;
    if (n > 0 && s[0] == '*') {
        if (n > 1)
            return refuse_result(err, 1);
        *out = TBY_RESULT_NONE;
        return TBY_OK;
    }
    const spelling *white = find_spelling(SCORES, N_SCORES, s, n, &length), *black = white;
    if (!white)
        return refuse_result(err, 0);
    at += length;
    if (at < n || white->value != 1) {
        if (!find_spelling(DASHES, N_DASHES, s + at, n - at, &length))
            return refuse_result(err, at);
        at += length;
        black = find_spelling(SCORES, N_SCORES, s + at, n - at, &length);
        if (!black || white->value + black->value != 2)
            return refuse_result(err, at);
        at += length;
    }
    if (at < n)
        return refuse_result(err, at);
    *out = white->value == 2 ? TBY_WHITE_WINS : white->value == 0 ? TBY_BLACK_WINS : TBY_DRAW;
    return TBY_OK;
}
