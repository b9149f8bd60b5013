/*
 * estimate.h - the statistics that ANALYZE collects about a column of games (stats.c), for the estimates in estimate.c.
 *
 * There are two lists of the most common keys, sorted by key, each with its share of the games. The lowest bits of a
 * key are replaced by the half-move at which it first occurred.
 */
#ifndef TABIYA_POSTGRES_ESTIMATE_H
#define TABIYA_POSTGRES_ESTIMATE_H

#include "extension.h"

#include <catalog/pg_statistic.h>
#include <common/hashfn.h>
#include <nodes/pathnodes.h>

enum {
    KIND_PLACEMENTS = STATISTIC_KIND_MCELEM,
    KIND_OPENINGS = 22900, /* private: pg_statistic.h leaves numbers from 10000 on to extensions */
    PLY_BITS = 7,
    PLY_MASK = (1 << PLY_BITS) - 1
};

static inline bool is_same_key(uint64 a, uint64 b) { return a >> PLY_BITS == b >> PLY_BITS; }

static inline uint64 opening_key(const uint8_t *bytes, size_t n) { return hash_bytes_extended(bytes, (int)n, 0); }

/* The share of games for which hasOpening(args) is true. */
double estimate_opening(PlannerInfo *root, List *args, int relation);
/* The share of games for which `function`, matches(args), is true. False if there are no statistics to estimate it by. */
bool estimate_matches(double *share, PlannerInfo *root, Oid function, Oid collation, List *args, int relation);

#endif
