/*
 * fuzz_index.c - rows of the position index, and sketches of games: postings from any bytes come to an end, and what a
 * search finds in a sketch is in the game it was made from.
 */
#include "value/postings.h"

#include "support.h"

#include "value/sketch.h"

static void try_postings(const uint8_t *data, size_t size)
{
    tby_postings all = tby_postings_begin(data, size, 1);
    tby_posting p;
    uint64_t part = 0;
    size_t n = 0;
    while (tby_postings_group(&all)) {
        require(all.part >= part && all.part >> all.part_bits == 0);
        part = all.part;
        while (tby_postings_next(&all, &p)) {
            require(++n <= 8 * size); /* each takes at least a bit */
            require(p.ply >= -1 && p.ply <= TBY_PLIES_MAX);
        }
    }
    tby_postings one = tby_postings_begin(data, size, 1);
    if (one.part_bits) {
        const uint64_t key = part << (64 - one.part_bits) >> one.row_bits;
        while (tby_postings_find(&one, key))
            while (tby_postings_next(&one, &p))
                require(n-- > 0);
    }
}

/* Entries made from the bytes are read back from the row built from them. */
static void try_row(const uint8_t *data, size_t size)
{
    enum { MOST = 64, STEP = 7 };
    position_entry entries[MOST];
    size_t n = 0;
    if (size < 3)
        return;
    const postings_form form = {data[0] % 23, data[1] % 43, 16 + data[2] % 17};
    for (const uint8_t *at = data + 3; n < MOST && (size_t)(data + size - at) >= STEP; at += STEP) {
        const bool is_other = n == 0 || at[0] % 4;
        const position_entry before = n ? entries[n - 1] : (position_entry){0};
        const uint64_t key = before.key + (is_other ? ((uint64_t)at[1] << (at[2] % 50)) + 1 : 0);
        if (key < before.key || (form.row_bits && key >> (64 - form.row_bits)))
            break;
        const uint32_t game = is_other ? at[3] : before.game + at[3] + 1u;
        entries[n++] = (position_entry){key, game, (uint16_t)(at[4] << 5), (tby_move)(at[5] | at[6] << 8)};
    }
    if (n == 0)
        return;
    bit_buffer row = {.bytes = buffer_begin(NULL)};
    postings_put(&row, &form, entries, n);
    tby_postings all = tby_postings_begin(row.bytes.data, row.bytes.n, 0);
    size_t i = 0;
    while (tby_postings_group(&all))
        for (tby_posting p; tby_postings_next(&all, &p); i++) {
            require(i < n && p.game == entries[i].game && (p.ply < 0 || p.ply == entries[i].ply));
            require(all.part == postings_part(entries[i].key, form.row_bits, form.part_bits));
        }
    require(i == n && !all.is_damaged);
    buffer_free(&row.bytes);
}

static void try_sketch(const uint8_t *data, size_t size)
{
    uint8_t sketch[SKETCH_SIZE];
    tby_packed cursor;
    tby_target target;
    tby_position pos;
    tby_position_start(&pos);
    tby_target_position(&target, &pos);
    if (size >= SKETCH_SIZE) { /* as a damaged file may contain */
        const size_t n = size / SKETCH_SIZE;
        for (size_t i = sketch_next(data, n, 0, &target, 1); i < n; i = sketch_next(data, n, i + 1, &target, 1))
            if (sketch_begin(&cursor, data + i * SKETCH_SIZE))
                tby_target_step(&target, &cursor, TBY_PLIES_MAX);
    }
    if (tby_packed_check(data, size, NULL) != TBY_OK)
        return;
    sketch_make(sketch, data, size);
    require(tby_packed_begin(&cursor, data, size));
    const int ply = tby_target_step(&target, &cursor, TBY_PLIES_MAX);
    require(ply < 0 || sketch_next(sketch, 1, 0, &target, 1) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_postings(data, size);
    try_row(data, size);
    try_sketch(data, size);
    return 0;
}
