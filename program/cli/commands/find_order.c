/*
 * find_order.c - the games that a search has found, in another order than that of their numbers, or a sample of them.
 */
#include "find_order.h"
#include "pgn_hold.h"
#include "tabiya_query.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 16 };

typedef struct field {
    int column; /* -1: elo */
    bool is_falling;
} field;

struct find_order {
    field fields[FIELDS_MAX];
    size_t n;
    hold *hold;
    uint64_t offset, limit, n_seen;
    buffer key;
    tby_db_visit visit;
    void *context;
    bool is_over;
};

static int column_find(const char *s, size_t n)
{
    const char *name;
    for (int i = 0; (name = tby_row_column_name((size_t)i)) != NULL; i++)
        if (strlen(name) == n && memcmp(name, s, n) == 0)
            return i;
    return -1;
}

static _Noreturn void refuse(const char *s, size_t n)
{
    buffer known = {0};
    for (size_t i = 0; tby_row_column_name(i); i++)
        buffer_printf(&known, "%s, ", tby_row_column_name(i));
    error_exit("find: --sort takes %.*selo, not \"%.*s\"", (int)known.n, known.s, (int)n, s);
}

find_order *find_order_new(const char *list)
{
    find_order *o = memory_new(1, sizeof *o);
    while (list && *list) {
        const bool is_falling = *list == '-';
        const size_t n = strcspn(list += is_falling, ",");
        const bool is_elo = n == 3 && memcmp(list, "elo", 3) == 0;
        const int column = is_elo ? -1 : column_find(list, n);
        if ((!is_elo && column < 0) || o->n == FIELDS_MAX)
            refuse(list, n);
        o->fields[o->n++] = (field){column, is_falling};
        list += n + (list[n] == ',');
    }
    o->hold = hold_new(0, 0);
    return o;
}

void find_order_free(find_order *o)
{
    if (!o)
        return;
    hold_free(o->hold);
    buffer_free(&o->key);
    free(o);
}

void find_order_sample(find_order *o, uint64_t n, uint64_t seed)
{
    hold_free(o->hold);
    o->hold = hold_new(n, seed);
}

void find_order_limit(find_order *o, uint64_t offset, uint64_t limit)
{
    o->offset = offset;
    o->limit = limit;
}

/* Of two ratings the mean, or the one that is known. */
static int mean_elo(const tby_row *row)
{
    const int white = row->elo[TBY_WHITE], black = row->elo[TBY_BLACK];
    return white && black ? (white + black) / 2 : white + black;
}

static void add_key(find_order *o, const tby_row *row)
{
    o->key.n = 0;
    for (size_t i = 0; i < o->n; i++) {
        char room[TBY_ROW_TEXT_SIZE], value[1024] = "";
        const int column = o->fields[i].column;
        if (column >= 0) {
            const tby_text text = tby_row_column_text(row, (size_t)column, room);
            snprintf(value, sizeof value, "%.*s", (int)text.n, text.s ? text.s : "");
        } else if (mean_elo(row)) {
            snprintf(value, sizeof value, "%d", mean_elo(row));
        }
        hold_key(&o->key, *value ? value : NULL, o->fields[i].is_falling);
    }
}

bool find_order_add(find_order *o, tby_db *db, const tby_db_hit *hit)
{
    tby_row row;
    if (o->n && tby_db_row(db, hit->id, &row) != TBY_OK)
        return false;
    if (o->n)
        add_key(o, &row);
    hold_add(o->hold, (const char *)hit, sizeof *hit, NULL, 0, o->key.s, o->key.n);
    return true;
}

static void visit_held(void *context, const char *text, size_t n, const char *names, size_t n_names)
{
    find_order *o = context;
    tby_db_hit hit;
    (void)n, (void)names, (void)n_names;
    if (o->is_over || o->n_seen++ < o->offset)
        return;
    memcpy(&hit, text, sizeof hit);
    o->is_over = !o->visit(o->context, &hit) || (o->limit && o->n_seen - o->offset >= o->limit);
}

void find_order_each(find_order *o, tby_db_visit visit, void *context)
{
    o->visit = visit;
    o->context = context;
    hold_each(o->hold, visit_held, o);
}
