/*
 * people.c - distinguishes people whose names match the same person in a query, if they have met, or played different
 * games in one round of one event.
 *
 *     player ~"Wang, Y"        Wang, Yue and Wang, Yi have met: the one with more games is meant
 *
 * The name that is written as in the query comes first, then those with more games; a name that cannot be the same person
 * as one before it is left out. A single word names a family, so it finds everyone who has it.
 */
#include "query/copy.h"
#include "query/facts.h"
#include "query/fold.h"
#include "store/access.h"
#include "support/array.h"

#include <stdlib.h>

/* With more names than this, the text does not name a person. */
enum { NAMES_MAX = 256 };

struct db_people {
    tby_query query; /* the search's, with the list */
    query_people people;
    other_name *others; /* with the room of their names, and of texts */
    size_t n, cap;
};

typedef struct spelling {
    char *s;
    size_t n;
    int64_t games;
    bool is_written, is_other; /* as in the query; another person's */
} spelling;

/* The names that match one person of a query. */
typedef struct namesakes {
    tby_db *db;
    const tby_query *query;
    const query_node *node;
    spelling *names;
    size_t n, cap;
    tby_rounds *rounds;
    buffer opponents; /* their names */
    tby_text *places; /* of the names: `s` is NULL, `n` the offset of a length and the bytes */
    size_t n_places, cap_places;
    bool has_failed;
} namesakes;

/* ---- The names -------------------------------------------------------------------------------------------------- */

static tby_text asked_of(const tby_query *query, const query_node *node)
{
    return (tby_text){query_bytes(query, node->u.t.text), node->u.t.text.n};
}

static bool name_fits(void *context, tby_text name)
{
    const namesakes *all = context;
    return run_text_fits(all->query, all->node, name.s, name.n);
}

static void take_name(void *context, tby_text name, int64_t games)
{
    namesakes *all = context;
    const tby_text asked = asked_of(all->query, all->node);
    spelling new = {.s = malloc(name.n + 1), .n = name.n, .games = games};
    tby_person a, b;
    if (new.s)
        memcpy(new.s, name.s, name.n);
    tby_person_read(&a, asked.s, asked.n);
    tby_person_read(&b, name.s, name.n);
    new.is_written = a.n == b.n &&a.last == b.last &&memcmp(a.words, b.words, a.n) == 0;
    if (!new.s || !array_add(&all->names, &all->n, &all->cap, &new, sizeof new, NULL)) {
        free(new.s);
        all->has_failed = true;
    }
}

static int compare_spellings(const void *a, const void *b)
{
    const spelling *x = a, *y = b;
    if (x->is_written != y->is_written)
        return x->is_written ? -1 : 1;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    return text_order((tby_text){x->s, x->n}, (tby_text){y->s, y->n});
}

static bool find_names(namesakes *all)
{
    const query_span last = all->node->u.t.name;
    const name_search search = {.table = NAMES_PLAYER,
                                .words = {query_bytes(all->query, last), last.n},
                                .beginning = "",
                                .fits = name_fits,
                                .take = take_name,
                                .context = all};
    if (!all->db->kind->names(all->db, &search))
        return false;
    if (all->has_failed)
        return db_fail_memory(all->db);
    if (all->n)
        qsort(all->names, all->n, sizeof *all->names, compare_spellings);
    return true;
}

/* ---- Their games ------------------------------------------------------------------------------------------------ */

/* The number of a player: an index of the names, or after them, one for each time an opponent is met. */
static uint32_t number_of(namesakes *all, tby_text name)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->names[i].n == name.n && memcmp(all->names[i].s, name.s, name.n) == 0)
            return (uint32_t)i;
    const tby_text place = {NULL, all->opponents.n};
    buffer_add(&all->opponents, (const char *)&name.n, sizeof name.n);
    buffer_add(&all->opponents, name.s, name.n);
    all->has_failed |= all->opponents.has_failed ||
                       !array_add(&all->places, &all->n_places, &all->cap_places, &place, sizeof place, NULL);
    return (uint32_t)(all->n + all->n_places - 1);
}

static tby_text name_of(const namesakes *all, uint32_t number)
{
    tby_text name;
    if (number < all->n)
        return (tby_text){all->names[number].s, all->names[number].n};
    const char *at = all->opponents.s + all->places[number - all->n].n;
    memcpy(&name.n, at, sizeof name.n);
    name.s = at + sizeof name.n;
    return name;
}

static bool are_same(void *context, uint32_t a, uint32_t b)
{
    const tby_text x = name_of(context, a), y = name_of(context, b);
    tby_person one, other;
    if (texts_equal(x, y))
        return true;
    tby_person_read(&one, x.s, x.n);
    tby_person_read(&other, y.s, y.n);
    return tby_person_fits(&one, &other);
}

