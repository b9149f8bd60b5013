/*
 * train.c - what a profile-guided build learns from: positions and texts that no benchmark measures.
 */
#include "tabiya.h"

#include <stdio.h>
#include <string.h>

static const char *const POSITIONS[] = {
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/1BN2N2/PP2QPPP/R1BR2K1 b - - 1 14",
    "8/5pk1/4p1p1/3pP2p/1r3P1P/5KP1/3R4/8 b - - 0 40",
    "rnbqk2r/pp2ppbp/3p1np1/2p5/2PPP3/2N2P2/PP4PP/R1BQKBNR w KQkq c6 0 6",
    "2r3k1/pP3ppp/8/8/4n3/8/1p3PPP/R4RK1 b - - 0 25",
};
enum { N_POSITIONS = sizeof POSITIONS / sizeof POSITIONS[0], GAMES = 4000, PLIES = 90 };

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t train_perft(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < N_POSITIONS; i++) {
        tby_position pos;
        if (tby_fen_read_position(&pos, POSITIONS[i], strlen(POSITIONS[i]), 0, NULL, NULL) == TBY_OK)
            sum += tby_perft(&pos, 4);
    }
    return sum;
}

/* Random games, each written as PGN and read again. */
static uint64_t train_games(void)
{
    static char pgn[1 << 16];
    uint64_t seed = 88172645463325252ULL, sum = 0;
    for (int game = 0; game < GAMES; game++) {
        size_t n = (size_t)sprintf(pgn, "[Event \"Training\"]\n[White \"One\"]\n[Black \"Other\"]\n[Result \"*\"]\n\n");
        tby_position pos;
        tby_position_start(&pos);
        for (int ply = 0; ply < PLIES; ply++) {
            tby_move moves[TBY_MOVES_MAX];
            const size_t n_moves = tby_moves_list(moves, &pos);
            if (n_moves == 0)
                break;
            const tby_move m = moves[next_random(&seed) % n_moves];
            if (ply % 2 == 0)
                n += (size_t)sprintf(pgn + n, "%d. ", ply / 2 + 1);
            n += tby_san_write(pgn + n, sizeof pgn - n, &pos, m);
            pgn[n++] = ply % 12 == 11 ? '\n' : ' ';
            tby_position_play(&pos, m, NULL);
            char fen[TBY_FEN_SIZE];
            const size_t n_fen = tby_fen_write_position(fen, sizeof fen, &pos, 0);
            tby_position again;
            tby_fen_read_position(&again, fen, n_fen, 0, NULL, NULL);
            sum += tby_position_key(&pos);
        }
        n += (size_t)sprintf(pgn + n, "*\n\n");
        tby_pgn *reader = tby_pgn_new_memory(pgn, n, NULL, NULL);
        tby_pgn_event event;
        while (reader && tby_pgn_next(reader, &event) != TBY_PGN_END)
            sum += event.move;
        tby_pgn_free(reader);
    }
    return sum;
}

int main(void)
{
    printf("%llx\n", (unsigned long long)(train_perft() + train_games()));
    return 0;
}
