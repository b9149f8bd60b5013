"""Objects of the package among other Python objects: copied, pickled, hashed, iterated, shown; and long calls."""

import copy
import ctypes
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

import tabiya
from test_tabiya import ArrowArray, stream_of

GAMES = "examples/famous.pgn"
MANY = "examples/selfplay.pgn"


def again(value):
    return pickle.loads(pickle.dumps(value))


def lengths_of_stream(rows):
    """How many rows each batch of an Arrow stream has."""
    capsule, stream = stream_of(rows)
    while True:
        batch = ArrowArray()
        if stream.contents.get_next(stream, ctypes.byref(batch)) != 0:
            raise RuntimeError(stream.contents.get_last_error(stream))
        if not batch.release:
            break
        yield batch.length
        batch.release(ctypes.byref(batch))
    del capsule


class Copies(unittest.TestCase):
    def test_values_are_equal_after_pickle_and_copy(self):
        position = tabiya.Position("4k3/8/8/8/8/8/8/4K2R w K - 7 40")
        values = [position, tabiya.Position(), tabiya.Position().play("e4"), position.move("O-O"), tabiya.Query("mate")]
        values += [tabiya.Position.chess960_start(7), tabiya.Position("8/8/8/8/8/k7/8/K7 w - - 0 1", any=True)]
        for value in values:
            for other in (again(value), copy.copy(value), copy.deepcopy(value)):
                self.assertEqual(other, value)
                self.assertEqual(hash(other), hash(value))
                self.assertEqual(str(other), str(value))
        self.assertEqual(again(position).fen, position.fen)
        self.assertTrue(again(tabiya.Position.chess960_start(7)).chess960)

    def test_games_are_whole_after_pickle_and_copy(self):
        noted = tabiya.Game('[Event "\u00e9"]\n\n{first} 1. e4 $1 {[%clk 0:01:00]} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 *')
        for game in [noted, tabiya.Game(), *tabiya.read_games(GAMES)]:
            for other in (again(game), copy.copy(game), copy.deepcopy(game)):
                self.assertEqual(other, game)
                self.assertEqual(str(other), str(game))
                self.assertEqual(hash(other), hash(game))
        other = copy.copy(noted)
        other.play("Nc6")
        self.assertNotEqual(other, noted)

    def test_nodes_stay_in_their_game(self):
        game = tabiya.Game("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *")
        node = game.root.next.children[1].next
        self.assertEqual(copy.copy(node), node)
        self.assertEqual((again(node).san, again(node).parent.san), ("Nf3", "c5"))
        for one in (game.root, node, game.end):
            for other in (again(one), copy.copy(one), copy.deepcopy(one)):
                self.assertEqual(other, one)
                self.assertEqual(hash(other), hash(one))
        self.assertNotEqual(again(game.root.next.next), node.parent)
        self.assertNotEqual(tabiya.Game("1. e4 c5 2. Nf3 *").end, node)
        self.assertEqual(len({node, again(node), game.end}), 2)
        pair = again((game, node))
        self.assertIs(pair[1].game, pair[0])
        self.assertEqual(copy.deepcopy(game.root).game, game)

    def test_tuples_with_names(self):
        with tempfile.TemporaryDirectory() as folder:
            with tabiya.Database(os.path.join(folder, "g.db"), "c") as database:
                database.add(tabiya.read_games(GAMES))
                explored = database.explore(tabiya.Position())
                self.assertEqual(again(explored), explored)
                self.assertEqual(again(database.find(limit=2)), database.find(limit=2))

    def test_damaged_pickles_are_refused(self):
        from tabiya import _copies as make

        for action in (lambda: make.make_position(b"", False), lambda: make.make_position(b"\xff" * 40, False),
                       lambda: make.make_move(1, "e2e4" * 9), lambda: make.make_game(b"{"),
                       lambda: make.make_node(tabiya.Game(), [0]), lambda: make.make_node(tabiya.Game("1. e4 *"), [-1])):
            self.assertRaises(ValueError, action)

    def test_sets_and_dicts(self):
        self.assertEqual(len({tabiya.Query("mate"), tabiya.Query(" mate ")}), 1)
        self.assertNotEqual(tabiya.Query("mate"), tabiya.Query("stalemate"))
        self.assertEqual(len({*tabiya.read_games(GAMES), *tabiya.read_games(GAMES)}), 58)


