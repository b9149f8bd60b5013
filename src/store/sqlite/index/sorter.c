/*
 * sorter.c - the positions of many games in the order of their keys.
 */
#include "store/sqlite/index/sorter.h"
#include "game/turns.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- Beginning and ending ------------------------------------------------------------------------------- */

void sorter_begin(sorter *s, lite *db, size_t most_held)
{
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

/* How many entries of a list its chunk has. */
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

static bool add(sorter *s, const position_entry *e)
{
    entry_list *list = &s->parts[e->key >> (64 - SORTER_PARTS_BITS)];
    if (list->n == list->n_chunks * SORTER_CHUNK && !add_chunk(list))
        return false;
    list->chunks[list->n / SORTER_CHUNK][list->n % SORTER_CHUNK] = *e;
    list->n++;
    return true;
}

bool sorter_add(sorter *s, const position_entry *entries, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!add(s, &entries[i]))
            return lite_fail_memory(s->db);
    s->n += n;
    s->n_held += n;
    return s->n_held < s->most_held || spill(s);
}

/* ---- Reading back --------------------------------------------------------------------------------------- */

/* Parts in one piece, to be sorted. */
typedef struct sorted_part {
    position_entry *entries;
    size_t n, cap;
} sorted_part;

/* What the table has of a part goes before what was not yet in it. */
static bool read_back(sorter *s, unsigned part, sorted_part *out)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    sqlite3_stmt *get = lite_prepare(s->db, "SELECT id, entries FROM temp.spill WHERE id BETWEEN ?1 AND ?2");
    if (!get)
        return false;
    sqlite3_bind_int64(get, 1, spill_id(part, 0));
    sqlite3_bind_int64(get, 2, spill_id(part, UINT32_MAX));
    while (!failed && lite_step_up(s->db, get, &before, &failed)) {
        const void *bytes = sqlite3_column_blob(get, 1);
        const size_t n = (size_t)sqlite3_column_bytes(get, 1) / sizeof *out->entries;
        if (!bytes || !array_reserve(&out->entries, &out->cap, out->n + n, sizeof *out->entries, NULL)) {
            failed = !lite_fail_memory(s->db);
            break;
        }
        if (n)
            memcpy(out->entries + out->n, bytes, n * sizeof *out->entries);
        out->n += n;
    }
    sqlite3_finalize(get);
    return !failed;
}

/* What is in memory of a part. Its chunks are freed: nobody needs them any more. */
static bool copy_chunks(sorter *s, unsigned part, sorted_part *out)
{
    entry_list *held = &s->parts[part];
    if (!array_reserve(&out->entries, &out->cap, out->n + held->n, sizeof *out->entries, NULL))
        return lite_fail_memory(s->db);
    for (size_t i = 0; i * SORTER_CHUNK < held->n; i++) {
        memcpy(out->entries + out->n, held->chunks[i], chunk_size(held, i) * sizeof *out->entries);
        out->n += chunk_size(held, i);
    }
    free_chunks(held);
    return true;
}

/* Some parts, one after the other. */
static bool gather(sorter *s, unsigned part, unsigned n_parts, sorted_part *out)
{
    bool is_good = true;
    out->n = 0;
    for (unsigned i = part; i < part + n_parts && is_good; i++)
        is_good = (s->n_spilled == 0 || read_back(s, i, out)) && copy_chunks(s, i, out);
    return is_good;
}

/* ---- Sorting -------------------------------------------------------------------------------------------- */

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, FEW = 16 };

static void sort_few(position_entry *e, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const position_entry moved = e[i];
        size_t k = i;
        for (; k > 0 && moved.key < e[k - 1].key; k--)
            e[k] = e[k - 1];
        e[k] = moved;
    }
}

/* Some bits of the keys that distinguish entries. */
typedef struct digit {
    unsigned shift, n_bits;
} digit;

static unsigned digit_of(const position_entry *e, digit d)
{
    return (unsigned)(e->key >> d.shift) & ((1u << d.n_bits) - 1);
}

/* The digit after this many upper bits, which are equal: the more entries, the more bits. */
static digit choose_digit(size_t n, unsigned n_same)
{
    const unsigned length = bit_length(n) - 2, most = length < DIGIT_BITS ? length : DIGIT_BITS;
    const unsigned n_bits = 64 - n_same < most ? 64 - n_same : most;
    return (digit){64 - n_same - n_bits, n_bits};
}

