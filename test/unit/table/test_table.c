/*
 * test_table.c - tables in memory and as text, the run-length encoding of Parquet, and Arrow.
 */
#include "support.h"
#include "table/parquet.h"

#include "tabiya_table.h"

#include <errno.h>

static const tby_column COLUMNS[] = {
    {"number", TBY_COLUMN_INT32, true}, {"big", TBY_COLUMN_INT64, false}, {"key", TBY_COLUMN_UINT64, false},
    {"real", TBY_COLUMN_DOUBLE, true},  {"text", TBY_COLUMN_TEXT, true},  {"bytes", TBY_COLUMN_BYTES, false},
};
enum { N_COLUMNS = sizeof COLUMNS / sizeof *COLUMNS };

/* ---- Help -------------------------------------------------------------------------------------------------------- */

static void add_row(tby_table *t, int i)
{
    char text[32];
    const char bytes[3] = {(char)i, 0, (char)0xff};
    if (i % 3 == 0)
        tby_table_put_empty(t, 0);
    else
        tby_table_put_int(t, 0, i % 2 ? i : -i);
    tby_table_put_int(t, 1, (int64_t)i << 40);
    tby_table_put_int(t, 2, (int64_t)(UINT64_MAX - (uint64_t)i));
    if (i % 5 == 0)
        tby_table_put_empty(t, 3);
    else
        tby_table_put_double(t, 3, i / 8.0);
    if (i % 4 == 0)
        tby_table_put_empty(t, 4);
    else
        tby_table_put_text(t, 4, text, i % 4 == 1 ? 0 : (size_t)snprintf(text, sizeof text, "a \"%d\",\n", i));
    tby_table_put_text(t, 5, bytes, (size_t)(i % 4));
    tby_table_end_row(t);
}

static tby_table *table_of(int first, int n)
{
    tby_table *t = tby_table_new(COLUMNS, N_COLUMNS, NULL);
    assert_non_null(t);
    for (int i = first; i < first + n; i++)
        add_row(t, i);
    return t;
}

typedef struct text {
    char s[1 << 16];
    size_t n;
} text;

static bool sink(void *context, const char *s, size_t n)
{
    text *t = context;
    if (t->n + n >= sizeof t->s)
        return false;
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = '\0';
    return true;
}

