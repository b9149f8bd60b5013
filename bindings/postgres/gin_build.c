/*
 * gin_build.c - buildIndex('CREATE INDEX ...'): the same GIN index of placements, built by sorting.
 *
 * GIN's own build looks up every key of every game in a tree of all keys, which nearly always misses the processor's
 * cache: this takes three quarters of its time. Here keys are collected, sorted, and passed to GIN one after the other
 * with all games that have them, each time maintenance_work_mem is full. The result is an ordinary GIN index, which GIN
 * maintains from then on.
 *
 *     statement --> DefineIndex, without its build --> index_build, with this build in place of GIN's
 *
 * Refuses: statements other than one CREATE INDEX, CONCURRENTLY, partitioned tables, and other indexes.
 */
#include "gin.h"

#include <access/genam.h>
#include <access/gin_private.h>
#include <access/table.h>
#include <access/tableam.h>
#include <access/xact.h>
#include <access/xloginsert.h>
#include <catalog/index.h>
#include <catalog/namespace.h>
#include <catalog/pg_am_d.h>
#include <commands/defrem.h>
#include <commands/tablecmds.h>
#include <lib/qunique.h>
#include <nodes/execnodes.h>
#include <parser/parse_utilcmd.h>
#include <storage/bufmgr.h>
#include <tcop/tcopprot.h>
#include <utils/lsyscache.h>
#include <utils/memutils.h>
#include <utils/rel.h>

/* ---- Gathering and sorting --------------------------------------------------------------------------------- */

/* An entry has a key in its upper half, and in its lower half the index of the game's place. */
typedef struct building {
    GinState state;
    GinStatsData stats;
    const gin_options *options;
    MemoryContext per_key;
    uint64 *entries, *room;
    size_t n, max;
    ItemPointerData *places; /* of games, in the order read: nearly always sorted */
    ItemPointerData *list;   /* of one key */
    size_t n_places, max_places;
    double n_keys;
} building;

static int compare_places(const void *a, const void *b)
{
    return ItemPointerCompare((ItemPointer)(uintptr_t)a, (ItemPointer)(uintptr_t)b);
}

/* The places of the entries of one key, unique and sorted: a game may have a key twice, and two versions of an updated
   row may share a place. */
static size_t list_places(building *b, const uint64 *entries, size_t n)
{
    bool is_sorted = true;
    size_t n_list = 0;
    for (size_t i = 0; i < n; i++) {
        const ItemPointerData place = b->places[(uint32)entries[i]];
        const int order = n_list ? compare_places(&b->list[n_list - 1], &place) : -1;
        is_sorted &= order <= 0;
        if (order != 0)
            b->list[n_list++] = place;
    }
    if (is_sorted)
        return n_list;
    qsort(b->list, n_list, sizeof *b->list, compare_places);
    return qunique(b->list, n_list, sizeof *b->list, compare_places);
}

static void insert_key(building *b, Datum key, GinNullCategory category, ItemPointerData *places, size_t n)
{
    MemoryContext old = MemoryContextSwitchTo(b->per_key);
    CHECK_FOR_INTERRUPTS();
    ginEntryInsert(&b->state, FirstOffsetNumber, key, category, places, (uint32)n, &b->stats);
    b->n_keys += (double)n;
    MemoryContextSwitchTo(old);
    MemoryContextReset(b->per_key);
}

static void insert_all(building *b)
{
    const uint64 *sorted = sort_keys(b->entries, b->room, b->n, 32, 32 + (unsigned)b->options->key_bits);
    for (size_t i = 0, end; i < b->n; i = end) {
        for (end = i + 1; end < b->n && sorted[end] >> 32 == sorted[i] >> 32; end++)
            ;
        insert_key(b, Int32GetDatum((int32)(sorted[i] >> 32)), GIN_CAT_NORM_KEY, b->list,
                   list_places(b, sorted + i, end - i));
    }
    b->n = b->n_places = 0;
}

static void take_game(Relation index, ItemPointer place, Datum *values, bool *is_null, bool is_alive, void *state)
{
    building *b = state;
    (void)index;
    (void)is_alive;
    if (is_null[0]) {
        insert_key(b, (Datum)0, GIN_CAT_NULL_ITEM, place, 1);
        return;
    }
    struct varlena *value = PG_DETOAST_DATUM_PACKED(values[0]);
    const bytes_argument game = bytes_of(PointerGetDatum(value));
    if (b->n + game_keys_max(game) > b->max || b->n_places == b->max_places)
        insert_all(b);
    Datum *keys = (Datum *)b->room; /* only used while sorting */
    const size_t n = game_keys(keys, game, b->options);
    for (size_t i = 0; i < n; i++)
        b->entries[b->n + i] = (uint64)DatumGetInt32(keys[i]) << 32 | b->n_places;
    if (n == 0)
        insert_key(b, (Datum)0, GIN_CAT_EMPTY_ITEM, place, 1);
    b->n += n;
    b->places[b->n_places++] = *place;
    if (PointerGetDatum(value) != values[0])
        pfree(value);
}

