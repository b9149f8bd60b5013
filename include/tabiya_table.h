/*
 * tabiya_table.h - games, positions and moves as tables, and tables as CSV, HTML, JSON lines, Parquet, Arrow and training
 * text.
 *
 * Conventions are those of tabiya.h. A table is built in memory row by row and written in pieces: a program with many
 * rows repeatedly fills a table, encodes it, writes the bytes and clears it, so memory does not depend on their number.
 */
#ifndef TABIYA_TABLE_H
#define TABIYA_TABLE_H

#include "tabiya_value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Tables in memory ---------------------------------------------------------------------------------- */

typedef enum tby_column_type {
    TBY_COLUMN_INT32 = 1,
    TBY_COLUMN_INT64 = 2,
    TBY_COLUMN_UINT64 = 3,
    TBY_COLUMN_DOUBLE = 4,
    TBY_COLUMN_TEXT = 5, /* UTF-8 */
    TBY_COLUMN_BYTES = 6
} tby_column_type;

typedef struct tby_column {
    const char *name; /* must not change */
    tby_column_type type;
    bool may_be_empty;
} tby_column;

typedef struct tby_table tby_table;

/* The array of columns is copied. Returns NULL if out of memory. */
TBY_API tby_table *tby_table_new(const tby_column *columns, size_t n_columns, const tby_allocator *allocator);
TBY_API void tby_table_free(tby_table *table);
TBY_API size_t tby_table_n_rows(const tby_table *table);
/* The memory used by the values, in bytes. */
TBY_API size_t tby_table_size(const tby_table *table);

/* A row is one value for each column, in any order, and then its end. If memory runs out, the table is unusable: check
   tby_table_has_failed before using it. */
TBY_API void tby_table_put_int(tby_table *table, size_t column, int64_t value); /* INT32, INT64, UINT64 */
TBY_API void tby_table_put_double(tby_table *table, size_t column, double value);
TBY_API void tby_table_put_text(tby_table *table, size_t column, const char *s, size_t n); /* TEXT, BYTES */
TBY_API void tby_table_put_empty(tby_table *table, size_t column);
TBY_API void tby_table_end_row(tby_table *table);
TBY_API bool tby_table_has_failed(const tby_table *table);

/* Keeps only the first rows. */
TBY_API void tby_table_cut(tby_table *table, size_t n_rows);
/* Adds rows of another table with the same columns. */
TBY_API void tby_table_append(tby_table *table, const tby_table *from, size_t first, size_t n_rows);
/* The values of a column that has no empty ones: int32_t, int64_t, uint64_t or double. They may be changed. */
TBY_API void *tby_table_values(tby_table *table, size_t column);

/* ---- Tables as bytes ----------------------------------------------------------------------------------- */

/* Would a spreadsheet treat this text in a CSV cell as a formula? The format spreadsheet then puts a ' before it. */
TBY_API bool tby_csv_is_formula(const char *s, size_t n);

/* The formats by name: csv, spreadsheet, tsv, html, jsonl, parquet, nnue. */
typedef struct tby_table_format {
    const char *name;
    const char *summary;
    const char *endings; /* of file names, separated by spaces */
    bool is_binary;
} tby_table_format;
/* NULL past the end, and for an unknown name. */
TBY_API const tby_table_format *tby_table_format_at(size_t index);
TBY_API const tby_table_format *tby_table_format_find(const char *name, size_t n);
/* By the ending of a file's name. */
TBY_API const tby_table_format *tby_table_format_guess(const char *file, size_t n);
/* Can it hold these columns? nnue holds a text, a whole number and a double: FEN, centipawns, score. */
TBY_API tby_status tby_table_format_check(const tby_table_format *format, const tby_column *columns, size_t n_columns,
                                          tby_error *err);

/* Rows as bytes of a format. Any thread may encode; the pieces are then written in order. Columns after the first
   `n_columns` are left out. */
typedef struct tby_table_piece tby_table_piece;
TBY_API tby_table_piece *tby_table_piece_new(const tby_table_format *format, const tby_allocator *allocator);
TBY_API void tby_table_piece_free(tby_table_piece *piece);
/* Replaces the contents of the piece. Returns false if out of memory. */
TBY_API bool tby_table_encode(tby_table_piece *piece, const tby_table *table, size_t n_columns);

typedef struct tby_table_writer tby_table_writer;
TBY_API tby_table_writer *tby_table_writer_new(const tby_table_format *format, const tby_column *columns,
                                               size_t n_columns, tby_sink sink, void *context,
                                               const tby_allocator *allocator);
TBY_API void tby_table_writer_free(tby_table_writer *writer);
/* Returns false if the sink did, or if out of memory. */
TBY_API bool tby_table_writer_begin(tby_table_writer *writer);
TBY_API bool tby_table_writer_add(tby_table_writer *writer, const tby_table_piece *piece);
/* `note` (may be NULL) is a text about the table, which only Parquet stores, under the key "tabiya". */
TBY_API bool tby_table_writer_end(tby_table_writer *writer, const char *note);

