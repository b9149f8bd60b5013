/*
 * perft.c - our perft beside Stockfish's, in turns in one run: nodes, seconds, ratio.
 *
 *     perft [path of stockfish]
 *
 * One thread each, no hash on either side. Stockfish is started once and told "go perft"; its start-up does not count.
 */
#include "bench.h"
#include "tabiya.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct task {
    const char *name, *fen;
    unsigned depth;
    uint64_t nodes;
    double required, aim; /* times Stockfish */
} task;

static const task TASKS[] = {
    {"start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324, 3.1, 5.0},
    {"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690, 4.2, 7.6},
};
enum { N_TASKS = sizeof TASKS / sizeof TASKS[0] };

typedef struct peer {
    pid_t pid;
    FILE *to, *from;
} peer;

static bool peer_start(peer *p, const char *program)
{
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        bench_fail("no pipe");
    p->pid = fork();
    if (p->pid == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        close(from[0]);
        execlp(program, program, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    p->to = fdopen(to[1], "w");
    p->from = fdopen(from[0], "r");
    return p->pid > 0 && p->to && p->from;
}

/* Sends a line and reads until one that begins with `answer`. */
static bool peer_ask(peer *p, const char *line, const char *answer, char *got, size_t cap)
{
    fprintf(p->to, "%s\n", line);
    fflush(p->to);
    while (fgets(got, (int)cap, p->from))
        if (strncmp(got, answer, strlen(answer)) == 0)
            return true;
    return false;
}

static double time_peer(peer *p, const task *t, uint64_t *nodes)
{
    char line[256], got[256];
    fprintf(p->to, "position fen %s\n", t->fen);
    if (!peer_ask(p, "isready", "readyok", got, sizeof got))
        bench_fail("stockfish does not answer");
    snprintf(line, sizeof line, "go perft %u", t->depth);
    const double start = bench_now();
    if (!peer_ask(p, line, "Nodes searched:", got, sizeof got))
        bench_fail("stockfish does not answer");
    *nodes = strtoull(got + strlen("Nodes searched:"), NULL, 10);
    return bench_now() - start;
}

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
            theirs[i] = time_peer(p, t, &their_nodes);
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
    if (has_peer) {
        fputs("quit\n", stockfish.to);
        fflush(stockfish.to);
        waitpid(stockfish.pid, NULL, 0);
    }
    return failures ? 1 : 0;
}
