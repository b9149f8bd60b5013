/*
 * counts.c - fills the tables of createMoveStats: reads all games of a query once or twice and counts here, where SQL
 * would first produce a row for each position of each game.
 *
 *     tabiya_frequent_positions(query, n_games, min_games)
 *                                         the positions that at least min_games games reach in their first 40 half-moves
 *     tabiya_count_moves(query, positions)
 *                                         the moves played in these positions, by class, year, result
 *                                         and pool
 *     playedMoves(game, positions)        the same for one game: a row for each of the positions it reaches
 *     tabiya_wait_for_writers(table)      waits for transactions that have changed it, as CREATE INDEX CONCURRENTLY does
 *
 * The queries run with the caller's rights and see what the calling statement sees. Their columns are the game, and for
 * tabiya_count_moves class, year, the ratings of White and Black, the date and the pool, as integers. Memory is bounded:
 * tabiya_frequent_positions first counts by part of the key in a table of fixed size, which rules out nearly all
 * positions; tabiya_count_moves returns its counts whenever they exceed work_mem, so a move may have several rows, which
 * must be added up.
 */
#include "extension.h"

#include <access/htup_details.h>
#include <catalog/pg_type_d.h>
#include <executor/spi.h>
#include <funcapi.h>
#include <miscadmin.h>
#include <storage/lmgr.h>
#include <utils/array.h>
#include <utils/lsyscache.h>
#include <utils/memutils.h>
#include <utils/syscache.h>

enum { FREQUENT_PLIES = 40, FETCHED_AT_ONCE = 1000, NO_DATE = PG_INT32_MIN, NO_POOL = -1 };
enum { GAME, CLASS, YEAR, WHITE_ELO, BLACK_ELO, DATE, POOL, N_COLUMNS };

/* ---- Games of a query -------------------------------------------------------------------------------------- */

typedef void (*game_visit)(void *context, bytes_argument game, const Datum *columns, const bool *is_null);

static Oid chessgame_type(FunctionCallInfo fcinfo)
{
    return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("chessgame"),
                           ObjectIdGetDatum(get_func_namespace(fcinfo->flinfo->fn_oid)));
}

/* The statistics of version 1.1, until the extension is updated, have no pool. */
static void check_columns(TupleDesc type, Oid chessgame, int n_columns)
{
    bool is_good = type->natts == n_columns || (n_columns == N_COLUMNS && type->natts == POOL);
    for (int i = 0; i < type->natts && is_good; i++)
        is_good = TupleDescAttr(type, i)->atttypid == (i == GAME ? chessgame : INT4OID);
    if (!is_good)
        ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                        errmsg("the query must have %d columns: a chessgame, then integers", n_columns)));
}

/* Skips games that are NULL. */
static void visit_games(FunctionCallInfo fcinfo, int n_columns, game_visit visit, void *context)
{
    const Oid chessgame = chessgame_type(fcinfo);
    Datum columns[N_COLUMNS];
    bool is_null[N_COLUMNS] = {[POOL] = true};
    SPI_connect();
    SPIPlanPtr plan = SPI_prepare(text_to_cstring(PG_GETARG_TEXT_PP(0)), 0, NULL);
    if (!plan || !SPI_is_cursor_plan(plan))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("the first argument must be one query")));
    Portal portal = SPI_cursor_open(NULL, plan, NULL, NULL, true);
    check_columns(portal->tupDesc, chessgame, n_columns);
    MemoryContext values = AllocSetContextCreate(CurrentMemoryContext, "tabiya games", ALLOCSET_DEFAULT_SIZES);
    while (SPI_cursor_fetch(portal, true, FETCHED_AT_ONCE), SPI_processed > 0) {
        const MemoryContext old = MemoryContextSwitchTo(values);
        for (uint64 i = 0; i < SPI_processed; i++) {
            heap_deform_tuple(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, columns, is_null);
            if (!is_null[GAME])
                visit(context, bytes_of(columns[GAME]), columns, is_null);
        }
        MemoryContextSwitchTo(old);
        MemoryContextReset(values);
        SPI_freetuptable(SPI_tuptable);
        CHECK_FOR_INTERRUPTS();
    }
    SPI_cursor_close(portal);
    SPI_finish();
}

