/*
 * cmd_rows.c - tabiya rows: games, positions and moves as tables. See rows.h for its files.
 */
#include "commands.h"
#include "copies.h"
#include "near.h"
#include "os/file.h"
#include "rows.h"
#include "visits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_COLUMNS = N_QUERY_OPTIONS,
    OPT_COMPLETE,
    OPT_DISTINCT,
    OPT_EVERY,
    OPT_FROM,
    OPT_GAMES,
    OPT_MOVES,
    OPT_OUTPUT,
    OPT_POSITIONS,
    OPT_QUIET,
    OPT_SKIP_PLIES,
    OPT_TO
};

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_COLUMNS] = {"columns", 0, "NAMES", NULL, "write these columns, in this order, separated by commas"},
    [OPT_COMPLETE] = {"complete", 0, NULL, NULL, "leave out rows with an empty column"},
    [OPT_DISTINCT] = {"distinct", 0, NULL, NULL, "write each position only the first time it occurs in the input"},
    [OPT_EVERY] = {"every", 0, "N", NULL, "write only every N-th position or move of a game"},
    [OPT_FROM] = {"from", 0, "NOTATION", "@games", "notation of the games (default: detected)"},
    [OPT_GAMES] = {"games", 0, NULL, NULL, "write one row per game (default)"},
    [OPT_MOVES] = {"moves", 0, NULL, NULL, "write one row per move"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE, and a description of its contents to FILE.json"},
    [OPT_POSITIONS] = {"positions", 0, NULL, NULL, "write one row per position, including the start of each game"},
    [OPT_QUIET] = {"quiet", 0, NULL, NULL,
                   "write only positions without check in which the next move is not a capture"},
    [OPT_SKIP_PLIES] = {"skip-plies", 0, "N", NULL, "leave out the first N half-moves of each game"},
    [OPT_TO] = {"to", 0, "FORMAT", "@tables", "output format (default: from the extension of FILE, else csv)"},
    {0},
};

static const example examples[] = {
    {"tabiya rows games.pgn -o games.csv", "Writes the games of a file for a spreadsheet."},
    {"tabiya rows --positions --columns game,ply,fen,eval a.pgn.zst -o a.parquet",
     "Writes every position for DuckDB, pandas or Polars."},
    {"tabiya rows --to nnue --quiet --skip-plies 16 --distinct a.pgn -o train.txt",
     "Writes training data from positions that have an evaluation."},
    {"tabiya rows --moves games.db 'elo 2600.. KRPvKR' -o rook-endings.parquet",
     "Writes the moves of database games that reach an ending."},
    {0},
};

/* ---- What is wanted --------------------------------------------------------------------------------------------- */

static tby_rows_kind kind_of(const args *a, const tby_table_format *format)
{
    const int n = args_has(a, OPT_GAMES) + args_has(a, OPT_POSITIONS) + args_has(a, OPT_MOVES);
    if (n > 1)
        error_exit("rows: only one of --games, --positions and --moves can be given");
    if (args_has(a, OPT_MOVES))
        return TBY_ROWS_MOVES;
    const bool is_training = strcmp(format->name, "nnue") == 0 && !args_has(a, OPT_GAMES);
    return args_has(a, OPT_POSITIONS) || is_training ? TBY_ROWS_POSITIONS : TBY_ROWS_GAMES;
}

static void refuse_for_games(const args *a)
{
    static const int only[] = {OPT_DISTINCT, OPT_EVERY, OPT_QUIET, OPT_SKIP_PLIES};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (args_has(a, only[i]))
            error_exit("rows: --%s needs --positions or --moves", options[only[i]].name);
}

static const tby_table_format *format_of(const args *a)
{
    const char *name = args_value(a, OPT_TO), *file = args_value(a, OPT_OUTPUT);
    const tby_table_format *format = name ? tby_table_format_find(name, strlen(name)) : NULL;
    if (!format && file)
        format = tby_table_format_guess(file, strlen(file));
    return format ? format : tby_table_format_find("csv", 3);
}

/* The invalid name in the list of columns. */
static _Noreturn void refuse_columns(const char *columns, const tby_error *err)
{
    char why[TBY_ERROR_SIZE];
    tby_error_write(why, sizeof why, err);
    const char *name = columns + (err->offset < strlen(columns) ? err->offset : strlen(columns));
    error_exit("rows: column \"%.*s\": %s", (int)strcspn(name, ","), name, err->detail ? err->detail : why);
}

