/*
 * packed_encode.c - packs games.
 *
 * Keeps    one form for one game: summaries and starts are never stored otherwise than they are computed
 */
#include "base/variant.h"
#include "codec/move_code.h"
#include "codec/story.h"

/* Counts every byte, stores those that fit. */
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
    tby_position usual;
    tby_setup setup;
    tby_position_start(&usual);
    if (memcmp(start, &usual, sizeof usual) == 0) {
        put(w, PACKED_VERSION << 4 | PACKED_START_USUAL);
        return;
    }
    put(w, PACKED_VERSION << 4 | PACKED_START_OTHER);
    tby_position_setup(&setup, start);
    const size_t n = tby_packed_board_encode(board, &setup);
    for (size_t i = 0; i < n; i++)
        put(w, board[i]);
}

TBY_INLINE void put_move(byte_writer *w, const tby_position *pos, tby_move m)
{
    const tby_color us = position_side(pos);
    const code_starts starts = code_starts_of(&pos->board, us);
    const unsigned code = code_write(&pos->board, starts, m, us);
    if (code_count(starts) > PACKED_ONE_BYTE_CODES) {
        put(w, 1 + code / 128);
        put(w, 1 + code % 128);
    } else
        put(w, 1 + code);
    for (unsigned i = 0; TBY_MOVE_IS_PROMOTION(m) && i < 4; i++)
        if (PACKED_PROMOTIONS[i] == TBY_MOVE_KIND(m))
            put(w, PACKED_PROMOTION_FIRST + i);
}

TBY_KERNEL(size_t, tby_packed_encode,
           (uint8_t * out, size_t cap, const tby_position *start, const tby_move *moves, size_t n_plies,
            tby_result result),
           (out, cap, start, moves, n_plies, result))
{
    byte_writer w = {out, cap, 0};
    tby_position pos = *start;
    story told = story_begin(start);
    uint8_t trailer[TBY_PACKED_TRAILER_SIZE];
    if (n_plies > TBY_PLIES_MAX)
        return 0;
    put_start(&w, start);
    for (size_t i = 0; i < n_plies; i++) {
        put_move(&w, &pos, moves[i]);
        position_play(&pos, moves[i], position_side(&pos));
        story_play(&told, &pos, moves[i]);
    }
    put(&w, 0);
    story_end(trailer, &told, &pos.board, result);
    for (size_t i = 0; i < sizeof trailer; i++)
        put(&w, trailer[i]);
    return w.n;
}
