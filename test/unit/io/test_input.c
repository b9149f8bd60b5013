/*
 * test_input.c - files as streams of bytes: compressed, padded, damaged, truncated, and without memory.
 */
#include "support.h"

#include "io/input.h"

#include "failing_memory.h"

#include <unistd.h>

static const char TEXT[] = "1. e4 e5 *\n";
/* TEXT compressed by gzip and zstd, and a zstd frame to be skipped. */
static const unsigned char GZIP[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x33,
                                     0xd4, 0x53, 0x48, 0x35, 0x51, 0x48, 0x35, 0x55, 0xd0, 0xe2, 0x02,
                                     0x00, 0x20, 0x2d, 0x59, 0xb3, 0x0b, 0x00, 0x00, 0x00};
static const unsigned char ZSTD[] = {0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x59, 0x00, 0x00, 0x31, 0x2e, 0x20,
                                     0x65, 0x34, 0x20, 0x65, 0x35, 0x20, 0x2a, 0x0a, 0x04, 0x1f, 0xbb, 0xfd};
static const unsigned char SKIPPED[] = {0x50, 0x2a, 0x4d, 0x18, 0x03, 0x00, 0x00, 0x00, 0x61, 0x62, 0x63};
static const unsigned char ZEROS[512];

static char path[64];
static size_t n_file;
static unsigned char file[1 << 12];

static void add(const void *bytes, size_t n)
{
    assert_true(n_file + n <= sizeof file);
    memcpy(file + n_file, bytes, n);
    n_file += n;
}

static void begin(const void *bytes, size_t n)
{
    n_file = 0;
    add(bytes, n);
}

static void write_file(void)
{
    FILE *out = fopen(path, "wb");
    assert_true(out && fwrite(file, 1, n_file, out) == n_file && fclose(out) == 0);
}

/* The contents of the file, read `step` bytes at a time; or "! " and why it cannot be read. */
static const char *read_file(size_t step)
{
    static char text[1 << 12];
    tby_failure failure;
    size_t n = 0, got = 0;
    input *in = input_open_file(path, &failure);
    if (in) {
        while ((got = input_read(in, text + n, step)) > 0 && got != TBY_SOURCE_FAILED)
            n += got;
        assert_int_equal(got == TBY_SOURCE_FAILED, input_failure(in) != NULL);
        if (input_failure(in))
            failure = *input_failure(in);
        input_close(in);
    }
    if (failure.status != TBY_OK)
        snprintf(text, sizeof text, "! %s", failure.text);
    else
        text[n] = '\0';
    return text;
}

/* The result is the same for every read size. */
static void expect(const char *expected)
{
    write_file();
    for (size_t step = 1; step <= 64; step *= 8)
        if (strstr(read_file(step), "was built without"))
            skip();
        else
            assert_string_equal(read_file(step), expected);
}

TEST(test_input__compressed_files_are_decompressed)
{
    begin(TEXT, strlen(TEXT));
    expect(TEXT);
    begin(GZIP, sizeof GZIP);
    expect(TEXT);
    begin(ZSTD, sizeof ZSTD);
    expect(TEXT);
    begin("", 0);
    expect("");
}

TEST(test_input__members_and_frames_follow_each_other)
{
    begin(GZIP, sizeof GZIP);
    add(GZIP, sizeof GZIP);
    expect("1. e4 e5 *\n1. e4 e5 *\n");
    begin(ZSTD, sizeof ZSTD);
    add(SKIPPED, sizeof SKIPPED);
    add(ZSTD, sizeof ZSTD);
    expect("1. e4 e5 *\n1. e4 e5 *\n");
}

/* As tape archives have them. */
TEST(test_input__zeros_after_gzip_data_are_padding)
{
    begin(GZIP, sizeof GZIP);
    add(ZEROS, sizeof ZEROS);
    expect(TEXT);
    add(GZIP, sizeof GZIP);
    expect("1. e4 e5 *\n1. e4 e5 *\n");
}

TEST(test_input__the_first_frame_may_be_one_to_skip)
{
    begin(SKIPPED, sizeof SKIPPED);
    add(ZSTD, sizeof ZSTD);
    expect(TEXT);
    begin("P*M?", 4); /* only looks like the start of a frame */
    expect("P*M?");
}

TEST(test_input__truncated_or_damaged_data_is_reported)
{
    for (size_t n = 9; n < sizeof GZIP; n++) {
        begin(GZIP, n);
        expect("! the compressed file is truncated");
    }
    for (size_t n = 8; n < sizeof ZSTD; n++) {
        begin(ZSTD, n);
        expect("! the compressed file is truncated");
    }
    begin(GZIP, sizeof GZIP);
    file[sizeof GZIP - 8] ^= 1; /* of the checksum */
    expect("! damaged gzip data");
    begin(GZIP, sizeof GZIP);
    add("more", 4);
    expect("! damaged gzip data");
    begin(ZSTD, sizeof ZSTD);
    file[sizeof ZSTD - 1] ^= 1;
    write_file();
    assert_memory_equal(read_file(64), "! ", 2);
}

