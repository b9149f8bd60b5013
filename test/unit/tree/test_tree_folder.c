/*
 * test_tree_folder.c - trees as folders: written, read, completed, and damaged in every way.
 */
#include "tree_support.h"

#include <sys/resource.h>

/* The faults found by a reader, as lines "PATH:LINE: TEXT", with paths relative to the folder. */
typedef struct faults {
    const char *folder;
    text lines;
} faults;

static void note_fault(void *context, const tby_tree_fault *fault)
{
    faults *f = context;
    char line[2048];
    const char *path = fault->path + strlen(f->folder);
    const int n = fault->line ? snprintf(line, sizeof line, "%s:%zu: %s\n", path, fault->line, fault->text)
                              : snprintf(line, sizeof line, "%s: %s\n", path, fault->text);
    add_text(&f->lines, line, (size_t)n);
}

static tby_tree *read_folder(const char *folder, faults *f)
{
    tby_failure failure;
    uint64_t n_faults;
    *f = (faults){.folder = folder};
    add_text(&f->lines, "", 0);
    tby_tree *tree;
    const tby_status status = tby_tree_read(&tree, folder, &n_faults, note_fault, f, NULL, &failure);
    if (!tree && n_faults == 0)
        fail_msg("%s", failure.text);
    assert_true(!tree == (n_faults > 0));
    assert_int_equal(status, tree ? TBY_OK : TBY_INVALID_TREE);
    assert_true(tree || strstr(failure.text, " fault"));
    return tree;
}

