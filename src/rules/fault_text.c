/*
 * fault_text.c - the name and the description of each fault of a setup.
 */
#include "base/text.h"
#include "tabiya_value.h"

typedef struct fault_row {
    tby_faults fault;
    const char *name, *text;
} fault_row;

/* clang-format off */
#define ROW(name, text) {TBY_FAULT_##name, #name, text}
/* clang-format on */

/* In the order of the bits: an error names the first fault. */
static const fault_row FAULTS[] = {
    ROW(NO_WHITE_KING, "white has no king"),
    ROW(NO_BLACK_KING, "black has no king"),
    ROW(MANY_WHITE_KINGS, "white has more than one king"),
    ROW(MANY_BLACK_KINGS, "black has more than one king"),
    ROW(KINGS_ADJACENT, "the kings stand side by side"),
    ROW(PAWN_BACKRANK, "a pawn stands on the first or last rank"),
    ROW(OPPONENT_CHECK, "the side that is not to move is in check"),
    ROW(CASTLING, "a castling right has no king and rook in place"),
    ROW(EN_PASSANT, "no pawn can just have passed the en passant square"),
    ROW(MALFORMED, "board bits, side to move or move number are invalid"),
    ROW(MANY_WHITE_PIECES, "white has more than 16 pieces"),
    ROW(MANY_BLACK_PIECES, "black has more than 16 pieces"),
    ROW(MANY_WHITE_PAWNS, "white has more than 8 pawns"),
    ROW(MANY_BLACK_PAWNS, "black has more than 8 pawns"),
    ROW(WHITE_PROMOTIONS, "white has more promoted pieces than missing pawns"),
    ROW(BLACK_PROMOTIONS, "black has more promoted pieces than missing pawns"),
    ROW(MANY_CHECKERS, "more than two pieces give check"),
    ROW(ALIGNED_CHECKERS, "two pieces give check along one line from both sides of the king"),
    ROW(STEPPER_CHECKERS, "two pawns or knights give check at once"),
    ROW(EN_PASSANT_CHECK, "the last double step of a pawn cannot have given this check"),
};

static const fault_row *fault_row_of(tby_faults fault)
{
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++)
        if (FAULTS[i].fault == fault)
            return &FAULTS[i];
    return NULL;
}

const char *tby_fault_text(tby_faults fault)
{
    const fault_row *row = fault_row_of(fault);
    return row ? row->text : NULL;
}

const char *tby_fault_name(tby_faults fault)
{
    const fault_row *row = fault_row_of(fault);
    return row ? row->name : NULL;
}

size_t tby_faults_write(char *buf, size_t cap, tby_faults faults)
{
    text_writer text = text_begin(buf, cap);
    for (tby_faults rest = faults; rest; rest &= rest - 1) {
        const char *name = tby_fault_name(rest & -rest);
        if (name && text.length > 0)
            text_char(&text, ' ');
        if (name)
            text_string(&text, name);
    }
    return text_end(&text);
}