/* Counts digits, and makes of the counts where each digit begins. False if all entries have the same. */
static bool find_starts(size_t starts[DIGITS + 1], const position_entry *e, size_t n, digit d)
{
    const unsigned n_digits = 1u << d.n_bits;
    memset(starts, 0, (n_digits + 1) * sizeof *starts);
    for (size_t i = 0; i < n; i++)
        starts[digit_of(&e[i], d) + 1]++;
    if (starts[digit_of(e, d) + 1] == n)
        return false;
    for (unsigned i = 0; i < n_digits; i++)
        starts[i + 1] += starts[i];
    return true;
}

/* By key; the upper `n_same` bits are the same in all. Entries of the same key stay in their order, which is that of
   the games. */
static void sort_entries(position_entry *e, position_entry *spare, size_t n, unsigned n_same)
{
    size_t starts[DIGITS + 1], at[DIGITS];
    if (n <= FEW) {
        sort_few(e, n);
        return;
    }
    digit d = choose_digit(n, n_same);
    while (d.n_bits && !find_starts(starts, e, n, d))
        d = choose_digit(n, n_same += d.n_bits);
    if (d.n_bits == 0) /* all the same key */
        return;
    memcpy(at, starts, sizeof *at << d.n_bits);
    for (size_t i = 0; i < n; i++)
        spare[at[digit_of(&e[i], d)]++] = e[i];
    memcpy(e, spare, n * sizeof *e);
    for (unsigned i = 0; i < 1u << d.n_bits; i++)
        if (starts[i + 1] > starts[i] + 1)
            sort_entries(e + starts[i], spare, starts[i + 1] - starts[i], n_same + d.n_bits);
}

/* A game's first visit only. */
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
    unsigned row_bits, n_parts; /* the parts that are sorted at once: a row lies within them */
    const sorted_use *use;
    bool has_failed;
} sorting;

typedef struct sorting_thread {
    sorted_part list;
    position_entry *spare;
    size_t cap_spare;
} sorting_thread;

/* Sorts and makes what is in the thread's list. */
static bool make_rows(const sorting *w, sorting_thread *t, unsigned thread, sorted_rows *out)
{
    if (!array_reserve(&t->spare, &t->cap_spare, t->list.n, sizeof *t->spare, NULL))
        return false;
    sort_entries(t->list.entries, t->spare, t->list.n, w->n_parts == 1 ? SORTER_PARTS_BITS : 0);
    *out = (sorted_rows){t->list.entries, drop_repetitions(t->list.entries, t->list.n), w->row_bits};
    return !w->use->make || w->use->make(w->use->context, thread, out);
}

/* The next parts. The lock is held. */
static bool take_parts(sorting *w, sorting_thread *t)
{
    const unsigned part = (unsigned)w->turns.n_taken * w->n_parts;
    w->turns.is_over = part + w->n_parts >= SORTER_PARTS;
    if (gather(w->sorter, part, w->n_parts, &t->list))
        return true;
    w->has_failed = w->turns.is_over = true;
    t->list.n = 0;
    return false;
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
    sorting_thread t = {.spare = NULL};
    while (turns_enter(&w->turns)) {
        sorted_rows rows = {NULL, 0, 0};
        bool is_made = take_parts(w, &t);
        const int64_t number = turns_take(&w->turns);
        is_made = is_made && (t.list.n == 0 || make_rows(w, &t, thread, &rows));
        turns_wait(&w->turns, number);
        hand_on(w, thread, is_made, &rows);
        turns_next(&w->turns);
    }
    free(t.list.entries);
    free(t.spare);
}

unsigned sorter_threads(const sorter *s)
{
    enum { THREAD_ENTRIES = 1 << 17 };
    return threads_wanted(s->db->base.n_threads, (int64_t)(s->n / THREAD_ENTRIES));
}

bool sorter_rows(sorter *s, unsigned row_bits, unsigned n_threads, const sorted_use *use)
{
    sorting w = {.sorter = s, .row_bits = row_bits, .use = use};
    w.n_parts = row_bits < SORTER_PARTS_BITS ? 1u << (SORTER_PARTS_BITS - row_bits) : 1;
    turns_init(&w.turns);
    threads_run(n_threads, sort_parts, &w);
    turns_end(&w.turns);
    return !w.has_failed;
}
