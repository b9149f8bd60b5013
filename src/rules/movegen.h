/*
 * movegen.h - the one generator of legal moves.
 *
 * It is written once, with the side to move and the purpose as constants that the compiler folds: list the moves,
 * count them, or ask whether there is any. Per position it works out once what the king is bound by (checkers, pins)
 * and, if the king could move at all, which squares are attacked; every other piece then moves by masks:
 *
 *     targets = attacks & not own & check mask          (no check: all squares; one: capture or block it)
 *     pinned pieces                & their pin lines
 *
 * Counting is popcounts of the same sets and makes no list.
 */
#ifndef TBY_RULES_MOVEGEN_H
#define TBY_RULES_MOVEGEN_H

#include "position/en_passant.h"
#include "position/play.h"

typedef enum purpose { LIST_MOVES, COUNT_MOVES, ANY_MOVE } purpose;

typedef struct move_sink {
    tby_move *out; /* the next to write; LIST_MOVES only */
    size_t n;      /* moves counted; the other two */
} move_sink;

TBY_INLINE void emit_piece(move_sink *sink, purpose p, unsigned from, tby_bitboard targets)
{
    if (p != LIST_MOVES)
        sink->n += bb_count(targets);
    else
        for (; targets; targets = bb_rest(targets))
            *sink->out++ = TBY_MOVE(from, bb_first(targets), 0);
}

/* Pawn moves by their target squares; `step` leads from origin to target. */
TBY_INLINE void emit_pawns(move_sink *sink, purpose p, tby_bitboard targets, int step)
{
    if (p != LIST_MOVES) {
        sink->n += bb_count(targets);
        return;
    }
    const tby_bitboard promotions = targets & (BB_RANK_1 | BB_RANK_8);
    for (targets ^= promotions; targets; targets = bb_rest(targets)) {
        const int to = bb_first(targets);
        *sink->out++ = TBY_MOVE(to - step, to, 0);
    }
    for (tby_bitboard set = promotions; set; set = bb_rest(set)) {
        const int to = bb_first(set);
        *sink->out++ = TBY_MOVE(to - step, to, TBY_QUEEN);
        *sink->out++ = TBY_MOVE(to - step, to, TBY_ROOK);
        *sink->out++ = TBY_MOVE(to - step, to, TBY_BISHOP);
        *sink->out++ = TBY_MOVE(to - step, to, TBY_KNIGHT);
    }
}

TBY_INLINE void generate_pawns(move_sink *sink, purpose p, const tby_board *b, tby_color us, const king_bonds *bonds,
                               tby_bitboard allowed, bool has_pins)
{
    const tby_bitboard occupied = board_occupied(b), own = board_color(b, us), enemy = occupied ^ own;
    const tby_bitboard pawns = board_pawns(b) & own, last_rank = bb_back_rank(color_other(us));
    const tby_bitboard third_rank = us == TBY_WHITE ? BB_RANK_3 : BB_RANK_6;
    const int forward = us == TBY_WHITE ? 8 : -8;
    tby_bitboard single = bb_forward(pawns, us), west = bb_forward_west(pawns, us), east = bb_forward_east(pawns, us);

    if (has_pins) {
        const tby_bitboard on_line = pawns & bonds->pin_lines, on_diagonal = pawns & bonds->pin_diagonals;
        const tby_bitboard unpinned = pawns & ~on_line & ~on_diagonal;
        single = bb_forward(unpinned, us) | (bb_forward(on_line, us) & bonds->pin_lines);
        west = bb_forward_west(unpinned, us) | (bb_forward_west(on_diagonal, us) & bonds->pin_diagonals);
        east = bb_forward_east(unpinned, us) | (bb_forward_east(on_diagonal, us) & bonds->pin_diagonals);
    }
    single &= ~occupied;
    const tby_bitboard dbl = bb_forward(single & third_rank, us) & ~occupied & allowed;
    single &= allowed;
    west &= enemy & allowed;
    east &= enemy & allowed;

    emit_pawns(sink, p, single, forward);
    emit_pawns(sink, p, dbl, 2 * forward);
    emit_pawns(sink, p, west, forward - 1);
    emit_pawns(sink, p, east, forward + 1);
    if (p != LIST_MOVES && ((single | west | east) & last_rank)) /* four pieces to choose from */
        sink->n += 3 * (bb_count(single & last_rank) + bb_count(west & last_rank) + bb_count(east & last_rank));
}

