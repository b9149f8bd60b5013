/*
 * openings.h - the table of opening names.
 */
#ifndef TABIYA_WASM_OPENINGS_H
#define TABIYA_WASM_OPENINGS_H

#include "answer.h"

typedef struct opening {
    uint64_t key;
    const char *eco, *name; /* in the text that was added, which remains valid */
    uint8_t n_eco, n_name;
} opening;

/* The name of exactly this position; NULL if it has none. */
const opening *openings_find(const tby_position *pos);

#endif
