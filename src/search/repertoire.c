/*
 * repertoire.c - lines that a player wants to play: where games left them, and opponents' moves that they do not cover.
 */
#include "base/contract.h"
#include "search/search.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

typedef struct line_position {
    tby_position pos;
    size_t parent; /* NONE: a line begins here */
    tby_move move; /* that led from the parent */
    unsigned ply;  /* on the path by which it was first added */
    size_t first;  /* of its planned moves; NONE: a line ends here */
} line_position;

typedef struct planned {
    tby_move move;
    size_t next; /* of the same position; NONE after the last */
} planned;

struct tby_repertoire {
    line_position *list;
    planned *moves;
    size_t *slots; /* 1 + a position, 0: empty; a power of two of them */
    size_t n, cap, n_moves, cap_moves, n_slots;
    unsigned deepest; /* the longest line, in half-moves */
};

/* ---- Positions -------------------------------------------------------------------------------------------------- */

tby_repertoire *tby_repertoire_new(void) { return calloc(1, sizeof(tby_repertoire)); }

void tby_repertoire_free(tby_repertoire *r)
{
    if (!r)
        return;
    free(r->list);
    free(r->moves);
    free(r->slots);
    free(r);
}

size_t tby_repertoire_n_positions(const tby_repertoire *r) { return r->n; }

/* The slot of a position, or the empty slot for it. */
static size_t slot_of(const tby_repertoire *r, const tby_position *pos)
{
    TBY_CONTRACT(r->n < r->n_slots && (r->n_slots & (r->n_slots - 1)) == 0);
    size_t slot = (size_t)tby_position_key(pos) & (r->n_slots - 1);
    while (r->slots[slot] && !tby_position_same(&r->list[r->slots[slot] - 1].pos, pos))
        slot = (slot + 1) & (r->n_slots - 1);
    return slot;
}

static size_t find(const tby_repertoire *r, const tby_position *pos)
{
    const size_t entry = r->n_slots ? r->slots[slot_of(r, pos)] : 0;
    return entry ? entry - 1 : NONE;
}

static bool widen(tby_repertoire *r)
{
    if (2 * (r->n + 1) < r->n_slots)
        return true;
    const size_t n = r->n_slots ? 2 * r->n_slots : 1024;
    size_t *slots = calloc(n, sizeof *slots);
    if (!slots)
        return false;
    free(r->slots);
    r->slots = slots;
    r->n_slots = n;
    for (size_t i = 0; i < r->n; i++)
        r->slots[slot_of(r, &r->list[i].pos)] = i + 1;
    return true;
}

/* The number of a position, which is added if it is new; NONE: no memory. */
static size_t put(tby_repertoire *r, const tby_position *pos, size_t parent, tby_move move)
{
    const size_t known = find(r, pos);
    if (known != NONE)
        return known;
    if (!widen(r) || !array_reserve(&r->list, &r->cap, r->n + 1, sizeof *r->list, NULL))
        return NONE;
    const unsigned ply = parent == NONE ? 0 : r->list[parent].ply + 1;
    r->slots[slot_of(r, pos)] = r->n + 1;
    r->list[r->n] = (line_position){*pos, parent, move, ply, NONE};
    r->deepest = ply > r->deepest ? ply : r->deepest;
    return r->n++;
}

static bool plans(const tby_repertoire *r, size_t position, tby_move move)
{
    for (size_t i = r->list[position].first; i != NONE; i = r->moves[i].next)
        if (r->moves[i].move == move)
            return true;
    return false;
}

