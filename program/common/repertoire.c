/*
 * repertoire.c - lines that a player wants to play: where games left them, and opponents' moves that they do not cover.
 */
#include "repertoire.h"
#include "explore.h"
#include "position.h"

#include <inttypes.h>
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

struct repertoire {
    line_position *list;
    planned *moves;
    size_t *slots; /* 1 + a position, 0: empty; a power of two of them */
    size_t n, cap, n_moves, cap_moves, n_slots;
    unsigned deepest; /* the longest line, in half-moves */
};

/* ---- Positions -------------------------------------------------------------------------------------------------- */

repertoire *repertoire_new(void) { return calloc(1, sizeof(repertoire)); }

void repertoire_free(repertoire *r)
{
    if (!r)
        return;
    free(r->list);
    free(r->moves);
    free(r->slots);
    free(r);
}

size_t repertoire_n_positions(const repertoire *r) { return r->n; }

/* The slot of a position, or the empty slot for it. */
static size_t slot_of(const repertoire *r, const tby_position *pos)
{
    size_t slot = (size_t)tby_position_key(pos) & (r->n_slots - 1);
    while (r->slots[slot] && !tby_position_same(&r->list[r->slots[slot] - 1].pos, pos))
        slot = (slot + 1) & (r->n_slots - 1);
    return slot;
}

static size_t find(const repertoire *r, const tby_position *pos)
{
    const size_t entry = r->n_slots ? r->slots[slot_of(r, pos)] : 0;
    return entry ? entry - 1 : NONE;
}

static bool widen(repertoire *r)
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
static size_t put(repertoire *r, const tby_position *pos, size_t parent, tby_move move)
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

static bool plans(const repertoire *r, size_t position, tby_move move)
{
    for (size_t i = r->list[position].first; i != NONE; i = r->moves[i].next)
        if (r->moves[i].move == move)
            return true;
    return false;
}

/* Adds a move to the end of those planned; the number of the position after it, NONE: no memory. */
static size_t plan_move(repertoire *r, size_t position, tby_move move)
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

bool repertoire_add(repertoire *r, const tby_game *game, unsigned plies, problem *p)
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
    return is_good || problem_no_memory(p);
}

bool repertoire_read(repertoire *r, tby_games *games, unsigned plies, problem *p)
{
    tby_game *game = tby_game_new(NULL);
    bool is_good = game || problem_no_memory(p);
    tby_game_read read = TBY_GAME_END;
    while (is_good && ((read = tby_games_next(games, game, NULL, NULL)) == TBY_GAME_GOOD || read == TBY_GAME_BAD))
        is_good = repertoire_add(r, game, plies, p);
    tby_game_free(game);
    if (is_good && read == TBY_GAME_NO_MEMORY)
        is_good = problem_no_memory(p);
    return is_good && (r->n_moves || problem_tell(p, PROBLEM_ASKED, "the lines contain no moves"));
}

