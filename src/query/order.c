/*
 * order.c - the sort order of games, shared by `find --sort`, `pgn --sort`, the server and its lists of top games.
 *
 *     list  = field { "," field }        field = [ "-" ] ( column | "elo" | "length" | "id" | Tag )
 *
 * Keys     A number is eight bytes, the highest first. A text is lower case, with every number extended to ten digits,
 *          so that round 9 comes before round 10. For descending order the bits are inverted. Keys are compared with
 *          memcmp.
 * Keeps    Unknown values come last in both directions: no value, an empty one, or one that begins with "?". A date
 *          counts as its first possible day, so 1959.??.?? comes before 1959.01.01. Ratings are compared by their sum, which
 *          is unknown if one of them is. Games that are equal in all fields are sorted by number.
 */
#include "query/order.h"
#include "base/contract.h"
#include "base/text.h"
#include "row/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BY_ELO = -1, BY_TAG = -2, BY_LENGTH = -3, DIGITS = 10 };

/* ---- Reading -------------------------------------------------------------------------------------------- */

static int column_find(const char *s, size_t n)
{
    for (size_t i = 0; tby_row_column_name(i); i++)
        if (text_is(s, n, tby_row_column_name(i)))
            return (int)i;
    return BY_TAG;
}

/* The name of a tag that has a column means the column. */
static bool read_field(tby_order_field *out, const char *s, size_t n)
{
    const row_column *c = n ? column_of_tag(s, n) : NULL;
    out->column = text_is(s, n, "elo")      ? BY_ELO
                  : text_is(s, n, "length") ? BY_LENGTH
                  : c                       ? (int)(c - row_columns)
                                            : column_find(s, n);
    if (out->column != BY_TAG)
        return true;
    if (n == 0 || n >= sizeof out->tag || *s < 'A' || *s > 'Z')
        return false;
    memcpy(out->tag, s, n);
    out->tag[n] = '\0';
    return true;
}

/* No two games have the same `id`, so fields after it are checked but not used. */
bool tby_order_read(tby_order *out, const char *list, tby_text *fault)
{
    bool is_complete = false;
    memset(out, 0, sizeof *out);
    do {
        tby_order_field field = {.is_falling = *list == '-'};
        const char *name = list + field.is_falling;
        const size_t n = strcspn(name, ",");
        const bool is_id = text_is(name, n, "id");
        *fault = (tby_text){name, n};
        if ((!is_id && !read_field(&field, name, n)) || out->n == TBY_ORDER_FIELDS)
            return false;
        if (is_id && !is_complete)
            out->ids_fall = field.is_falling;
        is_complete |= is_id;
        if (!is_complete)
            out->fields[out->n++] = field;
        list = name + n + (name[n] == ',');
    } while (*list);
    return true;
}

/* ---- Values --------------------------------------------------------------------------------------------- */

int tby_order_elo_twice(const int elo[2]) { return elo_twice(elo[TBY_WHITE], elo[TBY_BLACK]); }

static bool is_number(const tby_order_field *f)
{
    return f->column == BY_ELO ||
           (f->column >= 0 &&
            column_is(&row_columns[f->column], KIND(COLUMN_NUMBER) | KIND(COLUMN_COUNT) | KIND(COLUMN_DATE)));
}

static unsigned needs_of(const tby_order_field *f)
{
    if (f->column == BY_TAG || f->column == BY_LENGTH)
        return TBY_ORDER_NEEDS_ROW | TBY_ORDER_NEEDS_TAGS | TBY_ORDER_NEEDS_KEY |
               (f->column == BY_LENGTH ? TBY_ORDER_NEEDS_LENGTH : 0);
    if (!is_number(f))
        return TBY_ORDER_NEEDS_ROW | TBY_ORDER_NEEDS_KEY;
    const bool is_fact = f->column == BY_ELO ||
                         column_is(&row_columns[f->column], KIND(COLUMN_DATE) | KIND(COLUMN_NUMBER));
    return is_fact ? 0 : TBY_ORDER_NEEDS_ROW;
}

unsigned tby_order_needs(const tby_order *order)
{
    unsigned needs = order->n > 1 ? TBY_ORDER_NEEDS_KEY : 0;
    for (size_t i = 0; i < order->n; i++)
        needs |= needs_of(&order->fields[i]);
    return needs;
}

/* The lowest rank comes first. */
static int64_t rank_of(const tby_order_field *f, const tby_row *row)
{
    const row_column *c = f->column == BY_ELO ? NULL : &row_columns[f->column];
    const int64_t number = c ? column_get_number(c, row) : tby_order_elo_twice(row->elo);
    if (number == 0 && !(c && c->kind == COLUMN_COUNT))
        return INT64_MAX;
    return f->is_falling ? -number : number;
}

int64_t tby_order_rank(const tby_order *order, const tby_row *row)
{
    return order->n && is_number(&order->fields[0]) ? rank_of(&order->fields[0], row) : 0;
}

/* ---- Keys ----------------------------------------------------------------------------------------------- */

typedef struct key {
    char *buf;
    size_t cap, n;
    bool is_falling;
} key;

