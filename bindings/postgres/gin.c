/*
 * gin.c - the GIN operator class for games: the placements they reach.
 *
 * A key is the upper bits of a placement's key: so few that placements share keys. If every placement had its own key,
 * the index would be several times as large and as slow to build, because nearly all placements occur in only one game.
 * A search therefore also finds some games that merely share the key; the recheck, which is needed anyway, drops them.
 *
 *     max_ply     placements after that half-move are not indexed; a search beyond it scans all games
 *     key_bits    with N games of 80 half-moves, a search finds about 80 N / 2^key_bits games too many: 20 is right for
 *                 a million games
 *
 * The keys are stored in existing indexes, so they cannot change.
 */
#include "gin.h"

#include <access/gin.h>
#include <access/reloptions.h>

const gin_options gin_defaults = {.max_ply = TBY_PLIES_MAX, .key_bits = 20};

SQL_FUNCTION(tabiya_gin_options)
{
    local_relopts *options = (local_relopts *)PG_GETARG_POINTER(0);
    init_local_reloptions(options, sizeof(gin_options));
    add_local_int_reloption(options, "max_ply", "the last half-move whose placement is indexed", gin_defaults.max_ply,
                            0, TBY_PLIES_MAX, offsetof(gin_options, max_ply));
    add_local_int_reloption(options, "key_bits", "how many bits of a placement's key are indexed",
                            gin_defaults.key_bits, 12, 31, offsetof(gin_options, key_bits));
    PG_RETURN_VOID();
}

static const gin_options *options_of(FunctionCallInfo fcinfo)
{
    return PG_HAS_OPCLASS_OPTIONS() ? (const gin_options *)PG_GET_OPCLASS_OPTIONS() : &gin_defaults;
}

static Datum index_key(uint64_t placement_key, const gin_options *options)
{
    return Int32GetDatum((int32)(placement_key >> (64 - options->key_bits)));
}

size_t game_keys(Datum *out, bytes_argument game, const gin_options *options)
{
    tby_packed cursor;
    size_t n = 0;
    if (tby_packed_begin(&cursor, game.bytes, game.n))
        do
            out[n++] = index_key(cursor.pos.placement_key, options);
        while (n <= (size_t)options->max_ply && tby_packed_next(&cursor) != TBY_MOVE_NONE);
    return n;
}

SQL_FUNCTION(tabiya_gin_extract_value)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    Datum *keys = palloc(game_keys_max(game) * sizeof *keys);
    *(int32 *)PG_GETARG_POINTER(1) = (int32)game_keys(keys, game, options_of(fcinfo));
    PG_RETURN_POINTER(keys);
}

/* The placement of the board and, for QUERY_MOVES, those after its legal moves. */
static int32 placement_keys(Datum *out, const board_query *query, const gin_options *options)
{
    tby_next_move moves[TBY_NEXT_MOVES_MAX];
    tby_position pos;
    int32 n = 0;
    out[n++] = index_key(tby_placement_key(&query->setup.board), options);
    if (query->kind != QUERY_MOVES || tby_position_init(&pos, &query->setup, TBY_FAULTS_UNREACHABLE, NULL) != TBY_OK)
        return n;
    const size_t n_moves = tby_next_moves_list(moves, &pos) - 1; /* without the null move */
    for (size_t i = 0; i < n_moves; i++)
        out[n++] = index_key(moves[i].placement, options);
    return n;
}

SQL_FUNCTION(tabiya_gin_extract_query)
{
    const board_query query = board_query_of(PG_GETARG_BYTES(0));
    int32 *n_keys = (int32 *)PG_GETARG_POINTER(1), *mode = (int32 *)PG_GETARG_POINTER(6);
    const gin_options *options = options_of(fcinfo);
    tby_target target;
    *n_keys = 0;
    *mode = GIN_SEARCH_MODE_DEFAULT; /* without a key it finds no games */
    if (!board_query_target(&target, &query))
        PG_RETURN_POINTER(NULL);
    if (query.max_ply > options->max_ply) {
        *mode = GIN_SEARCH_MODE_ALL;
        PG_RETURN_POINTER(NULL);
    }
    Datum *keys = palloc((query.kind == QUERY_MOVES ? TBY_NEXT_MOVES_MAX : 1) * sizeof *keys);
    *n_keys = placement_keys(keys, &query, options);
    PG_RETURN_POINTER(keys);
}

/* One matching key is enough; without keys all games are checked. */
SQL_FUNCTION(tabiya_gin_consistent)
{
    const bool *has_key = (const bool *)PG_GETARG_POINTER(0);
    const int32 n_keys = PG_GETARG_INT32(3);
    bool answer = n_keys == 0;
    for (int32 i = 0; i < n_keys; i++)
        answer |= has_key[i];
    *(bool *)PG_GETARG_POINTER(5) = true;
    PG_RETURN_BOOL(answer);
}

SQL_FUNCTION(tabiya_gin_triconsistent)
{
    const GinTernaryValue *has_key = (const GinTernaryValue *)PG_GETARG_POINTER(0);
    const int32 n_keys = PG_GETARG_INT32(3);
    bool may_be = n_keys == 0;
    for (int32 i = 0; i < n_keys; i++)
        may_be |= has_key[i] != GIN_FALSE;
    PG_RETURN_GIN_TERNARY_VALUE(may_be ? GIN_MAYBE : GIN_FALSE);
}
