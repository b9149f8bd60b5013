/*
 * fuzz_tree_folder.c - the folder of a tree with an arbitrary text in it: it is read, with all its faults reported, or
 * refused.
 *
 * The first byte chooses the node of a small tree whose text is replaced by the rest.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "support.h"

#include "tabiya_tree.h"

#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

static const tby_tree_work alone = {.n_threads = 1};
static char folder[64];

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *place)
{
    (void)s;
    (void)flag;
    (void)place;
    return remove(path);
}

static void remove_folder(void) { nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static void make_folder(void)
{
    tby_failure failure;
    tby_position pos;
    tby_tree *tree;
    tby_position_start(&pos);
    snprintf(folder, sizeof folder, "/dev/shm/tabiya-fuzz-tree-%ld", (long)getpid());
    remove_folder();
    require(tby_tree_grow(&tree, &pos, 1, &alone, &failure) == TBY_OK);
    require(tby_tree_write(tree, folder, false, &alone, &failure) == TBY_OK);
    tby_tree_free(tree);
    atexit(remove_folder);
}

static memory text_of(const char *path)
{
    memory m = {0};
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    require(file != NULL);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
        to_memory(&m, bytes, n);
    fclose(file);
    return m;
}

static void put_text(const char *path, const void *s, size_t n)
{
    FILE *file = fopen(path, "wb");
    require(file && fwrite(s, 1, n, file) == n && fclose(file) == 0);
}

static void count_fault(void *context, const tby_tree_fault *fault)
{
    require(fault->text && *fault->text);
    ++*(uint64_t *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tby_failure failure = {.status = TBY_OK};
    char path[128];
    uint64_t n_faults = 0, n_told = 0;
    tby_tree *tree = NULL;
    if (!folder[0])
        make_folder();
    if (size == 0)
        return 0;
    if (data[0] % 21 == 0)
        snprintf(path, sizeof path, "%s/0/info.txt", folder);
    else
        snprintf(path, sizeof path, "%s/0/%d/info.txt", folder, data[0] % 21);
    memory before = text_of(path);
    put_text(path, data + 1, size - 1);
    const tby_status status = tby_tree_read(&tree, folder, &n_faults, count_fault, &n_told, &alone, &failure);
    require(n_faults == n_told && (status == TBY_OK) == (tree != NULL));
    require(status == TBY_OK || n_faults || failure.text[0]);
    tby_tree_free(tree);
    put_text(path, before.s, before.n);
    free(before.s);
    return 0;
}
