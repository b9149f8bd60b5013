/*
 * cmd_verify.c - tabiya verify: checks that everything in the database is consistent.
 */
#include "commands.h"
#include "database.h"
#include "progress.h"

#include <inttypes.h>
#include <string.h>

static const option options[] = {{0}};

static const example examples[] = {
    {"tabiya verify games.db", "Lists and counts all faults."},
    {0},
};

static void print_fault(void *context, tby_game_id id, const char *text)
{
    const args *a = *(const args *const *)context;
    buffer line = {0};
    progress_hide();
    if (strncmp(text, "warning: ", 9) != 0)
        exit_note(EXIT_NO);
    buffer_printf(&line, "%s: ", database_name(a));
    if (id)
        buffer_printf(&line, "game %" PRId64 ": ", id);
    buffer_printf(&line, "%s\n", text);
    text_make_harmless(line.s, line.n, '?', "\n"); /* SQLite's messages quote names from the file */
    out_buffer(&line);
}

static int verify_run(const args *a)
{
    database_refuse_words(a, 1);
    tby_db *db = database_open(a, TBY_DB_READ);
    database_work(db, "verifying");
    int64_t n_faults = 0, n_games = 0;
    if (tby_db_verify(&n_faults, db, print_fault, database_report, &a) != TBY_OK ||
        tby_db_n_games(&n_games, db) != TBY_OK)
        database_failed(a, db);
    database_done(db);
    out_printf("%" PRId64 " %s, %" PRId64 " %s\n", n_games, plural((uint64_t)n_games, "game", "games"), n_faults,
               plural((uint64_t)n_faults, "fault", "faults"));
    tby_db_close(db);
    return n_faults ? EXIT_NO : EXIT_YES;
}

const command cmd_verify = {
    .name = "verify",
    .group = GROUP_COLLECTION,
    .words = "DB",
    .summary = "check a database, its games and indexes",
    .description =
        "Reads the whole database DB: the structure of the file, every move of every game, the data derived from the "
        "games for searching, and every entry of the position index. Prints one line per fault; the last line counts "
        "games and faults. A null move in the main line of a game is reported as a warning. " SERVER_HELP
        " Use PostgreSQL's amcheck to check its files and indexes.",
    .exits = "0  no faults\n1  there are faults\n2  the database could not be read",
    .options = options,
    .examples = examples,
    .run = verify_run,
};
