/*
 * san.h - a parsed SAN move, and the legal move it means.
 */
#ifndef TBY_NOTATION_SAN_H
#define TBY_NOTATION_SAN_H

#include "rules/legal.h"

enum { SAN_CASTLE_KING_SIDE = 8, SAN_CASTLE_QUEEN_SIDE = 9, SAN_COORDINATES = 10 };

typedef struct san_move {
    uint8_t kind;         /* tby_kind of the piece, or one of SAN_... */
    uint8_t promotion;    /* tby_kind, or 0 */
    tby_square to;        /* unused for castling */
    tby_bitboard origins; /* the squares that the text allows the piece to come from */
} san_move;

/* The classes of bytes in SAN; 0 is neither. */
enum { SAN_FILE = 1, SAN_RANK = 2 };

TBY_INLINE unsigned san_class(char c)
{
    if (c >= 'a' && c <= 'h')
        return SAN_FILE;
    return c >= '1' && c <= '8' ? SAN_RANK : 0;
}

/* N, B, R, Q or K; else TBY_NO_KIND. */
TBY_INLINE tby_kind san_piece_kind(char c)
{
    static const uint8_t kinds[32] = {
        ['B' - '@'] = TBY_BISHOP, ['K' - '@'] = TBY_KING, ['N' - '@'] = TBY_KNIGHT,
        ['Q' - '@'] = TBY_QUEEN,  ['R' - '@'] = TBY_ROOK,
    };
    const unsigned index = (unsigned)c - '@';
    return index < 32 ? (tby_kind)kinds[index] : TBY_NO_KIND;
}

/* ---- The export form, quickly --------------------------------------------------------------------------- */

/* These return the end of the text, or NULL if it is not plain and needs the lenient parser. They may look at
   SAN_SCAN_BYTES bytes from the start, and stop at a NUL. */
enum { SAN_SCAN_BYTES = 12 };

TBY_INLINE const char *san_scan_square(const char *s, san_move *san)
{
    const unsigned file = (unsigned)s[0] - 'a', rank = (unsigned)s[1] - '1';
    san->to = TBY_SQUARE(file & 7, rank & 7);
    return file < 8 && rank < 8 ? s + 2 : NULL;
}

TBY_INLINE const char *san_scan_pawn(const char *s, san_move *san, bool *takes)
{
    san->kind = TBY_PAWN;
    *takes = s[1] == 'x';
    if (*takes) {
        const unsigned file = (unsigned)s[0] - 'a', to_file = (unsigned)s[2] - 'a';
        if (file + 1 != to_file && file != to_file + 1)
            return NULL;
        san->origins = bb_file(file);
        s += 2;
    }
    s = san_scan_square(s, san);
    if (!s || *s != '=')
        return s;
    san->promotion = (uint8_t)san_piece_kind(s[1]);
    return san->promotion && san->promotion != TBY_KING ? s + 2 : NULL;
}

TBY_INLINE const char *san_scan_piece(const char *s, san_move *san, bool *takes)
{
    san->kind = (uint8_t)san_piece_kind(*s++);
    if (!san->kind)
        return NULL;
    *takes = *s == 'x';
    if (*takes)
        return san_scan_square(s + 1, san);
    const unsigned first = san_class(s[0]), second = first ? san_class(s[1]) : 0;
    if (first == SAN_FILE && second == SAN_RANK) {
        const char *end = san_scan_square(s, san);
        if (*end != 'x' && san_class(*end) != SAN_FILE)
            return end;
        san->origins = bb_square(san->to);
        s = end;
    } else if (first) {
        san->origins = first == SAN_FILE ? bb_file((unsigned)*s - 'a') : bb_rank((unsigned)*s - '1');
        s++;
    }
    *takes = *s == 'x';
    return san_scan_square(s + *takes, san);
}

TBY_INLINE const char *san_scan_castling(const char *s, san_move *san)
{
    if (s[1] != '-' || s[2] != 'O')
        return NULL;
    const bool queen_side = s[3] == '-' && s[4] == 'O';
    san->kind = queen_side ? SAN_CASTLE_QUEEN_SIDE : SAN_CASTLE_KING_SIDE;
    return s + (queen_side ? 5 : 3);
}

/* Skips a check mark. */
TBY_INLINE const char *san_end(const char *s) { return s ? s + (*s == '+' || *s == '#') : NULL; }

TBY_INLINE const char *san_scan(const char *s, san_move *san, bool *takes)
{
    san->origins = ~0ULL;
    san->promotion = 0;
    san->to = TBY_NO_SQUARE;
    *takes = false;
    if (san_class(*s) == SAN_FILE)
        s = san_scan_pawn(s, san, takes);
    else
        s = *s == 'O' ? san_scan_castling(s, san) : san_scan_piece(s, san, takes);
    return san_end(s);
}

/* ---- From text to move ---------------------------------------------------------------------------------- */

typedef struct san_answer {
    tby_status status;
    tby_move move;
    const char *detail;
} san_answer;

TBY_INLINE san_answer san_found(unsigned from, unsigned to, unsigned kind)
{
    san_answer answer = {TBY_OK, TBY_MOVE(from, to, kind), NULL};
    return answer;
}

TBY_INLINE san_answer san_refused(tby_status status, const char *detail)
{
    san_answer answer = {status, TBY_MOVE_NONE, detail};
    return answer;
}

/* The own pieces of one kind (not pawns, not king) that attack `to`. */
TBY_INLINE tby_bitboard san_reaching(const tby_board *b, unsigned kind, unsigned to)
{
    const tby_bitboard occupied = board_occupied(b);
    switch (kind) {
    case TBY_KNIGHT: return knight_attacks(to) & board_knights(b);
    case TBY_BISHOP: return bishop_attacks(to, occupied) & board_bishops(b);
    case TBY_ROOK: return rook_attacks(to, occupied) & board_rooks(b);
    default: return (rook_attacks(to, occupied) | bishop_attacks(to, occupied)) & board_queens(b);
    }
}

