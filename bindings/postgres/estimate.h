/*
 * estimate.h - what ANALYZE notes about a column of games (stats.c), for the estimates of estimate.c.
 *
 * Two lists of the most common keys, in the order of keys, each with its share of the games. A key gives its lowest
 * bits to the half-move where it was first seen; the others distinguish keys.
 */
#ifndef TABIYA_POSTGRES_ESTIMATE_H
#define TABIYA_POSTGRES_ESTIMATE_H

#include "extension.h"

#include <catalog/pg_statistic.h>
#include <common/hashfn.h>
#include <nodes/pathnodes.h>

enum {
    KIND_PLACEMENTS = STATISTIC_KIND_MCELEM,
    KIND_OPENINGS = 22900, /* of our own: pg_statistic.h leaves numbers from 10000 on to extensions */
    PLY_BITS = 7,
    PLY_MASK = (1 << PLY_BITS) - 1
};

static inline bool is_same_key(uint64 a, uint64 b) { return a >> PLY_BITS == b >> PLY_BITS; }

static inline uint64 opening_key(const uint8_t *bytes, size_t n) { return hash_bytes_extended(bytes, (int)n, 0); }

/* The share of games that hasOpening(args) holds for. */
double estimate_opening(PlannerInfo *root, List *args, int relation);

#endif
