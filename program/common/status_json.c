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
#include "status.h"

#include <inttypes.h>

static void member_string(buffer *out, const char *name, const char *value)
{
    buffer_printf(out, "\"%s\":", name);
    buffer_json_string(out, value);
}

static void member_bool(buffer *out, const char *name, bool value)
{
    buffer_printf(out, "\"%s\":%s", name, value ? "true" : "false");
}

static void member_key(buffer *out, const char *name, uint64_t key)
{
    buffer_printf(out, "\"%s\":\"%016" PRIx64 "\"", name, key);
}

static void named_text(buffer *out, unsigned *n, const char *name, const char *text)
{
    buffer_string(out, (*n)++ ? ",{" : "{");
    member_string(out, "name", name);
    buffer_string(out, ",");
    member_string(out, "text", text);
    buffer_string(out, "}");
}

static void faults_array(buffer *out, tby_faults faults)
{
    unsigned n = 0;
    buffer_string(out, ",\"faults\":[");
    for (unsigned bit = 0; bit < 32; bit++) {
        tby_faults fault = faults & (tby_faults)1 << bit;
        if (fault)
            named_text(out, &n, tby_fault_name(fault), tby_fault_text(fault));
    }
    buffer_string(out, "]");
}

static void warnings_array(buffer *out, unsigned warnings)
{
    unsigned n = 0;
    buffer_string(out, ",\"warnings\":[");
    for (unsigned bit = 1; tby_fen_warning_name(bit); bit <<= 1)
        if (warnings & bit)
            named_text(out, &n, tby_fen_warning_name(bit), tby_fen_warning_text(bit));
    buffer_string(out, "]");
}

static void opening_member(buffer *out, const tby_opening *opening)
{
    buffer_string(out, ",\"opening\":");
    if (!opening->eco) {
        buffer_string(out, "null");
        return;
    }
    buffer_string(out, "{");
    member_string(out, "eco", opening->eco);
    buffer_string(out, ",");
    member_string(out, "name", opening->name);
    buffer_string(out, "}");
}

static void rules_members(buffer *out, const status *s)
{
    static const char *const verdicts[] = {[TBY_NO] = "no", [TBY_YES] = "yes", [TBY_UNKNOWN] = "unknown"};
    const tby_outcome *o = &s->outcome;
    buffer_printf(out, ",\"legal_moves\":%zu,", s->n_moves);
    member_bool(out, "check", s->check);
    buffer_string(out, ",");
    member_bool(out, "checkmate", s->checkmate);
    buffer_string(out, ",");
    member_bool(out, "stalemate", s->stalemate);
    buffer_string(out, ",\"insufficient_material\":{");
    member_bool(out, "white", s->insufficient[TBY_WHITE]);
    buffer_string(out, ",");
    member_bool(out, "black", s->insufficient[TBY_BLACK]);
    buffer_string(out, ",");
    member_bool(out, "both", s->insufficient_both);
    buffer_string(out, "},");
    member_string(out, "dead_position", verdicts[s->dead]);
    buffer_string(out, ",");
    member_bool(out, "fifty_moves", s->fifty);
    buffer_string(out, ",");
    member_bool(out, "seventy_five_moves", s->seventy_five);
    buffer_string(out, ",\"outcome\":{");
    member_string(out, "result", tby_result_text(o->result));
    buffer_string(out, ",");
    member_string(out, "reason", o->reason == TBY_REASON_NONE ? NULL : tby_reason_text(o->reason));
    buffer_string(out, "}");
    opening_member(out, &s->opening);
}

static void unknown_members(buffer *out)
{
    buffer_string(out, ",\"legal_moves\":null,\"check\":null,\"checkmate\":null,\"stalemate\":null,"
                       "\"insufficient_material\":null,\"dead_position\":null,\"fifty_moves\":null,"
                       "\"seventy_five_moves\":null,\"outcome\":null,\"opening\":null");
}

static void keys_object(buffer *out, const status *s)
{
    buffer_string(out, ",\"keys\":{");
    member_key(out, "placement", tby_placement_key(&s->setup.board));
    if (s->playable) {
        buffer_string(out, ",");
        member_key(out, "position", tby_position_key(&s->position));
        buffer_string(out, ",");
        member_key(out, "polyglot", tby_polyglot_key(&s->position));
    } else {
        buffer_string(out, ",\"position\":null,\"polyglot\":null");
    }
    buffer_string(out, "}");
}

void status_write_json(buffer *out, const status *s)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write(fen, sizeof fen, &s->setup, 0);
    buffer_string(out, "{");
    member_string(out, "fen", fen);
    buffer_string(out, ",");
    member_string(out, "side", s->setup.side == TBY_WHITE ? "white" : "black");
    buffer_string(out, ",");
    member_bool(out, "legal", s->legal);
    buffer_string(out, ",");
    member_bool(out, "playable", s->playable);
    faults_array(out, s->faults);
    warnings_array(out, s->warnings);
    buffer_printf(out, ",\"clock\":%u,\"fullmove\":%u", (unsigned)s->setup.clock, (unsigned)s->setup.fullmove);
    if (s->playable)
        rules_members(out, s);
    else
        unknown_members(out);
    keys_object(out, s);
    buffer_string(out, "}\n");
}
