"""Opening books of Polyglot, made here entry by entry."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import tabiya

START = 0x463B96181691FC9C  # from Polyglot's description
AFTER_E4 = 0x823C9B50FD114196  # the same


def entry(key: int, code: int, weight: int) -> bytes:
    return key.to_bytes(8, "big") + code.to_bytes(2, "big") + weight.to_bytes(2, "big") + bytes(4)


BOOK = entry(START, 0o1434, 2) + entry(START, 0o1333, 7) + entry(AFTER_E4, 0o6444, 1)  # e2e4, d2d4, e7e5


class Books(unittest.TestCase):
    def test_moves_of_a_position(self):
        book = tabiya.Book(BOOK)
        self.assertEqual(len(book), 3)
        self.assertEqual([(move.san, move.move.uci, move.weight) for move in book.moves()], [("d4", "d2d4", 7), ("e4", "e2e4", 2)])
        for after_e4 in ("e4", tabiya.Position().play("e4"), tabiya.Position().play("e4").fen):
            self.assertEqual([move.san for move in book.moves(after_e4)], ["e5"])
        self.assertEqual(book.moves("d4"), [])
        self.assertEqual(book.game().pgn(tags=False), "1. d4 {weight 7} (1. e4 {weight 2} 1... e5 {weight 1}) *\n\n")

    def test_a_book_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "book.bin")
            tree = ["tree", "export", "--to", "polyglot", "--plies", "4", "-o", str(path), "examples/famous.pgn"]
            subprocess.run([os.environ["TABIYA"], *tree], check=True, capture_output=True)
            shown = subprocess.run([os.environ["TABIYA"], "tree", "show", str(path)], check=True, capture_output=True, text=True)
            lines = [f"{move.san:8} {move.weight:5}" for move in tabiya.Book(path).moves()]
        self.assertGreater(len(lines), 2)
        self.assertEqual(lines, shown.stdout.splitlines()[-len(lines) :])

    def test_what_is_not_a_book(self):
        with self.assertRaisesRegex(tabiya.InvalidError, "^<bytes>: not a Polyglot book: entry 3 is not in order$"):
            tabiya.Book(BOOK[16:] + BOOK[:16])
        with self.assertRaisesRegex(tabiya.InvalidError, "entry 3 is cut off"):
            tabiya.Book(BOOK[:-1])
        with self.assertRaises(FileNotFoundError):
            tabiya.Book("missing.bin")
        self.assertEqual(tabiya.Book(b"").moves(), [])
        with self.assertRaises(tabiya.IllegalError):
            tabiya.Book(BOOK).moves("e5")


if __name__ == "__main__":
    unittest.main()
