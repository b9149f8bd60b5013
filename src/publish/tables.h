/*
 * tables.h - what an explorer shows of one position, as bytes.
 */
#ifndef TBY_PUBLISH_TABLES_H
#define TBY_PUBLISH_TABLES_H

#include "publish/positions.h"

/* The table of a position, from its visits: see docs/formats/published.md. If the numbers of its games are many, they
   follow in `ranges`, and the table ends in 8 bytes for their place; otherwise `ranges` is empty. */
void publish_table_put(buffer *table, buffer *ranges, const positions *all, const visit *of, uint64_t n);

#endif
