/*
 * test_publisher.c - published files are whole, named by their content, and do not depend on threads or memory. What is in
 * them is tested by test/web/published.test.mjs, which compares the reader with the program.
 */
#include "support.h"

#include "publish/publish.h"
#include "tabiya_publish.h"

typedef struct file {
    char name[32];
    uint8_t *bytes;
    size_t n;
} file;

typedef struct folder {
    file files[32];
    size_t n, fails_at; /* after that many files; 0: never */
} folder;

static bool put_file(void *context, const char *name, const uint8_t *bytes, size_t n)
{
    folder *f = context;
    if (f->fails_at && f->n + 1 == f->fails_at)
        return false;
    assert_true(f->n < sizeof f->files / sizeof *f->files);
    assert_true(n <= TBY_PUBLISH_FILE_MAX);
    file *to = &f->files[f->n++];
    snprintf(to->name, sizeof to->name, "%s", name);
    to->bytes = malloc(n ? n : 1);
    assert_non_null(to->bytes);
    memcpy(to->bytes, bytes, n);
    to->n = n;
    return true;
}

static void folder_free(folder *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->files[i].bytes);
    *f = (folder){.n = 0};
}

static tby_text text_of(const char *s) { return (tby_text){s, strlen(s)}; }

/* Games of some moves, a part of each of these lines. */
static tby_publisher *publisher_of(size_t n_games)
{
    static const char *const lines[] = {"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0",
                                        "1. Nf3 Nc6 2. e4 e5 3. Bc4 Bc5 4. c3 Nf6 1/2-1/2",
                                        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 *", "1. e4 -- 2. d4 d5 0-1"};
    tby_publisher *p = tby_publisher_new();
    assert_non_null(p);
    for (size_t i = 0; i < n_games; i++) {
        uint8_t moves[TBY_CHESSGAME_SIZE];
        size_t n;
        char name[32];
        tby_failure failure;
        const char *line = lines[i % 4];
        assert_int_equal(tby_chessgame_read(moves, &n, line, strlen(line), 0, NULL, NULL), TBY_OK);
        snprintf(name, sizeof name, "Player %zu", i % 37);
        const tby_row row = {.white = text_of(name),
                             .black = text_of("Other, A"),
                             .event = text_of("?"),
                             .shape = text_of("White Black Event"),
                             .moves = {(const char *)moves, n},
                             .plies = (uint32_t)tby_packed_n_plies(moves, n),
                             .result = tby_packed_result(moves, n),
                             .date = 20200101 + (int)(i % 28),
                             .elo = {2000 + (int)(i % 500), 0}};
        assert_int_equal(tby_publisher_add(p, &row, (tby_game_id)i + 1, &failure), TBY_OK);
    }
    assert_int_equal(tby_publisher_n_games(p), n_games);
    return p;
}

static folder publish(size_t n_games, const tby_publish_options *options)
{
    folder out = {.n = 0};
    tby_failure failure;
    tby_publisher *p = publisher_of(n_games);
    if (tby_publisher_write(p, options, put_file, &out, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    tby_publisher_free(p);
    return out;
}

TEST(test_publisher__files_are_the_same_for_any_number_of_threads_and_any_memory)
{
    static const tby_publish_options options[] = {
        {.n_threads = 1}, {.n_threads = 5}, {.n_threads = 3, .memory = 30000}};
    folder first = publish(1000, &options[0]);
    for (size_t i = 1; i < sizeof options / sizeof *options; i++) {
        folder other = publish(1000, &options[i]);
        assert_int_equal(first.n, other.n);
        for (size_t k = 0; k < first.n; k++) {
            assert_string_equal(first.files[k].name, other.files[k].name);
            assert_int_equal(first.files[k].n, other.files[k].n);
            assert_memory_equal(first.files[k].bytes, other.files[k].bytes, first.files[k].n);
        }
        folder_free(&other);
    }
    folder_free(&first);
}

TEST(test_publisher__the_manifest_comes_last_and_names_a_directory)
{
    folder out = publish(130, NULL);
    assert_true(out.n >= 3);
    const file *manifest = &out.files[out.n - 1], *directory = &out.files[out.n - 2];
    assert_string_equal(manifest->name, "manifest.json");
    char text[1 << 14];
    snprintf(text, sizeof text, "%.*s", (int)manifest->n, (const char *)manifest->bytes);
    assert_non_null(strstr(text, directory->name));
    assert_memory_equal(directory->bytes, "\x1f\x8b", 2);
    folder_free(&out);
}

TEST(test_publisher__bytes_are_stored_as_a_file_of_gzip)
{
    static const char expected[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03"
                                   "\x01\x09\0\xf6\xff"
                                   "123456789"
                                   "\x26\x39\xf4\xcb\x09\0\0\0"; /* RFC 1952; the check value of its CRC-32 */
    buffer bytes = {0}, out = {0};
    buffer_string(&bytes, "123456789");
    publish_store(&out, &bytes);
    assert_int_equal(out.n, sizeof expected - 1);
    assert_int_equal(out.n, bytes.n + PUBLISH_STORE_SIZE);
    assert_memory_equal(out.s, expected, sizeof expected - 1);
    buffer_clear(&bytes);
    buffer_clear(&out);
    for (size_t i = 0; i < 70000; i++)
        buffer_put(&bytes, (unsigned)i & 0xff);
    publish_store(&out, &bytes);
    assert_int_equal(out.n, 10 + 5 + 65535 + 5 + 70000 - 65535 + 8);
    assert_int_equal(out.data[10], 0);
    assert_int_equal(out.data[10 + 5 + 65535], 1);
    buffer_free(&bytes);
    buffer_free(&out);
}

TEST(test_publisher__a_file_that_cannot_be_written_ends_the_work)
{
    for (size_t i = 1; i <= 3; i++) {
        folder out = {.fails_at = i};
        tby_failure failure;
        tby_publisher *p = publisher_of(10);
        assert_int_equal(tby_publisher_write(p, NULL, put_file, &out, &failure), TBY_IO_ERROR);
        assert_true(failure.text[0]);
        tby_publisher_free(p);
        folder_free(&out);
    }
}

static bool stop(void *context, double fraction)
{
    double *last = context;
    assert_true(fraction >= *last && fraction <= 1);
    *last = fraction;
    return fraction < 0.3;
}

TEST(test_publisher__the_caller_can_end_the_work)
{
    double last = 0;
    folder out = {.n = 0};
    tby_failure failure;
    const tby_publish_options options = {.progress = stop, .progress_context = &last};
    tby_publisher *p = publisher_of(100);
    assert_int_equal(tby_publisher_write(p, &options, put_file, &out, &failure), TBY_INTERRUPTED);
    tby_publisher_free(p);
    folder_free(&out);
}

TEST(test_publisher__bytes_that_are_not_a_game_are_refused)
{
    tby_failure failure;
    tby_publisher *p = tby_publisher_new();
    const tby_row row = {.moves = {"\x55\x66", 2}};
    assert_int_not_equal(tby_publisher_add(p, &row, 1, &failure), TBY_OK);
    assert_int_equal(tby_publisher_n_games(p), 0);
    tby_publisher_free(p);
}

TEST(test_publisher__no_games_are_a_publication_too)
{
    folder out = publish(0, NULL);
    assert_int_equal(out.n, 2);
    folder_free(&out);
}

int main(void) { return tests_run(NULL, NULL); }
