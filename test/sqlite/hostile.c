/*
 * hostile.c - whatever a statement contains, the extension returns a value or an error: random values for every
 * function and table, and every allocation failing in turn.
 *
 *     hostile EXTENSION
 *
 * The functions and tables are those that loading the extension adds.
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 256 };

typedef struct names {
    char name[NAMES_MAX][64];
    int n_args[NAMES_MAX];
    int n;
} names;

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "hostile: %s\n", what);
    exit(1);
}

/* ---- Memory that runs out --------------------------------------------------------------------------------- */

static sqlite3_mem_methods real_memory;
static long until_failure = -1; /* allocations that still succeed; -1 = all of them */

static bool fails(void) { return until_failure >= 0 && until_failure-- == 0; }

static void *failing_malloc(int n) { return fails() ? NULL : real_memory.xMalloc(n); }

static void *failing_realloc(void *memory, int n) { return fails() ? NULL : real_memory.xRealloc(memory, n); }

static void install_memory(void)
{
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory);
    sqlite3_mem_methods methods = real_memory;
    methods.xMalloc = failing_malloc;
    methods.xRealloc = failing_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

static int run(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int status = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (status == SQLITE_OK)
        while ((status = sqlite3_step(statement)) == SQLITE_ROW)
            ;
    sqlite3_finalize(statement);
    return status;
}

static void starve(sqlite3 *db)
{
    static const char *const statements[] = {
        "SELECT toSan('1. e4 e5 2. Nf3 1-0')",
        "SELECT chessgameError('1. e4 e9'), toSan(legalPrefix('1. e4 e9'))",
        "SELECT hasBoard(chessgame('1. e4'), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1')",
        "SELECT toFen(getBoard('1. e4', 1)), getTermination('1. e4'), isDeadPosition('1. e4')",
        "SELECT toSan(addMove('1. e4', 'e5')), toSan(undoLastMove('1. e4')), getLegalMoves('1. e4')",
        "SELECT toJson('1. e4'), toPgn('1. e4'), fromCmbr(toCmbr('1. e4')), toSvg('1. e4'), toUci('1. e4')",
        "SELECT toSan(fromUci('e2e4')), toSan(fromJson('{\"tags\":[],\"result\":\"*\",\"moves\":[]}'))",
        "SELECT ply, san, uci, board FROM moves('1. e4 e5')",
        "SELECT ply, board, fen, position_key, placement_key FROM positions('1. e4 e5')",
        "SELECT san, uci, board FROM legal_moves('1. e4 e5')",
        "SELECT game FROM postings(x'000040e0', 1, '1. e4')",
        "SELECT number, tags, game, result, error, pgn FROM read_pgn('[White \"A\"]\n\n1. e4 {x} (1. d4) e5 1-0')",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        int status = SQLITE_NOMEM;
        for (long n = 0; status != SQLITE_DONE && n < 10000; n++) {
            until_failure = n;
            status = run(db, statements[i]);
            until_failure = -1;
        }
        require(status == SQLITE_DONE, statements[i]);
    }
}

/* ---- Random values ---------------------------------------------------------------------------------------- */

static uint64_t seed = 0x7461626979610001ULL;

static unsigned random_below(unsigned limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 33) % limit;
}

/* Valid values; most of them then lose or change some bytes. */
static const char *const SEEDS[] = {
    "chessgame('1. e4 e5 1-0')",
    "chessgame('')",
    "chessgame('[FEN \"4k3/8/8/8/8/8/8/1RK5 w B - 0 1\"] 1. O-O-O Kf8 *')",
    "chessboard('rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3')",
    "chessgame('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0')",
    "'1. e4 e5 2. Nf3 Nc6 1/2-1/2'",
    "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
    "'8/8/8/8/8/8/8/8 w - - 0 1'",
    "'e2e4 e7e5'",
    "toCmbr('1. e4 e5')",
    "toJson('1. e4 e5')",
    "'e4'",
    "'N'",
    "''",
    "x''",
    "NULL",
    "3",
    "-9223372036854775808",
    "1e300",
};

enum { N_SEEDS = sizeof SEEDS / sizeof *SEEDS };

