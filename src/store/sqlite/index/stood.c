/*
 * stood.c - the index `stood`: the squares each kind of piece ever occupied, and marks for events.
 *
 * It rules out games: every piece a query mentions must once have stood on the squares it names. Values are the games in
 * which a fact may hold; `not` rules nothing out. So too many games may remain, never too few.
 */
#include "base/contract.h"
#include "position/attackers.h"
#include "position/play.h"
#include "store/sqlite/index/index.h"

#include <string.h>

static inline unsigned column_of_piece(unsigned piece) { return (piece >> 3) * 6 + (piece & 7) - 1; }

static inline unsigned mark_of_promotion(unsigned piece)
{
    static const uint8_t places[8] = {[TBY_KNIGHT] = 0, [TBY_BISHOP] = 1, [TBY_ROOK] = 2, [TBY_QUEEN] = 3};
    return (unsigned)MARK_PROMOTION << (4 * (piece >> 3) + places[piece & 7]);
}

/* ---- One game ------------------------------------------------------------------------------------------- */

static void add_board(game_traits *g, const tby_board *b)
{
    for (unsigned column = 0; column < STOOD_PIECE_COLUMNS; column++) {
        const tby_bitboard pieces = board_kind(b, (tby_kind)(column % 6 + 1));
        g->stood[column] |= column < 6 ? pieces & ~board_black(b) : pieces & board_black(b);
    }
}

static unsigned marks_of_move(tby_move m, tby_color side)
{
    if (TBY_MOVE_IS_CASTLING(m))
        return (TBY_MOVE_TO(m) > TBY_MOVE_FROM(m) ? 1U : 2U) << (2 * side);
    if (TBY_MOVE_IS_PROMOTION(m))
        return mark_of_promotion(TBY_PIECE(side, TBY_MOVE_KIND(m)));
    return TBY_MOVE_IS_EN_PASSANT(m) ? MARK_EN_PASSANT : 0;
}

static void begin_game(game_traits *g, const tby_position *start) { add_board(g, &start->board); }

static unsigned piece_on(const packed_plies *p, size_t i, unsigned square, tby_color side)
{
    return TBY_PIECE(side, (p->plane[0][i] >> square & 1) | (p->plane[1][i] >> square & 1) << 1 |
                               (p->plane[2][i] >> square & 1) << 2);
}

/* Castling, promotions, en passant; a null move changes nothing. */
static void play_special(game_traits *g, const played_plies *p, size_t i, tby_color side)
{
    const tby_move m = p->plies->moves[i];
    const tby_board after = board_at(p, i + 1);
    if (m == TBY_MOVE_NULL)
        return;
    add_board(g, &after);
    g->marks |= marks_of_move(m, side);
}

/* The moved piece is on another square. */
static void play(game_traits *g, const played_plies *p)
{
    tby_color side = g->side;
    for (size_t i = 0; i < p->n_moves; i++, side = color_other(side)) {
        const tby_move m = p->plies->moves[i];
        if (TBY_MOVE_KIND(m))
            play_special(g, p, i, side);
        else
            g->stood[column_of_piece(piece_on(p->plies, i, TBY_MOVE_FROM(m), side))] |= bb_square(TBY_MOVE_TO(m));
    }
}

static void end_game(game_traits *g, const tby_position *end)
{
    if (!tby_moves_any(end))
        g->marks |= king_attackers(&end->board, position_side(end)) ? MARK_MATE : MARK_STALEMATE;
}

/* ---- Blocks --------------------------------------------------------------------------------------------- */

void stood_begin(stood_blocks *b)
{
    for (unsigned i = 0; i < STOOD_COLUMNS; i++) {
        b->columns[i] = block_begin(index_table(INDEX_stood), stood_size(i));
        b->columns[i].n_columns = STOOD_COLUMNS;
        b->columns[i].column = i;
    }
}

