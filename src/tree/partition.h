/*
 * partition.h - a set of records built by many threads, in memory as far as it fits.
 *
 * The first byte of a record is its partition, the rest of the first word determines its slot in the partition's hash
 * table, so that a table is nearly sorted. A table that cannot grow is sorted, written to disk as a run, and emptied.
 * At the end the table and the runs of a partition are merged.
 */
#ifndef TBY_TREE_PARTITION_H
#define TBY_TREE_PARTITION_H

#include "os/threads.h"
#include "tree/record.h"
#include "tree/temp_file.h"

enum { PARTITION_BITS = 8, N_PARTITIONS = 1 << PARTITION_BITS };

/* A part of a file: n records. */
typedef struct extent {
    uint64_t offset;
    size_t n;
} extent;
typedef struct extents {
    extent *items;
    size_t n, cap;
} extents;
bool extents_add(extents *list, extent e);

typedef struct partition {
    os_mutex lock;
    uint32_t *slots;
    size_t n_slots, n_used;
    extents runs;
} partition;

typedef struct partitions {
    int width;                     /* of a record, in words */
    size_t first_slots, max_slots; /* the initial and the maximum size of a table */
    temp_file *runs;
    atomic_uint_fast64_t n_on_disk;
    partition parts[N_PARTITIONS];
} partitions;

TBY_INLINE unsigned partition_of(const uint32_t *record) { return record[0] >> (32 - PARTITION_BITS); }

/* `memory` in bytes for all tables together; `n_expected` is an estimate of the number of records. */
void partitions_begin(partitions *all, int width, size_t memory, uint64_t n_expected, temp_file *runs);
void partitions_end(partitions *all);
/* Adds records of one partition. False if out of memory, or if the disk failed (errno). */
bool partition_add(partitions *all, unsigned number, const uint32_t *records, size_t n);

/* Called once for each record of a partition, in order. Returning false stops. */
typedef bool (*record_visitor)(void *context, const uint32_t *record);
/* Empties the partition. */
bool partition_visit(partitions *all, unsigned number, record_visitor visit, void *context);

#endif