static tby_rows *rows_of(const args *a, const tby_table_format *format)
{
    const bool is_training = strcmp(format->name, "nnue") == 0;
    tby_rows_options o = {
        .kind = kind_of(a, format),
        .columns = args_value(a, OPT_COLUMNS),
        .flags = args_has(a, QUERY_CHESS960) ? TBY_PGN_CHESS960 : 0,
        .every = (uint32_t)option_number(a, OPT_EVERY, 0, 0, UINT32_MAX),
        .skip_plies = (uint32_t)option_number(a, OPT_SKIP_PLIES, 0, 0, UINT32_MAX),
        .quiet = args_has(a, OPT_QUIET),
        .complete = args_has(a, OPT_COMPLETE) || is_training,
        .adds_key = args_has(a, OPT_DISTINCT),
    };
    tby_error err = {.status = TBY_OK};
    size_t n_columns;
    if (o.kind == TBY_ROWS_GAMES)
        refuse_for_games(a);
    if (!o.columns)
        o.columns = is_training ? "fen,eval,score" : tby_rows_usual_columns(o.kind);
    tby_rows *rows = tby_rows_new(&o, NULL, &err);
    if (!rows)
        refuse_columns(o.columns, &err);
    const tby_column *columns = tby_rows_columns(rows, &n_columns);
    if (tby_table_format_check(format, columns, n_columns - o.adds_key, &err) != TBY_OK)
        error_exit("rows: --to %s: %s", format->name, err.detail);
    return rows;
}

static void begin_select(rows_job *j, const args *a)
{
    size_t n_columns;
    const tby_column *columns = tby_rows_columns(j->rows, &n_columns);
    const bool is_distinct = args_has(a, OPT_DISTINCT);
    j->n_columns = n_columns - is_distinct;
    const sample_choice chosen = sample_of_options(a);
    if (chosen.n || is_distinct)
        j->select = row_select_new(columns, n_columns, is_distinct, chosen.n, chosen.seed);
}

/* ---- The note beside the output --------------------------------------------------------------------------------- */

static uint64_t n_left_out(const rows_job *j) { return j->total.left_out + row_select_n_left_out(j->select); }

