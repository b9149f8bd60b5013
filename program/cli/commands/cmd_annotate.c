/*
 * cmd_annotate.c - tabiya annotate: adds an engine's evaluations to games and reports how well each player played.
 */
#include "annotate.h"
#include "commands.h"
#include "copies.h"
#include "near.h"
#include "progress.h"
#include "support/named.h"
#include "visits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_DEPTH = N_QUERY_OPTIONS,
    OPT_ENGINE,
    OPT_HASH,
    OPT_JSON,
    OPT_LINE,
    OPT_NODES,
    OPT_OUTPUT,
    OPT_STORE,
    OPT_SUMMARY,
    OPT_TIME
};

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_DEPTH] = {"depth", 0, "N", NULL,
                   "search each position N half-moves deep (default: 14, if no other limit is set)"},
    [OPT_ENGINE] = {"engine", 0, "PROGRAM", NULL, "the UCI engine to run, such as stockfish"},
    [OPT_HASH] = {"hash", 0, "MIB", NULL, "size of the engine's hash table (default: 64)"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "print the summary as one JSON object per player"},
    [OPT_LINE] = {"line", 0, "N", NULL,
                  "after a mistake, add the first N half-moves of the better line as a variation (default: 6); 0 adds "
                  "none"},
    [OPT_NODES] = {"nodes", 0, "N", NULL, "search N nodes per position"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write the games to FILE, and the summary to standard output"},
    [OPT_STORE] = {"store", 0, NULL, NULL,
                   "replace the games in the database with the annotated ones, under new numbers, and print "
                   "the summary"},
    [OPT_SUMMARY] = {"summary", 0, NULL, NULL, "print only the summary"},
    [OPT_TIME] = {"time", 0, "MS", NULL, "search each position for MS milliseconds"},
    {0},
};

static const example examples[] = {
    {"tabiya annotate --engine stockfish game.pgn", "Adds an evaluation to every move and marks mistakes."},
    {"tabiya annotate --engine stockfish --time 500 -o better.pgn games.pgn",
     "Spends half a second on each position, and shows how well each player has played."},
    {"tabiya annotate --engine stockfish --store games.db 'player anna date 2024..'",
     "Annotates games of a database in place."},
    {0},
};

/* ---- Players ---------------------------------------------------------------------------------------------------- */

typedef struct player {
    char *name;
    uint64_t games;
    review_side side;
} player;

typedef struct annotating {
    const args *args;
    engine *engine;
    engine_limits limits;
    unsigned n_line;
    tby_game *game;
    tby_db *store; /* NULL: the games are written */
    bool is_quiet; /* not even written, only summarized */
    uint64_t n_games;
    named_list players;
    uint64_t n_failed;
} annotating;

static player *player_of(annotating *t, const char *tag)
{
    const char *name = tby_game_tag(t->game, tag);
    name = name && *name ? name : "?";
    return memory_got(named_get(&t->players, name, strlen(name), sizeof(player)));
}

static void add_side(player *p, const review_side *s)
{
    p->games++;
    p->side.moves += s->moves;
    p->side.accuracy += s->accuracy;
    p->side.loss += s->loss;
    for (int phase = 0; phase < N_PHASES; phase++)
        for (int i = 0; i < N_MARKS; i++)
            p->side.marks[phase][i] += s->marks[phase][i];
}

static int by_games(const void *a, const void *b)
{
    const player *x = *(player *const *)a, *y = *(player *const *)b;
    return x->games != y->games ? (x->games > y->games ? -1 : 1) : named_order(a, b);
}

static void write_json(buffer *out, const player *p)
{
    const review_side *s = &p->side;
    const double n = s->moves ? (double)s->moves : 1;
    buffer_string(out, "{\"player\":");
    buffer_json_string(out, p->name);
    buffer_printf(out,
                  ",\"games\":%" PRIu64 ",\"moves\":%" PRIu64
                  ",\"accuracy\":%.1f,\"loss\":%.2f,\"inaccuracies\":%" PRIu64 ",\"mistakes\":%" PRIu64
                  ",\"blunders\":%" PRIu64 ",\"phases\":{\"opening\":%" PRIu64 ",\"middlegame\":%" PRIu64
                  ",\"endgame\":%" PRIu64 "}}\n",
                  p->games, s->moves, s->accuracy / n, s->loss / n, review_count(s, MARK_DUBIOUS),
                  review_count(s, MARK_MISTAKE), review_count(s, MARK_BLUNDER), s->marks[PHASE_OPENING][MARK_BLUNDER],
                  s->marks[PHASE_MIDDLEGAME][MARK_BLUNDER], s->marks[PHASE_ENDGAME][MARK_BLUNDER]);
}

