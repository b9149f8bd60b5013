/*
 * sorter.c - sorts the positions of many games by key.
 */
#include "store/sqlite/index/sorter.h"
#include "base/contract.h"
#include "pgn/turns.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- Beginning and ending ------------------------------------------------------------------------------- */

void sorter_begin(sorter *s, lite *db, size_t most_held)
{
    TBY_CONTRACT(most_held > 0);
    *s = (sorter){.db = db, .most_held = most_held < db->memory.n_positions ? most_held : db->memory.n_positions};
}

static void free_chunks(entry_list *list)
{
    while (list->n_chunks > 0)
        free(list->chunks[--list->n_chunks]);
    free(list->chunks);
    *list = (entry_list){.chunks = NULL};
}

void sorter_end(sorter *s)
{
    for (int i = 0; i < SORTER_PARTS; i++)
        free_chunks(&s->parts[i]);
    /* Fails, harmlessly, if there is no memory even for that. */
    sqlite3_exec(s->db->sql, "DROP TABLE IF EXISTS temp.spill", NULL, NULL, NULL);
}

bool sorter_clear(sorter *s)
{
    for (int i = 0; i < SORTER_PARTS; i++)
        s->parts[i].n = 0;
    s->n = s->n_held = 0;
    const bool has_spilled = s->n_spilled > 0;
    s->n_spilled = 0;
    return !has_spilled || lite_run(s->db, "DROP TABLE IF EXISTS temp.spill");
}

/* ---- Collecting ----------------------------------------------------------------------------------------- */

static int64_t spill_id(unsigned part, uint32_t number) { return (int64_t)part << 32 | number; }

/* The number of entries in a chunk of the list. */
static size_t chunk_size(const entry_list *list, size_t chunk)
{
    const size_t left = list->n - chunk * SORTER_CHUNK;
    return left < SORTER_CHUNK ? left : SORTER_CHUNK;
}

static bool spill_part(sorter *s, sqlite3_stmt *put, unsigned part)
{
    const entry_list *list = &s->parts[part];
    bool is_good = true;
    for (size_t i = 0; i * SORTER_CHUNK < list->n && is_good; i++) {
        sqlite3_bind_int64(put, 1, spill_id(part, s->n_spilled++));
        sqlite3_bind_blob64(put, 2, list->chunks[i], chunk_size(list, i) * sizeof **list->chunks, SQLITE_STATIC);
        is_good = lite_do(s->db, put);
    }
    return is_good;
}

static bool spill(sorter *s)
{
    if (!lite_run(s->db, "CREATE TEMP TABLE IF NOT EXISTS spill(id INTEGER PRIMARY KEY, entries BLOB NOT NULL)"))
        return false;
    sqlite3_stmt *put = lite_prepare(s->db, "INSERT INTO temp.spill VALUES(?1, ?2)");
    bool is_good = put != NULL;
    for (unsigned i = 0; i < SORTER_PARTS && is_good; i++) {
        is_good = spill_part(s, put, i);
        s->parts[i].n = 0;
    }
    sqlite3_finalize(put);
    s->n_held = 0;
    return is_good;
}

static bool add_chunk(entry_list *list)
{
    if (!array_reserve(&list->chunks, &list->cap_chunks, list->n_chunks + 1, sizeof *list->chunks, NULL))
        return false;
    list->chunks[list->n_chunks] = malloc(SORTER_CHUNK * sizeof **list->chunks);
    return list->chunks[list->n_chunks] && ++list->n_chunks;
}

static inline bool list_add(entry_list *list, const position_entry *e)
{
    if (list->n == list->n_chunks * SORTER_CHUNK && !add_chunk(list))
        return false;
    list->chunks[list->n / SORTER_CHUNK][list->n % SORTER_CHUNK] = *e;
    list->n++;
    return true;
}

bool sorter_add(sorter *s, const position_entry *entries, size_t n)
{
    TBY_CONTRACT(entries || n == 0);
    for (size_t i = 0; i < n; i++)
        if (!list_add(&s->parts[entries[i].key >> (64 - SORTER_PARTS_BITS)], &entries[i]))
            return lite_fail_memory(s->db);
    s->n += n;
    s->n_held += n;
    return s->n_held < s->most_held || spill(s);
}

/* ---- Reading back --------------------------------------------------------------------------------------- */

/* Entries being sorted. */
typedef struct sorting_thread {
    position_entry *sorted, *room;
    size_t n, cap_sorted, cap_room;
} sorting_thread;

static bool add_entries(sorting_thread *t, const position_entry *e, size_t n)
{
    if (!array_reserve(&t->room, &t->cap_room, t->n + n, sizeof *t->room, NULL))
        return false;
    memcpy(t->room + t->n, e, n * sizeof *e);
    t->n += n;
    return true;
}

