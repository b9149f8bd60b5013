/*
 * name_list.h - names with numbers of games, which may arrive in parts and in any order.
 */
#ifndef TBY_STORE_NAME_LIST_H
#define TBY_STORE_NAME_LIST_H

#include "support/buffer.h"
#include "tabiya_query.h"

typedef struct name_count {
    size_t at, n; /* of the name, in the texts */
    int64_t games;
    const buffer *texts;
} name_count;

typedef struct name_list {
    buffer texts;
    name_count *items;
    size_t n, cap;
    bool has_failed; /* out of memory */
} name_list;

/* The list must not move once it has names. */
void name_list_add(name_list *list, tby_text name, int64_t games);
/* Sorts the names, and adds up the games of equal ones; false if out of memory at any time. */
bool name_list_merge(name_list *list);
tby_text name_list_text(const name_count *item);
void name_list_free(name_list *list);

#endif
