/*
 * stockfish.h - Stockfish as a reference: started once and sent "go perft", so that its start-up does not count.
 */
#ifndef TBY_BENCH_STOCKFISH_H
#define TBY_BENCH_STOCKFISH_H

#include "bench.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct peer {
    pid_t pid;
    FILE *to, *from;
} peer;

static inline bool peer_start(peer *p, const char *program)
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
static inline bool peer_ask(peer *p, const char *line, const char *answer, char *got, size_t cap)
{
    fprintf(p->to, "%s\n", line);
    fflush(p->to);
    while (fgets(got, (int)cap, p->from))
        if (strncmp(got, answer, strlen(answer)) == 0)
            return true;
    return false;
}

/* Seconds. */
static inline double peer_perft(peer *p, const char *fen, unsigned depth, uint64_t *nodes)
{
    char line[256], got[256];
    fprintf(p->to, "position fen %s\n", fen);
    if (!peer_ask(p, "isready", "readyok", got, sizeof got))
        bench_fail("stockfish does not answer");
    snprintf(line, sizeof line, "go perft %u", depth);
    const double start = bench_now();
    if (!peer_ask(p, line, "Nodes searched:", got, sizeof got))
        bench_fail("stockfish does not answer");
    *nodes = strtoull(got + strlen("Nodes searched:"), NULL, 10);
    return bench_now() - start;
}

static inline void peer_stop(peer *p)
{
    fputs("quit\n", p->to);
    fflush(p->to);
    waitpid(p->pid, NULL, 0);
}

#endif
