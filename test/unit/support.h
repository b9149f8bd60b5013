/*
 * support.h - shared by the tests of the rules: positions from FEN, moves by name, random games.
 *
 * The random generator is a xorshift with a fixed seed, so that failures are reproducible.
 */
#ifndef TBY_TEST_SUPPORT_H
#define TBY_TEST_SUPPORT_H

#include <stdio.h>
#include <string.h>

#include "tabiya_value.h"
#include "tests.h"

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* Any board, with everything its FEN claims. */
static inline tby_setup setup_of(const char *fen)
{
    tby_setup setup;
    if (tby_fen_read(&setup, fen, strlen(fen), TBY_FEN_RAW, NULL, NULL) != TBY_OK)
        fail_msg("not a FEN: %s", fen);
    return setup;
}

/* A playable board, reachable or not. */
static inline tby_position position_of(const char *fen)
{
    const tby_setup setup = setup_of(fen);
    tby_position pos;
    tby_error err = {0};
    if (tby_position_init(&pos, &setup, TBY_FAULTS_UNREACHABLE, &err) != TBY_OK)
        fail_msg("%s: %s", fen, err.detail);
    return pos;
}

static inline tby_square square_of(const char *name) { return TBY_SQUARE(name[0] - 'a', name[1] - '1'); }

/* A legal move by its squares: "e2e4", "e1g1" or "e1h1" for castling, "e7e8q"; TBY_MOVE_NONE if it is not legal. */
static inline tby_move move_of(const tby_position *pos, const char *name)
{
    static const char LETTERS[8] = {0, 0, 'b', 'n', 'r', 0, 'q', 0};
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    const char promotion = name[4] == ' ' ? '\0' : name[4];
    for (size_t i = 0; i < n; i++) {
        const tby_square to = square_of(name + 2);
        if (TBY_MOVE_FROM(moves[i]) == square_of(name) &&
            (TBY_MOVE_TO(moves[i]) == to || tby_move_destination(moves[i]) == to) &&
            LETTERS[TBY_MOVE_KIND(moves[i])] == promotion)
            return moves[i];
    }
    return TBY_MOVE_NONE;
}

/* Plays "e2e4 e7e5 ..."; stores the keys of all positions, including the first, if `keys` is not NULL. Returns their
   number. */
static inline size_t play_line(tby_position *pos, const char *line, uint64_t *keys)
{
    size_t n = 0;
    if (keys)
        keys[n] = tby_position_key(pos);
    n++;
    for (const char *p = line; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
        const tby_move m = move_of(pos, p);
        if (m == TBY_MOVE_NONE)
            fail_msg("not legal: %s", p);
        tby_position_play(pos, m, NULL);
        if (keys)
            keys[n] = tby_position_key(pos);
        n++;
    }
    return n;
}

static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline unsigned random_below(uint64_t *state, unsigned limit)
{
    return (unsigned)(random_next(state) >> 33) % limit;
}

/* Random games, every second one from a Chess960 start; calls `visit` for every position. */
static inline void visit_random_games(unsigned n_games, unsigned max_plies, void (*visit)(const tby_position *))
{
    uint64_t random = 0x7461626979610001ULL;
    for (unsigned game = 0; game < n_games; game++) {
        tby_setup setup;
        tby_position pos;
        assert_true(tby_setup_chess960(&setup, game % 2 ? random_below(&random, 960) : 518));
        assert_int_equal(tby_position_init(&pos, &setup, 0, NULL), TBY_OK);
        for (unsigned ply = 0; ply < max_plies; ply++) {
            tby_move moves[TBY_MOVES_MAX];
            const size_t n = tby_moves_list(moves, &pos);
            visit(&pos);
            if (n == 0)
                break;
            tby_position_play(&pos, moves[random_below(&random, (unsigned)n)], NULL);
        }
    }
}

/* A random playable board with up to `n_pieces` pieces besides the kings; most of these are not reachable in a game. */
static inline tby_position random_board(uint64_t *random, unsigned n_pieces)
{
    for (;;) {
        tby_setup setup;
        tby_position pos;
        tby_setup_clear(&setup);
        for (unsigned i = 0; i < n_pieces; i++) {
            const tby_square square = (tby_square)random_below(random, 64);
            const bool back_rank = square < 8 || square > 55;
            const tby_kind kind = (tby_kind)(back_rank ? 2 + random_below(random, 3) : 1 + random_below(random, 4));
            tby_setup_put(&setup, square,
                          TBY_PIECE(random_below(random, 2), random_below(random, 4) ? kind : TBY_QUEEN));
        }
        tby_setup_put(&setup, (tby_square)random_below(random, 64), TBY_PIECE(TBY_WHITE, TBY_KING));
        tby_setup_put(&setup, (tby_square)random_below(random, 64), TBY_PIECE(TBY_BLACK, TBY_KING));
        setup.side = (uint8_t)random_below(random, 2);
        /* Sometimes grant rights that the board allows: castling and en passant in strange surroundings. */
        tby_setup claim = setup;
        const tby_bitboard rooks = (tby_board_pieces(&setup.board, TBY_PIECE(TBY_WHITE, TBY_ROOK)) & 0xff) |
                                   (tby_board_pieces(&setup.board, TBY_PIECE(TBY_BLACK, TBY_ROOK)) & 0xffULL << 56);
        claim.castling = rooks & random_next(random);
        claim.en_passant =
            (tby_square)(setup.side == TBY_WHITE ? 40 + random_below(random, 8) : 16 + random_below(random, 8));
        const tby_faults faults = tby_setup_faults(&claim);
        if (!(faults & TBY_FAULT_CASTLING))
            setup.castling = claim.castling;
        if (!(faults & TBY_FAULT_EN_PASSANT))
            setup.en_passant = claim.en_passant;
        if (tby_position_init(&pos, &setup, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK)
            return pos;
    }
}

#endif
