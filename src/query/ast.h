/*
 * ast.h - a query as a tree: made by the reader, written by the printer, examined by planners.
 *
 * Nodes are indexes into tby_query.nodes; the children of a node are adjacent in tby_query.kids. The same struct is
 * used for the program that is run (compile.c), in which `either`, `mirror`, `shift` and names are expanded and equal
 * nodes are shared.
 *
 * Keeps    every byte of a node is defined, so that memcmp can compare nodes.
 */
#ifndef TBY_QUERY_AST_H
#define TBY_QUERY_AST_H

#include "support/array.h"
#include "tabiya_query.h"

#include <string.h>

/* The types that code refers to by name. All others are defined only by their row in facts.c and have numbers from
   N_NAMED_TYPES on. */
typedef enum query_type {
    /* Combinations of other nodes. */
    Q_SEQUENCE, /* A ; B     two children; `number` plies at most, 0 = any */
    Q_CHAIN,    /* A , B     */
    Q_FOR,      /* A for N   `number` */
    Q_GROUP,    /* brackets around one of the three: one ply long */
    Q_OR,
    Q_AND,
    Q_NOT,
    Q_EITHER,
    Q_MIRROR,
    Q_SHIFT, /* in programs: its expansion, and the pattern to shift: see run_shift.c */
    Q_EVER,
    Q_NEVER,
    Q_ALWAYS,
    Q_PATTERN, /* `text` is the name, the child its meaning */

    /* In programs only. */
    Q_TRUE,
    Q_FALSE,
    Q_SOON, /* the child holds at one of the plies from `range.low` to `range.high` later */

    /* Facts about the position. */
    Q_PIECES,      /* who[0] */
    Q_COUNT,       /* the children are terms, the first `number` of them left of `op` */
    Q_TERM_PIECES, /* who[0] */
    Q_TERM_NUMBER,
    Q_TERM_POINTS, /* `number` is 1 or -1: the side's points minus the other's */
    Q_TERM_LEGAL,
    Q_MATERIAL,
    Q_ATTACKS, /* who[0] attacks who[1] */
    Q_FEN,     /* board */
    Q_BOARD,   /* board */

    /* Facts about the move played. */
    Q_MOVE, /* who[0] from, who[1] captured and target */
    Q_PATH,

    /* Facts about the game. */
    Q_ECO, /* text, or TEXT_CODES: codes from `text` to `name`, either may be empty */
    Q_ELO, /* range */
    Q_DATE,
    Q_OPENING, /* text: a packed game; `name` as it was written */
    N_NAMED_TYPES
} query_type;

typedef enum query_op { OP_NONE, OP_EQUAL, OP_UNEQUAL, OP_LESS, OP_LESS_EQUAL, OP_MORE, OP_MORE_EQUAL } query_op;

/* Castling: the rights or the moves, one bit each in the order of FEN. */
enum { RIGHT_WHITE_SHORT = 1, RIGHT_WHITE_LONG = 2, RIGHT_BLACK_SHORT = 4, RIGHT_BLACK_LONG = 8 };

/* Pieces and pawns: one bit for each tby_piece, bit 0 for an empty square. */
enum { WHO_EMPTY = 0x0001, WHO_WHITE = 0x007e, WHO_BLACK = 0x7e00, WHO_ALL = 0x7e7f };
typedef struct query_who {
    tby_bitboard squares; /* all of them if is_anywhere */
    uint16_t pieces;
    uint16_t is_anywhere; /* no squares were given, so a shift changes nothing */
    uint32_t reserved;
} query_who;

/* How a value is compared. */
typedef enum text_way {
    TEXT_WORDS,   /* each folded word is a word of the value */
    TEXT_PATTERN, /* the folded value matches, * being any text */
    TEXT_WHOLE,   /* byte by byte; "" matches a missing value */
    TEXT_EXACT,   /* the same, written ="..." */
    TEXT_PERSON,  /* a name that may be the same person's, written ~"..."; `name` is the folded last name */
    TEXT_CODES
} text_way;
/* Some bytes of tby_query.bytes. */
typedef struct query_span {
    uint32_t at, n;
} query_span;

enum { PATH_SQUARES = 32 };

