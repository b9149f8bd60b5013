/*
 * test_cmbr_file.c - files of CMBR games: every bit flipped, truncated at every byte, hostile lengths, files joined
 * together.
 */
#include "codec_support.h"

enum { N_GAMES = 3, HEADER = TBY_CMBR_HEADER_SIZE, FRAME = 12 };

/* A file, its games, and where each record begins and ends. */
typedef struct sample {
    memory file;
    tby_game *games[N_GAMES];
    size_t begin[N_GAMES + 1];
} sample;

static void add_header(memory *m) { assert_true(tby_game_notation_find("cmbr", 4)->write_header(memory_sink, m)); }

static void add_game(memory *m, const tby_game *game)
{
    assert_int_equal(tby_cmbr_encode(game, memory_sink, m, NULL, NULL), TBY_OK);
}

static sample new_sample(void)
{
    static const char pgn[] = "[White \"Ada\"]\n\n1. e4 $1 {hi} (1. d4 d5) 1... e5 1-0\n\n"
                              "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 $300 *\n\n"
                              "[Event \"\xc3\xa9\"]\n\n{only a comment} 1. Nf3 -- 0-1\n\n";
    sample s = {{0}, {NULL}, {0}};
    assert_int_equal(games_of_pgn(s.games, N_GAMES, pgn, sizeof pgn - 1), N_GAMES);
    add_header(&s.file);
    for (size_t i = 0; i < N_GAMES; i++) {
        s.begin[i] = s.file.n;
        add_game(&s.file, s.games[i]);
    }
    s.begin[N_GAMES] = s.file.n;
    return s;
}

static void free_sample(sample *s)
{
    memory_clear(&s->file);
    for (size_t i = 0; i < N_GAMES; i++)
        tby_game_free(s->games[i]);
}

/* ---- Reading --------------------------------------------------------------------------------------------- */

typedef struct outcome {
    unsigned good; /* a bit per sample game that was read under its own number */
    unsigned n_bad;
    uint64_t bad_number; /* of the first bad game */
    tby_error err;       /* of the first bad game */
} outcome;

/* Reads a file to its end. Every game that is read must be one of the sample games. */
static outcome read_all(const sample *s, memory *file, size_t step)
{
    outcome o = {0, 0, 0, {TBY_OK, {0, 0}, 0, NULL}};
    tby_game *game = new_game();
    file->at = 0;
    file->step = step;
    tby_games *reader = cmbr_new(memory_source, file, NULL);
    assert_non_null(reader);
    for (;;) {
        tby_error err = {TBY_OK, {0, 0}, 0, NULL};
        const tby_game_read answer = cmbr_next(reader, game, &err);
        if (answer == TBY_GAME_END)
            break;
        const uint64_t number = cmbr_number(reader);
        if (answer == TBY_GAME_GOOD) {
            assert_in_range(number, 1, N_GAMES);
            assert_true(same_game(game, s->games[number - 1]));
            assert_int_equal(cmbr_offset(reader), s->begin[number - 1]);
            o.good |= 1u << (number - 1);
            continue;
        }
        assert_int_equal(answer, TBY_GAME_BAD);
        assert_int_not_equal(err.status, TBY_OK);
        assert_non_null(err.detail);
        assert_true(err.offset <= file->n);
        assert_int_equal(tby_game_n_nodes(game), 1);
        if (o.n_bad++ == 0) {
            o.err = err;
            o.bad_number = number;
        }
    }
    assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_END);
    assert_false(tby_games_skip(reader));
    tby_games_free(reader);
    tby_game_free(game);
    return o;
}

TEST(test_cmbr_file__games_are_read_in_order)
{
    sample s = new_sample();
    for (size_t step = 0; step < 20; step++) {
        const outcome o = read_all(&s, &s.file, step);
        assert_int_equal(o.good, 7);
        assert_int_equal(o.n_bad, 0);
    }
    free_sample(&s);
}

TEST(test_cmbr_file__a_header_alone_is_a_file_of_no_games)
{
    sample s = new_sample();
    s.file.n = HEADER;
    const outcome o = read_all(&s, &s.file, 0);
    assert_int_equal(o.good, 0);
    assert_int_equal(o.n_bad, 0);
    free_sample(&s);
}

