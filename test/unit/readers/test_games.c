/*
 * test_games.c - streams of games in every notation of the registry: offsets, skipping, splitting, faults.
 */
#include "codec_support.h"

TEST(test_games__the_bytes_of_a_game_in_a_stream_are_that_game)
{
    const tby_game_notation *n;
    tby_error err;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++) {
        memory b = sample_file(n);
        b.step = 100;
        tby_games *games = n->open(memory_source, &b, NULL);
        tby_game *game = new_game(), *back = new_game();
        while (tby_games_next(games, game, NULL, NULL) == TBY_GAME_GOOD) {
            const tby_games_place place = tby_games_where(games);
            assert_int_equal(n->read(back, (const char *)b.data + place.begin, (size_t)(place.end - place.begin), &err),
                             TBY_OK);
            assert_true(tby_game_equal(game, back));
        }
        tby_games_free(games);
        tby_game_free(game);
        tby_game_free(back);
        memory_clear(&b);
    }
}

TEST(test_games__streams_skip_games)
{
    const tby_game_notation *n;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++) {
        memory b = sample_file(n);
        b.step = 50;
        tby_games *games = n->open(memory_source, &b, NULL);
        tby_game *back = new_game(), *last = sample_game(N_SAMPLES - 1);
        for (int g = 1; g < N_SAMPLES; g++)
            assert_true(tby_games_skip(games));
        assert_int_equal(tby_games_where(games).n_games, N_SAMPLES - 1);
        assert_int_equal(tby_games_next(games, back, NULL, NULL), TBY_GAME_GOOD);
        assert_true(tby_game_equal(last, back));
        assert_false(tby_games_skip(games));
        tby_games_free(games);
        tby_game_free(back);
        tby_game_free(last);
        memory_clear(&b);
    }
}

/* A file can be split at a boundary: both parts are files, and no game is lost. */
TEST(test_games__split_streams_hold_the_same_games)
{
    const tby_game_notation *n;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++) {
        if (!n->last_boundary)
            continue;
        memory b = sample_file(n), more = sample_file(n);
        memory_add(&b, more.data, more.n);
        const size_t cut = n->last_boundary((const char *)b.data, b.n - 10);
        assert_in_range(cut, 1, b.n - 11);
        size_t n_games = 0;
        for (int half = 0; half < 2; half++) {
            memory part = {0};
            memory_add(&part, half ? b.data + cut : b.data, half ? b.n - cut : cut);
            tby_games *games = n->open(memory_source, &part, NULL);
            while (tby_games_skip(games))
                n_games++;
            tby_games_free(games);
            memory_clear(&part);
        }
        assert_int_equal(n_games, 2 * N_SAMPLES);
        memory_clear(&more);
        memory_clear(&b);
    }
}

typedef struct faults {
    size_t n;
    tby_game_fault last;
} faults;

static void count_fault(void *context, const tby_game_fault *fault)
{
    faults *f = context;
    f->n++;
    f->last = *fault;
}

/* One byte of the second game is damaged; only that game is lost. */
TEST(test_games__faults_are_reported_and_skipped)
{
    const tby_game_notation *n;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++) {
        memory b = sample_file(n);
        faults f = {.n = 0};
        b.step = 50;
        tby_games *whole = n->open(memory_source, &b, NULL);
        tby_game *game = new_game(), *last = sample_game(N_SAMPLES - 1);
        assert_true(tby_games_skip(whole) && tby_games_skip(whole));
        const tby_games_place second = tby_games_where(whole);
        tby_games_free(whole);
        b.at = 0;
        for (uint64_t at = second.end - 8; at < second.end - 5; at++)
            b.data[at] = '~';
        tby_games *games = n->open(memory_source, &b, NULL);
        assert_int_equal(tby_games_next(games, game, count_fault, &f), TBY_GAME_GOOD);
        assert_int_equal(f.n, 0);
        assert_int_equal(tby_games_next(games, game, count_fault, &f), TBY_GAME_BAD);
        assert_true(f.n >= 1 && f.last.error.status != TBY_OK && f.last.text[0]);
        assert_in_range(f.last.error.offset, second.begin, second.end);
        assert_true(n->is_binary ? f.last.line == 0 : f.last.line >= 1 && f.last.column >= 1);
        assert_int_equal(tby_games_where(games).n_games, 2);
        assert_int_equal(tby_games_next(games, game, count_fault, &f), TBY_GAME_GOOD);
        assert_true(tby_game_equal(game, last));
        assert_int_equal(tby_games_next(games, game, count_fault, &f), TBY_GAME_END);
        tby_games_free(games);
        tby_game_free(game);
        tby_game_free(last);
        memory_clear(&b);
    }
}

