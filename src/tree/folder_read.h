/*
 * folder_read.h - the contents of the folders of a tree, before and during checking.
 */
#ifndef TBY_TREE_FOLDER_READ_H
#define TBY_TREE_FOLDER_READ_H

#include "tree/folder_walk.h"

/* A folder and the contents of its text. */
typedef struct found_node {
    tby_tree_node text; /* without a text only the id */
    void *lists;        /* the memory that `text` points to; NULL without a text */
    uint32_t parent;    /* index in `nodes` of the folder around it; FOUND_NONE for the root */
    uint32_t depth;
    bool is_met; /* while checking: a move has led here */
} found_node;
#define FOUND_NONE ((uint32_t)0xffffffff)

typedef struct found_fault {
    tby_tree_id id; /* faults are reported in this order */
    size_t line, order;
    char *path;
    const char *text; /* after the path, in the same memory */
} found_fault;

typedef struct found_tree {
    const char *name; /* of the folder */
    found_node *nodes;
    size_t n_nodes, nodes_cap;
    size_t n_moves, n_comments; /* of all nodes */
    found_fault *faults;
    size_t n_faults, faults_cap;
    tby_failure *failure; /* of the machine, not of the tree */
} found_tree;

/* Adds a fault of the node at an index in `nodes`, in its text or, with line 0, in its folder. */
void found_fault_add(found_tree *found, size_t place, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a fault of any file or folder. */
void found_fault_at(found_tree *found, tby_tree_id id, const char *path, const char *text);
/* The path of a node's folder within the tree's folder; false if it is too long. */
bool found_path(char out[TREE_PATH_SIZE], const found_tree *found, size_t place);

/* Sorts the nodes by number and checks them all; see folder_check.c. */
void found_check(found_tree *found);

#endif
