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

/* Reads PATH, a file of a node. Something that is not as it should be is a fault of the tree, TBY_INVALID_TREE; a
   failure of the machine is not. The sentence does not name the file. */
bool walk_read(walk_text *out, int folder, const char *path, tby_failure *f);

/* The numbers that folders inside `path` have, in order. */
typedef struct walk_list {
    tby_tree_id *ids;
    size_t n, cap;
} walk_list;

/* Called for each entry that is not a folder of a node and not info.txt, with a sentence. */
typedef void (*walk_stranger)(void *context, const char *name, const char *text);
bool walk_list_folder(walk_list *out, int folder, const char *path, walk_stranger on_stranger, void *context,
                      tby_failure *f);

/* DIR, the folder that the tree is in: a descriptor, or -1 and a sentence. */
int walk_open(const char *name, tby_failure *f);
/* Was the writing of the tree in it interrupted? */
bool walk_is_unfinished(int folder);

#endif
