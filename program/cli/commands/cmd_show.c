/*
 * cmd_show.c - tabiya show: draws a board as text, SVG or PNG. Any board can be shown, legal or not.
 */
#include "commands.h"
#include "console.h"
#include "open_input.h"
#include "os/process.h"
#include "os/temporary.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_ARROW, OPT_CHESS960, OPT_FLIP, OPT_GAME, OPT_LAST_MOVE, OPT_OUTPUT, OPT_PLY, OPT_SIZE, OPT_STRICT, OPT_TO };
enum { GREEN = 0x15781b, PIXELS = 360 };

static const option options[] = {
    [OPT_ARROW] =
        {"arrow", 0, "ARROW", NULL,
         "with --to svg and png: draw an arrow such as e2e4, or a circle such as e4; e2e4:cc0000 is red; repeatable"},
    [OPT_CHESS960] = {OPTION_CHESS960},
    [OPT_FLIP] = {"flip", 0, NULL, NULL, "show the board from Black's side"},
    [OPT_GAME] = {"game", 0, "N", NULL, "show a position from the N-th game of a file or database, instead of a FEN"},
    [OPT_LAST_MOVE] = {"last-move", 0, "UCI", NULL,
                       "with --to svg and png: highlight the two squares of a move such as e2e4"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output"},
    [OPT_PLY] = {"ply", 0, "N", NULL, "with --game: show the position after N half-moves (default: the last one)"},
    [OPT_SIZE] = {"size", 0, "N", NULL, "with --to svg and png: width and height in pixels (default: 360)"},
    [OPT_STRICT] = {OPTION_STRICT},
    [OPT_TO] = {"to", 0, "FORM", "ascii|unicode|svg|png",
                "letters or chess symbols for pieces (default: unicode on a UTF-8 terminal, else ascii), or an image: "
                "svg, or png, which needs the program rsvg-convert"},
    {0},
};

static const example examples[] = {
    {"tabiya show --flip", "Draws the start position from Black's side."},
    {"tabiya show --to svg --last-move e2e4 --arrow c7c5 -o e4.svg '1. e4'",
     "Draws an image with the last move and an arrow."},
    {"tabiya show games.db --game 17 --ply 45", "Draws a position from a game."},
    {"tabiya show --to png --size 600 -o board.png 1. e4 c5", "Writes a PNG image."},
    {0},
};

/* ---- Squares and arrows ----------------------------------------------------------------------------------------- */

static bool square_read(tby_square *out, const char *s)
{
    if (s[0] < 'a' || s[0] > 'h' || s[1] < '1' || s[1] > '8')
        return false;
    *out = TBY_SQUARE(s[0] - 'a', s[1] - '1');
    return true;
}

/* The move has been played already, so only its squares matter. */
static tby_move last_move_read(const char *s)
{
    tby_square from, to;
    size_t n = strlen(s);
    bool ok = square_read(&from, s) && square_read(&to, s + 2) && from != to;
    if (!ok || n > 5 || (n == 5 && !strchr("bnrq", s[4])))
        error_exit("show: --last-move must be a move such as e2e4, not \"%s\"", s);
    return TBY_MOVE(from, to, 0);
}

static tby_arrow arrow_read(const char *s)
{
    tby_arrow arrow = {.rgb = GREEN};
    size_t n = strcspn(s, ":");
    bool ok = (n == 2 || n == 4) && square_read(&arrow.from, s) && square_read(&arrow.to, n == 4 ? s + 2 : s);
    if (!ok || (s[n] && (strlen(s + n + 1) != 6 || strspn(s + n + 1, "0123456789abcdefABCDEF") != 6)))
        error_exit("show: --arrow must look like e2e4, e4 or e2e4:cc0000, not \"%s\"", s);
    if (s[n])
        arrow.rgb = (uint32_t)strtoul(s + n + 1, NULL, 16);
    return arrow;
}

static size_t arrows_read(tby_arrow *arrows, const args *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n_given; i++)
        if (a->given[i].index == OPT_ARROW)
            arrows[n++] = arrow_read(a->given[i].value);
    return n;
}

