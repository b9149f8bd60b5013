/*
 * check.c - check, checkmate, stalemate: the facts of the present position (FIDE 3.9, 5.1.1, 5.2.1).
 */
#include "tabiya.h"

bool tby_position_is_check(const tby_position *pos) { return tby_position_checkers(pos) != 0; }

bool tby_position_is_checkmate(const tby_position *pos) { return tby_position_is_check(pos) && !tby_moves_any(pos); }

bool tby_position_is_stalemate(const tby_position *pos) { return !tby_position_is_check(pos) && !tby_moves_any(pos); }