static void write_as(text *out, const char *format, const tby_table *t, const tby_column *columns, size_t n_columns)
{
    const tby_table_format *f = tby_table_format_find(format, strlen(format));
    tby_table_writer *w = tby_table_writer_new(f, columns, n_columns, sink, out, NULL);
    tby_table_piece *piece = tby_table_piece_new(f, NULL);
    out->n = 0;
    assert_true(tby_table_writer_begin(w));
    assert_true(tby_table_encode(piece, t, n_columns));
    assert_true(tby_table_writer_add(w, piece));
    assert_true(tby_table_writer_end(w, NULL));
    tby_table_piece_free(piece);
    tby_table_writer_free(w);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static void expect_equal(const tby_table *a, const tby_table *b)
{
    static text text_a, text_b;
    write_as(&text_a, "jsonl", a, COLUMNS, N_COLUMNS);
    write_as(&text_b, "jsonl", b, COLUMNS, N_COLUMNS);
    assert_string_equal(text_a.s, text_b.s);
}

TEST(test_table__removed_rows_leave_nothing)
{
    for (int n = 0; n < 40; n++) {
        tby_table *whole = table_of(0, 40), *part = table_of(0, n);
        tby_table_cut(whole, (size_t)n);
        expect_equal(whole, part);
        for (int i = n; i < 50; i++) {
            add_row(whole, i);
            add_row(part, i);
        }
        expect_equal(whole, part);
        tby_table_free(whole);
        tby_table_free(part);
    }
}

TEST(test_table__rows_of_another_table_are_added)
{
    tby_table *whole = table_of(0, 60), *copy = table_of(0, 7), *other = table_of(0, 60);
    tby_table_append(copy, other, 7, 20);
    for (size_t i = 27; i < 60; i++)
        tby_table_append(copy, other, i, 1);
    expect_equal(whole, copy);
    tby_table_free(whole);
    tby_table_free(copy);
    tby_table_free(other);
}

/* The n-th allocation fails. */
typedef struct budget {
    int n_left;
} budget;

static void *resize_within(void *context, void *memory, size_t old_size, size_t new_size)
{
    budget *b = context;
    (void)old_size;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    return b->n_left-- > 0 ? realloc(memory, new_size) : NULL;
}

TEST(test_table__lack_of_memory_is_reported_at_every_step)
{
    const tby_table_format *f = tby_table_format_find("parquet", 7);
    bool is_whole = false;
    for (int n = 0; !is_whole && n < 1000; n++) {
        budget b = {n};
        const tby_allocator allocator = {resize_within, &b};
        static text out;
        out.n = 0;
        tby_table *t = tby_table_new(COLUMNS, N_COLUMNS, &allocator);
        for (int i = 0; t && i < 500; i++)
            add_row(t, i);
        tby_table_piece *piece = tby_table_piece_new(f, &allocator);
        tby_table_writer *w = tby_table_writer_new(f, COLUMNS, N_COLUMNS, sink, &out, &allocator);
        is_whole = t && piece && w && tby_table_encode(piece, t, N_COLUMNS) && tby_table_writer_begin(w) &&
                   tby_table_writer_add(w, piece) && tby_table_writer_end(w, "{}");
        struct ArrowSchema schema = {.release = NULL};
        if (tby_arrow_schema(&schema, COLUMNS, N_COLUMNS, &allocator))
            schema.release(&schema);
        else
            is_whole = false;
        struct ArrowArray array = {.release = NULL};
        if (t && tby_arrow_array(&array, t))
            array.release(&array);
        else
            tby_table_free(t);
        tby_table_piece_free(piece);
        tby_table_writer_free(w);
    }
    assert_true(is_whole);
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

TEST(test_table__csv_quotes_what_it_must_and_distinguishes_null_from_empty_text)
{
    static text out;
    tby_table *t = table_of(0, 4);
    write_as(&out, "csv", t, COLUMNS, N_COLUMNS);
    assert_string_equal(out.s, "number,big,key,real,text,bytes\n"
                               ",0,18446744073709551615,,,\n"
                               "1,1099511627776,18446744073709551614,0.125,\"\",01\n"
                               "-2,2199023255552,18446744073709551613,0.25,\"a \"\"2\"\",\n\",0200\n"
                               ",3298534883328,18446744073709551612,0.375,\"a \"\"3\"\",\n\",0300ff\n");
    tby_table_free(t);
}

TEST(test_table__tsv_quotes_nothing_and_turns_control_characters_into_blanks)
{
    static text out;
    tby_table *t = table_of(0, 3);
    write_as(&out, "tsv", t, COLUMNS, N_COLUMNS);
    assert_string_equal(out.s, "number\tbig\tkey\treal\ttext\tbytes\n"
                               "\t0\t18446744073709551615\t\t\t\n"
                               "1\t1099511627776\t18446744073709551614\t0.125\t\t01\n"
                               "-2\t2199023255552\t18446744073709551613\t0.25\ta \"2\", \t0200\n");
    tby_table_free(t);
}

TEST(test_table__html_escapes_text_and_marks_numbers)
{
    static const tby_column columns[] = {
        {"a<b", TBY_COLUMN_TEXT, true}, {"n", TBY_COLUMN_INT32, true}, {"bytes", TBY_COLUMN_BYTES, true}};
    static const char hostile[] = "<script>&amp;\"'\0\033[31m\302\233x";
    static text out;
    tby_table *t = tby_table_new(columns, 3, NULL);
    tby_table_put_text(t, 0, hostile, sizeof hostile - 1);
    tby_table_put_int(t, 1, -7);
    tby_table_put_text(t, 2, "<", 1);
    tby_table_end_row(t);
    for (size_t i = 0; i < 3; i++)
        tby_table_put_empty(t, i);
    tby_table_end_row(t);
    write_as(&out, "html", t, columns, 3);
    const char *begin = strstr(out.s, "<table>");
    assert_non_null(begin);
    assert_string_equal(begin,
                        "<table>\n<thead><tr><th>a&lt;b</th><th class=\"n\">n</th><th>bytes</th></tr></thead>\n"
                        "<tbody>\n"
                        "<tr><td>&lt;script&gt;&amp;amp;\"'  [31m  x</td><td class=\"n\">-7</td><td>3c</td></tr>\n"
                        "<tr><td></td><td class=\"n\"></td><td></td></tr>\n"
                        "</tbody>\n</table>\n</body>\n</html>\n");
    assert_int_equal(strncmp(out.s, "<!doctype html>\n", 16), 0);
    tby_table_free(t);
}

TEST(test_table__json_lines_escape_and_write_null)
{
    static text out;
    tby_table *t = table_of(2, 2);
    write_as(&out, "jsonl", t, COLUMNS, 5);
    assert_string_equal(out.s, "{\"number\":-2,\"big\":2199023255552,\"key\":18446744073709551613,\"real\":0.25,"
                               "\"text\":\"a \\\"2\\\",\\n\"}\n"
                               "{\"number\":null,\"big\":3298534883328,\"key\":18446744073709551612,\"real\":0.375,"
                               "\"text\":\"a \\\"3\\\",\\n\"}\n");
    tby_table_free(t);
}

TEST(test_table__doubles_are_read_back_exactly)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},       {-0.5, "-0.5"},      {1e300, NULL}, {180.25, "180.25"},      {3, "3"},
                 {0.1, "0.1"},   {1.0 / 3, NULL},     {-1e-9, NULL}, {1e12, "1000000000000"}, {9e15, NULL},
                 {0.0625, NULL}, {123.456, "123.456"}};
    static const tby_column column = {"x", TBY_COLUMN_DOUBLE, false};
    static text out;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tby_table *t = tby_table_new(&column, 1, NULL);
        tby_table_put_double(t, 0, cases[i].value);
        tby_table_end_row(t);
        write_as(&out, "csv", t, &column, 1);
        assert_true(strtod(out.s + 2, NULL) == cases[i].value);
        out.s[out.n - 1] = '\0';
        if (cases[i].text)
            assert_string_equal(out.s + 2, cases[i].text);
        tby_table_free(t);
    }
}

