/*
 * packed_game.c - steps through packed games: the hot part of the codec.
 *
 *      0        1                                             end
 *     +--------+-----------------+----------------------+------+---------+
 *     | header | start, if other | moves: 1 or 2 bytes  | 0x00 | trailer |
 *     +--------+-----------------+----------------------+------+---------+
 *
 * A move is its code + 1 (see move_code.h), so that no move begins with 0. In a position with more than 253 codes it is
 * two bytes, 1 + code / 128 and 1 + code % 128. A byte for the piece follows a promotion. The null move has the code
 * after the last one. No move begins with 0xff.
 */
#include "base/variant.h"
#include "codec/move_code.h"
#include "codec/packed.h"
#include "position/key.h"

/* The castling move of a king's code; TBY_MOVE_NONE if the right is gone or the squares are occupied, which can only
   happen in unchecked bytes. */
static tby_move read_castling(const tby_position *pos, const coded_move *m, tby_color us)
{
    const tby_bitboard above = ~(bb_square(m->from) | (bb_square(m->from) - 1));
    const tby_bitboard wing = m->code == CODE_CASTLE_KING_SIDE ? above : ~above;
    const tby_bitboard rook = pos->castling & bb_back_rank(us) & wing;
    if (m->kind->kind != TBY_KING || m->code < CODE_CASTLE_KING_SIDE || !rook)
        return TBY_MOVE_NONE;
    const unsigned king_to = castling_king_to(m->from, bb_first(rook)),
                   rook_to = castling_rook_to(m->from, bb_first(rook));
    const tby_bitboard others = board_occupied(&pos->board) & ~rook & ~bb_square(m->from);
    if (others & (bb_square(king_to) | bb_square(rook_to)))
        return TBY_MOVE_NONE;
    return TBY_MOVE(m->from, bb_first(rook), TBY_KING);
}

/* A special pawn move: a promotion, whose piece is the next byte, or en passant. */
static tby_move read_pawn(const tby_position *pos, const coded_move *m, const uint8_t **at, const uint8_t *end)
{
    if (bb_square(m->to) & (BB_RANK_1 | BB_RANK_8)) {
        if (*at >= end || **at < PACKED_PROMOTION_FIRST || **at > PACKED_PROMOTION_LAST)
            return TBY_MOVE_NONE;
        return TBY_MOVE(m->from, m->to, PACKED_PROMOTIONS[*(*at)++ - PACKED_PROMOTION_FIRST]);
    }
    const bool is_en_passant = m->code >= 2 && m->to == pos->en_passant;
    return TBY_MOVE(m->from, m->to, is_en_passant ? TBY_PAWN : 0);
}

/* Reads the code of the next move; false at the end. */
TBY_INLINE bool read_code(unsigned *out, const uint8_t **at, const tby_packed *cursor, unsigned n_codes)
{
    const uint8_t *p = cursor->at, *end = cursor->end;
    if (p >= end || *p == 0)
        return false;
    unsigned code = *p++ - 1U;
    if (__builtin_expect(n_codes > PACKED_ONE_BYTE_CODES, 0)) {
        if (p >= end || *p == 0 || *p > 128)
            return false;
        code = code * 128 + (*p++ - 1U);
    }
    *out = code;
    *at = p;
    return true;
}

/* Decodes the next move without playing it: false at the end, or if no piece has this code. */
TBY_INLINE bool read_move(coded_move *out, const uint8_t **at, const tby_packed *cursor, code_starts starts,
                          tby_color us)
{
    const unsigned n_codes = code_count(starts);
    const uint8_t *p = NULL; /* silences a false warning: set whenever reading succeeds */
    unsigned code = 0;
    if (!read_code(&code, &p, cursor, n_codes) || __builtin_expect(code >= n_codes, 0))
        return false;
    *out = code_read(&cursor->pos.board, starts, code, us);
    *at = p;
    return true;
}