/* The process cannot open another file, which is not a fault of the tree. */
TEST(test_tree_folder__system_errors_are_not_faults)
{
    tby_failure failure = {.status = TBY_OK};
    uint64_t n_faults = 7;
    struct rlimit before, few = {0};
    tby_tree *tree = grow(START_FEN, 1), *back;
    const char *folder = folder_path("few-files");
    const tby_tree_work work = {.n_threads = 1};
    if (tby_tree_write(tree, folder, false, NULL, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    getrlimit(RLIMIT_NOFILE, &before);
    const int next = dup(0);
    close(next);
    few = (struct rlimit){(rlim_t)next + 2, before.rlim_max}; /* the folder, and its listing */
    setrlimit(RLIMIT_NOFILE, &few);
    const int taken = dup(0);
    assert_int_equal(tby_tree_read(&back, folder, &n_faults, NULL, NULL, &work, &failure), TBY_IO_ERROR);
    setrlimit(RLIMIT_NOFILE, &before);
    close(taken);
    assert_null(back);
    assert_int_equal(n_faults, 0);
    assert_non_null(strstr(failure.text, "cannot be read: "));
    tby_tree_free(tree);
    remove_folder(folder);
}

static const char *write_folder(const tby_tree *tree, const char *name)
{
    tby_failure failure;
    const char *folder = folder_path(name);
    if (tby_tree_write(tree, folder, false, NULL, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    return folder;
}

/* ---- Good folders -------------------------------------------------------------------------------------- */

static void check_round_trip(tby_tree *tree)
{
    faults f;
    const char *folder = write_folder(tree, "round");
    tby_tree *back = read_folder(folder, &f);
    if (!back)
        fail_msg("%s", f.lines.s);
    text a = tree_text(tree), b = tree_text(back);
    assert_string_equal(a.s, b.s);
    free(a.s);
    free(b.s);
    free(f.lines.s);
    tby_tree_free(back);
    tby_tree_free(tree);
    remove_folder(folder);
}

TEST(test_tree_folder__a_tree_is_read_back)
{
    check_round_trip(grow(START_FEN, 2));
    check_round_trip(grow("7k/8/5KQ1/8/8/8/8/8 w - - 3 50", 2));
    check_round_trip(grow("8/P6k/8/8/8/8/8/K7 w - - 0 1", 3));
    check_round_trip(grow("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", 1));
    check_round_trip(grow("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3));
}

TEST(test_tree_folder__every_file_is_the_text_of_its_node)
{
    tby_tree *tree = grow(START_FEN, 2);
    const char *folder = write_folder(tree, "files");
    text file = file_text(inside(folder, "0/1/21/info.txt")), node = node_text(tree, 21);
    assert_string_equal(file.s, node.s);
    free(file.s);
    free(node.s);
    tby_tree_free(tree);
    remove_folder(folder);
}

TEST(test_tree_folder__existing_files_are_not_overwritten)
{
    tby_failure failure;
    tby_tree *tree = grow(START_FEN, 1);
    const char *folder = write_folder(tree, "there");
    assert_int_equal(tby_tree_write(tree, folder, false, NULL, &failure), TBY_CANNOT_HOLD);
    assert_non_null(strstr(failure.text, "the folder is not empty"));
    assert_int_equal(tby_tree_write(tree, folder, true, NULL, &failure), TBY_NOT_FOUND);
    assert_non_null(strstr(failure.text, "there is nothing to resume"));
    tby_tree_free(tree);
    remove_folder(folder);
}

/* ---- Interrupted --------------------------------------------------------------------------------------- */

static bool stop_at_once(void *context, double fraction)
{
    (void)context;
    (void)fraction;
    return false;
}

TEST(test_tree_folder__an_interrupted_tree_is_reported_and_completed)
{
    tby_failure failure;
    const tby_tree_work impatient = {.n_threads = 1, .progress = stop_at_once};
    faults f;
    tby_tree *tree = grow(START_FEN, 2), *other = grow(START_FEN, 1);
    const char *folder = folder_path("interrupted");
    assert_int_equal(tby_tree_write(tree, folder, false, &impatient, &failure), TBY_INTERRUPTED);
    assert_null(read_folder(folder, &f));
    assert_string_equal(f.lines.s,
                        "/unfinished: the tree is unfinished; repeat its command with --resume to complete it\n");
    free(f.lines.s);
    assert_int_equal(tby_tree_write(other, folder, true, NULL, &failure), TBY_CANNOT_HOLD);
    assert_non_null(strstr(failure.text, "the folder contains an unfinished tree with other options"));
    /* As a crash may leave it: an empty text, and a truncated one. */
    mkdir(inside(folder, "0"), 0777);
    put_file(inside(folder, "0/info.txt"), "#0\nrnb", 6);
    mkdir(inside(folder, "0/1"), 0777);
    put_file(inside(folder, "0/1/info.txt"), "", 0);
    assert_int_equal(tby_tree_write(tree, folder, true, NULL, &failure), TBY_OK);
    tby_tree *back = read_folder(folder, &f);
    assert_non_null(back);
    text a = tree_text(tree), b = tree_text(back);
    assert_string_equal(a.s, b.s);
    free(a.s);
    free(b.s);
    free(f.lines.s);
    tby_tree_free(back);
    tby_tree_free(tree);
    tby_tree_free(other);
    remove_folder(folder);
}

/* ---- Harm ---------------------------------------------------------------------------------------------- */

/* Replaces `from` by `to` in a file. */
static void edit(const char *folder, const char *path, const char *from, const char *to)
{
    text old = file_text(inside(folder, path)), new = {0};
    const char *at = strstr(old.s, from);
    if (!at)
        fail_msg("%s: no \"%s\"", path, from);
    add_text(&new, old.s, (size_t)(at - old.s));
    add_text(&new, to, strlen(to));
    add_text(&new, at + strlen(from), strlen(at + strlen(from)));
    put_file(inside(folder, path), new.s, new.n);
    free(old.s);
    free(new.s);
}

/* Writes a valid folder of depth 2, damages it, and compares the first fault. */
static void check_harm(void (*harm)(const char *folder), const char *expected)
{
    faults f;
    tby_tree *tree = grow(START_FEN, 2);
    const char *folder = write_folder(tree, "harm");
    harm(folder);
    tby_tree *back = read_folder(folder, &f);
    if (back || strncmp(f.lines.s, expected, strlen(expected)) != 0)
        fail_msg("expected %s\nbut there is %s", expected, f.lines.s);
    free(f.lines.s);
    tby_tree_free(tree);
    remove_folder(folder);
}

static void lose_root(const char *folder) { remove_folder(inside(folder, "0")); }
static void lose_text(const char *folder) { unlink(inside(folder, "0/3/info.txt")); }
static void lose_node(const char *folder) { remove_folder(inside(folder, "0/3/61")); }
static void number_in_text(const char *folder) { edit(folder, "0/3/info.txt", "#3\n", "#4\n"); }
static void cycle(const char *folder) { edit(folder, "0/3/info.txt", "Na6) #61", "Na6) #3"); }
static void cycle_of_from(const char *folder) { edit(folder, "0/3/info.txt", "from #0\n", "from #3\n"); }
static void far_link(const char *folder) { edit(folder, "0/3/info.txt", "Na6) #61", "Na6) #4000000000"); }
static void wrong_move(const char *folder) { edit(folder, "0/3/info.txt", "Na6)", "Nd7)"); }
static void long_move(const char *folder) { edit(folder, "0/3/info.txt", "b6)", "Pb6)"); }
static void lost_move(const char *folder) { edit(folder, "0/20/info.txt", "h5) #420\n", ""); }
static void lost_from(const char *folder) { edit(folder, "0/3/info.txt", "from #0\n", ""); }
static void wrong_clock(const char *folder) { edit(folder, "0/3/61/info.txt", "- 1\n", "- 2\n"); }
static void wrong_mark(const char *folder) { edit(folder, "0/3/61/info.txt", "from #3\n", "from #3\ncheckmate!\n"); }
static void fifty(const char *folder)
{
    edit(folder, "0/3/61/info.txt", "from #3\n", "from #3\ndraw by fifty moves\n");
}
static void order(const char *folder) { edit(folder, "0/3/info.txt", "Na6) #61\nNc6) #62\n", "Nc6) #62\nNa6) #61\n"); }
static void swapped(const char *folder)
{
    char other[1024];
    snprintf(other, sizeof other, "%s", inside(folder, "0/3/x"));
    rename(inside(folder, "0/3/61"), other);
}
static void moved(const char *folder)
{
    char other[1024];
    snprintf(other, sizeof other, "%s", inside(folder, "0/4/61"));
    rename(inside(folder, "0/3/61"), other);
}
static void twice(const char *folder)
{
    static const char TEXT[] = "#61\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\ndraw by dead position\n";
    mkdir(inside(folder, "0/4/61"), 0777);
    put_file(inside(folder, "0/4/61/info.txt"), TEXT, strlen(TEXT));
}
static void same_position(const char *folder)
{
    text t = file_text(inside(folder, "0/3/61/info.txt"));
    mkdir(inside(folder, "0/20/421"), 0777);
    text longer = {0};
    add_text(&longer, "#421\n", 5);
    add_text(&longer, strchr(t.s, '\n') + 1, strlen(strchr(t.s, '\n') + 1));
    put_file(inside(folder, "0/20/421/info.txt"), longer.s, longer.n);
    free(t.s);
    free(longer.s);
}
static void link_of_text(const char *folder)
{
    unlink(inside(folder, "0/3/info.txt"));
    assert_int_equal(symlink("/etc/passwd", inside(folder, "0/3/info.txt")), 0);
}
static void link_of_folder(const char *folder) { assert_int_equal(symlink("..", inside(folder, "0/3/7")), 0); }
static void pipe_for_text(const char *folder)
{
    unlink(inside(folder, "0/3/info.txt"));
    assert_int_equal(mkfifo(inside(folder, "0/3/info.txt"), 0666), 0);
}
static void huge(const char *folder) { assert_int_equal(truncate(inside(folder, "0/3/info.txt"), (off_t)1 << 40), 0); }
static void zeros(const char *folder) { assert_int_equal(truncate(inside(folder, "0/3/info.txt"), 5000), 0); }
static void stranger(const char *folder) { put_file(inside(folder, "0/3/notes"), "x", 1); }
static void zero_before(const char *folder) { mkdir(inside(folder, "0/3/061"), 0777); }
static void number_too_large(const char *folder) { mkdir(inside(folder, "0/3/4294967295"), 0777); }
static void not_a_number(const char *folder) { mkdir(inside(folder, "0/3/6x"), 0777); }
static void text_outside(const char *folder) { put_file(inside(folder, "info.txt"), "x", 1); }
static void lost_mark(const char *folder) { edit(folder, "0/3/61/info.txt", "from #3\n", ""); }
static void counts_games(const char *folder)
{
    append_file(inside(folder, "0/3/61/info.txt"), "comment games 1: 1-0 1, 1/2-1/2 0, 0-1 0, * 0\n");
}
static void second_root(const char *folder) { mkdir(inside(folder, "1"), 0777); }

TEST(test_tree_folder__damage_is_reported_with_its_location)
{
    check_harm(lose_root, "/0: the root is missing\n");
    check_harm(lose_text, "/0/3/info.txt:1: is missing\n");
    check_harm(lose_node, "/0/3/info.txt:5: leads to #61, which does not exist\n: no folder has the number #61\n");
    check_harm(number_in_text, "/0/3/info.txt:1: #4 in the folder of #3\n");
    check_harm(cycle, "/0/3/info.txt:5: leads to #3, which is another position than ");
    check_harm(cycle_of_from,
               "/0/3/info.txt:4: \"from #0\" is missing\n/0/3/info.txt:4: from #3, which does not lead here\n");
    check_harm(far_link, "/0/3/info.txt:5: leads to #4000000000, which does not exist\n");
    check_harm(wrong_move, "/0/3/info.txt:5: \"Nd7\": illegal move");
    check_harm(long_move, "/0/3/info.txt:11: \"Pb6\" is not the shortest text of the move, which is \"b6\"\n");
    check_harm(lost_move, "/0/20/info.txt:24: 1 of 20 legal moves are missing\n/0/20/420: no move leads here\n");
    check_harm(lost_from, "/0/3/info.txt:4: \"from #0\" is missing\n");
    check_harm(wrong_clock, "/0/3/61/info.txt:2: the half-move clock is 1, not 2, when #3 leads here\n");
    check_harm(wrong_mark, "/0/3/61/info.txt:5: \"checkmate!\" does not hold\n");
    check_harm(fifty, "/0/3/61/info.txt:5: \"draw by fifty moves\" in a tree without games\n");
    check_harm(order, "/0/3/info.txt:6: \"Na6\": not in order\n");
    check_harm(swapped, "/0/3/x: does not belong to a node\n");
    check_harm(moved, "/0/4/61: is first reached from #3, and belongs in its folder\n");
    check_harm(twice, "/0/4/61: another folder has the number #61 too\n");
    check_harm(same_position, "/0/20/421: no move leads here\n/0/20/421/info.txt:2: the same position as #61\n");
    check_harm(link_of_text, "/0/3/info.txt:1: a symbolic link\n");
    check_harm(link_of_folder, "/0/3/7: a symbolic link, which is not followed\n");
    check_harm(pipe_for_text, "/0/3/info.txt:1: no file\n");
    check_harm(huge, "/0/3/info.txt:1: larger than 16777216 bytes\n");
    check_harm(zeros, "/0/3/info.txt:25: the line does not end\n");
    check_harm(stranger, "/0/3/notes: does not belong to a node\n");
    check_harm(zero_before, "/0/3/061: does not belong to a node\n");
    check_harm(number_too_large, "/0/3/4294967295: does not belong to a node\n");
    check_harm(not_a_number, "/0/3/6x: does not belong to a node\n");
    check_harm(text_outside, "/info.txt: does not belong to a node; the folder of a tree contains the folder 0\n");
    check_harm(lost_mark, "/0/3/61/info.txt:4: \"from #3\" is missing\n");
    check_harm(counts_games, "/0/3/61: counts games, unlike the root\n");
    check_harm(second_root, "/1: only the root, 0, may be here\n");
}

/* What a tree of games must have in addition, and a missing mark. */
TEST(test_tree_folder__damage_to_a_tree_of_games_is_reported)
{
    faults f;
    const char *folder = folder_path("harmed-games");
    tby_tree_free(tree_of_games(folder));
    text t = file_text(inside(folder, "0/1/info.txt"));
    char *games = strstr(t.s, "comment games ");
    assert_non_null(games);
    put_file(inside(folder, "0/1/info.txt"), t.s, (size_t)(games - t.s));
    free(t.s);
    assert_null(read_folder(folder, &f));
    assert_non_null(strstr(f.lines.s, "/0/1: counts no games, in a tree of games\n"));
    free(f.lines.s);
    remove_folder(folder);
    tby_tree *tree = grow("7k/8/5KQ1/8/8/8/8/8 w - - 3 50", 1);
    folder = write_folder(tree, "harmed-marks");
    const tby_tree_node mate = node_after(tree, "g6g7");
    char path[64];
    snprintf(path, sizeof path, "0/%u/info.txt", mate.id);
    edit(folder, path, "checkmate!\n", "");
    assert_null(read_folder(folder, &f));
    assert_non_null(strstr(f.lines.s, "\"checkmate!\" is missing\n"));
    free(f.lines.s);
    tby_tree_free(tree);
    remove_folder(folder);
}

TEST(test_tree_folder__reading_can_be_interrupted)
{
    tby_failure failure;
    const tby_tree_work impatient = {.n_threads = 1, .progress = stop_at_once};
    uint64_t n_faults;
    tby_tree *tree = grow(START_FEN, 1), *back;
    const char *folder = write_folder(tree, "impatient");
    assert_int_equal(tby_tree_read(&back, folder, &n_faults, NULL, NULL, &impatient, &failure), TBY_INTERRUPTED);
    assert_null(back);
    assert_int_equal(n_faults, 0);
    tby_tree_free(tree);
    remove_folder(folder);
}

TEST(test_tree_folder__folders_nested_too_deep_are_reported)
{
    tby_failure failure;
    char path[8192] = "";
    faults f;
    const char *folder = folder_path("deep");
    uint64_t n_faults = 0;
    assert_int_equal(mkdir(folder, 0777), 0);
    for (int i = 0; i < 85; i++) {
        snprintf(path + strlen(path), sizeof path - strlen(path), "%s%d", i ? "/" : "", i ? 1000000000 + i : 0);
        if (mkdir(inside(folder, path), 0777) != 0)
            break;
    }
    f = (faults){.folder = folder};
    tby_tree *tree;
    assert_int_equal(tby_tree_read(&tree, folder, &n_faults, note_fault, &f, NULL, &failure), TBY_INVALID_TREE);
    assert_null(tree);
    assert_true(n_faults > 0);
    free(f.lines.s);
    remove_folder(folder);
}

/* ---- Looking up ---------------------------------------------------------------------------------------- */

TEST(test_tree_folder__every_node_is_found_by_its_number)
{
    tby_failure failure;
    tby_tree *tree = grow("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 2);
    const char *folder = write_folder(tree, "find");
    tby_tree_reader *reader;
    const tby_tree_node *node;
    assert_int_equal(tby_tree_reader_open(&reader, folder, &failure), TBY_OK);
    assert_int_equal(tby_tree_reader_root(&node, reader, &failure), TBY_OK);
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++) {
        if (tby_tree_reader_follow(&node, reader, id, &failure) != TBY_OK)
            fail_msg("#%u: %s", id, failure.text);
        assert_int_equal(node->id, id);
    }
    assert_int_equal(tby_tree_reader_follow(&node, reader, tby_tree_n_nodes(tree), &failure), TBY_NOT_FOUND);
    assert_null(node);
    assert_non_null(strstr(failure.text, "no folder of node #"));
    put_file(inside(folder, "0/info.txt"), "#0\n", 3);
    assert_int_equal(tby_tree_reader_root(&node, reader, &failure), TBY_INVALID_TREE);
    assert_non_null(strstr(failure.text, "/0/info.txt:2: "));
    tby_tree_reader_close(reader);
    tby_tree_free(tree);
    remove_folder(folder);
    assert_int_equal(tby_tree_reader_open(&reader, folder, &failure), TBY_NOT_FOUND);
    assert_null(reader);
}

int main(void) { return tests_run(NULL, NULL); }
