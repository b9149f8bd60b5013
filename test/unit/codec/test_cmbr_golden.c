/*
 * test_cmbr_golden.c - CMBR files of a released version stay readable.
 *
 *     test_cmbr_golden                  compares every file of test/golden/cmbr-v1 with its PGN, both ways
 *     test_cmbr_golden --make NAME      makes NAME.cmbr there from NAME.pgn, once
 */
#include "codec_support.h"

#define FOLDER TBY_TEST_DIR "/golden/cmbr-v1/"

static memory read_file(const char *name, const char *ending)
{
    char path[1024];
    uint8_t block[4096];
    memory m = {0};
    snprintf(path, sizeof path, FOLDER "%s%s", name, ending);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("no file %s", path);
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        memory_add(&m, block, n);
    fclose(file);
    return m;
}

enum { GAMES_MAX = 16 };

/* A CMBR file with these games, as bytes. */
static memory file_of(tby_game **games, size_t n_games)
{
    memory m = {0};
    assert_true(tby_game_notation_find("cmbr", 4)->write_header(memory_sink, &m));
    for (size_t i = 0; i < n_games; i++)
        assert_int_equal(tby_cmbr_encode(games[i], memory_sink, &m, NULL, NULL), TBY_OK);
    return m;
}

static void check_golden(const char *name, size_t n_wanted)
{
    memory pgn = read_file(name, ".pgn"), cmbr = read_file(name, ".cmbr");
    tby_game *games[GAMES_MAX], *game = new_game();
    const size_t n_games = games_of_pgn(games, GAMES_MAX, (const char *)pgn.data, pgn.n);
    assert_int_equal(n_games, n_wanted);
    tby_games *reader = cmbr_new(memory_source, &cmbr, NULL);
    for (size_t i = 0; i < n_games; i++) {
        assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_GOOD);
        assert_int_equal(cmbr_number(reader), i + 1);
        if (!same_game(game, games[i]))
            fail_msg("%s: game %zu is read differently", name, i + 1);
    }
    assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_END);
    memory again = file_of(games, n_games);
    assert_int_equal(again.n, cmbr.n);
    assert_memory_equal(again.data, cmbr.data, cmbr.n);
    tby_games_free(reader);
    tby_game_free(game);
    for (size_t i = 0; i < n_games; i++)
        tby_game_free(games[i]);
    memory_clear(&pgn);
    memory_clear(&cmbr);
    memory_clear(&again);
}

TEST(test_cmbr_golden__annotated) { check_golden("annotated", 2); }

TEST(test_cmbr_golden__starts) { check_golden("starts", 5); }

/* A change of the reader would affect both sides of the comparison; this pins what the PGN means. */
TEST(test_cmbr_golden__the_games_are_what_they_were)
{
    memory pgn = read_file("annotated", ".pgn");
    tby_game *games[GAMES_MAX];
    const size_t n_games = games_of_pgn(games, GAMES_MAX, (const char *)pgn.data, pgn.n);
    assert_int_equal(n_games, 2);
    assert_int_equal(tby_game_n_nodes(games[0]), 1 + 33 + 8);
    assert_int_equal(tby_game_n_nodes(games[1]), 1 + 4 + 3);
    const tby_node e4 = tby_game_child(games[0], TBY_ROOT);
    assert_int_equal(tby_game_n_comments(games[0], e4, TBY_COMMENT_BEFORE), 1);
    assert_int_equal(tby_game_n_comments(games[0], e4, TBY_COMMENT_AFTER), 2);
    assert_string_equal(tby_game_tag(games[0], "Site"), "Paris \"FRA\"");
    for (size_t i = 0; i < n_games; i++)
        tby_game_free(games[i]);
    memory_clear(&pgn);
}

static int make_golden(const char *name)
{
    char path[1024];
    memory pgn = read_file(name, ".pgn");
    tby_game *games[GAMES_MAX];
    const size_t n_games = games_of_pgn(games, GAMES_MAX, (const char *)pgn.data, pgn.n);
    memory made = file_of(games, n_games);
    snprintf(path, sizeof path, FOLDER "%s.cmbr", name);
    FILE *file = fopen(path, "wbx");
    if (!file || fwrite(made.data, 1, made.n, file) != made.n || fclose(file) != 0) {
        perror(path);
        return 2;
    }
    printf("%s: %zu games, %zu bytes\n", path, n_games, made.n);
    for (size_t i = 0; i < n_games; i++)
        tby_game_free(games[i]);
    memory_clear(&pgn);
    memory_clear(&made);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--make") == 0)
        return make_golden(argv[2]);
    return tests_run(NULL, NULL);
}
