/*
 * test_tree_io.c - trees on a failing disk: every system call fails in turn, while writing, reading, looking up and
 * counting.
 *
 * A device error is reported as one, and what was begun can be completed. Calls that are interrupted, or only partly
 * succeed, do no harm. The linker substitutes the calls here for the C library's.
 */
#define _DEFAULT_SOURCE /* DT_UNKNOWN */

#include "tree_support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

/* ---- Calls that fail on request ------------------------------------------------------------------------- */

typedef enum harm { FAILS, IS_INTERRUPTED, DOES_A_PART, DOES_NOTHING, N_FAILURES } harm;
static const char *const failure_names[N_FAILURES] = {"an error of the device", "an interruption", "a part",
                                                      "no byte more"};

static harm kind;
static bool for_ever;  /* this call and all later ones */
static long left = -1; /* calls until the one that fails; negative: none does */
static long n_failed;

static bool is_due(void)
{
    if (left < 0 || left-- > 0)
        return false;
    left = for_ever ? 0 : -1;
    n_failed++;
    return true;
}

static bool must_fail(void)
{
    if (kind != FAILS || !is_due())
        return false;
    errno = EIO;
    return true;
}

/* For reads and writes: how many bytes to transfer instead of `n`; -1 for a failure. */
static ssize_t bytes_left(size_t n)
{
    if (n == 0 || !is_due())
        return (ssize_t)n;
    errno = kind == IS_INTERRUPTED ? EINTR : kind == FAILS ? EIO : 0;
    return kind == DOES_A_PART ? (ssize_t)((n + 1) / 2) : kind == DOES_NOTHING ? 0 : -1;
}

#define WRAPPED(type, name, parameters)                                                                                \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters

WRAPPED(ssize_t, write, (int file, const void *s, size_t n))
{
    const ssize_t some = bytes_left(n);
    return some <= 0 ? some : __real_write(file, s, (size_t)some);
}
/* Reading no byte at all would mean the end of the file. */
WRAPPED(ssize_t, read, (int file, void *to, size_t n))
{
    const ssize_t some = kind == DOES_NOTHING ? (ssize_t)n : bytes_left(n);
    return some <= 0 ? some : __real_read(file, to, (size_t)some);
}
/* The file is closed in any case, as on Linux. */
WRAPPED(int, close, (int file))
{
    const int code = __real_close(file);
    return must_fail() ? -1 : code;
}
WRAPPED(int, mkdir, (const char *path, mode_t mode)) { return must_fail() ? -1 : __real_mkdir(path, mode); }
WRAPPED(int, mkdirat, (int folder, const char *path, mode_t mode))
{
    return must_fail() ? -1 : __real_mkdirat(folder, path, mode);
}
WRAPPED(int, unlinkat, (int folder, const char *path, int flags))
{
    return must_fail() ? -1 : __real_unlinkat(folder, path, flags);
}
WRAPPED(DIR *, fdopendir, (int file)) { return must_fail() ? NULL : __real_fdopendir(file); }

static bool hides_kinds; /* like file systems that do not return the type of an entry with its name */