/* ---- The index --------------------------------------------------------------------------------------------- */

/* Creates the metapage and an empty root. */
static void create_pages(Relation index, GinStatsData *stats)
{
    const Buffer meta = GinNewBuffer(index), root = GinNewBuffer(index);
    START_CRIT_SECTION();
    GinInitMetabuffer(meta);
    MarkBufferDirty(meta);
    GinInitBuffer(root, GIN_LEAF);
    MarkBufferDirty(root);
    END_CRIT_SECTION();
    UnlockReleaseBuffer(meta);
    UnlockReleaseBuffer(root);
    stats->nEntryPages++;
}

static const gin_options *options_of_index(Relation index)
{
    bytea **options = RelationGetIndexAttOptions(index, false);
    return options && options[0] ? (const gin_options *)options[0] : &gin_defaults;
}

static void *alloc_array(MemoryContext context, size_t n, size_t size)
{
    return MemoryContextAllocHuge(context, n * size);
}

static IndexBuildResult *build(Relation games, Relation index, IndexInfo *info)
{
    MemoryContext all = AllocSetContextCreate(CurrentMemoryContext, "tabiya index", ALLOCSET_DEFAULT_SIZES);
    building *b = MemoryContextAllocZero(all, sizeof *b);
    IndexBuildResult *result = palloc(sizeof *result);
    const size_t room = (size_t)maintenance_work_mem * 1024;
    b->per_key = AllocSetContextCreate(all, "tabiya key", ALLOCSET_DEFAULT_SIZES);
    b->options = options_of_index(index);
    b->max_places = Min(room / 16 / sizeof *b->places, UINT32_MAX);
    b->max = (room - room / 8) / (2 * sizeof *b->entries);
    b->entries = alloc_array(all, b->max, sizeof *b->entries);
    b->room = alloc_array(all, b->max, sizeof *b->room);
    b->places = alloc_array(all, b->max_places, sizeof *b->places);
    b->list = alloc_array(all, b->max_places, sizeof *b->list);
    initGinState(&b->state, index);
    create_pages(index, &b->stats);
    result->heap_tuples = table_index_build_scan(games, index, info, false, true, take_game, b, NULL);
    insert_all(b);
    result->index_tuples = b->n_keys;
    b->stats.nTotalPages = RelationGetNumberOfBlocks(index);
    ginUpdateStats(index, &b->stats, true);
    if (RelationNeedsWAL(index))
        log_newpage_range(index, MAIN_FORKNUM, 0, RelationGetNumberOfBlocks(index), true);
    MemoryContextDelete(all);
    return result;
}

/* ---- The statement ----------------------------------------------------------------------------------------- */

static IndexStmt *parse_statement(const char *sql)
{
    List *list = pg_parse_query(sql);
    IndexStmt *s = list_length(list) == 1 ? (IndexStmt *)linitial_node(RawStmt, list)->stmt : NULL;
    if (!s || !IsA(s, IndexStmt) || s->concurrent)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("buildIndex takes one statement CREATE INDEX, without CONCURRENTLY")));
    return s;
}

static bool is_placement_index(Relation index)
{
    return index->rd_rel->relkind == RELKIND_INDEX && index->rd_rel->relam == GIN_AM_OID &&
           RelationGetNumberOfAttributes(index) == 1 &&
           index_getprocinfo(index, 1, GIN_EXTRACTVALUE_PROC)->fn_addr == tabiya_gin_extract_value;
}

SQL_FUNCTION(tabiya_build_index)
{
    const char *sql = text_to_cstring(PG_GETARG_TEXT_PP(0));
    IndexStmt *statement = parse_statement(sql);
    PreventCommandIfReadOnly("buildIndex()");
    const Oid games = RangeVarGetRelidExtended(statement->relation, ShareLock, 0, RangeVarCallbackOwnsRelation, NULL);
    if (get_rel_relkind(games) == RELKIND_PARTITIONED_TABLE)
        ereport(ERROR,
                (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("buildIndex does not support partitioned tables"),
                 errhint("Build an index of each partition.")));
    const Oid created = define_index_unbuilt(games, transformIndexStmt(games, statement, sql));
    if (!OidIsValid(created)) /* IF NOT EXISTS */
        PG_RETURN_VOID();
    CommandCounterIncrement();
    Relation table = table_open(games, ShareLock), index = index_open(created, AccessExclusiveLock);
    if (!is_placement_index(index))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("buildIndex only builds indexes USING gin of one column of chessgame")));
    IndexAmRoutine *usual = index->rd_indam;
    IndexAmRoutine sorting = *usual;
    sorting.ambuild = build;
    index->rd_indam = &sorting;
    PG_TRY();
    {
        index_build(table, index, BuildIndexInfo(index), false, false);
    }
    PG_FINALLY();
    {
        index->rd_indam = usual;
    }
    PG_END_TRY();
    index_close(index, NoLock);
    table_close(table, NoLock);
    PG_RETURN_VOID();
}
