/*
 * gin.c - the GIN operator class over games: which placements they come through.
 *
 * A key is the upper bits of a placement's key. So few that keys are shared: a key of its own for every placement, of
 * which nearly all stand in one game alone, would make the index four times as large; and so many that a search meets few
 * games that only share the key. Those are sorted out by the recheck, which every answer needs anyway.
 *
 * Option max_ply: placements behind that half-move are not indexed. A search that goes further looks at all games.
 *
 * The keys are in every index that was ever built: they cannot change.
 */
#include "extension.h"

#include <access/gin.h>
#include <access/reloptions.h>

enum { KEY_BITS = 24 };

typedef struct gin_options {
    int32 size;
    int max_ply;
} gin_options;

PG_FUNCTION_INFO_V1(tabiya_gin_options);
Datum tabiya_gin_options(PG_FUNCTION_ARGS)
{
    local_relopts *options = (local_relopts *)PG_GETARG_POINTER(0);
    init_local_reloptions(options, sizeof(gin_options));
    add_local_int_reloption(options, "max_ply", "the last half-move whose placement is indexed", TBY_PLIES_MAX, 0,
                            TBY_PLIES_MAX, offsetof(gin_options, max_ply));
    PG_RETURN_VOID();
}

static int indexed_plies(FunctionCallInfo fcinfo)
{
    return PG_HAS_OPCLASS_OPTIONS() ? ((gin_options *)PG_GET_OPCLASS_OPTIONS())->max_ply : TBY_PLIES_MAX;
}

static Datum index_key(uint64_t placement_key) { return Int32GetDatum((int32)(placement_key >> (64 - KEY_BITS))); }

PG_FUNCTION_INFO_V1(tabiya_gin_extract_value);
Datum tabiya_gin_extract_value(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    int32 *n_keys = (int32 *)PG_GETARG_POINTER(1);
    const int max_ply = indexed_plies(fcinfo);
    Datum *keys = palloc((game.n + 1) * sizeof *keys); /* a half-move takes at least a byte */
    tby_packed cursor;
    int32 n = 0;
    if (tby_packed_begin(&cursor, game.bytes, game.n))
        do
            keys[n++] = index_key(cursor.pos.placement_key);
        while (n <= max_ply && tby_packed_next(&cursor) != TBY_MOVE_NONE);
    *n_keys = n;
    PG_RETURN_POINTER(keys);
}

PG_FUNCTION_INFO_V1(tabiya_gin_extract_query);
Datum tabiya_gin_extract_query(PG_FUNCTION_ARGS)
{
    const board_query query = board_query_of(PG_GETARG_BYTES(0));
    int32 *n_keys = (int32 *)PG_GETARG_POINTER(1), *mode = (int32 *)PG_GETARG_POINTER(6);
    tby_target target;
    *n_keys = 0;
    *mode = GIN_SEARCH_MODE_DEFAULT; /* without a key it finds nothing */
    if (!board_query_target(&target, &query))
        PG_RETURN_POINTER(NULL);
    if (query.max_ply > indexed_plies(fcinfo)) {
        *mode = GIN_SEARCH_MODE_ALL;
        PG_RETURN_POINTER(NULL);
    }
    Datum *keys = palloc(sizeof *keys);
    keys[0] = index_key(tby_placement_key(&query.setup.board));
    *n_keys = 1;
    PG_RETURN_POINTER(keys);
}

PG_FUNCTION_INFO_V1(tabiya_gin_consistent);
Datum tabiya_gin_consistent(PG_FUNCTION_ARGS)
{
    const bool *has_key = (const bool *)PG_GETARG_POINTER(0);
    *(bool *)PG_GETARG_POINTER(5) = true;
    PG_RETURN_BOOL(PG_GETARG_INT32(3) == 0 || has_key[0]);
}

PG_FUNCTION_INFO_V1(tabiya_gin_triconsistent);
Datum tabiya_gin_triconsistent(PG_FUNCTION_ARGS)
{
    const GinTernaryValue *has_key = (const GinTernaryValue *)PG_GETARG_POINTER(0);
    PG_RETURN_GIN_TERNARY_VALUE(PG_GETARG_INT32(3) > 0 && has_key[0] == GIN_FALSE ? GIN_FALSE : GIN_MAYBE);
}
