/*
 * transform.h - a fact with colours exchanged, mirrored, or moved sideways.
 */
#ifndef TBY_QUERY_TRANSFORM_H
#define TBY_QUERY_TRANSFORM_H

#include "query/ast.h"

/* Where each file goes, 8 for one that has left the board; and what else has happened. */
typedef struct query_transform {
    uint8_t file[8];
    uint8_t flips;   /* colours exchanged, the board upside down */
    uint8_t mirrors; /* files a-h exchanged with h-a */
    uint8_t shifts;  /* moved sideways */
} query_transform;

query_transform transform_none(void);
/* This transform first, then `outer`. */
query_transform transform_flip(query_transform outer);
query_transform transform_mirror(query_transform outer);
query_transform transform_shift(query_transform outer, int files);

/* Changes a fact. One that cannot be changed in this way becomes Q_FALSE. */
void transform_apply(const query_transform *t, query_node *node);

#endif
