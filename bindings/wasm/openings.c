/*
 * openings.c - opening names, from a table passed in as text: it is larger than the module, so it is a separate file,
 * src/opening/openings.tsv.
 *
 *     B90 TAB Sicilian Defense: Najdorf Variation TAB e4 c5 Nf3 d6 ...     a line; # begins a comment
 *
 * A position has its name whatever moves led to it; a place in a game has the name of the last named position.
 */
#include "openings.h"

#include <string.h>

/* A hash table by key, open addressing; its size is a power of two and more than twice the number of openings. */
static opening *table;
static size_t table_size, n_openings;

static opening *slot(uint64_t key)
{
    size_t i = (size_t)(key & (table_size - 1));
    while (table[i].name && table[i].key != key)
        i = (i + 1) & (table_size - 1);
    return &table[i];
}

static void grow(void)
{
    opening *old = table;
    const size_t old_size = table_size;
    table_size = old_size ? 2 * old_size : 1024;
    table = memory_new(table_size * sizeof *table);
    memset(table, 0, table_size * sizeof *table);
    for (size_t i = 0; i < old_size; i++)
        if (old[i].name)
            *slot(old[i].key) = old[i];
    memory_free(old);
}

/* The position after a line of SAN; false if a word is not a move. */
static bool play_line(tby_position *pos, const char *s, size_t n)
{
    const tby_move_notation *san = tby_move_notation_find("san", 3);
    size_t at = 0, begin = 0, length;
    tby_position_start(pos);
    while ((length = tby_line_next(san, s, n, &at, &begin)) > 0) {
        tby_move move;
        if (tby_san_read(&move, pos, s + begin, length, 0, NULL, NULL) != TBY_OK)
            return false;
        tby_position_play(pos, move, NULL);
    }
    return true;
}

/* Adds one line of the table; a malformed line is skipped. */
static void add_line(const char *s, size_t n)
{
    const char *name = memchr(s, '\t', n);
    const char *moves = name ? memchr(name + 1, '\t', n - (size_t)(name + 1 - s)) : NULL;
    tby_position pos;
    if (!moves || *s == '#' || name - s > 15 || moves - name > 250 ||
        !play_line(&pos, moves + 1, n - (size_t)(moves + 1 - s)))
        return;
    if (2 * ++n_openings > table_size)
        grow();
    const uint64_t key = tby_position_key(&pos);
    *slot(key) = (opening){key, s, name + 1, (uint8_t)(name - s), (uint8_t)(moves - name - 1)};
}

/* The text must remain valid as long as the module. Returns the number of openings. */
unsigned EXPORT(openings_add)(const char *s, size_t n)
{
    while (n > 0) {
        const char *end = memchr(s, '\n', n);
        const size_t length = end ? (size_t)(end - s) : n;
        if (length > 0)
            add_line(s, length);
        n -= end ? length + 1 : length;
        s += end ? length + 1 : length;
    }
    return (unsigned)n_openings;
}

const opening *openings_find(const tby_position *pos)
{
    const opening *found = table_size ? slot(tby_position_key(pos)) : NULL;
    return found && found->name ? found : NULL;
}

/* For the query language: the last named position of a packed game. */
int tby_opening_of_chessgame(tby_opening *out, const uint8_t *bytes, size_t n)
{
    static char eco[16], name[256];
    const opening *last = NULL;
    int ply = -1;
    tby_packed cursor;
    if (!tby_packed_begin(&cursor, bytes, n))
        return -1;
    for (int at = 0;; at++) {
        const opening *found = openings_find(&cursor.pos);
        last = found ? found : last;
        ply = found ? at : ply;
        if (tby_packed_next(&cursor) == TBY_MOVE_NONE)
            break;
    }
    if (!last)
        return -1;
    memcpy(eco, last->eco, last->n_eco);
    memcpy(name, last->name, last->n_name);
    eco[last->n_eco] = name[last->n_name] = '\0';
    *out = (tby_opening){eco, name};
    return ply;
}