class Rules(unittest.TestCase):
    def test_castling_rights(self):
        self.assertEqual(tabiya.Position().castling, "KQkq")
        self.assertEqual(tabiya.Position().play("e4", "e5", "Ke2").castling, "kq")
        self.assertEqual(tabiya.Position("4k3/8/8/8/8/8/8/4K3 w - - 0 1").castling, "")

    def test_attackers(self):
        position = tabiya.Position()
        self.assertEqual(position.attackers("f3"), ["g1", "e2", "g2"])
        self.assertEqual(position.attackers("f3", "black"), [])
        self.assertEqual(position.attackers("f6", by="black"), ["e7", "g7", "g8"])
        with self.assertRaises(ValueError):
            position.attackers("f3", "green")
        with self.assertRaises(ValueError):
            position.attackers("i3")

    def test_captures_and_checks(self):
        position = tabiya.Position().play("e4", "a6", "e5", "d5")
        self.assertTrue(position.is_capture("exd6"))
        self.assertFalse(position.is_capture("e6"))
        self.assertTrue(position.gives_check("Bb5"))
        self.assertFalse(position.gives_check("Be2"))
        self.assertEqual(position.play("Bb5").checkers, ["b5"])
        with self.assertRaises(tabiya.IllegalError):
            position.gives_check("Ke3")


class Games(unittest.TestCase):
    def test_tags_as_a_mapping(self):
        game = tabiya.Game('[White "Ada"]\n[Black "Bob"]\n\n1. e4 *')
        self.assertEqual(dict(game), {"White": "Ada", "Black": "Bob"})
        self.assertEqual(list(game.items()), [("White", "Ada"), ("Black", "Bob")])
        self.assertEqual((list(game.keys()), list(game.values())), (["White", "Black"], ["Ada", "Bob"]))

    def test_iterating_gives_as_many_nodes_as_the_length_says(self):
        game = tabiya.Game("1. e4 e5 (1... c5) 2. Nf3 *")
        self.assertEqual([node.san for node in game], ["e4", "e5", "Nf3"])
        self.assertEqual(len(list(game)), len(game))
        self.assertEqual(list(map(repr, game)), ["<Node 1. e4>", "<Node 1...e5>", "<Node 2. Nf3>"])
        self.assertEqual(repr(game.root), "<Node at the start>")

    def test_readers_and_rows_are_closed_by_with(self):
        with tabiya.read_games(GAMES) as games:
            first = next(games)
        self.assertEqual(list(games), [])
        self.assertEqual(first, next(tabiya.read_games(GAMES)))
        with tabiya.rows(GAMES) as rows:
            pass
        with self.assertRaises(ValueError):
            rows.read()


class Databases(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "games.db")
        self.database = tabiya.Database(self.path, "c")
        self.database.add(tabiya.read_games(GAMES))

    def tearDown(self):
        self.database.close()
        self.folder.cleanup()

    def test_a_query_about_the_game_holds_from_ply_0(self):
        self.database.add([tabiya.Game('[Event "Rated blitz game"]\n\n1. e4 *')])
        self.assertEqual(self.database.find("rated"), [(59, 0)])
        self.assertEqual({hit.ply for hit in self.database.find("player morphy")}, {0})
        self.assertEqual({hit.ply for hit in self.database.find()}, {0})

    def test_hits_are_keys_and_games_are_iterated(self):
        hit = self.database.find("player morphy mate")[0]
        self.assertEqual(self.database[hit], self.database[hit.id])
        self.assertEqual(list(self.database), list(tabiya.read_games(GAMES)))

    def test_sql(self):
        table = self.database.sql("SELECT id, white, plies / 2.0 AS moves, NULL AS none FROM games ORDER BY id LIMIT 2")
        self.assertEqual(table.columns, ["id", "white", "moves", "none"])
        self.assertEqual(table[0][0], 1)
        self.assertIsInstance(table[0][2], float)
        self.assertEqual(table["none"].tolist(), [None, None])
        self.assertEqual(len(self.database.sql("SELECT 1 WHERE 0")), 0)
        self.assertEqual(self.database.sql("SELECT hasopening('1. e4 e5', '1. e4') AS yes")[0], (1,))
        self.assertEqual(tabiya.sql(self.path, "SELECT count(*) AS n FROM games")[0], (58,))
        for wrong in ("DELETE FROM game", "nonsense"):
            with self.assertRaises(tabiya.DatabaseError):
                self.database.sql(wrong)
        with self.assertRaises(ValueError):
            self.database.sql("SELECT 1; SELECT 2")

    def test_report_and_explore(self):
        report = tabiya.report(self.path, "morphy")
        self.assertEqual(report.white.games + report.black.games, self.database.count("player morphy"))
        self.assertEqual(sum(report.openings.values()), self.database.count("player morphy"))
        self.assertEqual(report.white.score, 1.0)
        self.assertIsNone(tabiya.report(self.database, 'no "one').white.score)
        position = tabiya.Position().play("e4", "e5")
        for asked in (position, "e4 e5", position.fen):
            self.assertEqual(tabiya.explore(self.database, asked), self.database.explore(position))
        self.assertEqual(tabiya.explore(self.path).games, 58)

    def test_a_report_of_some_games(self):
        whole = tabiya.report(self.database, "morphy")
        black = tabiya.report(self.database, "morphy", color="black")
        self.assertEqual((black.white, black.black), ((0, 0, 0, 0, None, None), whole.black))
        self.assertEqual(sum(black.openings.values()), whole.black.games)
        years = [tabiya.report(self.database, "morphy", date=date) for date in ("..1857", "1858..")]
        for side in (0, 1):
            self.assertEqual(years[0][side].games + years[1][side].games, whole[side].games)
        for query in ("mate or result 1-0", tabiya.Query("mate or result 1-0")):
            some = tabiya.report(self.database, "morphy", query=query)
            self.assertEqual(some.white.games, self.database.count("white morphy (mate or result 1-0)"))
        with self.assertRaisesRegex(ValueError, "colour"):
            tabiya.report(self.database, "morphy", color="w")

    def test_a_report_is_about_the_person(self):
        games = tabiya.report(self.database, "Morphy, P.")
        self.assertEqual(games.white.games + games.black.games, self.database.count('player ~"Paul Morphy"'))
        self.assertEqual(tabiya.report(self.database, "=Morphy").white.games, 0)
        self.assertEqual(tabiya.report(self.database, "*Morphy"), tabiya.report(self.database, "morphy"))
        self.assertEqual(tabiya.report(self.database, ", Paul").white.games, self.database.count("white paul"))

    def test_progress(self):
        shares = []
        self.database.add([tabiya.Game("1. a3 *")], progress=shares.append)
        self.assertTrue(shares and all(0 <= fraction <= 1 for fraction in shares))

        def stop(fraction):
            raise KeyboardInterrupt("enough")

        with self.assertRaisesRegex(KeyboardInterrupt, "enough"):
            self.database.add([tabiya.Game("1. a4 *")], progress=stop)
        with self.assertRaises(TypeError):
            self.database.count(progress=3)
        with self.assertRaises(TypeError):
            self.database.find("mate", progress="no")
        self.assertEqual(self.database.count("mate", progress=shares.append), self.database.count("mate"))