/* ---- Positions --------------------------------------------------------------------------------------------- */

typedef struct counted_position {
    uint64 key;
    uint64 last_game; /* the last game that reached it: each game counts once */
    int64 n_games;
    Datum board;
    char status;
} counted_position;

/* Keys are already random. */
#define SH_PREFIX positions
#define SH_ELEMENT_TYPE counted_position
#define SH_KEY_TYPE uint64
#define SH_KEY key
#define SH_HASH_KEY(table, key) (uint32)(key)
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include <lib/simplehash.h>

/* ---- Frequent positions ------------------------------------------------------------------------------------ */

typedef struct frequency {
    MemoryContext context;
    uint32 *parts; /* counts of positions by the first bits of their keys; a game may count twice */
    unsigned shift;
    uint32 min_games;
    positions_hash *positions; /* NULL in the first pass */
    uint64 n_games;
} frequency;

static void count_position(frequency *f, const tby_position *pos, uint64 key)
{
    bool is_there;
    counted_position *c = positions_insert(f->positions, key, &is_there);
    if (!is_there) {
        const MemoryContext old = MemoryContextSwitchTo(f->context);
        c->board = position_datum(pos);
        c->n_games = 0;
        MemoryContextSwitchTo(old);
    } else if (c->last_game == f->n_games)
        return;
    c->last_game = f->n_games;
    c->n_games++;
}

/* The first pass counts the parts of keys, the second one the positions whose parts are frequent. */
static void count_frequent(void *context, bytes_argument game, const Datum *columns, const bool *is_null)
{
    frequency *f = context;
    tby_packed cursor;
    (void)columns;
    (void)is_null;
    f->n_games++;
    if (!tby_packed_begin(&cursor, game.bytes, game.n))
        return;
    int ply = 0;
    do {
        const uint64 key = tby_position_key(&cursor.pos);
        uint32 *part = &f->parts[key >> f->shift];
        if (!f->positions)
            *part += *part < UINT32_MAX;
        else if (*part >= f->min_games)
            count_position(f, &cursor.pos, key);
    } while (ply++ < FREQUENT_PLIES && tby_packed_next(&cursor) != TBY_MOVE_NONE);
}

/* Enough parts that each counts an eighth of min_games, within work_mem: small enough for the processor's cache. */
static unsigned part_bits(int64 n_games, int32 min_games)
{
    const double n = (double)n_games * (FREQUENT_PLIES + 1) * 8 / min_games;
    unsigned bits = 16;
    while (bits < 30 && (double)((int64)1 << bits) < n && (size_t)8 << bits <= (size_t)work_mem * 1024)
        bits++;
    return bits;
}

