/*
 * polyglot.c - files of opening books in the format of Polyglot: making and opening them.
 */
#include "polyglot.h"
#include "os/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHT_MAX = 65535 };

/* ---- Making ----------------------------------------------------------------------------------------------------- */

typedef struct polyglot_entry {
    uint64_t key, weight;
    tby_move move;
} entry;

void polyglot_maker_add(polyglot_maker *m, uint64_t key, tby_move move, uint64_t weight)
{
    if (!weight)
        return;
    memory_need(array_reserve(&m->entries, &m->cap, m->n + 1, sizeof *m->entries, NULL));
    m->entries[m->n++] = (entry){key, weight, move};
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

void polyglot_maker_write(polyglot_maker *m)
{
    uint64_t most = 0;
    if (m->n)
        qsort(m->entries, m->n, sizeof *m->entries, compare_entries);
    for (size_t i = 0; i < m->n; i++) {
        const entry *e = &m->entries[i];
        uint8_t bytes[TBY_BOOK_ENTRY_SIZE];
        if (i == 0 || e->key != e[-1].key)
            most = e->weight; /* the first of a position has the most */
        const uint64_t weight = most > WEIGHT_MAX ? (uint64_t)((double)e->weight / (double)most * WEIGHT_MAX)
                                                  : e->weight;
        tby_book_entry_encode(bytes, e->key, e->move, (uint16_t)(weight ? weight : 1));
        out_bytes((const char *)bytes, sizeof bytes);
    }
    free(m->entries);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

bool polyglot_is_book(const char *path)
{
    os_about about;
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".bin") == 0 && os_about_path(&about, path) && about.kind == OS_FILE &&
           about.size % TBY_BOOK_ENTRY_SIZE == 0;
}

buffer polyglot_open(const char *path)
{
    buffer book = {0};
    if (!file_read(&book, os_open_stream(path, "rb"), SIZE_MAX))
        error_exit("%s: %s", path, strerror(errno));
    const size_t wrong = tby_book_check(book.data, book.n);
    if (wrong)
        error_exit("%s: not a Polyglot book: entry %zu is not in order", path, wrong);
    return book;
}
