/*
 * novelty.c - writes the first new move of a game.
 */
#include "novelty.h"

#include <inttypes.h>

static size_t n_listed(const tby_novelty *n) { return n->move == TBY_MOVE_NONE ? 0 : n->played.n_moves; }

void novelty_write_json(buffer *out, const tby_novelty *n)
{
    const bool is_new = n->move != TBY_MOVE_NONE;
    char san[TBY_SAN_SIZE], fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, &n->before, 0);
    if (is_new)
        tby_san_write(san, sizeof san, &n->before, n->move);
    json_add(out, "'new':%i,'ply':%u,'fen':%s,'games':%llu,'move':", is_new, n->ply, fen,
             (unsigned long long)n->played.games);
    buffer_json_string(out, is_new ? san : NULL);
    json_add(out, "'played':[");
    for (size_t i = 0; i < n_listed(n); i++) {
        tby_san_write(san, sizeof san, &n->before, n->played.moves[i].move);
        json_add(out, "{'san':%s,'games':%llu}", san, (unsigned long long)n->played.moves[i].games);
    }
    buffer_string(out, "]");
}

void novelty_write_played(buffer *out, const tby_novelty *n)
{
    char san[TBY_SAN_SIZE];
    for (size_t i = 0; i < n_listed(n); i++) {
        tby_san_write(san, sizeof san, &n->before, n->played.moves[i].move);
        buffer_printf(out, "%s%s %" PRIu64, i ? ", " : "", san, n->played.moves[i].games);
    }
}
