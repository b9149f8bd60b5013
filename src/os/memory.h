/*
 * memory.h - large blocks of memory straight from the system, and how much memory the machine has.
 */
#ifndef TBY_OS_MEMORY_H
#define TBY_OS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* All zeros, in large pages if the system has them. NULL, and errno, on failure. */
void *os_block_new(size_t size);
void os_block_free(void *block, size_t size);
/* Of the machine, in bytes; 0 if the system does not report it. */
uint64_t os_memory_size(void);

#endif
