/*
 * make_samples.c - writes examples/selfplay.pgn: games of a UCI engine against itself.
 *
 *     cc -Iinclude tools/make_samples.c -ltabiya -o make_samples
 *     ./make_samples stockfish src/opening/openings.tsv 2026.11.15 3000 | tabiya pgn --unique - > examples/selfplay.pgn
 *
 * Every game begins with a different line of the table of openings. Then two engines play, one for each colour, which
 * search different numbers of nodes per move. With one thread and a fixed number of nodes, an engine always plays the
 * same game, so the file is reproducible; two lines of the table may lead to the same game.
 *
 * A game ends by the rules, including draw claims. In two games out of three, players also resign lost positions and
 * agree to draws in level ones; unless it was mate, the last comment says how the game ended.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tabiya_value.h"

enum { MAX_LINES = 8192, LINE_BYTES = 16384, PLIES = 1000 };
enum { MATE_SCORE = 10000, LOST = -600, LOST_MOVES = 3, LEVEL = 30, LEVEL_PLIES = 10, DRAW_FROM_PLY = 60 };

static const unsigned LEVELS[] = {25, 50, 100, 200, 500, 1000};
enum { N_LEVELS = sizeof LEVELS / sizeof *LEVELS };

static void fail(const char *what)
{
    fprintf(stderr, "make_samples: %s\n", what);
    exit(2);
}

/* ---- Engines --------------------------------------------------------------------------------------------- */

typedef struct engine {
    FILE *to, *from;
    pid_t pid;
    char name[64];
} engine;

static void say(engine *e, const char *text)
{
    fprintf(e->to, "%s\n", text);
    fflush(e->to);
}

/* The next line that begins with `word`. */
static const char *hear(engine *e, const char *word)
{
    static char line[LINE_BYTES];
    while (fgets(line, sizeof line, e->from)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, word, strlen(word)) == 0)
            return line;
    }
    fail("the engine is gone");
    return NULL;
}

