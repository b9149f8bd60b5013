/*
 * cmd_find.c - tabiya find and tabiya export: the games that match conditions, as a list or as whole games.
 *
 * Both have the same options and output formats; the default is lines for find and PGN for export. Games are written as
 * they are found, one source after the other and in ascending order of their numbers, unless they are sorted or
 * sampled: see visits.h. Only one game is in memory at a time.
 */
#include "commands.h"
#include "copies.h"
#include "listing.h"
#include "near.h"
#include "pgn_form.h"
#include "progress.h"
#include "visits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_ALL_PLIES = N_OUTPUT_OPTIONS, OPT_COUNT, OPT_DIAGRAMS, OPT_EXPLAIN, OPT_IDS, OPT_END };

#define FORMS "lines|tsv|csv|spreadsheet|json|ids|count|pgn|cmbr|epd|fen|html|lan|latex|san|uci"

/* How a query is answered, and all plies at which it holds, are questions about a list. */
#define LIST_OPTIONS                                                                                                   \
    [OPT_ALL_PLIES] = {"all-plies", 0, NULL, NULL,                                                                     \
                       "with --to tsv, csv or json: list all half-moves at which the query holds, not only the "       \
                       "first"},                                                                                       \
    [OPT_EXPLAIN] = {OPTION_EXPLAIN}

#define OPTIONS(own)                                                                                                   \
    {                                                                                                                  \
        QUERY_OPTIONS, OUTPUT_OPTIONS_BESIDE_TO,                                                                       \
            [OUTPUT_TO] =                                                                                              \
                {"to", 0, "FORM", FORMS,                                                                               \
                 "lists: lines, tsv, csv, spreadsheet (CSV in which formulas are quoted: '=2+2), json (find: "         \
                 "the columns, export: the whole game), ids, count; games: pgn, cmbr, html (a page with a "            \
                 "board), latex, epd (every position), fen (the positions found), or one line of moves per "           \
                 "game: san, lan, uci (default: find lines, export pgn)"},                                             \
            [OPT_COUNT] = {"count", 0, NULL, NULL, "short for --to count"}, [OPT_DIAGRAMS] = {OPTION_DIAGRAMS},        \
            [OPT_IDS] = {"ids", 0, NULL, NULL, "short for --to ids"}, own, [OPT_END] = {0},                            \
    }
#define NO_LIST_OPTIONS [OPT_ALL_PLIES] = {OPTION_ABSENT}, [OPT_EXPLAIN] = {OPTION_ABSENT}

static const option find_options[] = OPTIONS(LIST_OPTIONS), export_options[] = OPTIONS(NO_LIST_OPTIONS);

static const example find_examples[] = {
    {"tabiya find games.db 'player carlsen elo 2600.. greek-gift'",
     "Finds Carlsen's games with the bishop sacrifice on h7, among strong players."},
    {"tabiya find games.pgn.zst more.db 'KRP+vKRP+ for 10' --sort=-elo --limit 20",
     "Finds rook endings in a file and a database, those of the strongest players first."},
    {"tabiya find games.db --count --fen '1. e4 e5 2. Nf3 Nc6 3. Bb5'",
     "Counts the games that reach this position by any move order."},
    {"tabiya find games.db --where 'white_elo - black_elo > 400' --result 0-1", "Finds upsets."},
    {"tabiya find postgresql://chess@example.org/games --eco B9*", "Searches a PostgreSQL server."},
    {0},
};

static const example export_examples[] = {
    {"tabiya export games.db -o games.pgn", "Writes all games as they were imported."},
    {"tabiya export games.db --to cmbr --player 'Carlsen*' -o carlsen.cmbr",
     "Writes a player's games to a compact file."},
    {"tabiya export games.db --sort -elo --limit 20 --to html -o best.html",
     "Writes a web page with the games of the highest rated players."},
    {0},
};

/* ---- Forms ------------------------------------------------------------------------------------------------------ */

typedef enum kind { KIND_LIST, KIND_IDS, KIND_COUNT, KIND_GAMES } kind;

/* What is written. */
typedef struct written {
    kind kind;
    listing_form list;
    const tby_game_notation *notation; /* for whole games; NULL: a list format */
    const form *form;
} written;

