/*
 * test_annotate_engine.c - chess engines, which are scripts here: their output is understood and bounded, and their
 * exit is noticed.
 */
#include "support.h"

#include "annotate.h"
#include "engine.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 20000 };

static char path[64], log_path[72];

#define GREETING                                                                                                       \
    "read l; printf 'id name Script 2\\nuciok\\n'; while read l && [ \"$l\" != isready ]; do echo \"$l\" "             \
    ">>\"$0.log\"; done; "

/* An engine that runs this script; NULL if it does not start. */
static engine *start(const char *script, const engine_options *given, problem *p)
{
    engine_options o = given ? *given : (engine_options){.threads = 1, .hash = 16, .lines = 1};
    FILE *file = fopen(path, "w");
    assert_true(file && fprintf(file, "#!/bin/sh\n%s\n", script) > 0 && fclose(file) == 0);
    assert_int_equal(chmod(path, 0700), 0);
    unlink(log_path);
    o.program = path;
    return engine_start(&o, p);
}

static engine *start_well(const char *script)
{
    problem p = {0};
    engine *e = start(script, NULL, &p);
    if (!e)
        fail_msg("%s", p.text);
    return e;
}

static const engine_limits by_depth = {.depth = 3};

/* The first thing the engine reports for a position. */
static engine_event ask(engine_info *out, engine *e, const char *fen, const engine_limits *limits)
{
    const tby_position pos = position_of(fen);
    if (!engine_go(e, &pos, limits))
        return ENGINE_GONE;
    return engine_next(e, out, PATIENCE);
}

static bool was_told(const char *line)
{
    char text[512] = "";
    FILE *file = fopen(log_path, "r");
    bool is_found = false;
    while (file && !is_found && fgets(text, sizeof text, file))
        is_found = strncmp(text, line, strlen(line)) == 0 && text[strlen(line)] == '\n';
    if (file)
        fclose(file);
    return is_found;
}

TEST(test_annotate_engine__lines_are_understood)
{
    engine_info info;
    engine *e = start_well(GREETING "printf 'readyok\\r\\n'; read l; read l\n"
                                    "printf 'hello\\r\\n\\r\\ninfo depth 4 seldepth 9 multipv 2 score cp -37 nodes "
                                    "1000 time 12 nps 5 pv e2e4 e7e5 e1e9 a2a3\\r\\n'\n"
                                    "echo 'info depth 5 score mate -3 pv d2d4'\n"
                                    "echo 'info depth 6 score cp +12 tbhits pv g1f3 '\n"
                                    "printf 'bestmove  e2e4 ponder e7e5'; echo; read l");
    assert_string_equal(engine_name(e), "Script 2");
    assert_int_equal(ask(&info, e, START_FEN, &by_depth), ENGINE_INFO);
    assert_true(info.depth == 4 && info.line == 2 && !info.is_mate && info.score == -37);
    assert_true(info.nodes == 1000 && info.milliseconds == 12);
    assert_int_equal(info.n_moves, 2); /* the third move is illegal, so the rest of the line is ignored */
    assert_int_equal(engine_next(e, &info, PATIENCE), ENGINE_INFO);
    assert_true(info.is_mate && info.score == -3 && info.line == 1);
    assert_int_equal(engine_next(e, &info, PATIENCE), ENGINE_INFO);
    assert_true(info.score == 12 && info.n_moves == 1);
    assert_int_equal(engine_next(e, &info, PATIENCE), ENGINE_BEST);
    assert_int_equal(info.n_moves, 1);
    assert_int_equal(engine_next(e, &info, 10), ENGINE_NOTHING);
    engine_end(e);
    engine_end(NULL);
}

TEST(test_annotate_engine__uninformative_lines_are_skipped)
{
    engine_info info;
    engine *e = start_well(
        GREETING "echo readyok; read l; read l\n"
                 "echo info; echo 'info string pv e2e4'; echo 'info depth 3 pv e2e4'\n"
                 "echo 'info score cp 1'; echo 'info score cp 1 pv e9e9'; echo 'info score cp x pv e2e4'\n"
                 "echo 'info multipv 0 score cp 1 pv e2e4'; echo 'info multipv 11 score cp 1 pv e2e4'\n"
                 "echo 'info score cp 1 upperbound pv e2e4'; echo 'info score cp 1 lowerbound pv e2e4'\n"
                 "echo 'info score cp 99999999 pv e2e4'; echo 'info depth'; echo 'info score'; echo 'info score cp'\n"
                 "echo 'bestmove (none)'");
    assert_int_equal(ask(&info, e, START_FEN, &by_depth), ENGINE_BEST);
    assert_int_equal(info.n_moves, 0);
    assert_int_equal(engine_next(e, &info, PATIENCE), ENGINE_GONE);
    assert_false(engine_go(e, &(const tby_position){.board = {{0}}}, &by_depth));
    engine_end(e);
}