TEST(test_cmbr_file__one_game_by_its_number)
{
    sample s = new_sample();
    tby_game *game = new_game();
    for (size_t wanted = 0; wanted <= N_GAMES; wanted++) {
        s.file.at = 0;
        tby_games *reader = cmbr_new(memory_source, &s.file, NULL);
        for (size_t i = 0; i < wanted; i++) {
            assert_true(tby_games_skip(reader));
            assert_int_equal(cmbr_number(reader), i + 1);
            assert_int_equal(cmbr_offset(reader), s.begin[i]);
        }
        if (wanted == N_GAMES) {
            assert_false(tby_games_skip(reader));
            assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_END);
        } else {
            assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_GOOD);
            assert_true(same_game(game, s.games[wanted]));
        }
        tby_games_free(reader);
    }
    tby_game_free(game);
    free_sample(&s);
}

/* ---- Damage ---------------------------------------------------------------------------------------------- */

/* The game that a byte belongs to, from 1; 0 for the header. */
static unsigned game_at(const sample *s, size_t at)
{
    unsigned number = 0;
    while (number < N_GAMES && at >= s->begin[number])
        number++;
    return number;
}

TEST(test_cmbr_file__a_flipped_bit_costs_one_game)
{
    sample s = new_sample();
    for (size_t bit = 0; bit < 8 * s.file.n; bit++) {
        s.file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const unsigned damaged = game_at(&s, bit / 8);
        for (size_t step = 0; step <= 7; step += 7) {
            const outcome o = read_all(&s, &s.file, step);
            if (o.n_bad != 1 || o.bad_number != damaged || o.good != (7u & ~(damaged ? 1u << (damaged - 1) : 0)))
                fail_msg("bit %zu of byte %zu: %u bad, first %u, good %x", bit % 8, bit / 8, o.n_bad,
                         (unsigned)o.bad_number, o.good);
        }
        s.file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free_sample(&s);
}

TEST(test_cmbr_file__truncation_costs_one_game)
{
    sample s = new_sample();
    const size_t whole = s.file.n;
    for (size_t n = 0; n < whole; n++) {
        memory cut = {0};
        memory_add(&cut, s.file.data, n);
        const unsigned damaged = game_at(&s, n);
        const bool is_clean = n == HEADER || (damaged > 0 && n == s.begin[damaged - 1]);
        const outcome o = read_all(&s, &cut, 0);
        assert_int_equal(o.n_bad, is_clean ? 0 : 1);
        assert_int_equal(o.good, damaged > 0 ? (1u << (damaged - 1)) - 1 : 0);
        assert_int_equal(o.bad_number, is_clean ? 0 : damaged);
        memory_clear(&cut);
    }
    free_sample(&s);
}

/* A program died while appending, and another one continued: the games after the truncated one are read. */
TEST(test_cmbr_file__records_after_a_truncated_one_are_read)
{
    sample s = new_sample();
    for (size_t n = s.begin[1] + 1; n < s.begin[2]; n++) {
        memory file = {0};
        memory_add(&file, s.file.data, n);
        memory_add(&file, s.file.data + s.begin[2], s.begin[3] - s.begin[2]);
        tby_game *game = new_game();
        tby_games *reader = cmbr_new(memory_source, &file, NULL);
        assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_GOOD);
        assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_BAD);
        assert_int_equal(cmbr_number(reader), 2);
        assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_GOOD);
        assert_int_equal(cmbr_number(reader), 3);
        assert_true(same_game(game, s.games[2]));
        assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_END);
        tby_games_free(reader);
        tby_game_free(game);
        memory_clear(&file);
    }
    free_sample(&s);
}

TEST(test_cmbr_file__skipping_counts_damaged_games)
{
    sample s = new_sample();
    s.file.data[0] ^= 1; /* a damaged header does not stop it either */
    s.file.data[s.begin[1] + 6] ^= 1;
    tby_game *game = new_game();
    tby_games *reader = cmbr_new(memory_source, &s.file, NULL);
    assert_true(tby_games_skip(reader));
    assert_true(tby_games_skip(reader));
    assert_int_equal(cmbr_number(reader), 2);
    assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_GOOD);
    assert_int_equal(cmbr_number(reader), 3);
    tby_games_free(reader);
    tby_game_free(game);
    free_sample(&s);
}

