/*
 * columns.h - the columns of a stored game, defined in one table.
 *
 * The table determines the tables and views of both databases, the order in which values are stored and read, how rows
 * are compared and listed, and which tags have columns. A new column is a new member of tby_row and a new row of it.
 */
#ifndef TBY_ROW_COLUMNS_H
#define TBY_ROW_COLUMNS_H

#include "support/json_lex.h"
#include "tabiya_query.h"

#include <string.h>

typedef enum column_kind {
    COLUMN_NAME,   /* tby_text; in a file, a row number in a table of names */
    COLUMN_TEXT,   /* tby_text */
    COLUMN_NUMBER, /* int; 0 = none */
    COLUMN_DATE,   /* int, as 20190531; 0 = none */
    COLUMN_CHOICE, /* an enum, stored as text */
    COLUMN_DAY,    /* int, as 20190500; 0 = none */
    COLUMN_COUNT,  /* uint32_t */
    COLUMN_SHAPE,  /* tby_text; stored as a row number in the table `shape` */
    COLUMN_JSON,   /* tby_text */
    COLUMN_HASH,   /* uint64_t */
    COLUMN_MOVES,  /* tby_text: a packed game */
    COLUMN_RECORD  /* tby_text: a CMBR record */
} column_kind;

/* Sets of kinds. */
#define KIND(kind) (1u << (kind))
#define KINDS_WITH_TEXT                                                                                                \
    (KIND(COLUMN_NAME) | KIND(COLUMN_TEXT) | KIND(COLUMN_SHAPE) | KIND(COLUMN_JSON) | KIND(COLUMN_MOVES) |             \
     KIND(COLUMN_RECORD))
#define KINDS_LISTED                                                                                                   \
    (KIND(COLUMN_NAME) | KIND(COLUMN_TEXT) | KIND(COLUMN_NUMBER) | KIND(COLUMN_DATE) | KIND(COLUMN_CHOICE) |           \
     KIND(COLUMN_COUNT))
#define KINDS_OF_ROWS (KINDS_LISTED | KIND(COLUMN_MOVES)) /* TBY_WANTED_ROWS */
#define KINDS_ALL (KINDS_WITH_TEXT | KINDS_LISTED | KIND(COLUMN_DAY) | KIND(COLUMN_HASH))

/* The tables of names in a file. */
typedef enum name_table { NAMES_PLAYER, NAMES_EVENT, NAMES_SITE, NAMES_SHAPE, N_NAME_TABLES } name_table;
extern const char *const name_tables[N_NAME_TABLES];

typedef struct row_column {
    const char *name, *tag; /* the tag stored in this column, or NULL */
    column_kind kind;
    size_t offset; /* in tby_row */
    name_table names;
    int most;                               /* the largest value of a number or an enum */
    const char *(*text)(int choice);        /* text of an enum; NULL is stored as NULL */
    bool (*takes)(const char *s, size_t n); /* is the tag's text valid? NULL: always */
    int (*read)(const char *s, size_t n);   /* the tag's text as a number; NULL: not set from the tag */
    bool is_guess;                          /* without a tag, another version may derive another value */
    /* Derives a value without the tag: called after the moves, before the other tags are written. */
    void (*derive)(tby_row *row, const tby_game *game);
} row_column;

/* Columns with tags come first. */
enum { N_COLUMNS_MAX = 24 };
extern const row_column row_columns[];
extern const size_t n_row_columns;

static inline bool column_is(const row_column *c, unsigned kinds) { return kinds >> c->kind & 1; }
/* Twice the mean rating; 0 if a rating is unknown. */
static inline int elo_twice(int white, int black) { return white && black ? white + black : 0; }
/* Is the column NOT NULL in a database? */
static inline bool column_is_needed(const row_column *c)
{
    return column_is(c, KIND(COLUMN_COUNT) | KIND(COLUMN_SHAPE) | KIND(COLUMN_HASH) | KIND(COLUMN_MOVES)) ||
           (c->kind == COLUMN_CHOICE && c->text(0));
}
/* NULL for a tag without a column. */
const row_column *column_of_tag(const char *name, size_t n);
/* NULL if there is none of this name. */
const row_column *column_named(const char *name);