typedef struct query_node {
    uint16_t type; /* query_type, or the place of its row in query_facts */
    uint8_t op;    /* query_op */
    uint8_t way;   /* text_way */
    uint32_t n_kids;
    uint32_t first_kid;
    uint32_t at, length; /* its place in the text; 0 in programs */
    uint32_t reserved;   /* 0; in programs see compile.c */
    int64_t number;
    union {
        struct {
            query_who who[2];
            uint16_t promotion; /* moves: 0 = any move, else what the pawn becomes */
            uint8_t is_capture; /* moves: x */
            char mark;          /* moves: '+', '#' or 0 */
            uint8_t has_piece;  /* moves: a captured piece was named */
            uint8_t reserved[3];
        } m;
        struct {
            uint8_t least[2][8];   /* by colour and tby_kind */
            uint8_t is_open[2][8]; /* that many or more */
        } material;
        struct {
            uint16_t pieces;
            uint16_t n;
            uint8_t squares[PATH_SQUARES];
        } path;
        struct {
            query_span text, name, folded;
        } t;
        struct {
            int64_t low, high; /* inclusive */
        } range;
        struct {
            tby_board board;
            tby_bitboard castling;
            uint8_t side, en_passant; /* the square if a capture is legal, else TBY_NO_SQUARE */
            uint8_t reserved[6];
        } board;
    } u;
} query_node;

/* A new node, all zero except its type. */
static inline query_node node_of(unsigned type)
{
    query_node node;
    memset(&node, 0, sizeof node);
    node.type = (uint16_t)type;
    return node;
}

/* The ids from `first` on; an empty list may have no memory. */
static inline uint32_t *list_ids(const array_list *list, size_t first)
{
    return list->items ? (uint32_t *)list->items + first : NULL;
}

typedef struct query_pattern {
    tby_text name; /* in the table of built-in patterns, or in the text that is read */
    uint32_t root; /* the root of its meaning; QUERY_NO_NODE until it is needed */
    int32_t built_in;
} query_pattern;

#define QUERY_NO_NODE UINT32_MAX
/* Beyond the end of every game. */
enum { QUERY_NO_LAST_PLY = 1 << 20 };
/* A caller that only wants the first ply has the first plies checked before the others, in stages. */
enum { QUERY_STAGES = 3 };
static inline uint32_t query_stage_plies(int stage) { return (8U << stage) - 1; }

/* A tree or a program. */
typedef struct query_tree {
    array_list nodes; /* query_node */
    array_list kids;  /* uint32_t */
    uint32_t root;
} query_tree;

struct tby_query {
    tby_allocator allocator;
    query_tree tree, program;
    array_list bytes; /* char */
    unsigned needs;
    unsigned depth;                     /* of the program */
    uint32_t last_ply;                  /* the last ply it looks at; QUERY_NO_LAST_PLY: no limit */
    uint32_t stage_reach[QUERY_STAGES]; /* the same if only the plies of a stage are checked */
    bool is_of_game;                    /* it only looks at the game as a whole */
    const struct query_people *people;  /* names that its people do not have (copy.h); NULL: none are known */
};

static inline const query_node *tree_node(const query_tree *t, uint32_t id)
{
    TBY_CONTRACT(id < t->nodes.n);
    return (const query_node *)t->nodes.items + id;
}
static inline uint32_t tree_kid(const query_tree *t, const query_node *node, uint32_t i)
{
    TBY_CONTRACT(i < node->n_kids && node->first_kid + i < t->kids.n);
    return ((const uint32_t *)t->kids.items)[node->first_kid + i];
}
static inline const char *query_bytes(const tby_query *q, query_span span)
{
    return (const char *)q->bytes.items + span.at;
}

/* Adds a node with these children to a tree; QUERY_NO_NODE if out of memory. */
uint32_t query_tree_add(const tby_allocator *allocator, query_tree *tree, const query_node *node, const uint32_t *kids,
                        size_t n_kids);
void query_tree_free(const tby_allocator *allocator, query_tree *tree);

/* Fills query->program and query->needs. The nodes of a program are AND, OR, NOT, EVER, ALWAYS, FOR, SOON, TRUE, FALSE
   and facts. Children come before their parents, and the children of AND and OR are sorted by cost. (compile.c) */
bool query_compile(tby_query *query, tby_query_error *err);
/* The last ply that the program looks at to answer for the plies up to `asked`; QUERY_NO_LAST_PLY if there is no limit.
   (last_ply.c) */
uint32_t query_last_ply(const query_tree *program, uint32_t asked);

/* From the facts that must all hold, writes those that can be checked against a game that consists only of moves, or
   the others. Named patterns are expanded, so that any reader understands them. Both parts together are the query.
   Empty if there are none. With cap 0 it only measures. (write.c) */
size_t query_write_part(char *buf, size_t cap, const tby_query *query, bool is_of_moves);

#endif
