/*
 * rows.h - games as rows: what the plan, the columns and the reader share.
 *
 *     rows.c           the plan: which columns, by name
 *     row_columns.c    what each column holds
 *     rows_reader.c    reads games and turns them into rows
 */
#ifndef TBY_TABLE_ROWS_H
#define TBY_TABLE_ROWS_H

#include "table/main_line.h"

enum { ROWS_COLUMNS_MAX = 64, ROWS_TAGS_MAX = ROWS_COLUMNS_MAX + 3 };

/* The value of a column in a row. The type of the column says which member of the union counts. */
typedef struct row_value {
    const char *s; /* a text, or bytes; any for a number; NULL if the value is missing */
    union {
        size_t n; /* of the text */
        int64_t number;
        double real;
    };
} row_value;

struct table_row;
typedef row_value (*row_value_of)(struct table_row *row);

/* What a column needs besides the moves. */
enum { NEEDS_NOTES = 1, NEEDS_PACKED = 2, NEEDS_OPENING = 4, NEEDS_ELO = 8, NEEDS_SPENT = 16, NEEDS_FINAL = 32 };

typedef struct row_column {
    tby_rows_column about;
    unsigned needs;
    row_value_of value;
} row_column;

struct tby_rows {
    tby_allocator allocator;
    size_t size; /* of this memory */
    tby_rows_options options;
    size_t n_columns, n_tags;
    unsigned needs;
    int game_column;
    int white_elo, black_elo, time_control; /* their tags */
    tby_column columns[ROWS_COLUMNS_MAX + 1];
    const row_column *from[ROWS_COLUMNS_MAX + 1];
    int tag_of[ROWS_COLUMNS_MAX + 1]; /* of columns that are tags; else -1 */
    const char *tags[ROWS_TAGS_MAX];
    char names[]; /* of the columns, each ended by NUL */
};

/* A row while it is built. */
typedef struct table_row {
    const tby_rows *rows;
    size_t column; /* whose value is asked for */
    const line *line;
    int64_t game;
    size_t ply;
    const tby_position *pos;      /* what fen and key describe */
    const tby_position *before;   /* where `move` is played */
    const tby_position *next_pos; /* where `next` is played */
    tby_move move, next;          /* TBY_MOVE_NONE: none */
    const line_notes *notes;
    bool is_incomplete;
    /* Data of the whole game, filled only if needed. */
    int elo[2]; /* 0: not given */
    const uint8_t *packed;
    size_t n_packed;
    tby_opening opening;
    bool has_opening;
    tby_position final;
    tby_position here, there; /* what the three positions point to */
    char room[TBY_FEN_SIZE];  /* for the text of a value */
    buffer *text;             /* for texts without a size limit */
} table_row;

const row_column *row_column_find(const char *name, size_t n);
/* A column whose tag is in rows->tag_of. */
extern const row_column row_tag_column;
/* Puts the value of a column. */
void row_put(table_row *r, tby_table *table, size_t column);

#endif
