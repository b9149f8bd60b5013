/*
 * movegen.h - the generator of legal moves.
 *
 * It is written once, with the side to move and the purpose as constants that the compiler folds: pass on each move,
 * count the moves, or find out whether there is any. Once per position it computes the checks and pins of the king and,
 * if the king could move at all, the squares that are attacked. Every other piece then moves by masks:
 *
 *     targets = attacks & not own & check mask          (no check: all squares; one: capture or block it)
 *     pinned pieces                & their pin lines
 *
 * Counting adds up popcounts of the same sets, without looking at single moves.
 */
#ifndef TBY_RULES_MOVEGEN_H
#define TBY_RULES_MOVEGEN_H

#include "position/en_passant.h"
#include "position/play.h"

/* What is known about the replies of a side before the other side moves. The move does not change where the replying
   side's king is. Its pieces will have as many moves as now if none is captured and no square they see changes. */
typedef struct prospect {
    unsigned king;
    attack_origins danger; /* for the squares around the king and those it castles over */
    tby_bitboard occupied, own;
    tby_bitboard seen; /* by the sliders */
    size_t n_moves;    /* of the pieces, without pawns and king, if there are no checks and pins */
} prospect;

TBY_INLINE prospect prospect_of(const tby_position *pos, tby_color us)
{
    const tby_board *b = &pos->board;
    const unsigned king = board_king(b, us);
    const tby_bitboard rooks = pos->castling & bb_back_rank(us);
    tby_bitboard around = king_attacks(king);
    if (rooks) /* c to g in standard chess */
        around |= bb_back_rank(us) & (rooks & ~BB_CORNERS ? ~0ULL : ~(BB_FILE_A | BB_FILE_A << 1 | BB_FILE_H));
    prospect known = {king, attack_origins_of(around), board_occupied(b), board_color(b, us), 0, 0};
    for (tby_bitboard set = board_knights(b) & known.own; set; set = bb_rest(set))
        known.n_moves += bb_count(knight_attacks(bb_first(set)) & ~known.own);
    for (tby_bitboard set = board_diagonal_sliders(b) & known.own; set; set = bb_rest(set)) {
        const tby_bitboard seen = bishop_attacks(bb_first(set), known.occupied);
        known.n_moves += bb_count(seen & ~known.own);
        known.seen |= seen;
    }
    for (tby_bitboard set = board_line_sliders(b) & known.own; set; set = bb_rest(set)) {
        const tby_bitboard seen = rook_attacks(bb_first(set), known.occupied);
        known.n_moves += bb_count(seen & ~known.own);
        known.seen |= seen;
    }
    return known;
}

/* Do the pieces still have as many moves as before? */
TBY_INLINE bool prospect_holds(const prospect *known, const tby_board *b, tby_color us)
{
    return board_color(b, us) == known->own && !((board_occupied(b) ^ known->occupied) & known->seen);
}

typedef enum purpose { EACH_MOVE, COUNT_MOVES, ANY_MOVE } purpose;

/* Receives a move and the kind of the piece that makes it. Always an inline function, so that the kind and the type of
   the move are constants. */
typedef void move_taker(void *taker, tby_move m, tby_kind kind);

typedef struct move_sink {
    move_taker *take; /* EACH_MOVE */
    void *taker;
    size_t n; /* moves counted; COUNT_MOVES and ANY_MOVE */
} move_sink;

TBY_INLINE void emit_piece(move_sink *sink, purpose p, tby_kind kind, unsigned from, tby_bitboard targets)
{
    if (p != EACH_MOVE)
        sink->n += bb_count(targets);
    else
        for (; targets; targets = bb_rest(targets))
            sink->take(sink->taker, TBY_MOVE(from, bb_first(targets), 0), kind);
}

/* Pawn moves by their target squares; `step` leads from origin to target. */
TBY_INLINE void emit_pawns(move_sink *sink, tby_bitboard targets, int step)
{
    for (; targets; targets = bb_rest(targets)) {
        const int to = bb_first(targets);
        sink->take(sink->taker, TBY_MOVE((to - step) & 63, to, 0), TBY_PAWN);
    }
}

TBY_INLINE void emit_promotions(move_sink *sink, tby_bitboard targets, int step)
{
    static const uint8_t KINDS[] = {TBY_QUEEN, TBY_ROOK, TBY_BISHOP, TBY_KNIGHT};
    for (; targets; targets = bb_rest(targets)) {
        const int to = bb_first(targets);
        for (int i = 0; i < 4; i++)
            sink->take(sink->taker, TBY_MOVE((to - step) & 63, to, KINDS[i]), TBY_PAWN);
    }
}