static size_t fail_at_the_end(void *context, char *buf, size_t cap)
{
    const size_t n = memory_source(context, buf, cap);
    return n ? n : TBY_SOURCE_FAILED;
}

/* A read error is a fault of the file and does not count as a game. */
TEST(test_games__failing_inputs_are_reported_once)
{
    const tby_game_notation *n;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++) {
        memory b = sample_file(n);
        faults f = {.n = 0};
        b.step = 50;
        tby_games *games = n->open(fail_at_the_end, &b, NULL);
        tby_game *game = new_game();
        for (int g = 0; g < N_SAMPLES; g++)
            assert_int_equal(tby_games_next(games, game, count_fault, &f), TBY_GAME_GOOD);
        assert_int_equal(tby_games_next(games, game, count_fault, &f), TBY_GAME_BAD);
        assert_int_equal(f.last.error.status, TBY_IO_ERROR);
        assert_int_equal(tby_games_where(games).n_games, N_SAMPLES);
        assert_int_equal(tby_games_next(games, game, count_fault, &f), TBY_GAME_END);
        assert_int_equal(f.n, 1);
        tby_games_free(games);
        tby_game_free(game);
        memory_clear(&b);
    }
}

/* Whichever allocation fails, either there is no stream or reading reports it; nothing leaks. */
TEST(test_games__no_memory_is_reported)
{
    const tby_game_notation *n;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++) {
        memory b = sample_file(n);
        tby_game *game = new_game();
        tby_game_read read = TBY_GAME_NO_MEMORY;
        for (size_t call = 1; read != TBY_GAME_END; call++) {
            meter m = {0, 0, 0, call};
            const tby_allocator allocator = {meter_resize, &m};
            b.at = 0;
            tby_games *games = n->open(memory_source, &b, &allocator);
            do
                read = games ? tby_games_next(games, game, NULL, NULL) : TBY_GAME_NO_MEMORY;
            while (read == TBY_GAME_GOOD);
            assert_true(read == TBY_GAME_END || read == TBY_GAME_NO_MEMORY);
            assert_true(m.n_calls >= call || read == TBY_GAME_END);
            tby_games_free(games);
            assert_int_equal(m.in_use, 0);
        }
        tby_game_free(game);
        memory_clear(&b);
    }
}

typedef struct flood {
    size_t left;
    char tail[64];
    size_t n_tail;
} flood;

static size_t memory_source_flood(void *context, char *buf, size_t cap)
{
    flood *f = context;
    const size_t n = f->left ? (f->left < cap ? f->left : cap) : f->n_tail;
    if (f->left) {
        memset(buf, ' ', n);
        f->left -= n;
    } else {
        memcpy(buf, f->tail, n);
        f->n_tail = 0;
    }
    return n;
}

TEST(test_games__a_json_line_that_is_too_long_is_one_bad_game)
{
    flood f = {.left = (17 << 20) + 5, .tail = "{}\n{\"moves\":[{\"san\":\"e4\"}]}\n"};
    f.n_tail = strlen(f.tail);
    faults found = {.n = 0};
    tby_games *games = tby_game_notation_find("json", 4)->open(memory_source_flood, &f, NULL);
    tby_game *game = new_game();
    assert_int_equal(tby_games_next(games, game, count_fault, &found), TBY_GAME_BAD);
    assert_int_equal(found.last.error.status, TBY_TOO_LONG);
    assert_int_equal(tby_games_next(games, game, count_fault, &found), TBY_GAME_GOOD);
    assert_int_equal(tby_games_where(games).n_lines, 2);
    assert_int_equal(tby_game_n_nodes(game), 2);
    tby_games_free(games);
    tby_game_free(game);
}

int main(void) { return tests_run(NULL, NULL); }
