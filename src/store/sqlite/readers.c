/*
 * readers.c - work that several threads share, each with its own connection.
 */
#include "store/sqlite/readers.h"
#include "base/contract.h"
#include "os/threads.h"

#include <stdatomic.h>
#include <stdlib.h>

struct readers {
    lite *dbs[THREADS_MAX];
};

void readers_free(readers *r)
{
    for (int i = 0; r && i < THREADS_MAX; i++)
        lite_close(r->dbs[i]);
    free(r);
}

lite *lite_reader(lite *db, unsigned thread)
{
    TBY_CONTRACT(thread < THREADS_MAX);
    tby_failure ignored = {.status = TBY_OK};
    if (thread == 0)
        return db;
    if (!db->readers && !(db->readers = calloc(1, sizeof *db->readers)))
        return NULL;
    if (!db->readers->dbs[thread])
        db->readers->dbs[thread] = lite_open(db->path, TBY_DB_READ, (db_report){NULL, NULL}, &ignored);
    return db->readers->dbs[thread];
}

typedef struct sharing {
    const readers_work *work;
    struct {
        lite *db;
        bool is_alone, has_failed;
    } threads[THREADS_MAX];
    atomic_llong next;   /* the first piece that no thread has taken */
    atomic_bool is_over; /* a thread has failed */
} sharing;

static void work_on(void *context, unsigned thread)
{
    sharing *s = context;
    const readers_work *w = s->work;
    for (int64_t i; !atomic_load(&s->is_over) && (i = atomic_fetch_add(&s->next, 1)) < w->n;)
        if (!w->work(w->context, s->threads[thread].db, thread, i)) {
            s->threads[thread].has_failed = true;
            atomic_store(&s->is_over, true);
        }
}

static bool add_thread(sharing *s, lite *db, unsigned thread)
{
    lite *own = s->threads[thread].db = lite_reader(db, thread);
    if (!own || !lite_begin_reading(own, &s->threads[thread].is_alone))
        return false;
    if (!s->work->join || s->work->join(s->work->context, own, thread))
        return true;
    lite_end_reading(own, s->threads[thread].is_alone);
    return false;
}

/* Other connections do not see what this one has not committed yet. */
static unsigned count_threads(const readers_work *w, lite *db)
{
    return sqlite3_txn_state(db->sql, "main") == SQLITE_TXN_WRITE
               ? 1
               : threads_wanted(w->n_threads, w->most_threads < THREADS_MAX ? w->most_threads : THREADS_MAX);
}

bool readers_run(lite *db, const readers_work *work)
{
    TBY_CONTRACT(work->work && work->n >= 0);
    sharing s = {.work = work};
    const unsigned n_wanted = count_threads(work, db);
    unsigned n = 0;
    while (n < n_wanted && add_thread(&s, db, n))
        n++;
    if (n == 0)
        return false;
    threads_run(n, work_on, &s);
    while (n-- > 0) {
        const tby_failure *failure = &s.threads[n].db->base.failure;
        if (n > 0 && s.threads[n].has_failed && !s.threads[0].has_failed)
            lite_fail(db, failure->status, "%s", failure->text);
        lite_end_reading(s.threads[n].db, s.threads[n].is_alone);
    }
    return !atomic_load(&s.is_over);
}