void stood_end(stood_blocks *b)
{
    for (unsigned i = 0; i < STOOD_COLUMNS; i++)
        block_finish(&b->columns[i]);
}

uint64_t stood_word(const game_traits *g, unsigned column)
{
    return !g ? UINT64_MAX : column == STOOD_MARKS ? g->marks : g->stood[column];
}

bool stood_put(stood_blocks *b, lite *db, tby_game_id id, const game_traits *g)
{
    for (unsigned i = 0; i < STOOD_COLUMNS; i++) {
        uint8_t *record = block_record(&b->columns[i], db, id);
        const uint64_t word = stood_word(g, i);
        if (!record)
            return false;
        for (size_t k = 0; k < stood_size(i); k++)
            record[k] = (uint8_t)(word >> 8 * k);
    }
    return true;
}

bool stood_flush(stood_blocks *b, lite *db)
{
    bool is_good = true;
    for (unsigned i = 0; i < STOOD_COLUMNS && is_good; i++)
        is_good = block_write(&b->columns[i], db);
    return is_good;
}

/* ---- Searching ------------------------------------------------------------------------------------------ */

typedef struct stood_search {
    lite *db;
    const tby_query *query;
    int64_t block; /* -1: only find out whether the index helps */
    stood_blocks blocks;
    block_games *values; /* for bound_query */
    bool has_failed;
} stood_search;

/* ---- Columns -------------------------------------------------------------------------------------------- */

/* The records of a column in the current block; NULL on failure. */
static const uint8_t *column_of(stood_search *k, unsigned column)
{
    const uint8_t *records = block_get(&k->blocks.columns[column], k->db, k->block * BLOCK_GAMES + 1);
    k->has_failed |= !records;
    return records;
}

static inline uint64_t word_at(const uint8_t *records, unsigned column, size_t i)
{
    return column == STOOD_MARKS ? (uint64_t)records[MARKS_SIZE * i] | (uint64_t)records[MARKS_SIZE * i + 1] << 8
                                 : fact_word(records + i * sizeof(uint64_t));
}

/* Adds the games with any of these bits in a column. */
static void add_any(stood_search *k, block_games *out, unsigned column, uint64_t wanted)
{
    const uint8_t *from = k->block < 0 || !wanted ? NULL : column_of(k, column);
    if (!from)
        return;
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 64; i++)
            word |= (uint64_t)((word_at(from, column, w * 64 + i) & wanted) != 0) << i;
        out->words[w] |= word;
    }
}