/* `is_bound` says whether there are checks or pins; if not, `allowed` is every square. */
TBY_INLINE void generate_pawns(move_sink *sink, purpose p, const tby_board *b, tby_color us, const king_bonds *bonds,
                               tby_bitboard allowed, bool is_bound)
{
    const tby_bitboard occupied = board_occupied(b), own = board_color(b, us), enemy = occupied ^ own;
    const tby_bitboard pawns = board_pawns(b) & own, last_rank = bb_back_rank(color_other(us));
    const tby_bitboard third_rank = us == TBY_WHITE ? BB_RANK_3 : BB_RANK_6;
    const int forward = us == TBY_WHITE ? 8 : -8;
    tby_bitboard single = bb_forward(pawns, us), west = bb_forward_west(pawns, us), east = bb_forward_east(pawns, us);

    if (is_bound) {
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

    if (p == EACH_MOVE) {
        emit_pawns(sink, single & ~last_rank, forward);
        emit_promotions(sink, single & last_rank, forward);
        emit_pawns(sink, dbl, 2 * forward);
        emit_pawns(sink, west & ~last_rank, forward - 1);
        emit_promotions(sink, west & last_rank, forward - 1);
        emit_pawns(sink, east & ~last_rank, forward + 1);
        emit_promotions(sink, east & last_rank, forward + 1);
        return;
    }
    sink->n += bb_count(single | dbl | west) + bb_count(east); /* east may share a target with west */
    if ((single | west | east) & last_rank)                    /* four pieces to choose from */
        sink->n += 3 * (bb_count((single | west) & last_rank) + bb_count(east & last_rank));
}

/* The kind of a bishop, rook or queen. */
TBY_INLINE tby_kind slider_kind(const tby_board *b, unsigned square)
{
    return (tby_kind)(((b->plane[1] >> square) & 1) << 1 | ((b->plane[2] >> square) & 1) << 2);
}

/* Everything but pawns and king. */
TBY_INLINE void generate_pieces(move_sink *sink, purpose p, const tby_board *b, tby_color us, const king_bonds *bonds,
                                tby_bitboard allowed, bool is_bound)
{
    const tby_bitboard occupied = board_occupied(b), own = board_color(b, us), targets = allowed & ~own;
    tby_bitboard knights = board_knights(b) & own;
    tby_bitboard diagonals = board_diagonal_sliders(b) & own, lines = board_line_sliders(b) & own;

    if (is_bound) {
        const tby_bitboard pins = bonds->pin_lines | bonds->pin_diagonals;
        for (tby_bitboard set = diagonals & bonds->pin_diagonals; set; set = bb_rest(set))
            emit_piece(sink, p, slider_kind(b, bb_first(set)), bb_first(set),
                       bishop_attacks(bb_first(set), occupied) & targets & bonds->pin_diagonals);
        for (tby_bitboard set = lines & bonds->pin_lines; set; set = bb_rest(set))
            emit_piece(sink, p, slider_kind(b, bb_first(set)), bb_first(set),
                       rook_attacks(bb_first(set), occupied) & targets & bonds->pin_lines);
        knights &= ~pins;
        diagonals &= ~pins;
        lines &= ~pins;
    }
    for (; knights; knights = bb_rest(knights))
        emit_piece(sink, p, TBY_KNIGHT, bb_first(knights), knight_attacks(bb_first(knights)) & targets);
    for (; diagonals; diagonals = bb_rest(diagonals))
        emit_piece(sink, p, TBY_BISHOP | slider_kind(b, bb_first(diagonals)), bb_first(diagonals),
                   bishop_attacks(bb_first(diagonals), occupied) & targets);
    for (; lines; lines = bb_rest(lines))
        emit_piece(sink, p, TBY_ROOK | slider_kind(b, bb_first(lines)), bb_first(lines),
                   rook_attacks(bb_first(lines), occupied) & targets);
}

/* Do king and rooks castle from their squares in standard chess, where the paths are constants? */
TBY_INLINE bool castling_is_usual(tby_bitboard rooks, tby_color us, unsigned king)
{
    return king == (us == TBY_WHITE ? 4u : 60u) && !(rooks & ~BB_CORNERS);
}

/* The `rooks` of usual castling moves whose path contains none of `squares`; paths are sets of files. */
TBY_INLINE tby_bitboard castling_usual(tby_bitboard rooks, tby_color us, tby_bitboard squares, unsigned a_side,
                                       unsigned h_side)
{
    const unsigned first = us == TBY_WHITE ? 0 : 56;
    if (squares & ((tby_bitboard)a_side << first))
        rooks &= ~BB_FILE_A;
    if (squares & ((tby_bitboard)h_side << first))
        rooks &= ~BB_FILE_H;
    return rooks;
}

/* Are all squares free that the king and the rook on `rook` need for castling? */
TBY_INLINE bool castling_is_free(const tby_board *b, unsigned king, unsigned rook)
{
    const tby_bitboard king_path = bb_span(king, castling_king_to(king, rook));
    const tby_bitboard rook_path = bb_span(rook, castling_rook_to(king, rook));
    return !((king_path | rook_path) & ~bb_square(king) & ~bb_square(rook) & board_occupied(b));
}

/* Does the king, which is not in check, stay out of check when castling? `attacked`: squares the enemy attacks. */
TBY_INLINE bool castling_is_safe(const tby_board *b, tby_color us, unsigned king, unsigned rook, tby_bitboard attacked)
{
    const unsigned king_to = castling_king_to(king, rook), rook_to = castling_rook_to(king, rook);
    if (bb_span(king, king_to) & attacked)
        return false;
    /* In Chess960 the rook may have shielded the king from a slider further out on the back rank. */
    if (bb_square(rook) & (BB_FILE_A | BB_FILE_H))
        return true;
    const tby_bitboard others = board_occupied(b) & ~bb_square(king) & ~bb_square(rook);
    const tby_bitboard after = others | bb_square(king_to) | bb_square(rook_to);
    return !(rook_attacks(king_to, after) & board_line_sliders(b) & board_color(b, color_other(us)) & bb_back_rank(us));
}

TBY_INLINE tby_bitboard castling_free(tby_bitboard rooks, const tby_board *b, tby_color us, unsigned king)
{
    if (castling_is_usual(rooks, us, king))
        return castling_usual(rooks, us, board_occupied(b), 0x0e, 0x60); /* b to d; f and g */
    for (tby_bitboard set = rooks; set; set = bb_rest(set))
        if (!castling_is_free(b, king, bb_first(set)))
            rooks ^= set & -set;
    return rooks;
}

TBY_INLINE tby_bitboard castling_safe(tby_bitboard rooks, const tby_board *b, tby_color us, unsigned king,
                                      tby_bitboard attacked)
{
    if (castling_is_usual(rooks, us, king))
        return castling_usual(rooks, us, attacked, 0x0c, 0x60); /* c and d; f and g */
    for (tby_bitboard set = rooks; set; set = bb_rest(set))
        if (!castling_is_safe(b, us, king, bb_first(set), attacked))
            rooks ^= set & -set;
    return rooks;
}

TBY_INLINE void generate_king(move_sink *sink, purpose p, const tby_position *pos, tby_color us, unsigned king,
                              bool in_check, const prospect *known)
{
    const tby_board *b = &pos->board;
    const tby_bitboard targets = king_attacks(king) & ~board_color(b, us);
    tby_bitboard rooks = in_check ? 0 : pos->castling & bb_back_rank(us);
    if (rooks)
        rooks = castling_free(rooks, b, us, king);
    if (!(targets | rooks))
        return;
    const tby_bitboard attacked =
        attacked_squares(b, color_other(us), board_occupied(b) ^ bb_square(king), known ? &known->danger : NULL);
    emit_piece(sink, p, TBY_KING, king, targets & ~attacked);
    if (rooks)
        rooks = castling_safe(rooks, b, us, king, attacked);
    if (p != EACH_MOVE)
        sink->n += bb_count(rooks);
    else
        for (; rooks; rooks = bb_rest(rooks))
            sink->take(sink->taker, TBY_MOVE(king, bb_first(rooks), TBY_KING), TBY_KING);
}

TBY_INLINE void generate_en_passant(move_sink *sink, purpose p, const tby_position *pos, tby_color us, unsigned king)
{
    tby_bitboard capturers = en_passant_capturers(&pos->board, pos->en_passant, king, us);
    if (p != EACH_MOVE)
        sink->n += bb_count(capturers);
    else
        for (; capturers; capturers = bb_rest(capturers))
            sink->take(sink->taker, TBY_MOVE(bb_first(capturers), pos->en_passant, TBY_PAWN), TBY_PAWN);
}

/* `known`: the prospect of `us` before the last move, or NULL. */
TBY_INLINE void generate(move_sink *sink, const tby_position *pos, tby_color us, purpose p, const prospect *known)
{
    const tby_board *b = &pos->board;
    const unsigned king = known ? known->king : board_king(b, us);
    const king_bonds bonds = king_bonds_of(b, king, us);

    generate_king(sink, p, pos, us, king, bonds.checkers != 0, known);
    if (bb_many(bonds.checkers) || (p == ANY_MOVE && sink->n))
        return;
    if (bonds.checkers | bonds.pin_lines | bonds.pin_diagonals) {
        const tby_bitboard allowed = bonds.checkers ? squares_between(king, bb_first(bonds.checkers)) | bonds.checkers
                                                    : ~0ULL;
        generate_pawns(sink, p, b, us, &bonds, allowed, true);
        generate_pieces(sink, p, b, us, &bonds, allowed, true);
    } else { /* most positions */
        generate_pawns(sink, p, b, us, &bonds, ~0ULL, false);
        if (known && prospect_holds(known, b, us))
            sink->n += known->n_moves;
        else
            generate_pieces(sink, p, b, us, &bonds, ~0ULL, false);
    }
    if (pos->en_passant != TBY_NO_SQUARE)
        generate_en_passant(sink, p, pos, us, king);
}

TBY_INLINE void generate_each(const tby_position *pos, tby_color us, move_taker *take, void *taker)
{
    move_sink sink = {take, taker, 0};
    generate(&sink, pos, us, EACH_MOVE, NULL);
}

/* COUNT_MOVES: the number of moves; ANY_MOVE: 0 only if there is no move. */
TBY_INLINE size_t generate_count(const tby_position *pos, tby_color us, purpose p, const prospect *known)
{
    move_sink sink = {NULL, NULL, 0};
    generate(&sink, pos, us, p, known);
    return sink.n;
}

#endif
