/*
 * polyglot.c - opening books in the format of Polyglot.
 *
 * A move is its target (bits 0-5), its origin (6-11) and its promotion (12-14: 1 to 4 for knight, bishop, rook, queen).
 * Castling is the king's move to its rook. Bytes that are not a legal move are skipped.
 */
#include "polyglot.h"
#include "os/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_SIZE = 16, WEIGHT_MAX = 65535 };

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static uint16_t move_encode(tby_move m)
{
    static const uint8_t kinds[8] = {[TBY_KNIGHT] = 1, [TBY_BISHOP] = 2, [TBY_ROOK] = 3, [TBY_QUEEN] = 4};
    const unsigned kind = TBY_MOVE_KIND(m);
    return (uint16_t)(TBY_MOVE_TO(m) | TBY_MOVE_FROM(m) << 6 | kinds[kind & 7] << 12);
}

/* TBY_MOVE_NONE if no legal move has this code. */
static tby_move move_decode(const tby_position *pos, uint16_t code)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n; i++)
        if (move_encode(moves[i]) == code)
            return moves[i];
    return TBY_MOVE_NONE;
}

static uint64_t read_number(const uint8_t *at, int n)
{
    uint64_t value = 0;
    for (int i = 0; i < n; i++)
        value = value << 8 | at[i];
    return value;
}

static void write_number(uint8_t *at, uint64_t value, int n)
{
    for (int i = n - 1; i >= 0; i--, value >>= 8)
        at[i] = (uint8_t)value;
}

/* ---- Making ----------------------------------------------------------------------------------------------------- */

typedef struct polyglot_entry {
    uint64_t key, weight;
    uint16_t move;
} entry;

void polyglot_maker_add(polyglot_maker *m, uint64_t key, tby_move move, uint64_t weight)
{
    if (!weight)
        return;
    memory_need(array_reserve(&m->entries, &m->cap, m->n + 1, sizeof *m->entries, NULL));
    m->entries[m->n++] = (entry){key, weight, move_encode(move)};
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

void polyglot_maker_write(polyglot_maker *m)
{
    uint64_t most = 0;
    if (m->n)
        qsort(m->entries, m->n, sizeof *m->entries, compare_entries);
    for (size_t i = 0; i < m->n; i++) {
        const entry *e = &m->entries[i];
        uint8_t bytes[ENTRY_SIZE] = {0};
        if (i == 0 || e->key != e[-1].key)
            most = e->weight; /* the first of a position has the most */
        const uint64_t weight = most > WEIGHT_MAX ? (uint64_t)((double)e->weight / (double)most * WEIGHT_MAX)
                                                  : e->weight;
        write_number(bytes, e->key, 8);
        write_number(bytes + 8, e->move, 2);
        write_number(bytes + 10, weight ? weight : 1, 2);
        out_bytes((const char *)bytes, sizeof bytes);
    }
    free(m->entries);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

bool polyglot_is_book(const char *path)
{
    os_about about;
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".bin") == 0 && os_about_path(&about, path) && about.kind == OS_FILE &&
           about.size % ENTRY_SIZE == 0;
}

static size_t n_entries(const buffer *book) { return book->n / ENTRY_SIZE; }
static uint64_t key_at(const buffer *book, size_t i) { return read_number(book->data + i * ENTRY_SIZE, 8); }

buffer polyglot_open(const char *path)
{
    buffer book = {0};
    if (!file_read(&book, os_open_stream(path, "rb"), SIZE_MAX))
        error_exit("%s: %s", path, strerror(errno));
    for (size_t i = 1; i < n_entries(&book); i++)
        if (key_at(&book, i - 1) > key_at(&book, i))
            error_exit("%s: not a Polyglot book: entry %zu is not in order", path, i + 1);
    return book;
}

/* The first entry whose key is not less. */
static size_t find_key(const buffer *book, uint64_t key)
{
    size_t low = 0, high = n_entries(book);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (key_at(book, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_weights(const void *a, const void *b)
{
    const polyglot_move *x = a, *y = b;
    return x->weight != y->weight ? (x->weight > y->weight ? -1 : 1) : x->move < y->move ? -1 : x->move > y->move;
}

static bool is_listed(const polyglot_move *moves, size_t n, tby_move m)
{
    for (size_t i = 0; i < n; i++)
        if (moves[i].move == m)
            return true;
    return false;
}

size_t polyglot_moves(const buffer *book, const tby_position *pos, polyglot_move out[TBY_MOVES_MAX])
{
    const uint64_t key = tby_polyglot_key(pos);
    size_t n = 0;
    for (size_t i = find_key(book, key); i < n_entries(book) && key_at(book, i) == key && n < TBY_MOVES_MAX; i++) {
        const uint8_t *at = book->data + i * ENTRY_SIZE;
        const tby_move m = move_decode(pos, (uint16_t)read_number(at + 8, 2));
        if (m != TBY_MOVE_NONE && !is_listed(out, n, m))
            out[n++] = (polyglot_move){m, (unsigned)read_number(at + 10, 2)};
    }
    if (n)
        qsort(out, n, sizeof *out, compare_weights);
    return n;
}

/* ---- As a game -------------------------------------------------------------------------------------------------- */

/* A position whose moves are still to be added. */
typedef struct waiting {
    tby_node node;
    tby_position pos;
} waiting;

typedef struct growing {
    const buffer *book;
    tby_game *game;
    bool *seen; /* by the first entry of a position */
    waiting *list;
    size_t n, cap;
} growing;

static void wait_for(growing *g, tby_node node, const tby_position *pos)
{
    memory_need(array_reserve(&g->list, &g->cap, g->n + 1, sizeof *g->list, NULL));
    g->list[g->n++] = (waiting){node, *pos};
}

static void add_moves(growing *g, const waiting *at)
{
    polyglot_move moves[TBY_MOVES_MAX];
    const size_t n = polyglot_moves(g->book, &at->pos, moves), first = find_key(g->book, tby_polyglot_key(&at->pos));
    if (n == 0 || g->seen[first])
        return;
    g->seen[first] = true;
    for (size_t i = 0; i < n; i++) {
        char text[32];
        tby_position pos = at->pos;
        const tby_node node = tby_game_add(g->game, at->node, moves[i].move);
        snprintf(text, sizeof text, "weight %u", moves[i].weight);
        memory_need(node != TBY_NO_NODE && tby_game_add_comment(g->game, node, TBY_COMMENT_AFTER, text, strlen(text)));
        tby_position_play(&pos, moves[i].move, NULL);
        wait_for(g, node, &pos);
    }
}

/* Breadth first, so that the shortest path to a position is the one that is continued. */
tby_game *polyglot_game(const buffer *book, const tby_position *root)
{
    growing g = {.book = book, .game = tby_game_new(NULL), .seen = memory_new(n_entries(book) + 1, sizeof(bool))};
    memory_need(g.game && tby_game_set_start(g.game, root, false));
    wait_for(&g, TBY_ROOT, root);
    for (size_t i = 0; i < g.n; i++) {
        const waiting at = g.list[i];
        add_moves(&g, &at);
    }
    free(g.list);
    free(g.seen);
    return g.game;
}