TEST(test_cmbr_file__damage_is_described)
{
    sample s = new_sample();
    const struct {
        size_t at; /* offset from the start of game 2 */
        uint8_t flip;
        tby_status status;
        size_t offset;
        const char *wanted;
    } cases[] = {
        {0, 1, TBY_INVALID_CMBR, 0, "no game begins here"},
        {4, 1, TBY_TOO_LONG, 4, "more than 16 MiB"},
        {4, 0x80, TBY_TOO_LONG, 4, "more than 16 MiB"},
        {5, 1, TBY_INVALID_CMBR, s.begin[2] - s.begin[1], "cut off"},
        {8, 1, TBY_INVALID_CMBR, 8, "the checksum does not match"},
        {20, 1, TBY_INVALID_CMBR, 8, "the checksum does not match"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        s.file.data[s.begin[1] + cases[i].at] ^= cases[i].flip;
        const outcome o = read_all(&s, &s.file, 0);
        assert_int_equal(o.bad_number, 2);
        assert_int_equal(o.err.status, cases[i].status);
        assert_non_null(strstr(o.err.detail, cases[i].wanted));
        assert_int_equal(o.err.offset, s.begin[1] + cases[i].offset);
        s.file.data[s.begin[1] + cases[i].at] ^= cases[i].flip;
    }
    free_sample(&s);
}

TEST(test_cmbr_file__other_headers_are_reported)
{
    sample s = new_sample();
    s.file.data[5] = 2;
    outcome o = read_all(&s, &s.file, 0);
    assert_string_equal(o.err.detail, "the version of the file is not 1");
    assert_int_equal(o.err.offset, 5);
    memory pgn = {0}, empty = {0};
    memory_add(&pgn, "[Event \"?\"]\n\n1. e4 *\n", 21);
    o = read_all(&s, &pgn, 0);
    assert_int_equal(o.n_bad, 1);
    assert_string_equal(o.err.detail, "the file does not begin with CMBR!");
    assert_int_equal(read_all(&s, &empty, 0).n_bad, 1);
    memory_clear(&pgn);
    free_sample(&s);
}

/* ---- Joined files ---------------------------------------------------------------------------------------- */

TEST(test_cmbr_file__joined_files_are_one_file)
{
    sample s = new_sample();
    memory joined = {0};
    for (int i = 0; i < 3; i++)
        memory_add(&joined, s.file.data, s.file.n);
    add_header(&joined);
    for (size_t step = 0; step <= 1; step++) {
        joined.at = 0;
        joined.step = step;
        tby_game *game = new_game();
        tby_games *reader = cmbr_new(memory_source, &joined, NULL);
        for (size_t i = 0; i < 9; i++) {
            assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_GOOD);
            assert_int_equal(cmbr_number(reader), i + 1);
            assert_true(same_game(game, s.games[i % 3]));
        }
        assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_END);
        tby_games_free(reader);
        tby_game_free(game);
    }
    memory_clear(&joined);
    free_sample(&s);
}

/* ---- Hostile files --------------------------------------------------------------------------------------- */

/* Reads a file to its end; returns the peak memory use, and counts the good and bad games. */
static size_t read_metered(memory *file, size_t *n_good, size_t *n_bad)
{
    meter m = {0, 0, 0, 0};
    const tby_allocator allocator = {meter_resize, &m};
    tby_game *game = new_game();
    tby_games *reader = cmbr_new(memory_source, file, &allocator);
    *n_good = *n_bad = 0;
    for (tby_game_read answer; (answer = cmbr_next(reader, game, NULL)) != TBY_GAME_END;) {
        assert_int_not_equal(answer, TBY_GAME_NO_MEMORY);
        *n_good += answer == TBY_GAME_GOOD;
        *n_bad += answer == TBY_GAME_BAD;
    }
    tby_games_free(reader);
    tby_game_free(game);
    assert_int_equal(m.in_use, 0);
    return m.peak;
}

TEST(test_cmbr_file__hostile_lengths_take_no_memory)
{
    static const char *const lengths[] = {"\xff\xff\xff\xff", "\x80\x01\x01\x01", "\x01\x01\x01\x01",
                                          "\x01\x00\x00\x01", "\x01\x01\x00\x00"};
    sample s = new_sample();
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n_good, n_bad;
        s.file.at = 0;
        memcpy(s.file.data + s.begin[1] + 4, lengths[i], 4);
        assert_true(read_metered(&s.file, &n_good, &n_bad) < 200 * 1024);
        assert_int_equal(n_good, 2);
        assert_int_equal(n_bad, 1);
    }
    free_sample(&s);
}

/* Millions of markers, each with a length of 16 MiB: the time depends on the bytes, not on the lengths. */
TEST(test_cmbr_file__many_markers_take_no_time)
{
    memory file = {0};
    size_t n_good, n_bad;
    add_header(&file);
    for (int i = 0; i < 1000000; i++)
        memory_add(&file, "\xf5GM\x01\x00\xff\xff\xff....", 12);
    assert_true(read_metered(&file, &n_good, &n_bad) < 200 * 1024);
    assert_int_equal(n_bad, 1000000);
    memory_clear(&file);
}

