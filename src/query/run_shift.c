/*
 * run_shift.c - checks a pattern shifted by every number of files at once.
 *
 * The shifts at which a pattern holds are a set of 15 bits, bit 7 + d for a shift by d files. A piece on ranks R of
 * file c matches after a shift by d if there is one on ranks R of file c + d: so the ranks are folded onto one, which
 * leaves a bit for each file, and these bits are shifted by 7 - c. AND, OR and NOT are set operations.
 */
#include "base/variant.h"
#include "query/run_block.h"

#define ALL_SHIFTS 0x7fffULL

typedef struct shift_sets {
    uint64_t at[WORD];
} shift_sets;

/* Some plies, and the squares of the pieces looked up last: patterns use few kinds. */
enum { KINDS_MAX = 2 };
typedef struct shift_block {
    const tby_query_state *state;
    ply_block plies;
    uint16_t pieces[KINDS_MAX];
    unsigned n_kinds;
    tby_bitboard who[KINDS_MAX][WORD];
} shift_block;

static void fill(shift_sets *out, unsigned n, uint64_t set)
{
    for (unsigned i = 0; i < n; i++)
        out->at[i] = set;
}

/* ---- Pieces ------------------------------------------------------------------------------------------------ */

static const tby_bitboard *pieces_of(shift_block *b, uint16_t pieces)
{
    const query_who who = {.squares = ~0ULL, .pieces = pieces, .is_anywhere = 1};
    for (unsigned i = 0; i < b->n_kinds && i < KINDS_MAX; i++)
        if (b->pieces[i] == pieces)
            return b->who[i];
    const unsigned place = b->n_kinds++ % KINDS_MAX;
    b->pieces[place] = pieces;
    pieces_squares(b->who[place], &b->plies, &who);
    return b->who[place];
}

static unsigned fold_ranks(tby_bitboard squares)
{
    squares |= squares >> 32;
    squares |= squares >> 16;
    return (unsigned)(squares | squares >> 8) & 0xff;
}

/* Adjacent files that have squares on the same ranks. */
typedef struct file_run {
    tby_bitboard squares; /* of these ranks, on all files */
    unsigned steps[3];    /* shifts that spread a bit over all files of the run */
    unsigned place;       /* how far the bits of its last file are shifted */
} file_run;

/* The run that begins on the first of these files. */
static file_run run_of(tby_bitboard squares)
{
    const unsigned first = (unsigned)__builtin_ctz(fold_ranks(squares));
    const tby_bitboard ranks = squares >> first & BB_FILE_A;
    unsigned last = first, width = 1;
    while (last < 7 && (squares >> (last + 1) & BB_FILE_A) == ranks)
        last++;
    file_run run = {.squares = ranks * 0xff, .place = 7 - last};
    for (unsigned i = 0; i < 3; i++) {
        const unsigned left = last - first + 1 - width;
        run.steps[i] = left < width ? left : width;
        width += run.steps[i];
    }
    return run;
}

static tby_bitboard squares_of_run(const file_run *run)
{
    const unsigned width = 1 + run->steps[0] + run->steps[1] + run->steps[2], last = 7 - run->place;
    return run->squares & (((1U << width) - 1) << (last + 1 - width)) * BB_FILE_A;
}

/* Adds the shifts at which such a piece is on one of the squares of the run. */
static void add_one(uint64_t *out, const tby_bitboard *who, unsigned n, const file_run *run)
{
    const file_run r = *run;
    for (unsigned i = 0; i < n; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): pieces_of fills one a ply */
        uint64_t files = who[i] & r.squares;
        files |= files >> 32;
        files |= files >> 16;
        files = (files | files >> 8) & 0xff;
        files |= files << r.steps[0];
        files |= files << r.steps[1];
        files |= files << r.steps[2];
        out[i] |= files << r.place;
    }
}

/* The same with two pieces on one of its files. */
static void add_two(uint64_t *out, const tby_bitboard *who, unsigned n, const file_run *run)
{
    const file_run r = *run;
    for (unsigned i = 0; i < n; i++) {
        uint64_t one = who[i] & r.squares, two = one & one >> 32;
        one |= one >> 32;
        two |= two >> 16 | (one & one >> 16);
        one |= one >> 16;
        two |= two >> 8 | (one & one >> 8);
        out[i] |= (two & 0xff) << r.place;
    }
}