TBY_INLINE san_answer san_resolve_piece(const tby_position *pos, const san_move *san, tby_color us)
{
    const tby_board *b = &pos->board;
    const tby_bitboard own = board_color(b, us);
    const unsigned king = board_king(b, us);
    tby_bitboard origins = san_reaching(b, san->kind, san->to) & own & san->origins;

    if (!origins || (own & bb_square(san->to)))
        return san_refused(TBY_ILLEGAL_MOVE, "no such piece can go there");
    const king_bonds bonds = king_bonds_of(b, king, us);
    origins = legal_origins(origins, san->to, king, &bonds);
    if (!origins)
        return san_refused(TBY_ILLEGAL_MOVE, "the king would be in check");
    if (bb_many(origins))
        return san_refused(TBY_AMBIGUOUS_MOVE, "more than one such piece can go there");
    return san_found(bb_first(origins), san->to, 0);
}

TBY_INLINE san_answer san_resolve_king(const tby_position *pos, const san_move *san, tby_color us)
{
    const tby_board *b = &pos->board;
    const unsigned king = board_king(b, us);
    if (!(san->origins & bb_square(king) & king_attacks(san->to)) || (board_color(b, us) & bb_square(san->to)))
        return san_refused(TBY_ILLEGAL_MOVE, "the king cannot go there");
    if (!king_move_is_safe(b, king, san->to, us))
        return san_refused(TBY_ILLEGAL_MOVE, "the king would be in check");
    return san_found(king, san->to, 0);
}

TBY_INLINE san_answer san_resolve_castling(const tby_position *pos, bool king_side, tby_color us)
{
    const unsigned king = board_king(&pos->board, us);
    const tby_bitboard rook = castling_rook(pos, king, us, king_side);
    if (!rook)
        return san_refused(TBY_ILLEGAL_MOVE, "the right to castle there is gone");
    if (!castling_is_legal(pos, king, bb_first(rook), us))
        return san_refused(TBY_ILLEGAL_MOVE, "a piece or a check prevents castling");
    return san_found(king, bb_first(rook), TBY_KING);
}

/* The squares from which a pawn can reach `to`: straight ahead if its file is missing or the same, else by capture. */
TBY_INLINE tby_bitboard san_pawn_origins(const tby_position *pos, const san_move *san, tby_color us)
{
    const tby_board *b = &pos->board;
    const tby_bitboard target = bb_square(san->to), occupied = board_occupied(b), file = bb_file(san->to & 7);
    const tby_bitboard pawns = board_pawns(b) & board_color(b, us) & san->origins;
    const tby_color them = color_other(us);

    if (!(san->origins & file)) {
        const bool takes = (board_color(b, them) & target) || san->to == pos->en_passant;
        return takes ? bb_pawn_attacks(target, them) & pawns : 0;
    }
    if (occupied & target)
        return 0;
    const tby_bitboard one_back = bb_forward(target, them), two_back = bb_forward(one_back, them);
    const tby_bitboard double_rank = us == TBY_WHITE ? BB_RANK_2 : BB_RANK_7;
    if (one_back & occupied)
        return one_back & pawns;
    return two_back & pawns & double_rank;
}

TBY_INLINE san_answer san_resolve_pawn(const tby_position *pos, const san_move *san, tby_color us, bool auto_queen)
{
    const tby_board *b = &pos->board;
    const unsigned king = board_king(b, us), to = san->to;
    const bool last_rank = (bb_back_rank(color_other(us)) & bb_square(to)) != 0;
    tby_bitboard origins = san_pawn_origins(pos, san, us);
    unsigned kind = san->promotion;

    if (!origins)
        return san_refused(TBY_ILLEGAL_MOVE, "no pawn can go there");
    const unsigned from = bb_first(origins);
    if (to == pos->en_passant && ((from ^ to) & 7)) {
        kind = TBY_PAWN;
        if (!en_passant_is_safe(b, from, to, king, us))
            origins = 0;
    } else {
        const king_bonds bonds = king_bonds_of(b, king, us);
        origins = legal_origins(origins, to, king, &bonds);
    }
    if (!origins)
        return san_refused(TBY_ILLEGAL_MOVE, "the king would be in check");
    if (last_rank && !kind) {
        if (!auto_queen)
            return san_refused(TBY_PROMOTION_MISSING, "the piece to promote to is missing");
        kind = TBY_QUEEN;
    }
    if (!last_rank && san->promotion)
        return san_refused(TBY_ILLEGAL_MOVE, "a pawn promotes on the last rank only");
    return san_found(from, to, kind);
}

/* The one legal move of `us` that the text means. Does not support SAN_COORDINATES. */
TBY_INLINE san_answer san_resolve(const tby_position *pos, const san_move *san, tby_color us, bool auto_queen)
{
    switch (san->kind) {
    case TBY_PAWN: return san_resolve_pawn(pos, san, us, auto_queen);
    case TBY_KING: return san_resolve_king(pos, san, us);
    case SAN_CASTLE_KING_SIDE: return san_resolve_castling(pos, true, us);
    case SAN_CASTLE_QUEEN_SIDE: return san_resolve_castling(pos, false, us);
    default: return san_resolve_piece(pos, san, us);
    }
}

/* Writes a legal move at `at`, which has room for TBY_SAN_SIZE bytes, without a NUL, and plays it. Returns the end. */
char *san_put_and_play(char *at, tby_position *pos, tby_move m);

#endif
