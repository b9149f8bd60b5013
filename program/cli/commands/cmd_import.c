/*
 * cmd_import.c - tabiya import: stores games in a database.
 *
 *     parts of the input --> workers: read and prepare games --> main thread: store, commit from time to time
 *
 * Every commit contains only whole games. After an interruption, running the same command again continues: games that
 * are already stored are recognised.
 */
#include "commands.h"
#include "console.h"
#include "copies.h"
#include "database.h"
#include "job.h"
#include "os/file.h"
#include "os/memory.h"
#include "progress.h"
#include "support/failure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_ANY_VARIANT,
    OPT_CHESS960,
    OPT_DUPLICATES,
    OPT_FROM,
    OPT_INDEX,
    OPT_INDEX_PLIES,
    OPT_JSON,
    OPT_MEMORY,
    OPT_REJECTS,
    OPT_THREADS
};

static const option options[] = {
    [OPT_ANY_VARIANT] = {OPTION_ANY_VARIANT},
    [OPT_CHESS960] = {OPTION_GAMES_CHESS960},
    [OPT_DUPLICATES] =
        {"duplicates", 0, "keep|skip", "keep|skip",
         "skip games that are already stored, with the same tags and comments, or keep them all (default: skip)"},
    [OPT_FROM] = {"from", 0, "NOTATION", "@games", "notation of the games (default: detected)"},
    [OPT_INDEX] =
        {"index", 0, "INDEX", "@indexes|all|none",
         "also maintain an index from now on, with its bytes per game: @indexes, all of them, or none (default: "
         "all for a new file, what it has for an existing one); results are the same without, but searches are "
         "slower"},
    [OPT_INDEX_PLIES] =
        {"index-plies", 0, "N|all|none", NULL,
         "index the first N half-moves of each game (default: all; none also skips openings and, unless "
         "--index is given, the other indexes); results are the same, only slower"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "print the report as JSON"},
    [OPT_MEMORY] = {"memory", 0, "SIZE", NULL,
                    "approximate memory limit, at least 128M (500M, 4G; default: a quarter of the machine's memory); "
                    "lower is slower"},
    [OPT_REJECTS] = {"rejects", 0, "FILE", NULL, "write the games that cannot be stored to FILE, unchanged"},
    [OPT_THREADS] = {OPTION_THREADS},
    {0},
};

static const example examples[] = {
    {"tabiya import games.db games.pgn.zst", "Creates a database or adds to it."},
    {"tabiya import postgresql://chess@example.org/games games.pgn", "Stores games on a PostgreSQL server."},
    {"tabiya import --index-plies none --rejects bad.pgn games.db *.pgn",
     "Imports fast into a small file; faulty games go to bad.pgn."},
    {"tabiya import --index none games.db games.pgn", "Makes a smaller file with the position index alone."},
    {0},
};

enum { COMMIT_GAMES = 50000, BATCH_BYTES = 8 << 20, PART_BYTES = 3 << 20, MEMORY_MIN = 128 << 20 };
/* Of the input for a server, which stores a few large batches faster than many small ones. */
enum { SERVER_PART_SIZE = 6 << 20 };

/* The result of one part. */
typedef struct result {
    tby_batch *batch;
    copied rejects;
    uint64_t n_read, n_rejected;
    bool is_cut; /* interrupted by Ctrl-C before its end */
} result;

typedef struct importer {
    const args *args;
    tby_db *db;
    tby_duplicates duplicates;
    copy_file *rejects;
    size_t most_parts; /* of the input under way at a time */
    uint64_t n_read, n_rejected, n_uncommitted;
    bool is_cut; /* later games are not stored, so that games keep the order of the input */
    tby_db_added added;
} importer;

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

static bool store(part_games *in, const importer *im, tby_batch *batch)
{
    const tby_status status = tby_batch_add(batch, in->game);
    const char *why = "a tag that is not UTF-8 or holds a NUL";
    char too_long[64];
    memory_need(status != TBY_NO_MEMORY);
    if (status == TBY_OK)
        return true;
    if (status == TBY_TOO_LONG) {
        const bool is_long = tby_game_main_line(in->game, NULL, 0) > TBY_PLIES_MAX;
        snprintf(too_long, sizeof too_long, is_long ? "more than %d half-moves" : "moves that take more than %d bytes",
                 is_long ? TBY_PLIES_MAX : (int)tby_db_max_moves_size(im->db));
        why = too_long;
    }
    part_games_refuse(in, status, why);
    return false;
}

