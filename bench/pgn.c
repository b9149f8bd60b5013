/*
 * pgn.c - reading, checking and converting PGN, compared with pgn-extract, alternating in one run.
 *
 *     pgn games.pgn path-of-tabiya [path-of-pgn-extract]
 *
 * First the library's reader in this process, with one thread, every move checked and comments skipped; then whole
 * programs, with their output discarded, in wall time. The checksum is the xor of the Polyglot keys of all final
 * positions.
 */
#include "program.h"
#include "tabiya_value.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

typedef struct counts {
    uint64_t games, plies, errors, checksum;
} counts;

static size_t read_file(void *context, char *buf, size_t cap) { return fread(buf, 1, cap, context); }

static double read_all(const char *path, counts *c)
{
    FILE *file = fopen(path, "rb");
    const tby_pgn_options options = {.flags = TBY_PGN_SKIP_COMMENTS};
    tby_pgn *pgn = file ? tby_pgn_new(read_file, file, &options, NULL) : NULL;
    if (!pgn)
        bench_fail("cannot read the file of games");
    memset(c, 0, sizeof *c);
    tby_pgn_event event;
    const double start = bench_now();
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END) {
        tby_move moves[256];
        c->plies += tby_pgn_moves(pgn, moves, 256);
        if (event.type == TBY_PGN_MOVE)
            c->plies++;
        else if (event.type == TBY_PGN_ERROR)
            c->errors++;
        else if (event.type == TBY_PGN_GAME_END) {
            c->games++;
            c->checksum ^= tby_polyglot_key(tby_pgn_position(pgn));
        }
    }
    const double seconds = bench_now() - start;
    tby_pgn_free(pgn);
    fclose(file);
    return seconds;
}

static double report_reader(double *times, const counts *c, double megabytes)
{
    const double t = bench_median(times, ROUNDS);
    printf("reader, one thread          %7.3f s %6.0f MB/s  %.0f k games/s  %.1f M plies/s\n", t, megabytes / t,
           (double)c->games / t / 1e3, (double)c->plies / t / 1e6);
    printf("  %" PRIu64 " games, %" PRIu64 " plies, %" PRIu64 " errors, checksum %016" PRIx64 "\n", c->games, c->plies,
           c->errors, c->checksum);
    return t;
}

int main(int argc, char **argv)
{
    struct stat st;
    if (argc < 3 || stat(argv[1], &st))
        bench_fail("usage: pgn games.pgn path-of-tabiya [path-of-pgn-extract]");
    const char *file = argv[1], *own = argv[2], *peer = argc > 3 ? argv[3] : NULL;
    program programs[] = {
        {"tabiya check, 1 thread", {own, "check", "--threads", "1"}, {0}, 0},
        {"tabiya check, 2 threads", {own, "check", "--threads", "2"}, {0}, 0},
        {"tabiya to uci, 1 thread",
         {own, "convert", "--from", "pgn", "--to", "uci", "--lossy", "--threads", "1"},
         {0},
         0},
        {"tabiya to pgn, 1 thread", {own, "convert", "--from", "pgn", "--to", "pgn", "--threads", "1"}, {0}, 0},
        {"pgn-extract -r -s", {peer, "-r", "-s"}, {0}, 0},
        {"pgn-extract -Wuci -s", {peer, "-Wuci", "-s"}, {0}, 0},
    };
    const int n_programs = peer ? 6 : 4;
    const double megabytes = (double)st.st_size / 1e6;
    double reader_times[ROUNDS];
    counts c;
    for (int round = 0; round < ROUNDS; round++) {
        reader_times[round] = read_all(file, &c);
        for (int i = 0; i < n_programs; i++)
            programs[i].times[round] = program_run(&programs[i], file);
    }
    const double reader = report_reader(reader_times, &c, megabytes);
    double medians[6] = {0};
    for (int i = 0; i < n_programs; i++) {
        medians[i] = bench_median(programs[i].times, ROUNDS);
        printf("%-27s %7.3f s %6.0f MB/s  peak %ld MB\n", programs[i].name, medians[i], megabytes / medians[i],
               programs[i].peak_kib / 1024);
    }
    printf("two threads / one           %.2f (required 1.8)\n", medians[0] / medians[1]);
    if (peer) {
        printf("reader / pgn-extract -r     %.1f (required 20, aim 24)\n", medians[4] / reader);
        printf("check / pgn-extract -r      %.1f (required 20, aim 24)\n", medians[4] / medians[0]);
        printf("to uci / pgn-extract -Wuci  %.1f (required 8)\n", medians[5] / medians[2]);
        printf("to pgn / pgn-extract -Wuci  %.1f (required 8)\n", medians[5] / medians[3]);
    }
    return 0;
}
