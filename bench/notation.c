/*
 * notation.c - measures how fast moves and positions are written, read and replayed.
 *
 *     notation [path of stockfish or "" [games.pgn]]
 *
 * The moves come from the games in the file, or from random games without one. The rates of other libraries, and the
 * required ones, were measured with real games on another machine, on which Debian's Stockfish runs `go perft 6` at 234
 * million nodes per second. Stockfish is run before and after each test here, and `scaled` is the rate converted to
 * that machine.
 */
#include "stockfish.h"
#include "tabiya_value.h"

#include <inttypes.h>

enum { MAX_PLIES = 2000000, MAX_FENS = 200000, RANDOM_GAMES = 10000, RANDOM_PLIES = 80 };

typedef struct games {
    tby_move *moves; /* TBY_MOVE_NONE ends a game */
    size_t n_moves, n_plies;
    char *fens; /* TBY_FEN_SIZE bytes each */
    uint8_t *fen_lengths;
    size_t n_fens;
} games;

static void add_move(games *g, const tby_position *before, tby_move m)
{
    g->moves[g->n_moves++] = m;
    if (m == TBY_MOVE_NONE)
        return;
    if (g->n_plies++ % 8 == 0 && g->n_fens < MAX_FENS) {
        char *fen = g->fens + g->n_fens * TBY_FEN_SIZE;
        g->fen_lengths[g->n_fens++] = (uint8_t)tby_fen_write_position(fen, TBY_FEN_SIZE, before, 0);
    }
}

static size_t read_file(void *context, char *buf, size_t cap) { return fread(buf, 1, cap, context); }

static void load_pgn(games *g, const char *path)
{
    FILE *file = fopen(path, "rb");
    tby_pgn *pgn = file ? tby_pgn_new(read_file, file, NULL, NULL) : NULL;
    if (!pgn)
        bench_fail("cannot read the file of games");
    tby_pgn_event event;
    bool skip = false;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END && g->n_moves + 2 < MAX_PLIES) {
        if (event.type == TBY_PGN_TAG)
            skip |= event.n_name == 3 && memcmp(event.name, "FEN", 3) == 0;
        if (event.type == TBY_PGN_MOVE && !skip && tby_pgn_depth(pgn) == 0)
            add_move(g, tby_pgn_position_before(pgn), event.move);
        if (event.type == TBY_PGN_GAME_END) {
            add_move(g, NULL, TBY_MOVE_NONE);
            skip = false;
        }
    }
    add_move(g, NULL, TBY_MOVE_NONE);
    tby_pgn_free(pgn);
    fclose(file);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void play_random(games *g)
{
    uint64_t seed = 20240709;
    for (int game = 0; game < RANDOM_GAMES; game++) {
        tby_position pos;
        tby_position_start(&pos);
        for (int ply = 0; ply < RANDOM_PLIES; ply++) {
            tby_move moves[TBY_MOVES_MAX];
            const size_t n = tby_moves_list(moves, &pos);
            if (n == 0)
                break;
            const tby_move m = moves[next_random(&seed) % n];
            add_move(g, &pos, m);
            tby_position_play(&pos, m, NULL);
        }
        add_move(g, NULL, TBY_MOVE_NONE);
    }
}

/* Each test runs once over all games and returns the number of operations; `sum` is a checksum. */
static size_t replay(const games *g, uint64_t *sum)
{
    tby_position pos;
    tby_position_start(&pos);
    for (size_t i = 0; i < g->n_moves; i++) {
        if (g->moves[i] == TBY_MOVE_NONE) {
            tby_position_start(&pos);
            continue;
        }
        tby_position_play(&pos, g->moves[i], NULL);
        *sum ^= tby_position_key(&pos) + i;
    }
    return g->n_plies;
}

static size_t write_san(const games *g, uint64_t *sum)
{
    tby_position pos;
    tby_position_start(&pos);
    for (size_t i = 0; i < g->n_moves; i++) {
        char san[TBY_SAN_SIZE];
        if (g->moves[i] == TBY_MOVE_NONE) {
            tby_position_start(&pos);
            continue;
        }
        *sum += tby_san_write(san, sizeof san, &pos, g->moves[i]);
        tby_position_play(&pos, g->moves[i], NULL);
    }
    return g->n_plies;
}

static size_t read_fen(const games *g, uint64_t *sum)
{
    for (size_t i = 0; i < g->n_fens; i++) {
        tby_position pos;
        if (tby_fen_read_position(&pos, g->fens + i * TBY_FEN_SIZE, g->fen_lengths[i], 0, NULL, NULL) != TBY_OK)
            bench_fail("a FEN was refused");
        *sum ^= pos.placement_key + i;
    }
    return g->n_fens;
}

static size_t write_fen(const games *g, uint64_t *sum)
{
    tby_position pos;
    tby_position_start(&pos);
    for (size_t i = 0; i < g->n_moves; i++) {
        char fen[TBY_FEN_SIZE];
        if (g->moves[i] == TBY_MOVE_NONE) {
            tby_position_start(&pos);
            continue;
        }
        tby_position_play(&pos, g->moves[i], NULL);
        *sum += tby_fen_write_position(fen, sizeof fen, &pos, 0);
    }
    return g->n_plies;
}

/* The current speed of this machine, as a fraction of the other's. */
static double yardstick(peer *stockfish)
{
    uint64_t nodes;
    const double seconds = peer_perft(stockfish, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, &nodes);
    return (double)nodes / seconds / 234e6;
}

static void measure(const char *name, size_t (*test)(const games *, uint64_t *), const games *g, peer *stockfish,
                    const char *remark)
{
    double times[BENCH_ROUNDS];
    uint64_t sum = 0;
    size_t n = 0;
    const double before = stockfish ? yardstick(stockfish) : 0;
    for (int i = 0; i < BENCH_ROUNDS; i++) {
        sum = 0;
        const double start = bench_now();
        n = test(g, &sum);
        times[i] = bench_now() - start;
    }
    const double rate = (double)n / bench_median(times, BENCH_ROUNDS) / 1e6;
    printf("%-34s %6.1f M/s", name, rate);
    if (stockfish) {
        const double factor = (before + yardstick(stockfish)) / 2;
        printf("  scaled %6.1f M/s (machine %.2f)", rate / factor, factor);
    }
    printf("  %9zu done  checksum %016" PRIx64 "  %s\n", n, sum, remark);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    games g = {
        malloc(MAX_PLIES * sizeof(tby_move)), 0, 0, malloc((size_t)MAX_FENS * TBY_FEN_SIZE), malloc(MAX_FENS), 0};
    peer memory, *stockfish = argc > 1 && argv[1][0] && peer_start(&memory, argv[1]) ? &memory : NULL;
    if (!g.moves || !g.fens || !g.fen_lengths)
        bench_fail("no memory");
    if (argc > 2)
        load_pgn(&g, argv[2]);
    else
        play_random(&g);
    measure("replay with position keys", replay, &g, stockfish, "required 80; others 61 (with keys), 80 (without)");
    measure("SAN writing with marks, and play", write_san, &g, stockfish, "required 10; others 4.6");
    measure("FEN reading, checked", read_fen, &g, stockfish, "required 12; others 5.0, 3.6");
    measure("play and FEN writing", write_fen, &g, stockfish, "others 2.1, 2.8");
    if (stockfish)
        peer_stop(stockfish);
    free(g.moves);
    free(g.fens);
    free(g.fen_lengths);
    return 0;
}
