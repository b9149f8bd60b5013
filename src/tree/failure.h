/*
 * failure.h - why work on a tree failed, as a status and a sentence.
 */
#ifndef TBY_TREE_FAILURE_H
#define TBY_TREE_FAILURE_H

#include "tabiya_tree.h"

/* What the caller sees. The first failure is kept. Threads that share one need a lock. */
typedef struct tree_failure {
    tby_status status;
    char *text; /* of TBY_TREE_ERROR_SIZE bytes; the caller's `error` */
} tree_failure;

tree_failure tree_failure_begin(char error[TBY_TREE_ERROR_SIZE]);
/* All of these return false. */
bool tree_fail(tree_failure *f, tby_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool tree_fail_memory(tree_failure *f);
bool tree_fail_interrupted(tree_failure *f);
/* TBY_INVALID_TREE */
bool tree_fail_fault(tree_failure *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What an errno means. */
tby_status tree_status_of(int number);
static inline tby_status tree_answer(const tree_failure *f, bool is_good)
{
    return is_good ? TBY_OK : f->status != TBY_OK ? f->status : TBY_IO_ERROR;
}

#endif
