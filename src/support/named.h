/*
 * named.h - things that have a name, such as players: found by it, and listed in the order in which they were added.
 */
#ifndef TBY_SUPPORT_NAMED_H
#define TBY_SUPPORT_NAMED_H

#include <stddef.h>

/* All zeros: empty. A thing is a structure whose first member is its name, a char *. */
typedef struct named_list {
    void **list;
    size_t n, cap;
    void **slots; /* a hash table of the things */
    size_t n_slots;
} named_list;

/* NULL if there is none. */
void *named_find(const named_list *all, const char *name, size_t n);
/* If there is none of that name, adds one: `size` bytes, zeros except for the name, which is copied. NULL: no memory. */
void *named_get(named_list *all, const char *name, size_t n, size_t size);
/* Sorts the list; `order` compares pointers to things. */
void named_sort(named_list *all, int (*order)(const void *a, const void *b));
/* An order: by name. */
int named_order(const void *a, const void *b);
/* Frees all things and their names. */
void named_free(named_list *all);

#endif
