/*
 * test_tree_memory.c - trees when memory runs out: the allocations of every kind of work fail in turn.
 *
 * The answer must be TBY_NO_MEMORY, or the work is done anyway: never another error, and nothing is leaked. Each is
 * tried in two ways: one allocation fails, or all from that one on.
 */
#include "tree_support.h"

#include "failing_memory.h"

#include <sys/mman.h>

/* Tables are mapped directly; the call has a 64-bit variant. */
#define MAP(name)                                                                                                      \
    void *__real_##name(void *at, size_t n, int protection, int flags, int file, off_t offset);                        \
    void *__wrap_##name(void *at, size_t n, int protection, int flags, int file, off_t offset);                        \
    void *__wrap_##name(void *at, size_t n, int protection, int flags, int file, off_t offset)                         \
    {                                                                                                                  \
        return must_fail() ? MAP_FAILED : __real_##name(at, n, protection, flags, file, offset);                       \
    }
MAP(mmap)
#ifdef __GLIBC__
MAP(mmap64)
#endif

/* Inputs of the work, made before memory runs out. */
static tby_tree *small, *of_games;
static char folder[300], games_folder[300], new_folder[300];
static const tby_tree_work alone = {.n_threads = 1};

static tby_status run_grow(tby_failure *f)
{
    const tby_position root = position_of("4k3/8/8/8/8/8/P7/4K3 w - - 0 12");
    tby_tree *tree;
    const tby_status status = tby_tree_grow(&tree, &root, 3, &alone, f);
    assert_true((status == TBY_OK) == (tree != NULL));
    tby_tree_free(tree);
    return status;
}

/* Back and forth, so that it ends by repetition. */
static tby_status add_games(tby_tree_games *games, const tby_position *start, tby_failure *f)
{
    static const char *const LINE[] = {"g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8"};
    tby_move moves[8];
    tby_position pos = *start;
    tby_status status = TBY_OK;
    for (size_t i = 0; i < 8; i++) {
        moves[i] = move_of(&pos, LINE[i]);
        tby_position_play(&pos, moves[i], NULL);
    }
    for (size_t n = 0; n <= 8 && status == TBY_OK; n++)
        status = tby_tree_games_add(games, start, moves, n, TBY_DRAW, f);
    if (status == TBY_OK)
        status = tby_tree_games_add(games, start, moves + 4, 4, TBY_DRAW, f);
    return status;
}

static tby_status run_games(tby_failure *f)
{
    const tby_position start = position_of(START_FEN);
    tby_tree_games *games = tby_tree_games_new(&start, 30);
    tby_tree *tree = NULL;
    if (!games)
        return TBY_NO_MEMORY;
    tby_status status = add_games(games, &start, f);
    if (status == TBY_OK)
        status = tby_tree_games_finish(&tree, games, 1, f);
    assert_true((status == TBY_OK) == (tree != NULL));
    tby_tree_free(tree);
    tby_tree_games_free(games);
    return status;
}

static tby_status write_tree(const tby_tree *tree, tby_failure *f)
{
    const tby_status status = tby_tree_write(tree, new_folder, false, &alone, f);
    remove_folder(new_folder);
    return status;
}

static tby_status run_write(tby_failure *f) { return write_tree(small, f); }
static tby_status run_write_games(tby_failure *f) { return write_tree(of_games, f); }

static tby_status read_one(const char *from, tby_failure *f)
{
    uint64_t n_faults;
    tby_tree *tree;
    const tby_status status = tby_tree_read(&tree, from, &n_faults, NULL, NULL, &alone, f);
    assert_true((status == TBY_OK) == (tree != NULL));
    assert_int_equal(n_faults, 0);
    tby_tree_free(tree);
    return status;
}

static tby_status run_read(tby_failure *f) { return read_one(folder, f); }
static tby_status run_read_games(tby_failure *f) { return read_one(games_folder, f); }

/* A folder with faults: they are reported, or there is no memory for that. */
static tby_status run_faults(tby_failure *f)
{
    uint64_t n_faults = 0;
    tby_tree *tree;
    const tby_status status = tby_tree_read(&tree, new_folder, &n_faults, NULL, NULL, &alone, f);
    assert_null(tree);
    if (status == TBY_INVALID_TREE)
        assert_int_equal(n_faults, 4);
    return status == TBY_INVALID_TREE ? TBY_OK : status;
}