/* These have a 64-bit variant. */
#define CALLS(n)                                                                                                       \
    WRAPPED(int, open##n, (const char *path, int flags, ...))                                                          \
    {                                                                                                                  \
        return must_fail() ? -1 : __real_open##n(path, flags, 0666);                                                   \
    }                                                                                                                  \
    WRAPPED(int, openat##n, (int folder, const char *path, int flags, ...))                                            \
    {                                                                                                                  \
        return must_fail() ? -1 : __real_openat##n(folder, path, flags, 0666);                                         \
    }                                                                                                                  \
    WRAPPED(ssize_t, pread##n, (int file, void *to, size_t size, off_t at))                                            \
    {                                                                                                                  \
        const ssize_t some = bytes_left(size);                                                                         \
        return some <= 0 ? some : __real_pread##n(file, to, (size_t)some, at);                                         \
    }                                                                                                                  \
    WRAPPED(ssize_t, pwrite##n, (int file, const void *s, size_t size, off_t at))                                      \
    {                                                                                                                  \
        const ssize_t some = bytes_left(size);                                                                         \
        return some <= 0 ? some : __real_pwrite##n(file, s, (size_t)some, at);                                         \
    }                                                                                                                  \
    WRAPPED(int, fstat##n, (int file, struct stat *st)) { return must_fail() ? -1 : __real_fstat##n(file, st); }       \
    WRAPPED(int, mkstemp##n, (char *path)) { return must_fail() ? -1 : __real_mkstemp##n(path); }                      \
    WRAPPED(struct dirent *, readdir##n, (DIR * list))                                                                 \
    {                                                                                                                  \
        struct dirent *entry = must_fail() ? NULL : __real_readdir##n(list);                                           \
        if (entry && hides_kinds)                                                                                      \
            entry->d_type = DT_UNKNOWN;                                                                                \
        return entry;                                                                                                  \
    }
CALLS()
#ifdef __GLIBC__
CALLS(64)
#endif

/* ---- Works ----------------------------------------------------------------------------------------------- */

static tby_tree *small;
static char old_folder[300], new_folder[300];
static const tby_tree_work alone = {.n_threads = 1};

static tby_status run_write(tby_failure *f) { return tby_tree_write(small, new_folder, false, &alone, f); }

/* The folder already contains what was begun. */
static tby_status run_resume(tby_failure *f) { return tby_tree_write(small, new_folder, true, &alone, f); }

static tby_status run_read(tby_failure *f)
{
    uint64_t n_faults;
    tby_tree *tree;
    const tby_status status = tby_tree_read(&tree, old_folder, &n_faults, NULL, NULL, &alone, f);
    assert_int_equal(n_faults, 0);
    if (status == TBY_OK)
        assert_int_equal(tby_tree_n_nodes(tree), 421);
    tby_tree_free(tree);
    return status;
}

/* The last of these is not inside the previous one, so it has to be searched for. */
static tby_status run_reader(tby_failure *f)
{
    static const tby_tree_id ids[] = {1, 21, 40, 3};
    const tby_tree_node *node;
    tby_tree_reader *reader;
    tby_status status = tby_tree_reader_open(&reader, old_folder, f);
    if (status == TBY_OK)
        status = tby_tree_reader_root(&node, reader, f);
    for (size_t i = 0; status == TBY_OK && i < sizeof ids / sizeof *ids; i++) {
        status = tby_tree_reader_follow(&node, reader, ids[i], f);
        if (status == TBY_OK)
            assert_int_equal(node->id, ids[i]);
    }
    tby_tree_reader_close(reader);
    return status;
}

static bool check_ply(void *context, const tby_tree_ply *ply)
{
    static const uint64_t N[] = {1, 20, 400, 5362, 72078};
    (void)context;
    assert_int_equal(ply->n_positions, N[ply->ply]);
    assert_int_equal(ply->n_on_disk > 0, ply->ply == 4);
    return true;
}

/* With so little memory that a part goes to disk. */
static tby_status run_count(tby_failure *f)
{
    const tby_position root = position_of(START_FEN);
    const tby_tree_count count = {.depth = 4, .memory = 1, .on_ply = check_ply};
    return tby_tree_count_positions(&root, &count, &alone, f);
}

/* Each of the first calls fails in turn, then one in N. */
typedef struct work {
    const char *name;
    tby_status (*run)(tby_failure *f);
    bool writes;
    long n_all, step;
} work;

static const work WORKS[] = {
    {"write", run_write, true, LONG_MAX, 1}, {"resume", run_resume, true, LONG_MAX, 1},
    {"read", run_read, false, 25, 389},      {"reader", run_reader, false, 40, 23},
    {"count", run_count, false, 3, 307},
};

/* ---- Trials ---------------------------------------------------------------------------------------------- */

static void must_read_whole(const char *folder)
{
    tby_failure failure;
    uint64_t n_faults;
    tby_tree *tree;
    if (tby_tree_read(&tree, folder, &n_faults, NULL, NULL, &alone, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    tby_tree_free(tree);
}

/* A folder that is partly written. */
static void begin_writing(void)
{
    tby_failure failure;
    const harm wanted = kind;
    const bool was_for_ever = for_ever;
    kind = FAILS;
    for_ever = true;
    left = 24;
    if (run_write(&failure) != TBY_IO_ERROR)
        fail_msg("begun, with %ld calls left: %s", left, failure.text);
    left = -1;
    kind = wanted;
    for_ever = was_for_ever;
}

/* Lets the call after `number` others fail. Returns whether one failed. */
static bool fails_well(const work *w, long number)
{
    tby_failure failure = {.status = TBY_OK};
    if (w->run == run_resume)
        begin_writing();
    n_failed = 0;
    left = number;
    const tby_status status = w->run(&failure);
    left = -1;
    const bool must_be_good = n_failed == 0 || kind == IS_INTERRUPTED || kind == DOES_A_PART;
    if (status != TBY_OK && (must_be_good || status != TBY_IO_ERROR || !strstr(failure.text, strerror(EIO))))
        fail_msg("%s, %s at call %ld: status %d (%s)", w->name, failure_names[kind], number, (int)status, failure.text);
    if (w->writes) {
        if (status != TBY_OK && run_resume(&failure) != TBY_OK)
            fail_msg("%s, %s at call %ld: cannot be resumed: %s", w->name, failure_names[kind], number, failure.text);
        must_read_whole(new_folder);
        remove_folder(new_folder);
    }
    return n_failed > 0;
}

static void try_work(const work *w)
{
    long n = 0;
    while (fails_well(w, n))
        n += n < w->n_all ? 1 : w->step;
    assert_true(n > 3 || kind != FAILS);
}

TEST(test_tree_io__is_an_error_that_is_reported_or_does_no_harm)
{
    for (size_t i = 0; i < sizeof WORKS / sizeof *WORKS; i++)
        for (int k = 0; k < N_FAILURES; k++) {
            kind = (harm)k;
            for_ever = false;
            try_work(&WORKS[i]);
            for_ever = true;
            if (kind == FAILS || kind == DOES_NOTHING)
                try_work(&WORKS[i]);
        }
}

TEST(test_tree_io__types_of_entries_are_looked_up_if_the_listing_lacks_them)
{
    hides_kinds = true;
    must_read_whole(old_folder);
    hides_kinds = false;
}

int main(void)
{
    tby_failure failure;
    snprintf(new_folder, sizeof new_folder, "%s", folder_path("io-new"));
    snprintf(old_folder, sizeof old_folder, "%s", folder_path("io"));
    small = grow("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 1);
    tby_tree *large = grow(START_FEN, 2);
    if (tby_tree_write(large, old_folder, false, NULL, &failure) != TBY_OK)
        return 1;
    tby_tree_free(large);
    const int failed = tests_run(NULL, NULL);
    remove_folder(old_folder);
    tby_tree_free(small);
    return failed;
}
