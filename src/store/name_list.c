/*
 * name_list.c - names with numbers of games, which may arrive in parts and in any order.
 */
#include "store/name_list.h"
#include "base/contract.h"
#include "row/columns.h"
#include "support/array.h"

#include <stdlib.h>

tby_text name_list_text(const name_count *c) { return (tby_text){c->texts->s + c->at, c->n}; }

void name_list_add(name_list *l, tby_text name, int64_t games)
{
    TBY_CONTRACT(l->n == 0 || l->items[0].texts == &l->texts);
    const name_count one = {l->texts.n, name.n, games, &l->texts};
    buffer_add(&l->texts, name.n ? name.s : "", name.n);
    l->has_failed |= !array_add(&l->items, &l->n, &l->cap, &one, sizeof one, NULL);
}

static int compare_names(const void *a, const void *b) { return text_order(name_list_text(a), name_list_text(b)); }

bool name_list_merge(name_list *l)
{
    size_t n = 0;
    buffer_string(&l->texts, "");
    if (l->has_failed || l->texts.has_failed)
        return false;
    if (l->n)
        qsort(l->items, l->n, sizeof *l->items, compare_names);
    for (size_t i = 0; i < l->n; i++)
        if (n && compare_names(&l->items[n - 1], &l->items[i]) == 0)
            l->items[n - 1].games += l->items[i].games;
        else
            l->items[n++] = l->items[i];
    l->n = n;
    return true;
}

void name_list_free(name_list *l)
{
    buffer_free(&l->texts);
    free(l->items);
}
