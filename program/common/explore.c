/*
 * explore.c - the moves played in a position or where a query held: as rows of a table, as JSON, and added up over
 * several databases.
 *
 *     {"fen":STRING,"eco":STRING,"name":STRING,"games":0,"ended":0,"white":0,"draw":0,"black":0,"unknown":0,
 *      "moves":[{"san":STRING,"uci":STRING,"games":0,"reached":0,"white":0,"draw":0,"black":0,"unknown":0,
 *                "elo":0,"last":STRING}]}
 *
 * and for a query
 *
 *     {"match":STRING,"games":0,"ended":0,"white":0,"draw":0,"black":0,"unknown":0,
 *      "moves":[{"san":STRING,"side":"white","games":0,"white":0,"draw":0,"black":0,"unknown":0,
 *                "elo":0,"last":STRING}]}
 *
 * Keeps    names, order and types; eco, name, elo and last are null where they are not known.
 */
#include "explore.h"

#include <stdlib.h>
#include <string.h>

/* ---- Adding up -------------------------------------------------------------------------------------------------- */

static void add_results(uint64_t to[4], const uint64_t from[4])
{
    for (int i = 0; i < 4; i++)
        to[i] += from[i];
}

static bool is_same(const explored *e, const explored_move *a, const explored_move *b)
{
    return e->pos ? a->move == b->move : a->of.side == b->of.side && strcmp(a->of.san, b->of.san) == 0;
}

/* Adds to the same move among the first `n_before`, or else a new one at the end, for which there is space. */
static void add_move(explored *e, size_t n_before, const explored_move *from)
{
    size_t i = 0;
    while (i < n_before && !is_same(e, &e->moves[i], from))
        i++;
    if (i == n_before) {
        e->moves[e->n_moves + e->n_unplayed++] = *from;
        return;
    }
    tby_db_next *to = &e->moves[i].of;
    e->moves[i].reached += from->reached;
    to->games += from->of.games;
    add_results(to->results, from->of.results);
    to->n_elo += from->of.n_elo;
    to->elo_sum += from->of.elo_sum;
    to->last_date = to->last_date > from->of.last_date ? to->last_date : from->of.last_date;
}

/* Adds the totals, and makes space for `n` more moves. */
static bool add_totals(explored *e, uint64_t games, uint64_t ended, const uint64_t results[4], size_t n)
{
    e->games += games;
    e->ended += ended;
    add_results(e->results, results);
    return array_reserve(&e->moves, &e->cap, e->n_moves + e->n_unplayed + n, sizeof *e->moves, NULL);
}

static tby_status add_position(explored *e, tby_db *db, const tby_db_search *search)
{
    const size_t n_before = e->n_moves + e->n_unplayed;
    tby_db_moves *found = malloc(sizeof *found);
    tby_status status = found ? tby_db_explore(found, db, e->pos, search) : TBY_NO_MEMORY;
    const size_t n = status == TBY_OK ? found->n_moves + found->n_unplayed : 0;
    if (status == TBY_OK && !add_totals(e, found->games, found->ended, found->results, n))
        status = TBY_NO_MEMORY;
    for (size_t i = 0; status == TBY_OK && i < n; i++) {
        const tby_db_move *m = &found->moves[i];
        explored_move one = {.move = m->move, .reached = m->reached};
        one.of = (tby_db_next){.games = m->games, .n_elo = m->n_elo, .elo_sum = m->elo_sum, .last_date = m->last_date};
        add_results(one.of.results, m->results);
        add_move(e, n_before, &one);
    }
    free(found);
    return status;
}

static tby_status add_match(explored *e, tby_db *db, const tby_db_search *search)
{
    const size_t n_before = e->n_moves;
    tby_db_played found;
    tby_status status = tby_db_explore_match(&found, db, search);
    if (status != TBY_OK)
        return status;
    if (!add_totals(e, found.games, found.ended, found.results, found.n_moves))
        status = TBY_NO_MEMORY;
    for (size_t i = 0; status == TBY_OK && i < found.n_moves; i++)
        add_move(e, n_before, &(explored_move){.of = found.moves[i]});
    tby_db_played_free(&found);
    return status;
}

/* In the library's order: the most played first, then the most reached, then White's, then by name. */
static int compare_moves(const void *a, const void *b)
{
    const explored_move *x = a, *y = b;
    if (x->of.games != y->of.games)
        return x->of.games > y->of.games ? -1 : 1;
    if (x->reached != y->reached)
        return x->reached > y->reached ? -1 : 1;
    return x->of.side != y->of.side ? (int)x->of.side - (int)y->of.side : strcmp(x->of.san, y->of.san);
}