TEST(test_annotate_engine__scores_are_from_whites_point_of_view)
{
    engine_info info;
    engine *e = start_well(GREETING "echo readyok; read l; read l; echo 'info score mate 2 pv e7e5'; read l");
    assert_int_equal(ask(&info, e, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", &by_depth),
                     ENGINE_INFO);
    assert_true(info.is_mate && info.score == -2);
    engine_end(e);
}

TEST(test_annotate_engine__limits_and_variant_are_sent)
{
    static const struct {
        engine_limits limits;
        const char *line;
    } known[] = {{{.depth = 7}, "go depth 7"},
                 {{.nodes = 5000}, "go nodes 5000"},
                 {{.milliseconds = 20}, "go movetime 20"},
                 {{.depth = 1, .milliseconds = 2, .nodes = 3}, "go depth 1 nodes 3 movetime 2"},
                 {{.depth = 0}, "go infinite"}};
    const engine_options o = {.threads = 3, .hash = 32, .lines = 2, .is_chess960 = true};
    problem p = {0};
    engine_info info;
    engine *e = start(
        GREETING
        "echo readyok; while read l; do echo \"$l\" >>\"$0.log\"; case $l in go*) echo bestmove e2e4 ;; esac; done",
        &o, &p);
    assert_non_null(e);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(ask(&info, e, START_FEN, &known[i].limits), ENGINE_BEST);
        if (!was_told(known[i].line))
            fail_msg("not sent: %s", known[i].line);
    }
    assert_true(was_told("setoption name UCI_Chess960 value true"));
    assert_true(was_told("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"));
    engine_set_chess960(e, true);
    engine_set_chess960(e, false);
    assert_int_equal(ask(&info, e, START_FEN, &by_depth), ENGINE_BEST);
    assert_true(was_told("setoption name UCI_Chess960 value false"));
    assert_true(was_told("position fen " START_FEN));
    engine_stop(e);
    engine_set_chess960(e, true);
    assert_int_equal(ask(&info, e, START_FEN, &by_depth), ENGINE_BEST);
    assert_true(was_told("stop"));
    engine_end(e);
}

TEST(test_annotate_engine__what_is_not_an_engine_is_reported)
{
    static const char *const scripts[] = {"exit 1", "read l; echo uciokay; echo uci", "read l; echo uciok; exit 0",
                                          "read l; echo 'uciok now'; read l; exit 0",
                                          "read l; head -c 20000 /dev/zero | tr '\\0' x; sleep 60"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        problem p = {0};
        assert_null(start(scripts[i], NULL, &p));
        assert_non_null(strstr(p.text, "does not answer as a UCI engine does"));
    }
    problem p = {0};
    assert_null(engine_start(&(engine_options){.program = "/no/such/engine"}, &p));
    assert_string_equal(p.text, "/no/such/engine: No such file or directory");
}

/* More moves than are kept, and lines longer than the limit. */
TEST(test_annotate_engine__lines_are_bounded)
{
    engine_info info;
    engine *e = start_well(GREETING
                           "echo readyok; read l; read l; printf 'info score cp 1 pv'\n"
                           "i=0; while [ $i -lt 50 ]; do printf ' g1f3 g8f6 f3g1 f6g8'; i=$((i + 1)); done; echo\n"
                           "head -c 20000 /dev/zero | tr '\\0' x; echo; echo bestmove e2e4; read l");
    assert_int_equal(ask(&info, e, START_FEN, &by_depth), ENGINE_INFO);
    assert_int_equal(info.n_moves, ENGINE_PV_MAX);
    assert_int_equal(engine_next(e, &info, PATIENCE), ENGINE_GONE);
    engine_end(e);
}