/* Everything but pawns and king. */
TBY_INLINE void generate_pieces(move_sink *sink, purpose p, const tby_board *b, tby_color us, const king_bonds *bonds,
                                tby_bitboard allowed, bool has_pins)
{
    const tby_bitboard occupied = board_occupied(b), own = board_color(b, us), targets = allowed & ~own;
    tby_bitboard knights = board_knights(b) & own;
    tby_bitboard diagonals = board_diagonal_sliders(b) & own, lines = board_line_sliders(b) & own;

    if (has_pins) {
        const tby_bitboard pins = bonds->pin_lines | bonds->pin_diagonals;
        for (tby_bitboard set = diagonals & bonds->pin_diagonals; set; set = bb_rest(set))
            emit_piece(sink, p, bb_first(set),
                       bishop_attacks(bb_first(set), occupied) & targets & bonds->pin_diagonals);
        for (tby_bitboard set = lines & bonds->pin_lines; set; set = bb_rest(set))
            emit_piece(sink, p, bb_first(set), rook_attacks(bb_first(set), occupied) & targets & bonds->pin_lines);
        knights &= ~pins;
        diagonals &= ~pins;
        lines &= ~pins;
    }
    for (; knights; knights = bb_rest(knights))
        emit_piece(sink, p, bb_first(knights), knight_attacks(bb_first(knights)) & targets);
    for (; diagonals; diagonals = bb_rest(diagonals))
        emit_piece(sink, p, bb_first(diagonals), bishop_attacks(bb_first(diagonals), occupied) & targets);
    for (; lines; lines = bb_rest(lines))
        emit_piece(sink, p, bb_first(lines), rook_attacks(bb_first(lines), occupied) & targets);
}

/* May the king castle with the rook on `rook`? It is not in check, and `attacked` is what the enemy attacks. */
TBY_INLINE bool castling_is_safe(const tby_board *b, tby_color us, unsigned king, unsigned rook, tby_bitboard attacked)
{
    const unsigned king_to = castling_king_to(king, rook), rook_to = castling_rook_to(king, rook);
    const tby_bitboard king_path = squares_between(king, king_to) | bb_square(king_to);
    const tby_bitboard rook_path = squares_between(rook, rook_to) | bb_square(rook_to);
    const tby_bitboard pair = bb_square(king) | bb_square(rook), occupied = board_occupied(b) & ~pair;
    if (((king_path | rook_path) & occupied) || (king_path & attacked))
        return false;
    /* In Chess960 the rook may have shielded the king from a slider further out on the back rank. */
    if (bb_square(rook) & (BB_FILE_A | BB_FILE_H))
        return true;
    const tby_bitboard after = occupied | bb_square(king_to) | bb_square(rook_to);
    return !(rook_attacks(king_to, after) & board_line_sliders(b) & board_color(b, color_other(us)) & bb_back_rank(us));
}

TBY_INLINE void generate_king(move_sink *sink, purpose p, const tby_position *pos, tby_color us, unsigned king,
                              bool in_check)
{
    const tby_board *b = &pos->board;
    const tby_bitboard targets = king_attacks(king) & ~board_color(b, us);
    tby_bitboard rooks = 0;
    if (!in_check)
        for (tby_bitboard set = pos->castling & bb_back_rank(us); set; set = bb_rest(set))
            if (!(squares_between(king, bb_first(set)) & board_occupied(b)))
                rooks |= set & -set;
    if (!(targets | rooks))
        return;
    const tby_bitboard attacked = attacked_squares(b, color_other(us), board_occupied(b) ^ bb_square(king));
    emit_piece(sink, p, king, targets & ~attacked);
    for (; rooks; rooks = bb_rest(rooks)) {
        const unsigned rook = bb_first(rooks);
        if (!castling_is_safe(b, us, king, rook, attacked))
            continue;
        if (p == LIST_MOVES)
            *sink->out++ = TBY_MOVE(king, rook, TBY_KING);
        else
            sink->n++;
    }
}

TBY_INLINE void generate_en_passant(move_sink *sink, purpose p, const tby_position *pos, tby_color us, unsigned king)
{
    tby_bitboard capturers = en_passant_capturers(&pos->board, pos->en_passant, king, us);
    if (p != LIST_MOVES)
        sink->n += bb_count(capturers);
    else
        for (; capturers; capturers = bb_rest(capturers))
            *sink->out++ = TBY_MOVE(bb_first(capturers), pos->en_passant, TBY_PAWN);
}

/* Returns the number of moves; for ANY_MOVE, some number that is 0 only if there is none. */
TBY_INLINE size_t generate(tby_move *out, const tby_position *pos, tby_color us, purpose p)
{
    const tby_board *b = &pos->board;
    const unsigned king = board_king(b, us);
    const king_bonds bonds = king_bonds_of(b, king, us);
    move_sink sink = {out, 0};

    generate_king(&sink, p, pos, us, king, bonds.checkers != 0);
    if (!bb_many(bonds.checkers) && !(p == ANY_MOVE && sink.n)) {
        tby_bitboard allowed = ~0ULL;
        if (bonds.checkers)
            allowed = squares_between(king, bb_first(bonds.checkers)) | bonds.checkers;
        if (bonds.pin_lines | bonds.pin_diagonals) {
            generate_pawns(&sink, p, b, us, &bonds, allowed, true);
            generate_pieces(&sink, p, b, us, &bonds, allowed, true);
        } else {
            generate_pawns(&sink, p, b, us, &bonds, allowed, false);
            generate_pieces(&sink, p, b, us, &bonds, allowed, false);
        }
        if (pos->en_passant != TBY_NO_SQUARE)
            generate_en_passant(&sink, p, pos, us, king);
    }
    return p == LIST_MOVES ? (size_t)(sink.out - out) : sink.n;
}

#endif