static void bind_random(sqlite3_stmt *statement, int index, sqlite3_stmt *const *seeds)
{
    sqlite3_stmt *from = seeds[random_below(N_SEEDS)];
    sqlite3_reset(from);
    require(sqlite3_step(from) == SQLITE_ROW, "a seed has no value");
    const int n = sqlite3_column_bytes(from, 0), type = sqlite3_column_type(from, 0);
    if ((type != SQLITE_BLOB && type != SQLITE_TEXT) || n == 0 || random_below(4) == 0) {
        sqlite3_bind_value(statement, index, sqlite3_column_value(from, 0));
        return;
    }
    uint8_t bytes[512];
    int kept = n < 500 ? n : 500;
    memcpy(bytes, sqlite3_column_blob(from, 0), (size_t)kept);
    for (unsigned i = random_below(4); i > 0; i--)
        bytes[random_below((unsigned)kept)] = (uint8_t)random_below(256);
    if (random_below(4) == 0)
        kept = (int)random_below((unsigned)kept + 1);
    if (type == SQLITE_BLOB)
        sqlite3_bind_blob(statement, index, bytes, kept, SQLITE_TRANSIENT);
    else
        sqlite3_bind_text(statement, index, (const char *)bytes, kept, SQLITE_TRANSIENT);
}

static void list(sqlite3 *db, names *out, const char *sql)
{
    sqlite3_stmt *statement;
    require(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, sqlite3_errmsg(db));
    for (out->n = 0; sqlite3_step(statement) == SQLITE_ROW; out->n++) {
        require(out->n < NAMES_MAX, "more names than expected");
        snprintf(out->name[out->n], sizeof out->name[0], "%s", (const char *)sqlite3_column_text(statement, 0));
        out->n_args[out->n] = sqlite3_column_int(statement, 1);
    }
    sqlite3_finalize(statement);
}

static void attack(sqlite3 *db, const char *sql, int n_args, sqlite3_stmt *const *seeds, int times)
{
    sqlite3_stmt *statement;
    require(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, sqlite3_errmsg(db));
    for (int i = 0; i < times; i++) {
        sqlite3_reset(statement);
        for (int k = 1; k <= n_args; k++)
            bind_random(statement, k, seeds);
        while (sqlite3_step(statement) == SQLITE_ROW)
            for (int k = 0; k < sqlite3_column_count(statement); k++)
                sqlite3_column_text(statement, k);
    }
    sqlite3_finalize(statement);
}

static void attack_all(sqlite3 *db, const names *functions, const names *tables)
{
    sqlite3_stmt *seeds[N_SEEDS];
    char sql[256];
    for (int i = 0; i < N_SEEDS; i++) {
        snprintf(sql, sizeof sql, "SELECT %s", SEEDS[i]);
        require(sqlite3_prepare_v2(db, sql, -1, &seeds[i], NULL) == SQLITE_OK, SEEDS[i]);
    }
    static const char list_of_values[] = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";
    enum { ARGUMENTS_MAX = 16 };
    for (int i = 0; i < functions->n; i++) {
        const int n = functions->n_args[i];
        require(n <= ARGUMENTS_MAX, "more arguments than expected");
        snprintf(sql, sizeof sql, "SELECT %s(%.*s)", functions->name[i], n > 0 ? 3 * n - 2 : 0, list_of_values);
        attack(db, sql, n, seeds, 400);
    }
    for (int i = 0; i < tables->n; i++) {
        const int n = tables->n_args[i];
        require(n <= ARGUMENTS_MAX, "more arguments than expected");
        snprintf(sql, sizeof sql, "SELECT * FROM %s(%.*s)", tables->name[i], n > 0 ? 3 * n - 2 : 0, list_of_values);
        attack(db, sql, n, seeds, 400);
    }
    for (int i = 0; i < N_SEEDS; i++)
        sqlite3_finalize(seeds[i]);
}

int main(int argc, char **argv)
{
    static names functions, tables;
    sqlite3 *db;
    char *message = NULL;
    require(argc == 2, "give the extension");
    install_memory();
    require(sqlite3_open(":memory:", &db) == SQLITE_OK, "no database");
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
    run(db, "CREATE TEMP TABLE old_functions AS SELECT DISTINCT name FROM pragma_function_list");
    run(db, "CREATE TEMP TABLE old_modules AS SELECT name FROM pragma_module_list");
    require(sqlite3_load_extension(db, argv[1], NULL, &message) == SQLITE_OK, message);
    list(db, &functions,
         "SELECT name, narg FROM pragma_function_list WHERE name NOT IN (SELECT name FROM old_functions)");
    list(db, &tables,
         "SELECT name, (SELECT count(*) FROM pragma_table_xinfo(m.name) WHERE hidden = 1) FROM pragma_module_list AS m "
         "WHERE name NOT IN (SELECT name FROM old_modules) AND name NOT LIKE 'pragma%'");
    require(functions.n > 80 && tables.n == 5, "functions or tables are missing");
    starve(db);
    attack_all(db, &functions, &tables);
    require(sqlite3_close(db) == SQLITE_OK, "something is left open");
    printf("%d functions, %d tables\n", functions.n, tables.n);
    return 0;
}