void explored_name(explored *e, size_t n)
{
    for (size_t i = 0; e->pos && i < n; i++)
        tby_san_write(e->moves[i].of.san, sizeof e->moves[i].of.san, e->pos, e->moves[i].move);
}

tby_status explored_add(explored *e, tby_db *db, const tby_db_search *search)
{
    const tby_status status = e->pos ? add_position(e, db, search) : add_match(e, db, search);
    const size_t n = e->n_moves + e->n_unplayed;
    if (status == TBY_OK && e->n_databases++ && n) {
        explored_name(e, n);
        qsort(e->moves, n, sizeof *e->moves, compare_moves);
    }
    for (e->n_moves = 0; e->n_moves < n && e->moves[e->n_moves].of.games;)
        e->n_moves++;
    e->n_unplayed = n - e->n_moves;
    return status;
}

/* ---- Rows and JSON ---------------------------------------------------------------------------------------------- */

/* The last columns of both tables. */
#define TAIL_COLUMNS                                                                                                   \
    {"white", TBY_COLUMN_INT64, false}, {"draw", TBY_COLUMN_INT64, false}, {"black", TBY_COLUMN_INT64, false},         \
        {"unknown", TBY_COLUMN_INT64, false}, {"elo", TBY_COLUMN_INT32, true},                                         \
    {                                                                                                                  \
        "last", TBY_COLUMN_TEXT, true                                                                                  \
    }

table explored_table(explored *e, size_t n_shown)
{
    static const tby_column of_position[] = {{"san", TBY_COLUMN_TEXT, false},
                                             {"uci", TBY_COLUMN_TEXT, false},
                                             {"games", TBY_COLUMN_INT64, false},
                                             {"reached", TBY_COLUMN_INT64, false},
                                             TAIL_COLUMNS};
    static const tby_column of_match[] = {{"san", TBY_COLUMN_TEXT, false},
                                          {"side", TBY_COLUMN_TEXT, false},
                                          {"games", TBY_COLUMN_INT64, false},
                                          TAIL_COLUMNS};
    static const tby_result results[] = {TBY_WHITE_WINS, TBY_DRAW, TBY_BLACK_WINS, TBY_RESULT_NONE};
    table t = e->pos ? table_new(of_position, sizeof of_position / sizeof *of_position)
                     : table_new(of_match, sizeof of_match / sizeof *of_match);
    explored_name(e, n_shown);
    for (size_t k = 0; k < n_shown; k++) {
        const explored_move *m = &e->moves[k];
        const tby_db_next *of = &m->of;
        char uci[TBY_UCI_SIZE], date[TBY_ROW_TEXT_SIZE];
        size_t column = 3;
        if (e->pos)
            tby_uci_write(uci, sizeof uci, e->pos, m->move, 0);
        table_put_text(&t, 0, of->san);
        table_put_text(&t, 1, e->pos ? uci : of->side == TBY_WHITE ? "white" : "black");
        table_put(&t, 2, of->games);
        if (e->pos)
            table_put(&t, column++, m->reached);
        for (size_t i = 0; i < 4; i++)
            table_put(&t, column++, of->results[results[i]]);
        table_put_known(&t, column++, of->n_elo ? (of->elo_sum + of->n_elo / 2) / of->n_elo : 0);
        table_put_text(&t, column, tby_row_date_text(date, of->last_date));
        table_end_row(&t);
    }
    return t;
}

void json_results(buffer *out, const uint64_t results[4])
{
    json_add(out, "'white':%llu,'draw':%llu,'black':%llu,'unknown':%llu", (unsigned long long)results[TBY_WHITE_WINS],
             (unsigned long long)results[TBY_DRAW], (unsigned long long)results[TBY_BLACK_WINS],
             (unsigned long long)results[TBY_RESULT_NONE]);
}

void explored_write_json(buffer *out, explored *e, const char *match, size_t n_shown)
{
    char fen[TBY_FEN_SIZE];
    tby_opening opening = {NULL, NULL};
    if (e->pos) {
        tby_opening_of(&opening, e->pos);
        tby_fen_write_position(fen, sizeof fen, e->pos, 0);
        json_add(out, "{'fen':%s,'eco':%s,'name':%s", fen, opening.eco, opening.name);
    } else {
        json_add(out, "{'match':%s", match);
    }
    json_add(out, "'games':%llu,'ended':%llu", (unsigned long long)e->games, (unsigned long long)e->ended);
    json_results(out, e->results);
    json_add(out, "'moves':");
    table t = explored_table(e, n_shown);
    table_write_array(out, &t);
    table_free(&t);
    buffer_string(out, "}\n");
}
