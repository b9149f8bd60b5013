/*
 * shards_move.c - moves games from one shard to another, some slots at a time.
 *
 *     coordinator: slots are moving --> copy --> commit on the new shard --> commit on the old --> slots are moved
 *
 * Between the two commits the games are on both; should the work end just there, the next import or move finds the note
 * in tabiya.slot, and either takes the copies away again or, if the old shard has none of them, completes the move. At
 * no moment are games on neither.
 */
#include "store/postgres/pg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In one transaction; each takes a look at every game of the old shard. */
enum { SLOTS_AT_ONCE = 64 };

static pg_shard *find(pg *p, int number)
{
    for (size_t i = 0; i < p->n_shards; i++)
        if (p->shards[i].number == number)
            return &p->shards[i];
    return NULL;
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

static bool run(pg *p, const char *format, const char *a, const char *b)
{
    buffer sql = {0};
    buffer_printf(&sql, format, a, b, a);
    const bool is_good = sql.has_failed ? db_fail_memory(&p->base) : pg_run(p, sql.s);
    buffer_free(&sql);
    return is_good;
}

static bool take_text(void *context, pg *p)
{
    const tby_text text = pg_text(p, 0);
    buffer_add(context, text.s ? text.s : "", text.n);
    return true;
}

/* The columns that are the same on both shards: a shape has another number there. */
static bool list_columns(pg *p, buffer *out)
{
    return pg_query(
               p,
               "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid ="
               " 'tabiya.game'::regclass AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('shape', 'shard')",
               NULL, take_text, out) &&
           (!out->has_failed || db_fail_memory(&p->base));
}

static bool copy_slots(pg *from, pg *to, const char *slots)
{
    buffer columns = {0}, out = {0}, in = {0};
    bool is_good = list_columns(from, &columns) &&
                   pg_run(to, "CREATE TEMP TABLE moved (LIKE tabiya.game) ON COMMIT DROP;"
                              "ALTER TABLE moved DROP COLUMN shape, DROP COLUMN shard, ADD names text COLLATE \"C\"");
    if (is_good) {
        buffer_printf(&out,
                      "COPY (SELECT %s, (SELECT names FROM tabiya.shape s WHERE s.id = g.shape) FROM tabiya.game g"
                      " WHERE hash & 1023 = ANY ('{%s}')) TO STDOUT WITH (FORMAT binary)",
                      columns.s, slots);
        buffer_printf(&in, "COPY moved (%s, names) FROM STDIN WITH (FORMAT binary)", columns.s);
        is_good = !(out.has_failed || in.has_failed) || db_fail_memory(&from->base);
    }
    is_good = is_good && pg_copy_between(from, out.s, to, in.s) &&
              pg_run(to,
                     "INSERT INTO tabiya.shape SELECT (SELECT coalesce(max(id), 0) FROM tabiya.shape) + row_number()"
                     " OVER (), names FROM (SELECT names FROM moved EXCEPT SELECT names FROM tabiya.shape) AS x") &&
              run(to,
                  "INSERT INTO tabiya.game (%s, shape) SELECT %s, (SELECT s.id FROM tabiya.shape s WHERE s.names ="
                  " moved.names) FROM moved",
                  columns.s, columns.s) &&
              run(from, "DELETE FROM tabiya.game WHERE hash & 1023 = ANY ('{%s}')", slots, "");
    buffer_free(&columns);
    buffer_free(&out);
    buffer_free(&in);
    return is_good;
}

/* ---- Moving ----------------------------------------------------------------------------------------------------- */

static bool fail_of(pg *p, const pg_shard *a, const pg_shard *b)
{
    const pg_shard *one = a->to->base.error[0] ? a : b;
    return one->to->base.error[0] ? pg_fail(p, "shard %d: %.450s", one->number, one->to->base.error) : false;
}

static const char lock[] = "BEGIN; LOCK TABLE tabiya.game IN SHARE ROW EXCLUSIVE MODE";

static bool move_games(pg *p, pg_shard *from, pg_shard *to, const char *slots)
{
    from->to->base.error[0] = to->to->base.error[0] = '\0';
    const bool is_copied = pg_run(from->to, lock) && pg_run(to->to, lock) && copy_slots(from->to, to->to, slots);
    if (is_copied && pg_run(to->to, "COMMIT") && pg_run(from->to, "COMMIT"))
        return true;
    fail_of(p, from, to);
    pg_roll_back(to->to);
    pg_roll_back(from->to);
    return false;
}

/* "1,5,9": the first slots of the shard; empty if it has none. */
static bool choose_slots(pg *p, int from, size_t n, buffer *out)
{
    char sql[160];
    snprintf(sql, sizeof sql,
             "SELECT string_agg(slot::text, ',') FROM (SELECT slot FROM tabiya.slot WHERE shard = %d ORDER BY slot"
             " LIMIT %zu) AS x",
             from, n);
    out->n = 0;
    return pg_query(p, sql, NULL, take_text, out) && (!out->has_failed || db_fail_memory(&p->base));
}

static bool move_some(pg *p, pg_shard *from, pg_shard *to, const char *slots)
{
    char number[16];
    snprintf(number, sizeof number, "%d", to->number);
    if (!run(p, "UPDATE tabiya.slot SET moving_to = %2$s WHERE slot = ANY ('{%1$s}')", slots, number) ||
        !pg_run(p, PG_LOCK_SLOTS))
        return false;
    return pg_end(p, move_games(p, from, to, slots) &&
                         run(p, "UPDATE tabiya.slot SET shard = moving_to, moving_to = NULL WHERE slot = ANY ('{%s}')",
                             slots, ""));
}

bool pg_shards_move(pg *p, int from, int to, size_t n_slots)
{
    pg_shard *a = find(p, from), *b = find(p, to);
    buffer slots = {0};
    bool is_good = true;
    if (!a || !b)
        return pg_fail(p, "there is no shard %d; tabiya shard status lists them", a ? to : from);
    if (a == b)
        return pg_fail(p, "shard %d is both where games are and where they are to go", from);
    while (n_slots > 0 && is_good) {
        const size_t n = n_slots < SLOTS_AT_ONCE ? n_slots : SLOTS_AT_ONCE;
        is_good = choose_slots(p, from, n, &slots);
        if (!is_good || slots.n == 0)
            break;
        is_good = db_goes_on(&p->base) || pg_fail(p, "interrupted; the same command goes on");
        is_good = is_good && move_some(p, a, b, slots.s);
        n_slots -= n;
    }
    buffer_free(&slots);
    return is_good;
}

/* ---- Mending ---------------------------------------------------------------------------------------------------- */

typedef struct half_move {
    int from, to;
    buffer slots;
} half_move;

static bool take_half(void *context, pg *p)
{
    half_move *h = context;
    const tby_text slots = pg_text(p, 2);
    h->from = (int)pg_number(p, 0);
    h->to = (int)pg_number(p, 1);
    h->slots.n = 0;
    buffer_add(&h->slots, slots.s, slots.n);
    return true;
}

static bool mend(pg *p, const half_move *h)
{
    const pg_shard *from = find(p, h->from), *to = find(p, h->to);
    buffer sql = {0};
    int64_t is_there = 0;
    if (!from || !to)
        return pg_fail(p, "games were being moved between shards %d and %d, which are not both there", h->from, h->to);
    buffer_printf(&sql, "SELECT 1 FROM tabiya.game WHERE hash & 1023 = ANY ('{%s}') LIMIT 1", h->slots.s);
    bool is_good = !sql.has_failed || db_fail_memory(&p->base);
    from->to->base.error[0] = to->to->base.error[0] = '\0';
    is_good = is_good && (pg_number_of(from->to, sql.s, 0, &is_there) || fail_of(p, from, to));
    buffer_free(&sql);
    if (is_good && is_there)
        is_good = run(to->to, "DELETE FROM tabiya.game WHERE hash & 1023 = ANY ('{%s}')", h->slots.s, "") ||
                  fail_of(p, from, to);
    return is_good && run(p, "UPDATE tabiya.slot SET shard = %2$s, moving_to = NULL WHERE slot = ANY ('{%1$s}')",
                          h->slots.s, is_there ? "shard" : "moving_to");
}

bool pg_shards_mend(pg *p)
{
    half_move h = {0};
    bool is_good = true;
    while (is_good) {
        h.from = h.to = 0;
        is_good =
            pg_query(p,
                     "SELECT shard, moving_to, string_agg(slot::text, ',') FROM tabiya.slot WHERE moving_to IS NOT"
                     " NULL GROUP BY shard, moving_to LIMIT 1",
                     NULL, take_half, &h);
        is_good = is_good && (!h.slots.has_failed || db_fail_memory(&p->base));
        if (!is_good || h.to == 0)
            break;
        is_good = mend(p, &h);
    }
    buffer_free(&h.slots);
    return is_good;
}
