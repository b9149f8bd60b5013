/*
 * nnue.c - tables as text for training neural networks.
 *
 *     rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 | 17 | 0.5
 *     FEN | centipawns | score, the last two from white's view: 1.0 a win, 0.5 a draw, 0.0 a loss
 *
 * Refuses  columns other than a text, an integer and a double.
 */
#include "notation/refuse.h"
#include "table/format.h"

static tby_status check(const tby_column *columns, size_t n_columns, tby_error *err)
{
    if (n_columns != 3 || columns[0].type != TBY_COLUMN_TEXT || columns[1].type != TBY_COLUMN_INT32 ||
        columns[2].type != TBY_COLUMN_DOUBLE)
        return refuse(err, TBY_CANNOT_HOLD, 0, "training text has the columns fen, eval and score");
    return TBY_OK;
}

static void encode(tby_table_piece *piece, const tby_table *table, size_t n_columns)
{
    buffer *out = &piece->bytes;
    char number[CELL_NUMBER_SIZE];
    (void)n_columns;
    for (size_t row = 0; row < table->n_rows; row++) {
        size_t n;
        double score;
        const uint64_t bits = column_bits(&table->columns[2], row);
        const char *fen = column_text(&table->columns[0], row, &n);
        memcpy(&score, &bits, sizeof score);
        buffer_add(out, fen, n);
        buffer_add(out, " | ", 3);
        buffer_add(out, number, cell_number(number, &table->columns[1], row));
        buffer_add(out, " | ", 3);
        buffer_add(out, number, cell_double(number, score, 1));
        buffer_put(out, '\n');
    }
}

const table_format table_nnue = {
    .about = {"nnue", "training text: FEN | centipawns | score", ".txt", false},
    .check = check,
    .encode = encode,
};
