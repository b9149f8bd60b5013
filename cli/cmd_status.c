/*
 * cmd_status.c - tabiya status: all that the rules say about one position.
 *
 * The FEN is read raw, so that castling rights and en passant squares that the board does not bear out are shown as
 * faults instead of being dropped.
 */
#include "commands.h"
#include "common.h"
#include "status.h"

#include <stdlib.h>

enum { OPT_ANY, OPT_CHESS960, OPT_JSON };

static const option options[] = {
    [OPT_ANY] = OPTION_ANY,
    [OPT_CHESS960] = OPTION_CHESS960,
    [OPT_JSON] = {"json", 0, NULL, NULL, "write one JSON object a line"},
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

static tby_verdict dead_position(const tby_position *pos)
{
    size_t size = (size_t)TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE;
    void *memory = memory_new(size, 1);
    tby_verdict dead = tby_dead_position(pos, memory, size);
    free(memory);
    return dead;
}

/* The library's answer knows dead positions by material only; the search above may know more. Reasons are numbered in
   the order in which they count. */
static tby_outcome outcome_of(const tby_position *pos, tby_verdict dead)
{
    tby_outcome outcome = tby_outcome_of(pos, NULL, 0, false);
    if (dead == TBY_YES && (outcome.reason == TBY_REASON_NONE || outcome.reason > TBY_DEAD_POSITION))
        outcome = (tby_outcome){TBY_DRAW, TBY_DEAD_POSITION};
    return outcome;
}

static void ask_rules(status *s)
{
    const tby_position *pos = &s->position;
    const tby_board *board = &s->setup.board;
    s->n_moves = tby_moves_count(pos);
    s->check = tby_position_is_check(pos);
    s->checkmate = tby_position_is_checkmate(pos);
    s->stalemate = tby_position_is_stalemate(pos);
    s->insufficient[TBY_WHITE] = tby_material_is_insufficient(board, TBY_WHITE);
    s->insufficient[TBY_BLACK] = tby_material_is_insufficient(board, TBY_BLACK);
    s->insufficient_both = tby_material_is_draw(board);
    s->dead = dead_position(pos);
    s->fifty = tby_move_clock_is_fifty(pos);
    s->seventy_five = tby_move_clock_is_seventy_five(pos);
    s->outcome = outcome_of(pos, s->dead);
    tby_opening_of(&s->opening, pos);
}

static int print_status(const args *a, const fen_input *fen)
{
    status s = {0};
    unsigned flags = TBY_FEN_RAW | (args_has(a, OPT_CHESS960) ? TBY_FEN_CHESS960 : 0);
    tby_faults allowed = args_has(a, OPT_ANY) ? TBY_FAULTS_UNREACHABLE : 0;
    if (!setup_read(&s.setup, fen, flags, &s.warnings))
        return EXIT_FAILED;
    s.faults = tby_setup_faults(&s.setup);
    s.legal = !(s.faults & ~allowed);
    s.playable = tby_position_init(&s.position, &s.setup, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK;
    if (s.playable)
        ask_rules(&s);
    if (args_has(a, OPT_JSON)) {
        status_write_json(&s);
    } else {
        out_string(fen->index > 0 ? "\n" : "");
        status_write_text(&s);
    }
    return s.legal ? EXIT_YES : EXIT_NO;
}

static int run(const args *a) { return fen_each(a, 0, print_status); }

const command cmd_status = {
    .name = "status",
    .words = "[FEN]",
    .summary = "tell how things stand in a position",
    .description =
        "Tells whether a position is legal, with every reason why not, and what the rules say about it: check, "
        "checkmate, stalemate, material too weak to mate, dead position (no sequence of moves can lead to mate), the "
        "fifty and seventy-five move rules, the outcome, the number of legal moves, the name of the opening "
        "if the position has one, and three keys.\n\n"
        "A position that no game leads to but that can be played on is not legal, unless --any is given, and is told "
        "about all the same.\n\n" FEN_HELP_STDIN,
    .exits = "0  a legal position\n1  not a legal position\n2  a FEN was unreadable",
    .options = options,
    .examples = examples,
    .run = run,
};
