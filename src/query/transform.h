/*
 * transform.h - exchanges colours in a fact, mirrors it, or shifts it sideways.
 */
#ifndef TBY_QUERY_TRANSFORM_H
#define TBY_QUERY_TRANSFORM_H

#include "query/ast.h"

/* The new file of each file, 8 if it leaves the board; and what else changes. */
typedef struct query_transform {
    uint8_t file[8];
    uint8_t flips;   /* colours exchanged, the board upside down */
    uint8_t mirrors; /* files a-h exchanged with h-a */
    uint8_t shifts;  /* moved sideways */
} query_transform;

query_transform transform_none(void);
/* Applies this transform first, then `outer`. */
query_transform transform_flip(query_transform outer);
query_transform transform_mirror(query_transform outer);
query_transform transform_shift(query_transform outer, int files);

/* Changes a fact. One that cannot be transformed becomes Q_FALSE. */
void transform_apply(const query_transform *t, query_node *node);

#endif
