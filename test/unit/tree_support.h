/*
 * tree_support.h - shared by the tests of the tree: the texts of nodes, and temporary folders.
 */
#ifndef TBY_TEST_TREE_SUPPORT_H
#define TBY_TEST_TREE_SUPPORT_H

#define _XOPEN_SOURCE 700 /* nftw */

#include "support.h"

#include "tabiya_tree.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* A tby_sink into memory. */
typedef struct text {
    char *s;
    size_t n, cap;
} text;

static inline bool add_text(void *context, const char *s, size_t n)
{
    text *t = context;
    if (t->n + n + 1 > t->cap) {
        t->cap = 2 * (t->n + n + 1);
        t->s = realloc(t->s, t->cap);
        assert_non_null(t->s);
    }
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = '\0';
    return true;
}

static inline tby_tree *grow(const char *fen, unsigned depth)
{
    tby_failure failure;
    const tby_position root = position_of(fen);
    tby_tree *tree;
    if (tby_tree_grow(&tree, &root, depth, NULL, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    return tree;
}

static inline text node_text(const tby_tree *tree, tby_tree_id id)
{
    tby_tree_node node;
    text t = {0};
    tby_tree_node_at(&node, tree, id);
    assert_true(tby_tree_node_write(&node, add_text, &t));
    return t;
}

static inline text tree_text(const tby_tree *tree)
{
    tby_failure failure;
    text t = {0};
    if (tby_tree_write_text(tree, add_text, &t, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    return t;
}

/* The node after "e2e4 e7e5". */
static inline tby_tree_node node_after(const tby_tree *tree, const char *line)
{
    tby_move moves[64];
    tby_tree_node node;
    size_t n = 0;
    tby_tree_node_at(&node, tree, 0);
    tby_position pos = node.pos;
    for (const char *p = line; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
        moves[n] = move_of(&pos, p);
        tby_position_play(&pos, moves[n++], NULL);
    }
    const tby_tree_id id = tby_tree_follow(tree, moves, n);
    if (id == TBY_TREE_NONE)
        fail_msg("no node after %s", line);
    tby_tree_node_at(&node, tree, id);
    return node;
}

/* ---- Folders ------------------------------------------------------------------------------------------- */

/* In memory, if the system has such a folder: trees are thousands of small files. */
static inline const char *folder_path(const char *name)
{
    static char path[256];
    const char *usual = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp", *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tabiya-test-%ld-%s", folder ? folder : usual, (long)getpid(), name);
    return path;
}

static inline int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static inline void remove_folder(const char *path) { nftw(path, remove_entry, 64, FTW_DEPTH | FTW_PHYS); }

/* The path inside the folder, valid until the next call. */
static inline const char *inside(const char *folder, const char *path)
{
    static char whole[1024];
    if ((size_t)snprintf(whole, sizeof whole, "%s/%s", folder, path) >= sizeof whole)
        fail_msg("the name of a file is too long: %s", path);
    return whole;
}

static inline text file_text(const char *path)
{
    char bytes[4096];
    text t = {0};
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
        add_text(&t, bytes, n);
    fclose(file);
    return t;
}

static inline void append_file(const char *path, const char *s)
{
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    assert_true(fputs(s, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline void put_file(const char *path, const char *s, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(s, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* ---- A tree that has all that a tree can have ------------------------------------------------------------ */

static inline tby_tree *read_tree(const char *folder)
{
    tby_failure failure;
    uint64_t n_faults;
    tby_tree *tree;
    if (tby_tree_read(&tree, folder, &n_faults, NULL, NULL, NULL, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    return tree;
}

/* A tree of games from move 12 on: knights that go out and back, in any order; one game ends as a draw by repetition,
   one by mate. The folder is kept, with a user's comments in it. */
static inline tby_tree *tree_of_games(const char *folder)
{
    static const char *const LINES[] = {"g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "b1c3 g8f6 g1f3 b8c6",
                                        "g1f3 g8f6 b1c3 b8c6", "g1f3 b8c6", "f2f3 e7e5 g2g4 d8h4"};
    static const tby_result RESULTS[] = {TBY_DRAW, TBY_WHITE_WINS, TBY_BLACK_WINS, TBY_RESULT_NONE, TBY_BLACK_WINS};
    tby_failure failure;
    const tby_position root = position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12");
    tby_tree_games *games = tby_tree_games_new(&root, 30);
    tby_tree *tree;
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        tby_move moves[16];
        tby_position pos = root;
        size_t n = 0;
        for (const char *p = LINES[i]; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
            moves[n] = move_of(&pos, p);
            tby_position_play(&pos, moves[n++], NULL);
        }
        assert_int_equal(tby_tree_games_add(games, &root, moves, n, RESULTS[i], &failure), TBY_OK);
    }
    assert_int_equal(tby_tree_games_finish(&tree, games, 1, &failure), TBY_OK);
    tby_tree_games_free(games);
    if (tby_tree_write(tree, folder, false, NULL, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    tby_tree_free(tree);
    append_file(inside(folder, "0/info.txt"), "comment here it all begins\n");
    append_file(inside(folder, "0/1/info.txt"), "comment one\ncomment two\n");
    return read_tree(folder);
}

#endif
