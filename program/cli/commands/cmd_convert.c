/*
 * cmd_convert.c - tabiya convert: any notation to any other. See convert.h for its files.
 */
#include "commands.h"
#include "console.h"
#include "convert.h"
#include "copies.h"
#include "job.h"
#include "os/file.h"
#include "os/terminal.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_ALL,
    OPT_APPEND,
    OPT_CHESS960,
    OPT_FROM,
    OPT_GAMES,
    OPT_LOSSY,
    OPT_OUTPUT,
    OPT_START,
    OPT_STRICT,
    OPT_THREADS,
    OPT_TO,
    OPT_VERBOSE
};

static const option options[] = {
    [OPT_ALL] = {"all", 0, NULL, NULL, "write every position of a line or game, not only the last"},
    [OPT_APPEND] = {"append", 0, NULL, NULL, "append to the file named by -o"},
    [OPT_CHESS960] = {OPTION_CHESS960},
    [OPT_FROM] = {"from", 0, "NOTATION", "@read|@lines|@games", "notation of the input (default: detected)"},
    [OPT_GAMES] = {"games", 0, "RANGE", NULL,
                   "convert only these games of each input, by number: 17, 10..20, 10..; CMBR files skip the others "
                   "without decoding them"},
    [OPT_LOSSY] = {"lossy", 0, NULL, NULL,
                   "leave out what the new notation cannot hold, and write games with a fault up to the fault; losses "
                   "are counted on standard error"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output"},
    [OPT_START] = {"start", 0, "FEN", NULL, "start lines of moves from this position"},
    [OPT_STRICT] = {"strict", 0, NULL, NULL,
                    "accept FEN, EPD and SAN only exactly as their standards define them, without repairs"},
    [OPT_THREADS] = {OPTION_THREADS},
    [OPT_TO] = {"to", 0, "NOTATION", "@written|@lines|@games", "notation of the output"},
    [OPT_VERBOSE] = {"verbose", 'v', NULL, NULL, "report which notation was detected"},
    {0},
};

static const example examples[] = {
    {"tabiya convert --to uci '1. e4 e5 2. Nf3 Nc6'", "Writes a line of moves as engines expect it."},
    {"tabiya convert --to boardinfo 8/8/4k3/8/4P3/4K3/8/8 w - - 0 1", "Converts a position."},
    {"tabiya convert --to uci games.pgn.zst -o games.uci", "Writes the moves of every game, one game per line."},
    {"tabiya convert --to fen games.pgn", "Writes the final position of every game."},
    {"tabiya convert --to fen --all '1. e4 c5 2. Nf3'", "Writes every position of a line."},
    {"tabiya convert --to cmbr games.pgn -o games.cmbr", "Stores games in a compact file without losing anything."},
    {"tabiya convert --to pgn --games 17 games.cmbr", "Extracts one game."},
    {0},
};

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

static void result_free(void *memory)
{
    result_clear(memory);
    free(memory);
}

static bool next_line(void *p, const char **s, size_t *n) { return part_line(p, s, n); }
static void hand_over(void *p) { part_flush(p); }

static void work(void *context, part *p)
{
    conversion_text text = {.context = p, .read = part_read, .line = next_line, .hand_over = hand_over};
    memory_need(convert_part(context, &text, p->result));
    p->n_lines = text.n_lines;
    p->n_games = text.n_games;
}

static void merge_result(void *context, part *p)
{
    conversion *c = context;
    conversion_result *res = p->result;
    const bool is_picture = c->to.kind == KIND_POSITION && !c->to.position->one_line;
    const size_t skipped = is_picture && !c->has_output && res->out.n; /* the empty line before the first */
    if (res->n_failed)
        exit_note(EXIT_FAILED);
    if (res->out.n) {
        progress_make_room();
        out_bytes(res->out.s + skipped, res->out.n - skipped);
        c->has_output = true;
    }
    notes_print(&res->notes, p->lines_before, p->games_before);
    c->n_failed += res->n_failed;
    for (size_t i = 0; i < res->lost.n; i++)
        losses_add(&c->lost, res->lost.list[i].what, res->lost.list[i].n);
    res->out.n = 0;
    res->n_failed = 0;
    res->lost = (losses){0};
    report_clear(&res->notes);
}

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

/* Games can be counted only if the input is not split into parts. */
static size_t (*cut_of(const conversion *c))(const char *, size_t)
{
    if (c->from.kind == KIND_GAME)
        return takes_all_games(c) ? c->from.game->last_boundary : NULL;
    return c->from.kind == KIND_POSITION && !c->from.position->one_line ? NULL : cut_at_line;
}

/* `path` is NULL for text on the command line. */
static bool choose_notation(conversion *c, const args *a, input *in, const char *path)
{
    const char *from = args_value(a, OPT_FROM);
    size_t n;
    if (from)
        return notation_find(&c->from, from, strlen(from));
    const char *s = input_peek(in, &n);
    tby_likeness likeness;
    const tby_game_notation *game = input_guess(in, &likeness);
    if (!notation_guess(&c->from, (span){s, n}, game, likeness, &c->start)) {
        if (path)
            error_print("%s: cannot detect the notation; use --from", input_name(in));
        else
            error_print("\"%.*s%s\": no such file, and no notation matches this text", n > 60 ? 60 : (int)n, s,
                        n > 60 ? "..." : "");
        return false;
    }
    if (args_has(a, OPT_VERBOSE))
        error_print("%s%sread as %s", input_name(in), path ? ": " : "", c->from.name);
    return true;
}

static bool has_games(const conversion *c, const input *in)
{
    if (takes_all_games(c) || c->from.kind == KIND_GAME)
        return true;
    error_print("%s%s--games needs games, but this is read as %s", input_name(in), *input_name(in) ? ": " : "",
                c->from.name);
    return false;
}

/* An input that cannot be used affects only the exit code; -o FILE then stays as it was. */
static bool convert_input(conversion *c, const args *a, input *in, const char *path)
{
    job j = {
        .context = c,
        .result_size = sizeof(conversion_result),
        .result_free = result_free,
        .work = work,
        .merge = merge_result,
    };
    bool is_good = in && choose_notation(c, a, in, path) && has_games(c, in);
    if (is_good) {
        j.cut = cut_of(c);
        c->name = input_name(in);
        is_good = job_run(in, threads_read(a, OPT_THREADS), &j);
    } else if (in) {
        input_close(in);
    }
    if (!is_good)
        input_incomplete();
    return is_good;
}

static bool is_input(const char *word) { return input_is_file(word) || tby_db_is_server(word); }

/* Arguments that are not files or servers are text. Those without spaces belong together, like the fields of a FEN or the moves of
   a line, even if one of them is "-"; one with spaces is a complete text. Returns how many were taken. */
static size_t take_text(buffer *text, const args *a, size_t first)
{
    size_t i = first;
    text->n = 0;
    do {
        if (i > first)
            buffer_string(text, " ");
        buffer_string(text, a->words[i]);
    } while (!strpbrk(a->words[i++], " \t\n") && i < a->n_words && !is_input(a->words[i]) &&
             !strpbrk(a->words[i], " \t\n"));
    return i - first;
}

static bool convert_inputs(conversion *c, const args *a)
{
    bool is_good = true;
    buffer text = {0};
    for (size_t i = 0; i < a->n_words;) {
        if (strcmp(a->words[i], "-") == 0 || is_input(a->words[i])) {
            is_good &= convert_input(c, a, input_open(a->words[i]), a->words[i]);
            i++;
        } else {
            i += take_text(&text, a, i);
            is_good &= convert_input(c, a, memory_got(input_open_text(text.s, text.n)), NULL);
        }
    }
    buffer_free(&text);
    return is_good;
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static void read_start(conversion *c, const args *a)
{
    const char *start = args_value(a, OPT_START);
    tby_position_start(&c->start);
    if (!start)
        return;
    const fen_input fen = {.s = start, .n = strlen(start)};
    if (!position_read(&c->start, &fen, fen_flags(a, OPT_CHESS960, OPT_STRICT), TBY_FAULTS_UNREACHABLE))
        exit(EXIT_FAILED);
}

/* ---- Appending -------------------------------------------------------------------------------------------------- */

/* The file must have the notation of what is appended to it. */
static void check_old_output(const conversion *c, const char *path)
{
    tby_likeness likeness;
    input *in = input_open(path);
    if (!in)
        exit(EXIT_FAILED);
    const tby_game_notation *found = input_guess(in, &likeness);
    const bool has_header = c->to.game && c->to.game->write_header;
    const bool fits = found == c->to.game ? !has_header || likeness == TBY_CERTAIN
                                          : likeness < TBY_LIKELY && !has_header;
    const bool is_packed = input_is_packed(in);
    input_close(in);
    if (is_packed)
        error_exit("convert: cannot append to %s, which is compressed", path);
    if (!fits)
        error_exit("convert: cannot append to %s, which does not contain %s", path, c->to.name);
}

/* The last byte of the file; EOF if there is none. */
static int last_byte(const char *path)
{
    FILE *file = os_open_stream(path, "r");
    const int byte = file && fseek(file, -1, SEEK_END) == 0 ? fgetc(file) : EOF;
    if (file)
        fclose(file);
    return byte;
}

/* True if the file already has a header. */
static bool append_output(const conversion *c, const char *path)
{
    const int last = last_byte(path);
    if (last != EOF)
        check_old_output(c, path);
    out_append(path);
    if (last != EOF && last != '\n' && !(c->to.game && c->to.game->is_binary))
        out_string("\n");
    return last != EOF;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static void begin_output(conversion *c, const args *a)
{
    const char *path = args_value(a, OPT_OUTPUT);
    const tby_game_notation *game = c->to.game;
    refuse_overwriting(path, a);
    if (game && game->is_binary && !path && os_is_terminal(stdout))
        error_exit("convert: refusing to write binary %s to a terminal; use -o FILE", c->to.name);
    if (args_has(a, OPT_APPEND) && !path)
        error_exit("convert: --append needs -o FILE");
    if (args_has(a, OPT_APPEND))
        c->has_output = append_output(c, path);
    else
        out_open(path);
    if (game && game->write_header && !c->has_output)
        game->write_header(out_sink, NULL);
}

static int convert_run(const args *a)
{
    conversion c = {
        .is_lossy = args_has(a, OPT_LOSSY), .first_game = 1, .last_game = UINT64_MAX, .result_size = PART_RESULT_SIZE};
    const char *to = args_value(a, OPT_TO);
    if (!to)
        error_exit("convert: --to NOTATION is missing; try --help");
    if (a->n_words == 0)
        error_exit("convert: nothing to convert; give a text, a file, or - for standard input");
    notation_find(&c.to, to, strlen(to)); /* one of the option's choices */
    c.flags = (args_has(a, OPT_CHESS960) ? (unsigned)TBY_NOTATION_CHESS960 : 0) |
              (args_has(a, OPT_STRICT) ? (unsigned)TBY_NOTATION_STRICT : 0);
    c.takes_all_positions = args_has(a, OPT_ALL);
    if (c.takes_all_positions && c.to.kind != KIND_POSITION)
        error_exit("convert: --all needs a notation of positions, such as --to fen");
    if (args_has(a, OPT_GAMES)) {
        const range games = range_read("convert: --games", args_value(a, OPT_GAMES));
        c.first_game = games.low;
        c.last_game = games.high;
    }
    read_start(&c, a);
    begin_output(&c, a);
    const bool is_good = convert_inputs(&c, a);
    for (size_t i = 0; i < c.lost.n; i++)
        error_print("lost: %.*s (%" PRIu64 ")", (int)strcspn(c.lost.list[i].what, ":"), c.lost.list[i].what,
                    c.lost.list[i].n);
    return is_good && c.n_failed == 0 ? EXIT_YES : EXIT_FAILED;
}

const command cmd_convert = {
    .name = "convert",
    .group = GROUP_POSITIONS,
    .words = "--to NOTATION [INPUT]...",
    .summary = "convert positions, moves and games between notations",
    .description =
        "INPUT is a file (which may be compressed with gzip or zstd), - for standard input, or the text itself, in one "
        "or several arguments.\n\nPositions: @positions; diagrams: @diagrams. Lines of moves: @lines; san has move "
        "numbers and the result. Games: @games. A game or line can be written as its final position, a position as a "
        "game without moves.\n\nPositions and lines are converted line by line. One that fails is reported on standard "
        "error with its location, and leaves an empty line; a game that fails is left out. Conversion fails if the new "
        "notation cannot hold something: comments, NAGs, variations, null moves or another starting position in a line "
        "of moves, underpromotions in base64-moves, a half-move clock over 63 in base64. Tags in a line and moves in a "
        "position are left out silently.",
    .exits = "0  done\n2  something could not be read, converted or written",
    .options = options,
    .examples = examples,
    .run = convert_run,
};