static void import_part(void *context, part *p)
{
    const importer *im = context;
    result *res = p->result;
    part_games in;
    tby_game_read read;
    part_games_begin(&in, p, variant_flags(im->args, OPT_ANY_VARIANT, OPT_CHESS960), NULL,
                     im->rejects ? &res->rejects : NULL);
    while (!interrupts_came() && (read = part_games_next(&in)) != TBY_GAME_END) {
        const bool is_bad = read != TBY_GAME_GOOD || !store(&in, im, res->batch);
        part_games_done(&in, is_bad);
        res->n_read++;
        res->n_rejected += is_bad;
        if (tby_batch_size(res->batch) > BATCH_BYTES || res->rejects.text.n > PART_RESULT_SIZE)
            part_flush(p);
    }
    res->is_cut = interrupts_came();
    part_games_end(&in);
}

/* ---- Storing ---------------------------------------------------------------------------------------------------- */

static void *result_new(void *context)
{
    const importer *im = context;
    result *res = memory_new(1, sizeof *res);
    res->batch = memory_got(tby_batch_new());
    tby_batch_restrict(res->batch, tby_db_max_moves_size(im->db));
    return res;
}

static void result_free(void *memory)
{
    result *res = memory;
    tby_batch_free(res->batch);
    buffer_free(&res->rejects.text);
    free(res);
}

static void merge_result(void *context, part *p)
{
    importer *im = context;
    result *res = p->result;
    if (!im->is_cut) {
        part_print(p);
        copy_write(im->rejects, &res->rejects);
        if (tby_db_add(&im->added, im->db, res->batch, im->duplicates) != TBY_OK)
            database_failed(im->args, im->db);
        im->n_read += res->n_read;
        im->n_rejected += res->n_rejected;
        im->n_uncommitted += tby_batch_n_games(res->batch);
        im->is_cut = res->is_cut;
    }
    if (im->n_uncommitted >= COMMIT_GAMES) {
        if (tby_db_commit(im->db) != TBY_OK || tby_db_begin(im->db) != TBY_OK)
            database_failed(im->args, im->db);
        im->n_uncommitted = 0;
    }
    tby_batch_clear(res->batch);
    copied_clear(&res->rejects);
    res->n_read = res->n_rejected = 0;
}

