/*
 * database.c - importing, searching and exploring, compared with pgn-extract, alternating in one run.
 *
 *     database games.pgn folder path-of-tabiya [path-of-pgn-extract]
 *
 * Databases are created in the folder. Searches are timed in this process, with a warm cache, for random positions of
 * the games; each is answered by scan and by index, and the answers must agree.
 */
#include "program.h"
#include "tabiya_db.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum { QUERIES = 200, IMPORTS = 3 };

static double file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (double)st.st_size : 0;
}

/* ---- Importing ------------------------------------------------------------------------------------------ */

typedef struct files {
    char plain[512], indexed[512];
} files;

static void import_all(const files *f, const char *games, const char *own, const char *peer)
{
    program programs[] = {
        {"import, without position index", {own, "import", "--index-plies", "none", f->plain}, {0}, 0},
        {"import, with position index", {own, "import", "--index-plies", "all", f->indexed}, {0}, 0},
        {"pgn-extract -r -s", {peer, "-r", "-s"}, {0}, 0},
    };
    const int n = peer ? 3 : 2;
    double medians[3] = {0};
    for (int round = 0; round < IMPORTS; round++)
        for (int i = 0; i < n; i++) {
            unlink(i == 0 ? f->plain : i == 1 ? f->indexed : "");
            programs[i].times[round] = program_run(&programs[i], games);
        }
    for (int i = 0; i < n; i++) {
        medians[i] = bench_median(programs[i].times, IMPORTS);
        printf("%-31s %7.3f s %6.0f MB/s  peak %ld MB%s\n", programs[i].name, medians[i],
               file_size(games) / 1e6 / medians[i], programs[i].peak_kib / 1024, i < 2 ? " (at most 512)" : "");
    }
    if (peer) {
        printf("without index / pgn-extract -r  %.1f (required 8)\n", medians[2] / medians[0]);
        printf("with index / pgn-extract -r     %.1f (required 2)\n", medians[2] / medians[1]);
    }
    fflush(stdout);
}

/* ---- Positions ------------------------------------------------------------------------------------------ */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static tby_position random_position(tby_db *db, tby_game *game, int64_t n_games, uint64_t *seed)
{
    static tby_move moves[TBY_PLIES_MAX];
    while (tby_db_game(game, db, 1 + (tby_game_id)(next_random(seed) % (uint64_t)n_games)) != TBY_OK)
        continue;
    const size_t ply = next_random(seed) % (tby_game_main_line(game, moves, TBY_PLIES_MAX) + 1);
    tby_position pos = *tby_game_start(game);
    for (size_t i = 0; i < ply; i++)
        tby_position_play(&pos, moves[i], NULL);
    return pos;
}

/* ---- Searching ------------------------------------------------------------------------------------------ */

typedef struct timing {
    const char *name, *required;
    double times[QUERIES];
} timing;

static void print_timing(timing *t)
{
    const double median = bench_median(t->times, QUERIES);
    printf("%-31s median %7.3f ms  p90 %7.3f  p99 %7.3f  max %7.3f  %s\n", t->name, median * 1e3,
           t->times[QUERIES * 9 / 10] * 1e3, t->times[QUERIES * 99 / 100] * 1e3, t->times[QUERIES - 1] * 1e3,
           t->required);
}

static int64_t time_count(tby_db *db, const tby_position *pos, double *seconds)
{
    char fen[TBY_FEN_SIZE], asked[TBY_FEN_SIZE + 16];
    int64_t n = -1;
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    const int length = snprintf(asked, sizeof asked, "fen \"%s\"", fen);
    const double start = bench_now();
    tby_query *query = tby_query_new(asked, (size_t)length, NULL, NULL, NULL);
    const tby_db_search search = {.query = query};
    if (!query || tby_db_count(&n, db, &search) != TBY_OK)
        bench_fail(tby_db_failure(db)->text);
    tby_query_free(query);
    *seconds = bench_now() - start;
    return n;
}

static double time_explore(tby_db *db, const tby_position *pos, tby_db_moves *out)
{
    const double start = bench_now();
    if (tby_db_explore(out, db, pos, NULL) != TBY_OK)
        bench_fail(tby_db_failure(db)->text);
    return bench_now() - start;
}

static bool search_all(tby_db *plain, tby_db *indexed)
{
    static timing scan = {"position by scan", "required: median 10, p99 60; SCID 18.5 / 162 at 3 times the games", {0}},
                  look = {"position by index", "required 2", {0}}, table = {"explorer by index", "required 10", {0}},
                  scanned_table = {"explorer by scan", "", {0}};
    static tby_db_moves by_index, by_scan;
    tby_game *game = tby_game_new(NULL);
    int64_t n_games = 0;
    tby_db_n_games(&n_games, plain);
    uint64_t seed = 88172645463325252ULL, checksum = 0;
    bool is_right = true;
    double warm;
    const tby_position first = random_position(plain, game, n_games, &seed);
    time_count(plain, &first, &warm);
    time_count(indexed, &first, &warm);
    for (int i = 0; i < QUERIES; i++) {
        const tby_position pos = random_position(plain, game, n_games, &seed);
        const int64_t a = time_count(plain, &pos, &scan.times[i]), b = time_count(indexed, &pos, &look.times[i]);
        table.times[i] = time_explore(indexed, &pos, &by_index);
        scanned_table.times[i] = time_explore(plain, &pos, &by_scan);
        is_right &= a == b && a > 0 && memcmp(&by_index, &by_scan, sizeof by_index) == 0 && (int64_t)by_scan.games == a;
        checksum = checksum * 31 + (uint64_t)a;
    }
    print_timing(&scan);
    print_timing(&look);
    print_timing(&table);
    print_timing(&scanned_table);
    printf("%d random positions, answers %s, checksum %016" PRIx64 "\n", QUERIES, is_right ? "agree" : "DIFFER",
           checksum);
    tby_game_free(game);
    return is_right;
}

static void print_sizes(const files *f, tby_db *db)
{
    tby_db_summary summary;
    if (tby_db_summarize(&summary, db) != TBY_OK)
        bench_fail(tby_db_failure(db)->text);
    const int64_t n_games = summary.n_games;
    const double n_plies = (double)summary.n_plies;
    const double plain = file_size(f->plain), indexed = file_size(f->indexed), n_positions = n_plies + (double)n_games;
    printf("%" PRId64 " games: %.1f MB, %.0f bytes per game; the index of %.0f positions %.1f MB, %.2f bytes each "
           "(at most 16; others 16 to 26)\n",
           n_games, plain / 1e6, plain / (double)n_games, n_positions, (indexed - plain) / 1e6,
           (indexed - plain) / n_positions);
}

int main(int argc, char **argv)
{
    tby_failure failure;
    files f;
    if (argc < 4)
        bench_fail("usage: database games.pgn folder path-of-tabiya [path-of-pgn-extract]");
    snprintf(f.plain, sizeof f.plain, "%s/plain.db", argv[2]);
    snprintf(f.indexed, sizeof f.indexed, "%s/indexed.db", argv[2]);
    import_all(&f, argv[1], argv[3], argc > 4 ? argv[4] : NULL);
    tby_db *plain, *indexed;
    if (tby_db_open(&plain, f.plain, TBY_DB_READ, &failure) != TBY_OK ||
        tby_db_open(&indexed, f.indexed, TBY_DB_READ, &failure) != TBY_OK)
        bench_fail(failure.text);
    print_sizes(&f, plain);
    const bool is_right = search_all(plain, indexed);
    tby_db_close(plain);
    tby_db_close(indexed);
    return is_right ? 0 : 1;
}
