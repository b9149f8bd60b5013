"""extension.py - the extension in Python's sqlite3: indexes, many rows, and database operations on them.

    /usr/bin/python3 test/sqlite/extension.py EXTENSION

Random games are made with the extension itself, by legal_moves; the seed is fixed.
"""

import gzip
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import unittest

if not hasattr(sqlite3.Connection, "enable_load_extension"):
    print("this Python cannot load extensions")
    sys.exit(77)

EXTENSION = os.path.splitext(sys.argv.pop(1))[0]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def connect(path=":memory:"):
    db = sqlite3.connect(path)
    db.enable_load_extension(True)
    db.load_extension(EXTENSION)
    return db


def one(db, sql, *values):
    return db.execute(sql, values).fetchone()[0]


def random_games(db, n):
    """Texts of games; many begin alike, because half of all moves are the first legal one."""
    rng = random.Random(8)
    games = []
    for _ in range(n):
        board, line = START, []
        for _ in range(rng.randrange(14)):
            moves = db.execute("SELECT uci, board FROM legal_moves(?)", (board,)).fetchall()
            if not moves:
                break
            uci, board = moves[0] if rng.randrange(2) else rng.choice(moves)
            line.append(uci)
        games.append(" ".join(line) + rng.choice([" 1-0", " 0-1", " 1/2-1/2", " *"]))
    return games