static tby_status run_reader(tby_failure *f)
{
    const tby_tree_node *node;
    tby_tree_reader *reader;
    tby_status status = tby_tree_reader_open(&reader, folder, f);
    if (status == TBY_OK)
        status = tby_tree_reader_root(&node, reader, f);
    if (status == TBY_OK)
        status = tby_tree_reader_follow(&node, reader, 1, f);
    if (status == TBY_OK) /* not inside the previous one, so it is searched for */
        status = tby_tree_reader_follow(&node, reader, 2, f);
    tby_tree_reader_close(reader);
    return status;
}

static tby_status run_text(tby_failure *f)
{
    static const char TEXT[] = "#1\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\nfrom #0\ncomment a\n";
    const tby_tree_node *node;
    size_t line;
    tby_tree_text *parser = tby_tree_text_new();
    const tby_status status = parser ? tby_tree_text_read(&node, &line, parser, TEXT, strlen(TEXT), f) : TBY_NO_MEMORY;
    tby_tree_text_free(parser);
    return status;
}

static tby_status make_game(const tby_tree *tree, tby_failure *f)
{
    tby_game *game;
    const tby_status status = tby_tree_game(&game, tree, f);
    assert_true((status == TBY_OK) == (game != NULL));
    tby_game_free(game);
    return status;
}

static tby_status run_game(tby_failure *f) { return make_game(small, f); }
static tby_status run_game_of_games(tby_failure *f) { return make_game(of_games, f); }

static tby_status run_count(tby_failure *f)
{
    const tby_position root = position_of(START_FEN);
    const tby_tree_count count = {.depth = 2, .memory = 1 << 24};
    return tby_tree_count_positions(&root, &count, &alone, f);
}

typedef struct work {
    const char *name;
    tby_status (*run)(tby_failure *f);
} work;

static const work WORKS[] = {
    {"grow", run_grow},     {"games", run_games},
    {"write", run_write},   {"write games", run_write_games},
    {"read", run_read},     {"read games", run_read_games},
    {"reader", run_reader}, {"text", run_text},
    {"game", run_game},     {"game of games", run_game_of_games},
    {"count", run_count},
};

/* Lets the allocation after the first `n` fail. */
static void check_failure(const work *w, long n, bool all)
{
    tby_failure failure = {.status = TBY_OK};
    const long before = atomic_load(&n_live);
    n_failed = 0;
    for_ever = all;
    left = n;
    const tby_status status = w->run(&failure);
    left = -1;
    if (status != TBY_NO_MEMORY && status != TBY_OK)
        fail_msg("%s, allocation %ld: %s: %s", w->name, n, tby_status_text(status), failure.text);
    if (status == TBY_NO_MEMORY && n_failed == 0)
        fail_msg("%s, allocation %ld: there was memory", w->name, n);
    if (atomic_load(&n_live) != before)
        fail_msg("%s, allocation %ld: %ld are not freed", w->name, n, atomic_load(&n_live) - before);
}

static void try_work(const work *w)
{
    static trials numbers;
    tby_failure failure;
    places_begin();
    assert_int_equal(w->run(&failure), TBY_OK);
    places_end(&numbers);
    assert_true(numbers.n > 0);
    for (size_t k = 0; trial_number(&numbers, k) >= 0; k++) {
        check_failure(w, trial_number(&numbers, k), false);
        check_failure(w, trial_number(&numbers, k), true);
    }
}

TEST(test_tree_memory__every_failed_allocation_is_reported)
{
    for (size_t i = 0; i < sizeof WORKS / sizeof *WORKS; i++)
        try_work(&WORKS[i]);
}

TEST(test_tree_memory__lack_of_memory_is_not_a_fault_of_a_folder)
{
    static const work w = {"faults", run_faults};
    tby_failure failure;
    assert_int_equal(tby_tree_write(small, new_folder, false, &alone, &failure), TBY_OK);
    put_file(inside(new_folder, "0/notes"), "x", 1);
    put_file(inside(new_folder, "0/3/info.txt"), "#4\n", 3);
    remove_folder(inside(new_folder, "0/7"));
    try_work(&w);
    remove_folder(new_folder);
}

int main(void)
{
    tby_failure failure;
    snprintf(new_folder, sizeof new_folder, "%s", folder_path("memory-new"));
    snprintf(folder, sizeof folder, "%s", folder_path("memory"));
    snprintf(games_folder, sizeof games_folder, "%s", folder_path("memory-games"));
    small = grow(START_FEN, 1);
    of_games = tree_of_games(games_folder);
    if (tby_tree_write(small, folder, false, NULL, &failure) != TBY_OK)
        return 1;
    const int failed = tests_run(NULL, NULL);
    remove_folder(folder);
    remove_folder(games_folder);
    tby_tree_free(of_games);
    tby_tree_free(small);
    return failed;
}
