/*
 * explore.c - the moves played in a position or where a query held: as rows of a table, and as JSON.
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

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

static tby_status read_position(explored *e, tby_db *db, const tby_db_search *search)
{
    tby_db_moves *found = malloc(sizeof *found);
    tby_status status = found ? tby_db_explore(found, db, e->pos, search) : TBY_NO_MEMORY;
    if (status == TBY_OK && !(e->moves = malloc(sizeof found->moves)))
        status = TBY_NO_MEMORY;
    if (status == TBY_OK) {
        e->games = found->games;
        e->ended = found->ended;
        e->n_moves = found->n_moves;
        e->n_unplayed = found->n_unplayed;
        memcpy(e->results, found->results, sizeof e->results);
        memcpy(e->moves, found->moves, (e->n_moves + e->n_unplayed) * sizeof *e->moves);
    }
    free(found);
    return status;
}

static tby_status read_match(explored *e, tby_db *db, const tby_db_search *search)
{
    tby_db_played found;
    const tby_status status = tby_db_explore_match(&found, db, search);
    if (status != TBY_OK)
        return status;
    e->games = found.games;
    e->ended = found.ended;
    e->n_moves = found.n_moves;
    e->moves = found.moves;
    memcpy(e->results, found.results, sizeof e->results);
    return TBY_OK;
}

tby_status explored_read(explored *e, tby_db *db, const tby_db_search *search)
{
    return e->pos ? read_position(e, db, search) : read_match(e, db, search);
}

void explored_name(explored *e, size_t n)
{
    for (size_t i = 0; e->pos && i < n; i++)
        tby_san_write(e->moves[i].san, sizeof e->moves[i].san, e->pos, e->moves[i].move);
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
        const tby_db_move *m = &e->moves[k];
        char uci[TBY_UCI_SIZE], date[TBY_ROW_TEXT_SIZE];
        size_t column = 3;
        if (e->pos)
            tby_uci_write(uci, sizeof uci, e->pos, m->move, 0);
        table_put_text(&t, 0, m->san);
        table_put_text(&t, 1, e->pos ? uci : m->side == TBY_WHITE ? "white" : "black");
        table_put(&t, 2, m->games);
        if (e->pos)
            table_put(&t, column++, m->reached);
        for (size_t i = 0; i < 4; i++)
            table_put(&t, column++, m->results[results[i]]);
        table_put_known(&t, column++, m->n_elo ? (m->elo_sum + m->n_elo / 2) / m->n_elo : 0);
        table_put_text(&t, column, tby_row_date_text(date, m->last_date));
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