/* If the engine has exited, the game cannot be annotated, and the error says so. */
TEST(test_annotate_engine__a_game_needs_an_engine_that_answers)
{
    static const char *const scripts[] = {
        GREETING "echo readyok; read l; exit 0", GREETING "echo readyok; read l; read l; exit 0",
        GREETING "echo readyok; read l; read l; echo bestmove e2e4; read l; read l; exit 0"};
    tby_game *game = tby_game_new(NULL);
    const tby_position start_pos = position_of(START_FEN);
    assert_true(tby_game_add(game, TBY_ROOT, move_of(&start_pos, "e2e4")) != TBY_NO_NODE);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        problem p = {0};
        engine *e = start_well(scripts[i]);
        assert_false(annotate_game(game, e, &by_depth, 0, (review_side[2]){{.moves = 0}}, &p));
        assert_string_equal(p.text, "Script 2 has ended");
        engine_end(e);
    }
    tby_game_free(game);
}

static int set_up(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    snprintf(path, sizeof path, "/tmp/tabiya-test-engine-%ld", (long)getpid());
    snprintf(log_path, sizeof log_path, "%s.log", path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(log_path);
    return unlink(path);
}

/* ---- Time ----------------------------------------------------------------------------------------------- */

static const engine_options impatient = {.threads = 1, .hash = 16, .lines = 1, .patience = 1000};

static bool annotate(const char *script, const engine_limits *limits, problem *p)
{
    engine *e = start(script, &impatient, p);
    tby_game *game = tby_game_new(NULL);
    if (!e)
        fail_msg("%s", p->text);
    assert_non_null(game);
    const bool is_good = annotate_game(game, e, limits, 0, (review_side[2]){{.moves = 0}}, p);
    tby_game_free(game);
    engine_end(e);
    return is_good;
}

/* Each line of information used to restart the clock. */
TEST(test_annotate_engine__a_flood_of_lines_does_not_stop_the_clock)
{
    static const char *const lines[] = {"info depth 1 score cp 1 pv e2e4", "info depth 1 currmove e2e4", "hello"};
    const engine_limits by_time = {.milliseconds = 1};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char script[256];
        problem p = {0};
        snprintf(script, sizeof script, GREETING "echo readyok; read l; read l; while echo '%s'; do :; done", lines[i]);
        assert_false(annotate(script, &by_time, &p));
        assert_string_equal(p.text, "Script 2 does not answer");
    }
}

TEST(test_annotate_engine__a_flood_at_the_start_is_not_an_answer)
{
    problem p = {0};
    assert_null(start("while echo option; do :; done", &impatient, &p));
    assert_non_null(strstr(p.text, "does not answer as a UCI engine does"));
}

/* The program used to wait ten minutes for it. */
TEST(test_annotate_engine__a_silent_engine_is_abandoned)
{
    problem p = {0};
    assert_false(annotate(GREETING "echo readyok; while read l; do :; done", &by_depth, &p));
    assert_string_equal(p.text, "Script 2 does not answer");
}

/* A deep search may print nothing for a long time while the engine is alive. */
TEST(test_annotate_engine__a_silent_engine_that_answers_isready_is_waited_for)
{
    problem p = {0};
    assert_true(annotate(GREETING "echo readyok; read l; read l; read l; [ \"$l\" = isready ] && echo readyok; read l; "
                                  "[ \"$l\" = isready ] && echo readyok; echo bestmove e2e4; read l",
                         &by_depth, &p));
}

/* Such an engine used to be waited for without end. */
TEST(test_annotate_engine__an_engine_that_only_answers_isready_is_abandoned)
{
    static const char *const scripts[] = {
        GREETING "echo readyok; while read l; do [ \"$l\" != isready ] || echo readyok; done",
        GREETING "echo readyok; read l; read l; echo 'info depth 1 score cp 5 pv e2e4'; "
                 "while read l; do [ \"$l\" != isready ] || echo readyok; done",
    };
    const engine_options hasty = {.threads = 1, .hash = 16, .lines = 1, .patience = 50};
    const tby_position pos = position_of(START_FEN);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        problem p = {0};
        engine_info info, first;
        engine *e = NULL;
        for (int tries = 0; !e && tries < 100; tries++) /* it may not start in time */
            e = start(scripts[i], &hasty, &p);
        assert_non_null(e);
        assert_true(engine_go(e, &pos, &by_depth));
        assert_int_equal(engine_finish(e, &by_depth, &info, &first), ENGINE_NOTHING);
        engine_end(e);
    }
}

int main(void) { return tests_run(set_up, tear_down); }
