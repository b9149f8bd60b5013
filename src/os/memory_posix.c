/*
 * memory_posix.c - anonymous mappings.
 */
#include "os/memory.h"

#include <sys/mman.h>
#include <unistd.h>

void *os_block_new(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(memory, size, MADV_HUGEPAGE);
#endif
    return memory;
}

void os_block_free(void *block, size_t size) { munmap(block, size); }

uint64_t os_memory_size(void)
{
    const long n_pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return n_pages > 0 && size > 0 ? (uint64_t)n_pages * (uint64_t)size : 0;
}
