/*
 * perft_corpus.c - every perft count in the folder `perft` of a folder of test data.
 *
 *     perft_corpus [--nodes N] [--all] [--threads N] FOLDER
 *
 *     *.epd      FEN ;D1 20 ;D2 400 ...
 *     *.perft    id NAME / epd FEN / perft 1 20 / perft 2 400 ...
 *
 * Each position is run at its greatest depth of at most N nodes (default 12 million: half a minute on two idle cores);
 * with --all at its greatest depth, which takes an hour. FENs are read as X-FEN: tricky.perft has castling rights of
 * Chess960, and for those of usual chess it is the same. Positions that no game leads to count as well.
 *
 * The last line is "N passed, N failed". Exit code 0 if none failed, 1 if some did, 2 on bad arguments, 77 if the
 * folder has no such files.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tabiya_value.h"

enum { LINE_BYTES = 1024, THREADS_MAX = 64, FILES = 6 };

static const char *const NAMES[FILES] = {
    "standard.epd",   "tricky.perft", "ferdy_perft_double_checks.epd", "ferdy_perft_enpassant_1.epd",
    "chess960.perft", "random.perft"};

typedef struct task {
    const char *file;
    unsigned line, depth;
    uint64_t nodes; /* as the file says */
    char fen[TBY_FEN_SIZE];
} task;

typedef struct corpus {
    task *tasks;
    size_t n_tasks, cap, n_left_out;
    uint64_t nodes_max;
    unsigned n_threads;
    bool show_progress;
    /* shared by the threads */
    atomic_size_t next, n_done, n_failed;
    atomic_uint_least64_t nodes;
    pthread_mutex_t print;
} corpus;

/* ---- Reading the files ---------------------------------------------------------------------------------- */

static void stop(const char *what, const char *which)
{
    fprintf(stderr, "perft_corpus: %s %s\n", what, which);
    exit(2);
}

static task *add_task(corpus *c, const char *file, unsigned line, const char *fen, size_t n)
{
    if (c->n_tasks == c->cap) {
        c->cap = c->cap ? 2 * c->cap : 1024;
        c->tasks = realloc(c->tasks, c->cap * sizeof *c->tasks);
        if (!c->tasks)
            stop("no memory for", file);
    }
    task *t = &c->tasks[c->n_tasks++];
    memset(t, 0, sizeof *t);
    t->file = file;
    t->line = line;
    snprintf(t->fen, sizeof t->fen, "%.*s", (int)n, fen);
    return t;
}

/* Keeps the greatest depth that the limit allows. */
static void offer_depth(const corpus *c, task *t, unsigned depth, uint64_t nodes)
{
    if (nodes <= c->nodes_max && depth > t->depth) {
        t->depth = depth;
        t->nodes = nodes;
    }
}

static void read_epd_line(corpus *c, const char *file, unsigned line, const char *text)
{
    task *t = add_task(c, file, line, text, strcspn(text, ";"));
    for (const char *p = strchr(text, ';'); p; p = strchr(p + 1, ';')) {
        unsigned depth;
        uint64_t nodes;
        if (sscanf(p, "; D%u %" SCNu64, &depth, &nodes) == 2)
            offer_depth(c, t, depth, nodes);
    }
}

static void read_perft_line(corpus *c, const char *file, unsigned line, const char *text)
{
    unsigned depth;
    uint64_t nodes;
    if (strncmp(text, "epd ", 4) == 0)
        add_task(c, file, line, text + 4, strlen(text + 4));
    else if (c->n_tasks && sscanf(text, "perft %u %" SCNu64, &depth, &nodes) == 2)
        offer_depth(c, &c->tasks[c->n_tasks - 1], depth, nodes);
}

static void read_file(corpus *c, const char *folder, const char *name)
{
    char path[4096], text[LINE_BYTES];
    snprintf(path, sizeof path, "%s/perft/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    const bool is_epd = strcmp(name + strlen(name) - 4, ".epd") == 0;
    for (unsigned line = 1; fgets(text, sizeof text, file); line++) {
        text[strcspn(text, "\r\n")] = '\0';
        if (is_epd && text[0])
            read_epd_line(c, name, line, text);
        else if (!is_epd)
            read_perft_line(c, name, line, text);
    }
    fclose(file);
}

static void drop_tasks_without_depth(corpus *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_tasks; i++)
        if (c->tasks[i].depth)
            c->tasks[n++] = c->tasks[i];
    c->n_left_out = c->n_tasks - n;
    c->n_tasks = n;
}

/* ---- Running -------------------------------------------------------------------------------------------- */

