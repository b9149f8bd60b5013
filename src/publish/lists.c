/*
 * lists.c - lists of games: of a player as rows, newest first; of an event, a site and an opening code as numbers by id; and
 * all games by id, by date and by mean rating.
 *
 *     player             parts of 256 games: NUMBER ROW
 *     event, site, eco   parts of 16,384 games: NUMBER
 *     by id              parts of 4,096 games: the difference between the ids, NUMBER
 *     by date, by rating the same: NUMBER
 *
 * Short lists share a part.
 */
#include "publish/publish.h"
#include "value/postings.h"

#include <stdlib.h>

/* ---- Orders --------------------------------------------------------------------------------------------- */

bool publish_lists_is_stronger(const publish_game *a, const publish_game *b)
{
    const int x = tby_order_elo_twice(a->row.elo), y = tby_order_elo_twice(b->row.elo);
    return x != y ? x > y : a->id < b->id;
}

/* What the directory says of the first game of a part. */
static long long id_of(const publish_game *game) { return game->id; }
static long long date_of(const publish_game *game) { return game->row.date; }
static long long rating_of(const publish_game *game) { return tby_order_elo_twice(game->row.elo); }

typedef struct order {
    const char *name;
    long long (*first)(const publish_game *game);
    tby_publisher *p;
    const position_entry *all; /* games in this order */
} order;

/* Sorts the games; equal ones stay in the order of before. Unknown dates and ratings are 0. */
static void sort_games(order *o, position_entry *all, position_entry *room)
{
    for (size_t i = 0; i < o->p->n_games; i++) {
        const long long value = o->first(&o->p->games[all[i].game]);
        all[i].key = o->first == id_of ? (uint64_t)value : UINT32_MAX - (uint64_t)value;
    }
    positions_sort(all, room, o->p->n_games, 0);
    o->all = all;
}

static void make_part(void *context, size_t index, buffer *out)
{
    const order *o = context;
    const size_t first = index * PUBLISH_ORDER, end = first + PUBLISH_ORDER;
    for (size_t i = first; i < end && i < o->p->n_games; i++) {
        if (o->first == id_of)
            varint_put(out, i == first ? 0 : o->all[i].key - o->all[i - 1].key);
        publish_put_number(o->p, out, o->all[i].game);
    }
}

static void take_part(void *context, size_t index, size_t size)
{
    const order *o = context;
    buffer_printf(&o->p->sections, "%s%lld,%zu", index ? "," : "",
                  o->first(&o->p->games[o->all[index * PUBLISH_ORDER].game]), size);
}

static bool write_order(order *o)
{
    const publish_chunks parts = {(o->p->n_games + PUBLISH_ORDER - 1) / PUBLISH_ORDER, make_part, take_part, o};
    publish_section(o->p, o->name);
    buffer_printf(&o->p->sections, ",\"%s-chunks\":[", o->name);
    const bool is_good = publish_chunks_write(o->p, &parts);
    buffer_string(&o->p->sections, "]");
    return is_good;
}

/* ---- Lists by name -------------------------------------------------------------------------------------- */