static written output_of(const args *a)
{
    static const struct {
        const char *name;
        kind kind;
        listing_form list;
    } lists[] = {
        {"lines", KIND_LIST, LISTING_TEXT},        {"tsv", KIND_LIST, LISTING_TSV},   {"csv", KIND_LIST, LISTING_CSV},
        {"spreadsheet", KIND_LIST, LISTING_SHEET}, {"json", KIND_LIST, LISTING_JSON}, {"ids", KIND_IDS, LISTING_TEXT},
        {"count", KIND_COUNT, LISTING_TEXT},
    };
    const char *name = form_of_options(a, OUTPUT_TO, a->command == &cmd_find ? "lines" : "pgn");
    const form *page = form_of(a, name, OPT_DIAGRAMS);
    const bool is_whole = a->command == &cmd_export && strcmp(name, "json") == 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!is_whole && strcmp(lists[i].name, name) == 0)
            return (written){.kind = lists[i].kind, .list = lists[i].list};
    const tby_game_notation *notation = tby_game_notation_find(name, strlen(name));
    return (written){KIND_GAMES, LISTING_TEXT, notation, notation ? NULL : page};
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* A search in progress. */
typedef struct finding {
    const args *args;
    sources sources;
    written out;
    listing_move shown;
    unsigned n_columns;       /* of the terminal; 0 = any */
    tby_game *game;           /* to read one into */
    tby_query_state **asking; /* for all plies, of each source; NULL if there is no query */
    buffer text;
    uint64_t n_found, n_failed;
} finding;

/* "game 6 is damaged: ..."; the other games are still written. */
static void find_fail(finding *f, const source *s, const char *why)
{
    source_tell(s, why);
    f->n_failed++;
}

static void add_colored(buffer *out, color_name c, const char *s, size_t n)
{
    buffer_string(out, color_code(c));
    buffer_add(out, s, n);
    buffer_string(out, color_code(COLOR_END));
}

/* Colours the result, and makes the ply found at the end of the line bold. */
static void highlight(buffer *text, tby_result result, bool has_ply)
{
    static const color_name colors[] = {
        [TBY_WHITE_WINS] = COLOR_GREEN, [TBY_DRAW] = COLOR_YELLOW, [TBY_BLACK_WINS] = COLOR_RED};
    buffer colored = {0};
    char between[16];
    const size_t n = (size_t)snprintf(between, sizeof between, "  %s  ", tby_result_text(result)) - 4;
    const char *rest = text->s, *end = text->s + text->n - 1, *ply = NULL;
    const char *at = result == TBY_RESULT_NONE ? NULL : strstr(rest, between);
    for (const char *s = rest; has_ply && (s = strstr(s, "  ply ")) != NULL;)
        ply = s += 2;
    if (at) {
        buffer_add(&colored, rest, (size_t)(at + 2 - rest));
        add_colored(&colored, colors[result], at + 2, n);
        rest = at + 2 + n;
    }
    if (!ply || ply < rest)
        ply = end;
    buffer_add(&colored, rest, (size_t)(ply - rest));
    if (ply < end)
        add_colored(&colored, COLOR_BOLD, ply, (size_t)(end - ply));
    buffer_string(&colored, "\n");
    buffer_free(text);
    *text = colored;
}

/* The source before a game's number, if there are several. */
static const char *name_before(const finding *f, const source *s) { return f->sources.n > 1 ? source_name(s) : NULL; }

static void warn_of_null_move(const finding *f, const source *s, tby_game_id id)
{
    const size_t ply = tby_game_null_ply(f->game);
    if (!ply)
        return;
    progress_hide();
    error_print("%s: %s: game %" PRId64 ": warning: %s (ply %zu)", f->args->command->name, source_name(s), id,
                tby_pgn_warning_text(TBY_PGN_WARN_NULL_MOVE), ply);
}

static bool write_form(finding *f, const source *s, tby_game_id id, int ply)
{
    char why[TBY_ERROR_SIZE], text[TBY_ERROR_SIZE];
    tby_error err = {.status = TBY_OK};
    if (f->out.form) {
        f->out.form->write(&f->text, f->game, TBY_PGN_WIDTH(79), ply, f->out.form->name);
        return true;
    }
    if (f->out.notation->write(f->game, buffer_sink, &f->text, &err) == TBY_OK)
        return true;
    memory_need(err.status == TBY_CANNOT_HOLD || err.status == TBY_TOO_LONG);
    tby_error_write(text, sizeof text, &err);
    snprintf(why, sizeof why, "game %" PRId64 ": %.200s", id, text);
    find_fail(f, s, why);
    return false;
}

/* A damaged game is left out. If memory or disk run out, the program ends without an output file. */
static bool is_read(finding *f, source *s, tby_status status)
{
    if (status == TBY_INVALID_DATABASE) {
        find_fail(f, s, source_error(s));
        input_incomplete();
    } else if (status != TBY_OK) {
        source_failed(s);
    }
    return status == TBY_OK;
}

/* The state of a source. */
static tby_query_state *asking_of(const finding *f, const source *s)
{
    size_t place = 0;
    while (f->sources.of[place] != s)
        place++;
    return f->asking[place];
}

/* A database knows which of its games are in collections. They are looked up before the search, because a server does one
   thing at a time. */
