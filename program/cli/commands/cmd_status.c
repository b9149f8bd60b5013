/*
 * cmd_status.c - tabiya status: all that the rules say about one position.
 */
#include "commands.h"
#include "status_text.h"

enum { OPT_ANY, OPT_CHESS960, OPT_JSON, OPT_STRICT };

static const option options[] = {
    [OPT_ANY] = OPTION_ANY,
    [OPT_CHESS960] = OPTION_CHESS960,
    [OPT_JSON] = {"json", 0, NULL, NULL, "write one JSON object a line"},
    [OPT_STRICT] = OPTION_STRICT,
    {0},
};

static const example examples[] = {
    {"tabiya status", "How things stand at the start."},
    {"tabiya status '7k/5KQ1/8/8/8/8/8/8 b - - 0 1'", "Checkmate."},
    {"tabiya status 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "Not a legal position, and why: the exit code is 1."},
    {"tabiya convert --from san --to fen '1. e4 c5' | tabiya status -", "The name of an opening."},
    {"tabiya status --json - < positions.txt", "Many positions, for another program."},
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
        out_bytes(text.s, text.n);
        buffer_free(&text);
    } else {
        status_write_text(&s);
    }
    return s.legal ? EXIT_YES : EXIT_NO;
}

static int run(const args *a) { return fen_each(a, 0, print_status); }

const command cmd_status = {
    .name = "status",
    .words = "[FEN]",
    .summary = "show what the rules say about a position",
    .description =
        "Says whether a position is legal, with every reason why not, and what the rules say about it: check, "
        "checkmate, stalemate, material too weak to mate, dead position (no sequence of moves can lead to mate), the "
        "fifty and seventy-five move rules, the outcome, the number of legal moves, the name of the opening "
        "if the position has one, and three keys.\n\n"
        "A position that no game leads to but that can be played on is not legal, unless --any is given, but is "
        "described all the same. If a castling right or the en passant square contradicts the board, the position is "
        "described without it.\n\n" FEN_HELP_STDIN
        " Each has its block, or its line of JSON; that of a FEN which cannot be read is empty, or null.",
    .exits = "0  a legal position\n1  not a legal position\n2  a FEN was unreadable",
    .options = options,
    .examples = examples,
    .run = run,
};