class BigTables(unittest.TestCase):
    """Beyond 65536 rows and 32 MiB, the limits of one batch."""

    def check(self, source, kind, columns, n_rows):
        rows = tabiya.rows(source, kind, columns)
        table = rows.read()
        self.assertEqual(len(table), n_rows)
        self.assertEqual(rows.counts.rows, n_rows)
        self.assertEqual(len(rows.read()), 0)
        return table

    def test_read_returns_every_row(self):
        n_positions = sum(len(table) for table in tabiya.rows(MANY, "positions", ["ply"]))
        size = n_positions * 150
        self.assertGreater(size, 1 << 25)
        columns = ["game", "ply", "fen", "White", "Black", "Event", "Site", "Date", "Round", "Result", "key"]
        table = self.check(MANY, "positions", columns, n_positions)
        self.assertEqual(table[n_positions - 1][0], 2997)
        self.assertEqual(len(memoryview(table["ply"])), n_positions)
        self.assertEqual(memoryview(table["game"])[n_positions - 1], 2997)
        self.check([MANY] * 25, "games", ["game", "moves"], 25 * 2997)

    def test_read_returns_every_row_of_a_database(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "games.db")
            with tabiya.Database(path, "c") as database:
                database.add(tabiya.read_games(MANY), index_plies=-1)
            n = sum(len(table) for table in tabiya.rows(path, "positions", ["ply"]))
            self.assertGreater(n, 3 << 16)
            self.check(path, "positions", ["game", "ply", "fen", "White", "Black", "Event", "Site", "key"], n)

    def test_threads_read_parts_of_a_file_as_one(self):
        with open(MANY, "rb") as file:
            many = file.read()
        rows = tabiya.rows(many, "games", ["game", "plies", "Round"])
        self.assertEqual(list(rows.read()["game"]), list(range(1, 2998)))
        bad = many + b'[Event "bad"]\n\n1. e4 e5 2. Ke3 *\n\n' + many
        for query in (None, "moveno 1"):
            rows = tabiya.rows([GAMES, bad], "moves", ["game"], errors="skip", query=query)
            self.assertEqual((len(rows.read()), rows.counts.games, rows.counts.bad), (rows.counts.rows, 58 + 5995, 1))
            with self.assertRaises(tabiya.IllegalError) as caught:
                tabiya.rows([GAMES, bad], "moves", query=query).read()
            error = caught.exception
            self.assertEqual((error.game, error.line), (2998, many.count(b"\n") + 3))
            self.assertEqual(bad[error.offset:error.offset + 3], b"Ke3")

    def test_games_without_a_boundary_are_read_as_a_stream(self):
        one = b"1. e4 e5 *\n"
        with open(MANY, "rb") as file:
            text = one * 200000 + b'\n[Event "x"]\n\n' + one + file.read()
        table = tabiya.rows(text, "games", ["game", "Event"]).read()
        self.assertEqual(len(table), 200001 + 2997)
        self.assertEqual(table[200000], (200001, "x"))
        self.assertEqual(table[-1:]["game"].tolist(), [200001 + 2997])

    def test_files_and_arrow_streams_have_every_row(self):
        columns = ["game", "ply", "fen", "White", "Black", "Event", "Site", "Date", "Round", "Result", "key"]
        n = len(tabiya.rows(MANY, "positions", ["ply"]).read())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            self.assertEqual(tabiya.rows(MANY, "positions", columns).write(path).rows, n)
            with open(path, "rb") as file:
                self.assertEqual(sum(1 for line in file), n + 1)
        for rows in (tabiya.rows(MANY, "positions", columns), tabiya.rows(MANY, "positions", columns).read()):
            self.assertEqual(sum(lengths_of_stream(rows)), n)

    def test_too_little_memory_is_an_error_and_not_a_part_of_the_rows(self):
        script = (
            "import resource, tabiya\n"
            f"rows = tabiya.rows(['{MANY}'] * 40, 'positions', ['fen', 'key'])\n"
            "next(rows)\n"
            "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
            "resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20),) * 2)\n"
            "try:\n"
            "    print(len(rows.read()))\n"
            "except MemoryError as error:\n"
            "    print(error)\n"
        )
        answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        self.assertIn("iterate over the rows", answer)

    def test_slices_and_heads(self):
        columns = ["ply", "san", "board", "clock"]
        text = b"1. e4 {[%clk 0:01:00]} e5 2. Nf3 {[%clk 0:00:55]} Nc6 3. Bb5 a6 *"
        table = tabiya.rows(text, "moves", columns).read()
        rows = list(table)
        for key in (slice(2), slice(1, 4), slice(-2, None), slice(None, None, 2), slice(None, None, -1), slice(4, 2),
                    slice(0, 10**30)):
            self.assertEqual(list(table[key]), rows[key])
            for at, name in enumerate(columns):
                self.assertEqual(table[name][key].tolist(), [row[at] for row in rows[key]])
        self.assertEqual(list(table.head()), rows[:5])
        self.assertEqual(list(table.head(2)), rows[:2])
        self.assertEqual(table["san"].head(2).tolist(), ["e4", "e5"])
        self.assertEqual((table["ply"][1:3].name, memoryview(table["ply"][1:3]).tolist()), ("ply", [2, 3]))
        self.assertEqual((table["clock"][-1], table["ply"][-6], table["clock"][1:].n_empty), (None, 1, 4))
        self.assertEqual(table[:0].columns, columns)
        for wrong in (7, -7):
            with self.assertRaises(IndexError):
                table["ply"][wrong]
        with self.assertRaises(ValueError):
            table[::0]

    def test_missing_numbers_are_never_0(self):
        column = tabiya.rows(b"1. e4 {[%clk 0:01:00]} e5 *", "moves", ["clock"]).read()["clock"]
        self.assertEqual(column.tolist(), [60.0, None])
        self.assertEqual((column.mask.tolist(), column.n_empty, column.may_be_empty), ([False, True], 1, True))
        self.assertEqual(column.filled(-1).tolist(), [60.0, -1.0])
        with self.assertRaisesRegex(BufferError, "1 values .* missing"):
            memoryview(column)
        ply = tabiya.rows(b"1. e4 e5 *", "moves", ["ply", "san"]).read()
        self.assertEqual((ply["ply"].filled(7).tolist(), ply["ply"].mask.tolist()), ([1, 2], [False, False]))
        with self.assertRaises(TypeError):
            ply["san"].filled(0)
        with self.assertRaises(TypeError):
            ply["ply"].filled("x")
        with self.assertRaises(OverflowError):
            ply["ply"].filled(1 << 40)


class Shown(unittest.TestCase):
    def test_pictures_and_tables_for_notebooks(self):
        game = tabiya.Game('[White "<b>"]\n\n1. e4 e5 *')
        self.assertTrue(game.end._repr_svg_().startswith("<svg"))
        self.assertNotEqual(game.end._repr_svg_(), game.end.position._repr_svg_())
        self.assertIn("&lt;b&gt;", game._repr_html_())
        self.assertIn("<svg", game._repr_html_())
        table = tabiya.rows(GAMES, "games", ["game", "White", "white_elo"]).read()
        self.assertEqual(repr(table), "<Table 58 rows: game, White, white_elo>")
        self.assertEqual(repr(table["game"]), "<Column game: 58 values, 0 empty>")
        self.assertIn("10 of 58 rows", table._repr_html_())
        self.assertIn("<th>White</th>", table._repr_html_())


if __name__ == "__main__":
    unittest.main()
