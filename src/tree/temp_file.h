/*
 * temp_file.h - an unnamed file for data that does not fit into memory. Any number of threads may use it.
 */
#ifndef TBY_TREE_TEMP_FILE_H
#define TBY_TREE_TEMP_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct temp_file {
    int file; /* -1 = none */
    atomic_uint_fast64_t end;
} temp_file;

/* All three return false on failure, which errno explains. */
bool temp_file_open(temp_file *f, const char *folder);
/* Appends bytes and sets `*offset` to their place. */
bool temp_file_add(temp_file *f, const void *bytes, size_t n, uint64_t *offset);
bool temp_file_read(const temp_file *f, void *bytes, size_t n, uint64_t offset);
void temp_file_close(temp_file *f);

#endif