/* ---- PNG: the SVG document passes through rsvg-convert, the program of librsvg ------------------------------------ */

/* It uses the program, not the library: librsvg depends on some thirty shared libraries, which every command would
   load at its start, and only `tabiya show --to png` needs them. */

/* An unnamed file with this text, so that the converter can read and write in any order. */
static FILE *temporary_file(const char *text, size_t n)
{
    FILE *f = os_temporary_stream();
    if (!f || fwrite(text, 1, n, f) != n || fflush(f) != 0 || fseek(f, 0, SEEK_SET) != 0)
        error_exit("show: cannot write a temporary file: %s", strerror(errno));
    return f;
}

static void write_png(buffer *out, const char *svg, size_t n)
{
    static const char *const arguments[] = {"rsvg-convert", "--format=png", NULL};
    FILE *document = temporary_file(svg, n), *image = temporary_file("", 0);
    const int code = os_run(arguments, document, image);
    if (code < 0 && errno)
        error_exit(
            "show: --to png needs the program rsvg-convert (%s); on Debian, install librsvg2-bin; or use --to svg",
            strerror(errno));
    fclose(document);
    rewind(image);
    if (!file_read(out, image, SIZE_MAX) || code != 0 || out->n == 0)
        error_exit("show: rsvg-convert failed; use --to svg instead");
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

/* The square of the king that is in check. */
static tby_square check_square(const tby_setup *setup)
{
    tby_position pos;
    if (tby_position_init(&pos, setup, TBY_FAULTS_UNREACHABLE, NULL) != TBY_OK || !tby_position_is_check(&pos))
        return TBY_NO_SQUARE;
    return (tby_square)__builtin_ctzll(tby_board_pieces(&setup->board, TBY_PIECE(setup->side, TBY_KING)));
}

static bool is_to(const args *a, const char *form)
{
    const char *to = args_value(a, OPT_TO);
    return to && strcmp(to, form) == 0;
}

static bool is_picture(const args *a) { return is_to(a, "svg") || is_to(a, "png"); }

static void print_picture(const args *a, const tby_setup *setup, const tby_game *game, tby_node node)
{
    const size_t n_noted = game ? tby_note_arrows(NULL, 0, game, node) : 0;
    tby_arrow *arrows = memory_new(a->n_given + n_noted, sizeof *arrows);
    const size_t n_given = arrows_read(arrows, a);
    const tby_move m = game && node != TBY_ROOT ? tby_game_move(game, node) : TBY_MOVE_NULL;
    const tby_move played = m == TBY_MOVE_NULL ? TBY_MOVE_NONE : m;
    if (n_noted)
        tby_note_arrows(arrows + n_given, n_noted, game, node);
    const char *last_move = args_value(a, OPT_LAST_MOVE);
    tby_svg_options svg = {
        .flags = TBY_DIAGRAM_COORDINATES | (args_has(a, OPT_FLIP) ? TBY_DIAGRAM_BLACK_UP : 0),
        .pixels = (unsigned)option_number(a, OPT_SIZE, PIXELS, 40, 4000),
        .last_move = last_move ? last_move_read(last_move) : played,
        .check = check_square(setup),
        .arrows = arrows,
        .n_arrows = n_given + n_noted,
    };
    buffer drawn = {0}, png = {0};
    const size_t n = tby_svg_write(NULL, 0, &setup->board, &svg);
    drawn.n = tby_svg_write(buffer_room(&drawn, n + 1), n + 1, &setup->board, &svg);
    out_open(args_value(a, OPT_OUTPUT));
    if (is_to(a, "png") && !args_has(a, OPT_OUTPUT) && out_is_terminal())
        error_exit("show: refusing to write a PNG image to a terminal; use -o FILE");
    if (is_to(a, "png")) {
        write_png(&png, drawn.s, drawn.n);
        drawn.n = 0;
    }
    out_buffer(&png);
    out_buffer(&drawn);
    free(arrows);
}

/* The position after the move to a node of a game, or one without a game (NULL). */
static void print_board(const args *a, const tby_setup *setup, const tby_game *game, tby_node node)
{
    char text[TBY_DIAGRAM_SIZE];
    if (is_picture(a)) {
        print_picture(a, setup, game, node);
        return;
    }
    unsigned flags = TBY_DIAGRAM_COORDINATES | (args_has(a, OPT_FLIP) ? TBY_DIAGRAM_BLACK_UP : 0);
    bool unicode = args_has(a, OPT_TO) ? is_to(a, "unicode") : stdout_has_unicode();
    tby_diagram_write(text, sizeof text, &setup->board, flags | (unicode ? TBY_DIAGRAM_UNICODE : 0));
    out_open(args_value(a, OPT_OUTPUT));
    out_string(text);
}

static int show(const args *a, const fen_input *fen)
{
    tby_setup setup;
    const unsigned flags = TBY_FEN_RAW | fen_flags(a, OPT_CHESS960, OPT_STRICT);
    if (is_picture(a) && fen->index > 0)
        error_exit("show: --to %s draws one position only", args_value(a, OPT_TO));
    const bool is_read = setup_read(&setup, fen, flags, NULL);
    if (fen->index > 0) { /* an empty line between boards, also in place of one that cannot be read */
        out_open(args_value(a, OPT_OUTPUT));
        out_string("\n");
    }
    if (!is_read)
        return EXIT_FAILED;
    print_board(a, &setup, NULL, TBY_ROOT);
    return EXIT_YES;
}

/* The position of a game, with the move that led there. */
static int show_game(const args *a)
{
    if (a->n_words != 1)
        error_exit("show: --game needs one file or database");
    tby_game *game = one_game_read("show", a->words[0], option_number(a, OPT_GAME, 1, 1, LONG_MAX));
    const size_t n = tby_game_main_line(game, NULL, 0);
    const unsigned long ply = option_number(a, OPT_PLY, (unsigned long)n, 0, ULONG_MAX);
    tby_node node = TBY_ROOT;
    tby_position pos;
    tby_setup setup;
    if (ply > n)
        error_exit("show: the game has %zu %s, not %lu", n, plural(n, "half-move", "half-moves"), ply);
    for (unsigned long i = 0; i < ply; i++)
        node = tby_game_child(game, node);
    tby_game_position(game, node, &pos);
    tby_position_setup(&setup, &pos);
    print_board(a, &setup, game, node);
    tby_game_free(game);
    return EXIT_YES;
}

static int show_run(const args *a)
{
    if (!is_picture(a) && (args_has(a, OPT_ARROW) || args_has(a, OPT_LAST_MOVE) || args_has(a, OPT_SIZE)))
        error_exit("show: --arrow, --last-move and --size need --to svg or --to png");
    if (args_has(a, OPT_PLY) && !args_has(a, OPT_GAME))
        error_exit("show: --ply needs --game");
    return args_has(a, OPT_GAME) ? show_game(a) : fen_each(a, 0, show);
}

const command cmd_show = {
    .name = "show",
    .group = GROUP_POSITIONS,
    .words = "[FEN] | FILE|DB --game N",
    .summary = "draw a board as text, SVG or PNG",
    .description = "Draws the board, legal or not. In an image, a king in check is highlighted, and "
                   "the arrows and circles of a game's comments are drawn. An image shows a "
                   "single position.\n\n" FEN_HELP_STDIN,
    .exits = "0  done\n2  a FEN is unreadable, or writing failed",
    .options = options,
    .examples = examples,
    .run = show_run,
};
