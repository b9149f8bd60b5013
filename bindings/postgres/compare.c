/*
 * compare.c - compares and hashes games and boards by their bytes.
 *
 * Games are sorted by their moves: see docs/formats/packed.md. For sorting, the first eight bytes represent a value,
 * until too many of them turn out to be equal.
 */
#include "extension.h"

#include <common/hashfn.h>
#include <lib/hyperloglog.h>
#include <port/pg_bswap.h>

static int compare_bytes(bytes_argument a, bytes_argument b)
{
    const int order = memcmp(a.bytes, b.bytes, a.n < b.n ? a.n : b.n);
    return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

static int compare_full(Datum x, Datum y, SortSupport sort)
{
    struct varlena *a = PG_DETOAST_DATUM_PACKED(x), *b = PG_DETOAST_DATUM_PACKED(y);
    const int order = compare_bytes(bytes_of(PointerGetDatum(a)), bytes_of(PointerGetDatum(b)));
    (void)sort;
    if (PointerGetDatum(a) != x)
        pfree(a);
    if (PointerGetDatum(b) != y)
        pfree(b);
    return order;
}

static int compare_arguments(FunctionCallInfo fcinfo)
{
    return compare_full(PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), NULL);
}

#define COMPARISON(name, sign)                                                                                         \
    SQL_FUNCTION(name) { PG_RETURN_BOOL(compare_arguments(fcinfo) sign 0); }

COMPARISON(tabiya_lt, <)
COMPARISON(tabiya_le, <=)
COMPARISON(tabiya_eq, ==)
COMPARISON(tabiya_ne, !=)
COMPARISON(tabiya_ge, >=)
COMPARISON(tabiya_gt, >)

SQL_FUNCTION(tabiya_cmp) { PG_RETURN_INT32(compare_arguments(fcinfo)); }

/* For the aggregates min and max. */
static Datum chosen(FunctionCallInfo fcinfo, bool is_first)
{
    return is_first ? PG_GETARG_DATUM(0) : PG_GETARG_DATUM(1);
}

SQL_FUNCTION(tabiya_smaller) { return chosen(fcinfo, compare_arguments(fcinfo) <= 0); }

SQL_FUNCTION(tabiya_larger) { return chosen(fcinfo, compare_arguments(fcinfo) >= 0); }

/* ---- Sorting ----------------------------------------------------------------------------------------------- */

typedef struct sort_state {
    int64 n_values;
    bool is_estimating;
    hyperLogLogState distinct;
} sort_state;

static Datum abbreviate(Datum original, SortSupport sort)
{
    sort_state *state = sort->ssup_extra;
    struct varlena *value = PG_DETOAST_DATUM_PACKED(original);
    const bytes_argument full = bytes_of(PointerGetDatum(value));
    uint64 word = 0;
    memcpy(&word, full.bytes, full.n < sizeof word ? full.n : sizeof word);
    state->n_values++;
    if (state->is_estimating)
        addHyperLogLog(&state->distinct, DatumGetUInt32(hash_uint32((uint32)(word ^ word >> 32))));
    if (PointerGetDatum(value) != original)
        pfree(value);
    return UInt64GetDatum(pg_ntoh64(word));
}

/* As other types do: gives up if fewer than one value in 2000 is different; stops counting when there are plenty. */
static bool abort_abbreviation(int n_memory, SortSupport sort)
{
    sort_state *state = sort->ssup_extra;
    if (n_memory < 10000 || state->n_values < 10000 || !state->is_estimating)
        return false;
    const double n_distinct = estimateHyperLogLog(&state->distinct);
    if (n_distinct > 100000.0)
        state->is_estimating = false;
    return n_distinct < (double)state->n_values / 2000.0 + 0.5;
}

SQL_FUNCTION(tabiya_sortsupport)
{
    SortSupport sort = (SortSupport)PG_GETARG_POINTER(0);
    sort->comparator = compare_full;
    if (sort->abbreviate) {
        MemoryContext old = MemoryContextSwitchTo(sort->ssup_cxt);
        sort_state *state = palloc0(sizeof *state);
        state->is_estimating = true;
        initHyperLogLog(&state->distinct, 10);
        MemoryContextSwitchTo(old);
        sort->ssup_extra = state;
        sort->comparator = ssup_datum_unsigned_cmp;
        sort->abbrev_converter = abbreviate;
        sort->abbrev_abort = abort_abbreviation;
        sort->abbrev_full_comparator = compare_full;
    }
    PG_RETURN_VOID();
}

/* ---- Hashing: as the server hashes the bytes of text and bytea ---------------------------------------------- */

SQL_FUNCTION(tabiya_hash) { return hashvarlena(fcinfo); }

SQL_FUNCTION(tabiya_hash_extended) { return hashvarlenaextended(fcinfo); }