tby_color repertoire_side(const repertoire *r)
{
    size_t several[2] = {0, 0};
    for (size_t i = 0; i < r->n; i++)
        if (r->list[i].first != NONE && r->moves[r->list[i].first].next != NONE)
            several[tby_position_side(&r->list[i].pos)]++;
    return several[TBY_BLACK] < several[TBY_WHITE] ? TBY_BLACK : TBY_WHITE;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

void repertoire_rows_free(repertoire_rows *rows)
{
    free(rows->rows);
    *rows = (repertoire_rows){.n = 0};
}

static bool add_row(repertoire_rows *out, const repertoire_row *row, problem *p)
{
    if (!array_reserve(&out->rows, &out->cap, out->n + 1, sizeof *out->rows, NULL))
        return problem_no_memory(p);
    out->rows[out->n++] = *row;
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    const repertoire_row *x = a, *y = b;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

static void sort_rows(repertoire_rows *rows)
{
    if (rows->n)
        qsort(rows->rows, rows->n, sizeof *rows->rows, compare_rows);
}

static bool fail_database(tby_db *db, tby_status status, problem *p)
{
    return status == TBY_NO_MEMORY ? problem_no_memory(p)
                                   : problem_tell(p, PROBLEM_BROKEN, "%s", tby_db_failure(db)->text);
}

/* Does a move, planned or not, lead to a position of the lines? */
static bool is_covered(const repertoire *r, size_t position, tby_move move)
{
    tby_position pos = r->list[position].pos;
    if (plans(r, position, move))
        return true;
    tby_line_play(&pos, move);
    return find(r, &pos) != NONE;
}

/* The moves played in a position. */
static bool add_gaps(repertoire_rows *out, const repertoire *r, size_t position, tby_db *db, const tby_db_search *among,
                     problem *p)
{
    explored played = {.pos = &r->list[position].pos};
    const tby_status status = explored_read(&played, db, among);
    bool is_good = status == TBY_OK || fail_database(db, status, p);
    for (size_t i = 0; is_good && i < played.n_moves; i++) {
        const explored_move *m = &played.moves[i];
        repertoire_row row = {.position = position, .move = m->move, .games = m->of.games, .of = played.games};
        memcpy(row.results, m->of.results, sizeof row.results);
        if (m->move != TBY_MOVE_NULL && !is_covered(r, position, m->move))
            is_good = add_row(out, &row, p);
    }
    free(played.moves);
    return is_good;
}

bool repertoire_gaps(repertoire_rows *out, const repertoire *r, tby_color side, tby_db *db, const tby_db_search *among,
                     problem *p)
{
    bool is_good = true;
    *out = (repertoire_rows){.n = 0};
    for (size_t i = 0; is_good && i < r->n; i++)
        if (tby_position_side(&r->list[i].pos) != side && r->list[i].first != NONE)
            is_good = add_gaps(out, r, i, db, among, p);
    sort_rows(out);
    return is_good;
}

/* ---- Deviations ------------------------------------------------------------------------------------------------- */

typedef struct following {
    repertoire_rows *out;
    const repertoire *lines;
    tby_color side;
    tby_db *db;
    tby_status status;
    struct counted {
        uint64_t games; /* games that reach the position */
        size_t first;   /* 1 + its first row; 0: none */
    } * counted;
    problem *problem;
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

static repertoire_row *row_of(const following *f, size_t position, tby_move move)
{
    size_t *first = &f->counted[position].first;
    for (size_t i = *first; i; i = f->out->rows[i - 1].next)
        if (f->out->rows[i - 1].move == move)
            return &f->out->rows[i - 1];
    const repertoire_row row = {.position = position,
                                .move = move,
                                .is_mine = tby_position_side(&f->lines->list[position].pos) == f->side,
                                .next = *first};
    if (!add_row(f->out, &row, f->problem))
        return NULL;
    *first = f->out->n;
    return &f->out->rows[f->out->n - 1];
}

static bool follow_game(void *context, const tby_db_hit *hit)
{
    following *f = context;
    tby_row row;
    tby_move next;
    f->status = tby_db_row(&row, f->db, hit->id);
    if (f->status != TBY_OK)
        return false;
    const size_t last = last_position(f, &row, &next);
    if (last == NONE)
        return true;
    f->out->n_games++;
    if (next == TBY_MOVE_NONE || f->lines->list[last].first == NONE) {
        f->out->n_followed++;
        return true;
    }
    repertoire_row *to = row_of(f, last, next);
    f->has_failed = to == NULL;
    if (to) {
        to->games++;
        to->results[row.result]++;
    }
    return !f->has_failed;
}

bool repertoire_deviations(repertoire_rows *out, const repertoire *r, tby_color side, tby_db *db, tby_db_search *search,
                           problem *p)
{
    following f = {out, r, side, db, TBY_OK, calloc(r->n + 1, sizeof *f.counted), p, false};
    *out = (repertoire_rows){.n = 0};
    if (!f.counted)
        return problem_no_memory(p);
    search->wanted = TBY_WANTED_ROWS;
    const tby_status status = tby_db_find(db, search, follow_game, &f);
    const bool is_good = !f.has_failed && ((f.status == TBY_OK && status == TBY_OK) ||
                                           fail_database(db, f.status != TBY_OK ? f.status : status, p));
    for (size_t i = 0; i < out->n; i++)
        out->rows[i].of = f.counted[out->rows[i].position].games;
    free(f.counted);
    sort_rows(out);
    return is_good;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

void repertoire_write_move(buffer *out, const repertoire *r, size_t position, tby_move move, bool has_number)
{
    const tby_position *pos = &r->list[position].pos;
    char san[TBY_SAN_SIZE];
    tby_san_write(san, sizeof san, pos, move);
    if (has_number)
        write_move_number(out, pos);
    buffer_string(out, has_number ? " " : "");
    buffer_string(out, san);
}

void repertoire_write_line(buffer *out, const repertoire *r, size_t position)
{
    const size_t n = r->list[position].ply;
    size_t *path = malloc((n + 1) * sizeof *path);
    size_t length = 0;
    if (!path) {
        out->has_failed = true;
        return;
    }
    for (size_t at = position; r->list[at].parent != NONE && length < n; at = r->list[at].parent)
        path[length++] = at;
    for (size_t i = length; i > 0; i--) {
        const line_position *to = &r->list[path[i - 1]];
        buffer_string(out, i < length ? " " : "");
        repertoire_write_move(out, r, to->parent, to->move,
                              i == length || tby_position_side(&r->list[to->parent].pos) == TBY_WHITE);
    }
    free(path);
}

void repertoire_write_planned(buffer *out, const repertoire *r, size_t position)
{
    for (size_t i = r->list[position].first; i != NONE; i = r->moves[i].next) {
        buffer_string(out, i == r->list[position].first ? "" : ", ");
        repertoire_write_move(out, r, position, r->moves[i].move, false);
    }
}

void repertoire_write_json(buffer *out, const repertoire *r, const repertoire_row *row)
{
    char fen[TBY_FEN_SIZE], san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE];
    const tby_position *pos = &r->list[row->position].pos;
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    tby_san_write(san, sizeof san, pos, row->move);
    tby_uci_write(uci, sizeof uci, pos, row->move, 0);
    json_add(out, "{'line':'");
    repertoire_write_line(out, r, row->position);
    buffer_printf(out, "\",\"fen\":\"%s\",\"san\":\"%s\",\"uci\":\"%s\",\"mine\":%s,\"planned\":[", fen, san, uci,
                  row->is_mine ? "true" : "false");
    for (size_t i = r->list[row->position].first; i != NONE; i = r->moves[i].next) {
        tby_san_write(san, sizeof san, pos, r->moves[i].move);
        json_add(out, "%s", san);
    }
    json_add(out, "],'games':%llu,'of':%llu", (unsigned long long)row->games, (unsigned long long)row->of);
    json_results(out, row->results);
    buffer_string(out, "}");
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static void put_row(table *t, const repertoire *r, const repertoire_row *row, buffer *text)
{
    static const uint8_t results[] = {TBY_WHITE_WINS, TBY_DRAW, TBY_BLACK_WINS, TBY_RESULT_NONE};
    const tby_position *pos = &r->list[row->position].pos;
    char san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE], fen[TBY_FEN_SIZE];
    size_t column = 0;
    tby_san_write(san, sizeof san, pos, row->move);
    tby_uci_write(uci, sizeof uci, pos, row->move, 0);
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    text->n = 0;
    repertoire_write_line(text, r, row->position);
    table_put_text(t, column++, text->n ? text->s : "");
    table_put_text(t, column++, san);
    table_put_text(t, column++, uci);
    table_put_text(t, column++, row->is_mine ? "own" : "opponent");
    text->n = 0;
    repertoire_write_planned(text, r, row->position);
    table_put_text(t, column++, text->n ? text->s : "");
    table_put(t, column++, row->games);
    table_put(t, column++, row->of);
    for (size_t i = 0; i < sizeof results; i++)
        table_put(t, column++, row->results[results[i]]);
    table_put_text(t, column, fen);
    table_end_row(t);
}

table repertoire_table(const repertoire *r, const repertoire_rows *rows, size_t n_shown)
{
    static const tby_column columns[] = {
        {"line", TBY_COLUMN_TEXT, false},   {"san", TBY_COLUMN_TEXT, false},      {"uci", TBY_COLUMN_TEXT, false},
        {"by", TBY_COLUMN_TEXT, false},     {"planned", TBY_COLUMN_TEXT, false},  {"games", TBY_COLUMN_INT64, false},
        {"of", TBY_COLUMN_INT64, false},    {"white", TBY_COLUMN_INT64, false},   {"draw", TBY_COLUMN_INT64, false},
        {"black", TBY_COLUMN_INT64, false}, {"unknown", TBY_COLUMN_INT64, false}, {"fen", TBY_COLUMN_TEXT, false},
    };
    table t = table_new(columns, sizeof columns / sizeof *columns);
    buffer text = {0};
    for (size_t i = 0; i < n_shown; i++)
        put_row(&t, r, &rows->rows[i], &text);
    if (text.has_failed)
        table_free(&t);
    buffer_free(&text);
    return t;
}