static void keep(block_games *out, const block_games *other)
{
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        out->words[w] &= other->words[w];
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

/* Adds the games in which such a piece stood on one of these squares. */
static void add_pieces(stood_search *k, block_games *out, uint16_t pieces, tby_bitboard squares)
{
    for (unsigned piece = 1; piece < 15; piece++)
        if (pieces >> piece & 1)
            add_any(k, out, column_of_piece(piece), squares);
}

static bool stood_pieces(stood_search *k, block_games *out, const query_who *who)
{
    if (who->pieces & WHO_EMPTY)
        return false;
    add_pieces(k, out, who->pieces, who->squares);
    return true;
}

static void keep_pieces(stood_search *k, block_games *out, uint16_t pieces, tby_bitboard squares)
{
    block_games found = {{0}};
    add_pieces(k, &found, pieces, squares);
    keep(out, &found);
}

static void keep_mark(stood_search *k, block_games *out, unsigned marks)
{
    block_games found = {{0}};
    add_any(k, &found, STOOD_MARKS, marks);
    keep(out, &found);
}

#define BACK_RANKS 0xff000000000000ffULL
enum { PAWNS = 1 << TBY_PAWN | 1 << (8 + TBY_PAWN) };

/* A promoting pawn is on its last square only as another piece. */
static void keep_target(stood_search *k, block_games *out, uint16_t pieces, tby_bitboard squares)
{
    block_games found = {{0}};
    add_pieces(k, &found, pieces, squares);
    if (pieces & PAWNS)
        add_pieces(k, &found, (uint16_t)((pieces & WHO_WHITE ? WHO_WHITE : 0) | (pieces & WHO_BLACK ? WHO_BLACK : 0)),
                   squares & BACK_RANKS);
    keep(out, &found);
}

static bool stood_move(stood_search *k, block_games *out, const query_node *node)
{
    const query_who *who = node->u.m.who;
    unsigned promotions = 0;
    memset(out, 0xff, sizeof *out);
    keep_pieces(k, out, who[0].pieces & (uint16_t)~WHO_EMPTY, who[0].squares);
    keep_target(k, out, who[0].pieces & (uint16_t)~WHO_EMPTY, who[1].squares);
    if (node->u.m.is_capture && node->u.m.has_piece && !(who[1].pieces & PAWNS))
        keep_pieces(k, out, who[1].pieces & (uint16_t)~WHO_EMPTY, who[1].squares);
    for (unsigned piece = 1; piece < 15; piece++)
        if (node->u.m.promotion >> piece & 1)
            promotions |= mark_of_promotion(piece);
    if (node->u.m.promotion)
        keep_mark(k, out, promotions);
    if (node->u.m.mark == '#')
        keep_mark(k, out, MARK_MATE);
    return true;
}

/* The piece must have stood on every square of the path; the last one is not checked. */
static bool stood_path(stood_search *k, block_games *out, const query_node *node)
{
    memset(out, 0xff, sizeof *out);
    for (unsigned i = 0; i + 1 < node->u.path.n; i++)
        keep_pieces(k, out, node->u.path.pieces & (uint16_t)~WHO_EMPTY, 1ULL << node->u.path.squares[i]);
    return true;
}

/* The least number of pieces that a comparison needs; 0 if there is none. */
static int64_t least_pieces(const query_node *node, const query_node *who, const query_node *number)
{
    if (node->n_kids != 2 || node->number != 1 || who->type != Q_TERM_PIECES || number->type != Q_TERM_NUMBER ||
        (who->u.m.who[0].pieces & WHO_EMPTY))
        return 0;
    switch (node->op) {
    case OP_EQUAL:
    case OP_MORE_EQUAL: return number->number;
    case OP_MORE: return number->number < BOUNDS_MOST ? number->number + 1 : BOUNDS_MOST + 1;
    default: return 0;
    }
}

/* At least that many pieces of these kinds stood on as many squares. */
static bool stood_count(stood_search *k, block_games *out, const query_node *node)
{
    const query_tree *program = &k->query->program;
    const query_node *who = tree_node(program, tree_kid(program, node, 0)),
                     *number = tree_node(program, tree_kid(program, node, node->n_kids - 1));
    const int64_t least = least_pieces(node, who, number);
    uint16_t sums[BLOCK_GAMES] = {0};
    if (least <= 0)
        return false;
    if (k->block < 0)
        return true;
    for (unsigned piece = 1; piece < 15; piece++) {
        const bool is_meant = who->u.m.who[0].pieces >> piece & 1;
        const uint8_t *from = is_meant ? column_of(k, column_of_piece(piece)) : NULL;
        for (unsigned i = 0; from && i < BLOCK_GAMES; i++)
            sums[i] = (uint16_t)(sums[i] + bb_count(fact_word(from + i * sizeof(uint64_t)) & who->u.m.who[0].squares));
    }
    for (unsigned i = 0; i < BLOCK_GAMES; i++)
        out->words[i / 64] |= (uint64_t)(sums[i] >= least) << i % 64;
    return true;
}

static bool stood_attack(stood_search *k, block_games *out, const query_node *node)
{
    block_games other = {{0}};
    const bool says = stood_pieces(k, out, &node->u.m.who[0]);
    if (!stood_pieces(k, &other, &node->u.m.who[1]))
        return says;
    if (says)
        keep(out, &other);
    else
        *out = other;
    return true;
}

/* Puts the games in which the fact may hold into `out`, which is empty; false if the index does not help. */
static bool stood_ask(stood_search *k, block_games *out, const query_node *node)
{
    const query_fact *f = fact_of_node(node);
    switch ((fact_stood)f->stood) {
    case STOOD_PIECES: return stood_pieces(k, out, &node->u.m.who[0]);
    case STOOD_COUNT: return stood_count(k, out, node);
    case STOOD_ATTACK: return stood_attack(k, out, node);
    case STOOD_MOVE: return stood_move(k, out, node);
    case STOOD_PATH: return stood_path(k, out, node);
    case STOOD_MARK: add_any(k, out, STOOD_MARKS, f->mark ? f->mark : (unsigned)node->number); return true;
    case STOOD_NOTHING: break;
    }
    return false;
}

/* ---- Queries -------------------------------------------------------------------------------------------- */

static cover stood_fact(void *context, void *value, const query_node *node, uint32_t id, bound_side side)
{
    stood_search *k = context;
    (void)id;
    if (k->has_failed || side == BOUND_MUST)
        return COVER_NONE;
    memset(value, 0, sizeof(block_games));
    return stood_ask(k, value, node) ? COVER_MORE : COVER_NONE;
}

static cover stood_query(stood_search *k) { return block_bound(stood_fact, k, k->values, k->query, BOUND_MAY); }

/* ---- Stood ---------------------------------------------------------------------------------------------- */

/* The last block may have room for games that do not exist. */
static void put_block(game_set *set, int64_t number, const block_games *b)
{
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        const tby_game_id first = number * BLOCK_GAMES + w * 64 + 1, n = set->last - first + 1;
        if (n > 0)
            game_set_put_word(set, first, n < 64 ? b->words[w] & ((1ULL << n) - 1) : b->words[w]);
    }
}

