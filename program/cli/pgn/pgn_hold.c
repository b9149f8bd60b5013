/*
 * pgn_hold.c - games that are held back until all are known: to be sorted, or to draw a sample.
 *
 * Keys     a field is a tag's value in which every number is written with ten digits, small letters for capitals, so
 *          that round 9 comes before round 10; in falling order every bit is turned over. What is not known comes last.
 * Samples  the n-th game takes the place of another with a chance of sample / n (Vitter's algorithm R).
 */
#include "pgn_hold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keys ------------------------------------------------------------------------------------------------------- */

enum { FIELDS_MAX = 16, DIGITS = 10 };

typedef struct field {
    char name[64];
    bool is_falling;
} field;

struct sort_order {
    field fields[FIELDS_MAX];
    size_t n;
};

/* Small names are those of the conditions; a tag of any other name is meant as it is. */
static const char *tag_of(const char *name)
{
    static const char *const names[][2] = {{"date", "Date"},   {"white", "White"},  {"black", "Black"},
                                           {"event", "Event"}, {"site", "Site"},    {"round", "Round"},
                                           {"eco", "ECO"},     {"result", "Result"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], name) == 0)
            return names[i][1];
    return name[0] >= 'A' && name[0] <= 'Z' ? name : NULL;
}

static bool is_number_name(const char *name) { return strcmp(name, "plies") == 0 || strcmp(name, "elo") == 0; }

sort_order *sort_order_read(const char *list)
{
    sort_order *order = memory_new(1, sizeof *order);
    while (*list) {
        const bool is_falling = *list == '-';
        const size_t n = strcspn(list += is_falling, ",");
        if (order->n == FIELDS_MAX)
            error_exit("pgn: --sort takes at most %d names", FIELDS_MAX);
        field *f = &order->fields[order->n++];
        f->is_falling = is_falling;
        snprintf(f->name, sizeof f->name, "%.*s", (int)n, list);
        if (n >= sizeof f->name || (!tag_of(f->name) && !is_number_name(f->name)))
            error_exit("pgn: --sort takes date, white, black, event, site, round, eco, result, elo, plies and names "
                       "of tags, not \"%.*s\"",
                       (int)n, list);
        list += n + (list[n] == ',');
    }
    if (order->n == 0)
        error_exit("pgn: --sort needs a name");
    return order;
}

void sort_order_free(sort_order *order) { free(order); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void add_natural(buffer *out, const char *s)
{
    while (*s) {
        size_t n = 0;
        while (is_digit(s[n]))
            n++;
        for (size_t i = n; n > 0 && i < DIGITS; i++)
            buffer_string(out, "0");
        n += n == 0;
        const char c = *s >= 'A' && *s <= 'Z' ? (char)(*s + 32) : *s;
        buffer_add(out, &c, 1);
        buffer_add(out, s + 1, n - 1);
        s += n;
    }
}

static unsigned long elo_of(const tby_game *game, const char *name)
{
    const char *value = tby_game_tag(game, name);
    return value ? strtoul(value, NULL, 10) : 0;
}

/* The number, 0 if it is not known. Of two ratings the mean, or the one that is known. */
static unsigned long number_of(const field *f, const tby_game *game)
{
    if (strcmp(f->name, "plies") == 0)
        return tby_game_main_line(game, NULL, 0);
    const unsigned long white = elo_of(game, "WhiteElo"), black = elo_of(game, "BlackElo");
    return white && black ? (white + black) / 2 : white + black;
}

void hold_key(buffer *out, const char *value, bool is_falling)
{
    buffer_add(out, value ? "\1" : "\2", 1);
    const size_t begin = out->n;
    if (value)
        add_natural(out, value);
    buffer_add(out, "", 1);
    for (size_t i = begin; is_falling && i < out->n; i++)
        out->s[i] = (char)~(unsigned char)out->s[i];
}

static void add_field(buffer *out, const field *f, const tby_game *game)
{
    const char *tag = tag_of(f->name), *value = tag ? tby_game_tag(game, tag) : NULL;
    char text[24];
    if (!tag) {
        const unsigned long number = number_of(f, game);
        snprintf(text, sizeof text, "%lu", number);
        value = number || strcmp(f->name, "plies") == 0 ? text : NULL;
    }
    hold_key(out, value && *value && *value != '?' ? value : NULL, f->is_falling);
}

void sort_key(buffer *out, const sort_order *order, const tby_game *game)
{
    for (size_t i = 0; i < order->n; i++)
        add_field(out, &order->fields[i], game);
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

typedef struct held {
    char *bytes; /* text, names, key */
    size_t n_text, n_names, n_key;
    uint64_t number; /* in the order in which they came */
} held;

struct hold {
    held *games;
    size_t n, cap;
    uint64_t sample, n_seen, random;
};

hold *hold_new(uint64_t sample, uint64_t seed)
{
    hold *h = memory_new(1, sizeof *h);
    h->sample = sample;
    h->random = seed;
    return h;
}

void hold_free(hold *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->n; i++)
        free(h->games[i].bytes);
    free(h->games);
    free(h);
}

/* SplitMix64. */
static uint64_t next_random(hold *h)
{
    uint64_t x = h->random += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

/* The place of the next game; NULL if it has none. */
static held *place_of_next(hold *h)
{
    const uint64_t seen = h->n_seen++;
    if (!h->sample || h->n < h->sample) {
        if (!array_reserve(&h->games, &h->cap, h->n + 1, sizeof *h->games))
            error_exit("out of memory");
        h->games[h->n] = (held){0};
        return &h->games[h->n++];
    }
    const uint64_t place = next_random(h) % (seen + 1);
    return place < h->sample ? &h->games[place] : NULL;
}

void hold_add(hold *h, const char *text, size_t n, const char *names, size_t n_names, const char *key, size_t n_key)
{
    held *one = place_of_next(h);
    if (!one)
        return;
    free(one->bytes);
    *one = (held){memory_new(n + n_names + n_key + 1, 1), n, n_names, n_key, h->n_seen};
    if (n)
        memcpy(one->bytes, text, n);
    if (n_names)
        memcpy(one->bytes + n, names, n_names);
    if (n_key)
        memcpy(one->bytes + n + n_names, key, n_key);
}

static int compare(const void *a, const void *b)
{
    const held *x = a, *y = b;
    const size_t n = x->n_key < y->n_key ? x->n_key : y->n_key;
    const int order = n ? memcmp(x->bytes + x->n_text + x->n_names, y->bytes + y->n_text + y->n_names, n) : 0;
    if (order)
        return order;
    return x->number < y->number ? -1 : x->number > y->number;
}

void hold_each(hold *h, void (*visit)(void *context, const char *text, size_t n, const char *names, size_t n_names),
               void *context)
{
    if (h->n)
        qsort(h->games, h->n, sizeof *h->games, compare);
    for (size_t i = 0; i < h->n; i++) {
        const held *one = &h->games[i];
        visit(context, one->bytes, one->n_text, one->bytes + one->n_text, one->n_names);
    }
}
