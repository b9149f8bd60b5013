/*
 * boards.c - setups: boards, legal or not, in every notation, and editing them piece by piece.
 *
 * A handle is a tby_setup in memory from memory_new; memory_free frees it.
 */
#include "answer.h"

tby_setup *EXPORT(board_new)(void)
{
    tby_setup *board = memory_new(sizeof *board);
    tby_setup_start(board);
    return board;
}

void EXPORT(board_copy)(tby_setup *board, const tby_setup *other) { *board = *other; }
void EXPORT(board_start)(tby_setup *board) { tby_setup_start(board); }
void EXPORT(board_clear)(tby_setup *board) { tby_setup_clear(board); }
bool EXPORT(board_chess960)(tby_setup *board, unsigned number) { return tby_setup_chess960(board, number); }
bool EXPORT(board_equal)(const tby_setup *a, const tby_setup *b) { return tby_setup_equal(a, b); }

/* ---- Notations ------------------------------------------------------------------------------------------ */

bool EXPORT(board_read)(tby_setup *board, size_t index, const char *s, size_t n, unsigned flags)
{
    const tby_position_notation *notation = tby_position_notation_at(index);
    tby_error err;
    if (!notation || !notation->read)
        return answer_fault(TBY_CANNOT_HOLD, 0, "this notation cannot be read");
    return notation->read(board, s, n, flags, NULL, &err) == TBY_OK || answer_error(&err);
}

/* The index of the first notation that accepts the text; -1 if there is none. */
int EXPORT(board_guess)(tby_setup *board, const char *s, size_t n)
{
    const tby_position_notation *notation;
    for (size_t i = 0; (notation = tby_position_notation_at(i)); i++)
        if (notation->read && notation->read(board, s, n, 0, NULL, NULL) == TBY_OK)
            return (int)i;
    return -1;
}

bool EXPORT(board_write)(const tby_setup *board, size_t index, unsigned flags)
{
    const tby_position_notation *notation = tby_position_notation_at(index);
    tby_error err = {0};
    buffer_clear(&answer);
    if (!notation)
        return answer_fault(TBY_CANNOT_HOLD, 0, "there is no such notation");
    const size_t size = notation->size ? notation->size : notation->write(NULL, 0, board, flags, &err) + 1;
    answer.n = notation->write(answer_room(size), size, board, flags, &err);
    return err.status == TBY_OK || answer_error(&err);
}

/* An SVG image. `flags` are TBY_DIAGRAM_...; squares are TBY_NO_SQUARE for none; equal colours mean the default ones.
   */
void EXPORT(board_svg)(const tby_setup *board, unsigned flags, unsigned pixels, unsigned from, unsigned to,
                       unsigned check, unsigned light, unsigned dark)
{
    const bool is_marked = from < TBY_NO_SQUARE && to < TBY_NO_SQUARE;
    const tby_svg_options options = {.flags = flags,
                                     .pixels = pixels,
                                     .last_move = is_marked ? TBY_MOVE(from, to, 0) : TBY_MOVE_NONE,
                                     .check = (tby_square)check,
                                     .light = light,
                                     .dark = dark};
    const size_t size = tby_svg_write(NULL, 0, &board->board, &options) + 1;
    buffer_clear(&answer);
    answer.n = tby_svg_write(answer_room(size), size, &board->board, &options);
}

void EXPORT(board_diagram)(const tby_setup *board, unsigned flags)
{
    buffer_clear(&answer);
    answer.n = tby_diagram_write(answer_room(TBY_DIAGRAM_SIZE), TBY_DIAGRAM_SIZE, &board->board, flags);
}

/* ---- Changes -------------------------------------------------------------------------------------------- */

/* The letter of the piece on a square, 0 for none. */
int EXPORT(board_get)(const tby_setup *board, unsigned square)
{
    const tby_piece piece = square < TBY_NO_SQUARE ? tby_board_piece(&board->board, (tby_square)square) : TBY_NO_PIECE;
    return piece == TBY_NO_PIECE ? 0 : piece_letter(piece);
}

/* `letter` as in FEN, 0 to empty the square; false if it is not a piece. */
bool EXPORT(board_put)(tby_setup *board, unsigned square, int letter)
{
    tby_piece piece = TBY_NO_PIECE;
    for (unsigned i = 1; i < 15; i++)
        if (piece_letter((tby_piece)i) == letter && letter != '.')
            piece = (tby_piece)i;
    if (square >= TBY_NO_SQUARE || (letter != 0 && piece == TBY_NO_PIECE))
        return false;
    tby_setup_put(board, (tby_square)square, piece);
    return true;
}