/* Plays castling and special pawn moves: rare, so out of line. */
static __attribute__((noinline, cold)) tby_move step_special(tby_packed *cursor, code_starts starts[2], tby_color us)
{
    tby_position *pos = &cursor->pos;
    const uint8_t *at;
    coded_move m;
    if (!read_move(&m, &at, cursor, starts[us], us))
        return TBY_MOVE_NONE;
    const tby_move move = m.to > 63 ? read_castling(pos, &m, us) : read_pawn(pos, &m, &at, cursor->end);
    if (move == TBY_MOVE_NONE)
        return TBY_MOVE_NONE;
    position_play_piece(pos, move, us, TBY_PIECE(us, m.kind->kind));
    starts[TBY_WHITE] = code_starts_of(&pos->board, TBY_WHITE);
    starts[TBY_BLACK] = code_starts_of(&pos->board, TBY_BLACK);
    cursor->at = at;
    return move;
}

/* No piece has this code: the end of the game, a null move, or invalid bytes. */
static __attribute__((noinline, cold)) tby_move step_null(tby_packed *cursor, code_starts starts)
{
    const unsigned n_codes = code_count(starts);
    const uint8_t *at = NULL;
    unsigned code = 0;
    if (!read_code(&code, &at, cursor, n_codes) || code != n_codes ||
        tby_position_play_null(&cursor->pos, NULL) != TBY_OK)
        return TBY_MOVE_NONE;
    cursor->at = at;
    return TBY_MOVE_NULL;
}

/* Plays the next move in place, because copying a position right after changing it stalls on its own stores. Returns
   TBY_MOVE_NONE, without a step, at the end or at invalid bytes. Whatever the bytes are, each side keeps its king and
   the starts stay valid: the code here relies on nothing else. */
TBY_INLINE tby_move step(tby_packed *cursor, code_starts starts[2], tby_color us)
{
    tby_position *pos = &cursor->pos;
    const uint8_t *at;
    coded_move m;
    if (!read_move(&m, &at, cursor, starts[us], us))
        return step_null(cursor, starts[us]);
    const tby_bitboard target = bb_square(m.to);
    if (m.to < 64 && (target & (board_kings(&pos->board) | board_color(&pos->board, us))))
        return TBY_MOVE_NONE;
    const bool is_en_passant = m.to == pos->en_passant && m.kind->kind == TBY_PAWN;
    if (__builtin_expect(m.to > 63 || is_en_passant || (target & m.kind->special), 0))
        return step_special(cursor, starts, us);
    const tby_piece piece = TBY_PIECE(us, m.kind->kind), captured = board_move_piece(&pos->board, m.from, m.to, piece);
    position_follow(pos, pos, m.from, m.to, us, m.kind->kind, captured);
    starts[color_other(us)] -= CODE_WEIGHTS[captured & 7];
    cursor->at = at;
    return TBY_MOVE(m.from, m.to, 0);
}

/* A walk through a game, with the code starts of both sides for the current position. */
typedef struct walker {
    tby_packed cursor;
    code_starts starts[2];
} walker;

TBY_INLINE walker walk_from(const tby_packed *cursor)
{
    const tby_board *b = &cursor->pos.board;
    const walker w = {*cursor, {code_starts_of(b, TBY_WHITE), code_starts_of(b, TBY_BLACK)}};
    return w;
}

TBY_KERNEL(tby_move, tby_packed_next, (tby_packed * cursor), (cursor))
{
    const tby_board *b = &cursor->pos.board;
    code_starts starts[2] = {code_starts_of(b, TBY_WHITE), code_starts_of(b, TBY_BLACK)};
    return position_side(&cursor->pos) == TBY_WHITE ? step(cursor, starts, TBY_WHITE) : step(cursor, starts, TBY_BLACK);
}

/* Visits the positions of a game one after the other, from the cursor on, until `look` returns false or the game ends;
   the cursor is left there. */
TBY_INLINE void walk(tby_packed *cursor, bool (*look)(const tby_position *pos, tby_color us, void *context),
                     void *context)
{
    if (position_side(&cursor->pos) == TBY_BLACK)
        if (!look(&cursor->pos, TBY_BLACK, context) || tby_packed_next(cursor) == TBY_MOVE_NONE)
            return;
    walker w = walk_from(cursor);
    while (look(&w.cursor.pos, TBY_WHITE, context) && step(&w.cursor, w.starts, TBY_WHITE) != TBY_MOVE_NONE &&
           look(&w.cursor.pos, TBY_BLACK, context) && step(&w.cursor, w.starts, TBY_BLACK) != TBY_MOVE_NONE)
        ;
    *cursor = w.cursor;
}