/* Reads the entries of a part that are in the table; they come before those still in memory. */
static bool read_back(sorter *s, unsigned part, sorting_thread *out)
{
    lite_rows r =
        lite_rows_of(s->db, lite_prepare(s->db, "SELECT id, entries FROM temp.spill WHERE id BETWEEN ?1 AND ?2"));
    lite_bind(&r, 1, spill_id(part, 0));
    lite_bind(&r, 2, spill_id(part, UINT32_MAX));
    while (lite_next_up(&r)) {
        const lite_bytes bytes = lite_bytes_at(&r, 1);
        const bool has_memory = bytes.s && add_entries(out, (const void *)bytes.s, bytes.n / sizeof(position_entry));
        r.failed = !has_memory && !lite_fail_memory(s->db);
    }
    return lite_end(&r);
}

/* Moves the entries of a part in memory to the end of `out`. */
static bool move_chunks(entry_list *held, sorting_thread *out)
{
    bool has_memory = array_reserve(&out->room, &out->cap_room, out->n + held->n, sizeof *out->room, NULL);
    for (size_t i = 0; i * SORTER_CHUNK < held->n && has_memory; i++)
        has_memory = add_entries(out, held->chunks[i], chunk_size(held, i));
    free_chunks(held);
    return has_memory;
}

/* ---- Sorting -------------------------------------------------------------------------------------------- */

/* Keeps only the first occurrence in a game. */
static size_t drop_repetitions(position_entry *e, size_t n)
{
    size_t kept = n > 0;
    for (size_t i = 1; i < n; i++)
        if (e[i].game != e[kept - 1].game || e[i].key != e[kept - 1].key)
            e[kept++] = e[i];
    return kept;
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

typedef struct sorting {
    sorter *sorter;
    turns turns;
    unsigned row_bits, n_parts; /* how many parts are sorted at once, so that rows are complete */
    const sorted_use *use;
    bool has_failed;
} sorting;

/* Sorts the entries of some parts, those in memory after those from the table, and makes their rows. */
static bool make_rows(const sorting *w, sorting_thread *t, unsigned thread, unsigned part, sorted_rows *out)
{
    bool has_memory = true;
    for (unsigned i = part; i < part + w->n_parts && has_memory; i++)
        has_memory = move_chunks(&w->sorter->parts[i], t);
    if (t->n == 0 || !has_memory)
        return has_memory;
    if (!array_reserve(&t->sorted, &t->cap_sorted, t->n, sizeof *t->sorted, NULL))
        return false;
    positions_sort_to(t->sorted, t->room, t->n, w->n_parts == 1 ? SORTER_PARTS_BITS : 0);
    *out = (sorted_rows){t->sorted, drop_repetitions(t->sorted, t->n), w->row_bits};
    return !w->use->make || w->use->make(w->use->context, thread, out);
}

/* Takes the next parts, and reads those in the table. The lock is held. */
static bool take_parts(sorting *w, sorting_thread *t, unsigned *part)
{
    bool is_good = true;
    *part = (unsigned)w->turns.n_taken * w->n_parts;
    t->n = 0;
    for (unsigned i = *part; i < *part + w->n_parts && is_good && w->sorter->n_spilled > 0; i++)
        is_good = read_back(w->sorter, i, t);
    w->has_failed |= !is_good;
    w->turns.is_over = !is_good || *part + w->n_parts >= SORTER_PARTS;
    return is_good;
}

static void hand_on(sorting *w, unsigned thread, bool is_made, const sorted_rows *rows)
{
    if (!is_made && !w->has_failed)
        w->has_failed = !lite_fail_memory(w->sorter->db);
    if (!w->has_failed && rows->n)
        w->has_failed = !w->use->take(w->use->context, thread, rows);
    w->turns.is_over |= w->has_failed;
}

static void sort_parts(void *context, unsigned thread)
{
    sorting *w = context;
    sorting_thread t = {.sorted = NULL};
    while (turns_enter(&w->turns)) {
        sorted_rows rows = {NULL, 0, 0};
        unsigned part;
        bool is_made = take_parts(w, &t, &part);
        const int64_t number = turns_take(&w->turns);
        is_made = is_made && make_rows(w, &t, thread, part, &rows);
        turns_wait(&w->turns, number);
        hand_on(w, thread, is_made, &rows);
        turns_next(&w->turns);
    }
    free(t.sorted);
    free(t.room);
}

unsigned sorter_threads(const sorter *s)
{
    enum { THREAD_ENTRIES = 1 << 17 };
    return threads_wanted(s->db->base.n_threads, (int64_t)(s->n / THREAD_ENTRIES));
}

bool sorter_rows(sorter *s, unsigned row_bits, unsigned n_threads, const sorted_use *use)
{
    TBY_CONTRACT(row_bits < 64 && n_threads > 0 && use->take);
    sorting w = {.sorter = s, .row_bits = row_bits, .use = use};
    w.n_parts = row_bits < SORTER_PARTS_BITS ? 1u << (SORTER_PARTS_BITS - row_bits) : 1;
    turns_init(&w.turns);
    threads_run(n_threads, sort_parts, &w);
    turns_end(&w.turns);
    return !w.has_failed;
}