static void put(key *k, char c)
{
    if (k->n < k->cap)
        k->buf[k->n] = k->is_falling ? (char)~(unsigned char)c : c;
    k->n++;
}

static void put_number(key *k, int64_t rank)
{
    const uint64_t bits = (uint64_t)rank ^ UINT64_C(1) << 63;
    for (int shift = 56; shift >= 0; shift -= 8)
        put(k, (char)(bits >> shift));
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void put_natural(key *k, const char *s, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t digits = 0;
        while (at + digits < n && is_digit(s[at + digits]))
            digits++;
        for (size_t i = digits; digits && i < DIGITS; i++)
            put(k, '0');
        for (const size_t end = at + (digits ? digits : 1); at < end; at++)
            put(k, (char)(s[at] >= 'A' && s[at] <= 'Z' ? s[at] + 32 : s[at]));
    }
}

/* The first byte marks unknown values, and is the same for both directions. */
static void put_text(key *k, tby_text text, bool is_falling)
{
    const bool is_known = text.s && text.n && text.s[0] != '?';
    put(k, is_known ? 1 : 2);
    k->is_falling = is_falling;
    if (is_known)
        put_natural(k, text.s, text.n);
    put(k, '\0');
    k->is_falling = false;
}

/* If out of memory for a value with escapes, uses it as written. */
static void put_tag(key *k, const tby_order_field *f, const tby_row *row)
{
    json_text value;
    if (!row_other_tag(row, f->tag, &value)) {
        put_text(k, (tby_text){NULL, 0}, f->is_falling);
        return;
    }
    char *plain = value.has_escapes ? malloc(value.n + 1) : NULL;
    const tby_text text = plain ? (tby_text){plain, json_unescape(plain, &value)} : (tby_text){value.s, value.n};
    put_text(k, text, f->is_falling);
    free(plain);
}

size_t tby_order_match_key(char *buf, size_t cap, const tby_order *order, const tby_row *row, uint32_t length)
{
    key k = {.buf = buf, .cap = cap};
    for (size_t i = 0; i < order->n; i++) {
        const tby_order_field *f = &order->fields[i];
        char room[TBY_ROW_TEXT_SIZE];
        if (is_number(f))
            put_number(&k, rank_of(f, row));
        else if (f->column == BY_LENGTH)
            put_number(&k, f->is_falling ? -(int64_t)length : (int64_t)length);
        else if (f->column == BY_TAG)
            put_tag(&k, f, row);
        else
            put_text(&k, tby_row_column_text(row, (size_t)f->column, room), f->is_falling);
    }
    return k.n;
}

size_t tby_order_key(char *buf, size_t cap, const tby_order *order, const tby_row *row)
{
    TBY_CONTRACT(cap == 0 || buf);
    return tby_order_match_key(buf, cap, order, row, 0);
}

/* ---- SQL ------------------------------------------------------------------------------------------------ */

static bool are_all(const tby_order *order, bool (*is_one)(const tby_order_field *f))
{
    for (size_t i = 0; i < order->n; i++)
        if (!is_one(&order->fields[i]))
            return false;
    return true;
}

bool order_is_numeric(const tby_order *order) { return are_all(order, is_number); }

static bool is_text(const tby_order_field *f)
{
    return f->column >= 0 &&
           column_is(&row_columns[f->column], KIND(COLUMN_NAME) | KIND(COLUMN_TEXT) | KIND(COLUMN_CHOICE));
}

static bool is_sql(const tby_order_field *f) { return is_number(f) || is_text(f); }

bool order_is_sql(const tby_order *order) { return are_all(order, is_sql); }

unsigned order_kinds(const tby_order *order)
{
    unsigned kinds = 0;
    for (const tby_order_field *f = order->fields; f < order->fields + order->n; f++)
        kinds |= f->column == BY_TAG || f->column == BY_LENGTH
                     ? KINDS_ALL
                     : KIND(f->column == BY_ELO ? COLUMN_NUMBER : row_columns[f->column].kind);
    return kinds;
}

static void put_field(tby_sink sink, void *context, const tby_order_field *f, const char *table, const char *key_of)
{
    char text[320];
    const char *name = f->column == BY_ELO ? NULL : row_columns[f->column].name;
    int n = !name        ? snprintf(text, sizeof text, "(%s.white_elo + %s.black_elo)", table, table)
            : is_text(f) ? snprintf(text, sizeof text, "%s(%s.%s)", key_of, table, name)
                         : snprintf(text, sizeof text, "%s.%s", table, name);
    n += snprintf(text + n, sizeof text - (size_t)n, "%s NULLS LAST, ", f->is_falling ? " DESC" : "");
    sink(context, text, (size_t)n);
}

void order_write_sql(tby_sink sink, void *context, const tby_order *order, const char *table, const char *key_of)
{
    char text[64];
    sink(context, " ORDER BY ", 10);
    for (size_t i = 0; order && i < order->n; i++)
        put_field(sink, context, &order->fields[i], table, key_of);
    sink(context, text, (size_t)snprintf(text, sizeof text, "%s.id%s", table, order && order->ids_fall ? " DESC" : ""));
}
