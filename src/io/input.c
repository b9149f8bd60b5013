/*
 * input.c - a file, standard input or a text as a stream of bytes.
 *
 *     file --packed--> [unpacker] --> head (what was peeked at) --> input_read
 *
 * Keeps    one buffer of constant size; a compressed file that ends too early is an error, never a short file.
 */
#include "io/input.h"
#include "io/unpack.h"
#include "os/file.h"
#include "support/buffer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PACKED_SIZE = 1 << 17, MAGIC_SIZE = 16 };

struct input {
    const char *name;
    tby_failure failure;
    bool is_stopped;
    int fd;            /* -1: a text or a reader */
    tby_source reader; /* NULL: a text */
    void *context;
    void (*close)(void *context);
    text_part text; /* what is left of it */
    uint64_t size;  /* of the file, 0 = not known */
    atomic_uint_fast64_t consumed;
    unpacker *unpacker;
    unsigned char *packed; /* bytes of the file from `at` to `n_packed` */
    size_t at, n_packed;
    char *head; /* bytes that were peeked at and are still to be read */
    size_t head_at, n_head;
};

static bool has_failed(const input *in) { return in->failure.status != TBY_OK; }

/* ---- Files ------------------------------------------------------------------------------------------------------ */

bool input_is_file(const char *path)
{
    os_about about;
    return os_about_path(&about, path);
}

bool input_is_same_file(const char *a, const char *b)
{
    os_about of_a, of_b;
    return os_about_path(&of_a, a) && os_about_path(&of_b, b) && os_is_same(&of_a.identity, &of_b.identity) &&
           of_a.kind == OS_FILE;
}

bool (*input_is_stopped)(void);

/* Waits for bytes from a pipe, which may never come. False if the input is stopped. */
static bool has_more(input *in)
{
    enum { STEP_MILLISECONDS = 100 };
    while (input_is_stopped && !in->size && !in->is_stopped && !os_wait_for_input(in->fd, STEP_MILLISECONDS))
        in->is_stopped = input_is_stopped();
    return !in->is_stopped;
}

static size_t read_file(input *in, void *buf, size_t cap)
{
    if (!has_more(in))
        return 0;
    const ptrdiff_t n = os_read(in->fd, buf, cap);
    if (n < 0) {
        failure_keep(&in->failure, failure_of_errno(errno), "%s", strerror(errno));
        return 0;
    }
    atomic_fetch_add(&in->consumed, (uint64_t)n);
    return (size_t)n;
}

/* The first bytes show whether the file is compressed. A pipe may deliver them one by one. */
static void detect(input *in)
{
    in->packed = malloc(PACKED_SIZE);
    if (!in->packed) {
        failure_no_memory(&in->failure);
        return;
    }
    while (in->n_packed < MAGIC_SIZE) {
        const size_t n = read_file(in, in->packed + in->n_packed, PACKED_SIZE - in->n_packed);
        if (n == 0)
            break;
        in->n_packed += n;
    }
    if (!has_failed(in))
        in->unpacker = unpack_new(in->packed, in->n_packed, &in->failure);
}

/* Why the file cannot contain games as text, compressed or not; NULL if it can. Damaged compression is reported when
   the bytes are read. */
static const char *flaw_of(input *in)
{
    static const char sqlite[MAGIC_SIZE] = "SQLite format 3";
    size_t n = in->n_packed;
    const char *s = in->unpacker ? input_peek(in, &n) : (const char *)in->packed;
    if (tby_text_is_utf16(s, n))
        return "the text is UTF-16; make it UTF-8 first, for example with iconv -f UTF-16 -t UTF-8";
    if (n >= MAGIC_SIZE && memcmp(s, sqlite, MAGIC_SIZE) == 0)
        return "this is a database; \"tabiya export\" writes its games as PGN, to a file or a pipe";
    return NULL;
}

/* NULL if out of memory. */
static input *input_new(const input *from)
{
    input *in = malloc(sizeof *in);
    if (in)
        *in = *from;
    return in;
}

input *input_open_file(const char *path, tby_failure *failure)
{
    enum { STDIN = 0 };
    os_about about;
    const bool is_stdin = strcmp(path, "-") == 0;
    const int fd = is_stdin ? STDIN : os_open(path, OS_READ, 0);
    failure_clear(failure);
    if (fd < 0)
        failure_keep(failure, failure_of_errno(errno), "%s", strerror(errno));
    input *in = fd < 0 ? NULL : input_new(&(input){.name = is_stdin ? "stdin" : path, .fd = fd});
    if (!in && fd > STDIN)
        os_close(fd);
    if (!in) {
        failure_no_memory(failure);
        return NULL;
    }
    if (os_about_open(&about, fd) && about.kind == OS_FILE)
        in->size = about.size;
    detect(in);
    const char *flaw = has_failed(in) ? NULL : flaw_of(in);
    if (!has_failed(in) && !flaw)
        return in;
    *failure = in->failure;
    if (flaw)
        failure_keep(failure, TBY_CANNOT_HOLD, "%s", flaw);
    input_close(in);
    return NULL;
}

