/*
 * cmd_annotate.c - tabiya annotate: games with the evaluations of an engine.
 */
#include "annotate.h"
#include "commands.h"
#include "keep.h"
#include "messages.h"
#include "open_input.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_CHESS960, OPT_DEPTH, OPT_ENGINE, OPT_HASH, OPT_NODES, OPT_OUTPUT, OPT_THREADS, OPT_TIME };

static const option options[] = {
    [OPT_CHESS960] = OPTION_GAMES_CHESS960,
    [OPT_DEPTH] = {"depth", 0, "N", NULL,
                   "search each position N half-moves deep (default: 14, if no other limit is set)"},
    [OPT_ENGINE] = {"engine", 0, "PROGRAM", NULL, "the UCI engine to run, such as stockfish"},
    [OPT_HASH] = {"hash", 0, "MIB", NULL, "size of the engine's hash table (default: 64)"},
    [OPT_NODES] = {"nodes", 0, "N", NULL, "search N nodes per position"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output"},
    [OPT_THREADS] = {"threads", 0, "N", NULL, "number of engine threads (default: 1)"},
    [OPT_TIME] = {"time", 0, "MS", NULL, "search each position for MS milliseconds"},
    {0},
};

static const example examples[] = {
    {"tabiya annotate --engine stockfish game.pgn", "Adds an evaluation to every move and marks mistakes."},
    {"tabiya annotate --engine stockfish --time 500 -o better.pgn games.pgn", "Spends half a second on each position."},
    {0},
};

typedef struct annotating {
    const args *args;
    engine *engine;
    engine_limits limits;
    tby_game *game;
    const char *name; /* of the input */
    tby_games *games;
    unsigned flags; /* TBY_PGN_CHESS960 */
    uint64_t n_written, n_failed;
} annotating;

static unsigned number_of(const args *a, int index, const char *what, unsigned none, unsigned most)
{
    const char *value = args_value(a, index);
    return value ? (unsigned)number_read(what, value, 1, most) : none;
}

static void tell_fault(void *context, const tby_game_fault *fault)
{
    annotating *t = context;
    report r = {0};
    note_fault(&r, t->name, fault, tby_games_where(t->games).n_games);
    notes_print(&r, 0, 0);
    report_free(&r);
}

static void write_game(annotating *t)
{
    progress_make_room();
    t->n_written++;
    if (!tby_pgn_write(t->game, 0, out_sink, NULL))
        memory_failed();
}

static void annotate_games(annotating *t, input *in)
{
    problem p = {0};
    tby_game_read read;
    while ((read = tby_games_next(t->games, t->game, tell_fault, t)) != TBY_GAME_END) {
        if (read == TBY_GAME_NO_MEMORY)
            memory_failed();
        if (read != TBY_GAME_GOOD) {
            t->n_failed++;
            exit_note(EXIT_FAILED);
            continue;
        }
        annotate_game(t->game, t->engine, &t->limits, &p);
        if (p.status) {
            progress_hide();
            error_exit("annotate: %s", p.text);
        }
        write_game(t);
        progress_update(input_fraction(in), 0, t->n_written);
    }
}

static void annotate_input(annotating *t, const char *path)
{
    input *in = input_open(path);
    if (!in) {
        t->n_failed++;
        return;
    }
    t->name = input_name(in);
    t->games = input_notation(in, NULL)->open(input_read, in, NULL);
    if (!t->games)
        memory_failed();
    tby_games_set_flags(t->games, t->flags);
    progress_begin(t->name);
    annotate_games(t, in);
    progress_hide();
    t->n_failed += !input_is_whole(in);
    tby_games_free(t->games);
    input_close(in);
}

static void read_limits(annotating *t)
{
    const args *a = t->args;
    t->limits = (engine_limits){
        .depth = number_of(a, OPT_DEPTH, "annotate: --depth", 0, 200),
        .milliseconds = number_of(a, OPT_TIME, "annotate: --time", 0, 3600000),
        .nodes = number_of(a, OPT_NODES, "annotate: --nodes", 0, 2000000000),
    };
    if (!t->limits.depth && !t->limits.milliseconds && !t->limits.nodes)
        t->limits.depth = 14;
}

static int run(const args *a)
{
    annotating t = {.args = a, .game = tby_game_new(NULL), .flags = args_has(a, OPT_CHESS960) ? TBY_PGN_CHESS960 : 0};
    problem p = {0};
    const engine_options o = {
        .program = args_value(a, OPT_ENGINE),
        .threads = number_of(a, OPT_THREADS, "annotate: --threads", 1, 1024),
        .hash = number_of(a, OPT_HASH, "annotate: --hash", 64, 1 << 20),
        .lines = 1,
    };
    if (!o.program)
        error_exit("annotate: --engine PROGRAM is missing; try --help");
    if (a->n_words == 0)
        error_exit("annotate: no games given; give a file, or - for standard input");
    if (!t.game)
        memory_failed();
    read_limits(&t);
    refuse_overwriting(args_value(a, OPT_OUTPUT), a);
    t.engine = engine_start(&o, &p);
    if (!t.engine)
        error_exit("annotate: %s", p.text);
    out_open(args_value(a, OPT_OUTPUT));
    for (size_t i = 0; i < a->n_words; i++)
        annotate_input(&t, a->words[i]);
    engine_end(t.engine);
    tby_game_free(t.game);
    out_close();
    return t.n_failed ? EXIT_FAILED : EXIT_YES;
}

const command cmd_annotate = {
    .name = "annotate",
    .group = GROUP_PGN,
    .words = "--engine PROGRAM FILE...",
    .summary = "add engine evaluations and mark mistakes",
    .description =
        "Runs a chess engine on every position of each game's main line, and writes the games as PGN with [%eval ...] "
        "after every move: pawns from White's point of view, or #N for mate in N. Existing evaluations are replaced; "
        "comments, variations and everything else are kept.\n\nA move that loses winning chances gets ?!, ? or ??, "
        "unless it already has a mark from ! to ??. Chances range from -1 to 1, and the marks mean a loss of 0.1, 0.2 "
        "or 0.3, so a slip in a won or lost game counts little. A move that is the engine's own choice gets no "
        "mark.\n\nFILE contains games in any notation and may be compressed; - is standard input. A game with a fault "
        "is reported on standard error and left out.",
    .exits = "0  done\n2  a game has a fault, or the engine or a file cannot be used",
    .options = options,
    .examples = examples,
    .run = run,
};
