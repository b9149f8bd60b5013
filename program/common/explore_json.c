/*
 * explore_json.c - tabiya explore for programs.
 *
 *     {"fen":STRING,"eco":STRING,"name":STRING,"games":0,"ended":0,"white":0,"draw":0,"black":0,"unknown":0,
 *      "moves":[{"san":STRING,"uci":STRING,"games":0,"reached":0,"white":0,"draw":0,"black":0,"unknown":0,
 *                "elo":0,"last":STRING}]}
 *
 * and of a query
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

static void write_tail(buffer *out, uint64_t n_elo, uint64_t elo_sum, int last_date)
{
    char date[TBY_ROW_TEXT_SIZE];
    if (n_elo)
        buffer_printf(out, ",\"elo\":%" PRIu64, (elo_sum + n_elo / 2) / n_elo);
    else
        buffer_string(out, ",\"elo\":null");
    buffer_string(out, ",\"last\":");
    buffer_json_string(out, tby_row_date_text(date, last_date));
    buffer_string(out, "}");
}

static void write_move(buffer *out, const tby_position *pos, const tby_db_move *m)
{
    char san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE];
    tby_san_write(san, sizeof san, pos, m->move);
    tby_uci_write(uci, sizeof uci, pos, m->move, 0);
    buffer_printf(out, "{\"san\":\"%s\",\"uci\":\"%s\",\"games\":%" PRIu64 ",\"reached\":%" PRIu64 ",", san, uci,
                  m->games, m->reached);
    write_results(out, m->results);
    write_tail(out, m->n_elo, m->elo_sum, m->last_date);
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
    write_results(out, moves->results);
    buffer_string(out, ",\"moves\":[");
    for (size_t i = 0; i < n_shown; i++) {
        buffer_string(out, i ? "," : "");
        write_move(out, pos, &moves->moves[i]);
    }
    buffer_string(out, "]}\n");
}

void explore_write_match(buffer *out, const char *match, const tby_db_played *played, size_t n_shown)
{
    buffer_string(out, "{\"match\":");
    buffer_json_string(out, match);
    buffer_printf(out, ",\"games\":%" PRIu64 ",\"ended\":%" PRIu64 ",", played->games, played->ended);
    write_results(out, played->results);
    buffer_string(out, ",\"moves\":[");
    for (size_t i = 0; i < n_shown; i++) {
        const tby_db_next *m = &played->moves[i];
        buffer_printf(out, "%s{\"san\":\"%s\",\"side\":\"%s\",\"games\":%" PRIu64 ",", i ? "," : "", m->san,
                      m->side == TBY_WHITE ? "white" : "black", m->games);
        write_results(out, m->results);
        write_tail(out, m->n_elo, m->elo_sum, m->last_date);
    }
    buffer_string(out, "]}\n");
}
