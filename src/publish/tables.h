/*
 * tables.h - what an explorer shows of one position, as bytes.
 */
#ifndef TBY_PUBLISH_TABLES_H
#define TBY_PUBLISH_TABLES_H

#include "publish/positions.h"

/* Positions that only one game reaches, and whose table follows from that game alone, need no table: no move leads to a
   position that another game or another part of the game reaches. One bit for each key. */
typedef struct alone {
    uint64_t *bits;
} alone;
bool publish_alone_find(alone *out, tby_publisher *p, const all_keys *keys);
static inline bool publish_alone_is(const alone *a, uint64_t index) { return a->bits[index / 64] >> (index % 64) & 1; }
void publish_alone_free(alone *a);

/* The table of a position, from its visits: see docs/formats/published.md. The numbers of its games follow in `ranges`,
   which may be empty: then they are in `table`, otherwise the table ends in 8 bytes for their place. */
void publish_table_put(buffer *table, buffer *ranges, const tby_publisher *p, const all_keys *keys, const visit *of,
                       uint64_t n);

#endif
