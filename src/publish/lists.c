/*
 * lists.c - lists of games: of a player as rows, newest first; of an event, a site and an opening code as numbers; and all
 * games by id, by date and by mean rating.
 *
 *     player          parts of 256 games: NUMBER ROW
 *     event, site, eco   one chunk: the differences between the numbers
 *     by id           parts of 4,096 games: the difference between the ids, NUMBER
 *     by date, by rating  the same: NUMBER
 */
#include "publish/publish.h"

#include <stdlib.h>

/* ---- Orders --------------------------------------------------------------------------------------------- */

static int compare_ids(const publish_game *a, const publish_game *b) { return (a->id > b->id) - (a->id < b->id); }

static int by_id(const void *x, const void *y)
{
    return compare_ids(*(const publish_game *const *)x, *(const publish_game *const *)y);
}

static int by_date(const void *x, const void *y)
{
    const publish_game *a = *(const publish_game *const *)x, *b = *(const publish_game *const *)y;
    return a->row.date != b->row.date ? (a->row.date < b->row.date) - (a->row.date > b->row.date) : compare_ids(a, b);
}

static int compare_ratings(const publish_game *a, const publish_game *b)
{
    const int x = tby_order_elo_twice(a->row.elo), y = tby_order_elo_twice(b->row.elo);
    return x != y ? (x < y) - (x > y) : compare_ids(a, b);
}

static int by_rating(const void *x, const void *y)
{
    return compare_ratings(*(const publish_game *const *)x, *(const publish_game *const *)y);
}

bool publish_lists_is_stronger(const publish_game *a, const publish_game *b) { return compare_ratings(a, b) < 0; }

static const struct order {
    const char *name;
    int (*compare)(const void *, const void *);
} ORDERS[] = {{"ids", by_id}, {"dates", by_date}, {"ratings", by_rating}};

/* What the directory says of the first game of a part: its id, date or twice its mean rating. */
static long long first_of(const struct order *o, const publish_game *game)
{
    return o->compare == by_id ? game->id : o->compare == by_date ? game->row.date : tby_order_elo_twice(game->row.elo);
}

static bool write_order(tby_publisher *p, const struct order *o, const publish_game **all)
{
    buffer chunk = {0};
    const uint64_t start = p->out.at;
    bool is_good = true;
    qsort(all, p->n_games, sizeof *all, o->compare);
    buffer_printf(&p->sections, ",\"%s-parts\":[", o->name);
    for (size_t i = 0; is_good && i < p->n_games; i++) {
        const bool is_first = i % PUBLISH_ORDER == 0;
        if (is_first)
            buffer_printf(&p->sections, "%s[%lld,", i ? "," : "", first_of(o, all[i]));
        if (o->compare == by_id)
            varint_put(&chunk, is_first ? 0 : (uint64_t)(all[i]->id - all[i - 1]->id));
        publish_put_number(p, &chunk, (size_t)(all[i] - p->games));
        if (i % PUBLISH_ORDER < PUBLISH_ORDER - 1 && i + 1 < p->n_games)
            continue;
        const size_t size = publish_stream_chunk(&p->out, &chunk);
        is_good = size > 0;
        buffer_printf(&p->sections, "%zu]", size);
    }
    buffer_string(&p->sections, "]");
    buffer_free(&chunk);
    publish_section(p, o->name, start);
    return is_good;
}

/* ---- Lists by name -------------------------------------------------------------------------------------- */

/* The games of each name of a kind, one list after the other: that of a name begins at its start. */
typedef struct by_name {
    uint32_t *numbers, *starts;
    size_t n;
} by_name;

/* The names of a kind in a game, at most two. */
static unsigned names_of(const publish_game *game, publish_kind kind, uint32_t out[2])
{
    unsigned n = 0;
    for (int i = NAME_WHITE; i <= NAME_SHAPE; i++)
        if (publish_kinds[i] == kind && game->names[i] && (n == 0 || out[0] != game->names[i] - 1))
            out[n++] = game->names[i] - 1;
    return n;
}

/* The lists have the games in the order of `all`, or of their numbers if it is NULL. */
static bool by_name_make(by_name *out, const tby_publisher *p, publish_kind kind, const publish_game *const *all)
{
    const publish_names *names = &p->names[kind];
    uint32_t found[2];
    out->starts = calloc(names->n + 2, sizeof *out->starts);
    if (!out->starts)
        return false;
    for (size_t i = 0; i < names->n; i++)
        out->starts[i + 2] = out->starts[i + 1] + names->of[i].n_games;
    out->numbers = malloc((out->starts[names->n + 1] + 1) * sizeof *out->numbers);
    if (!out->numbers)
        return false;
    for (size_t i = 0; i < p->n_games; i++) {
        const publish_game *game = all ? all[i] : &p->games[i];
        for (unsigned n = names_of(game, kind, found); n > 0; n--)
            out->numbers[out->starts[found[n - 1] + 1]++] = (uint32_t)(game - p->games);
    }
    return true;
}

static void by_name_free(by_name *b)
{
    free(b->numbers);
    free(b->starts);
}

static void put_game(const tby_publisher *p, buffer *chunk, publish_kind kind, const uint32_t *numbers, size_t i)
{
    if (kind == PUBLISH_PLAYERS) {
        publish_put_number(p, chunk, numbers[i]);
        publish_games_put_row(p, chunk, &p->games[numbers[i]], true);
    } else {
        varint_put(chunk, i ? numbers[i] - numbers[i - 1] : numbers[i]);
    }
}

static bool write_lists(tby_publisher *p, publish_kind kind, const by_name *lists, uint64_t start)
{
    const size_t most = kind == PUBLISH_PLAYERS ? PUBLISH_PART : SIZE_MAX;
    buffer chunk = {0};
    bool is_good = true;
    for (size_t k = 0; is_good && k < p->names[kind].n; k++) {
        publish_name *name = &p->names[kind].of[k];
        const uint32_t *numbers = lists->numbers + lists->starts[k];
        name->list_at = p->out.at - start;
        for (size_t i = 0; is_good && i < name->n_games; i++) {
            put_game(p, &chunk, kind, numbers, i);
            if (i % most < most - 1 && i + 1 < name->n_games)
                continue;
            const size_t size = publish_stream_chunk(&p->out, &chunk);
            is_good = size > 0;
            varint_put(&name->sizes, size);
        }
    }
    buffer_free(&chunk);
    return is_good;
}

static bool write_kind(tby_publisher *p, publish_kind kind, const publish_game *const *all, uint64_t start)
{
    by_name lists = {0};
    const bool is_good = (by_name_make(&lists, p, kind, all) || failure_no_memory(p->failure)) &&
                         write_lists(p, kind, &lists, start);
    by_name_free(&lists);
    return is_good;
}

bool publish_lists_write(tby_publisher *p)
{
    const publish_game **all = malloc((p->n_games + 1) * sizeof *all);
    if (!all)
        return failure_no_memory(p->failure);
    for (size_t i = 0; i < p->n_games; i++)
        all[i] = &p->games[i];
    bool is_good = true;
    for (size_t i = 0; is_good && i < sizeof ORDERS / sizeof *ORDERS; i++)
        is_good = write_order(p, &ORDERS[i], all);
    qsort(all, p->n_games, sizeof *all, by_date);
    const uint64_t start = p->out.at;
    for (publish_kind kind = 0; is_good && kind < PUBLISH_SHAPES; kind++)
        is_good = write_kind(p, kind, kind == PUBLISH_PLAYERS ? all : NULL, start);
    publish_section(p, "lists", start);
    free(all);
    return is_good;
}