static void engine_begin(engine *e, const char *program)
{
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0 || (e->pid = fork()) < 0)
        fail("no pipe or process");
    if (e->pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execlp(program, program, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    e->to = fdopen(to[1], "w");
    e->from = fdopen(from[0], "r");
    if (!e->to || !e->from)
        fail("no stream");
    say(e, "uci");
    snprintf(e->name, sizeof e->name, "%.60s", hear(e, "id name ") + strlen("id name "));
    hear(e, "uciok");
    say(e, "setoption name Threads value 1\nsetoption name Hash value 1");
}

static void engine_end(engine *e)
{
    say(e, "quit");
    fclose(e->to);
    fclose(e->from);
    waitpid(e->pid, NULL, 0);
}

static void engine_new_game(engine *e)
{
    say(e, "ucinewgame\nisready");
    hear(e, "readyok");
}

/* The score of an info line for the side to move, or the last one if it has none. */
static int read_score(const char *info, int last)
{
    const char *cp = strstr(info, " score cp "), *mate = strstr(info, " score mate ");
    if (cp)
        return atoi(cp + strlen(" score cp "));
    if (mate)
        return atoi(mate + strlen(" score mate ")) > 0 ? MATE_SCORE : -MATE_SCORE;
    return last;
}

/* The engine's move in UCI after the moves `line`, and its score. */
static const char *engine_go(engine *e, const char *line, unsigned nodes, int *score)
{
    static char text[LINE_BYTES];
    fprintf(e->to, "position startpos moves%s\n", line);
    snprintf(text, sizeof text, "go nodes %u", nodes);
    say(e, text);
    for (;;) {
        const char *answer = hear(e, "");
        *score = read_score(answer, *score);
        if (strncmp(answer, "bestmove ", 9) == 0)
            return strtok(strcpy(text, answer + 9), " ");
    }
}

/* ---- A game ---------------------------------------------------------------------------------------------- */

typedef struct match {
    tby_game *game;
    tby_node node;
    tby_position pos;
    uint64_t keys[PLIES + 1];
    tby_move moves[PLIES];
    size_t n_plies;
    char line[LINE_BYTES]; /* the moves in UCI, a blank before each */
    bool may_resign;
    int lost[2], level; /* how long a side has been lost, and both level */
} match;

static void match_play(match *m, tby_move move)
{
    char uci[TBY_UCI_SIZE];
    tby_uci_write(uci, sizeof uci, &m->pos, move, 0);
    strcat(strcat(m->line, " "), uci);
    tby_position_play(&m->pos, move, NULL);
    m->moves[m->n_plies++] = move;
    m->keys[m->n_plies] = tby_position_key(&m->pos);
    m->node = tby_game_add(m->game, m->node, move);
}

static void match_begin(match *m, const char *opening)
{
    m->n_plies = 0;
    m->node = TBY_ROOT;
    m->line[0] = '\0';
    m->lost[0] = m->lost[1] = m->level = 0;
    tby_game_clear(m->game);
    tby_position_start(&m->pos);
    m->keys[0] = tby_position_key(&m->pos);
    for (const char *s = opening; *s; s += strcspn(s, " "), s += strspn(s, " ")) {
        tby_move move;
        if (tby_san_read(&move, &m->pos, s, strcspn(s, " "), 0, NULL, NULL) != TBY_OK)
            fail(opening);
        match_play(m, move);
    }
}

/* `comment` may be NULL. */
static bool match_end(match *m, tby_result result, const char *comment)
{
    tby_game_set_result(m->game, result);
    if (comment && !tby_game_add_comment(m->game, m->node, TBY_COMMENT_AFTER, comment, strlen(comment)))
        fail("no memory");
    return true;
}

/* What the players make of the score of the side that moved last. */
static bool match_is_given_up(match *m, int score)
{
    const tby_color us = !tby_position_side(&m->pos);
    m->lost[us] = score <= LOST ? m->lost[us] + 1 : 0;
    m->level = abs(score) <= LEVEL ? m->level + 1 : 0;
    if (!m->may_resign)
        return false;
    if (m->lost[us] >= LOST_MOVES)
        return match_end(m, us == TBY_WHITE ? TBY_BLACK_WINS : TBY_WHITE_WINS,
                         us == TBY_WHITE ? "White resigns" : "Black resigns");
    return m->level >= LEVEL_PLIES && m->n_plies >= DRAW_FROM_PLY && match_end(m, TBY_DRAW, "Draw agreed");
}

static bool match_is_over(match *m)
{
    const unsigned n_times = tby_repetition_count(m->keys, m->n_plies + 1);
    const tby_outcome outcome = tby_outcome_of(&m->pos, n_times, TBY_UNKNOWN, true);
    if (m->n_plies == PLIES)
        fail("a game does not end");
    if (outcome.result == TBY_RESULT_NONE)
        return false;
    return match_end(m, outcome.result, outcome.reason == TBY_CHECKMATE ? NULL : tby_reason_text(outcome.reason));
}

static void match_run(match *m, engine engines[2], const unsigned nodes[2])
{
    int score = 0;
    engine_new_game(&engines[TBY_WHITE]);
    engine_new_game(&engines[TBY_BLACK]);
    do {
        const tby_color us = tby_position_side(&m->pos);
        tby_move move;
        const char *uci = engine_go(&engines[us], m->line, nodes[us], &score);
        if (tby_uci_read(&move, &m->pos, uci, strlen(uci), NULL) != TBY_OK)
            fail(uci);
        match_play(m, move);
    } while (!match_is_over(m) && !match_is_given_up(m, score));
}

/* ---- Tags ------------------------------------------------------------------------------------------------ */

static void set_tag(tby_game *game, const char *name, const char *value)
{
    if (!tby_game_set_tag(game, name, strlen(name), value, strlen(value)))
        fail("no memory");
}

static void set_player(tby_game *game, const char *tag, const engine *e, unsigned nodes)
{
    char name[96];
    snprintf(name, sizeof name, "%s (%u nodes)", e->name, nodes);
    set_tag(game, tag, name);
}

static void set_opening(match *m)
{
    static uint8_t bytes[4 * PLIES];
    tby_position start;
    tby_opening opening;
    tby_position_start(&start);
    const size_t n = tby_packed_encode(bytes, sizeof bytes, &start, m->moves, m->n_plies, TBY_RESULT_NONE);
    if (tby_opening_of_chessgame(&opening, bytes, n) >= 0) {
        set_tag(m->game, "ECO", opening.eco);
        set_tag(m->game, "Opening", opening.name);
    }
}

static void set_tags(match *m, const engine engines[2], const unsigned nodes[2], const char *date, unsigned round)
{
    char number[16];
    snprintf(number, sizeof number, "%u", round);
    set_tag(m->game, "Event", "tabiya sample games");
    set_tag(m->game, "Site", "?");
    set_tag(m->game, "Date", date);
    set_tag(m->game, "Round", number);
    set_player(m->game, "White", &engines[TBY_WHITE], nodes[TBY_WHITE]);
    set_player(m->game, "Black", &engines[TBY_BLACK], nodes[TBY_BLACK]);
    set_tag(m->game, "Result", tby_result_text(tby_game_result(m->game)));
    set_opening(m);
}

/* ---- All games ------------------------------------------------------------------------------------------- */

static char *lines[MAX_LINES];
static unsigned n_lines;

static void read_openings(const char *path)
{
    static char text[LINE_BYTES];
    FILE *in = fopen(path, "r");
    if (!in)
        fail(path);
    while (n_lines < MAX_LINES && fgets(text, sizeof text, in)) {
        const char *moves = strrchr(text, '\t');
        text[strcspn(text, "\n")] = '\0';
        if (text[0] == '#' || !moves)
            continue;
        lines[n_lines] = malloc(strlen(moves));
        if (!lines[n_lines])
            fail("no memory");
        strcpy(lines[n_lines++], moves + 1);
    }
    fclose(in);
}

static bool to_stdout(void *context, const char *s, size_t n)
{
    (void)context;
    return fwrite(s, 1, n, stdout) == n;
}

/* SplitMix64 of a number. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

int main(int argc, char **argv)
{
    static match m;
    engine engines[2];
    if (argc != 5)
        fail("usage: make_samples ENGINE OPENINGS DATE N_GAMES");
    const unsigned n_games = (unsigned)atoi(argv[4]), step = 2357; /* a prime: it visits every line */
    read_openings(argv[2]);
    engine_begin(&engines[TBY_WHITE], argv[1]);
    engine_begin(&engines[TBY_BLACK], argv[1]);
    m.game = tby_game_new(NULL);
    for (unsigned i = 0; m.game && i < n_games; i++) {
        const uint64_t random = mix(i);
        const unsigned nodes[2] = {LEVELS[random % N_LEVELS], LEVELS[(random >> 32) % N_LEVELS]};
        m.may_resign = i % 3 != 0;
        match_begin(&m, lines[(uint64_t)i * step % n_lines]);
        if (!tby_moves_any(&m.pos))
            continue; /* a line that is a mate */
        match_run(&m, engines, nodes);
        set_tags(&m, engines, nodes, argv[3], i + 1);
        if (!tby_pgn_write(m.game, 0, to_stdout, NULL))
            fail("cannot write");
    }
    tby_game_free(m.game);
    engine_end(&engines[TBY_WHITE]);
    engine_end(&engines[TBY_BLACK]);
    return fflush(stdout) != 0;
}
