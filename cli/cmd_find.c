/*
 * cmd_find.c - tabiya find: the games of a database that conditions hold for.
 *
 * Games are printed as they are found, by rising number.
 */
#include "commands.h"
#include "listing.h"
#include "progress.h"
#include "query.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>

enum { OPT_COUNT = N_QUERY_OPTIONS, OPT_IDS, OPT_JSON, OPT_PGN, OPT_TSV };

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_COUNT] = {"count", 0, NULL, NULL, "print only how many games there are"},
    [OPT_IDS] = {"ids", 0, NULL, NULL, "print the numbers of the games, one a line"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "print an object of JSON a game"},
    [OPT_PGN] = {"pgn", 0, NULL, NULL, "print the whole games, with comments and variations"},
    [OPT_TSV] = {"tsv", 0, NULL, NULL, "print tab-separated values, with a header"},
    {0},
};

static const example examples[] = {
    {"tabiya find games.db --player 'Carlsen*' --opening '1. e4 c5' --elo 2600.. --date 2019..2021",
     "A player's Sicilians against strong opponents."},
    {"tabiya find games.db --count --fen 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
     "How many games come to this position, by whatever moves?"},
    {"tabiya find games.db --board 8/8/8/8/8/2k5/1q6/K7 --pgn", "Where was this mate given?"},
    {"tabiya find games.db --where 'white_elo - black_elo > 400' --result 0-1", "Surprises."},
    {0},
};

/* A search while it goes on. */
typedef struct finding {
    const args *args;
    tby_db *db;
    bool only_ids;
    listing *list;  /* NULL: whole games */
    tby_game *game; /* to read one into */
    buffer text;
    int64_t last_id;
    uint64_t n_found, n_failed;
} finding;

static void print_game(finding *f, tby_game_id id)
{
    f->text.n = 0;
    if (!tby_db_game(f->db, id, f->game) || !tby_pgn_write(f->game, 0, buffer_sink, &f->text)) {
        progress_hide();
        error_print("find: %s: %s", f->args->words[0], tby_db_error(f->db));
        f->n_failed++;
        return;
    }
    out_bytes(f->text.s, f->text.n);
}

static _Noreturn void listing_failed(const finding *f)
{
    error_exit("find: %s: %s", f->args->words[0], sqlite3_errmsg(tby_db_sqlite(f->db)));
}

static void print_row(finding *f, const tby_db_hit *hit)
{
    f->text.n = 0;
    if (!listing_write(f->list, &f->text, hit))
        listing_failed(f);
    out_bytes(f->text.s, f->text.n);
}

static void begin_listing(finding *f, listing_form form)
{
    f->list = listing_new(f->db, form);
    if (!f->list)
        listing_failed(f);
    listing_header(f->list, &f->text);
    out_bytes(f->text.s, f->text.n);
}

static bool print_hit(void *context, const tby_db_hit *hit)
{
    finding *f = context;
    f->n_found++;
    progress_make_room();
    if (f->only_ids)
        out_printf("%" PRId64 "\n", hit->id);
    else if (f->list)
        print_row(f, hit);
    else
        print_game(f, hit->id);
    database_progress((double)hit->id / (double)f->last_id, f->n_found);
    return true;
}

static void print_hits(finding *f, const query *q)
{
    const args *a = f->args;
    f->last_id = database_number(a, f->db, "SELECT coalesce(max(id), 1) FROM game");
    f->only_ids = args_has(a, OPT_IDS);
    if (args_has(a, OPT_PGN))
        f->game = tby_game_new(NULL);
    else if (!f->only_ids)
        begin_listing(f, args_has(a, OPT_TSV) ? LISTING_TSV : args_has(a, OPT_JSON) ? LISTING_JSON : LISTING_TEXT);
    if (args_has(a, OPT_PGN) && !f->game)
        error_exit("out of memory");
    if (!tby_db_find(f->db, &q->db, print_hit, f))
        database_failed(a, f->db);
    listing_free(f->list);
    tby_game_free(f->game);
    buffer_free(&f->text);
}

static void print_count(finding *f, const query *q)
{
    const int64_t n = tby_db_count(f->db, &q->db);
    if (n < 0)
        database_failed(f->args, f->db);
    f->n_found = (uint64_t)n;
    progress_hide();
    out_printf("%" PRIu64 "\n", f->n_found);
}

static void refuse_two_forms(const args *a)
{
    int form = -1;
    for (size_t i = 0; i < a->n_given; i++) {
        const int index = a->given[i].index;
        if (index < N_QUERY_OPTIONS)
            continue;
        if (form >= 0 && form != index)
            error_exit("find: --%s and --%s cannot both be printed", options[form].name, options[index].name);
        form = index;
    }
}

static int run(const args *a)
{
    query q;
    finding f = {.args = a};
    refuse_two_forms(a);
    f.db = database_open(a, TBY_DB_READ);
    if (!query_read(&q, a, f.db))
        exit(EXIT_FAILED);
    database_work(f.db, "searching");
    if (args_has(a, OPT_COUNT))
        print_count(&f, &q);
    else
        print_hits(&f, &q);
    database_done(f.db);
    query_free(&q);
    tby_db_close(f.db);
    return f.n_failed ? EXIT_FAILED : f.n_found ? EXIT_YES : EXIT_NO;
}

const command cmd_find = {
    .name = "find",
    .words = "DB",
    .summary = "find games in a database by position, opening, names and numbers",
    .description = "Finds the games of the database DB that come to a position, begin with some moves, were played by "
                   "these players, and so on, in any combination. Without conditions it lists all games. A line tells "
                   "the game's number, players, result, date, event, opening code and length and, if a position was "
                   "looked for, the half-move at which it first comes up.\n\n" QUERY_HELP,
    .exits = "0  games were found\n1  no game was found\n2  wrong use, or the database could not be read",
    .options = options,
    .examples = examples,
    .run = run,
};
