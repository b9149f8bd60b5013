/*
 * cmd_moves.c - tabiya moves: the legal moves, one per line, in the order of the tree of chess.
 */
#include "commands.h"
#include "console.h"

#include <string.h>

enum { OPT_ANY, OPT_CHESS960, OPT_STRICT, OPT_TO };

static const option options[] = {
    [OPT_ANY] = {OPTION_ANY},
    [OPT_CHESS960] = {OPTION_CHESS960},
    [OPT_STRICT] = {OPTION_STRICT},
    [OPT_TO] = {"to", 0, "NOTATION", "@moves",
                "notation of the moves: @moves (default: san); short writes - for an only move"},
    {0},
};

static const example examples[] = {
    {"tabiya moves", "Lists White's twenty first moves."},
    {"tabiya moves --to uci 8/P6k/8/8/8/8/8/K7 w - - 0 1", "Lists moves as engines write them."},
    {"cut -f1 positions.tsv | tabiya moves -", "Lists the moves of many positions, separated by empty lines."},
    {0},
};

/* False if the notation cannot represent the move; its line is then empty. */
static bool print_move(const tby_move_notation *to, const tby_position *pos, tby_move m, unsigned flags)
{
    char text[TBY_SAN_SIZE], error[TBY_ERROR_SIZE], san[TBY_SAN_SIZE];
    tby_error err = {.status = TBY_OK};
    to->write(text, sizeof text, pos, m, flags, &err);
    if (err.status == TBY_OK) {
        out_printf("%s\n", text);
        return true;
    }
    tby_san_write(san, sizeof san, pos, m);
    tby_error_write(error, sizeof error, &err);
    out_string("\n");
    error_print("%s: %s: %s", to->name, san, error);
    return false;
}

static int print_moves(const args *a, const fen_input *fen)
{
    tby_position pos;
    tby_move moves[TBY_MOVES_MAX];
    const char *name = args_has(a, OPT_TO) ? args_value(a, OPT_TO) : "san";
    const tby_move_notation *to = tby_move_notation_find(name, strlen(name));
    bool is_good = true;
    if (fen->index > 0)
        out_string("\n");
    if (!position_read(&pos, fen, fen_flags(a, OPT_CHESS960, OPT_STRICT),
                       args_has(a, OPT_ANY) ? TBY_FAULTS_UNREACHABLE : 0))
        return EXIT_FAILED;
    size_t n = tby_moves_list(moves, &pos);
    tby_moves_sort(moves, n);
    for (size_t i = 0; i < n; i++)
        is_good &= print_move(to, &pos, moves[i], args_has(a, OPT_CHESS960) ? TBY_NOTATION_CHESS960 : 0);
    return is_good ? EXIT_YES : EXIT_FAILED;
}

static int moves_run(const args *a) { return fen_each(a, 0, print_moves); }

const command cmd_moves = {
    .name = "moves",
    .group = GROUP_POSITIONS,
    .words = "[FEN]",
    .summary = "list the legal moves of a position",
    .description = "Lists the legal moves, one per line, in the order of the tree of chess: by origin square (a8, b8 "
                   "... h8, a7 ... h1), then target square, then promotion (B N Q R). Nothing is listed when the game "
                   "is over.\n\nSeveral FENs give one block each, separated by empty lines; the block of a FEN that "
                   "cannot be used is empty.\n\n" FEN_HELP_STDIN,
    .exits = "0  done\n2  a FEN is unreadable or not a legal position, or a move cannot be written",
    .options = options,
    .examples = examples,
    .run = moves_run,
};
