/*
 * folder_walk.h - reads the folders of a tree, whatever is in them: no link is followed, nothing is read that is too
 * large.
 */
#ifndef TBY_TREE_FOLDER_WALK_H
#define TBY_TREE_FOLDER_WALK_H

#include "tree/tree.h"

/* The most bytes that info.txt may have: a million nodes that lead to one. */
enum { WALK_TEXT_MAX = 1 << 24 };

typedef struct walk_text {
    char *s;
    size_t n, cap;
} walk_text;

/* How reading went. Something that is not as it should be is a fault of the tree; a failure of the machine is not. A
   sentence describes either. */
typedef enum walk_status { WALK_DONE = 0, WALK_FAULT = 1, WALK_FAILED = 2 } walk_status;

/* Reads PATH, a file of a node. */
walk_status walk_read(walk_text *out, int folder, const char *path, char error[TBY_TREE_ERROR_SIZE]);

/* The numbers that folders inside `path` have, in order. */
typedef struct walk_list {
    tby_tree_id *ids;
    size_t n, cap;
} walk_list;

/* Called for each entry that is no folder of a node and not info.txt, with a sentence. */
typedef void (*walk_stranger)(void *context, const char *name, const char *text);
walk_status walk_list_folder(walk_list *out, int folder, const char *path, walk_stranger on_stranger, void *context,
                             char error[TBY_TREE_ERROR_SIZE]);

/* DIR, the folder that the tree is in: a descriptor, or -1 and a sentence. */
int walk_open(const char *name, char error[TBY_TREE_ERROR_SIZE]);
/* Was the writing of the tree in it interrupted? */
bool walk_is_unfinished(int folder);

#endif
