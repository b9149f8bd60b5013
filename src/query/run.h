/*
 * run.h - a game while a query is checked against it.
 *
 * Its positions are stored side by side, and a fact is evaluated for 64 plies at a time: bit k of a word is ply 64 * w
 * + k.
 */
#ifndef TBY_QUERY_RUN_H
#define TBY_QUERY_RUN_H

#include "codec/packed.h"
#include "position/attackers.h"
#include "query/bound.h"

typedef uint64_t ply_bits;

/* A shortcut that usually saves work for all games of a query or for none: the last games decide whether to use it. */
typedef struct query_trial {
    uint32_t n_games, n_tries, n_good;
} query_trial;
static inline bool trial_is_worth(query_trial *t, uint32_t one_in)
{
    enum { GAMES = 4096, TRIES = 64 };
    if (++t->n_games == GAMES)
        *t = (query_trial){0, 0, 0};
    return t->n_tries < TRIES || t->n_good * one_in > t->n_tries;
}
static inline void trial_add(query_trial *t, bool is_good)
{
    t->n_tries++;
    t->n_good += is_good;
}

struct tby_query_state {
    const tby_query *query;
    tby_allocator allocator;
    const tby_query_game *game;
    const struct query_members *members; /* of the database that is searched; NULL: no game is in a collection */
    struct query_members *own_members;   /* freed with the state */
    int fault;                           /* TBY_QUERY_NO_MEMORY or TBY_QUERY_DAMAGED; 0 = none */

    /* The positions of ply 0 to n_plies; n_positions is 0 until they are decoded. */
    packed_plies plies;
    size_t n_positions, cap_positions;
    size_t n_words;     /* of 64 plies */
    uint32_t first_ply; /* as in tby_position: determines the side and the move number */
    tby_packed cursor;  /* after the positions that are decoded */
    query_trial stages[QUERY_STAGES], glance;

    array_list memory;     /* ply_bits: sets of plies, as a stack */
    uint8_t *known;        /* what is known of each node about the game: see FACT_... */
    array_list repeats;    /* uint32_t: how often each position occurred, if at least `least_repeats` */
    int64_t least_repeats; /* 0 while they are not counted */
    array_list text;       /* char: values while they are compared */
    array_list answer;     /* uint32_t: plies */
    array_list spare;      /* ply_bits: for `ever` and `always` */

    /* The record. */
    tby_game *notes;
    array_list nodes; /* tby_node: the main line, ply by ply */
    bool has_notes;

    bool *glances; /* values of bound_query */
};

enum { FACT_UNKNOWN = 0, FACT_FALSE = 1, FACT_TRUE = 2 };

static inline bool state_is_good(const tby_query_state *s) { return s->fault == 0; }
static inline bool state_fail(tby_query_state *s, int fault)
{
    if (s->fault == 0)
        s->fault = fault;
    return false;
}

static inline tby_color state_side(const tby_query_state *s, size_t ply)
{
    return (tby_color)((s->first_ply + ply) & 1);
}
static inline tby_board state_board(const tby_query_state *s, size_t ply)
{
    return (tby_board){
        {s->plies.plane[0][ply], s->plies.plane[1][ply], s->plies.plane[2][ply], s->plies.plane[3][ply]}};
}
/* A position for the rules, without its key and clock. */
static inline tby_position state_position(const tby_query_state *s, size_t ply)
{
    return (tby_position){.board = state_board(s, ply),
                          .castling = s->plies.castling[ply],
                          .ply = s->first_ply + (uint32_t)ply,
                          .en_passant = s->plies.en_passant[ply]};
}
static inline bool op_holds(unsigned op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_EQUAL: return a == b;
    case OP_UNEQUAL: return a != b;
    case OP_LESS: return a < b;
    case OP_LESS_EQUAL: return a <= b;
    case OP_MORE: return a > b;
    case OP_MORE_EQUAL: return a >= b;
    default: return false;
    }
}

static inline bool state_is_check(const tby_query_state *s, size_t ply)
{
    const tby_board board = state_board(s, ply);
    return king_attackers(&board, state_side(s, ply)) != 0;
}
/* Is there no further move, or only a null move? */
static inline bool state_may_be_over(const tby_query_state *s, size_t ply)
{
    return s->plies.moves[ply] == TBY_MOVE_NONE || s->plies.moves[ply] == TBY_MOVE_NULL;
}

/* A mask of every second ply. */
static inline ply_bits state_plies_of(const tby_query_state *s, int64_t side)
{
    return (s->first_ply & 1) == side ? 0x5555555555555555ULL : 0xaaaaaaaaaaaaaaaaULL;
}

/* At which of the plies `asked` of word `w` does the fact hold? (run_board.c, run_move.c, run_ply.c, run_notes.c,
   run_shift.c) */
typedef ply_bits ply_evaluator(tby_query_state *s, const query_node *node, size_t w, ply_bits asked);
/* Declares an evaluator as in facts.c; in the files listed under KERNELS it is a kernel. */
#define PLY_PARAMS (tby_query_state * s, const query_node *node, size_t w, ply_bits asked)
#define PLY_KERNEL(name) TBY_KERNEL(ply_bits, name, PLY_PARAMS, (s, node, w, asked))
#define PLY_FACT(name)                                                                                                 \
    ply_evaluator name;                                                                                                \
    ply_bits name PLY_PARAMS
/* The plies of `asked` at which `holds` is true. */
typedef bool ply_holds(tby_query_state *s, const query_node *node, size_t ply);
static inline ply_bits each_ply(tby_query_state *s, const query_node *node, size_t w, ply_bits asked, ply_holds *holds)
{
    ply_bits bits = 0;
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        bits |= (ply_bits)holds(s, node, w * 64 + i) << i;
    }
    return bits;
}

/* Can a node be the pattern of a Q_SHIFT? (run_shift.c) */
ply_evaluator run_shift;
bool run_can_shift(const query_tree *program, uint32_t id);

/* The plies of a word with irreversible moves: no earlier position can recur. (run_move.c) */
ply_bits run_final(const tby_query_state *s, size_t w);

/* Does a fact about the game hold? (run_game.c, run_notes.c) */
typedef bool game_evaluator(tby_query_state *s, const query_node *node);
#define GAME_FACT(name)                                                                                                \
    game_evaluator name;                                                                                               \
    bool name(tby_query_state *s, const query_node *node)
bool run_game(tby_query_state *s, const query_node *node);
/* The possible numbers of pieces, by colour and tby_kind, and which side may promote. */
enum { BOUNDS_MOST = 64 };
typedef struct query_bounds {
    int8_t low[2][8], high[2][8];
    bool promotes[2];
    tby_bitboard home[2]; /* pawns that never move from here, by colour */
    bool has_files;       /* pawns are known by colour and file; `low` and `home` have none then */
    int8_t files_low[2][8], files_high[2][8];
} query_bounds;
/* May the node hold in a position within these bounds? `values` has room for bound_n_values. */
bool run_allows(const query_bounds *bounds, const tby_query *query, uint32_t id, bool *values);
/* What is known of the state's game before it is decoded: if COVER_EXACT, it matches if and only if `*may_hold`. */
cover run_glance(tby_query_state *s, bool *may_hold);
/* Does a node that looks only at the game hold? (run.c) */
bool run_node_of_game(tby_query_state *s, uint32_t id);
/* Does a value match? NULL is a missing value. */
bool run_text_fits(const tby_query *q, const query_node *node, const char *s, size_t n);

#endif
