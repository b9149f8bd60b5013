/*
 * repertoire.c - what tabiya repertoire shows: rows of a table, and JSON.
 */
#include "repertoire.h"
#include "explore.h"
#include "position.h"
#include "problem.h"

#include <stdlib.h>

bool repertoire_read(tby_repertoire *r, tby_games *games, unsigned plies, problem *p)
{
    tby_game *game = tby_game_new(NULL);
    bool is_good = game != NULL, has_moves = false;
    tby_game_read read = TBY_GAME_END;
    while (is_good && ((read = tby_games_next(games, game, NULL, NULL)) == TBY_GAME_GOOD || read == TBY_GAME_BAD))
        is_good = tby_repertoire_add(r, game, plies) == TBY_OK;
    for (size_t i = 0; is_good && !has_moves && i < tby_repertoire_n_positions(r); i++)
        has_moves = tby_repertoire_planned(r, i, 0) != TBY_MOVE_NONE;
    tby_game_free(game);
    if (!is_good || read == TBY_GAME_NO_MEMORY)
        return problem_no_memory(p);
    return has_moves || problem_set(p, PROBLEM_ASKED, "the lines contain no moves");
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

void repertoire_write_move(buffer *out, const tby_repertoire *r, size_t position, tby_move move, bool has_number)
{
    const tby_position *pos = tby_repertoire_position(r, position);
    char san[TBY_SAN_SIZE];
    tby_san_write(san, sizeof san, pos, move);
    if (has_number)
        write_move_number(out, pos);
    buffer_string(out, has_number ? " " : "");
    buffer_string(out, san);
}

void repertoire_write_line(buffer *out, const tby_repertoire *r, size_t position)
{
    tby_position pos;
    const size_t n = tby_repertoire_path(r, position, &pos, NULL);
    tby_move *moves = malloc((n + 1) * sizeof *moves);
    char san[TBY_SAN_SIZE];
    if (!moves) {
        buffer_fail(out);
        return;
    }
    tby_repertoire_path(r, position, &pos, moves);
    for (size_t i = 0; i < n; i++) {
        buffer_string(out, i ? " " : "");
        if (i == 0 || tby_position_side(&pos) == TBY_WHITE) {
            write_move_number(out, &pos);
            buffer_string(out, " ");
        }
        tby_san_write(san, sizeof san, &pos, moves[i]);
        buffer_string(out, san);
        tby_line_play(&pos, moves[i]);
    }
    free(moves);
}

void repertoire_write_planned(buffer *out, const tby_repertoire *r, size_t position)
{
    tby_move move;
    for (size_t i = 0; (move = tby_repertoire_planned(r, position, i)) != TBY_MOVE_NONE; i++) {
        buffer_string(out, i ? ", " : "");
        repertoire_write_move(out, r, position, move, false);
    }
}

void repertoire_write_json(buffer *out, const tby_repertoire *r, const tby_repertoire_row *row)
{
    char fen[TBY_FEN_SIZE], san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE];
    tby_move move;
    const tby_position *pos = tby_repertoire_position(r, row->position);
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    tby_san_write(san, sizeof san, pos, row->move);
    tby_uci_write(uci, sizeof uci, pos, row->move, 0);
    json_add(out, "{'line':'");
    repertoire_write_line(out, r, row->position);
    buffer_printf(out, "\",\"fen\":\"%s\",\"san\":\"%s\",\"uci\":\"%s\",\"mine\":%s,\"planned\":[", fen, san, uci,
                  row->is_mine ? "true" : "false");
    for (size_t i = 0; (move = tby_repertoire_planned(r, row->position, i)) != TBY_MOVE_NONE; i++) {
        tby_san_write(san, sizeof san, pos, move);
        json_add(out, "%s", san);
    }
    json_add(out, "],'games':%llu,'of':%llu", (unsigned long long)row->games, (unsigned long long)row->of);
    json_results(out, row->results);
    buffer_string(out, "}");
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static void put_row(table *t, const tby_repertoire *r, const tby_repertoire_row *row, buffer *text)
{
    static const uint8_t results[] = {TBY_WHITE_WINS, TBY_DRAW, TBY_BLACK_WINS, TBY_RESULT_NONE};
    const tby_position *pos = tby_repertoire_position(r, row->position);
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

table repertoire_table(const tby_repertoire *r, const tby_repertoire_rows *rows, size_t n_shown)
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
