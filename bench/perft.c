/*
 * perft.c - compares our perft with Stockfish's, alternating in one run: nodes, seconds, ratio.
 *
 *     perft [path of stockfish]
 *
 * One thread each, no hash tables. Stockfish is started once and sent "go perft"; its start-up does not count.
 */
#include "stockfish.h"
#include "tabiya_value.h"

#include <inttypes.h>

typedef struct task {
    const char *name, *fen;
    unsigned depth;
    uint64_t nodes;
    double required, aim; /* times Stockfish */
} task;

static const task TASKS[] = {
    {"start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324, 4.7, 5.0},
    {"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690, 7.0, 7.6},
};
enum { N_TASKS = sizeof TASKS / sizeof TASKS[0] };

static double time_own(const task *t, uint64_t *nodes)
{
    tby_position pos;
    if (tby_fen_read_position(&pos, t->fen, strlen(t->fen), 0, NULL, NULL) != TBY_OK)
        bench_fail("bad FEN");
    const double start = bench_now();
    *nodes = tby_perft(&pos, t->depth);
    return bench_now() - start;
}

static int run(const task *t, peer *p)
{
    double own[BENCH_ROUNDS], theirs[BENCH_ROUNDS];
    uint64_t own_nodes = 0, their_nodes = t->nodes;
    for (int i = 0; i < BENCH_ROUNDS; i++) {
        own[i] = time_own(t, &own_nodes);
        if (p)
            theirs[i] = peer_perft(p, t->fen, t->depth, &their_nodes);
    }
    const double ours = bench_median(own, BENCH_ROUNDS);
    printf("perft %-9s depth %u  %" PRIu64 " nodes  tabiya %.3f s %5.0f Mn/s", t->name, t->depth, own_nodes, ours,
           (double)own_nodes / ours / 1e6);
    if (p) {
        const double other = bench_median(theirs, BENCH_ROUNDS);
        printf("  stockfish %.3f s %4.0f Mn/s  ratio %.2f (required %.1f, aim %.1f)", other,
               (double)their_nodes / other / 1e6, other / ours, t->required, t->aim);
    }
    const bool same = own_nodes == t->nodes && their_nodes == t->nodes;
    printf("%s\n", same ? "" : "  WRONG COUNT");
    fflush(stdout);
    return !same;
}

int main(int argc, char **argv)
{
    peer stockfish;
    const bool has_peer = argc > 1 && peer_start(&stockfish, argv[1]);
    int failures = 0;
    for (int i = 0; i < N_TASKS; i++)
        failures += run(&TASKS[i], has_peer ? &stockfish : NULL);
    if (has_peer)
        peer_stop(&stockfish);
    return failures ? 1 : 0;
}
