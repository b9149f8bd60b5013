/*
 * status_text.c - tabiya status for people: a name and a value on each line.
 */
#include "status_text.h"

#include <inttypes.h>

enum { NAME_COLUMN = 23 };

static void line(const char *name, const char *value) { out_printf("%-*s%s\n", NAME_COLUMN, name, value); }

static void line_bool(const char *name, bool value) { line(name, value ? "yes" : "no"); }

static void line_number(const char *name, uint64_t value) { out_printf("%-*s%" PRIu64 "\n", NAME_COLUMN, name, value); }

static void line_key(const char *name, uint64_t key) { out_printf("%-*s%016" PRIx64 "\n", NAME_COLUMN, name, key); }

static void warning_lines(unsigned warnings)
{
    for (unsigned bit = 1; tby_fen_warning_name(bit); bit <<= 1)
        if (warnings & bit)
            out_printf("%-*s%s: %s\n", NAME_COLUMN, "warning", tby_fen_warning_name(bit), tby_fen_warning_text(bit));
}

static void fault_lines(tby_faults faults)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        tby_faults fault = faults & (tby_faults)1 << bit;
        if (fault)
            out_printf("%-*s%s: %s\n", NAME_COLUMN, "fault", tby_fault_name(fault), tby_fault_text(fault));
    }
}

static void outcome_line(tby_outcome outcome)
{
    if (outcome.reason == TBY_REASON_NONE)
        line("outcome", tby_result_text(outcome.result));
    else
        out_printf("%-*s%s %s\n", NAME_COLUMN, "outcome", tby_result_text(outcome.result),
                   tby_reason_text(outcome.reason));
}

static const char *insufficient_text(const status *s)
{
    if (s->insufficient_both)
        return "both";
    if (s->insufficient[TBY_WHITE])
        return "white";
    return s->insufficient[TBY_BLACK] ? "black" : "no";
}

static void rules_lines(const status *s)
{
    static const char *const verdicts[] = {[TBY_NO] = "no", [TBY_YES] = "yes", [TBY_UNKNOWN] = "unknown"};
    line_number("legal moves", s->n_moves);
    line_bool("check", s->check);
    line_bool("checkmate", s->checkmate);
    line_bool("stalemate", s->stalemate);
    line("insufficient material", insufficient_text(s));
    line("dead position", verdicts[s->dead]);
    line_bool("fifty moves", s->fifty);
    line_bool("seventy-five moves", s->seventy_five);
    outcome_line(s->outcome);
    if (s->opening.eco)
        out_printf("%-*s%s %s\n", NAME_COLUMN, "opening", s->opening.eco, s->opening.name);
}

void status_write_text(const status *s)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write(fen, sizeof fen, &s->setup, 0);
    line("fen", fen);
    warning_lines(s->warnings);
    line("side to move", s->setup.side == TBY_WHITE ? "white" : "black");
    line_bool("legal", s->legal);
    fault_lines(s->faults);
    line_bool("playable", s->playable);
    if (s->playable)
        rules_lines(s);
    line_key("placement key", tby_placement_key(&s->setup.board));
    if (!s->playable)
        return;
    line_key("position key", tby_position_key(&s->position));
    line_key("polyglot key", tby_polyglot_key(&s->position));
}
