/*
 * planes.c - boards as bitboards, and as planes of 0 and 1 for numpy.
 *
 *     0-5     white pawns, knights, bishops, rooks, queens, king
 *     6-11    the same for black
 *     12      the rooks that may still castle
 *     13      the square that a pawn has just passed over, as in the fourth field of FEN
 *     14      all squares if White is to move, else none
 *
 * Bit 0 of a bitboard is a1, bit 1 is b1, bit 63 is h8. A plane is its bitboard with one byte per square, so [rank][file].
 */
#include "python.h"

#include <string.h>

enum { N_PLANES = 15, N_SQUARES = 64 };

static void bitboards_write(uint64_t out[N_PLANES], const tby_setup *setup)
{
    static const tby_kind kinds[6] = {TBY_PAWN, TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN, TBY_KING};
    for (unsigned i = 0; i < 12; i++)
        out[i] = tby_board_pieces(&setup->board, TBY_PIECE(i / 6, kinds[i % 6]));
    out[12] = setup->castling;
    out[13] = setup->en_passant == TBY_NO_SQUARE ? 0 : (uint64_t)1 << setup->en_passant;
    out[14] = setup->side == TBY_WHITE ? UINT64_MAX : 0;
}

/* Eight bits as eight bytes of 0 or 1, the lowest first. */
static uint64_t spread[256];

void planes_begin(void)
{
    for (int bits = 0; bits < 256; bits++) {
        uint8_t bytes[8];
        for (int i = 0; i < 8; i++)
            bytes[i] = bits >> i & 1;
        memcpy(&spread[bits], bytes, sizeof bytes);
    }
}

static void planes_write(char *out, const uint64_t boards[N_PLANES])
{
    for (int i = 0; i < N_PLANES; i++)
        for (uint64_t rank = 0, left = boards[i]; rank < 8; rank++, left >>= 8, out += 8)
            memcpy(out, &spread[left & 0xff], 8);
}

/* Fills the array and returns how many rows have a board before the first that has none. */
static Py_ssize_t fill(char *at, Py_ssize_t n, board_reader read, const void *context, bool are_planes)
{
    uint64_t boards[N_PLANES];
    tby_setup setup;
    Py_ssize_t row = 0;
    for (; row < n && read(&setup, context, row); row++) {
        bitboards_write(boards, &setup);
        if (are_planes)
            planes_write(at + row * N_PLANES * N_SQUARES, boards);
        else
            memcpy(at + row * (Py_ssize_t)sizeof boards, boards, sizeof boards);
    }
    return row;
}

/* The array comes from numpy, which asks the system for large pages: most of the time would go to small ones. */
PyObject *planes_new(Py_ssize_t n, board_reader read, const void *context, bool are_planes)
{
    Py_buffer view;
    Py_ssize_t n_good;
    PyObject *number = PyLong_FromSsize_t(n);
    PyObject *array = number ? python_call("tabiya._arrays", are_planes ? "planes" : "bitboards", number) : NULL;
    Py_XDECREF(number);
    if (!array || PyObject_GetBuffer(array, &view, PyBUF_WRITABLE) < 0) {
        Py_XDECREF(array);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS;
    n_good = fill(view.buf, n, read, context, are_planes);
    Py_END_ALLOW_THREADS;
    PyBuffer_Release(&view);
    if (n_good < n) {
        Py_CLEAR(array);
        PyErr_Format(PyExc_ValueError, "row %zd has no board", n_good);
    }
    return array;
}
