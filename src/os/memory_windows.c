/*
 * memory_windows.c - committed pages.
 */
#include "os/memory.h"
#include "os/windows.h"

#include <errno.h>

void *os_block_new(size_t size)
{
    void *memory = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (!memory)
        errno = ENOMEM;
    return memory;
}

void os_block_free(void *block, size_t size)
{
    (void)size;
    VirtualFree(block, 0, MEM_RELEASE);
}

uint64_t os_memory_size(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}