/* Inputs, options and counts of the table, as one line of JSON. */
static void note_write(buffer *to, const rows_job *j, const args *a, const sources *all)
{
    size_t n_columns;
    const tby_column *columns = tby_rows_columns(j->rows, &n_columns);
    buffer_printf(to, "{\"program\":\"tabiya %s\"", tby_version());
    json_add(to, "'format':%s,'columns':[", j->format->name);
    for (size_t i = 0; i < j->n_columns; i++)
        json_add(to, "%s", columns[i].name);
    json_add(to, "],'inputs':[");
    for (size_t i = 0; i < all->n; i++) /* without passwords */
        json_add(to, "%s", tby_db_is_server(all->names[i]) ? source_name(all->of[i]) : all->names[i]);
    json_add(to, "]");
    if (j->query)
        json_add(to, "'query':%s", j->query);
    json_add(to, "'options':{");
    for (const given *g = a->given; g < a->given + a->n_given; g++)
        if (g->value)
            json_add(to, "%s:%s", option_given(a->command, g), g->value);
        else
            json_add(to, "%s:true", option_given(a->command, g));
    json_add(to, "},'games':%llu,'bad':%llu", (unsigned long long)j->total.games, (unsigned long long)j->total.bad);
    if (j->picks)
        json_add(to, "'picked':%llu", (unsigned long long)j->n_picked);
    json_add(to, "'plies':%llu,'rows':%llu,'left_out':%llu}\n", (unsigned long long)j->total.plies,
             (unsigned long long)j->n_written, (unsigned long long)n_left_out(j));
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* Devices and pipes get no FILE.json. */
static void write_note(const char *path, const buffer *note)
{
    buffer name = {0};
    if (!path || !os_is_file(path))
        return;
    buffer_printf(&name, "%s.json", path);
    out_open(name.s);
    out_bytes(note->s, note->n);
    out_close();
    buffer_free(&name);
}

static void print_summary(const rows_job *j)
{
    const tby_rows_counts *t = &j->total;
    out_printf("%" PRIu64 " %s, %" PRIu64 " bad", t->games, plural(t->games, "game", "games"), t->bad);
    if (j->picks)
        out_printf(", %" PRIu64 " picked", j->n_picked);
    out_printf(", %" PRIu64 " %s: %" PRIu64 " %s, %" PRIu64 " left out\n", t->plies, plural(t->plies, "ply", "plies"),
               j->n_written, plural(j->n_written, "row", "rows"), n_left_out(j));
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* If all games of a file are wanted, they are read without building them. */
static bool read_all(rows_job *j, const sources *all, query *q)
{
    const unsigned n_threads = threads_read(all->args, QUERY_THREADS);
    bool is_read = true;
    if (j->picks)
        return rows_read_found(j, all, q, n_threads);
    for (size_t i = 0; i < all->n; i++) {
        const sources one = {.args = all->args, .of = all->of + i, .n = 1};
        is_read &= source_db(all->of[i]) ? rows_read_found(j, &one, q, n_threads)
                                         : rows_read(j, all->names[i], all->from, n_threads);
    }
    return is_read;
}

static void finish(rows_job *j, const char *path, const args *a, const sources *all)
{
    buffer note = {0};
    rows_finish(j);
    note_write(&note, j, a, all);
    memory_need(tby_table_writer_end(j->writer, note.s));
    out_close();
    write_note(path, &note);
    if (path)
        print_summary(j);
    buffer_free(&note);
}

static bool write_rows(rows_job *j, const args *a, sources *all, query *q)
{
    const char *path = args_value(a, OPT_OUTPUT);
    refuse_overwriting(path, a);
    if (!path && j->format->is_binary && out_is_terminal())
        error_exit("rows: refusing to write %s to a terminal; use -o FILE", j->format->name);
    out_open(path);
    rows_begin(j);
    const bool is_read = read_all(j, all, q);
    if (interrupts_came())
        error_exit("rows: interrupted");
    finish(j, path, a, all);
    rows_end(j);
    return is_read;
}

static int rows_run(const args *a)
{
    /* --sample applies to rows, the other options to games. */
    const args conditions = args_keeping(a, ~TAKES(QUERY_SAMPLE));
    sources all = sources_of_words(&conditions, 0);
    rows_job j = {.format = format_of(a)};
    query q;
    tby_rows *rows = rows_of(a, j.format);
    j.rows = rows;
    begin_select(&j, a);
    all.from = args_value(a, OPT_FROM);
    all.fault_code = EXIT_NO;
    sources_open(&all, visits_use(&conditions), visits_use(&conditions));
    all.text = words_query(all.text);
    query_of_options(&q, &conditions, all.text, (tby_text){0}, NULL, source_db(all.of[0]));
    j.query = all.text ? all.text : args_value(a, QUERY_QUERY);
    j.picks = q.has_condition || q.search.limit || q.search.offset || args_has(a, QUERY_SORT);
    int code = !write_rows(&j, a, &all, &q) ? EXIT_FAILED : j.total.bad || j.has_bad_file ? EXIT_NO : EXIT_YES;
    if (j.picks && !j.n_picked)
        none_found(&all, all.text);
    query_free(&q);
    tby_rows_free(rows);
    code = sources_close(&all, code);
    free(conditions.given);
    return code;
}

const command cmd_rows = {
    .name = "rows",
    .group = GROUP_PGN,
    .words = "SOURCE... [QUERY]",
    .summary = "write games, positions or moves as tables",
    .description =
        "Reads games and writes a table of their main lines with one row per game, position or move. Formats: "
        "@tables.\n\nColumns of every table: @game_columns, and every PGN tag by its name (White, Event, TimeControl "
        "...). Columns of positions and moves: @ply_columns. docs/rows.md describes them.\n\nA game with a fault is "
        "reported on standard error and left out. With -o, a final line counts games, rows, and rows left out, and "
        "FILE.json records these counts and the options; Parquet files also contain them.\n\n--limit, --offset and "
        "--sort are about games, but --sample N writes a random sample of N rows, in input order. In a database, the "
        "column game is the game's number there. Memory use does not depend on the size of the input, but --distinct "
        "takes up to 32 bytes per position, --sample keeps its rows until the end, and --sort the numbers of its "
        "games. The output is the same with any number of threads.\n\n" QUERY_HELP,
    .exits = "0  done\n1  some games have faults and were left out\n2  a file could not be read, or writing failed",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = rows_run,
};
