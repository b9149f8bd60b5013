/*
 * query.c - times queries, by scanning every game and with the indexes of a database.
 *
 *     query games.db questions.txt [filters.txt]
 *
 * Each line of a file is a query. The scan uses one thread, and its rate is half-moves per second of processor time;
 * with indexes, all processors are used and wall time counts. Times are medians of ROUNDS, with a warm cache. Both must
 * find the same games at the same half-moves, which the checksum covers. The filters are for the explorer at 1. e4; its
 * counts must be the same with and without indexes.
 */
#include "bench.h"
#include "tabiya_db.h"

#include <inttypes.h>
#include <string.h>

enum { ROUNDS = 5, TEXT_SIZE = 1024 };

static double processor_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct answer {
    int64_t n;
    uint64_t checksum;
} answer;

static bool take(void *context, const tby_db_hit *hit)
{
    answer *a = context;
    a->n++;
    const uint64_t number = (uint64_t)hit->id << 20 ^ (uint64_t)(hit->ply + 1), odd = 0x9e3779b97f4a7c15;
    a->checksum = (a->checksum ^ number) * odd;
    return true;
}

typedef struct timing {
    double clock, processor; /* seconds */
} timing;

static timing time_search(tby_db *db, const tby_db_search *search, answer *out)
{
    double clocks[ROUNDS], processors[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        const double start = bench_now(), processor = processor_now();
        *out = (answer){0, 0};
        if (tby_db_find(db, search, take, out) != TBY_OK)
            bench_fail(tby_db_failure(db)->text);
        clocks[i] = bench_now() - start;
        processors[i] = processor_now() - processor;
    }
    return (timing){bench_median(clocks, ROUNDS), bench_median(processors, ROUNDS)};
}

/* For all games; returns whether both agree. */
static bool ask(tby_db *db, double n_plies, const char *text)
{
    tby_query_error fault;
    tby_query *query = tby_query_new(text, strlen(text), NULL, NULL, &fault);
    answer by_scan, by_index;
    if (!query)
        bench_fail(text);
    tby_db_search search = {.query = query, .n_threads = 1, .ignores_index = true};
    const timing scan = time_search(db, &search, &by_scan);
    search = (tby_db_search){.query = query};
    const timing index = time_search(db, &search, &by_index);
    const bool is_same = by_scan.n == by_index.n && by_scan.checksum == by_index.checksum;
    printf("%7" PRId64 " %8.1f %8.1f %9.2f %9.2f  %016" PRIx64 " %s%s\n", by_scan.n, scan.processor * 1e3,
           n_plies / 1e6 / scan.processor, index.clock * 1e3, index.processor * 1e3, by_index.checksum, text,
           is_same ? "" : "  THE INDEX FINDS OTHERS");
    fflush(stdout);
    tby_query_free(query);
    return is_same;
}

/* ---- Exploring ------------------------------------------------------------------------------------------ */

static timing time_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out)
{
    double clocks[ROUNDS], processors[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        const double start = bench_now(), processor = processor_now();
        if (tby_db_explore(out, db, pos, among) != TBY_OK)
            bench_fail(tby_db_failure(db)->text);
        clocks[i] = bench_now() - start;
        processors[i] = processor_now() - processor;
    }
    return (timing){bench_median(clocks, ROUNDS), bench_median(processors, ROUNDS)};
}

/* Every game that counts is read here, and the position after its next move. */
static double nanoseconds(const timing *t, const tby_db_moves *all) { return t->processor * 1e9 / (double)all->games; }

static bool explore(tby_db *db, const tby_position *pos, const char *text, const tby_db_moves *all)
{
    static tby_db_moves by_index, by_scan;
    tby_query *query = text ? tby_query_new(text, strlen(text), NULL, NULL, NULL) : NULL;
    if (text && !query)
        bench_fail(text);
    tby_db_search among = {.query = query};
    const timing t = time_explore(db, pos, &among, &by_index);
    among.ignores_index = true;
    if (tby_db_explore(&by_scan, db, pos, &among) != TBY_OK)
        bench_fail(tby_db_failure(db)->text);
    const bool is_same = memcmp(&by_index, &by_scan, sizeof by_index) == 0;
    printf("%7" PRIu64 " %9.2f %9.2f %9.1f  %s%s\n", by_index.games, t.clock * 1e3, t.processor * 1e3,
           nanoseconds(&t, all), text ? text : "(all games)", is_same ? "" : "  THE SCAN COUNTS OTHERS");
    tby_query_free(query);
    return is_same;
}

static bool explore_all(tby_db *db, FILE *filters)
{
    static tby_db_moves all;
    char text[TEXT_SIZE];
    tby_position pos;
    tby_position_start(&pos);
    tby_position_play(&pos, TBY_MOVE(12, 28, 0), NULL);
    if (tby_db_explore(&all, db, &pos, NULL) != TBY_OK)
        bench_fail(tby_db_failure(db)->text);
    printf("\nexplorer at 1. e4, %" PRIu64 " games; required 50 ms, and at most 1.5 times the time without a filter\n",
           all.games);
    printf("%7s %9s %9s %9s  filter\n", "games", "ms", "cpu ms", "cpu ns each");
    bool is_right = explore(db, &pos, NULL, &all);
    while (fgets(text, sizeof text, filters)) {
        text[strcspn(text, "\n")] = '\0';
        if (text[0] && text[0] != '#')
            is_right &= explore(db, &pos, text, &all);
    }
    return is_right;
}

int main(int argc, char **argv)
{
    tby_failure failure;
    char text[TEXT_SIZE];
    tby_db *db;
    tby_db_summary summary;
    bool is_right = true;
    FILE *questions = argc >= 3 ? fopen(argv[2], "r") : NULL, *filters = argc == 4 ? fopen(argv[3], "r") : NULL;
    if (!questions || (argc == 4 && !filters))
        bench_fail("usage: query games.db questions.txt [filters.txt]");
    if (tby_db_open(&db, argv[1], TBY_DB_READ, &failure) != TBY_OK)
        bench_fail(failure.text);
    if (tby_db_summarize(&summary, db) != TBY_OK)
        bench_fail(tby_db_failure(db)->text);
    printf("%" PRId64 " games, %" PRId64 " half-moves\n", summary.n_games, summary.n_plies);
    printf("%7s %8s %8s %9s %9s  %-16s\n", "games", "scan ms", "M/s core", "index ms", "cpu ms", "checksum");
    while (fgets(text, sizeof text, questions)) {
        text[strcspn(text, "\n")] = '\0';
        if (text[0] && text[0] != '#')
            is_right &= ask(db, (double)summary.n_plies, text);
    }
    fclose(questions);
    if (filters) {
        is_right &= explore_all(db, filters);
        fclose(filters);
    }
    tby_db_close(db);
    return is_right ? 0 : 1;
}
