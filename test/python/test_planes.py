"""Boards as bitboards and planes of numpy, with the system's Python, which has it."""

import sys
import unittest
from unittest import mock

import numpy
import tabiya

GAMES = "examples/famous.pgn"
PIECES = "PNBRQKpnbrqk"
START_ROOKS = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}


def square(name: str) -> tuple[int, int]:
    return int(name[1]) - 1, ord(name[0]) - ord("a")


def planes_by_fen(fen: str) -> numpy.ndarray:
    """The documented layout, from the fields of FEN."""
    made = numpy.zeros((15, 8, 8), numpy.uint8)
    board, turn, castling, en_passant = fen.split()[:4]
    for rank, row in enumerate(board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                made[PIECES.index(letter), 7 - rank, file] = 1
                file += 1
    for right in castling.strip("-"):
        made[(12, *square(START_ROOKS[right]))] = 1
    if en_passant != "-":
        made[(13, *square(en_passant))] = 1
    made[14] = turn == "w"
    return made


class Planes(unittest.TestCase):
    def test_the_layout_is_the_documented_one(self):
        table = tabiya.rows(GAMES, "positions", ["fen", "board"]).read()
        expected = numpy.array([planes_by_fen(fen) for fen in table["fen"].tolist()])
        self.assertEqual((table.planes().shape, table.planes().dtype), ((len(table), 15, 8, 8), numpy.uint8))
        numpy.testing.assert_array_equal(table.planes(), expected)

    def test_a_fen_is_as_good_as_a_board(self):
        by_fen = tabiya.rows(GAMES, "positions").planes()
        numpy.testing.assert_array_equal(by_fen, tabiya.rows(GAMES, "positions", ["board"]).planes())

    def test_bitboards_are_the_planes_from_a1(self):
        rows = tabiya.rows(GAMES, "positions", ["board"]).read()
        bitboards, planes = rows.bitboards(), rows.planes()
        self.assertEqual((bitboards.shape, bitboards.dtype), ((len(rows), 15), numpy.uint64))
        self.assertEqual([hex(number) for number in bitboards[0, :2]], ["0xff00", "0x42"])
        bits = numpy.unpackbits(bitboards.astype("<u8").view(numpy.uint8), bitorder="little")
        numpy.testing.assert_array_equal(bits.reshape(planes.shape), planes)

    def test_a_position_has_its_own(self):
        position = tabiya.Position().play("e4", "a6", "e5", "d5")
        numpy.testing.assert_array_equal(position.planes(), planes_by_fen(position.fen))
        self.assertEqual((position.bitboards().shape, int(position.bitboards()[13])), ((15,), 1 << 43))

    def test_the_column_board_is_decoded_by_unpack(self):
        table = tabiya.rows(GAMES, "positions", ["board", "fen"]).read()
        for board, fen in zip(table["board"].tolist()[:300], table["fen"].tolist()):
            self.assertEqual(tabiya.Position.unpack(board), tabiya.Position(fen))

    def test_arrays_can_be_changed(self):
        planes = tabiya.rows(b"1. e4 *", "positions").planes()
        planes[0, 0] = 0
        self.assertEqual(planes[0].sum(), 24 + 4 + 64)

    def test_no_rows_and_no_board(self):
        self.assertEqual(tabiya.rows(b"", "positions").planes().shape, (0, 15, 8, 8))
        with self.assertRaisesRegex(ValueError, '"board" or "fen"'):
            tabiya.rows(GAMES, "games").planes()

    def test_without_numpy_the_error_names_it(self):
        with mock.patch.dict(sys.modules, {"numpy": None}), self.assertRaisesRegex(ImportError, "numpy"):
            tabiya.Position().planes()


if __name__ == "__main__":
    unittest.main()
