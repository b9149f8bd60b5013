/*
 * folder_walk.h - reads the folders of a tree, whatever they contain: follows no link, reads no file that is too large.
 */
#ifndef TBY_TREE_FOLDER_WALK_H
#define TBY_TREE_FOLDER_WALK_H

#include "os/folder.h"
#include "support/buffer.h"
#include "tree/tree.h"

/* The size limit of info.txt, enough for a million nodes that lead to one. */
enum { WALK_TEXT_MAX = 1 << 24 };

/* Reads PATH, a file of a node. Unexpected contents are a fault of the tree, TBY_INVALID_TREE; a failure of the machine
   is not. The sentence does not name the file. */
bool walk_read(buffer *out, const os_folder *folder, const char *path, tby_failure *f);

/* The numbers of the folders inside `path`, in order. */
typedef struct walk_list {
    tby_tree_id *ids;
    size_t n, cap;
} walk_list;

/* Called, with a sentence, for each entry that is neither a node's folder nor info.txt. */
typedef void (*walk_stranger)(void *context, const char *name, const char *text);
bool walk_list_folder(walk_list *out, const os_folder *folder, const char *path, walk_stranger on_stranger,
                      void *context, tby_failure *f);

/* Reports a failure of the machine, `why`, with the folder of the tree and the path in it. */
bool walk_fail_at(tby_failure *f, const char *name, const char *path, const tby_failure *why);

/* Opens DIR, the folder around the tree; NULL, and a sentence, on failure. */
os_folder *walk_open(const char *name, tby_failure *f);
/* Was the writing of the tree in it interrupted? */
bool walk_is_unfinished(const os_folder *folder);

#endif