/* Each changes one field; castling is changed for one rook's square. */
void EXPORT(board_set_side)(tby_setup *board, unsigned side) { board->side = side ? TBY_BLACK : TBY_WHITE; }
void EXPORT(board_set_clock)(tby_setup *board, unsigned clock)
{
    board->clock = (uint16_t)(clock < TBY_CLOCK_MAX ? clock : TBY_CLOCK_MAX);
}
void EXPORT(board_set_fullmove)(tby_setup *board, unsigned fullmove)
{
    board->fullmove = fullmove < 1 ? 1 : fullmove < TBY_FULLMOVE_MAX ? fullmove : TBY_FULLMOVE_MAX;
}
void EXPORT(board_set_en_passant)(tby_setup *board, unsigned square)
{
    board->en_passant = square < TBY_NO_SQUARE ? (tby_square)square : TBY_NO_SQUARE;
}
void EXPORT(board_set_castling)(tby_setup *board, unsigned square, bool may)
{
    const tby_bitboard rook = square < TBY_NO_SQUARE ? (tby_bitboard)1 << square : 0;
    board->castling = may ? board->castling | rook : board->castling & ~rook;
}

static tby_setup with_castling(const tby_setup *board, unsigned square)
{
    tby_setup changed = *board;
    changed.castling = (tby_bitboard)1 << square;
    return changed;
}

static bool may_castle(const tby_setup *board, unsigned square)
{
    const tby_setup changed = with_castling(board, square);
    return !(tby_setup_faults(&changed) & TBY_FAULT_CASTLING);
}

static bool may_be_passed(const tby_setup *board, unsigned square)
{
    tby_setup changed = *board;
    changed.en_passant = (tby_square)square;
    return !(tby_setup_faults(&changed) & TBY_FAULT_EN_PASSANT);
}

/* Removes rights and en passant squares that the pieces contradict. */
void EXPORT(board_mend)(tby_setup *board)
{
    for (unsigned square = 0; square < TBY_NO_SQUARE; square++)
        if (board->castling >> square & 1 && !may_castle(board, square))
            board->castling &= ~((tby_bitboard)1 << square);
    if (board->en_passant < TBY_NO_SQUARE && !may_be_passed(board, board->en_passant))
        board->en_passant = TBY_NO_SQUARE;
}

bool board_position(tby_position *pos, const tby_setup *board)
{
    tby_error err;
    return tby_position_init(pos, board, TBY_FAULTS_UNREACHABLE, &err) == TBY_OK || answer_error(&err);
}

bool EXPORT(board_is_playable)(const tby_setup *board)
{
    tby_position pos;
    return board_position(&pos, board);
}

/* ---- Describing a board ----------------------------------------------------------------------------------- */

/* Every right that the pieces allow, with its X-FEN letter. */
static void castling_array(const tby_setup *board)
{
    answer_add("'castling':[");
    for (unsigned square = 0; square < TBY_NO_SQUARE; square++) {
        if (!may_castle(board, square) && !(board->castling >> square & 1))
            continue;
        const tby_setup alone = with_castling(board, square);
        char fen[TBY_FEN_SIZE], letter = '-';
        const size_t n = tby_fen_write(fen, sizeof fen, &alone, TBY_FEN_XFEN | TBY_FEN_EPD);
        for (size_t i = 0, blanks = 0; i < n && blanks < 3; i++) {
            letter = blanks == 2 && fen[i] != ' ' ? fen[i] : letter;
            blanks += fen[i] == ' ';
        }
        answer_add("{'rook':%s,'letter':%.*s,'has':%i}", square_name((tby_square)square), 1, &letter,
                   (int)(board->castling >> square & 1));
    }
    answer_add("]");
}

static void en_passant_array(const tby_setup *board)
{
    answer_add("'enPassantSquares':[");
    for (unsigned square = 0; square < TBY_NO_SQUARE; square++)
        if (may_be_passed(board, square))
            answer_add("%s", square_name((tby_square)square));
    answer_add("]");
}

void EXPORT(board_describe)(const tby_setup *board)
{
    const tby_faults faults = tby_setup_faults(board);
    const bool is_playable = board_is_playable(board);
    char squares[64];
    for (unsigned i = 0; i < sizeof squares; i++)
        squares[i] = piece_letter(tby_board_piece(&board->board, (tby_square)i));
    answer_begin("{'squares':%.*s,'side':%s,'clock':%u,'fullmove':%u,'enPassant':%s", (int)sizeof squares, squares,
                 board->side == TBY_WHITE ? "white" : "black", board->clock, (unsigned)board->fullmove,
                 square_name(board->en_passant));
    castling_array(board);
    en_passant_array(board);
    answer_add("'legal':%i,'playable':%i,'faults':[", faults == 0, is_playable);
    for (tby_faults rest = faults; rest; rest &= rest - 1)
        answer_add("{'name':%s,'text':%s}", tby_fault_name(rest & -rest), tby_fault_text(rest & -rest));
    answer_add("]}");
}

/* Can no sequence of moves end in mate? Searches for a few milliseconds; a board that cannot be played on is not dead.
 */
bool EXPORT(board_is_dead)(const tby_setup *board)
{
    const size_t size = (size_t)TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE;
    tby_position pos;
    if (!board_position(&pos, board))
        return false;
    void *work = memory_new(size);
    const bool is_dead = tby_dead_position(&pos, work, size) == TBY_YES;
    memory_free(work);
    return is_dead;
}

/* Exact up to 2^53; -1 for an unplayable board. */
double EXPORT(board_perft)(const tby_setup *board, unsigned depth)
{
    tby_position pos;
    if (!board_position(&pos, board))
        return -1;
    return (double)tby_perft(&pos, depth);
}
