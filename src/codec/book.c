/*
 * book.c - opening books in the format of Polyglot: looks up positions, and writes entries.
 *
 *     key 8 bytes   move 2 bytes   weight 2 bytes   learn 4 bytes, all big-endian, sorted by key
 *
 * A move is its target (bits 0-5), its origin (6-11) and its promotion (12-14: 1 to 4 for knight, bishop, rook, queen).
 * Castling is the king's move to its rook.
 *
 * Reads: any bytes, as far as they are whole entries. Skips: entries whose move is not legal in the position.
 */
#include "base/text.h"
#include "codec/bytes.h"
#include "support/array.h"
#include "tabiya_value.h"

#include <stdlib.h>

enum { MOVE_AT = 8, WEIGHT_AT = 10 };

static uint64_t key_at(const uint8_t *book, size_t i)
{
    const uint8_t *at = book + i * TBY_BOOK_ENTRY_SIZE;
    return (uint64_t)bytes_get_32(at) << 32 | bytes_get_32(at + 4);
}

static unsigned short_at(const uint8_t *at) { return (unsigned)at[0] << 8 | at[1]; }

static void short_set(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static unsigned move_code(tby_move m)
{
    static const uint8_t promotions[8] = {[TBY_KNIGHT] = 1, [TBY_BISHOP] = 2, [TBY_ROOK] = 3, [TBY_QUEEN] = 4};
    return TBY_MOVE_TO(m) | (unsigned)TBY_MOVE_FROM(m) << 6 | (unsigned)promotions[TBY_MOVE_KIND(m) & 7] << 12;
}

void tby_book_entry_encode(uint8_t out[TBY_BOOK_ENTRY_SIZE], uint64_t key, tby_move move, uint16_t weight)
{
    bytes_set_32(out, (uint32_t)(key >> 32));
    bytes_set_32(out + 4, (uint32_t)key);
    short_set(out + MOVE_AT, move_code(move));
    short_set(out + WEIGHT_AT, weight);
    memset(out + WEIGHT_AT + 2, 0, 4);
}

size_t tby_book_check(const uint8_t *book, size_t n)
{
    const size_t n_entries = n / TBY_BOOK_ENTRY_SIZE;
    for (size_t i = 1; i < n_entries; i++)
        if (key_at(book, i - 1) > key_at(book, i))
            return i + 1;
    return n % TBY_BOOK_ENTRY_SIZE ? n_entries + 1 : 0;
}

/* The first entry whose key is not less. */
static size_t find_key(const uint8_t *book, size_t n_entries, uint64_t key)
{
    size_t low = 0, high = n_entries;
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
    const tby_book_move *x = a, *y = b;
    return x->weight != y->weight ? (x->weight > y->weight ? -1 : 1) : x->move < y->move ? -1 : x->move > y->move;
}

/* The number of the legal move that has this code; `n` if none has. */
static size_t find_move(const tby_move *moves, size_t n, unsigned code)
{
    size_t i = 0;
    while (i < n && move_code(moves[i]) != code)
        i++;
    return i;
}

size_t tby_book_moves(tby_book_move out[TBY_MOVES_MAX], const uint8_t *book, size_t n, const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    size_t n_moves = tby_moves_list(moves, pos), n_found = 0;
    const size_t n_entries = n / TBY_BOOK_ENTRY_SIZE;
    const uint64_t key = tby_polyglot_key(pos);
    for (size_t i = find_key(book, n_entries, key); n_moves && i < n_entries && key_at(book, i) == key; i++) {
        const uint8_t *at = book + i * TBY_BOOK_ENTRY_SIZE;
        const size_t found = find_move(moves, n_moves, short_at(at + MOVE_AT));
        if (found == n_moves)
            continue;
        out[n_found++] = (tby_book_move){moves[found], (uint16_t)short_at(at + WEIGHT_AT)};
        moves[found] = moves[--n_moves]; /* the first entry of a move counts */
    }
    if (n_found)
        qsort(out, n_found, sizeof *out, compare_weights);
    return n_found;
}

/* ---- As a game -------------------------------------------------------------------------------------------------- */

/* A position whose moves are still to be added. */
typedef struct waiting {
    tby_node node;
    tby_position pos;
} waiting;

typedef struct growing {
    const uint8_t *book;
    size_t n_bytes;
    tby_game *game;
    bool *seen; /* by the first entry of a position */
    waiting *list;
    size_t n, cap;
} growing;

static bool add_move(growing *g, const waiting *from, const tby_book_move *m)
{
    char weight[32];
    text_writer text = text_begin(weight, sizeof weight);
    waiting next = {tby_game_add(g->game, from->node, m->move), from->pos};
    text_string(&text, "weight ");
    text_number(&text, m->weight);
    const size_t n = text_end(&text);
    if (next.node == TBY_NO_NODE || !tby_game_add_comment(g->game, next.node, TBY_COMMENT_AFTER, weight, n))
        return false;
    tby_position_play(&next.pos, m->move, NULL);
    return array_add(&g->list, &g->n, &g->cap, &next, sizeof next, NULL);
}

static bool add_moves(growing *g, const waiting *from)
{
    tby_book_move moves[TBY_MOVES_MAX];
    const size_t n_entries = g->n_bytes / TBY_BOOK_ENTRY_SIZE;
    const size_t first = find_key(g->book, n_entries, tby_polyglot_key(&from->pos));
    if (first == n_entries || g->seen[first])
        return true;
    const size_t n = tby_book_moves(moves, g->book, g->n_bytes, &from->pos);
    g->seen[first] = n > 0;
    for (size_t i = 0; i < n; i++)
        if (!add_move(g, from, &moves[i]))
            return false;
    return true;
}

tby_game *tby_book_game(const uint8_t *book, size_t n, const tby_position *root)
{
    growing g = {
        .book = book, .n_bytes = n, .game = tby_game_new(NULL), .seen = calloc(n / TBY_BOOK_ENTRY_SIZE + 1, 1)};
    const waiting first = {TBY_ROOT, *root};
    bool is_good = g.game && g.seen && tby_game_set_start(g.game, root, false) &&
                   array_add(&g.list, &g.n, &g.cap, &first, sizeof first, NULL);
    /* Breadth first, so that the shortest path to a position is the one that is continued. */
    for (size_t i = 0; is_good && i < g.n; i++) {
        const waiting at = g.list[i];
        is_good = add_moves(&g, &at);
    }
    if (!is_good) {
        tby_game_free(g.game);
        g.game = NULL;
    }
    free(g.list);
    free(g.seen);
    return g.game;
}
