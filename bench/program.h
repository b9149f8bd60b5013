/*
 * program.h - times a whole program: its output is discarded, and wall time is measured.
 */
#ifndef TBY_BENCH_PROGRAM_H
#define TBY_BENCH_PROGRAM_H

#include "bench.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 5, MAX_ARGS = 10 };

typedef struct program {
    const char *name;
    const char *args[MAX_ARGS]; /* the program first; the file is appended */
    double times[ROUNDS];
    long peak_kib;
} program;

/* Returns seconds. If the program fails (exit code over 1), the benchmark ends. */
static inline double program_run(program *p, const char *path)
{
    const char *argv[MAX_ARGS + 2];
    int n = 0;
    for (; n < MAX_ARGS && p->args[n]; n++)
        argv[n] = p->args[n];
    argv[n++] = path;
    argv[n] = NULL;
    const double start = bench_now();
    const pid_t pid = fork();
    if (pid == 0) {
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        dup2(null, 2);
        execv(argv[0], (char *const *)(const void *)argv);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (pid < 0 || wait4(pid, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
        bench_fail(p->name);
    p->peak_kib = usage.ru_maxrss;
    return bench_now() - start;
}

#endif