TEST(test_table__training_text)
{
    static const tby_column columns[] = {
        {"fen", TBY_COLUMN_TEXT, false}, {"eval", TBY_COLUMN_INT32, true}, {"score", TBY_COLUMN_DOUBLE, true}};
    static text out;
    const double scores[] = {1, 0.5, 0};
    tby_error err;
    tby_table *t = tby_table_new(columns, 3, NULL);
    for (int i = 0; i < 3; i++) {
        tby_table_put_text(t, 0, START_FEN, strlen(START_FEN));
        tby_table_put_int(t, 1, 17 * i - 20);
        tby_table_put_double(t, 2, scores[i]);
        tby_table_end_row(t);
    }
    write_as(&out, "nnue", t, columns, 3);
    assert_string_equal(out.s, START_FEN " | -20 | 1.0\n" START_FEN " | -3 | 0.5\n" START_FEN " | 14 | 0.0\n");
    const tby_table_format *f = tby_table_format_find("nnue", 4);
    assert_int_equal(tby_table_format_check(f, columns, 3, &err), TBY_OK);
    assert_int_equal(tby_table_format_check(f, columns, 2, &err), TBY_CANNOT_HOLD);
    assert_int_equal(tby_table_format_check(f, COLUMNS, 3, &err), TBY_CANNOT_HOLD);
    tby_table_free(t);
}

TEST(test_table__formats_by_name_and_ending)
{
    assert_string_equal(tby_table_format_guess("a.b.parquet", 11)->name, "parquet");
    assert_string_equal(tby_table_format_guess("x.ndjson", 8)->name, "jsonl");
    assert_null(tby_table_format_guess(".csv", 4));
    assert_null(tby_table_format_guess("games.pgn", 9));
    assert_string_equal(tby_table_format_guess("a.csv", 5)->name, "csv");
    assert_string_equal(tby_table_format_guess("a.tsv", 5)->name, "tsv");
    assert_string_equal(tby_table_format_guess("a.htm", 5)->name, "html");
    assert_string_equal(tby_table_format_find("spreadsheet", 11)->name, "spreadsheet");
    assert_null(tby_table_format_find("cs", 2));
    size_t n = 0;
    while (tby_table_format_at(n))
        n++;
    assert_int_equal(n, 7);
}

/* ---- Parquet ----------------------------------------------------------------------------------------------------- */

static uint64_t natural(const uint8_t **at)
{
    uint64_t value = 0;
    unsigned shift = 0;
    do
        value |= (uint64_t)(**at & 0x7f) << shift, shift += 7;
    while (*(*at)++ & 0x80);
    return value;
}

/* A reader written from the specification. */
static size_t read_runs(uint32_t *out, size_t n, const uint8_t *at, const uint8_t *end, unsigned width)
{
    size_t n_read = 0;
    while (n_read < n && at < end) {
        const uint64_t head = natural(&at);
        if (head & 1) {
            for (uint64_t i = 0; i < (head >> 1) * 8; i++) {
                uint32_t value = 0;
                for (unsigned b = 0; b < width; b++) {
                    const uint64_t bit = i * width + b;
                    value |= (uint32_t)(at[bit / 8] >> bit % 8 & 1) << b;
                }
                if (n_read < n)
                    out[n_read++] = value;
            }
            at += (head >> 1) * width;
        } else {
            uint32_t value = 0;
            for (unsigned b = 0; b < (width + 7) / 8; b++)
                value |= (uint32_t)*at++ << 8 * b;
            for (uint64_t i = 0; i < head >> 1; i++)
                out[n_read++] = value;
        }
    }
    assert_ptr_equal(at, end);
    return n_read;
}

