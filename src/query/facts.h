/*
 * facts.h - the facts of the query language, one table row each.
 *
 * The reader, printer, compiler, evaluator, planners and both SQL dialects look facts up here. A new fact about a
 * column is a new row of the table in facts.c; any other is a row and an evaluator.
 *
 * Keeps    the type of a node is the index of its row.
 */
#ifndef TBY_QUERY_FACTS_H
#define TBY_QUERY_FACTS_H

#include "query/run.h"
#include "row/columns.h"

/* ---- Transforms (transform.c) --------------------------------------------------------------------------- */

/* The new file of each file, 8 if it leaves the board; and what else changes. */
typedef struct query_transform {
    uint8_t file[8];
    uint8_t flips;   /* colours exchanged, the board upside down */
    uint8_t mirrors; /* files a-h exchanged with h-a */
    uint8_t shifts;  /* moved sideways */
} query_transform;

query_transform transform_none(void);
/* Applies this transform first, then `outer`. */
query_transform transform_flip(query_transform outer);
query_transform transform_mirror(query_transform outer);
query_transform transform_shift(query_transform outer, int files);

/* Changes a fact. One that cannot be transformed becomes Q_FALSE. */
void transform_apply(const query_transform *t, query_node *node);

/* ---- Facts ---------------------------------------------------------------------------------------------- */

/* What follows the word or replaces it; determines the contents of the node. */
typedef enum fact_value {
    VALUE_NODES,  /* combines other nodes, by signs or in programs only */
    VALUE_JOIN,   /* and, or, for: between or after facts */
    VALUE_PREFIX, /* not, either ...: a fact follows */
    VALUE_SUM,    /* points, legal: a count begins */
    VALUE_PIECES, /* from here on: no word comes first */
    VALUE_COUNT,
    VALUE_MATERIAL,
    VALUE_ATTACKS, /* the word is in the middle */
    VALUE_MOVE,
    VALUE_PATH,
    VALUE_NONE, /* the word alone: `number`, and the fixed `text` of the row if there is one */
    VALUE_NUMBER,
    VALUE_RANGE,
    VALUE_SIGNED, /* a range that may be negative */
    VALUE_DATES,  /* a range of numbers as 20190531 */
    VALUE_TEXT,
    VALUE_TAG, /* a name and a text */
    VALUE_CODES,
    VALUE_OPENING,
    VALUE_RESULT, /* number: tby_result */
    VALUE_SPEED,  /* number: tby_speed */
    VALUE_MODE,   /* rated or casual: read as `rated`, or its negation */
    VALUE_POSITION,
    VALUE_RIGHTS,   /* number: bits of RIGHT_... */
    VALUE_COMPARED, /* an operator and a number with a fraction, in millionths */
    VALUE_NAG
} fact_value;

/* What the fact looks at. */
typedef enum fact_scope {
    SCOPE_NODES, /* the same as its children */
    SCOPE_GAME,
    SCOPE_PLY,
    SCOPE_MOVE, /* played there */
    SCOPE_NOTE  /* comments and NAGs after the move that led there */
} fact_scope;

/* How two columns are combined. */
typedef enum fact_of {
    OF_BOTH,
    OF_ANY,
    OF_DIFFERENCE, /* one number: the first minus the second */
    OF_MEAN        /* one number: the mean of both, with its half */
} fact_of;

/* A column of the table of games. The offset in tby_row is unused for a column that is not in it, such as `id`. */
typedef struct fact_column {
    const char *name; /* NULL: none */
    size_t offset;
} fact_column;

/* What the index `stood` covers: the squares each piece ever occupied, and marks for events. */
typedef enum fact_stood {
    STOOD_NOTHING,
    STOOD_PIECES,
    STOOD_COUNT,
    STOOD_ATTACK,
    STOOD_MOVE,
    STOOD_PATH,
    STOOD_MARK
} fact_stood;

/* The marks: castling as RIGHT_... in ast.h, then: */
enum {
    MARK_PROMOTION = 0x0010, /* to knight, bishop, rook, queen; Black's four bits higher */
    MARK_EN_PASSANT = 0x1000,
    MARK_MATE = 0x2000,
    MARK_STALEMATE = 0x4000
};

typedef bool bounds_evaluator(const query_bounds *bounds, const tby_query *query, const query_node *node);
typedef void fact_transform(const query_transform *t, query_node *node);
/* Functions for the summary of a game (run_summary.c), and for transforms (transform.c). */
bounds_evaluator may_pieces, may_count, may_material, may_opposite_bishops, may_promote;
fact_transform turn_pieces, turn_path, turn_board, turn_rights, turn_castles, turn_material, turn_points, turn_eval,
    turn_result;

typedef struct query_fact {
    const char *word; /* NULL: it is written by signs */
    const char *text; /* VALUE_NONE: the text that the columns are compared with */
    uint8_t value;    /* fact_value */
    uint8_t scope;    /* fact_scope */
    uint8_t needs;    /* TBY_QUERY_NEEDS_... */
    uint8_t cost;     /* of checking it: the cheaper facts of an AND are checked first */
    int8_t number;    /* of the node, before its value is read */

    /* The columns that answer the fact. SQL is generated from them, and so is the evaluator if there is no other. */
    fact_column columns[2];
    uint8_t of;     /* fact_of */
    uint8_t least;  /* of a range: smaller numbers mean unknown */
    uint16_t kinds; /* of other columns that the evaluator reads: KIND(...) of columns.h */

    ply_evaluator *run;    /* SCOPE_PLY, SCOPE_MOVE, SCOPE_NOTE */
    game_evaluator *holds; /* SCOPE_GAME; NULL: by the columns */

    const char *flipped;       /* the word of the same fact with colours exchanged */
    fact_transform *transform; /* what else a transform changes; NULL: nothing */

    bounds_evaluator *may_hold; /* may it hold with such material? NULL: yes */
    uint8_t stood;              /* fact_stood */
    uint16_t mark;              /* STOOD_MARK: MARK_..., 0: `number` is one */
    uint8_t ply_unit;           /* the range is in plies (1) or moves (2), and holds at none beyond */
    bool looks_to_end;          /* looks at plies up to the end of the game */
} query_fact;

extern const query_fact query_facts[];
extern const size_t n_query_facts;

static inline const query_fact *fact_of_node(const query_node *node) { return &query_facts[node->type]; }
/* Is it about the name of a player? */
static inline bool fact_is_of_player(const query_fact *f)
{
    const char *column = f->columns[0].name;
    return column && (strcmp(column, "white") == 0 || strcmp(column, "black") == 0);
}
static inline bool fact_is_join(const query_fact *f) { return f->value == VALUE_JOIN || f->value == VALUE_ATTACKS; }
/* Are two columns compared as one number? The number is fact_combined, and its bounds are fact_bound: for a mean, the
   sum and twice the bounds. */
static inline bool fact_is_combined(const query_fact *f) { return f->of == OF_DIFFERENCE || f->of == OF_MEAN; }
static inline int64_t fact_combined(const query_fact *f, int64_t a, int64_t b)
{
    return f->of == OF_MEAN ? a + b : a - b;
}
static inline int64_t fact_bound(const query_fact *f, int64_t bound)
{
    enum { FAR = 1 << 20 }; /* beyond any rating */
    return f->of != OF_MEAN ? bound : 2 * (bound < -FAR ? -FAR : bound > FAR ? FAR : bound);
}
static inline unsigned fact_type(const query_fact *f) { return (unsigned)(f - query_facts); }
/* The fact with exactly this word; NULL if there is none. */
const query_fact *fact_find(const char *word, size_t n);

#endif
