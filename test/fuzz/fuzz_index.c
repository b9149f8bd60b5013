/*
 * fuzz_index.c - rows of the index of positions, and sketches of games: any bytes give postings that end, and what a
 * search finds in a sketch is in the game that it was made of.
 */
#include "support.h"

#include "value/sketch.h"

static void try_postings(const uint8_t *data, size_t size)
{
    tby_postings all = tby_postings_begin(data, size, 1);
    tby_posting p;
    uint64_t rest, before = 0;
    size_t n = 0;
    while (tby_postings_group(&all, &rest)) {
        before = rest;
        while (tby_postings_next(&all, &p))
            require(++n <= size); /* each takes a byte or more */
    }
    tby_postings one = tby_postings_begin(data, size, 1);
    if (tby_postings_find(&one, before))
        while (tby_postings_next(&one, &p))
            require(n-- > 0);
}

static void try_sketch(const uint8_t *data, size_t size)
{
    uint8_t sketch[SKETCH_SIZE];
    tby_packed cursor;
    tby_target target;
    tby_position pos;
    tby_position_start(&pos);
    tby_target_position(&target, &pos);
    if (size >= SKETCH_SIZE) { /* as a damaged file may have it */
        const size_t n = size / SKETCH_SIZE;
        for (size_t i = tby_sketch_next(data, n, 0, &target, 1); i < n; i = tby_sketch_next(data, n, i + 1, &target, 1))
            if (tby_sketch_begin(&cursor, data + i * SKETCH_SIZE))
                tby_target_step(&target, &cursor, TBY_PLIES_MAX);
    }
    if (tby_packed_check(data, size, NULL) != TBY_OK)
        return;
    tby_sketch_make(sketch, data, size);
    require(tby_packed_begin(&cursor, data, size));
    const int ply = tby_target_step(&target, &cursor, TBY_PLIES_MAX);
    require(ply < 0 || tby_sketch_next(sketch, 1, 0, &target, 1) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_postings(data, size);
    try_sketch(data, size);
    return 0;
}