input *input_open_text(const char *s, size_t n) { return input_new(&(input){.name = "", .fd = -1, .text = {s, n}}); }

input *input_open_reader(const char *name, tby_source read, void *context, void (*close)(void *context))
{
    input *in = input_new(&(input){.name = name, .fd = -1, .reader = read, .context = context, .close = close});
    if (!in)
        close(context);
    return in;
}

void input_close(input *in)
{
    if (in->reader)
        in->close(in->context);
    if (in->fd > 0)
        os_close(in->fd);
    unpack_free(in->unpacker);
    free(in->packed);
    free(in->head);
    free(in);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t read_plain(input *in, char *buf, size_t cap)
{
    const size_t n = smaller(cap, in->n_packed - in->at);
    if (n == 0)
        return read_file(in, buf, cap);
    memcpy(buf, in->packed + in->at, n);
    in->at += n;
    return n;
}

static size_t read_packed(input *in, char *buf, size_t cap)
{
    for (;;) {
        const size_t n = unpack_some(in->unpacker, in->packed, in->n_packed, &in->at, buf, cap, &in->failure);
        if (n > 0 || has_failed(in))
            return has_failed(in) ? 0 : n;
        if (in->at < in->n_packed)
            continue;
        in->at = 0;
        in->n_packed = read_file(in, in->packed, PACKED_SIZE);
        if (in->n_packed == 0) {
            if (!input_is_cut(in) && !unpack_is_whole(in->unpacker))
                failure_keep(&in->failure, TBY_IO_ERROR, "the compressed file is truncated");
            return 0;
        }
    }
}

static size_t read_body(input *in, char *buf, size_t cap)
{
    if (in->reader)
        return in->reader(in->context, buf, cap);
    if (in->fd < 0)
        return text_part_read(&in->text, buf, cap);
    return in->unpacker ? read_packed(in, buf, cap) : read_plain(in, buf, cap);
}

size_t input_read(void *context, char *buf, size_t cap)
{
    input *in = context;
    size_t n = smaller(cap, in->n_head - in->head_at);
    if (n) {
        memcpy(buf, in->head + in->head_at, n);
        in->head_at += n;
        return n;
    }
    in->is_stopped |= input_is_stopped && input_is_stopped();
    if (!input_is_cut(in) && cap)
        n = read_body(in, buf, cap);
    return input_is_cut(in) ? TBY_SOURCE_FAILED : n;
}

const char *input_peek(input *in, size_t *n)
{
    if (!in->head) {
        in->head = malloc(INPUT_PEEK_SIZE);
        size_t more = in->head != NULL;
        if (!in->head)
            failure_no_memory(&in->failure);
        while (more && in->n_head < INPUT_PEEK_SIZE) {
            more = read_body(in, in->head + in->n_head, INPUT_PEEK_SIZE - in->n_head);
            in->n_head += more;
        }
    }
    *n = in->n_head - in->head_at;
    return in->head ? in->head + in->head_at : "";
}

static size_t length_without(const char *s, size_t n, const char *ending)
{
    const size_t length = strlen(ending);
    return n > length && memcmp(s + n - length, ending, length) == 0 ? n - length : n;
}

const tby_game_notation *input_guess(input *in, tby_likeness *likeness)
{
    size_t n;
    const char *s = input_peek(in, &n);
    const size_t n_name = length_without(in->name, strlen(in->name), ".gz");
    return tby_game_notation_guess(in->name, length_without(in->name, n_name, ".zst"), s, n, likeness);
}

const tby_game_notation *input_notation(input *in, const char *from)
{
    tby_likeness likeness;
    if (from)
        return tby_game_notation_find(from, strlen(from));
    const tby_game_notation *found = input_guess(in, &likeness);
    return likeness >= TBY_LIKELY ? found : tby_game_notation_at(0);
}

bool input_is_packed(const input *in) { return in->unpacker != NULL; }

bool input_is_cut(const input *in) { return in->is_stopped || has_failed(in); }

const tby_failure *input_failure(const input *in) { return has_failed(in) ? &in->failure : NULL; }

const char *input_name(const input *in) { return in->name; }

double input_fraction(const input *in)
{
    if (in->size == 0)
        return -1;
    return (double)atomic_load(&in->consumed) / (double)in->size;
}