static void begin_asking(finding *f, const tby_query *asked)
{
    f->asking = memory_got(calloc(f->sources.n, sizeof *f->asking));
    for (size_t i = 0; i < f->sources.n; i++) {
        source *s = f->sources.of[i];
        f->asking[i] = source_db(s) ? tby_db_query_state(source_db(s), asked) : tby_query_state_new(asked, NULL);
        if (!f->asking[i])
            source_failed(s);
    }
}

static void end_asking(finding *f)
{
    for (size_t i = 0; f->asking && i < f->sources.n; i++)
        tby_query_state_free(f->asking[i]);
    free(f->asking);
}

static bool write_all_plies(finding *f, source *s, const tby_db_hit *hit, const tby_row *row)
{
    const tby_query_game game = tby_query_game_of_row(row, hit->id);
    static const uint32_t start = 0;
    const uint32_t *plies = &start;
    const int n = f->asking ? tby_query_plies(asking_of(f, s), &game, &plies) : 1;
    char why[64];
    memory_need(n != TBY_QUERY_NO_MEMORY);
    if (n < 0) {
        snprintf(why, sizeof why, "game %" PRId64 " is damaged", hit->id);
        find_fail(f, s, why);
        return false;
    }
    listing_write_plies(&f->text, f->out.list, name_before(f, s), hit, row, plies, (size_t)n);
    return true;
}

static bool write_row(finding *f, source *s, const tby_db_hit *hit)
{
    tby_row row;
    if (!is_read(f, s, source_row(s, hit->id, &row)))
        return false;
    if (args_has(f->args, OPT_ALL_PLIES))
        return write_all_plies(f, s, hit, &row);
    if (f->out.list == LISTING_TEXT)
        listing_write_text(&f->text, name_before(f, s), hit, &row, f->shown, f->n_columns);
    if (f->out.list == LISTING_TEXT && stream_has_color(stdout))
        highlight(&f->text, row.result, hit->ply >= 0);
    else if (f->out.list != LISTING_TEXT)
        listing_write(&f->text, f->out.list, name_before(f, s), hit, &row);
    return true;
}

static bool write_hit(void *context, source *s, const tby_db_hit *hit)
{
    finding *f = context;
    f->n_found++;
    f->text.n = 0;
    const char *name = name_before(f, s);
    bool is_written = true;
    if (f->out.kind == KIND_IDS)
        buffer_printf(&f->text, "%s%s%" PRId64 "\n", name ? name : "", name ? ":" : "", hit->id);
    else if (f->out.kind == KIND_LIST)
        is_written = write_row(f, s, hit);
    else
        is_written = is_read(f, s, source_game(s, hit->id, f->game)) && write_form(f, s, hit->id, hit->ply);
    if (is_written && f->text.n) {
        progress_make_room();
        out_bytes(f->text.s, f->text.n);
        if (f->out.kind == KIND_GAMES && f->args->command == &cmd_export)
            warn_of_null_move(f, s, hit->id);
    }
    return true;
}

/* ---- Searching -------------------------------------------------------------------------------------------------- */

static bool count_hit(void *context, source *s, const tby_db_hit *hit)
{
    (void)s, (void)hit;
    ++*(int64_t *)context;
    return !interrupts_came();
}

/* All that match, within the limits. */
static int64_t count_found(const finding *f, const tby_db_search *search)
{
    tby_db *db = sources_db(&f->sources);
    int64_t n = 0;
    if (!db) {
        sources_find(&f->sources, search, "counting", count_hit, &n);
    } else {
        database_work(db, "counting");
        if (tby_db_count(&n, db, search) != TBY_OK && !interrupts_came())
            sources_failed(&f->sources);
    }
    sources_done(&f->sources);
    return n;
}

/* The limits are applied to the sample. */
static void count_all(finding *f, query *q)
{
    const uint64_t sample = sample_of_options(f->args).n;
    const uint64_t offset = sample ? (uint64_t)q->search.offset : 0, limit = sample ? (uint64_t)q->search.limit : 0;
    if (sample)
        q->search.offset = q->search.limit = 0;
    f->n_found = (uint64_t)count_found(f, &q->search);
    f->n_found = sample && sample < f->n_found ? sample : f->n_found;
    f->n_found -= f->n_found < offset ? f->n_found : offset;
    if (limit && f->n_found > limit)
        f->n_found = limit;
    out_printf("%" PRIu64 "\n", f->n_found);
}