class Extension(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.db = connect()
        cls.games = random_games(cls.db, 1000)

    def table(self, db):
        db.execute("CREATE TABLE games (id INTEGER PRIMARY KEY, moves BLOB NOT NULL CHECK (chessgame(moves) = moves))")
        db.executemany("INSERT INTO games (moves) VALUES (chessgame(?))", [(g,) for g in self.games])
        db.execute("CREATE INDEX games_moves ON games (moves)")

    def test_opening_range_uses_the_index(self):
        db = connect()
        self.table(db)
        sql = "SELECT id FROM games WHERE moves >= opening('1. e4') AND moves < openingEnd('1. e4')"
        plan = " ".join(str(row) for row in db.execute("EXPLAIN QUERY PLAN " + sql))
        self.assertIn("SEARCH games USING COVERING INDEX games_moves (moves>? AND moves<?)", plan)

    def test_opening_by_range_and_by_scan_agree(self):
        db = connect()
        self.table(db)
        n_hits = 0
        for text in self.games[:150] + [""]:
            opening = one(db, "SELECT getFirstMoves(chessgame(?), 3)", text)
            scan = db.execute("SELECT id FROM games WHERE hasOpening(moves, ?) ORDER BY id", (opening,)).fetchall()
            found = db.execute(
                "SELECT id FROM games WHERE moves >= opening(?) AND moves < openingEnd(?) ORDER BY id", (opening, opening)
            ).fetchall()
            self.assertEqual(scan, found)
            n_hits += len(scan)
        self.assertGreater(n_hits, 1151)

    def test_update_and_delete_keep_the_index_right(self):
        db = connect()
        self.table(db)
        db.execute("CREATE INDEX final ON games (positionKey(getBoard(moves)))")
        db.execute("UPDATE games SET moves = getFirstMoves(moves, 4) WHERE id % 3 = 0")
        db.execute("DELETE FROM games WHERE id % 7 = 0")
        self.assertEqual(one(db, "PRAGMA integrity_check"), "ok")
        key = one(db, "SELECT positionKey(getBoard(moves)) FROM games WHERE id = 3")
        by_index = "SELECT count(*) FROM games WHERE positionKey(getBoard(moves)) = ?"
        self.assertIn("USING INDEX final", str(db.execute("EXPLAIN QUERY PLAN " + by_index, (key,)).fetchall()))
        by_scan = one(db, "SELECT count(*) FROM games WHERE positionKey(getBoard(moves)) + 0 = ?", key)
        self.assertEqual(one(db, by_index, key), by_scan)

    def test_dump_and_restore(self):
        db = connect()
        self.table(db)
        again = connect()
        again.executescript("\n".join(db.iterdump()))
        everything = "SELECT id, moves FROM games ORDER BY id"
        self.assertEqual(db.execute(everything).fetchall(), again.execute(everything).fetchall())

    def test_bytes_that_are_not_a_game_fail_the_check(self):
        db = connect()
        self.table(db)
        for blob in [b"", b"\x10", b"\x10\x12\x12\x00" + bytes(9), b"\x12" + bytes(13), bytes(40)]:
            with self.assertRaises(sqlite3.Error):
                db.execute("INSERT INTO games (moves) VALUES (?)", (blob,))

    def test_searches_agree_with_the_positions_of_each_game(self):
        db = connect()
        self.table(db)
        rows = db.execute("SELECT id, toFen(getBoard(moves, 5)) FROM games WHERE plyCount(moves) >= 5 LIMIT 40").fetchall()
        for _, fen in rows:
            by_search = db.execute("SELECT id FROM games WHERE hasBoard(moves, ?) ORDER BY id", (fen,)).fetchall()
            by_rows = db.execute(
                "SELECT DISTINCT id FROM games, positions(games.moves) p WHERE p.placement_key = placementKey(?) ORDER BY id",
                (fen,),
            ).fetchall()
            self.assertEqual(by_search, by_rows)

    def test_text_is_accepted_as_a_value(self):
        self.assertEqual(one(self.db, "SELECT toSan(?)", "e2e4 e7e5"), "1. e4 e5 *")
        self.assertEqual(one(self.db, "SELECT isCheckmate(?)", "1.f3 e5 2.g4 Qh4#"), 1)

    def test_errors_are_exceptions_with_ply_token_and_fen(self):
        with self.assertRaisesRegex(sqlite3.OperationalError, r'"Ke3".*ply 3, FEN rnbqkbnr/pppp1ppp'):
            one(self.db, "SELECT chessgame('1. e4 e5 2. Ke3')")

    def test_pgn_files_are_rows_and_bad_games_too(self):
        with tempfile.NamedTemporaryFile("w", suffix=".pgn", delete=False) as file:
            file.write('[White "Ada"]\n\n1. e4 {!} e5 1-0\n\n[White "Bob"]\n\n1. e4 Ke3 *\n\n[White "Eve"]\n\n1. d4 0-1\n')
        rows = self.db.execute(
            "SELECT number, white, toSan(game), result, error FROM read_pgn(?)", (file.name,)
        ).fetchall()
        os.unlink(file.name)
        self.assertEqual([row[:4] for row in rows],
                         [(1, "Ada", "1. e4 e5 1-0", "1-0"), (2, "Bob", "1. e4 *", "*"), (3, "Eve", "1. d4 0-1", "0-1")])
        self.assertIsNone(rows[0][4])
        self.assertIn('"Ke3"', rows[1][4])
        with self.assertRaisesRegex(sqlite3.OperationalError, "cannot be opened"):
            self.db.execute("SELECT * FROM read_pgn('/no/such/file')").fetchall()

    def test_null_moves_are_reported_in_a_column(self):
        rows = self.db.execute("SELECT toSan(game), error, warning FROM read_pgn(?)",
                               ("1. e4 -- 2. d4 1-0\n\n1. d4 (1. -- e5) d5 *\n",)).fetchall()
        self.assertEqual(rows, [("1. e4 -- 2. d4 1-0", None, 'null move in the main line: "--" (game 1)'),
                                ("1. d4 d5 *", None, None)])
        self.assertEqual(one(self.db, "SELECT count(*) FROM moves('1. e4 -- 2. d4') WHERE uci = '0000'"), 1)

    def read_bytes(self, data):
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(data)
        try:
            return self.db.execute("SELECT number, toSan(game), file FROM read_pgn(?)", (file.name,)).fetchall(), file.name
        finally:
            os.unlink(file.name)

    def test_utf_16_is_refused(self):
        for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
            with tempfile.NamedTemporaryFile(delete=False) as file:
                file.write('[White "Ada"]\n\n1. e4 *\n'.encode(encoding))
            with self.assertRaisesRegex(sqlite3.OperationalError, "UTF-16"):
                self.db.execute("SELECT * FROM read_pgn(?)", (file.name,)).fetchall()
            os.unlink(file.name)

    def test_compressed_files_are_decompressed(self):
        rows, name = self.read_bytes(gzip.compress(b"1. e4 *\n\n1. d4 *\n"))
        self.assertEqual(rows, [(1, "1. e4 *", name), (2, "1. d4 *", name)])
        # zstd's frame of "1. c4 *", uncompressed inside
        rows, name = self.read_bytes(b"\x28\xb5\x2f\xfd\x20\x08\x41\x00\x00" + b"1. c4 *\n")
        self.assertEqual(rows, [(1, "1. c4 *", name)])

    def test_damaged_and_unknown_compression_is_an_error(self):
        for head, message in ((b"\x1f\x8b\x08\x00 1. e4 *", "damaged|truncated"), (b"BZh91AY 1. e4 *", "cannot be read"),
                              (gzip.compress(b"1. e4 *\n" * 50)[:-9], "truncated"), (b"\xfd7zXZ\x00 1. e4", "cannot be read"),
                              (b"PK\x03\x04 1. e4 *", "cannot be read")):
            with self.assertRaisesRegex(sqlite3.OperationalError, message):
                self.read_bytes(head)
            with self.assertRaisesRegex(sqlite3.OperationalError, "not its bytes"):
                self.db.execute("SELECT * FROM read_pgn(?)", (head,)).fetchall()

    def test_several_files_are_one_table(self):
        rows = self.db.execute("SELECT number, toSan(game), file FROM read_pgn('1. e4 *', '', '1. d4 * 1. c4 *')").fetchall()
        self.assertEqual(rows, [(1, "1. e4 *", None), (2, "1. d4 *", None), (3, "1. c4 *", None)])
        self.assertEqual(self.db.execute("SELECT * FROM read_pgn('1. e4 *', NULL)").fetchall(), [])
        with self.assertRaisesRegex(sqlite3.OperationalError, "cannot be opened"):
            self.db.execute("SELECT * FROM read_pgn('1. e4 *', '/no/such/file')").fetchall()

    def test_text_in_text_out(self):
        fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
        for call, answer in (("getBoard(%s, 1)", fen), ("getFirstMoves(%s, 1)", "1. e4 *"),
                             ("undoLastMove(%s)", "1. e4 *"), ("addMove(%s, 'Nf3')", "1. e4 c5 2. Nf3 *"),
                             ("getOpeningMoves(%s)", "1. e4 c5 *")):
            self.assertEqual(one(self.db, "SELECT " + call % "'1. e4 c5'"), answer)
            value = one(self.db, "SELECT " + call % "chessgame('1. e4 c5')")
            self.assertIsInstance(value, bytes)
            back = "toFen" if call.startswith("getBoard") else "toSan"
            self.assertEqual(one(self.db, f"SELECT {back}(?)", value), answer)

    def test_chess960_fen_is_requested_by_an_argument(self):
        fen = "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1"
        count = "SELECT countLegalMoves(%s)"
        self.assertEqual(one(self.db, count % "?", fen), 23)
        self.assertEqual(one(self.db, count % "fromFen(?, 0)", fen), 23)
        self.assertEqual(one(self.db, count % "fromFen(?, 1)", fen), 24)
        self.assertEqual(one(self.db, count % "fromEpd(?, 1)", fen), 24)
        self.assertIsNone(one(self.db, count % "fromFen(?, NULL)", fen))

    def test_files_are_not_read_from_views(self):
        db = connect()
        db.execute("CREATE VIEW v AS SELECT * FROM read_pgn('/dev/null')")
        with self.assertRaisesRegex(sqlite3.OperationalError, "unsafe"):
            one(db, "SELECT count(*) FROM v")

    def test_pgn_may_be_a_text(self):
        self.assertEqual(one(self.db, "SELECT count(*) FROM read_pgn('1. e4 *')"), 1)
        self.assertEqual(one(self.db, "SELECT count(*) FROM read_pgn('')"), 0)
        self.assertEqual(one(self.db, "SELECT count(*) FROM read_pgn('[White \"A\"]\n\n*\n\n[White \"B\"]\n\n1.e4')"), 2)

    def test_a_row_that_is_not_an_index_row_is_an_error(self):
        with self.assertRaisesRegex(sqlite3.OperationalError, "damaged"):
            self.db.execute("SELECT * FROM postings(x'000000', 1, '1. e4')").fetchall()
        self.assertEqual(one(self.db, "SELECT count(*) FROM postings(x'', 1, '1. e4')"), 0)
        self.assertEqual(one(self.db, "SELECT game FROM postings(x'000040e0', 7, '1. e4')"), 7)
        self.assertEqual(one(self.db, "SELECT positionRow(1, -1, '1. e4') = positionRow(1, 99, '1. e4')"), 1)
        one(self.db, "SELECT positionRow(-9223372036854775808, 22, '1. e4')")  # this once overflowed
        self.assertEqual(one(self.db, "SELECT count(*) FROM postings(NULL, 1, '1. e4')"), 0)

    def test_only_the_entry_point_is_visible(self):
        symbols = subprocess.run(["nm", "-D", "--defined-only", EXTENSION + ".so"], capture_output=True, text=True, check=True)
        self.assertEqual([line.split()[2] for line in symbols.stdout.splitlines()], ["sqlite3_tabiya_init"])

    def test_a_notation_of_the_library_has_its_functions(self):
        functions = {row[0].lower() for row in self.db.execute("SELECT name FROM pragma_function_list")}
        for name in "fen fenlegal epd boardinfo base64 base64url ascii unicode svg san uci lan short cmbr pgn json".split():
            self.assertIn("to" + name, functions)
            if name != "svg":
                self.assertIn("from" + name, functions)


if __name__ == "__main__":
    unittest.main()