TEST(test_table__runs_are_read_back)
{
    uint32_t values[600], back[600];
    uint64_t random = 88172645463325252ULL;
    for (int round = 0; round < 3000; round++) {
        const unsigned width = (unsigned)round % 14;
        size_t n = 0;
        const size_t wanted = (size_t)(random % 590);
        while (n < wanted) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            const uint32_t value = (uint32_t)(random >> 20) & ((1u << width) - 1);
            for (size_t i = 0, length = (size_t)(random % 4 ? 1 : random % 40); i < length && n < wanted; i++)
                values[n++] = value;
        }
        buffer out = buffer_begin(NULL);
        parquet_runs(&out, values, n, width);
        if (n > 0)
            assert_int_equal(read_runs(back, n, out.data, out.data + out.n, width), n);
        if (n > 0)
            assert_memory_equal(values, back, n * sizeof *values);
        buffer_free(&out);
    }
}

/* ---- Arrow ------------------------------------------------------------------------------------------------------- */

TEST(test_table__arrow_exports_the_table_and_frees_it)
{
    struct ArrowArray array;
    struct ArrowSchema schema;
    tby_table *t = table_of(0, 30);
    assert_true(tby_arrow_schema(&schema, COLUMNS, N_COLUMNS, NULL));
    assert_string_equal(schema.format, "+s");
    const char *formats[] = {"i", "l", "L", "g", "u", "z"};
    for (int i = 0; i < N_COLUMNS; i++) {
        assert_string_equal(schema.children[i]->format, formats[i]);
        assert_string_equal(schema.children[i]->name, COLUMNS[i].name);
        assert_int_equal(schema.children[i]->flags, COLUMNS[i].may_be_empty ? ARROW_FLAG_NULLABLE : 0);
    }
    assert_true(tby_arrow_array(&array, t));
    assert_int_equal(array.length, 30);
    assert_int_equal(array.children[0]->null_count, 10);
    assert_int_equal(array.children[1]->null_count, 0);
    assert_null(array.children[1]->buffers[0]);
    assert_int_equal(((const uint8_t *)array.children[0]->buffers[0])[0], 0xb6);
    assert_int_equal(((const int32_t *)array.children[0]->buffers[1])[4], -4);
    assert_int_equal(((const int32_t *)array.children[4]->buffers[1])[4], 14);
    assert_memory_equal(array.children[4]->buffers[2], "a \"2\",\na \"3\",\n", 14);
    /* A child may be moved away and released after its parent. */
    struct ArrowArray child = *array.children[2];
    array.children[2]->release = NULL;
    struct ArrowSchema child_schema = *schema.children[2];
    schema.children[2]->release = NULL;
    array.release(&array);
    schema.release(&schema);
    assert_null(array.release);
    assert_true(((const uint64_t *)child.buffers[1])[29] == UINT64_MAX - 29);
    assert_string_equal(child_schema.name, "key");
    child.release(&child);
    child_schema.release(&child_schema);
}

typedef struct counter {
    int n_left;
    bool fails, is_released;
} counter;

static tby_status next_table(void *context, tby_table *table, tby_failure *failure)
{
    counter *c = context;
    if (c->n_left)
        add_row(table, --c->n_left);
    else if (c->fails)
        *failure = (tby_failure){TBY_IO_ERROR, "broken"};
    return failure->status;
}

static void counter_release(void *context) { ((counter *)context)->is_released = true; }

TEST(test_table__arrow_streams_end_and_fail)
{
    for (int fails = 0; fails < 2; fails++) {
        counter c = {3, fails, false};
        const tby_table_source source = {next_table, counter_release, &c};
        struct ArrowArrayStream stream;
        struct ArrowArray array;
        struct ArrowSchema schema;
        assert_true(tby_arrow_stream(&stream, COLUMNS, N_COLUMNS, &source, NULL));
        assert_int_equal(stream.get_schema(&stream, &schema), 0);
        schema.release(&schema);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(stream.get_next(&stream, &array), 0);
            assert_int_equal(array.length, 1);
            array.release(&array);
        }
        assert_int_equal(stream.get_next(&stream, &array), fails ? EIO : 0);
        assert_null(array.release);
        if (fails)
            assert_string_equal(stream.get_last_error(&stream), "broken");
        stream.release(&stream);
        assert_null(stream.release);
        assert_true(c.is_released);
    }
}

int main(void) { return tests_run(NULL, NULL); }
