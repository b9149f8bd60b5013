/*
 * rows.h - games as rows: what the plan, the columns and the reader share.
 *
 *     rows.c           the plan: which columns, by name
 *     row_columns.c    what each column holds
 *     rows_reader.c    reads games and turns their main lines into rows
 */
#ifndef TBY_TABLE_ROWS_H
#define TBY_TABLE_ROWS_H

#include "support/buffer.h"
#include "tabiya_table.h"

enum { ROWS_COLUMNS_MAX = 64 };

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
enum { NEEDS_NOTES = 1, NEEDS_PACKED = 2, NEEDS_OPENING = 4, NEEDS_ELO = 8, NEEDS_FINAL = 16 };

typedef struct row_column {
    tby_rows_column about;
    unsigned needs;
    row_value_of value;
} row_column;

struct tby_rows {
    tby_allocator allocator;
    size_t size; /* of this memory */
    tby_rows_options options;
    size_t n_columns;
    unsigned needs;
    int game_column;
    tby_column columns[ROWS_COLUMNS_MAX + 1];
    const row_column *from[ROWS_COLUMNS_MAX + 1];
    char names[]; /* of the columns, each ended by NUL */
};

/* A row while it is built. A ply is the position after that many half-moves, 0 the start; notes belong to the move that
   led there. */
typedef struct table_row {
    const tby_rows *rows;
    size_t column; /* whose value is asked for */
    const tby_game *tree;
    const tby_move *moves; /* the main line */
    size_t n_plies;
    int64_t game;
    size_t ply;
    tby_node node;                /* of that ply */
    const tby_position *pos;      /* what fen and key describe */
    const tby_position *before;   /* where `move` is played */
    const tby_position *next_pos; /* where `next` is played */
    tby_move move, next;          /* TBY_MOVE_NONE: none */
    tby_note note;
    buffer *comment;
    int64_t clocks[2]; /* of both players, the last at even and at odd plies; negative: not given */
    bool is_incomplete;
    /* Data of the whole game, filled only if needed. */
    int64_t increment; /* in milliseconds; negative: not given */
    int elo[2];        /* 0: not given */
    const uint8_t *packed;
    size_t n_packed;
    tby_opening opening;
    bool has_opening;
    tby_position final;
    tby_position here, there; /* what the three positions point to */
    char room[TBY_FEN_SIZE];  /* for the text of a value */
    buffer *text, *utf8;      /* for texts without a size limit, and for those that are not UTF-8 */
} table_row;

const row_column *row_column_find(const char *name, size_t n);
/* A column of tags, whose name is that of the tag. */
extern const row_column row_tag_column;
/* Puts the value of a column. */
void row_put(table_row *r, tby_table *table, size_t column);

#endif