static bool import_file(importer *im, const char *path, unsigned n_threads)
{
    job j = {
        .context = im,
        .keeps_text = im->rejects != NULL,
        .part_size = tby_db_is_server(im->args->words[0]) ? SERVER_PART_SIZE : 0,
        .most_parts = im->most_parts,
        .result_new = result_new,
        .result_free = result_free,
        .work = import_part,
        .merge = merge_result,
    };
    if (strcmp(path, im->args->words[0]) == 0 || input_is_same_file(path, im->args->words[0]))
        error_exit("import: %s cannot be both input and output", path);
    input *in = job_open(&j, path, args_value(im->args, OPT_FROM));
    if (!in)
        return false;
    copy_begin_input(im->rejects, j.from);
    return job_run(in, n_threads, &j);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* Ctrl-C is not a failure: what has been indexed stays, and the next import does the rest. */
static void index_games(importer *im, int plies)
{
    if (interrupts_came())
        return;
    database_work(im->db, "indexing");
    const tby_status status = tby_db_index(im->db, plies, database_report, NULL);
    database_done(im->db);
    if (status != TBY_OK && !interrupts_came())
        database_failed(im->args, im->db);
}

static int index_plies(const args *a)
{
    const char *value = args_value(a, OPT_INDEX_PLIES);
    if (!value || strcmp(value, "all") == 0)
        return TBY_INDEX_ALL;
    if (strcmp(value, "none") == 0)
        return TBY_INDEX_NONE;
    return (int)number_read("import: --index-plies", value, 0, TBY_PLIES_MAX);
}

/* A new file gets all indexes. Adding one to a large file takes long, so it is done only on request. */
static bool is_new(const importer *im)
{
    int64_t n_games;
    if (tby_db_is_server(im->args->words[0]) || index_plies(im->args) == TBY_INDEX_NONE)
        return false;
    if (tby_db_n_games(&n_games, im->db) != TBY_OK)
        database_failed(im->args, im->db);
    return n_games == 0;
}

static void want_indexes(const importer *im)
{
    const char *value = args_value(im->args, OPT_INDEX);
    const bool is_all = value ? strcmp(value, "all") == 0 : is_new(im);
    if ((is_all || (value && strcmp(value, "none") != 0)) && tby_db_want_index(im->db, is_all ? NULL : value) != TBY_OK)
        database_failed(im->args, im->db);
}

/* One sixteenth of it is for games that are not stored yet. */
static void limit_memory(importer *im)
{
    const char *value = args_value(im->args, OPT_MEMORY);
    uint64_t n_bytes = value ? size_read("import: --memory", value) : os_memory_size() / 4;
    if (value && n_bytes < MEMORY_MIN)
        error_exit("import: --memory must be at least 128M, not \"%s\"", value);
    n_bytes = n_bytes < MEMORY_MIN ? MEMORY_MIN : n_bytes;
    const uint64_t n_parts = n_bytes / 16 / PART_BYTES;
    im->most_parts = n_parts < 2 ? 2 : n_parts < SIZE_MAX ? (size_t)n_parts : SIZE_MAX;
    if (tby_db_limit_memory(im->db, n_bytes) != TBY_OK)
        database_failed(im->args, im->db);
}

static void print_report(const importer *im)
{
    const tby_db_added *added = &im->added;
    if (args_has(im->args, OPT_JSON))
        out_json("{'read':%llu,'stored':%llu,'duplicates':%llu,'rejected':%llu}\n", (unsigned long long)im->n_read,
                 (unsigned long long)added->stored, (unsigned long long)added->duplicates,
                 (unsigned long long)im->n_rejected);
    else
        out_printf("%" PRIu64 " %s read: %" PRIu64 " stored, %" PRIu64 " %s, %" PRIu64 " rejected\n", im->n_read,
                   plural(im->n_read, "game", "games"), added->stored, added->duplicates,
                   plural(added->duplicates, "duplicate", "duplicates"), im->n_rejected);
}

static bool can_open(const char *path, tby_failure *failure)
{
    tby_db *db;
    failure->status = TBY_OK;
    if (is_database(path)) {
        const bool is_open = tby_db_open(&db, path, TBY_DB_READ, failure) == TBY_OK;
        tby_db_close(db);
        return is_open;
    }
    if (strcmp(path, "-") == 0 || (os_may_read(path) && !os_is_folder(path)))
        return true;
    return failure_keep(failure, TBY_IO_ERROR, "%s", strerror(os_is_folder(path) ? EISDIR : errno));
}

/* Without any input that can be opened, no database is created. */
static void refuse_missing(const args *a)
{
    tby_failure failure;
    for (size_t i = 1; i < a->n_words; i++)
        if (can_open(a->words[i], &failure))
            return;
    for (size_t i = 1; i < a->n_words; i++)
        if (!can_open(a->words[i], &failure))
            error_print("%s: %s", database_shown(a->words[i]), failure.text);
    exit(EXIT_FAILED);
}

static int import_run(const args *a)
{
    const unsigned n_threads = threads_read(a, OPT_THREADS);
    const int plies = index_plies(a);
    const char *duplicates = args_value(a, OPT_DUPLICATES);
    bool all_read = true;
    if (a->n_words < 2)
        error_exit("import: a DB and at least one FILE are needed; - reads standard input; try --help");
    refuse_missing(a);
    importer im = {.args = a, .db = database_open(a, TBY_DB_CREATE)};
    if (duplicates && strcmp(duplicates, "keep") == 0)
        im.duplicates = TBY_DUPLICATES_KEEP;
    im.rejects = copy_open(args_value(a, OPT_REJECTS), a);
    limit_memory(&im);
    tby_db_limit_threads(im.db, n_threads);
    interrupts_catch();
    database_watch(im.db);
    want_indexes(&im);
    if (tby_db_begin(im.db) != TBY_OK)
        database_failed(a, im.db);
    for (size_t i = 1; i < a->n_words && !interrupts_came(); i++)
        all_read &= import_file(&im, a->words[i], n_threads);
    if (tby_db_commit(im.db) != TBY_OK)
        database_failed(a, im.db);
    copy_close(im.rejects);
    index_games(&im, plies);
    database_close(im.db, a->words[0]);
    print_report(&im);
    if (interrupts_came())
        error_print("import: interrupted; what was read is stored; run the same command again to continue");
    return !all_read || interrupts_came() ? EXIT_FAILED : im.n_rejected ? EXIT_NO : EXIT_YES;
}

const command cmd_import = {
    .name = "import",
    .group = GROUP_COLLECTION,
    .words = "DB FILE...",
    .summary = "store games in a database",
    .description = "Reads games in @games and stores them in the database DB, a single file that is created if it does "
                   "not exist. Comments, variations and all tags are kept. A game with a fault is reported with file, "
                   "line and reason and not stored; the others are. The numbers in the report add up: read = stored + "
                   "duplicates + rejected.\n\nFILE may be compressed with gzip or zstd; - is standard input. Memory "
                   "use does not depend on the size of the input or the database. Interrupting the import, even by "
                   "force, leaves a good database: repeat the command to store what is missing. " SERVER_HELP,
    .exits = "0  all games are stored, or already were\n1  some games were rejected\n2  a file could not be read, the "
             "database could not be written, or the import was interrupted",
    .options = options,
    .examples = examples,
    .run = import_run,
};
