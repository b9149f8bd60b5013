/*
 * packed_encode.c - packs games.
 *
 * Keeps    every game has exactly one encoding: summaries and starts are always stored as computed
 */
#include "base/variant.h"
#include "codec/move_code.h"
#include "codec/packed.h"
#include "pgn/game.h"

/* Counts every byte, and stores those that fit. */
typedef struct byte_writer {
    uint8_t *out;
    size_t cap, n;
} byte_writer;

TBY_INLINE void put(byte_writer *w, unsigned byte)
{
    if (w->n < w->cap)
        w->out[w->n] = (uint8_t)byte;
    w->n++;
}

static void put_start(byte_writer *w, const tby_position *start)
{
    uint8_t board[TBY_PACKED_BOARD_SIZE];
    tby_setup setup;
    if (game_is_usual_start(start)) {
        put(w, PACKED_VERSION << 4 | PACKED_START_USUAL);
        return;
    }
    put(w, PACKED_VERSION << 4 | PACKED_START_OTHER);
    tby_position_setup(&setup, start);
    const size_t n = tby_packed_board_encode(board, &setup);
    for (size_t i = 0; i < n; i++)
        put(w, board[i]);
}

TBY_INLINE void put_code(byte_writer *w, unsigned code, unsigned n_codes)
{
    if (__builtin_expect(n_codes > PACKED_ONE_BYTE_CODES, 0)) {
        put(w, 1 + code / 128);
        put(w, 1 + code % 128);
    } else
        put(w, 1 + code);
}

TBY_INLINE void put_move(byte_writer *w, unsigned code, unsigned n_codes, tby_move m)
{
    put_code(w, code, n_codes);
    for (unsigned i = 0; TBY_MOVE_IS_PROMOTION(m) && i < 4; i++)
        if (PACKED_PROMOTIONS[i] == TBY_MOVE_KIND(m))
            put(w, PACKED_PROMOTION_FIRST + i);
}

/* What the codes depend on: the pieces, and the first code of each kind. */
typedef struct coder {
    tby_board board;
    code_starts starts[2];
} coder;

/* Castling, en passant and promotion: rare, so out of line. */
static __attribute__((noinline, cold)) void play_special(coder *c, tby_move m, tby_color us)
{
    const unsigned from = m & 63, to = (m >> 6) & 63, kind = m >> 12;
    tby_board *b = &c->board;
    board_clear(b, bb_square(from) | bb_square(to));
    if (kind == TBY_KING) {
        board_add(b, castling_king_to(from, to), TBY_PIECE(us, TBY_KING));
        board_add(b, castling_rook_to(from, to), TBY_PIECE(us, TBY_ROOK));
    } else if (kind == TBY_PAWN) {
        board_clear(b, bb_square(to ^ 8));
        board_add(b, to, TBY_PIECE(us, TBY_PAWN));
    } else
        board_add(b, to, TBY_PIECE(us, kind));
    c->starts[TBY_WHITE] = code_starts_of(b, TBY_WHITE);
    c->starts[TBY_BLACK] = code_starts_of(b, TBY_BLACK);
}

/* Writes a move and plays it. */
TBY_INLINE void encode_move(coder *c, byte_writer *w, trailer_maker *maker, tby_move m, tby_color us)
{
    if (__builtin_expect(m == TBY_MOVE_NULL, 0)) {
        put_code(w, code_count(c->starts[us]), code_count(c->starts[us]));
        return;
    }
    const tby_piece piece = board_piece(&c->board, m & 63);
    put_move(w, code_write(&c->board, c->starts[us], piece, m, us), code_count(c->starts[us]), m);
    if (__builtin_expect(TBY_MOVE_KIND(m) != 0, 0)) {
        play_special(c, m, us);
        maker->promotions |= TBY_MOVE_IS_PROMOTION(m) ? 1U << us : 0;
        trailer_see(maker, &c->board);
        return;
    }
    const tby_piece captured = board_move(&c->board, m & 63, (m >> 6) & 63);
    c->starts[color_other(us)] -= CODE_WEIGHTS[captured & 7];
    if (captured || (piece & 7) == TBY_PAWN)
        trailer_see(maker, &c->board);
}

TBY_KERNEL(size_t, tby_packed_encode,
           (uint8_t * out, size_t cap, const tby_position *start, const tby_move *moves, size_t n_plies,
            tby_result result),
           (out, cap, start, moves, n_plies, result))
{
    byte_writer w = {out, cap, 0};
    coder c = {start->board, {code_starts_of(&start->board, TBY_WHITE), code_starts_of(&start->board, TBY_BLACK)}};
    trailer_maker maker = trailer_begin(start);
    uint8_t trailer[TBY_PACKED_TRAILER_SIZE];
    tby_color us = position_side(start);
    if (n_plies > TBY_PLIES_MAX)
        return 0;
    put_start(&w, start);
    for (size_t i = 0; i < n_plies; i++, us = color_other(us)) {
        if (us == TBY_WHITE)
            encode_move(&c, &w, &maker, moves[i], TBY_WHITE);
        else
            encode_move(&c, &w, &maker, moves[i], TBY_BLACK);
    }
    put(&w, 0);
    trailer_end(trailer, &maker, &c.board, result);
    for (size_t i = 0; i < sizeof trailer; i++)
        put(&w, trailer[i]);
    return w.n;
}