static void write_ends(finding *f, bool is_begin)
{
    f->text.n = 0;
    if (is_begin && f->out.kind == KIND_LIST)
        listing_header(&f->text, f->out.list, f->sources.n > 1);
    if (is_begin && f->out.notation && f->out.notation->write_header)
        f->out.notation->write_header(buffer_sink, &f->text);
    void (*const write)(buffer * out) = !f->out.form ? NULL : is_begin ? f->out.form->begin : f->out.form->end;
    if (write)
        write(&f->text);
    if (f->text.n)
        out_bytes(f->text.s, f->text.n);
}

static void begin_output(finding *f)
{
    const char *path = args_value(f->args, OUTPUT_FILE);
    refuse_overwriting(path, f->args);
    if (f->out.notation && f->out.notation->is_binary && !path && out_is_terminal())
        error_exit("%s: refusing to write %s to a terminal; use -o FILE", f->args->command->name,
                   f->out.notation->name);
    out_open(path);
    f->n_columns = out_columns();
    write_ends(f, true);
}

static void find_all(finding *f, query *q)
{
    const bool wants_plies = args_has(f->args, OPT_ALL_PLIES) && q->query;
    const visits each = {.sources = &f->sources,
                         .query = q,
                         .work = f->args->command == &cmd_find ? "searching" : "exporting",
                         .visit = write_hit,
                         .context = f};
    f->shown = q->query && tby_query_is_about_move(q->query) ? LISTING_MOVE_FROM : LISTING_MOVE_TO;
    f->game = memory_got(tby_game_new(NULL));
    if (wants_plies)
        begin_asking(f, q->query);
    /* To find all plies, the query is run on the whole game again. */
    q->search.wanted = f->out.kind == KIND_GAMES || f->asking ? TBY_WANTED_GAMES
                       : f->out.kind == KIND_LIST             ? TBY_WANTED_ROWS
                                                              : TBY_WANTED_IDS;
    if (f->out.kind == KIND_COUNT)
        count_all(f, q);
    else
        visits_run(&each);
    end_asking(f);
    tby_game_free(f->game);
}

static int find_run(const args *a)
{
    query q;
    finding f = {.args = a, .sources = sources_of_words(a, 0), .out = output_of(a)};
    if (args_has(a, OPT_ALL_PLIES) && (f.out.kind != KIND_LIST || f.out.list == LISTING_TEXT))
        error_exit("%s: --all-plies needs --to tsv, csv or json", a->command->name);
    const source_use ordered = visits_use(a), use = f.out.kind == KIND_COUNT ? SOURCE_ONCE : ordered;
    sources_open(&f.sources, use, use);
    f.sources.text = words_query(f.sources.text);
    query_of_options(&q, a, f.sources.text, (tby_text){0}, NULL, source_db(f.sources.of[0]));
    if (args_has(a, OPT_EXPLAIN)) {
        query_explain_all(&q, &f.sources, NULL);
    } else {
        begin_output(&f);
        find_all(&f, &q);
        if (interrupts_came() && args_has(a, OUTPUT_FILE))
            error_exit("%s: interrupted; no file is written", a->command->name);
        write_ends(&f, false);
        out_close();
        if (interrupts_came())
            error_print("%s: interrupted; what was found is printed", a->command->name);
        else if (!f.n_found)
            none_found(&f.sources, f.sources.text);
    }
    query_free(&q);
    buffer_free(&f.text);
    const int code = f.n_failed || interrupts_came()         ? EXIT_FAILED
                     : f.n_found || args_has(a, OPT_EXPLAIN) ? EXIT_YES
                                                             : EXIT_NO;
    return sources_close(&f.sources, code);
}

const command cmd_find = {
    .name = "find",
    .group = GROUP_LOOK,
    .words = "SOURCE... [QUERY]",
    .summary = "find games by position, moves, players and more",
    .description =
        "Lists the games that a query or conditions select: by players, positions, moves, dates, in any combination. "
        "Without any, it lists all games.\n\nEach line shows the game's number, players, result, date, event, opening "
        "and length; after a search for a position or a move, also where it first occurs. A narrow terminal shows what "
        "fits. With several sources, the name of the source comes first.\n\n" QUERY_HELP,
    .exits = "0  games were found\n1  no game was found\n2  wrong usage, or a source or game could not be read",
    .options = find_options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = find_examples,
    .run = find_run,
};

const command cmd_export = {
    .name = "export",
    .group = GROUP_COLLECTION,
    .words = "SOURCE... [QUERY]",
    .summary = "write games as PGN, JSON, CMBR, HTML ...",
    .description = "Writes all games, or those that match the conditions, in order of their numbers: complete games "
                   "with all tags, comments and variations, exactly as imported. Memory use does not depend on the "
                   "number of games, unless they are sorted.\n\n" QUERY_HELP,
    .exits = "0  games were written\n1  no game was found\n2  a game could not be read, or writing failed",
    .options = export_options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = export_examples,
    .run = find_run,
};
