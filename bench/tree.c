/*
 * tree.c - the tree of chess: counting, compared with our own perft; folders; and games.
 *
 *     tree folder path-of-tabiya [games.pgn]
 *
 * Trees are written to the folder and removed. Counts are compared with the known numbers of positions.
 */
#include "program.h"
#include "tabiya_tree.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t POSITIONS[] = {1, 20, 400, 5362, 72078, 822518, 9417681, 96400068};
enum { FOLDER_NODES = 77796, PERFT_DEPTH = 6, RUNS = 3 };

static double perft_rate(void)
{
    double times[RUNS];
    tby_position start;
    uint64_t nodes = 0;
    tby_position_start(&start);
    for (int i = 0; i < RUNS; i++) {
        const double begin = bench_now();
        nodes = tby_perft(&start, PERFT_DEPTH);
        times[i] = bench_now() - begin;
    }
    const double rate = (double)nodes / bench_median(times, RUNS);
    printf("perft %d, one thread             %7.1f M leaves/s, checksum %" PRIu64 "\n", PERFT_DEPTH, rate * 1e-6,
           nodes);
    return rate;
}

/* ---- Counting ------------------------------------------------------------------------------------------ */

static bool keep_ply(void *context, const tby_tree_ply *ply)
{
    *(tby_tree_ply *)context = *ply;
    return ply->n_positions == POSITIONS[ply->ply];
}

static void count(unsigned depth, uint64_t memory, double rate, const char *required)
{
    tby_failure failure;
    tby_position start;
    tby_tree_ply last = {0};
    const tby_tree_count options = {.depth = depth, .memory = memory, .on_ply = keep_ply};
    const tby_tree_work work = {.context = &last};
    tby_position_start(&start);
    const double begin = bench_now();
    if (tby_tree_count_positions(&start, &options, &work, &failure) != TBY_OK)
        bench_fail(failure.text);
    const double seconds = bench_now() - begin, moves = (double)last.n_moves / last.seconds;
    printf("count to ply %u                  %7.2f s (%s), %.2f M positions/s, %.1f M moves/s, perft / moves %.1f, "
           "checksum %" PRIu64 "\n",
           depth, seconds, required, (double)last.n_positions / last.seconds * 1e-6, moves * 1e-6, rate / moves,
           last.n_positions);
    printf("                                %7.1f %% of the last ply's records went to disk\n",
           100.0 * (double)last.n_on_disk / (double)last.n_positions);
    fflush(stdout);
}

/* The memory of a separate process. */
static void print_memory(const char *own)
{
    program p = {"count to ply 7", {own, "tree", "grow", "--count", "--memory", "4G", "--depth"}, {0}, 0};
    const double seconds = program_run(&p, "7");
    printf("in a separate process           %7.2f s, peak %ld MB (at most 4096), %.1f bytes per position\n", seconds,
           p.peak_kib / 1024, (double)p.peak_kib * 1024 / (double)POSITIONS[7]);
}

/* ---- Folders and games --------------------------------------------------------------------------------- */

static void write_folders(const char *folder, const char *own)
{
    char path[512];
    program grow = {"grow", {own, "tree", "grow", "--depth", "4", "-o"}, {0}, 0};
    program read = {"read", {own, "tree", "read"}, {0}, 0};
    program clear = {"rm", {"/bin/rm", "-rf"}, {0}, 0};
    for (int i = 0; i < RUNS; i++) {
        snprintf(path, sizeof path, "%s/tree%d", folder, i);
        grow.times[i] = program_run(&grow, path);
        read.times[i] = program_run(&read, path);
    }
    /* Only after all are written: ext4 creates files slowly where others were just removed. */
    for (int i = 0; i < RUNS; i++) {
        snprintf(path, sizeof path, "%s/tree%d", folder, i);
        program_run(&clear, path);
    }
    printf("folders written                 %7.0f nodes/s (required 20000)\n",
           FOLDER_NODES / bench_median(grow.times, RUNS));
    printf("folders read and checked        %7.0f nodes/s\n", FOLDER_NODES / bench_median(read.times, RUNS));
}

static size_t count_games(const char *path)
{
    char line[1024];
    size_t n = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        bench_fail(path);
    while (fgets(line, sizeof line, file))
        n += strncmp(line, "[Event ", 7) == 0;
    fclose(file);
    return n;
}

/* For counting only: the tree has one node. */
static void read_games(const char *games, const char *own)
{
    program p = {"games", {own, "tree", "show", "--plies", "30", "--min-games", "1000000000"}, {0}, 0};
    for (int i = 0; i < RUNS; i++)
        p.times[i] = program_run(&p, games);
    printf("tree of games, 30 half-moves    %7.0f games/s (required 60000), peak %ld MB\n",
           (double)count_games(games) / bench_median(p.times, RUNS), p.peak_kib / 1024);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        bench_fail("usage: tree folder path-of-tabiya [games.pgn]");
    const double rate = perft_rate();
    count(6, (uint64_t)4 << 30, rate, "at most 15");
    count(7, (uint64_t)4 << 30, rate, "at most 180");
    print_memory(argv[2]);
    write_folders(argv[1], argv[2]);
    if (argc > 3)
        read_games(argv[3], argv[2]);
    return 0;
}
