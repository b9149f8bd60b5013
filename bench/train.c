/*
 * train.c - the training run of a profile-guided build: positions and games that no benchmark measures.
 *
 *     train games.pgn...
 */
#include "tabiya_value.h"

#include <stdio.h>
#include <string.h>

static const char *const POSITIONS[] = {
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/1BN2N2/PP2QPPP/R1BR2K1 b - - 1 14",
    "8/5pk1/4p1p1/3pP2p/1r3P1P/5KP1/3R4/8 b - - 0 40",
    "rnbqk2r/pp2ppbp/3p1np1/2p5/2PPP3/2N2P2/PP4PP/R1BQKBNR w KQkq c6 0 6",
    "2r3k1/pP3ppp/8/8/4n3/8/1p3PPP/R4RK1 b - - 0 25",
};
enum { N_POSITIONS = sizeof POSITIONS / sizeof POSITIONS[0] };

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

static bool throw_away(void *context, const char *s, size_t n)
{
    *(uint64_t *)context += n ? (unsigned char)s[n - 1] : 0;
    return true;
}

/* What is done with each game: it is written, packed and replayed, and its positions are written and read as FEN. */
static uint64_t train_game(const tby_game *game)
{
    static tby_move moves[TBY_PLIES_MAX];
    static uint8_t bytes[4 * TBY_PLIES_MAX];
    static uint64_t keys[TBY_PLIES_MAX + 1];
    uint64_t sum = 0;
    const size_t n_plies = tby_game_main_line(game, moves, TBY_PLIES_MAX);
    tby_position pos = *tby_game_start(game);
    for (size_t i = 0; i < n_plies; i++) {
        char text[TBY_FEN_SIZE];
        tby_position again;
        sum += tby_san_write(text, sizeof text, &pos, moves[i]) + tby_uci_write(text, sizeof text, &pos, moves[i], 0);
        tby_position_play(&pos, moves[i], NULL);
        const size_t n = tby_fen_write_position(text, sizeof text, &pos, 0);
        tby_fen_read_position(&again, text, n, 0, NULL, NULL);
        sum += tby_position_key(&again);
    }
    const size_t n_bytes =
        tby_packed_encode(bytes, sizeof bytes, tby_game_start(game), moves, n_plies, tby_game_result(game));
    for (size_t n = tby_packed_position_keys(keys, TBY_PLIES_MAX + 1, bytes, n_bytes); n > 0; n--)
        sum += keys[n - 1];
    tby_pgn_write(game, 0, throw_away, &sum);
    return sum;
}

static size_t read_file(void *context, char *buf, size_t cap) { return fread(buf, 1, cap, context); }

/* Reads the games event by event, as trees, and many moves at a time. */
static uint64_t train_file(const char *path)
{
    uint64_t sum = 0;
    tby_game *game = tby_game_new(NULL);
    for (int pass = 0; pass < 3; pass++) {
        FILE *file = fopen(path, "rb");
        tby_pgn *pgn = file ? tby_pgn_new(read_file, file, NULL, NULL) : NULL;
        tby_pgn_event event;
        while (pgn && pass == 0 && tby_pgn_next(pgn, &event) != TBY_PGN_END)
            sum += event.move;
        while (pgn && pass == 2 && tby_pgn_next(pgn, &event) != TBY_PGN_END) {
            tby_move moves[64];
            sum += tby_pgn_moves(pgn, moves, 64);
        }
        while (pgn && pass == 1 && tby_game_read_pgn(game, pgn, NULL, NULL) == TBY_GAME_GOOD)
            sum += train_game(game);
        tby_pgn_free(pgn);
        if (file)
            fclose(file);
    }
    tby_game_free(game);
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t sum = train_perft();
    for (int i = 1; i < argc; i++)
        sum += train_file(argv[i]);
    printf("%llx\n", (unsigned long long)sum);
    return 0;
}
