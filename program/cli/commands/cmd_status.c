/*
 * cmd_status.c - tabiya status: everything the rules say about a position.
 */
#include "commands.h"
#include "status_text.h"

enum { OPT_ANY, OPT_CHESS960, OPT_JSON, OPT_STRICT };

static const option options[] = {
    [OPT_ANY] = OPTION_ANY,
    [OPT_CHESS960] = OPTION_CHESS960,
    [OPT_JSON] = {"json", 0, NULL, NULL, "print one JSON object per line"},
    [OPT_STRICT] = OPTION_STRICT,
    {0},
};

static const example examples[] = {
    {"tabiya status", "Describes the start position."},
    {"tabiya status '7k/5KQ1/8/8/8/8/8/8 b - - 0 1'", "Describes a checkmate."},
    {"tabiya status 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "Explains why a position is not legal; the exit code is 1."},
    {"tabiya convert --from san --to fen '1. e4 c5' | tabiya status -", "Names the opening."},
    {"tabiya status --json - < positions.txt", "Describes many positions as JSON."},
    {0},
};

static int print_status(const args *a, const fen_input *fen)
{
    status s;
    problem p = {0};
    const bool is_json = args_has(a, OPT_JSON);
    if (!is_json && fen->index > 0)
        out_string("\n");
    if (!status_read(&s, (span){fen->s, fen->n}, fen_flags(a, OPT_CHESS960, OPT_STRICT),
                     args_has(a, OPT_ANY) ? TBY_FAULTS_UNREACHABLE : 0, &p)) {
        fen_refuse(fen, &p);
        if (is_json && fen->line)
            out_string("null\n");
        return EXIT_FAILED;
    }
    if (is_json) {
        buffer text = {0};
        status_write_json(&text, &s);
        out_buffer(&text);
    } else {
        status_write_text(&s);
    }
    return s.legal ? EXIT_YES : EXIT_NO;
}

static int status_run(const args *a) { return fen_each(a, 0, print_status); }

const command cmd_status = {
    .name = "status",
    .group = GROUP_POSITIONS,
    .words = "[FEN]",
    .summary = "show what the rules say about a position",
    .description =
        "Says whether a position is legal, with every reason why not, and what the rules say about it: check, "
        "checkmate, stalemate, insufficient material, dead position (no sequence of moves can lead to mate), the "
        "fifty-move and seventy-five-move rules, the outcome, the number of legal moves, the name of the opening if "
        "the position has one, and three keys.\n\nA position that can be played but cannot arise in a game is not "
        "legal without --any, but is described all the same. If a castling right or the en passant square contradicts "
        "the board, the position is described without it.\n\n" FEN_HELP_STDIN
        " Each gives one block, or one line of JSON; for a FEN that cannot be read it is empty, or null.",
    .exits = "0  the position is legal\n1  the position is not legal\n2  a FEN is unreadable",
    .options = options,
    .examples = examples,
    .run = status_run,
};
