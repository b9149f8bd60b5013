/*
 * status_json.c - tabiya status for programs.
 *
 *     {"fen":STRING,"side":"white","legal":true,"playable":true,
 *      "faults":[{"name":STRING,"text":STRING}],"warnings":[{"name":STRING,"text":STRING}],
 *      "clock":0,"fullmove":1,"legal_moves":20,"check":false,"checkmate":false,"stalemate":false,
 *      "insufficient_material":{"white":false,"black":false,"both":false},"dead_position":"no",
 *      "fifty_moves":false,"seventy_five_moves":false,"outcome":{"result":"*","reason":null},
 *      "opening":{"eco":STRING,"name":STRING},
 *      "keys":{"placement":"16 hex digits","position":...,"polyglot":...}}
 *
 * Keeps    names, order and types; from legal_moves on, all but the placement key is null when the position cannot be
 *          played. The opening is null when the position has no name.
 */
#include "common.h"
#include "status.h"

#include <inttypes.h>

static void member_string(const char *name, const char *value)
{
    out_printf("\"%s\":", name);
    out_json_string(value);
}

static void member_bool(const char *name, bool value) { out_printf("\"%s\":%s", name, value ? "true" : "false"); }

static void member_key(const char *name, uint64_t key) { out_printf("\"%s\":\"%016" PRIx64 "\"", name, key); }

static void named_text(unsigned *n, const char *name, const char *text)
{
    out_string((*n)++ ? ",{" : "{");
    member_string("name", name);
    out_string(",");
    member_string("text", text);
    out_string("}");
}

static void faults_array(tby_faults faults)
{
    unsigned n = 0;
    out_string(",\"faults\":[");
    for (unsigned bit = 0; bit < 32; bit++) {
        tby_faults fault = faults & (tby_faults)1 << bit;
        if (fault)
            named_text(&n, tby_fault_name(fault), tby_fault_text(fault));
    }
    out_string("]");
}

static void warnings_array(unsigned warnings)
{
    unsigned n = 0;
    out_string(",\"warnings\":[");
    for (unsigned bit = 0; fen_warning_name(bit); bit++)
        if (warnings >> bit & 1)
            named_text(&n, fen_warning_name(bit), fen_warning_text(bit));
    out_string("]");
}

static void opening_member(const tby_opening *opening)
{
    out_string(",\"opening\":");
    if (!opening->eco) {
        out_string("null");
        return;
    }
    out_string("{");
    member_string("eco", opening->eco);
    out_string(",");
    member_string("name", opening->name);
    out_string("}");
}

static void rules_members(const status *s)
{
    static const char *const verdicts[] = {[TBY_NO] = "no", [TBY_YES] = "yes", [TBY_UNKNOWN] = "unknown"};
    const tby_outcome *o = &s->outcome;
    out_printf(",\"legal_moves\":%zu,", s->n_moves);
    member_bool("check", s->check);
    out_string(",");
    member_bool("checkmate", s->checkmate);
    out_string(",");
    member_bool("stalemate", s->stalemate);
    out_string(",\"insufficient_material\":{");
    member_bool("white", s->insufficient[TBY_WHITE]);
    out_string(",");
    member_bool("black", s->insufficient[TBY_BLACK]);
    out_string(",");
    member_bool("both", s->insufficient_both);
    out_string("},");
    member_string("dead_position", verdicts[s->dead]);
    out_string(",");
    member_bool("fifty_moves", s->fifty);
    out_string(",");
    member_bool("seventy_five_moves", s->seventy_five);
    out_string(",\"outcome\":{");
    member_string("result", tby_result_text(o->result));
    out_string(",");
    member_string("reason", o->reason == TBY_REASON_NONE ? NULL : tby_reason_text(o->reason));
    out_string("}");
    opening_member(&s->opening);
}

static void unknown_members(void)
{
    out_string(",\"legal_moves\":null,\"check\":null,\"checkmate\":null,\"stalemate\":null,"
               "\"insufficient_material\":null,\"dead_position\":null,\"fifty_moves\":null,"
               "\"seventy_five_moves\":null,\"outcome\":null,\"opening\":null");
}

static void keys_object(const status *s)
{
    out_string(",\"keys\":{");
    member_key("placement", tby_placement_key(&s->setup.board));
    if (s->playable) {
        out_string(",");
        member_key("position", tby_position_key(&s->position));
        out_string(",");
        member_key("polyglot", tby_polyglot_key(&s->position));
    } else {
        out_string(",\"position\":null,\"polyglot\":null");
    }
    out_string("}");
}

void status_write_json(const status *s)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write(fen, sizeof fen, &s->setup, 0);
    out_string("{");
    member_string("fen", fen);
    out_string(",");
    member_string("side", s->setup.side == TBY_WHITE ? "white" : "black");
    out_string(",");
    member_bool("legal", s->legal);
    out_string(",");
    member_bool("playable", s->playable);
    faults_array(s->faults);
    warnings_array(s->warnings);
    out_printf(",\"clock\":%u,\"fullmove\":%u", (unsigned)s->setup.clock, (unsigned)s->setup.fullmove);
    if (s->playable)
        rules_members(s);
    else
        unknown_members();
    keys_object(s);
    out_string("}\n");
}