SQL_FUNCTION(tabiya_frequent_positions)
{
    const int32 min_games = Max(PG_GETARG_INT32(2), 1);
    const unsigned bits = part_bits(PG_GETARG_INT64(1), min_games);
    frequency f = {.context = CurrentMemoryContext, .shift = 64 - bits, .min_games = (uint32)min_games};
    positions_iterator at;
    row_writer rows = rows_begin(fcinfo);
    f.parts = MemoryContextAllocExtended(f.context, sizeof *f.parts << bits, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
    visit_games(fcinfo, 1, count_frequent, &f);
    f.positions = positions_create(f.context, 1024, NULL);
    visit_games(fcinfo, 1, count_frequent, &f);
    positions_start_iterate(f.positions, &at);
    for (counted_position *c; (c = positions_iterate(f.positions, &at));) {
        if (c->n_games < f.min_games)
            continue;
        row_set(&rows, 0, key_datum(c->key));
        row_set(&rows, 1, c->board);
        row_set(&rows, 2, Int64GetDatum(c->n_games));
        rows_next(&rows);
    }
    return rows_end(&rows);
}

/* ---- Counted moves ----------------------------------------------------------------------------------------- */

typedef struct played_key {
    uint64 position;
    int32 class, year, pool; /* NO_POOL: games are not counted by pool */
    tby_move move;
    tby_result result;
} played_key;

typedef struct played_move {
    played_key key;
    char status;
    char uci[TBY_UCI_SIZE];
    int32 n_games, n_elo, last_date; /* NO_DATE if there is none */
    int64 elo_sum;
} played_move;

static inline uint32 hash_of(played_key k)
{
    return (uint32)(k.position ^ (k.move * 0x9e3779b1u) ^ ((uint32)k.class * 0x85ebca6bu) ^
                    ((uint32)k.year * 0xc2b2ae35u) ^ ((uint32)(k.result + 4 * k.pool) * 0x27d4eb2fu));
}

#define SH_PREFIX moves
#define SH_ELEMENT_TYPE played_move
#define SH_KEY_TYPE played_key
#define SH_KEY key
#define SH_HASH_KEY(table, key) hash_of(key)
#define SH_EQUAL(table, a, b)                                                                                          \
    ((a).position == (b).position && (a).move == (b).move && (a).class == (b).class && (a).year == (b).year &&         \
     (a).result == (b).result && (a).pool == (b).pool)
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include <lib/simplehash.h>

typedef struct counting {
    row_writer rows;
    positions_hash *positions;
    moves_hash *moves;
    uint64 n_games;
} counting;

static Datum games_with(const played_move *m, tby_result result)
{
    return Int32GetDatum(m->key.result == result ? m->n_games : 0);
}

static void put_moves(counting *c)
{
    const MemoryContext old = MemoryContextSwitchTo(c->rows.context);
    moves_iterator at;
    moves_start_iterate(c->moves, &at);
    for (const played_move *m; (m = moves_iterate(c->moves, &at));) {
        enum { LAST_DATE = 10, LAST_POOL = 12 };
        const Datum columns[] = {key_datum(m->key.position),
                                 text_datum(m->uci, strlen(m->uci)),
                                 Int32GetDatum(m->key.class),
                                 Int32GetDatum(m->key.year),
                                 games_with(m, TBY_WHITE_WINS),
                                 games_with(m, TBY_DRAW),
                                 games_with(m, TBY_BLACK_WINS),
                                 games_with(m, TBY_RESULT_NONE),
                                 Int32GetDatum(m->n_elo),
                                 Int64GetDatum(m->elo_sum),
                                 [LAST_DATE] = Int32GetDatum(m->last_date),
                                 Int32GetDatum(m->key.result),
                                 [LAST_POOL] = Int16GetDatum((int16)m->key.pool)};
        for (int i = 0; i < lengthof(columns); i++)
            row_set(&c->rows, i, columns[i]);
        c->rows.is_null[LAST_DATE] = m->last_date == NO_DATE;
        c->rows.is_null[LAST_POOL] = m->key.pool == NO_POOL;
        rows_next(&c->rows);
    }
    MemoryContextSwitchTo(old);
    moves_reset(c->moves);
}

static void add_move(counting *c, played_key key, const tby_position *before, const Datum *elo, int32 date)
{
    bool is_there;
    if (c->moves->members >= c->moves->grow_threshold &&
        c->moves->size * 2 * sizeof(played_move) > (size_t)work_mem * 1024)
        put_moves(c);
    played_move *m = moves_insert(c->moves, key, &is_there);
    if (!is_there) {
        const char status = m->status;
        *m = (played_move){.key = key, .status = status, .last_date = NO_DATE};
        if (key.move != TBY_MOVE_NONE)
            tby_uci_write(m->uci, sizeof m->uci, before, key.move, 0);
    }
    m->n_games++;
    m->n_elo += elo != NULL;
    m->elo_sum += elo ? DatumGetInt32(*elo) : 0;
    m->last_date = Max(m->last_date, date);
}

static void count_moves(void *context, bytes_argument game, const Datum *columns, const bool *is_null)
{
    counting *c = context;
    tby_packed cursor;
    played_key key = {.class = is_null[CLASS] ? 0 : DatumGetInt32(columns[CLASS]),
                      .year = is_null[YEAR] ? 0 : DatumGetInt32(columns[YEAR]),
                      .pool = is_null[POOL] ? NO_POOL : DatumGetInt32(columns[POOL]),
                      .result = tby_packed_result(game.bytes, game.n)};
    const int32 date = is_null[DATE] ? NO_DATE : DatumGetInt32(columns[DATE]);
    c->n_games++;
    if (!tby_packed_begin(&cursor, game.bytes, game.n))
        return;
    do {
        const tby_position before = cursor.pos;
        key.position = tby_position_key(&before);
        key.move = tby_packed_next(&cursor);
        counted_position *p = positions_lookup(c->positions, key.position);
        if (!p || p->last_game == c->n_games)
            continue;
        p->last_game = c->n_games;
        const int elo = tby_position_side(&before) == TBY_WHITE ? WHITE_ELO : BLACK_ELO;
        add_move(c, key, &before, is_null[elo] ? NULL : &columns[elo], date);
    } while (key.move != TBY_MOVE_NONE);
}

static positions_hash *positions_of_array(ArrayType *array)
{
    Datum *keys;
    int n;
    bool is_there, *is_null;
    deconstruct_array(array, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &keys, &is_null, &n);
    positions_hash *out = positions_create(CurrentMemoryContext, (uint32)n + 1, NULL);
    for (int i = 0; i < n; i++)
        if (!is_null[i])
            positions_insert(out, (uint64)DatumGetInt64(keys[i]), &is_there)->last_game = 0;
    return out;
}

SQL_FUNCTION(tabiya_count_moves)
{
    counting c = {.positions = positions_of_array(PG_GETARG_ARRAYTYPE_P(1)),
                  .moves = moves_create(CurrentMemoryContext, 1024, NULL)};
    c.rows = rows_begin(fcinfo);
    visit_games(fcinfo, N_COLUMNS, count_moves, &c);
    put_moves(&c);
    return rows_end(&c.rows);
}

/* ---- Moves of one game in chosen positions ----------------------------------------------------------------- */

typedef struct chosen {
    positions_hash *positions;
    uint64 n_games; /* so far */
} chosen;

/* The positions are those of all calls if the argument cannot change within the statement. */
static chosen *chosen_of(FunctionCallInfo fcinfo)
{
    FmgrInfo *function = fcinfo->flinfo;
    const bool is_kept = get_fn_expr_arg_stable(function, 1);
    if (is_kept && *rows_own(fcinfo))
        return *rows_own(fcinfo);
    const MemoryContext before = MemoryContextSwitchTo(is_kept ? function->fn_mcxt : CurrentMemoryContext);
    chosen *c = palloc0(sizeof *c);
    c->positions = positions_of_array(PG_GETARG_ARRAYTYPE_P(1));
    MemoryContextSwitchTo(before);
    if (is_kept)
        *rows_own(fcinfo) = c;
    return c;
}

SQL_FUNCTION(tabiya_played_among)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    chosen *c = chosen_of(fcinfo);
    const Datum result = Int16GetDatum((int16)tby_packed_result(game.bytes, game.n));
    tby_packed cursor;
    tby_move played = TBY_MOVE_NULL;
    row_writer rows = rows_begin(fcinfo);
    c->n_games++;
    for (bool is_game = tby_packed_begin(&cursor, game.bytes, game.n); is_game && played != TBY_MOVE_NONE;) {
        const tby_position before = cursor.pos;
        const uint64 key = tby_position_key(&before);
        counted_position *p = positions_lookup(c->positions, key);
        played = tby_packed_next(&cursor);
        if (!p || p->last_game == c->n_games)
            continue;
        p->last_game = c->n_games;
        row_set(&rows, 0, key_datum(key));
        row_set(&rows, 1, uci_datum(&before, played));
        row_set(&rows, 2, BoolGetDatum(tby_position_side(&before) == TBY_WHITE));
        row_set(&rows, 3, result);
        rows_next(&rows);
    }
    return rows_end(&rows);
}

/* ---- Writers ------------------------------------------------------------------------------------------------ */

SQL_FUNCTION(tabiya_wait_for_writers)
{
    LOCKTAG table;
    SET_LOCKTAG_RELATION(table, MyDatabaseId, PG_GETARG_OID(0));
    WaitForLockers(table, ShareLock, false);
    PG_RETURN_VOID();
}