/* Endless bytes that are not a game are skipped in the memory of one block. */
TEST(test_cmbr_file__garbage_takes_no_memory)
{
    sample s = new_sample();
    memory file = {0};
    size_t n_good, n_bad;
    add_header(&file);
    for (int i = 0; i < 4000000; i++)
        memory_add(&file, "\xf5GM\x02\xf5", 5);
    memory_add(&file, s.file.data + s.begin[0], s.begin[1] - s.begin[0]);
    assert_true(read_metered(&file, &n_good, &n_bad) < 200 * 1024);
    assert_int_equal(n_bad, 1);
    assert_int_equal(n_good, 1);
    memory_clear(&file);
    free_sample(&s);
}

TEST(test_cmbr_file__many_games_take_the_memory_of_one)
{
    sample s = new_sample();
    memory file = {0};
    size_t n_good, n_bad;
    add_header(&file);
    for (int i = 0; i < 20000; i++)
        memory_add(&file, s.file.data + HEADER, s.file.n - HEADER);
    assert_true(read_metered(&file, &n_good, &n_bad) < 100 * 1024);
    assert_int_equal(n_good, 60000);
    assert_int_equal(n_bad, 0);
    memory_clear(&file);
    free_sample(&s);
}

/* A game larger than any initial buffer, between small ones. */
TEST(test_cmbr_file__a_large_game_is_read)
{
    sample s = new_sample();
    tby_game *large = new_game(), *game = new_game();
    char *text = malloc(5 << 20);
    assert_non_null(text);
    for (size_t i = 0; i < 5 << 20; i++)
        text[i] = "\xf5GM\x01"[i % 4];
    assert_true(tby_game_add_comment(large, TBY_ROOT, TBY_COMMENT_AFTER, text, 5 << 20));
    add_game(&s.file, large);
    add_game(&s.file, s.games[0]);
    s.file.step = 100000;
    tby_games *reader = cmbr_new(memory_source, &s.file, NULL);
    for (size_t i = 0; i < N_GAMES + 2; i++) {
        assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_GOOD);
        assert_true(same_game(game, i == N_GAMES ? large : s.games[i % (N_GAMES + 1)]));
    }
    assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_END);
    tby_games_free(reader);
    free(text);
    tby_game_free(large);
    tby_game_free(game);
    free_sample(&s);
}

/* ---- What is not the file's fault ------------------------------------------------------------------------ */

static size_t failing_source(void *context, char *buf, size_t cap)
{
    const size_t n = memory_source(context, buf, cap);
    return n > 0 ? n : TBY_SOURCE_FAILED;
}

TEST(test_cmbr_file__ioerr)
{
    sample s = new_sample();
    tby_game *game = new_game();
    const size_t whole = s.file.n;
    for (size_t n = HEADER; n <= whole; n++) {
        tby_error err = {TBY_OK, {0, 0}, 0, NULL};
        s.file.at = 0;
        s.file.n = n;
        tby_games *reader = cmbr_new(failing_source, &s.file, NULL);
        while (cmbr_next(reader, game, &err) == TBY_GAME_GOOD)
            ;
        assert_int_equal(err.status, TBY_IO_ERROR);
        assert_int_equal(cmbr_next(reader, game, &err), TBY_GAME_END);
        tby_games_free(reader);
    }
    s.file.n = whole;
    tby_game_free(game);
    free_sample(&s);
}

TEST(test_cmbr_file__nomem)
{
    sample s = new_sample();
    tby_game *game = new_game(), *large = new_game();
    char *text = calloc(1, 1 << 20);
    assert_true(tby_game_add_comment(large, TBY_ROOT, TBY_COMMENT_AFTER, text, 1 << 20));
    add_game(&s.file, large);
    tby_game_read answer = TBY_GAME_NO_MEMORY;
    for (size_t call = 1; answer != TBY_GAME_END; call++) {
        meter m = {0, 0, 0, call};
        const tby_allocator allocator = {meter_resize, &m};
        s.file.at = 0;
        tby_games *reader = cmbr_new(memory_source, &s.file, &allocator);
        answer = reader ? TBY_GAME_GOOD : TBY_GAME_NO_MEMORY;
        while (answer == TBY_GAME_GOOD)
            answer = cmbr_next(reader, game, NULL);
        if (reader && answer == TBY_GAME_NO_MEMORY) { /* then there is memory again, and reading continues */
            assert_int_equal(cmbr_next(reader, game, NULL), TBY_GAME_GOOD);
            assert_int_equal(cmbr_number(reader), N_GAMES + 1);
        }
        tby_games_free(reader);
        assert_int_equal(m.in_use, 0);
    }
    free(text);
    tby_game_free(game);
    tby_game_free(large);
    free_sample(&s);
}

int main(void) { return tests_run(NULL, NULL); }
