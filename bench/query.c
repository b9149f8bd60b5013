/*
 * query.c - questions in the query language, by a scan of every game and by the indexes of a database.
 *
 *     query games.db questions.txt
 *
 * A line of the file is a question. The scan uses one thread, and its rate is half-moves of the database by the
 * processor's time; the indexes use all processors, by the clock. Median of ROUNDS, warm. Both must find the same games
 * at the same half-moves: the checksum is over all of them.
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
            bench_fail(tby_db_error(db));
        clocks[i] = bench_now() - start;
        processors[i] = processor_now() - processor;
    }
    return (timing){bench_median(clocks, ROUNDS), bench_median(processors, ROUNDS)};
}

/* Of all games; true if both ways agree. */
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

int main(int argc, char **argv)
{
    char error[TBY_DB_ERROR_SIZE], text[TEXT_SIZE];
    tby_db *db;
    tby_db_summary summary;
    bool is_right = true;
    FILE *questions = argc == 3 ? fopen(argv[2], "r") : NULL;
    if (!questions)
        bench_fail("usage: query games.db questions.txt");
    if (tby_db_open(&db, argv[1], TBY_DB_READ, error) != TBY_OK)
        bench_fail(error);
    if (tby_db_summarize(db, &summary) != TBY_OK)
        bench_fail(tby_db_error(db));
    printf("%" PRId64 " games, %" PRId64 " half-moves\n", summary.n_games, summary.n_plies);
    printf("%7s %8s %8s %9s %9s  %-16s\n", "games", "scan ms", "M/s core", "index ms", "cpu ms", "checksum");
    while (fgets(text, sizeof text, questions)) {
        text[strcspn(text, "\n")] = '\0';
        if (text[0] && text[0] != '#')
            is_right &= ask(db, (double)summary.n_plies, text);
    }
    fclose(questions);
    tby_db_close(db);
    return is_right ? 0 : 1;
}