/* Adds a move to the end of those planned; the number of the position after it, NONE: no memory. */
static size_t plan_move(tby_repertoire *r, size_t position, tby_move move)
{
    tby_position pos = r->list[position].pos;
    if (!plans(r, position, move)) {
        if (!array_reserve(&r->moves, &r->cap_moves, r->n_moves + 1, sizeof *r->moves, NULL))
            return NONE;
        size_t *end = &r->list[position].first;
        while (*end != NONE)
            end = &r->moves[*end].next;
        r->moves[r->n_moves] = (planned){move, NONE};
        *end = r->n_moves++;
    }
    tby_line_play(&pos, move);
    return put(r, &pos, position, move);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

typedef struct branch {
    tby_node node;
    size_t position;
    unsigned ply;
} branch;

tby_status tby_repertoire_add(tby_repertoire *r, const tby_game *game, unsigned plies)
{
    branch *stack = NULL;
    size_t n = 0, cap = 0;
    const size_t start = put(r, tby_game_start(game), NONE, TBY_MOVE_NONE);
    bool is_good = start != NONE && array_reserve(&stack, &cap, 1, sizeof *stack, NULL);
    if (is_good)
        stack[n++] = (branch){TBY_ROOT, start, 0};
    while (is_good && n) {
        const branch b = stack[--n];
        for (tby_node child = tby_game_child(game, b.node); is_good && b.ply < plies && child != TBY_NO_NODE;
             child = tby_game_sibling(game, child)) {
            if (tby_game_move(game, child) == TBY_MOVE_NULL)
                continue;
            const size_t position = plan_move(r, b.position, tby_game_move(game, child));
            is_good = position != NONE && array_reserve(&stack, &cap, n + 1, sizeof *stack, NULL);
            if (is_good)
                stack[n++] = (branch){child, position, b.ply + 1};
        }
    }
    free(stack);
    return is_good ? TBY_OK : TBY_NO_MEMORY;
}

const tby_position *tby_repertoire_position(const tby_repertoire *r, size_t position) { return &r->list[position].pos; }

size_t tby_repertoire_path(const tby_repertoire *r, size_t position, tby_position *start, tby_move *out)
{
    TBY_CONTRACT(position < r->n && start);
    const size_t n = r->list[position].ply;
    for (size_t i = n; i > 0; position = r->list[position].parent)
        if (out)
            out[--i] = r->list[position].move;
        else
            i--;
    *start = r->list[position].pos;
    return n;
}

tby_move tby_repertoire_planned(const tby_repertoire *r, size_t position, size_t index)
{
    TBY_CONTRACT(position < r->n);
    size_t at = r->list[position].first;
    while (at != NONE && index--)
        at = r->moves[at].next;
    return at == NONE ? TBY_MOVE_NONE : r->moves[at].move;
}

tby_color tby_repertoire_side(const tby_repertoire *r)
{
    size_t several[2] = {0, 0};
    for (size_t i = 0; i < r->n; i++)
        if (r->list[i].first != NONE && r->moves[r->list[i].first].next != NONE)
            several[tby_position_side(&r->list[i].pos)]++;
    return several[TBY_BLACK] < several[TBY_WHITE] ? TBY_BLACK : TBY_WHITE;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

void tby_repertoire_rows_free(tby_repertoire_rows *rows)
{
    free(rows->rows);
    *rows = (tby_repertoire_rows){.n = 0};
}

static bool add_row(tby_repertoire_rows *out, const tby_repertoire_row *row, tby_db *db)
{
    return array_add(&out->rows, &out->n, &out->cap, row, sizeof *row, NULL) || db_fail_memory(db);
}

static int compare_rows(const void *a, const void *b)
{
    const tby_repertoire_row *x = a, *y = b;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

static void sort_rows(tby_repertoire_rows *rows)
{
    if (rows->n)
        qsort(rows->rows, rows->n, sizeof *rows->rows, compare_rows);
}

/* Does a move, planned or not, lead to a position of the lines? */
static bool is_covered(const tby_repertoire *r, size_t position, tby_move move)
{
    tby_position pos = r->list[position].pos;
    if (plans(r, position, move))
        return true;
    tby_line_play(&pos, move);
    return find(r, &pos) != NONE;
}

/* A move that is played in a position. */
static bool add_gap(tby_repertoire_rows *out, const tby_repertoire *r, size_t position, tby_db *db,
                    const tby_db_move *m)
{
    tby_repertoire_row row = {.position = position, .move = m->move, .games = m->games};
    memcpy(row.results, m->results, sizeof row.results);
    return m->games == 0 || m->move == TBY_MOVE_NONE || m->move == TBY_MOVE_NULL || is_covered(r, position, m->move) ||
           add_row(out, &row, db);
}

typedef struct gaps {
    tby_repertoire_rows *out;
    const tby_repertoire *lines;
    tby_db *db;
    size_t *places;                 /* positions in which opponents are to move */
    const tby_position **positions; /* the same */
    size_t n;
    uint64_t *games; /* by position of the lines */
    bool has_failed;
} gaps;

static void take_gap(void *context, size_t place, const tby_db_move *counted)
{
    gaps *g = context;
    g->games[g->places[place]] += counted->games;
    g->has_failed = g->has_failed || !add_gap(g->out, g->lines, g->places[place], g->db, counted);
}

/* Positions one by one. */
static bool add_each(gaps *g, const tby_db_search *among)
{
    tby_db_moves *played = malloc(sizeof *played);
    bool is_good = played || db_fail_memory(g->db);
    for (size_t i = 0; is_good && i < g->n; i++) {
        is_good = search_explore(g->db, g->positions[i], among, played);
        g->games[g->places[i]] = is_good ? played->games : 0;
        for (size_t k = 0; is_good && k < played->n_moves; k++)
            is_good = add_gap(g->out, g->lines, g->places[i], g->db, &played->moves[k]);
    }
    free(played);
    return is_good;
}

static bool add_gaps(gaps *g, const tby_db_search *among)
{
    reaching_many many = {.positions = g->positions, .n = g->n, .add = take_gap, .context = g};
    return search_reach_many(g->db, among, &many) && !g->has_failed && (many.is_done || add_each(g, among));
}

static void list_positions(gaps *g, tby_color side)
{
    const tby_repertoire *r = g->lines;
    for (size_t i = 0; i < r->n; i++)
        if (tby_position_side(&r->list[i].pos) != side && r->list[i].first != NONE) {
            g->places[g->n] = i;
            g->positions[g->n++] = &r->list[i].pos;
        }
}

tby_status tby_db_repertoire_gaps(tby_repertoire_rows *out, tby_db *db, const tby_repertoire *repertoire,
                                  tby_color side, const tby_db_search *among)
{
    TBY_CONTRACT(out && (side == TBY_WHITE || side == TBY_BLACK));
    const size_t n = repertoire->n + 1;
    gaps g = {.out = out, .lines = repertoire, .db = db};
    g.places = calloc(n, sizeof *g.places);
    g.positions = calloc(n, sizeof *g.positions);
    g.games = calloc(n, sizeof *g.games);
    *out = (tby_repertoire_rows){.n = 0};
    bool is_good = (g.places && g.positions && g.games) || db_fail_memory(db);
    if (is_good)
        list_positions(&g, side);
    is_good = is_good && (g.n == 0 || add_gaps(&g, among));
    for (size_t i = 0; i < out->n; i++)
        out->rows[i].of = g.games[out->rows[i].position];
    free(g.places);
    free(g.positions);
    free(g.games);
    sort_rows(out);
    return db_answer(db, is_good);
}

/* ---- Deviations ------------------------------------------------------------------------------------------------- */

typedef struct following {
    tby_repertoire_rows *out;
    const tby_repertoire *lines;
    tby_color side;
    tby_db *db;
    struct counted {
        uint64_t games; /* games that reach the position */
        size_t first;   /* 1 + its first row; 0: none */
    } * counted;
    bool has_failed;
} following;

/* The last position of the lines that a game reaches, and the move it plays there. A game may return to the lines
   later, but is followed only so far. */
static size_t last_position(following *f, const tby_row *row, tby_move *next)
{
    tby_packed cursor;
    size_t last = NONE;
    *next = TBY_MOVE_NONE;
    if (!row->moves.s || !tby_packed_begin(&cursor, (const uint8_t *)row->moves.s, row->moves.n))
        return NONE;
    for (unsigned ply = 0; ply <= 2 * f->lines->deepest + 2; ply++) {
        const size_t here = find(f->lines, &cursor.pos);
        const tby_move move = tby_packed_next(&cursor);
        if (here != NONE) {
            f->counted[here].games++;
            last = here;
            *next = move;
        }
        if (move == TBY_MOVE_NONE)
            break;
    }
    return last;
}

static tby_repertoire_row *row_of(const following *f, size_t position, tby_move move)
{
    size_t *first = &f->counted[position].first;
    for (size_t i = *first; i; i = f->out->rows[i - 1].next)
        if (f->out->rows[i - 1].move == move)
            return &f->out->rows[i - 1];
    const tby_repertoire_row row = {.position = position,
                                    .move = move,
                                    .is_mine = tby_position_side(&f->lines->list[position].pos) == f->side,
                                    .next = *first};
    if (!add_row(f->out, &row, f->db))
        return NULL;
    *first = f->out->n;
    return &f->out->rows[f->out->n - 1];
}

static bool follow_game(void *context, const tby_db_hit *hit)
{
    following *f = context;
    tby_row row;
    tby_move next;
    f->has_failed = !f->db->kind->row(f->db, hit->id, &row);
    if (f->has_failed)
        return false;
    const size_t last = last_position(f, &row, &next);
    if (last == NONE)
        return true;
    f->out->n_games++;
    if (next == TBY_MOVE_NONE || f->lines->list[last].first == NONE) {
        f->out->n_followed++;
        return true;
    }
    tby_repertoire_row *to = row_of(f, last, next);
    f->has_failed = to == NULL;
    if (to) {
        to->games++;
        to->results[row.result]++;
    }
    return !f->has_failed;
}

tby_status tby_db_repertoire_deviations(tby_repertoire_rows *out, tby_db *db, const tby_repertoire *repertoire,
                                        tby_color side, const tby_db_search *search)
{
    TBY_CONTRACT(out && search && (side == TBY_WHITE || side == TBY_BLACK));
    following f = {out, repertoire, side, db, calloc(repertoire->n + 1, sizeof *f.counted), false};
    tby_db_search own = *search;
    *out = (tby_repertoire_rows){.n = 0};
    if (!f.counted)
        return db_answer(db, db_fail_memory(db));
    own.wanted = TBY_WANTED_ROWS;
    const bool is_good = db_find(db, &own, follow_game, &f) && !f.has_failed;
    for (size_t i = 0; i < out->n; i++)
        out->rows[i].of = f.counted[out->rows[i].position].games;
    free(f.counted);
    sort_rows(out);
    return db_answer(db, is_good);
}
