/*
 * memory.c - a small malloc and free for the module, instead of the C library's large ones.
 *
 *     block = 16 bytes of head, the size class in the first of them; then 1 << class bytes
 *
 * A class is a power of two. A freed block goes to the list of its class and is reused from there; otherwise the heap
 * grows at its end, in pages of 64 KiB. Blocks are never split or merged: a web page uses the same few sizes again and
 * again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 16, SMALLEST = 4, LARGEST = 31, PAGE = 65536 };

typedef struct block {
    size_t class;
    struct block *next; /* the next free block */
} block;

extern unsigned char __heap_base;

static block *lists[LARGEST + 1];
static uintptr_t heap_end;

static size_t class_of(size_t n)
{
    size_t class = SMALLEST;
    while (class < LARGEST && (size_t)1 << class < n)
        class ++;
    return class;
}

/* The next `n` bytes, a multiple of 16; NULL if the memory cannot grow. */
static void *take(size_t n)
{
    if (heap_end == 0)
        heap_end = ((uintptr_t)&__heap_base + HEAD - 1) / HEAD * HEAD;
    const uint64_t end = (uint64_t)heap_end + n, size = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
    if (end > size && (end > UINT32_MAX - PAGE ||
                       __builtin_wasm_memory_grow(0, (size_t)((end - size + PAGE - 1) / PAGE)) == (size_t)-1))
        return NULL;
    void *memory = (void *)heap_end;
    heap_end = (uintptr_t)end;
    return memory;
}

void *malloc(size_t n)
{
    const size_t class = class_of(n);
    if ((size_t)1 << class < n)
        return NULL;
    block *b = lists[class];
    if (b)
        lists[class] = b->next;
    else
        b = take(HEAD + ((size_t)1 << class));
    if (!b)
        return NULL;
    b->class = class;
    return (char *)b + HEAD;
}

void free(void *memory)
{
    if (!memory)
        return;
    block *b = (block *)(void *)((char *)memory - HEAD);
    b->next = lists[b->class];
    lists[b->class] = b;
}

/* Kept by name: the compiler makes calls of it from malloc and memset after it has inlined this. */
__attribute__((used)) void *calloc(size_t n, size_t size)
{
    uint64_t total = (uint64_t)n * size;
    void *memory = total > UINT32_MAX ? NULL : malloc((size_t)total);
    return memory ? memset(memory, 0, (size_t)total) : NULL;
}

void *realloc(void *memory, size_t n)
{
    if (!memory)
        return malloc(n);
    const size_t room = (size_t)1 << ((block *)(void *)((char *)memory - HEAD))->class;
    if (n <= room)
        return memory;
    void *larger = malloc(n);
    if (larger) {
        memcpy(larger, memory, room);
        free(memory);
    }
    return larger;
}