/* The games of all names of a kind, one list after the other, and the parts that they are cut into. */
typedef struct by_name {
    tby_publisher *p;
    publish_kind kind;
    uint64_t start; /* of the section */
    uint32_t *numbers;
    size_t *starts; /* of the lists */
    struct part {
        size_t first;  /* of `numbers` */
        uint32_t name; /* of the list that begins with it, or continues */
    } * parts;
    size_t n_parts, cap_parts;
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

/* The lists have the games in the order of `all`. */
static bool list_games(by_name *l, const position_entry *all)
{
    const tby_publisher *p = l->p;
    const publish_names *names = &p->names[l->kind];
    uint32_t found[2];
    l->starts = calloc(names->n + 2, sizeof *l->starts);
    if (!l->starts)
        return false;
    for (size_t i = 0; i < names->n; i++)
        l->starts[i + 2] = l->starts[i + 1] + names->of[i].n_games;
    l->numbers = malloc((l->starts[names->n + 1] + 1) * sizeof *l->numbers);
    if (!l->numbers)
        return false;
    for (size_t i = 0; i < p->n_games; i++)
        for (unsigned n = names_of(&p->games[all[i].game], l->kind, found); n > 0; n--)
            l->numbers[l->starts[found[n - 1] + 1]++] = all[i].game;
    return true;
}

static bool add_part(by_name *l, size_t first, uint32_t name)
{
    const struct part part = {first, name};
    return array_add(&l->parts, &l->n_parts, &l->cap_parts, &part, sizeof part, NULL);
}

/* Lists go into the same part until it is full; longer ones have parts of their own. */
static bool cut_parts(by_name *l, size_t most)
{
    const publish_names *names = &l->p->names[l->kind];
    size_t first = 0; /* of the part that is open */
    bool is_good = true, is_open = false;
    for (size_t k = 0; is_good && k < names->n; k++) {
        const size_t start = l->starts[k], end = l->starts[k + 1];
        if (!is_open || end - first > most) {
            first = start;
            is_good = add_part(l, first, (uint32_t)k);
        }
        for (is_open = end - first <= most; is_good && end - first > most;)
            is_good = add_part(l, first += most, (uint32_t)k);
        names->of[k].n_before = (uint32_t)(start > first ? start - first : 0);
    }
    return is_good && add_part(l, l->starts[names->n], (uint32_t)names->n);
}

static void make_list(void *context, size_t index, buffer *out)
{
    const by_name *l = context;
    for (size_t i = l->parts[index].first; i < l->parts[index + 1].first; i++) {
        publish_put_number(l->p, out, l->numbers[i]);
        if (l->kind == PUBLISH_PLAYERS)
            publish_games_put_row(out, &l->p->games[l->numbers[i]], true);
    }
}

/* A part tells the names that have games in it where these are. */
static void take_list(void *context, size_t index, size_t size)
{
    const by_name *l = context;
    for (size_t k = l->parts[index].name; k < l->p->names[l->kind].n && l->starts[k] < l->parts[index + 1].first; k++) {
        publish_name *name = &l->p->names[l->kind].of[k];
        if (name->sizes.n == 0)
            name->list_at = l->p->out.at - size - l->start;
        varint_put(&name->sizes, size);
    }
}

static bool write_kind(tby_publisher *p, publish_kind kind, const position_entry *all, uint64_t start)
{
    by_name l = {.p = p, .kind = kind, .start = start};
    bool is_good = (list_games(&l, all) && cut_parts(&l, kind == PUBLISH_PLAYERS ? PUBLISH_ROWS : PUBLISH_NUMBERS)) ||
                   failure_no_memory(p->failure);
    if (is_good) {
        const publish_chunks parts = {l.n_parts - 1, make_list, take_list, &l};
        is_good = publish_chunks_write(p, &parts);
    }
    free(l.numbers);
    free(l.starts);
    free(l.parts);
    return is_good;
}

static bool write_all(tby_publisher *p, position_entry *all, position_entry *room)
{
    order ids = {"ids", id_of, p, NULL}, ratings = {"ratings", rating_of, p, NULL}, dates = {"dates", date_of, p, NULL};
    const uint64_t start = p->out.at;
    bool is_good = true;
    for (size_t i = 0; i < p->n_games; i++)
        all[i] = (position_entry){.game = (uint32_t)i};
    publish_section(p, "lists");
    sort_games(&ids, all, room);
    for (publish_kind kind = PUBLISH_EVENTS; is_good && kind < PUBLISH_SHAPES; kind++)
        is_good = write_kind(p, kind, all, start);
    memcpy(room, all, p->n_games * sizeof *all);
    if (is_good) {
        position_entry *rest = room + p->n_games;
        sort_games(&dates, room, rest);
        is_good = write_kind(p, PUBLISH_PLAYERS, room, start) && write_order(&dates) && write_order(&ids);
        sort_games(&ratings, all, room);
    }
    return is_good && write_order(&ratings);
}

bool publish_lists_write(tby_publisher *p)
{
    position_entry *all = malloc((p->n_games + 1) * 3 * sizeof *all);
    const bool is_good = all ? write_all(p, all, all + p->n_games) : failure_no_memory(p->failure);
    free(all);
    return is_good;
}
