/*
 * pgn_pattern.c - a board pattern of pgn-extract (FENPattern) as a query.
 *
 *     rank { "/" rank }      eight ranks, the eighth first, each eight squares wide
 *     K ... P  k ... p       this piece
 *     A  a  m                a white piece, a black one; anything but a pawn
 *     [Qq] [^Pp]             one of these; none of these, or an empty square
 *     1 ... 8                that many empty squares
 *     ?  !                   any square; one that is not empty
 *     *                      any number of squares, also none
 *
 * A rank with several asterisks becomes one alternative for each way to place what is between them.
 */
#include "pgn_pick.h"

#include <string.h>

enum { SQUARES = 8, PARTS_MAX = 64, QUERY_MAX = 60000 };

/* A condition on one square, or on `width` empty ones: a text and its length. An asterisk has no width. */
typedef struct element {
    const char *s;
    size_t n, width;
} element;

typedef struct rank {
    element elements[PARTS_MAX];
    size_t n, width, n_stars;
    char number; /* '8' to '1' */
} rank;

/* Its length; 0: it is none. */
static size_t element_read(element *out, const char *s, size_t n)
{
    const char *end = *s == '[' ? memchr(s, ']', n) : NULL;
    const size_t inverted = n > 1 && s[1] == '^';
    *out = (element){.s = s, .n = end ? (size_t)(end + 1 - s) : 1, .width = 1};
    if (end && out->n > 2 + inverted && strspn(s + 1 + inverted, "KQRBNPkqrbnpAa") == out->n - 2 - inverted)
        return out->n;
    if (*s >= '1' && *s <= '8')
        out->width = (size_t)(*s - '0');
    else if (*s == '*')
        out->width = 0;
    else if (*s == '[' || !*s || !strchr("?!KQRBNPkqrbnpAam", *s))
        return 0;
    return 1;
}

static bool rank_read(rank *r, const char *s, size_t n)
{
    while (n > 0 && r->n < PARTS_MAX) {
        element *e = &r->elements[r->n++];
        const size_t length = element_read(e, s, n);
        if (!length)
            return false;
        r->width += e->width;
        r->n_stars += *e->s == '*';
        s += length;
        n -= length;
    }
    return n == 0 && r->width <= SQUARES && (r->width == SQUARES || r->n_stars > 0);
}

/* The letters of a set, where A and a are any white and any black piece. */
static void write_set(buffer *out, const char *s, size_t n)
{
    buffer_string(out, "[");
    for (size_t i = 0; i < n; i++)
        buffer_put(out, (unsigned char)(s[i] == 'A' ? 'M' : s[i] == 'a' ? 'm' : s[i]));
    buffer_string(out, "]");
}

static void write_element(buffer *out, const element *e, char file, char number)
{
    const bool is_inverted = e->n > 1 && e->s[1] == '^';
    for (size_t i = 0; i < e->width && *e->s >= '1' && *e->s <= '8'; i++)
        buffer_printf(out, " _%c%c", (char)(file + (int)i), number);
    if (strchr("*?12345678", *e->s))
        return;
    buffer_string(out, is_inverted || strchr("!m", *e->s) ? " not " : " ");
    if (*e->s == '!')
        buffer_string(out, "_");
    else if (*e->s == 'm')
        buffer_string(out, "[Pp]");
    else if (*e->s == '[')
        write_set(out, e->s + 1 + is_inverted, e->n - 2 - is_inverted);
    else
        write_set(out, e->s, 1);
    buffer_printf(out, "%c%c", file, number);
}

/* The ways to give `room` squares to the asterisks from the element `at` on; what comes before them is in `begun`. */
static void write_ways(buffer *out, const rank *r, size_t at, char file, size_t room, size_t n_stars, buffer *begun)
{
    const size_t kept = begun->n;
    for (; at < r->n && r->elements[at].width; file = (char)(file + (int)r->elements[at++].width))
        write_element(begun, &r->elements[at], file, r->number);
    if (at == r->n) {
        buffer_printf(out, "%s(%s)", out->n ? " or " : "", begun->n ? begun->s : " ply 0..");
    } else {
        for (size_t width = n_stars == 1 ? room : 0; width <= room && out->n < QUERY_MAX; width++)
            write_ways(out, r, at + 1, (char)(file + (int)width), room - width, n_stars - 1, begun);
    }
    begun->n = kept;
    if (begun->s)
        begun->s[kept] = '\0';
}

const char *pattern_write(buffer *out, const char *s, size_t n)
{
    const char *const end = s + n;
    char number = '8';
    for (; number >= '1' && s <= end; number--) {
        const char *slash = memchr(s, '/', (size_t)(end - s)), *rest = slash ? slash : end;
        rank r = {.number = number};
        buffer ways = {0}, begun = {0};
        if (!rank_read(&r, s, (size_t)(rest - s)))
            return "each rank of a pattern needs eight squares: pieces, 1 to 8, ? ! A a m [Qq] [^Pp], or *";
        if (r.n != r.n_stars) {
            write_ways(&ways, &r, 0, 'a', SQUARES - r.width, r.n_stars, &begun);
            buffer_printf(out, " (%s)", ways.s);
        }
        buffer_free(&ways);
        buffer_free(&begun);
        s = rest + 1;
    }
    if (number >= '1' || s <= end)
        return "a pattern has eight ranks, separated by slashes";
    return out->n < QUERY_MAX ? NULL : "the pattern can be placed in too many ways";
}
