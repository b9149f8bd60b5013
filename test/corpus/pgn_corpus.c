/*
 * pgn_corpus.c - the PGN files of a folder of test data: read, compared with what other programs say, written and read
 * again.
 *
 *     pgn_corpus [--verbose] FOLDER
 *
 *     pgn_edge/<file>                     PGN -> tree -> PGN -> tree gives the same trees, alone and as a file
 *     pgn_edge/expected_python_chess.tsv  plies, moves with variations, result and final FEN of each game that
 *                                         python-chess reads without an error
 *     pgn_edge/inline_cases.jsonl         one-line cases: the plies of the main line, where the case has them
 *     games/<name>.pgn                    every game reads without a fault, and comes back equal
 *     games/lichess_raw_1500.oracle.tsv   plies, result, final FEN, Polyglot key of each game of lichess_raw_1500.pgn
 *
 * Where another program follows other rules than ours, the game is in the table DIFFERENCES below with the reason; it
 * must then differ, so that a change is seen. --verbose prints them.
 *
 * The last line is "N passed, N failed". Exit code 0 if none failed, 1 if some did, 2 on bad arguments, 77 if the
 * folder has no such files.
 */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tabiya_value.h"

enum { FIELDS = 20, PATH_BYTES = 4096 };

static bool verbose;
static const char *folder;
static size_t n_passed, n_failed;

/* ---- Differences that the rules settle ------------------------------------------------------------------ */

static const struct {
    const char *file;
    unsigned game; /* 0: all of them, whether they differ or not */
    const char *reason;
} DIFFERENCES[] = {
    {"chesslib__z0.pgn", 2, "a line apart from the moves: the result of the first game, not another game"},
    {"disservin__no_moves_but_game_termination_2.pgn", 1, "the result token counts, not the tag"},
    {"pgnread__crafty06_02.pgn", 0, "a web page: cut into games otherwise"},
    {"pgnread__crafty06_03.pgn", 0, "a web page: cut into games otherwise"},
    {"scalachess__atomicPromotion.pgn", 1, "atomic chess is read as chess, up to the first illegal move"},
    {"scalachess__chessComCrazyhouse.pgn", 1, "crazyhouse is read as chess, up to the first drop"},
    {"scalachess__crazyhouse2.pgn", 1, "crazyhouse is read as chess, up to the first drop"},
    {"scalachess__fromChessProgrammingWiki.pgn", 1, "1-0 with an en dash is a result"},
    {"scalachess__fromCrafty.pgn", 1, "empty lines do not end a game: this is all of it"},
    {"scalachess__fromCrafty.pgn", 2, "there is one game only"},
    {"scalachess__fromCrafty.pgn", 13, "there is one game only"},
    {"scalachess__stackOverflow.pgn", 1, "tags and moves may stand on one line"},
    {"scalachess__unclosedQuote.pgn", 1, "the result token counts, not the tag"},
    {"scalachess__unicodeResultDraw.pgn", 1, "the tag's text is not the result"},
    {"scalachess__unicodeResultWeirdDashDraw.pgn", 1, "the tag's text is not the result"},
    {"scalachess__whiteResignsInTags.pgn", 1, "tags may stand on one line: the tag gives the result"},
    {"inline_cases.jsonl", 4, "grammar only: f8=Q is illegal there"},
    {"inline_cases.jsonl", 6, "grammar only: axb6 is illegal there"},
};
enum { N_DIFFERENCES = sizeof DIFFERENCES / sizeof *DIFFERENCES };

/* The reason why a game differs. `any`: why any game of the file may. */
static const char *difference(const char *file, unsigned game, bool any)
{
    for (size_t i = 0; i < N_DIFFERENCES; i++)
        if (strcmp(DIFFERENCES[i].file, file) == 0 && DIFFERENCES[i].game == (any ? 0 : game))
            return DIFFERENCES[i].reason;
    return NULL;
}

