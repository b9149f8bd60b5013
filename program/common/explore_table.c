/*
 * explore_table.c - machine-readable output of tabiya explore: the moves as rows of a table, and everything as JSON.
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

#include <inttypes.h>

static void write_results(buffer *out, const uint64_t results[4])
{
    buffer_printf(out, "\"white\":%" PRIu64 ",\"draw\":%" PRIu64 ",\"black\":%" PRIu64 ",\"unknown\":%" PRIu64,
                  results[TBY_WHITE_WINS], results[TBY_DRAW], results[TBY_BLACK_WINS], results[TBY_RESULT_NONE]);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* The last columns of both tables. */
enum { WHITE, DRAW, BLACK, UNKNOWN, ELO, LAST, N_TAIL };
#define TAIL_COLUMNS                                                                                                   \
    {"white", TBY_COLUMN_INT64, false}, {"draw", TBY_COLUMN_INT64, false}, {"black", TBY_COLUMN_INT64, false},         \
        {"unknown", TBY_COLUMN_INT64, false}, {"elo", TBY_COLUMN_INT32, true},                                         \
    {                                                                                                                  \
        "last", TBY_COLUMN_TEXT, true                                                                                  \
    }

static void end_row(table *t, const uint64_t results[4], uint64_t n_elo, uint64_t elo_sum, int last_date)
{
    const size_t first = t->n_columns - N_TAIL;
    char date[TBY_ROW_TEXT_SIZE];
    table_put(t, first + WHITE, results[TBY_WHITE_WINS]);
    table_put(t, first + DRAW, results[TBY_DRAW]);
    table_put(t, first + BLACK, results[TBY_BLACK_WINS]);
    table_put(t, first + UNKNOWN, results[TBY_RESULT_NONE]);
    table_put_known(t, first + ELO, n_elo ? (elo_sum + n_elo / 2) / n_elo : 0);
    table_put_text(t, first + LAST, tby_row_date_text(date, last_date));
    table_end_row(t);
}

table explore_table(const tby_position *pos, const tby_db_moves *moves, size_t n_shown)
{
    static const tby_column columns[] = {{"san", TBY_COLUMN_TEXT, false},
                                         {"uci", TBY_COLUMN_TEXT, false},
                                         {"games", TBY_COLUMN_INT64, false},
                                         {"reached", TBY_COLUMN_INT64, false},
                                         TAIL_COLUMNS};
    table t = table_new(columns, sizeof columns / sizeof *columns);
    char san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE];
    for (const tby_db_move *m = moves->moves; m < moves->moves + n_shown; m++) {
        tby_san_write(san, sizeof san, pos, m->move);
        tby_uci_write(uci, sizeof uci, pos, m->move, 0);
        table_put_text(&t, 0, san);
        table_put_text(&t, 1, uci);
        table_put(&t, 2, m->games);
        table_put(&t, 3, m->reached);
        end_row(&t, m->results, m->n_elo, m->elo_sum, m->last_date);
    }
    return t;
}

table explore_match_table(const tby_db_played *played, size_t n_shown)
{
    static const tby_column columns[] = {{"san", TBY_COLUMN_TEXT, false},
                                         {"side", TBY_COLUMN_TEXT, false},
                                         {"games", TBY_COLUMN_INT64, false},
                                         TAIL_COLUMNS};
    table t = table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n_shown; i++) {
        const tby_db_next *m = &played->moves[i];
        table_put_text(&t, 0, m->san);
        table_put_text(&t, 1, m->side == TBY_WHITE ? "white" : "black");
        table_put(&t, 2, m->games);
        end_row(&t, m->results, m->n_elo, m->elo_sum, m->last_date);
    }
    return t;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* The end of the object; frees the table. */
static void write_moves(buffer *out, const uint64_t results[4], table t)
{
    write_results(out, results);
    buffer_string(out, ",\"moves\":");
    table_write_array(out, &t);
    buffer_string(out, "}\n");
    table_free(&t);
}

void explore_write_json(buffer *out, const tby_position *pos, const tby_db_moves *moves, size_t n_shown)
{
    char fen[TBY_FEN_SIZE];
    tby_opening opening = {NULL, NULL};
    tby_opening_of(&opening, pos);
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    buffer_printf(out, "{\"fen\":\"%s\",\"eco\":", fen);
    buffer_json_string(out, opening.eco);
    buffer_string(out, ",\"name\":");
    buffer_json_string(out, opening.name);
    buffer_printf(out, ",\"games\":%" PRIu64 ",\"ended\":%" PRIu64 ",", moves->games, moves->ended);
    write_moves(out, moves->results, explore_table(pos, moves, n_shown));
}

void explore_write_match(buffer *out, const char *match, const tby_db_played *played, size_t n_shown)
{
    buffer_string(out, "{\"match\":");
    buffer_json_string(out, match);
    buffer_printf(out, ",\"games\":%" PRIu64 ",\"ended\":%" PRIu64 ",", played->games, played->ended);
    write_moves(out, played->results, explore_match_table(played, n_shown));
}