/* ---- Keys ----------------------------------------------------------------------------------------------- */

typedef struct key_list {
    uint64_t *out;
    size_t cap, n;
} key_list;

TBY_INLINE bool list_key(const tby_position *pos, tby_color us, void *context)
{
    key_list *list = context;
    if (list->n < list->cap)
        list->out[list->n] = position_key(pos, us);
    list->n++;
    return true;
}

TBY_KERNEL(size_t, tby_packed_position_keys, (uint64_t * out, size_t cap, const uint8_t *bytes, size_t n),
           (out, cap, bytes, n))
{
    key_list list = {out, cap, 0};
    tby_packed cursor;
    if (tby_packed_begin(&cursor, bytes, n))
        walk(&cursor, list_key, &list);
    return list.n;
}

/* ---- Searching ------------------------------------------------------------------------------------------ */

enum { TARGET_NOT_THERE = -1, TARGET_NOT_YET = -2 };

typedef struct target_search {
    const tby_target *target;
    int ply, max_ply;
    int answer; /* the ply of the match, or one of the above */
} target_search;

/* No later position can be the target: one of its pieces is gone, or one of its unmoved pawns has left. */
TBY_INLINE bool is_past(const tby_target *t, const tby_board *b, unsigned n_pieces)
{
    return n_pieces < t->n_pieces || (t->home & ~home_pawn_squares(b));
}

TBY_INLINE bool look_for_target(const tby_position *pos, tby_color us, void *context)
{
    target_search *search = context;
    const tby_target *t = search->target;
    const unsigned n_pieces = bb_count(board_occupied(&pos->board));
    if (n_pieces == t->n_pieces && (t->is_placement ? pos->placement_key : position_key(pos, us)) == t->key)
        search->answer = search->ply;
    else if (search->ply++ >= search->max_ply || is_past(t, &pos->board, n_pieces))
        search->answer = TARGET_NOT_THERE;
    return search->answer == TARGET_NOT_YET;
}

TBY_KERNEL(int, tby_target_step, (const tby_target *target, tby_packed *cursor, int max_ply), (target, cursor, max_ply))
{
    target_search search = {target, 0, max_ply, max_ply < 0 ? TARGET_NOT_THERE : TARGET_NOT_YET};
    if (max_ply >= 0)
        walk(cursor, look_for_target, &search);
    if (search.answer == TARGET_NOT_YET && cursor->at < cursor->end && *cursor->at == 0)
        return TARGET_NOT_THERE;
    return search.answer;
}

/* ---- Positions side by side ----------------------------------------------------------------------------- */

TBY_INLINE void list_position(const packed_plies *out, size_t i, const tby_position *pos, tby_color us, bool has_keys)
{
    for (int plane = 0; plane < 4; plane++)
        out->plane[plane][i] = pos->board.plane[plane];
    out->castling[i] = pos->castling;
    out->en_passant[i] = pos->en_passant;
    if (has_keys)
        out->keys[i] = position_key(pos, us);
}

/* Writes a position and plays the next move, of any kind: false at the end. */
TBY_INLINE bool list_ply(const packed_plies *out, size_t i, walker *w, tby_color us)
{
    list_position(out, i, &w->cursor.pos, us, out->keys != NULL);
    return (out->moves[i] = step(&w->cursor, w->starts, us)) != TBY_MOVE_NONE;
}

static __attribute__((noinline)) bool list_any_ply(const packed_plies *out, size_t i, walker *w)
{
    return position_side(&w->cursor.pos) == TBY_WHITE ? list_ply(out, i, w, TBY_WHITE) : list_ply(out, i, w, TBY_BLACK);
}

/* Removes a captured piece; false if there is none, or it is a king, as in damaged bytes. */
TBY_INLINE bool take_off(walker *w, unsigned square, tby_color us, bool has_keys)
{
    tby_board *b = &w->cursor.pos.board;
    const tby_bitboard others = us == TBY_WHITE ? b->plane[3] : ~b->plane[3];
    const unsigned kind =
        (unsigned)((b->plane[0] >> square & 1) | (b->plane[1] >> square & 1) << 1 | (b->plane[2] >> square & 1) << 2);
    if (!(bb_square(square) & others & ~board_kings(b)))
        return false;
    w->starts[color_other(us)] -= CODE_WEIGHTS[kind];
    board_clear(b, bb_square(square));
    if (has_keys)
        w->cursor.pos.placement_key ^= zobrist_piece[TBY_PIECE(color_other(us), kind)][square];
    return true;
}

