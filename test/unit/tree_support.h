/*
 * tree_support.h - what the tests of the tree share: texts of nodes, folders of their own.
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
    char error[TBY_TREE_ERROR_SIZE];
    const tby_position root = position_of(fen);
    tby_tree *tree;
    if (tby_tree_grow(&tree, &root, depth, NULL, error) != TBY_OK)
        fail_msg("%s", error);
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
    char error[TBY_TREE_ERROR_SIZE];
    text t = {0};
    if (tby_tree_write_text(tree, add_text, &t, error) != TBY_OK)
        fail_msg("%s", error);
    return t;
}

/* The node after "e2e4 e7e5". */
static inline tby_tree_node behind(const tby_tree *tree, const char *line)
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

static inline const char *folder_path(const char *name)
{
    static char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tabiya-test-%ld-%s", folder ? folder : "/tmp", (long)getpid(), name);
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

/* PATH of the folder, in a text that lasts until the next call. */
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

static inline void put_file(const char *path, const char *s, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(s, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

#endif