/* ---- Arrow --------------------------------------------------------------------------------------------- */

/* The Arrow C data and stream interfaces: pandas, Polars, DuckDB and others accept them without a copy. The structures
   and their names are those of the specification. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

/* A struct with a child for each column. Returns false if out of memory. */
TBY_API bool tby_arrow_schema(struct ArrowSchema *out, const tby_column *columns, size_t n_columns,
                              const tby_allocator *allocator);
/* The rows of a table. On success the array owns the table. */
TBY_API bool tby_arrow_array(struct ArrowArray *out, tby_table *table);

/* The source of a stream's tables. `next` fills an empty table; a table that stays empty ends the stream. `release` may
   be NULL. */
typedef struct tby_table_source {
    tby_status (*next)(void *context, tby_table *table, tby_failure *failure);
    void (*release)(void *context);
    void *context;
} tby_table_source;
/* On success the stream owns the source. */
TBY_API bool tby_arrow_stream(struct ArrowArrayStream *out, const tby_column *columns, size_t n_columns,
                              const tby_table_source *source, const tby_allocator *allocator);

/* ---- Games as rows ------------------------------------------------------------------------------------- */

/* One row for each game, for each position of its main line (the start first), or for each move. */
typedef enum tby_rows_kind { TBY_ROWS_GAMES = 0, TBY_ROWS_POSITIONS = 1, TBY_ROWS_MOVES = 2 } tby_rows_kind;

typedef struct tby_rows_options {
    tby_rows_kind kind;
    const char *columns; /* "game,ply,fen"; NULL = the usual ones. A name that begins with a capital is a PGN tag. */
    unsigned flags;      /* TBY_PGN_CHESS960 or 0: how games are read */
    uint32_t every;      /* only every N-th ply of a game; 0 = every ply */
    uint32_t skip_plies; /* the first plies of a game are left out */
    bool quiet;          /* only positions without check in which the next move is not a capture */
    bool complete;       /* only rows without an empty column */
    bool adds_key;       /* adds a column at the end: the key of the row's position */
} tby_rows_options;

/* The columns by name, for documentation; NULL past the end. */
typedef struct tby_rows_column {
    const char *name;
    tby_column_type type;
    bool may_be_empty;
    bool is_of_game; /* otherwise only for positions and moves */
    const char *summary;
} tby_rows_column;
TBY_API const tby_rows_column *tby_rows_column_at(size_t index);
/* The usual columns of a kind. */
TBY_API const char *tby_rows_usual_columns(tby_rows_kind kind);

/* Which rows and columns to write. It does not change, so any number of threads may use it. */
typedef struct tby_rows tby_rows;
/* NULL and an error if a column is unknown, repeated, or only for positions; the offset is its place in `columns`. */
TBY_API tby_rows *tby_rows_new(const tby_rows_options *options, const tby_allocator *allocator, tby_error *err);
TBY_API void tby_rows_free(tby_rows *rows);
TBY_API const tby_column *tby_rows_columns(const tby_rows *rows, size_t *n_columns);

/* Reads games and turns them into rows. */
typedef struct tby_rows_reader tby_rows_reader;
TBY_API tby_rows_reader *tby_rows_reader_new(const tby_rows *rows, const tby_game_notation *notation, tby_source source,
                                             void *context, const tby_allocator *allocator);
/* For games that are trees in memory: see tby_rows_reader_add. */
TBY_API tby_rows_reader *tby_rows_reader_new_empty(const tby_rows *rows, const tby_allocator *allocator);
TBY_API void tby_rows_reader_free(tby_rows_reader *reader);
/* Adds the rows of the next game. A game with a fault (TBY_GAME_BAD) adds none; `on_fault` is called as by
   tby_games_next. */
TBY_API tby_game_read tby_rows_reader_next(tby_rows_reader *reader, tby_table *table, tby_fault_watcher on_fault,
                                           void *context);
/* Adds the rows of this game, with this number. */
TBY_API tby_game_read tby_rows_reader_add(tby_rows_reader *reader, tby_table *table, const tby_game *game,
                                          int64_t number);
/* Games and lines so far. */
TBY_API tby_games_place tby_rows_reader_where(const tby_rows_reader *reader);
/* Counts so far: games, plies of good games, rows, and rows that the filters left out. */
typedef struct tby_rows_counts {
    uint64_t games, bad, plies, rows, left_out;
} tby_rows_counts;
TBY_API tby_rows_counts tby_rows_reader_counts(const tby_rows_reader *reader);
/* The index of the column "game", which a reader fills with numbers from 1; -1 if there is none. */
TBY_API int tby_rows_game_column(const tby_rows *rows);

#ifdef __cplusplus
}
#endif

#endif