/* Like list_ply for a plain move, but faster because it does not update the clock; false, without a step, for any other
   move. `code` is the move's only byte minus one. Captures are a branch, because most moves capture nothing and the
   next move then need not wait for the captured piece. */
TBY_INLINE bool list_plain_ply(const packed_plies *out, size_t i, walker *w, unsigned code, tby_color us, bool has_keys)
{
    tby_position *pos = &w->cursor.pos;
    tby_board *b = &pos->board;
    list_position(out, i, pos, us, has_keys);
    if (__builtin_expect(code >= code_count(w->starts[us]), 0))
        return false;
    const coded_move m = code_read(b, w->starts[us], code, us);
    const tby_bitboard to = bb_square(m.to), from_to = bb_square(m.from) | to;
    if (__builtin_expect(m.to > 63 || m.to == pos->en_passant || (to & m.kind->special), 0))
        return false;
    if (__builtin_expect((to & board_occupied(b)) != 0, 0) && !take_off(w, m.to, us, has_keys))
        return false;
    b->plane[0] ^= from_to & ~m.kind->without[0];
    b->plane[1] ^= from_to & ~m.kind->without[1];
    b->plane[2] ^= from_to & ~m.kind->without[2];
    b->plane[3] ^= us == TBY_BLACK ? from_to : 0;
    pos->castling &= ~(from_to | m.kind->castling);
    pos->en_passant = m.code == m.kind->jump ? (tby_square)((m.from + m.to) / 2) : TBY_NO_SQUARE;
    if (has_keys)
        pos->placement_key ^= zobrist_piece[TBY_PIECE(us, m.kind->kind)][m.from] ^
                              zobrist_piece[TBY_PIECE(us, m.kind->kind)][m.to];
    out->moves[i] = TBY_MOVE(m.from, m.to, 0);
    return true;
}

/* Lists plain moves from the i-th position on as far as they go; returns the end. */
TBY_INLINE size_t list_plain(const packed_plies *out, size_t i, size_t cap, walker *start, bool has_keys)
{
    walker w = *start;
    const size_t first = i, n_bytes = (size_t)(w.cursor.end - w.cursor.at), end = n_bytes < cap - i ? i + n_bytes : cap;
    const uint8_t *bytes = w.cursor.at - first;
    if (code_count(w.starts[0]) > PACKED_ONE_BYTE_CODES || code_count(w.starts[1]) > PACKED_ONE_BYTE_CODES)
        return i;
    if (position_side(&w.cursor.pos) == TBY_BLACK && i < end) {
        if (!list_plain_ply(out, i, &w, bytes[i] - 1U, TBY_BLACK, has_keys))
            return i;
        i++;
    }
    for (; i < end; i++) {
        if (!list_plain_ply(out, i, &w, bytes[i] - 1U, TBY_WHITE, has_keys) || ++i == end ||
            !list_plain_ply(out, i, &w, bytes[i] - 1U, TBY_BLACK, has_keys))
            break;
    }
    w.cursor.pos.ply += (uint32_t)(i - first);
    w.cursor.at += i - first;
    *start = w;
    return i;
}

TBY_INLINE size_t list_plies(const packed_plies *out, size_t cap, tby_packed *cursor, bool has_keys)
{
    const packed_plies to = *out;
    walker w = walk_from(cursor);
    size_t n = 0;
    for (bool goes_on = true; goes_on && n < cap;) {
        n = list_plain(&to, n, cap, &w, has_keys);
        if (n < cap)
            goes_on = list_any_ply(out, n++, &w);
    }
    *cursor = w.cursor;
    return n;
}

/* Two functions, so that each can use all registers. */
static __attribute__((noinline)) size_t list_plies_and_keys(const packed_plies *out, size_t cap, tby_packed *cursor)
{
    return list_plies(out, cap, cursor, true);
}

TBY_KERNEL(size_t, packed_read_plies, (const packed_plies *out, size_t cap, tby_packed *cursor), (out, cap, cursor))
{
    return out->keys ? list_plies_and_keys(out, cap, cursor) : list_plies(out, cap, cursor, false);
}
