/*
 * named.c - things that have a name: found by it, and listed in the order in which they were added.
 *
 * The hash depends on an address, which no input can know, so none can be written to make all names collide.
 */
#include "support/named.h"
#include "base/contract.h"
#include "support/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const void *thing) { return *(char *const *)thing; }

int named_order(const void *a, const void *b) { return strcmp(name_of(*(void *const *)a), name_of(*(void *const *)b)); }

/* The slot of a name, or the empty one where it belongs. */
static void **slot_of(const named_list *all, const char *name, size_t n)
{
    uint64_t hash = (uint64_t)(uintptr_t)all->list;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    size_t at = (size_t)hash & (all->n_slots - 1);
    while (all->slots[at] && (strncmp(name_of(all->slots[at]), name, n) != 0 || name_of(all->slots[at])[n]))
        at = (at + 1) & (all->n_slots - 1);
    return &all->slots[at];
}

void *named_find(const named_list *all, const char *name, size_t n)
{
    return all->n_slots ? *slot_of(all, name, n) : NULL;
}

/* Makes room for one more thing. The list moves only here, so the hashes of its address stay valid until then. */
static bool widen(named_list *all)
{
    if (2 * (all->n + 1) <= all->n_slots)
        return true;
    const size_t n = all->n_slots ? 2 * all->n_slots : 64;
    void **slots = calloc(n, sizeof *slots);
    if (!slots || !array_reserve(&all->list, &all->cap, n / 2, sizeof *all->list, NULL)) {
        free(slots);
        return false;
    }
    free(all->slots);
    all->slots = slots;
    all->n_slots = n;
    for (size_t i = 0; i < all->n; i++)
        *slot_of(all, name_of(all->list[i]), strlen(name_of(all->list[i]))) = all->list[i];
    return true;
}

static void *thing_new(const char *name, size_t n, size_t size)
{
    void *thing = calloc(1, size + n + 1);
    if (!thing)
        return NULL;
    char *own = (char *)thing + size;
    memcpy(own, name, n);
    *(char **)thing = own;
    return thing;
}

void *named_get(named_list *all, const char *name, size_t n, size_t size)
{
    TBY_CONTRACT(size > 0);
    const char *end = n ? memchr(name, '\0', n) : NULL;
    n = end ? (size_t)(end - name) : n;
    if (!widen(all))
        return NULL;
    void **slot = slot_of(all, name, n);
    if (!*slot && (*slot = thing_new(name, n, size)) != NULL)
        all->list[all->n++] = *slot;
    return *slot;
}

void named_sort(named_list *all, int (*order)(const void *a, const void *b))
{
    if (all->n)
        qsort(all->list, all->n, sizeof *all->list, order);
}

void named_free(named_list *all)
{
    for (size_t i = 0; i < all->n; i++)
        free(all->list[i]);
    free(all->list);
    free(all->slots);
    *all = (named_list){.n = 0};
}