TEST(test_input__other_compression_formats_are_named)
{
    static const char other[] =
        "! compressed with xz, bzip2 or zip, which cannot be read: unpack it, or use gzip or zstd";
    begin("\xfd\x37zXZ\0\0\4", 8);
    expect(other);
    begin("BZh91AY&SY", 10);
    expect(other);
    begin("BZh1", 4);
    expect(other);
    begin("PK\x03\x04\x14\0", 6);
    expect(other);
    begin("BZh", 3); /* too short to be one */
    expect("BZh");
    begin("BZhello", 7);
    expect("BZhello");
}

TEST(test_input__utf_16_is_refused_compressed_or_not)
{
    begin("\xff\xfe[\0E\0v\0e\0", 10);
    write_file();
    assert_non_null(strstr(read_file(64), "! the text is UTF-16"));
}

TEST(test_input__the_first_bytes_are_read_again)
{
    tby_failure failure;
    char text[64];
    size_t n;
    begin(GZIP, sizeof GZIP);
    write_file();
    input *in = input_open_file(path, &failure);
    if (!in)
        skip();
    assert_memory_equal(input_peek(in, &n), TEXT, strlen(TEXT));
    assert_int_equal(n, strlen(TEXT));
    assert_int_equal(input_read(in, text, 3), 3);
    assert_memory_equal(input_peek(in, &n), TEXT + 3, strlen(TEXT) - 3);
    assert_int_equal(n, strlen(TEXT) - 3);
    assert_int_equal(input_read(in, text, 0), 0);
    assert_int_equal(input_read(in, text, sizeof text), n);
    assert_int_equal(input_read(in, text, sizeof text), 0);
    assert_true(input_is_packed(in));
    assert_true(input_fraction(in) == 1);
    assert_string_equal(input_name(in), path);
    input_close(in);
}

TEST(test_input__one_file_has_several_names)
{
    char link_path[96];
    begin(TEXT, strlen(TEXT));
    write_file();
    snprintf(link_path, sizeof link_path, "%s-link", path);
    assert_int_equal(symlink(path, link_path), 0);
    assert_true(input_is_same_file(path, link_path));
    unlink(link_path);
    assert_false(input_is_same_file(path, link_path));
    assert_false(input_is_same_file(link_path, path));
    assert_false(input_is_same_file(path, "/dev/null"));
    assert_false(
        input_is_same_file("/dev/null", "/dev/null")); /* not a regular file: what is written is not what is read */
}

/* Each of our allocations fails in turn; the answer is an error about memory, or the right one. */
TEST(test_input__without_memory_nothing_is_read_wrongly)
{
    static const struct {
        const unsigned char *bytes;
        size_t n;
    } files[] = {{(const unsigned char *)TEXT, sizeof TEXT - 1}, {GZIP, sizeof GZIP}, {ZSTD, sizeof ZSTD}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        begin(files[i].bytes, files[i].n);
        write_file();
        if (strstr(read_file(64), "was built without"))
            continue;
        assert_string_equal(read_file(64), TEXT);
        n_failed = 1;
        for (long k = 0; n_failed; k++) {
            const long before = n_live;
            n_failed = 0;
            left = k;
            const char *got = read_file(64);
            left = -1;
            if (strcmp(got, "! out of memory") != 0)
                assert_string_equal(got, TEXT);
            assert_int_equal(n_live, before);
        }
    }
    left = 0;
    assert_null(input_open_text(TEXT, strlen(TEXT)));
    left = -1;
}

TEST(test_input__a_peek_without_memory_is_an_error)
{
    char byte;
    size_t n;
    input *in = input_open_text(TEXT, strlen(TEXT));
    assert_non_null(in);
    left = 0;
    const char *s = input_peek(in, &n);
    left = -1;
    assert_string_equal(s, "");
    assert_int_equal(n, 0);
    assert_string_equal(input_failure(in)->text, "out of memory");
    assert_true(input_read(in, &byte, 1) == TBY_SOURCE_FAILED);
    input_close(in);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/tabiya-test-input-%ld", (long)getpid());
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

TEST(test_input__a_database_is_not_read_as_text)
{
    static const char DATABASE[] = "SQLite format 3\0and pages";
    static const char WHY[] = "! this is a database; \"tabiya export\" writes its games as PGN, to a file or a pipe";
    begin(DATABASE, sizeof DATABASE);
    write_file();
    assert_string_equal(read_file(5), WHY);
    begin(DATABASE, 16);
    write_file();
    assert_string_equal(read_file(5), WHY);
    begin("SQLite format 3\n", 16); /* text, without the NUL */
    write_file();
    assert_string_equal(read_file(5), "SQLite format 3\n");
    begin(DATABASE, 15);
    write_file();
    assert_string_equal(read_file(5), "SQLite format 3");
}

int main(void) { return tests_run(set_up, tear_down); }