static bool take_game(void *context, const tby_db_hit *hit)
{
    namesakes *all = context;
    tby_row row;
    if (!all->db->kind->row(all->db, hit->id, &row))
        return all->has_failed = true, false;
    const uint32_t white = number_of(all, row.white), black = number_of(all, row.black);
    if (all->has_failed || tby_rounds_add(all->rounds, &row, white, black) != TBY_OK) {
        all->has_failed = true;
        return db_fail_memory(all->db);
    }
    return true;
}

/* Reads the games of all the names. */
static bool find_games(namesakes *all)
{
    buffer text = {0};
    for (size_t i = 0; i < all->n; i++) {
        const size_t room = tby_query_quote(NULL, 0, all->names[i].s, all->names[i].n) + 1;
        buffer_string(&text, i ? " or player =" : "player =");
        char *to = buffer_room(&text, room);
        if (to)
            text.n += tby_query_quote(to, room, all->names[i].s, all->names[i].n);
    }
    all->rounds = tby_rounds_new();
    tby_query *query = text.has_failed || !all->rounds ? NULL : tby_query_new(text.s, text.n, NULL, NULL, NULL);
    const tby_db_search search = {.query = query, .n_threads = 1, .wanted = TBY_WANTED_ROWS};
    const bool is_good = query ? db_find(all->db, &search, take_game, all) && !all->has_failed
                               : db_fail_memory(all->db);
    tby_query_free(query);
    buffer_free(&text);
    return is_good;
}

static void part_names(namesakes *all)
{
    for (size_t i = 1; i < all->n; i++)
        for (size_t k = 0; k < i && !all->names[i].is_other; k++)
            all->names[i].is_other = !all->names[k].is_other &&
                                     tby_rounds_part(all->rounds, (uint32_t)i, (uint32_t)k, are_same, all);
}

/* ---- The list --------------------------------------------------------------------------------------------------- */

static bool add_other(struct db_people *to, tby_text asked, const spelling *name)
{
    char *room = malloc(name->n + 1);
    other_name new = {asked, {room, name->n}};
    if (room)
        memcpy(room, name->s, name->n);
    if (room && array_add(&to->others, &to->n, &to->cap, &new, sizeof new, NULL))
        return true;
    free(room);
    return false;
}

static void namesakes_free(namesakes *all)
{
    for (size_t i = 0; i < all->n; i++)
        free(all->names[i].s);
    free(all->names);
    free(all->places);
    buffer_free(&all->opponents);
    tby_rounds_free(all->rounds);
}

/* Adds the names that match the person, but are another's. */
static bool add_others(struct db_people *to, tby_db *db, const tby_query *query, const query_node *node)
{
    namesakes all = {.db = db, .query = query, .node = node};
    tby_person person;
    const tby_text asked = asked_of(query, node);
    tby_person_read(&person, asked.s, asked.n);
    bool is_good = person_is_single(&person) || find_names(&all);
    if (is_good && all.n > 1 && all.n <= NAMES_MAX && (is_good = find_games(&all)))
        part_names(&all);
    for (size_t i = 0; is_good && i < all.n; i++)
        if (all.names[i].is_other)
            is_good = add_other(to, asked, &all.names[i]) || db_fail_memory(db);
    namesakes_free(&all);
    return is_good;
}

static bool is_new(const tby_query *query, uint32_t id)
{
    const query_node *node = tree_node(&query->program, id);
    for (uint32_t before = 0; before < id; before++) {
        const query_node *other = tree_node(&query->program, before);
        if (other->way == TEXT_PERSON && texts_equal(asked_of(query, node), asked_of(query, other)))
            return false;
    }
    return true;
}

void db_people_free(struct db_people *people)
{
    for (size_t i = 0; people && i < people->n; i++)
        free((char *)people->others[i].name.s);
    if (people)
        free(people->others);
    free(people);
}

bool db_find_people(tby_db *db, tby_db_search *search, struct db_people **out)
{
    const tby_query *query = search->query;
    struct db_people *made = calloc(1, sizeof *made);
    bool is_good = made || db_fail_memory(db);
    *out = NULL;
    for (uint32_t id = 0; is_good && query && !query->people && id <= query->program.root; id++)
        if (tree_node(&query->program, id)->way == TEXT_PERSON && is_new(query, id))
            is_good = add_others(made, db, query, tree_node(&query->program, id));
    if (is_good && made->n) {
        made->query = *query;
        made->people = (query_people){made->others, made->n};
        made->query.people = &made->people;
        search->query = &made->query;
        *out = made;
    } else {
        db_people_free(made);
    }
    return is_good;
}