/* At least `least` pieces, 1 or 2; two only for squares of one file. */
static void pieces_shifts(shift_sets *out, shift_block *b, const query_who *who, int64_t least)
{
    const unsigned n = b->plies.n;
    const tby_bitboard *sets = pieces_of(b, who->pieces);
    fill(out, n, 0);
    for (unsigned i = 0; who->is_anywhere && i < n; i++)
        out->at[i] = sets[i] ? ALL_SHIFTS : 0; /* NOLINT(clang-analyzer-core.uninitialized.Branch): as above */
    for (tby_bitboard rest = who->is_anywhere ? 0 : who->squares; rest;) {
        const file_run run = run_of(rest);
        rest &= ~squares_of_run(&run);
        (least == 1 ? add_one : add_two)(out->at, sets, n, &run);
    }
}

/* ---- Nodes ---------------------------------------------------------------------------------------------- */

/* A comparison of a number of pieces that only tests for none, one or two. */
static bool simple_count(const query_tree *program, const query_node *node, const query_who **who, int64_t *least,
                         bool *is_none)
{
    const query_node *first = tree_node(program, tree_kid(program, node, 0)),
                     *last = tree_node(program, tree_kid(program, node, node->n_kids - 1));
    if (node->n_kids != 2 || node->number != 1 || first->type != Q_TERM_PIECES || last->type != Q_TERM_NUMBER)
        return false;
    *who = &first->u.m.who[0];
    *least = 1;
    if (asks_if_any(node->op, last->number, is_none))
        return true;
    const tby_bitboard squares = (*who)->squares, file = BB_FILE_A << (squares ? bb_first(squares) & 7 : 0);
    *least = 2;
    *is_none = false;
    return !(*who)->is_anywhere && !(squares & ~file) &&
           ((node->op == OP_MORE_EQUAL && last->number == 2) || (node->op == OP_MORE && last->number == 1));
}

static void shifts_of(shift_sets *out, shift_block *b, uint32_t id);

static void join_shifts(shift_sets *out, shift_block *b, const query_node *node)
{
    const query_tree *program = &b->state->query->program;
    shift_sets other;
    shifts_of(out, b, tree_kid(program, node, 0));
    for (uint32_t k = 1; k < node->n_kids; k++) {
        shifts_of(&other, b, tree_kid(program, node, k));
        if (node->type == Q_AND)
            for (unsigned i = 0; i < b->plies.n; i++)
                out->at[i] &= other.at[i];
        else
            for (unsigned i = 0; i < b->plies.n; i++)
                out->at[i] |= other.at[i];
    }
}

/* The shifts at which a node holds, ply by ply. */
static void shifts_of(shift_sets *out, shift_block *b, uint32_t id)
{
    const query_tree *program = &b->state->query->program;
    const query_node *node = tree_node(program, id);
    const query_who *who = &node->u.m.who[0];
    int64_t least = 1;
    bool is_none = node->type == Q_NOT;
    switch (node->type) {
    case Q_TRUE:
    case Q_FALSE: fill(out, b->plies.n, node->type == Q_TRUE ? ALL_SHIFTS : 0); break;
    case Q_NOT: shifts_of(out, b, tree_kid(program, node, 0)); break;
    case Q_AND:
    case Q_OR: join_shifts(out, b, node); break;
    default:
        if (node->type == Q_COUNT)
            simple_count(program, node, &who, &least, &is_none);
        pieces_shifts(out, b, who, least);
    }
    for (unsigned i = 0; is_none && i < b->plies.n; i++)
        out->at[i] ^= ALL_SHIFTS;
}

/* Deeper patterns are checked shift by shift. */
enum { DEPTH_MAX = 8 };
static bool is_simple(const query_tree *program, uint32_t id, unsigned depth)
{
    const query_node *node = tree_node(program, id);
    const query_who *who;
    int64_t least;
    bool is_none;
    switch (node->type) {
    case Q_TRUE:
    case Q_FALSE:
    case Q_PIECES: return true;
    case Q_COUNT: return simple_count(program, node, &who, &least, &is_none);
    case Q_AND:
    case Q_OR:
    case Q_NOT:
        for (uint32_t i = 0; i < node->n_kids; i++)
            if (depth == 0 || !is_simple(program, tree_kid(program, node, i), depth - 1))
                return false;
        return true;
    default: return false;
    }
}

TBY_KERNEL(bool, run_can_shift, (const query_tree *program, uint32_t id), (program, id))
{
    return is_simple(program, id, DEPTH_MAX);
}

PLY_KERNEL(run_shift)
{
    shift_block b;
    shift_sets found;
    b.state = s;
    b.plies = ply_block_of(s, w);
    b.n_kinds = 0;
    shifts_of(&found, &b, tree_kid(&s->query->program, node, 1));
    return bits_of(found.at, b.plies.n) & asked;
}
