/*
 * cmd_find.c - tabiya find: the games of a database that conditions hold for.
 *
 * Games are printed as they are found, by rising number, unless they are sorted or drawn: see find_order.h.
 */
#include "commands.h"
#include "find_order.h"
#include "listing.h"
#include "messages.h"
#include "progress.h"
#include "query_options.h"

#include <inttypes.h>
#include <limits.h>

enum {
    OPT_ALL_PLIES = N_QUERY_OPTIONS,
    OPT_COUNT,
    OPT_CSV,
    OPT_EXPLAIN,
    OPT_IDS,
    OPT_JSON,
    OPT_PGN,
    OPT_SAMPLE,
    OPT_SEED,
    OPT_SORT,
    OPT_SPREADSHEET,
    OPT_TSV
};

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_ALL_PLIES] =
        {"all-plies", 0, NULL, NULL,
         "with --tsv, --csv and --json: list all half-moves at which the query holds, not only the first"},
    [OPT_COUNT] = {"count", 0, NULL, NULL, "print only the number of games"},
    [OPT_CSV] = {"csv", 0, NULL, NULL, "print comma-separated values with a header"},
    [OPT_EXPLAIN] = OPTION_EXPLAIN,
    [OPT_IDS] = {"ids", 0, NULL, NULL, "print only the games' numbers, one per line"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "print one JSON object per game"},
    [OPT_PGN] = {"pgn", 0, NULL, NULL, "print complete games, with comments and variations"},
    [OPT_SAMPLE] = {"sample", 0, "N", NULL, "print a random sample of N games, reproducible with --seed"},
    [OPT_SEED] = {"seed", 0, "N", NULL, "choose the sample of --sample (default: 0)"},
    [OPT_SORT] =
        {"sort", 0, "LIST", NULL,
         "sort by these columns, separated by commas: date, white, black, event, site, round, eco, result, white_elo, "
         "plies ..., elo (the mean rating), id or tag names; a leading minus means descending: --sort=-elo,date"},
    [OPT_SPREADSHEET] = {"spreadsheet", 0, NULL, NULL,
                         "print CSV that is safe to open in a spreadsheet: formulas are quoted, as in '=2+2"},
    [OPT_TSV] = {"tsv", 0, NULL, NULL, "print tab-separated values with a header"},
    {0},
};

static const example examples[] = {
    {"tabiya find games.db 'player carlsen elo 2600.. greek-gift'",
     "Finds Carlsen's games with the bishop sacrifice on h7, among strong players."},
    {"tabiya find games.db --player 'Carlsen*' --opening '1. e4 c5' --elo 2600.. --date 2019..2021",
     "Finds a player's Sicilians in games between strong players."},
    {"tabiya find games.db --count --fen 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
     "Counts the games that reach this position by any move order."},
    {"tabiya find games.db --board 8/8/8/8/8/2k5/1q6/K7 --pgn", "Prints the games with this mate."},
    {"tabiya find games.db --where 'white_elo - black_elo > 400' --result 0-1", "Finds upsets."},
    {"tabiya find postgresql://chess@example.org/games --eco B9*", "Searches a PostgreSQL server."},
    {0},
};

/* A search in progress. */
typedef struct finding {
    const args *args;
    tby_db *db;
    tby_db_wanted what;
    listing_form form;
    listing_move shown;
    unsigned n_columns;      /* of the terminal; 0 = any */
    tby_game *game;          /* to read one into */
    tby_query_state *asking; /* for all plies; NULL if there is no query */
    buffer text;
    find_order *order; /* NULL: as they are found */
    int64_t last_id;
    uint64_t n_found, n_failed;
} finding;

static void fail(finding *f)
{
    progress_hide();
    error_print("find: %s: %s", database_name(f->args), tby_db_error(f->db));
    f->n_failed++;
}

static void print_game(finding *f, tby_game_id id)
{
    f->text.n = 0;
    if (tby_db_game(f->db, id, f->game) != TBY_OK || !tby_pgn_write(f->game, 0, buffer_sink, &f->text))
        fail(f);
    else
        out_bytes(f->text.s, f->text.n);
}

static void write_all_plies(finding *f, const tby_db_hit *hit, const tby_row *row)
{
    const tby_query_game game = tby_query_game_of_row(row, hit->id);
    static const uint32_t start = 0;
    const uint32_t *plies = &start;
    const int n = f->asking ? tby_query_plies(f->asking, &game, &plies) : 1;
    if (n == TBY_QUERY_NO_MEMORY)
        error_exit("out of memory");
    if (n < 0) {
        progress_hide();
        error_print("find: %s: game %" PRId64 " is damaged", database_name(f->args), hit->id);
        f->n_failed++;
        return;
    }
    listing_write_plies(&f->text, f->form, hit, row, plies, (size_t)n);
}

static void print_row(finding *f, const tby_db_hit *hit)
{
    tby_row row;
    f->text.n = 0;
    if (tby_db_row(f->db, hit->id, &row) != TBY_OK) {
        fail(f);
        return;
    }
    if (args_has(f->args, OPT_ALL_PLIES))
        write_all_plies(f, hit, &row);
    else if (f->form == LISTING_TEXT)
        listing_write_text(&f->text, hit, &row, f->shown, f->n_columns);
    else
        listing_write(&f->text, f->form, hit, &row);
    out_bytes(f->text.s, f->text.n);
}

static bool hold_hit(void *context, const tby_db_hit *hit)
{
    finding *f = context;
    if (!find_order_add(f->order, f->db, hit))
        fail(f);
    database_progress((double)hit->id / (double)f->last_id, 0);
    return !interrupts_came();
}

