/*
 * status.c - collects everything that the rules say about one position.
 *
 * The FEN is read twice: as it is written, so that castling rights and en passant squares that the board contradicts
 * are shown as faults; and without them, as all other commands read it, for what the rules say.
 *
 * As JSON:
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
#include <stdlib.h>

static bool search_dead_position(status *s, problem *p)
{
    const size_t size = (size_t)TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE;
    void *memory = calloc(size, 1);
    if (!memory)
        return problem_no_memory(p);
    s->dead = tby_dead_position(&s->position, memory, size);
    free(memory);
    return true;
}

static bool ask_rules(status *s, problem *p)
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
    if (!search_dead_position(s, p))
        return false;
    s->fifty = tby_move_clock_is_fifty(pos);
    s->seventy_five = tby_move_clock_is_seventy_five(pos);
    s->outcome = tby_outcome_of(pos, 1, s->dead, false);
    tby_opening_of(&s->opening, pos);
    return true;
}

bool status_read(status *out, span fen, unsigned flags, tby_faults allowed, problem *p)
{
    tby_setup mended;
    *out = (status){0};
    if (!fen_setup(&out->setup, fen, flags | TBY_FEN_RAW, NULL, p) ||
        !fen_setup(&mended, fen, flags, &out->warnings, p))
        return false;
    out->faults = tby_setup_faults(&out->setup);
    out->legal = !(out->faults & ~allowed);
    out->playable = tby_position_init(&out->position, &mended, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK;
    return !out->playable || ask_rules(out, p);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_faults(buffer *out, const status *s)
{
    json_add(out, "'faults':[");
    for (tby_faults rest = s->faults; rest; rest &= rest - 1)
        json_add(out, "{'name':%s,'text':%s}", tby_fault_name(rest & -rest), tby_fault_text(rest & -rest));
    json_add(out, "],'warnings':[");
    for (unsigned bit = 1; tby_fen_warning_name(bit); bit <<= 1)
        if (s->warnings & bit)
            json_add(out, "{'name':%s,'text':%s}", tby_fen_warning_name(bit), tby_fen_warning_text(bit));
    json_add(out, "]");
}

static void write_rules(buffer *out, const status *s)
{
    static const char *const verdicts[] = {[TBY_NO] = "no", [TBY_YES] = "yes", [TBY_UNKNOWN] = "unknown"};
    const tby_outcome *o = &s->outcome;
    json_add(out,
             "'legal_moves':%zu,'check':%i,'checkmate':%i,'stalemate':%i,"
             "'insufficient_material':{'white':%i,'black':%i,'both':%i},'dead_position':%s,'fifty_moves':%i,"
             "'seventy_five_moves':%i,'outcome':{'result':%s,'reason':%s}",
             s->n_moves, s->check, s->checkmate, s->stalemate, s->insufficient[TBY_WHITE], s->insufficient[TBY_BLACK],
             s->insufficient_both, verdicts[s->dead], s->fifty, s->seventy_five, tby_result_text(o->result),
             o->reason == TBY_REASON_NONE ? NULL : tby_reason_text(o->reason));
    json_opening(out, "opening", &s->opening);
}

void status_write_json(buffer *out, const status *s)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write(fen, sizeof fen, &s->setup, 0);
    json_add(out, "{'fen':%s,'side':%s,'legal':%i,'playable':%i", fen, s->setup.side == TBY_WHITE ? "white" : "black",
             s->legal, s->playable);
    write_faults(out, s);
    json_add(out, "'clock':%u,'fullmove':%u", s->setup.clock, s->setup.fullmove);
    if (s->playable)
        write_rules(out, s);
    else
        json_add(out,
                 "'legal_moves':null,'check':null,'checkmate':null,'stalemate':null,'insufficient_material':null,"
                 "'dead_position':null,'fifty_moves':null,'seventy_five_moves':null,'outcome':null,'opening':null");
    buffer_printf(out, ",\"keys\":{\"placement\":\"%016" PRIx64 "\",", tby_placement_key(&s->setup.board));
    if (s->playable)
        buffer_printf(out, "\"position\":\"%016" PRIx64 "\",\"polyglot\":\"%016" PRIx64 "\"}}\n",
                      tby_position_key(&s->position), tby_polyglot_key(&s->position));
    else
        buffer_string(out, "\"position\":null,\"polyglot\":null}}\n");
}