static bool run_task(corpus *c, const task *t)
{
    tby_setup setup;
    tby_position pos;
    tby_error err = {0};
    char text[128];
    if (tby_fen_read(&setup, t->fen, strlen(t->fen), TBY_FEN_CHESS960, NULL, &err) == TBY_OK &&
        tby_position_init(&pos, &setup, TBY_FAULTS_UNREACHABLE, &err) == TBY_OK) {
        const uint64_t nodes = tby_perft(&pos, t->depth);
        atomic_fetch_add(&c->nodes, nodes);
        if (nodes == t->nodes)
            return true;
        snprintf(text, sizeof text, "expected %" PRIu64 ", got %" PRIu64, t->nodes, nodes);
    } else {
        snprintf(text, sizeof text, "%s", err.detail);
    }
    pthread_mutex_lock(&c->print);
    printf("%s:%u: %s: depth %u: %s\n", t->file, t->line, t->fen, t->depth, text);
    pthread_mutex_unlock(&c->print);
    return false;
}

static void show_progress(corpus *c, size_t n_done)
{
    if (!c->show_progress || (n_done % 64 && n_done != c->n_tasks))
        return;
    pthread_mutex_lock(&c->print);
    fprintf(stderr, "\r%zu of %zu positions%s", n_done, c->n_tasks, n_done == c->n_tasks ? "\n" : "");
    pthread_mutex_unlock(&c->print);
}

static void *work(void *context)
{
    corpus *c = context;
    for (;;) {
        const size_t i = atomic_fetch_add(&c->next, 1);
        if (i >= c->n_tasks)
            return NULL;
        if (!run_task(c, &c->tasks[i]))
            atomic_fetch_add(&c->n_failed, 1);
        show_progress(c, atomic_fetch_add(&c->n_done, 1) + 1);
    }
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run_all(corpus *c)
{
    pthread_t threads[THREADS_MAX];
    unsigned n_started = 0;
    while (n_started < c->n_threads && pthread_create(&threads[n_started], NULL, work, c) == 0)
        n_started++;
    if (n_started == 0)
        work(c);
    for (unsigned i = 0; i < n_started; i++)
        pthread_join(threads[i], NULL);
}

/* ---- The command line ----------------------------------------------------------------------------------- */

static uint64_t number(const char *text)
{
    char *end;
    const unsigned long long value = text ? strtoull(text, &end, 10) : 0;
    if (!text || end == text || *end || value == 0)
        stop("not a number:", text ? text : "(missing)");
    return value;
}

static const char *read_arguments(corpus *c, char **argv)
{
    const char *folder = NULL;
    for (argv++; *argv; argv++) {
        if (strcmp(*argv, "--all") == 0)
            c->nodes_max = UINT64_MAX;
        else if (strcmp(*argv, "--nodes") == 0)
            c->nodes_max = number(*++argv);
        else if (strcmp(*argv, "--threads") == 0)
            c->n_threads = (unsigned)number(*++argv);
        else if (**argv == '-' || folder)
            stop("unknown argument", *argv);
        else
            folder = *argv;
    }
    if (!folder)
        stop("usage: perft_corpus", "[--nodes N] [--all] [--threads N] FOLDER");
    return folder;
}

int main(int argc, char **argv)
{
    (void)argc;
    static corpus c = {.nodes_max = 12000000, .print = PTHREAD_MUTEX_INITIALIZER};
    const long n_cores = sysconf(_SC_NPROCESSORS_ONLN);
    c.n_threads = n_cores > 0 ? (unsigned)n_cores : 1;
    const char *folder = read_arguments(&c, argv);
    if (c.n_threads > THREADS_MAX)
        c.n_threads = THREADS_MAX;
    c.show_progress = isatty(STDERR_FILENO);

    for (size_t i = 0; i < FILES; i++)
        read_file(&c, folder, NAMES[i]);
    if (c.n_tasks == 0) {
        fprintf(stderr, "perft_corpus: no perft files in %s/perft\n", folder);
        return 77;
    }
    drop_tasks_without_depth(&c);
    const double start = seconds_now();
    run_all(&c);
    const double seconds = seconds_now() - start;
    const uint64_t nodes = c.nodes;
    if (c.n_left_out)
        printf("%zu positions left out: no depth of so few nodes\n", c.n_left_out);
    printf("%" PRIu64 " nodes in %.1f s, %u threads\n", nodes, seconds, c.n_threads);
    printf("%zu passed, %zu failed\n", c.n_tasks - c.n_failed, (size_t)c.n_failed);
    free(c.tasks);
    return c.n_failed != 0;
}
