/*
 * cmd_moves.c - tabiya moves: the legal moves, one a line, in the order of the tree of chess.
 */
#include "commands.h"
#include "common.h"

#include <string.h>

enum { OPT_ANY, OPT_CHESS960, OPT_TO };

static const option options[] = {
    [OPT_ANY] = OPTION_ANY,
    [OPT_CHESS960] = OPTION_CHESS960,
    [OPT_TO] = {"to", 0, "NOTATION", "san|uci|lan",
                "write moves as san (Nf3, the default), uci (g1f3) or lan (Ng1-f3)"},
    {0},
};

static const example examples[] = {
    {"tabiya moves", "The twenty first moves."},
    {"tabiya moves --to uci 8/P6k/8/8/8/8/8/K7 w - - 0 1", "Promotions in the notation of chess engines."},
    {"cut -f1 positions.tsv | tabiya moves -", "The moves of many positions, parted by empty lines."},
    {0},
};

static size_t move_write(char *buf, size_t cap, const args *a, const tby_position *pos, tby_move m)
{
    const char *to = args_value(a, OPT_TO);
    if (to && strcmp(to, "uci") == 0)
        return tby_uci_write(buf, cap, pos, m, args_has(a, OPT_CHESS960) ? TBY_UCI_CHESS960 : 0);
    if (to && strcmp(to, "lan") == 0)
        return tby_lan_write(buf, cap, pos, m);
    return tby_san_write(buf, cap, pos, m);
}

static int print_moves(const args *a, const fen_input *fen)
{
    tby_position pos;
    tby_move moves[TBY_MOVES_MAX];
    char text[TBY_SAN_SIZE];
    if (!position_read(&pos, fen, args_has(a, OPT_CHESS960) ? TBY_FEN_CHESS960 : 0,
                       args_has(a, OPT_ANY) ? TBY_FAULTS_UNREACHABLE : 0))
        return EXIT_FAILED;
    size_t n = tby_moves_list(moves, &pos);
    tby_moves_sort(moves, n);
    if (fen->index > 0)
        out_string("\n");
    for (size_t i = 0; i < n; i++) {
        move_write(text, sizeof text, a, &pos, moves[i]);
        out_printf("%s\n", text);
    }
    return EXIT_YES;
}

static int run(const args *a) { return fen_each(a, 0, print_moves); }

const command cmd_moves = {
    .name = "moves",
    .words = "[FEN]",
    .summary = "list the legal moves of a position",
    .description = "Lists the legal moves, one a line, in the order of the tree of chess: by the square moved from "
                   "(a8, b8 ... h8, a7 ... h1), then the square moved to, then the promotion (B N Q R). "
                   "Nothing is listed when the game is over.\n\n" FEN_HELP_STDIN,
    .exits = "0  done\n2  a FEN was unreadable or is no legal position",
    .options = options,
    .examples = examples,
    .run = run,
};