/* ---- Tags that are numbers (tag_values.c) ------------------------------------------------------------------------ */

/* A number replaces a tag's text only if it reproduces that text; otherwise the text is stored as well. */
enum { ELO_MAX = 9999, DATE_MAX = 99991231, DAY_MAX = 99999999 };
/* "????.??.??" for 0. */
void date_write(char out[TBY_ROW_TEXT_SIZE], int date);
void number_write(char out[TBY_ROW_TEXT_SIZE], int number);
/* 1 to ELO_MAX; 0 for anything else. */
int elo_read(const char *s, size_t n);
/* "?", "-" and the empty text are not opening codes. */
bool eco_is_code(const char *s, size_t n);

/* ---- Texts ---------------------------------------------------------------------------------------------- */

static inline bool texts_equal(tby_text a, tby_text b) { return a.n == b.n && memcmp(a.s, b.s, a.n) == 0; }

/* The order of their bytes, for qsort. */
static inline int text_order(tby_text a, tby_text b)
{
    const int order = memcmp(a.s, b.s, a.n < b.n ? a.n : b.n);
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

/* ---- Values --------------------------------------------------------------------------------------------- */

static inline tby_text *column_text(const row_column *c, tby_row *row) { return (tby_text *)((char *)row + c->offset); }
static inline const tby_text *column_text_of(const row_column *c, const tby_row *row)
{
    return (const tby_text *)((const char *)row + c->offset);
}
/* Steps through the texts that a row has, from *at = 0 on; NULL after the last. */
tby_text *row_next_text(tby_row *row, size_t *at);
/* For all kinds without text, except COLUMN_HASH. */
int column_get_number(const row_column *c, const tby_row *row);
void column_set_number(const row_column *c, tby_row *row, int number);
/* The value as text of its tag, if it has one: "2019.05.??", "2400", "1-0". Numbers are written into `room`. */
tby_text column_tag(const row_column *c, const tby_row *row, char room[TBY_ROW_TEXT_SIZE]);

/* A row found in a database: `text` and `number` return the value of a column; columns not of `kinds` have none. A
   value that is out of range counts as unknown. */
typedef struct cells {
    tby_text (*text)(const void *from, int at);
    int64_t (*number)(const void *from, int at);
    const void *from;
    int first; /* the place of the first column */
} cells;
void row_of_cells(tby_row *out, const cells *from, unsigned kinds);
/* Are all values in range? */
bool row_fits_cells(const tby_row *row, const cells *from);

/* Are all columns the same? With `but_guesses`, not counting derived values that no tag sets. */
bool row_is_equal(const tby_row *a, const tby_row *b, bool but_guesses);

/* ---- Tags ----------------------------------------------------------------------------------------------- */

/* Finds a tag in the row's JSON object. False if it is not there: then its value is that of its column. */
bool row_other_tag(const tby_row *row, const char *name, json_text *out);
/* Is the tag one of the names in the shape? */
bool row_has_tag(const tby_row *row, const char *name);
/* The speed with this name; TBY_SPEED_NONE if there is none. (tag_values.c) */
tby_speed speed_find(const char *s, size_t n);
/* The seconds of a TimeControl's first period, without the increment; -1 if there are none. (tag_values.c) */
int64_t speed_base(const char *s, size_t n);

/* ---- SQL (columns_sql.c) -------------------------------------------------------------------------------- */

void column_define(tby_sink sink, void *context, tby_sql sql, const row_column *c);

/* One value per column, NULL for those not of `kinds`; names as texts, and the shape as the expression `shape`. The
   table must be called `game` in a file and `g` on a server, and a file needs the joins. */
void columns_select(tby_sink sink, void *context, tby_sql sql, unsigned kinds, const char *shape);
void columns_joins(tby_sink sink, void *context, unsigned kinds);

#endif