static void count(bool is_right, const char *file, unsigned game, const char *format, ...)
{
    n_passed += is_right;
    n_failed += !is_right;
    if (is_right)
        return;
    va_list args;
    printf("%s, game %u: ", file, game);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

/* ---- Files ---------------------------------------------------------------------------------------------- */

typedef struct text {
    char *s;
    size_t n, cap;
} text;

static bool append(void *context, const char *s, size_t n)
{
    text *t = context;
    if (t->n + n + 1 > t->cap) {
        t->cap = 2 * (t->n + n + 1);
        t->s = realloc(t->s, t->cap);
        if (!t->s)
            abort();
    }
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = '\0';
    return true;
}

/* The whole of a file of the folder; false if it does not exist. */
static bool load(text *t, const char *part, const char *name)
{
    char path[PATH_BYTES], block[1 << 16];
    snprintf(path, sizeof path, "%s/%s/%s", folder, part, name);
    FILE *file = fopen(path, "rb");
    t->n = 0;
    append(t, "", 0);
    if (!file)
        return false;
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        append(t, block, n);
    fclose(file);
    return true;
}

/* Cuts the next line off; NULL at the end. */
static char *next_line(char **at)
{
    char *line = *at;
    if (!*line)
        return NULL;
    char *end = strchr(line, '\n');
    *at = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

static size_t split(char *line, char *fields[FIELDS])
{
    size_t n = 0;
    while (n < FIELDS) {
        fields[n++] = line;
        line = strchr(line, '\t');
        if (!line)
            break;
        *line++ = '\0';
    }
    return n;
}

static tby_pgn *reader_of(const text *t)
{
    const tby_pgn_options options = {0, SIZE_MAX / 2, {0, 0, 0, 0}};
    tby_pgn *pgn = tby_pgn_new_memory(t->s, t->n, &options, NULL);
    if (!pgn)
        abort();
    return pgn;
}

static tby_game *new_game(void)
{
    tby_game *game = tby_game_new(NULL);
    if (!game)
        abort();
    return game;
}

/* ---- PGN -> tree -> PGN -> tree ------------------------------------------------------------------------- */

/* The first fault of a game, in words. */
static void note_fault(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    text *fault = context;
    char sentence[TBY_PGN_ERROR_SIZE];
    const tby_pgn_place place = tby_pgn_event_place(pgn, event);
    if (event->type != TBY_PGN_ERROR || fault->n)
        return;
    append(fault, sentence,
           (size_t)snprintf(sentence, sizeof sentence, "%zu:%zu: ", (size_t)place.line, (size_t)place.column));
    append(fault, sentence, tby_pgn_error_write(sentence, sizeof sentence, pgn, event, place.game));
}

static void check_alone(const tby_game *game, tby_game *other, const char *name, unsigned number, text *file)
{
    text written = {NULL, 0, 0};
    tby_pgn_write(game, 0, append, &written);
    tby_pgn *pgn = reader_of(&written);
    tby_game_read_pgn(other, pgn, NULL, NULL);
    count(tby_game_equal(game, other), name, number, "comes back otherwise:\n%s", written.s);
    append(file, written.s, written.n);
    tby_pgn_free(pgn);
    free(written.s);
}

static void check_file(const text *source, const text *file, const char *name)
{
    tby_pgn *one = reader_of(source), *two = reader_of(file);
    tby_game *a = new_game(), *b = new_game();
    bool is_right = true;
    unsigned n_games = 0;
    for (; is_right; n_games++) {
        const tby_game_read read = tby_game_read_pgn(a, one, NULL, NULL);
        is_right = (read == TBY_GAME_END) == (tby_game_read_pgn(b, two, NULL, NULL) == TBY_GAME_END);
        if (read == TBY_GAME_END)
            break;
        is_right &= tby_game_equal(a, b);
    }
    count(is_right, name, n_games, "the file that was written has other games");
    tby_game_free(a);
    tby_game_free(b);
    tby_pgn_free(one);
    tby_pgn_free(two);
}

static void round_trip(const char *part, const char *name, bool is_good)
{
    text source = {NULL, 0, 0}, file = {NULL, 0, 0}, fault = {NULL, 0, 0};
    if (!load(&source, part, name))
        return;
    tby_pgn *pgn = reader_of(&source);
    tby_game *game = new_game(), *other = new_game();
    append(&file, "", 0);
    for (unsigned number = 1;; number++) {
        fault.n = 0;
        const tby_game_read read = tby_game_read_pgn(game, pgn, note_fault, &fault);
        if (read == TBY_GAME_END)
            break;
        count(read != TBY_GAME_NO_MEMORY && (read == TBY_GAME_GOOD || !is_good), name, number, "%s",
              fault.n ? fault.s : "");
        if (verbose && fault.n)
            printf("%s:%s\n", name, fault.s);
        check_alone(game, other, name, number, &file);
    }
    check_file(&source, &file, name);
    tby_pgn_free(pgn);
    tby_game_free(game);
    tby_game_free(other);
    free(source.s);
    free(file.s);
    free(fault.s);
}

static void run_folder(const char *part, const char *ending, const char *except, bool is_good)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, part);
    DIR *dir = opendir(path);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *name = entry->d_name, *dot = strrchr(name, '.');
        if (name[0] != '.' && (!ending || (dot && strcmp(dot, ending) == 0)) && !(except && dot && strstr(except, dot)))
            round_trip(part, name, is_good);
    }
    closedir(dir);
}

