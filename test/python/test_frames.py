"""Tables in pandas, with the system's Python, which has it; and what pyarrow receives."""

import sys
import types
import unittest
from unittest import mock

import numpy
import pandas
import tabiya

GAMES = "examples/famous.pgn"


class Frames(unittest.TestCase):
    def test_the_same_values(self):
        table = tabiya.rows(GAMES, "positions").read()
        frame = table.to_pandas()
        self.assertEqual(list(frame.columns), table.columns)
        for name in table.columns:
            values = [None if pandas.isna(value) else value for value in frame[name]]
            self.assertEqual(values, table[name].tolist())
        pandas.testing.assert_frame_equal(tabiya.rows(GAMES, "positions").to_pandas(), frame)

    def test_missing_values_are_missing(self):
        text = b'[WhiteElo "2400"]\n\n1. e4 {[%clk 0:01:00]} e5 *\n\n[Event "x"]\n\n1. d4 *\n'
        frame = tabiya.rows(text, "games", ["game", "white_elo", "White"]).to_pandas()
        self.assertEqual(str(frame["white_elo"].dtype), "Int32")
        self.assertEqual(frame["white_elo"].isna().tolist(), [False, True])
        self.assertEqual(frame["white_elo"].mean(), 2400)
        self.assertEqual(frame["White"].isna().tolist(), [True, True])
        clocks = tabiya.rows(text, "moves", ["clock"]).to_pandas()["clock"]
        self.assertEqual((str(clocks.dtype), clocks.mean(), clocks.isna().sum()), ("Float64", 60.0, 2))

    def test_types_do_not_depend_on_the_values(self):
        whole = tabiya.rows(b'[WhiteElo "2400"]\n\n1. e4 *\n', "games", ["white_elo"]).to_pandas()
        empty = tabiya.rows(b"1. e4 *\n", "games", ["white_elo"]).to_pandas()
        none = tabiya.rows(b"", "games", ["white_elo"]).to_pandas()
        self.assertEqual({str(frame["white_elo"].dtype) for frame in (whole, empty, none)}, {"Int32"})

    def test_numpy_refuses_a_column_with_missing_values(self):
        table = tabiya.rows(b"1. e4 {[%clk 0:01:00]} e5 *", "moves", ["ply", "clock"]).read()
        self.assertEqual(numpy.asarray(memoryview(table["ply"])).tolist(), [1, 2])
        masked = numpy.ma.array(table["clock"].filled(0), mask=table["clock"].mask)
        self.assertEqual(masked.mean(), 60.0)

    def test_arrow_gets_rows_and_tables(self):
        given = []
        pyarrow = types.SimpleNamespace(table=lambda rows: given.append(rows.__arrow_c_stream__()) or "table")
        with mock.patch.dict(sys.modules, {"pyarrow": pyarrow}):
            self.assertEqual(tabiya.rows(GAMES).to_arrow(), "table")
            self.assertEqual(tabiya.rows(GAMES).read().to_arrow(), "table")
        self.assertEqual(len(given), 2)
        with mock.patch.dict(sys.modules, {"pyarrow": None}), self.assertRaisesRegex(ImportError, "pyarrow"):
            tabiya.rows(GAMES).to_arrow()


if __name__ == "__main__":
    unittest.main()
