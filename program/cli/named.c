/*
 * named.c - things that have a name: found by it, and listed in the order in which they were added.
 */
#include "named.h"
#include "console.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int named_order(const void *a, const void *b) { return compare(*(void *const *)a, *(void *const *)b); }

void *named_find(const named_list *all, const char *name)
{
    void *const *found = tfind(&name, &all->tree, compare);
    return found ? *found : NULL;
}

void *named_get(named_list *all, const char *name, size_t n, size_t size)
{
    char *own = memory_got(strndup(name, n)), **new = named_find(all, own);
    if (new) {
        free(own);
        return new;
    }
    new = memory_new(1, size);
    *new = own;
    memory_need(array_reserve(&all->list, &all->cap, all->n + 1, sizeof *all->list, NULL) &&
                tsearch(new, &all->tree, compare));
    return all->list[all->n++] = new;
}

void named_sort(named_list *all, int (*order)(const void *a, const void *b))
{
    if (all->n)
        qsort(all->list, all->n, sizeof *all->list, order);
}

void named_free(named_list *all)
{
    for (size_t i = 0; i < all->n; i++) {
        tdelete(all->list[i], &all->tree, compare);
        free(*(char **)all->list[i]);
        free(all->list[i]);
    }
    free(all->list);
}