/* ---- What python-chess says ------------------------------------------------------------------------------ */

typedef struct facts {
    size_t plies, moves;
    tby_result result;
    char fen[TBY_FEN_SIZE];
    uint64_t polyglot;
    tby_game_read read;
} facts;

static void facts_of(facts *f, const tby_game *game, unsigned fen_flags)
{
    tby_position pos;
    tby_node last = TBY_ROOT;
    while (tby_game_child(game, last) != TBY_NO_NODE)
        last = tby_game_child(game, last);
    f->plies = tby_game_main_line(game, NULL, 0);
    f->moves = tby_game_n_nodes(game) - 1;
    f->result = tby_game_result(game);
    tby_game_position(game, last, &pos);
    tby_fen_write_position(f->fen, sizeof f->fen, &pos, fen_flags);
    f->polyglot = tby_polyglot_key(&pos);
}

/* Games of a file in their order. */
typedef struct games {
    char name[256];
    unsigned number; /* of the last one read */
    text source;
    tby_pgn *pgn;
    tby_game *game;
} games;

static void open_games(games *g, const char *part, const char *name)
{
    tby_pgn_free(g->pgn);
    snprintf(g->name, sizeof g->name, "%s", name);
    load(&g->source, part, name);
    g->pgn = reader_of(&g->source);
    g->number = 0;
    if (!g->game)
        g->game = new_game();
}

static bool seek_game(games *g, const char *part, const char *name, unsigned number, facts *f, unsigned fen_flags)
{
    if (strcmp(g->name, name) != 0 || g->number >= number)
        open_games(g, part, name);
    for (f->read = TBY_GAME_GOOD; g->number < number && f->read != TBY_GAME_END; g->number++)
        f->read = tby_game_read_pgn(g->game, g->pgn, NULL, NULL);
    facts_of(f, g->game, fen_flags);
    return f->read != TBY_GAME_END;
}

static void close_games(games *g)
{
    tby_pgn_free(g->pgn);
    tby_game_free(g->game);
    free(g->source.s);
}

/* file, encoding, game, plies, moves, errors, variant, result, final FEN, first error */
static void check_python(games *g, char *fields[FIELDS])
{
    const char *name = fields[0], *reason = difference(name, (unsigned)atoi(fields[2]), false);
    const unsigned number = (unsigned)atoi(fields[2]);
    facts f;
    char ours[512];
    if (strcmp(fields[5], "0") != 0)
        return;
    const bool is_there = seek_game(g, "pgn_edge", name, number, &f, TBY_FEN_EP_LEGAL | TBY_FEN_XFEN);
    const bool is_same = is_there && f.plies == (size_t)atoi(fields[3]) && f.moves == (size_t)atoi(fields[4]) &&
                         strcmp(tby_result_text(f.result), fields[7]) == 0 && strcmp(f.fen, fields[8]) == 0;
    snprintf(ours, sizeof ours, "%zu plies, %zu moves, %s, %s", f.plies, f.moves, tby_result_text(f.result), f.fen);
    count(is_same == !reason || difference(name, 0, true), name, number, "%s, python-chess: %s plies, %s moves, %s, %s",
          ours, fields[3], fields[4], fields[7], fields[8]);
    if (verbose && reason)
        printf("%s, game %u: %s, python-chess: %s plies, %s, %s: %s\n", name, number, ours, fields[3], fields[7],
               fields[8], reason);
}

