/*
 * test_fen_usual.c - the fast path for FEN returns the same as reading field by field and checking the rules.
 */
#include "notation/fen.h"
#include "notation_support.h"

enum { MUTATIONS = 100000 };

/* How many texts were compared, and how many of them took the fast path. */
static unsigned n_texts, n_usual;

static void assert_same_meaning(const char *s, size_t n)
{
    tby_position at_once, by_fields, unused;
    tby_setup setup;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL}, wanted_err = err;
    unsigned warnings = 0xdead, wanted_warnings = 0xdead;
    tby_status wanted = tby_fen_read(&setup, s, n, 0, &wanted_warnings, &wanted_err);
    memset(&at_once, 0x5a, sizeof at_once);
    by_fields = at_once;
    if (wanted == TBY_OK)
        wanted = tby_position_init(&by_fields, &setup, 0, &wanted_err);
    if (tby_fen_read_position(&at_once, s, n, 0, &warnings, &err) != wanted)
        fail_msg("%.*s: status %d, not %d", (int)n, s, err.status, wanted);
    if (memcmp(&at_once, &by_fields, sizeof at_once) != 0)
        fail_msg("%.*s: another position", (int)n, s);
    if (warnings != wanted_warnings)
        fail_msg("%.*s: warnings %#x, not %#x", (int)n, s, warnings, wanted_warnings);
    if (err.status != wanted_err.status || err.offset != wanted_err.offset || err.detail != wanted_err.detail)
        fail_msg("%.*s: another error", (int)n, s);
    n_texts++;
    n_usual += fen_read_usual(&unused, s, n);
}

static void compare_bytes(const char *s, size_t n)
{
    char *copy = exact_copy(s, n);
    assert_same_meaning(copy, n);
    free(copy);
}

/* ---- What is written ------------------------------------------------------------------------------------ */

static void compare_position(const tby_position *pos)
{
    char fen[TBY_FEN_SIZE];
    compare_bytes(fen, tby_fen_write_position(fen, sizeof fen, pos, 0));
}

TEST(test_fen_usual__positions_of_games_mean_the_same) { visit_random_games(200, 300, compare_position); }

TEST(test_fen_usual__all_kinds_of_boards_mean_the_same)
{
    uint64_t random = 0x7461626979610003ULL;
    for (int i = 0; i < 20000; i++) {
        const tby_position pos = random_board(&random, random_below(&random, 62));
        compare_position(&pos);
    }
}

/* Every cell of the tables, whether it is FEN or not. */
TEST(test_fen_usual__vectors_mean_the_same)
{
    static const char *const names[] = {"moves", "perft", "positions", "rules", "short_all", "status"};
    static char line[1 << 16];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/vectors/%s.tsv", TBY_TEST_DIR, names[i]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file))
            for (char *cell = strtok(line, "\t\n"); cell; cell = strtok(NULL, "\t\n"))
                compare_bytes(cell, strlen(cell));
        fclose(file);
    }
}

/* ---- What is not ---------------------------------------------------------------------------------------- */

static const char *const TEXTS[] = {
    START_FEN,
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 99 1234",
    "8/8/4k3/8/8/3K4/4P3/8 w - - 12 60",
    "p1p1p1p1/1p1p1p1p/8/k7/7K/8/P1P1P1P1/1P1P1P1P w - - 0 1",
    "1n1p1p1p/p1p1p1k1/1p1b1r1q/8/n1b1r1Q1/1R1B1N1P/P1P1P1P1/1P1P1PRK b - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "r3k3/8/8/8/8/8/8/4K2R b Kq - 65535 65535",
};
enum { N_TEXTS = sizeof TEXTS / sizeof *TEXTS };

TEST(test_fen_usual__every_change_of_a_byte_means_the_same)
{
    for (size_t i = 0; i < N_TEXTS; i++)
        for_each_mutation(TEXTS[i], assert_same_meaning);
}

/* Some bytes changed, doubled or left out, mostly with characters that FEN uses. */
static size_t mutate(char *s, size_t n, uint64_t *random)
{
    static const char bytes[] = "PNBRQKpnbrqk12345678/ -wb09e36\t\n\xff";
    for (unsigned i = random_below(random, 4); i > 0; i--) {
        const size_t at = random_below(random, (unsigned)n);
        switch (random_below(random, 4)) {
        case 0: memmove(s + at, s + at + 1, --n - at); break;
        case 1: memmove(s + at + 1, s + at, n++ - at); break;
        default: s[at] = bytes[random_below(random, sizeof bytes - 1)];
        }
    }
    return n;
}

TEST(test_fen_usual__a_hundred_thousand_mutations_mean_the_same)
{
    uint64_t random = 0x7461626979610004ULL;
    for (int i = 0; i < MUTATIONS; i++) {
        const tby_position pos = random_board(&random, random_below(&random, 32));
        char text[TBY_FEN_SIZE + 8];
        const size_t n = i % 2 ? tby_fen_write_position(text, TBY_FEN_SIZE, &pos, 0)
                               : (size_t)snprintf(text, sizeof text, "%s", TEXTS[(unsigned)i / 2 % N_TEXTS]);
        compare_bytes(text, mutate(text, n, &random));
    }
}

/* ---- Is it used? ---------------------------------------------------------------------------------------- */

TEST(test_fen_usual__positions_of_games_take_the_fast_path)
{
    tby_position pos;
    if (!fen_read_usual(&pos, START_FEN, strlen(START_FEN)))
        skip(); /* this processor does not support it */
    n_texts = n_usual = 0;
    visit_random_games(20, 100, compare_position);
    assert_true(n_usual > n_texts / 2); /* half of the games have Chess960 castling */
}

int main(void) { return tests_run(NULL, NULL); }
