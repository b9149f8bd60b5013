/*
 * fuzz_rows.c - tables from any games: every row is written in every format, and the counts add up.
 *
 * The first three bytes choose the kind of rows, the format and what is left out; the rest is PGN.
 */
#include "support.h"

#include "tabiya_table.h"

static void write_table(const tby_table_format *format, const tby_rows *rows, const tby_table *table)
{
    size_t n_columns;
    const tby_column *columns = tby_rows_columns(rows, &n_columns);
    memory out = {0};
    if (tby_table_format_check(format, columns, n_columns, NULL) != TBY_OK)
        return;
    tby_table_piece *piece = tby_table_piece_new(format, NULL);
    tby_table_writer *writer = tby_table_writer_new(format, columns, n_columns, to_memory, &out, NULL);
    require(piece && writer && tby_table_encode(piece, table, n_columns));
    require(tby_table_writer_begin(writer) && tby_table_writer_add(writer, piece) &&
            tby_table_writer_end(writer, "{}"));
    tby_table_writer_free(writer);
    tby_table_piece_free(piece);
    free(out.s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = {NULL, "game,ply,fen,eval,result", "fen,eval,score",
                                          "san,uci,clock,comment,nags,Event"};
    if (size < 3)
        return 0;
    const tby_table_format *format = tby_table_format_at(data[1] % 4);
    const tby_rows_options options = {.kind = (tby_rows_kind)(data[0] % 3),
                                      .columns = columns[data[0] / 3 % 4],
                                      .every = data[2] % 4,
                                      .skip_plies = data[2] / 4 % 8,
                                      .quiet = data[2] & 32,
                                      .complete = data[2] & 64,
                                      .adds_key = data[2] & 128};
    tby_rows *rows = tby_rows_new(&options, NULL, NULL);
    if (!rows || !format) {
        tby_rows_free(rows);
        return 0;
    }
    size_t n_columns;
    const tby_column *all = tby_rows_columns(rows, &n_columns);
    memory in = {(char *)(uintptr_t)data + 3, size - 3, 0, 0, 7};
    tby_table *table = tby_table_new(all, n_columns, NULL);
    tby_rows_reader *reader = tby_rows_reader_new(rows, tby_game_notation_find("pgn", 3), from_memory, &in, NULL);
    require(table && reader);
    uint64_t n_games = 0;
    tby_game_read read;
    while (n_games < 100 && (read = tby_rows_reader_next(reader, table, NULL, NULL)) != TBY_GAME_END) {
        require(read != TBY_GAME_NO_MEMORY);
        n_games++;
    }
    const tby_rows_counts counts = tby_rows_reader_counts(reader);
    require(counts.bad <= counts.games && counts.games <= n_games && counts.rows == tby_table_n_rows(table));
    write_table(format, rows, table);
    tby_rows_reader_free(reader);
    tby_table_free(table);
    tby_rows_free(rows);
    return 0;
}