static bool print_hit(void *context, const tby_db_hit *hit)
{
    finding *f = context;
    f->n_found++;
    progress_make_room();
    if (f->what == TBY_WANTED_IDS)
        out_printf("%" PRId64 "\n", hit->id);
    else if (f->what == TBY_WANTED_ROWS)
        print_row(f, hit);
    else
        print_game(f, hit->id);
    database_progress((double)hit->id / (double)f->last_id, f->n_found);
    return !interrupts_came();
}

/* The limits are then those of the order, not of the search. */
static find_order *order_of(const finding *f, query *q)
{
    const args *a = f->args;
    const char *sample = args_value(a, OPT_SAMPLE), *seed = args_value(a, OPT_SEED);
    if (seed && !sample)
        error_exit("find: --seed needs --sample");
    if (!sample && !args_has(a, OPT_SORT))
        return NULL;
    find_order *order = find_order_new(args_value(a, OPT_SORT),
                                       sample ? number_read("find: --sample", sample, 1, 1000000000) : 0,
                                       seed ? number_read("find: --seed", seed, 0, ULONG_MAX) : 0);
    find_order_limit(order, (uint64_t)q->search.offset, (uint64_t)q->search.limit);
    q->search.offset = q->search.limit = 0;
    return order;
}

static void print_hits(finding *f, query *q)
{
    const args *a = f->args;
    if (tby_db_last_id(f->db, &f->last_id) != TBY_OK)
        database_failed(a, f->db);
    f->what = args_has(a, OPT_IDS) ? TBY_WANTED_IDS : args_has(a, OPT_PGN) ? TBY_WANTED_GAMES : TBY_WANTED_ROWS;
    f->n_columns = out_columns();
    f->form = args_has(a, OPT_TSV)           ? LISTING_TSV
              : args_has(a, OPT_CSV)         ? LISTING_CSV
              : args_has(a, OPT_SPREADSHEET) ? LISTING_SHEET
              : args_has(a, OPT_JSON)        ? LISTING_JSON
                                             : LISTING_TEXT;
    f->shown = q->search.query && tby_query_is_about_move(q->search.query) ? LISTING_MOVE_FROM : LISTING_MOVE_TO;
    f->game = tby_game_new(NULL);
    if (args_has(a, OPT_ALL_PLIES) && q->search.query)
        f->asking = tby_query_state_new(q->search.query, NULL);
    if (!f->game || (args_has(a, OPT_ALL_PLIES) && q->search.query && !f->asking))
        error_exit("out of memory");
    listing_header(&f->text, f->form);
    out_bytes(f->text.s, f->text.n);
    q->search.wanted = f->asking ? TBY_WANTED_GAMES : f->what; /* all plies are asked of the row */
    f->order = order_of(f, q);
    if (f->order)
        q->search.wanted = find_order_wanted(f->order, q->search.wanted);
    if (tby_db_find(f->db, &q->search, f->order ? hold_hit : print_hit, f) != TBY_OK && !interrupts_came())
        database_failed(a, f->db);
    if (f->order)
        find_order_each(f->order, print_hit, f);
    find_order_free(f->order);
    tby_query_state_free(f->asking);
    tby_game_free(f->game);
    buffer_free(&f->text);
}

static void print_count(finding *f, const query *q)
{
    int64_t n = 0;
    if (tby_db_count(f->db, &q->search, &n) != TBY_OK)
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
        if (index < N_QUERY_OPTIONS || index == OPT_ALL_PLIES || index == OPT_SORT || index == OPT_SAMPLE ||
            index == OPT_SEED)
            continue;
        if (form >= 0 && form != index)
            error_exit("find: --%s and --%s cannot both be printed", options[form].name, options[index].name);
        form = index;
    }
    if (args_has(a, OPT_ALL_PLIES) && form != OPT_TSV && form != OPT_CSV && form != OPT_SPREADSHEET && form != OPT_JSON)
        error_exit("find: --all-plies needs --tsv, --csv or --json");
}

static int run(const args *a)
{
    query q;
    finding f = {.args = a};
    refuse_two_forms(a);
    f.db = database_open(a, TBY_DB_READ);
    query_of_options(&q, a, 1, NULL, f.db);
    if (args_has(a, OPT_EXPLAIN))
        return query_explain(&q, a, f.db, NULL);
    q.search.progress = database_report;
    interrupts_catch();
    database_work(f.db, "searching");
    if (args_has(a, OPT_COUNT))
        print_count(&f, &q);
    else
        print_hits(&f, &q);
    database_done(f.db);
    query_free(&q);
    tby_db_close(f.db);
    if (interrupts_came())
        error_print("find: interrupted; what was found is printed");
    else if (!f.n_found)
        hint_at_names(a);
    return f.n_failed || interrupts_came() ? EXIT_FAILED : f.n_found ? EXIT_YES : EXIT_NO;
}

const command cmd_find = {
    .name = "find",
    .group = GROUP_LOOK,
    .words = "DB [QUERY]",
    .summary = "find games by position, moves, players and more",
    .description = "Finds games in the database DB that reach a position, begin with certain moves, were played by "
                   "certain players, and so on, in any combination. Without conditions it lists all games. Each line "
                   "shows the game's number, players, result, date, event, opening and length. After a search for a "
                   "position it also shows the half-move at which the position first occurs and the move that led to "
                   "it; after a search for a move, that move. On a narrow terminal it shows what fits.\n\n" QUERY_HELP
                   " " SERVER_HELP,
    .exits = "0  games were found\n1  no game was found\n2  wrong usage, or the database could not be read",
    .options = options,
    .examples = examples,
    .run = run,
};
