/*
 * cmd_export.c - tabiya export: games of a database as a file of games.
 *
 * One game is in memory at a time.
 */
#include "commands.h"
#include "keep.h"
#include "messages.h"
#include "progress.h"
#include "query_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_EXPLAIN = N_QUERY_OPTIONS, OPT_OUTPUT, OPT_TO };

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_EXPLAIN] = OPTION_EXPLAIN,
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output"},
    [OPT_TO] = {"to", 0, "NOTATION", CHOICES_GAMES, "notation of the output (default: pgn)"},
    {0},
};

static const example examples[] = {
    {"tabiya export games.db -o games.pgn", "Writes all games as they were imported."},
    {"tabiya export games.db --to cmbr --player 'Carlsen*' -o carlsen.cmbr",
     "Writes a player's games to a compact file."},
    {0},
};

typedef struct exporting {
    const args *args;
    tby_db *db;
    const tby_game_notation *to;
    tby_game *game;
    buffer text; /* of one game */
    int64_t last_id;
    uint64_t n_written, n_failed;
} exporting;

/* "game 6 is damaged: ..."; the others are written all the same. */
static void fail(exporting *e, const char *why)
{
    progress_hide();
    error_print("export: %s: %s", database_name(e->args), why);
    e->n_failed++;
    exit_note(EXIT_FAILED);
}

static void warn_of_null_move(const exporting *e, tby_game_id id)
{
    const size_t ply = tby_game_null_ply(e->game);
    if (!ply)
        return;
    progress_hide();
    error_print("export: %s: game %" PRId64 ": warning: %s (ply %zu)", database_name(e->args), id,
                tby_pgn_warning_text(TBY_PGN_WARN_NULL_MOVE), ply);
}

static bool write_game(void *context, const tby_db_hit *hit)
{
    exporting *e = context;
    char why[TBY_ERROR_SIZE], text[TBY_ERROR_SIZE];
    tby_error err = {.status = TBY_OK};
    e->text.n = 0;
    const tby_status status = tby_db_game(e->db, hit->id, e->game);
    if (status == TBY_INVALID_DATABASE) {
        fail(e, tby_db_error(e->db));
        input_incomplete();
    } else if (status != TBY_OK) {
        database_failed(e->args, e->db); /* memory, or the disk: then there is no file */
    } else if (e->to->write(e->game, buffer_sink, &e->text, &err) != TBY_OK) {
        if (err.status != TBY_CANNOT_HOLD && err.status != TBY_TOO_LONG)
            error_exit("out of memory");
        tby_error_write(text, sizeof text, &err);
        snprintf(why, sizeof why, "game %" PRId64 ": %.200s", hit->id, text);
        fail(e, why);
    } else {
        progress_make_room();
        out_bytes(e->text.s, e->text.n);
        e->n_written++;
        warn_of_null_move(e, hit->id);
    }
    database_progress((double)hit->id / (double)e->last_id, e->n_written);
    return true;
}

static void begin_output(const exporting *e)
{
    const char *path = args_value(e->args, OPT_OUTPUT);
    refuse_overwriting(path, e->args);
    if (e->to->is_binary && !path && isatty(STDOUT_FILENO))
        error_exit("export: %s is not for terminals; use -o FILE", e->to->name);
    out_open(path);
    if (e->to->write_header)
        e->to->write_header(out_sink, NULL);
}

static int run(const args *a)
{
    const char *to = args_has(a, OPT_TO) ? args_value(a, OPT_TO) : "pgn";
    query q;
    exporting e = {.args = a, .to = tby_game_notation_find(to, strlen(to))};
    e.db = database_open(a, TBY_DB_READ);
    query_of_options(&q, a, 1, NULL, e.db);
    if (args_has(a, OPT_EXPLAIN))
        return query_explain(&q, a, e.db, NULL);
    e.game = tby_game_new(NULL);
    if (!e.game)
        error_exit("out of memory");
    q.search.wanted = TBY_WANTED_GAMES;
    begin_output(&e);
    database_work(e.db, "exporting");
    if (tby_db_last_id(e.db, &e.last_id) != TBY_OK || tby_db_find(e.db, &q.search, write_game, &e) != TBY_OK)
        database_failed(a, e.db);
    database_done(e.db);
    out_close();
    if (!e.n_written && !e.n_failed)
        hint_at_names(a);
    query_free(&q);
    buffer_free(&e.text);
    tby_game_free(e.game);
    tby_db_close(e.db);
    return e.n_failed ? EXIT_FAILED : e.n_written ? EXIT_YES : EXIT_NO;
}

const command cmd_export = {
    .name = "export",
    .group = GROUP_COLLECTION,
    .words = "DB [QUERY]",
    .summary = "write games as PGN, JSON or CMBR",
    .description = "Writes all games in the database DB, or those that match the conditions, in order of their "
                   "numbers: complete games with all tags, comments and variations, exactly as imported. Memory use "
                   "does not depend on the number of games.\n\n" QUERY_HELP " " SERVER_HELP,
    .exits = "0  games were written\n1  no game was found\n2  a game could not be read, or writing failed",
    .options = options,
    .examples = examples,
    .run = run,
};