/* n, id, variant, result, termination, plies, errors, final FEN, the same with every en passant square, ..., key */
static void check_oracle(games *g, char *fields[FIELDS])
{
    facts f;
    char key[20];
    const unsigned number = (unsigned)atoi(fields[0]);
    const bool is_there = seek_game(g, "games", "lichess_raw_1500.pgn", number, &f, 0);
    snprintf(key, sizeof key, "%016llx", (unsigned long long)f.polyglot);
    count(is_there && f.read == TBY_GAME_GOOD, g->name, number, "is not read");
    count(f.plies == (size_t)atoi(fields[5]), g->name, number, "%zu plies for %s", f.plies, fields[5]);
    count(strcmp(tby_result_text(f.result), fields[3]) == 0, g->name, number, "%s", fields[3]);
    count(strcmp(f.fen, fields[8]) == 0, g->name, number, "%s for %s", f.fen, fields[8]);
    count(strcmp(key, fields[17]) == 0, g->name, number, "key %s for %s", key, fields[17]);
}

static void run_table(const char *part, const char *name, size_t n_head, size_t n_fields,
                      void (*check)(games *g, char *fields[FIELDS]))
{
    text table = {NULL, 0, 0};
    games g;
    memset(&g, 0, sizeof g);
    load(&table, part, name);
    char *at = table.s;
    for (char *line; (line = next_line(&at)) != NULL;) {
        char *fields[FIELDS];
        if (n_head > 0)
            n_head--;
        else if (split(line, fields) >= n_fields)
            check(&g, fields);
    }
    close_games(&g);
    free(table.s);
}

/* ---- One-line cases -------------------------------------------------------------------------------------- */

/* The value of a string of flat JSON, escapes resolved except \u. NULL if there is none. */
static char *json_string(char *line, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\": \"", name);
    char *at = strstr(line, key);
    if (!at)
        return NULL;
    char *value = at + strlen(key), *out = value;
    for (at = value; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1] && at[1] != 'u') {
            at++;
            *out++ = *at == 'n' ? '\n' : *at == 'r' ? '\r' : *at == 't' ? '\t' : *at;
        } else
            *out++ = *at;
    }
    *out = '\0';
    return value;
}

static void run_inline_cases(void)
{
    static const char name[] = "inline_cases.jsonl";
    text file = {NULL, 0, 0};
    tby_game *game = new_game(), *other = new_game();
    load(&file, "pgn_edge", name);
    char *at = file.s;
    unsigned number = 1;
    for (char *line; (line = next_line(&at)) != NULL; number++) {
        const char *plies = strstr(line, "\"mainline_plies\": ");
        const int expected = plies && plies[18] != 'n' ? atoi(plies + 18) : -1;
        text source = {json_string(line, "pgn"), 0, 0}, written = {NULL, 0, 0};
        if (!source.s)
            continue;
        source.n = strlen(source.s);
        tby_pgn *pgn = reader_of(&source);
        const tby_game_read read = tby_game_read_pgn(game, pgn, NULL, NULL);
        const size_t n = tby_game_main_line(game, NULL, 0);
        const bool is_same = expected < 0 || (read == TBY_GAME_GOOD && n == (size_t)expected);
        count(is_same == !difference(name, number, false), name, number, "%zu plies for %d: %s", n, expected, source.s);
        check_alone(game, other, name, number, &written);
        tby_pgn_free(pgn);
        free(written.s);
    }
    free(file.s);
    tby_game_free(game);
    tby_game_free(other);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--verbose") == 0)
            verbose = true;
        else
            folder = argv[i];
    if (!folder || *folder == '-') {
        fprintf(stderr, "usage: pgn_corpus [--verbose] FOLDER\n");
        return 2;
    }
    run_folder("pgn_edge", NULL, ".tsv.jsonl", false);
    run_table("pgn_edge", "expected_python_chess.tsv", 2, 9, check_python);
    run_inline_cases();
    run_folder("games", ".pgn", NULL, true);
    run_table("games", "lichess_raw_1500.oracle.tsv", 1, 18, check_oracle);
    if (n_passed + n_failed == 0) {
        fprintf(stderr, "pgn_corpus: no files in %s\n", folder);
        return 77;
    }
    printf("%zu passed, %zu failed\n", n_passed, n_failed);
    return n_failed != 0;
}