static void write_line(buffer *out, const player *p)
{
    const review_side *s = &p->side;
    const double n = s->moves ? (double)s->moves : 1;
    buffer_cell(out, p->name, 26);
    buffer_printf(out, " %5" PRIu64 " %6" PRIu64 " %7.1f%% %6.2f", p->games, s->moves, s->accuracy / n, s->loss / n);
    for (int i = 0; i < N_MARKS; i++)
        buffer_printf(out, " %4" PRIu64, review_count(s, i));
    buffer_printf(out, "  %" PRIu64 "/%" PRIu64 "/%" PRIu64 "\n", s->marks[PHASE_OPENING][MARK_BLUNDER],
                  s->marks[PHASE_MIDDLEGAME][MARK_BLUNDER], s->marks[PHASE_ENDGAME][MARK_BLUNDER]);
}

static void print_summary(annotating *t)
{
    const bool is_json = args_has(t->args, OPT_JSON);
    buffer text = {0};
    named_sort(&t->players, by_games);
    if (!is_json)
        buffer_printf(&text, "%s%-26s %5s %6s %8s %6s %4s %4s %4s  %s%s\n", color_code(COLOR_BOLD), "player", "games",
                      "moves", "accuracy", "loss", "?!", "?", "??", "?? by phase", color_code(COLOR_END));
    for (size_t i = 0; i < t->players.n; i++)
        (is_json ? write_json : write_line)(&text, t->players.list[i]);
    out_buffer(&text);
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

/* However the program ends, the database is one file afterwards. The writer is closed last: what it wrote would otherwise
   stay outside. */
static sources *being_read;
static tby_db *being_written;
static int close_sources(int code)
{
    code = being_read ? sources_close(being_read, code) : code;
    being_read = NULL;
    if (being_written)
        tby_db_close(being_written);
    being_written = NULL;
    return code;
}
static void end_sources(void) { close_sources(EXIT_FAILED); }

static _Noreturn void store_failed(const annotating *t)
{
    being_written = NULL;
    database_failed(t->args, t->store);
}

/* A game may have been deleted while the engine worked on it; the others can be stored. */
static void store_game(annotating *t, tby_game_id id)
{
    const tby_status status = tby_db_save(&(tby_game_id){0}, t->store, id, t->game);
    if (status == TBY_NOT_FOUND) {
        error_print("annotate: game %lld was deleted meanwhile, and is not stored", (long long)id);
        t->n_failed++;
    } else if (status != TBY_OK) {
        store_failed(t);
    }
}

static bool annotate_hit(void *context, source *s, const tby_db_hit *hit)
{
    annotating *t = context;
    review_side sides[2] = {{0}, {0}};
    problem p = {0};
    if (source_game(s, hit->id, t->game) != TBY_OK) {
        source_tell(s, source_error(s));
        input_incomplete();
        t->n_failed++;
        return true;
    }
    annotate_game(t->game, t->engine, &t->limits, t->n_line, sides, &p);
    if (p.status && interrupts_came())
        return false;
    if (p.status) {
        progress_hide();
        error_exit("annotate: %s", p.text);
    }
    t->n_games++;
    add_side(player_of(t, "White"), &sides[TBY_WHITE]);
    add_side(player_of(t, "Black"), &sides[TBY_BLACK]);
    progress_make_room();
    if (!t->store)
        memory_need(t->is_quiet || tby_pgn_write(t->game, 0, out_sink, NULL));
    else
        store_game(t, hit->id);
    out_flush();
    return true;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static void read_limits(annotating *t)
{
    const args *a = t->args;
    t->limits = (engine_limits){
        .depth = (unsigned)option_number(a, OPT_DEPTH, 0, 1, 200),
        .milliseconds = (unsigned)option_number(a, OPT_TIME, 0, 1, 3600000),
        .nodes = (unsigned)option_number(a, OPT_NODES, 0, 1, 2000000000),
    };
    if (!t->limits.depth && !t->limits.milliseconds && !t->limits.nodes)
        t->limits.depth = 14;
    t->n_line = (unsigned)option_number(a, OPT_LINE, 6, 0, ENGINE_PV_MAX);
}

/* However the program ends, the engine does not outlive it. */
static engine *running;
static void end_engine(void)
{
    engine_end(running);
    running = NULL;
}

static engine *start_engine(const args *a)
{
    problem p = {0};
    const engine_options o = {
        .program = args_value(a, OPT_ENGINE),
        .threads = (unsigned)option_number(a, QUERY_THREADS, 1, 1, 1024),
        .hash = (unsigned)option_number(a, OPT_HASH, 64, 1, 1 << 20),
        .lines = 1,
        .is_stopped = interrupts_came,
    };
    engine *e = engine_start(&o, &p);
    if (!e)
        error_exit("annotate: %s", interrupts_came() ? "interrupted" : p.text);
    running = e;
    atexit(end_engine);
    return e;
}

/* --store writes to the one database that is read. */
static void open_store(annotating *t, const sources *all)
{
    if (!args_has(t->args, OPT_STORE))
        return;
    if (args_has(t->args, OPT_OUTPUT) || t->is_quiet)
        error_exit("annotate: --store cannot be used with -o or --summary");
    if (all->n > 1 || !is_database(all->names[0]))
        error_exit("annotate: --store needs one database, and %s is a file of games; use -o FILE",
                   all->names[all->n - 1]);
    being_written = t->store = database_open(t->args, TBY_DB_WRITE);
    atexit(end_sources);
}

/* An engine may take hours: the games are found first, so that the database is not kept open. */
static void annotate_all(annotating *t, const sources *all, query *q)
{
    const visits each = {
        .sources = all, .query = q, .work = "annotating", .is_gathered = true, .visit = annotate_hit, .context = t};
    q->search.n_threads = 0;
    visits_run(&each);
    if (t->store && t->n_games && tby_db_index(t->store, TBY_INDEX_ALL, NULL, NULL) != TBY_OK)
        store_failed(t);
}

static int close_all(annotating *t, const sources *all, int code)
{
    const char *path = all->names[0];
    code = close_sources(code);
    if (t->store)
        database_warn_of_log(path);
    tby_game_free(t->game);
    return code;
}

static int annotate_run(const args *a)
{
    annotating t = {.args = a, .game = memory_got(tby_game_new(NULL)), .is_quiet = args_has(a, OPT_SUMMARY)};
    query q;
    sources all = sources_of_words(a, 0);
    read_limits(&t);
    refuse_overwriting(args_value(a, OPT_OUTPUT), a);
    open_store(&t, &all);
    sources_open(&all, visits_use(a), visits_use(a));
    being_read = &all;
    if (args_has(a, OPT_STORE))
        query_of_strict_options(&q, a, all.text, source_db(all.of[0]));
    else
        query_of_options(&q, a, all.text, (tby_text){0}, NULL, source_db(all.of[0]));
    if (!args_value(a, OPT_ENGINE))
        error_exit("annotate: --engine PROGRAM is missing; try --help");
    t.engine = start_engine(a);
    out_open(args_value(a, OPT_OUTPUT));
    annotate_all(&t, &all, &q);
    query_free(&q);
    end_engine();
    if (interrupts_came() && args_has(a, OPT_OUTPUT))
        error_exit("annotate: interrupted; no file is written");
    if (args_has(a, OPT_OUTPUT))
        out_close();
    if (t.n_games && (args_has(a, OPT_OUTPUT) || args_has(a, OPT_STORE) || t.is_quiet))
        print_summary(&t);
    if (interrupts_came())
        error_print("annotate: interrupted; what was annotated is written");
    else if (!t.n_games && !t.n_failed)
        none_found(&all, all.text);
    named_free(&t.players);
    return close_all(&t, &all, t.n_failed || interrupts_came() ? EXIT_FAILED : EXIT_YES);
}

const command cmd_annotate = {
    .name = "annotate",
    .group = GROUP_PGN,
    .words = "--engine PROGRAM SOURCE... [QUERY]",
    .summary = "add engine evaluations and mark mistakes",
    .description =
        "Runs a chess engine on every position of each game's main line, and writes the games as PGN with [%eval ...] "
        "after every move: pawns from White's point of view, or #N for mate in N. Existing evaluations are replaced; "
        "comments, variations and everything else are kept.\n\nA move that loses winning chances gets ?!, ? or ??, "
        "words that say what it loses, and the better line as a variation, unless it already has a mark from ! to ??. "
        "Chances range from -1 to 1, and the marks mean a loss of 0.1, 0.2 or 0.3, so a slip in a won or lost game "
        "counts little. A move that is the engine's own choice gets no mark.\n\nThe summary has a line per player: "
        "games, moves, accuracy (100% if every move kept the winning chances), mean loss in pawns (at most 10 on each "
        "side), the marks, and the blunders in the opening (the first ten moves), the middlegame and the endgame (at "
        "most six pieces besides kings and pawns).\n\n--threads N is the number of engine threads (default: "
        "1).\n\n" QUERY_HELP,
    .exits = "0  done\n2  a game has a fault, or the engine or a source cannot be used",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = annotate_run,
};
