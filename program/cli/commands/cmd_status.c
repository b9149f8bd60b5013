/*
 * cmd_status.c - tabiya status: everything the rules say about a position.
 */
#include "commands.h"
#include "console.h"
#include "status.h"

#include <inttypes.h>

enum { OPT_ANY, OPT_CHESS960, OPT_JSON, OPT_STRICT };

static const option options[] = {
    [OPT_ANY] = {OPTION_ANY},
    [OPT_CHESS960] = {OPTION_CHESS960},
    [OPT_JSON] = {"json", 0, NULL, NULL, "print one JSON object per line"},
    [OPT_STRICT] = {OPTION_STRICT},
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

/* ---- For people: a name and a value on each line ----------------------------------------------------------------- */

enum { NAME_COLUMN = 23 };

static void line(const char *name, const char *value) { out_printf("%-*s%s\n", NAME_COLUMN, name, value); }

static void line_bool(const char *name, bool value) { line(name, value ? "yes" : "no"); }

static void line_two(const char *name, const char *first, const char *between, const char *second)
{
    out_printf("%-*s%s%s%s\n", NAME_COLUMN, name, first, between, second);
}

static void line_key(const char *name, uint64_t key) { out_printf("%-*s%016" PRIx64 "\n", NAME_COLUMN, name, key); }

static void rules_lines(const status *s)
{
    static const char *const verdicts[] = {[TBY_NO] = "no", [TBY_YES] = "yes", [TBY_UNKNOWN] = "unknown"};
    const tby_reason reason = s->outcome.reason;
    out_printf("%-*s%zu\n", NAME_COLUMN, "legal moves", s->n_moves);
    line_bool("check", s->check);
    line_bool("checkmate", s->checkmate);
    line_bool("stalemate", s->stalemate);
    line("insufficient material", s->insufficient_both         ? "both"
                                  : s->insufficient[TBY_WHITE] ? "white"
                                  : s->insufficient[TBY_BLACK] ? "black"
                                                               : "no");
    line("dead position", verdicts[s->dead]);
    line_bool("fifty moves", s->fifty);
    line_bool("seventy-five moves", s->seventy_five);
    line_two("outcome", tby_result_text(s->outcome.result), reason == TBY_REASON_NONE ? "" : " ",
             reason == TBY_REASON_NONE ? "" : tby_reason_text(reason));
    if (s->opening.eco)
        line_two("opening", s->opening.eco, " ", s->opening.name);
}

static void print_text(const status *s)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write(fen, sizeof fen, &s->setup, 0);
    line("fen", fen);
    for (unsigned bit = 1; tby_fen_warning_name(bit); bit <<= 1)
        if (s->warnings & bit)
            line_two("warning", tby_fen_warning_name(bit), ": ", tby_fen_warning_text(bit));
    line("side to move", s->setup.side == TBY_WHITE ? "white" : "black");
    line_bool("legal", s->legal);
    for (unsigned bit = 0; bit < 32; bit++) {
        const tby_faults fault = s->faults & (tby_faults)1 << bit;
        if (fault)
            line_two("fault", tby_fault_name(fault), ": ", tby_fault_text(fault));
    }
    line_bool("playable", s->playable);
    if (s->playable)
        rules_lines(s);
    line_key("placement key", tby_placement_key(&s->setup.board));
    if (!s->playable)
        return;
    line_key("position key", tby_position_key(&s->position));
    line_key("polyglot key", tby_polyglot_key(&s->position));
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

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
        print_text(&s);
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
