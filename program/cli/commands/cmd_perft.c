/*
 * cmd_perft.c - tabiya perft: counts move sequences, to check or time a move generator.
 *
 * With several threads the tree is divided after two half-moves: each pair of moves is a job, and the threads take jobs
 * from one counter until none are left. The 400 jobs of the start position suffice to keep all threads busy to the end.
 */
#include "commands.h"
#include "console.h"
#include "os/clock.h"
#include "os/threads.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { DEPTH_MAX = 64, THREADS_MAX = 1024 };
enum { OPT_ANY, OPT_CHESS960, OPT_DIVIDE, OPT_STRICT, OPT_THREADS };

static const option options[] = {
    [OPT_ANY] = {OPTION_ANY},
    [OPT_CHESS960] = {OPTION_CHESS960},
    [OPT_DIVIDE] = {"divide", 0, NULL, NULL, "show the count after each first move"},
    [OPT_STRICT] = {OPTION_STRICT},
    [OPT_THREADS] = {"threads", 0, "N", NULL, "use N threads (default: 1)"},
    {0},
};

static const example examples[] = {
    {"tabiya perft 6", "Counts the 119060324 sequences of six half-moves and shows the speed."},
    {"tabiya perft 5 --divide --threads 4", "Shows the count after each of the twenty first moves."},
    {"tabiya perft 4 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "Counts from another position."},
    {0},
};

/* ---- Counting --------------------------------------------------------------------------------------------------- */

/* One first move and the sequences after it. */
typedef struct branch {
    tby_move move;
    tby_position position; /* after it */
    atomic_uint_fast64_t nodes;
} branch;

typedef struct job {
    branch *branch;
    tby_move reply;
} job;

typedef struct search {
    unsigned depth;
    size_t n_branches, n_jobs;
    branch branches[TBY_MOVES_MAX];
    job *jobs;
    atomic_size_t next_job;
} search;

static search *search_new(const tby_position *pos, unsigned depth)
{
    tby_move moves[TBY_MOVES_MAX];
    search *s = memory_new(1, sizeof *s);
    s->depth = depth;
    s->n_branches = tby_moves_list(moves, pos);
    tby_moves_sort(moves, s->n_branches);
    for (size_t i = 0; i < s->n_branches; i++) {
        s->branches[i].move = moves[i];
        s->branches[i].position = *pos;
        tby_position_play(&s->branches[i].position, moves[i], NULL);
    }
    return s;
}

static void list_jobs(search *s)
{
    tby_move replies[TBY_MOVES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < s->n_branches; i++)
        n += tby_moves_count(&s->branches[i].position);
    s->jobs = memory_new(n, sizeof *s->jobs);
    for (size_t i = 0; i < s->n_branches; i++) {
        size_t n_replies = tby_moves_list(replies, &s->branches[i].position);
        for (size_t j = 0; j < n_replies; j++)
            s->jobs[s->n_jobs++] = (job){&s->branches[i], replies[j]};
    }
}

static void work(void *context, unsigned number)
{
    search *s = context;
    size_t i;
    (void)number;
    while ((i = atomic_fetch_add(&s->next_job, 1)) < s->n_jobs) {
        tby_position pos = s->jobs[i].branch->position;
        tby_position_play(&pos, s->jobs[i].reply, NULL);
        atomic_fetch_add(&s->jobs[i].branch->nodes, tby_perft(&pos, s->depth - 2));
    }
}

static void count_together(search *s, unsigned n_threads)
{
    list_jobs(s);
    const unsigned n = threads_run(threads_wanted(n_threads, THREADS_RUN_MAX), work, s);
    if (n < n_threads)
        error_print("warning: only %u threads could be started", n);
}

static uint64_t count_divided(search *s, unsigned n_threads)
{
    const bool is_alone = n_threads == 1 || s->depth <= 2;
    uint64_t sum = 0;
    if (!is_alone)
        count_together(s, n_threads);
    for (size_t i = 0; i < s->n_branches; i++) {
        if (is_alone)
            s->branches[i].nodes = tby_perft(&s->branches[i].position, s->depth - 1);
        sum += s->branches[i].nodes;
    }
    return sum;
}

/* ---- Showing ---------------------------------------------------------------------------------------------------- */

static void print_divide(const args *a, const tby_position *pos, const search *s)
{
    char uci[TBY_UCI_SIZE];
    for (size_t i = 0; i < s->n_branches; i++) {
        tby_uci_write(uci, sizeof uci, pos, s->branches[i].move, args_has(a, OPT_CHESS960) ? TBY_UCI_CHESS960 : 0);
        out_printf("%s: %" PRIu64 "\n", uci, (uint64_t)s->branches[i].nodes);
    }
    out_string("\n");
}

static void count_and_print(const args *a, const tby_position *pos, unsigned depth)
{
    const unsigned n_threads = (unsigned)option_number(a, OPT_THREADS, 1, 1, THREADS_MAX);
    bool divide = args_has(a, OPT_DIVIDE) && depth > 0;
    double start = clock_seconds();
    uint64_t nodes;
    if (divide || (n_threads > 1 && depth > 2)) {
        search *s = search_new(pos, depth);
        nodes = count_divided(s, n_threads);
        if (divide)
            print_divide(a, pos, s);
        free(s->jobs);
        free(s);
    } else {
        nodes = tby_perft(pos, depth);
    }
    const double seconds = clock_seconds() - start;
    out_printf("nodes %" PRIu64 "\ntime  %.3f s\nrate  %.1f M/s\n", nodes, seconds,
               seconds > 0 ? (double)nodes / seconds * 1e-6 : 0);
}

static int perft(const args *a, const fen_input *fen)
{
    tby_position pos;
    unsigned depth = (unsigned)number_read("perft: DEPTH", a->words[0], 0, DEPTH_MAX);
    if (!position_read(&pos, fen, fen_flags(a, OPT_CHESS960, OPT_STRICT),
                       args_has(a, OPT_ANY) ? TBY_FAULTS_UNREACHABLE : 0))
        return EXIT_FAILED;
    count_and_print(a, &pos, depth);
    return EXIT_YES;
}

static int perft_run(const args *a)
{
    if (a->n_words < 1)
        error_exit("perft: DEPTH is missing; try --help");
    return fen_one(a, 1, perft);
}

const command cmd_perft = {
    .name = "perft",
    .group = GROUP_POSITIONS,
    .words = "DEPTH [FEN]",
    .summary = "count the move sequences of a given length",
    .description = "Counts the sequences of DEPTH legal half-moves, the usual test of a move generator, and reports "
                   "how long it took. --divide lists the first moves in the order of `tabiya moves`.\n\n" FEN_HELP,
    .exits = "0  done\n2  the FEN is unreadable or not a legal position",
    .options = options,
    .examples = examples,
    .run = perft_run,
};