static bool ask_blocks(stood_search *k, tby_game_id last_id, const game_set *among, game_set *out)
{
    for (tby_game_id id = 1;; id = block_end(id) + 1) {
        if (among->pages)
            id = game_set_next(among, id);
        else if (!next_stored_game(k->db, &id))
            return false;
        if (id == 0 || id > last_id)
            return true;
        k->block = block_of(id);
        const cover known = stood_query(k);
        if (k->has_failed)
            return false;
        if (known == COVER_NONE)
            memset(k->values, 0xff, sizeof *k->values);
        put_block(out, k->block, &k->values[0]);
    }
}

static bool stood_run(stood_search *k, tby_game_id last_id, game_set *among)
{
    game_set found = {0};
    const bool is_good = lite_set_begin(k->db, &found, last_id) && ask_blocks(k, last_id, among, &found);
    return game_set_keep(among, &found, is_good);
}

static bool stood_narrow(lite *db, const tby_query *query, tby_game_id last_id, game_set *among, bool *helps)
{
    TBY_CONTRACT(last_id >= 0);
    int64_t covered;
    stood_search k = {.db = db, .query = query, .block = -1};
    if (!index_covered(db, INDEX_stood, &covered))
        return false;
    if (covered < 0)
        return true;
    if (!(k.values = calloc(bound_n_values(query), sizeof *k.values)))
        return lite_fail_memory(db);
    stood_begin(&k.blocks);
    *helps = stood_query(&k) != COVER_NONE;
    const bool is_good = !among || stood_run(&k, last_id, among);
    stood_end(&k.blocks);
    free(k.values);
    return is_good;
}

const db_index index_stood = {.name = "stood",
                              .about = "squares each piece type ever occupied, 101",
                              .storage = STORED_AS_BLOCKS,
                              .begin = begin_game,
                              .play = play,
                              .end = end_game,
                              .helps = "pieces and moves: by where pieces ever stood",
                              .narrow = stood_narrow};
