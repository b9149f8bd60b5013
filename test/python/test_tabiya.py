"""The Python package as users install it: values, errors, and agreement with the program."""

import array
import ast
import csv
import ctypes
import doctest
import gc
import gzip
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import tabiya

TABIYA = os.environ["TABIYA"]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
GAMES = "examples/famous.pgn"


def program(*args: str) -> str:
    return subprocess.run([TABIYA, *args], check=True, capture_output=True, text=True).stdout


class Positions(unittest.TestCase):
    def test_the_start(self):
        position = tabiya.Position()
        self.assertEqual(position.fen, START)
        self.assertEqual((position.turn, position.fullmove, position.halfmove_clock, position.ply), ("white", 1, 0, 0))
        self.assertEqual(position.perft(4), 197281)
        self.assertEqual(position.polyglot_key, 0x463B96181691FC9C)  # from Polyglot's description

    def test_moves_in_and_out(self):
        position = tabiya.Position()
        move = position.move("Nf3")
        self.assertEqual((move.uci, move.from_square, move.to_square, move.promotion), ("g1f3", "g1", "f3", None))
        self.assertEqual(position.move("g1f3"), move)
        self.assertEqual((position.san(move), position.lan(move)), ("Nf3", "Ng1-f3"))
        self.assertIn(move, position.legal_moves)
        self.assertEqual(len({move, position.move("g1f3")}), 1)

    def test_a_position_never_changes(self):
        position = tabiya.Position()
        after = position.play("e4")
        self.assertEqual(position.fen, START)
        self.assertNotEqual(position, after)
        with self.assertRaises(AttributeError):
            position.fen = after.fen
        with self.assertRaises(TypeError):
            tabiya.Position.fen = None

    def test_equal_positions_are_equal_keys(self):
        a = tabiya.Position().play("Nf3", "Nf6", "Ng1", "Ng8")
        self.assertEqual(a, tabiya.Position())
        self.assertEqual(hash(a), hash(tabiya.Position()))
        self.assertEqual(a.key, tabiya.Position().key)
        self.assertEqual(len({a: 1, tabiya.Position(): 2}), 1)

    def test_castling_and_promotion(self):
        position = tabiya.Position("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
        self.assertEqual(position.san("e1g1"), "O-O")
        self.assertTrue(position.move("O-O").is_castling)
        self.assertEqual(position.move("O-O").to_square, "g1")
        self.assertEqual(position.move("a8=N").promotion, "N")
        self.assertEqual(position.play("a7a8q")["a8"], "Q")

    def test_chess960(self):
        position = tabiya.Position.chess960_start(518)
        self.assertEqual(position.fen, START)
        self.assertTrue(position.chess960)
        with self.assertRaises(ValueError):
            tabiya.Position.chess960_start(960)

    def test_errors_have_location_and_reason(self):
        with self.assertRaises(tabiya.InvalidError) as caught:
            tabiya.Position("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        self.assertEqual(caught.exception.offset, 17)
        self.assertIn("rank 7 has 9 squares", str(caught.exception))
        with self.assertRaises(tabiya.IllegalError) as caught:
            tabiya.Position("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
        self.assertIn("OPPONENT_CHECK", str(caught.exception))
        with self.assertRaises(tabiya.AmbiguousError):
            tabiya.Position("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1").play("Nd2")
        with self.assertRaises(tabiya.IllegalError):
            tabiya.Position().play(tabiya.Position().play("e4").move("e5"))
        with self.assertRaises(TypeError):
            tabiya.Position().play(3)
        self.assertTrue(issubclass(tabiya.Error, ValueError))

    def test_faults(self):
        self.assertEqual(tabiya.faults(START), [])
        self.assertEqual(tabiya.faults("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"), ["OPPONENT_CHECK"])

    def test_squares(self):
        position = tabiya.Position()
        self.assertEqual((position["e1"], position.piece_at("d8"), position["e4"]), ("K", "q", None))
        self.assertEqual(len(position.pieces()), 32)
        for wrong in ("e9", "", "e10", "\0\0", 4):
            with self.assertRaises(ValueError):
                position[wrong]

    def test_notations_agree_with_the_program(self):
        position = tabiya.Position().play("e4", "c5", "Nf3")
        for notation in ("fen", "epd", "boardinfo", "base64"):
            text = program("convert", "--to", notation, position.fen).rstrip("\n")
            self.assertEqual(position.to(notation), text)
            self.assertEqual(tabiya.Position.read(notation, text), position)
        with self.assertRaises(ValueError):
            position.to("no such notation")

    def test_packed(self):
        position = tabiya.Position().play("e4")
        self.assertEqual(tabiya.Position.unpack(position.pack()).fen, position.fen)
        for wrong in (b"", b"\0", b"\xff" * 40, position.pack() + b"\0"):
            with self.assertRaises(tabiya.InvalidError):
                tabiya.Position.unpack(wrong)

    def test_pictures(self):
        self.assertTrue(tabiya.Position().svg(size=100, flipped=True).startswith("<svg"))
        self.assertTrue(tabiya.Position()._repr_svg_().startswith("<svg"))


class Games(unittest.TestCase):
    def test_the_same_as_the_program_reads(self):
        games = list(tabiya.read_games(GAMES))
        self.assertEqual("".join(map(str, games)), program("pgn", GAMES))
        self.assertEqual("".join(game.json() for game in games), program("convert", "--to", "json", GAMES))

    def test_every_kind_of_source(self):
        data = pathlib.Path(GAMES).read_bytes()
        expected = [str(game) for game in tabiya.read_games(GAMES)]
        for source in (data, bytearray(data), memoryview(data), io.BytesIO(data), io.StringIO(data.decode()),
                       pathlib.Path(GAMES)):
            self.assertEqual([str(game) for game in tabiya.read_games(source)], expected)
        with tempfile.TemporaryDirectory() as folder:
            packed = pathlib.Path(folder, "games.pgn.gz")
            packed.write_bytes(gzip.compress(data))
            self.assertEqual([str(game) for game in tabiya.read_games(packed)], expected)
            packed.write_bytes(gzip.compress(data)[:-20])
            with self.assertRaises(OSError):
                list(tabiya.read_games(packed))
        with self.assertRaises(FileNotFoundError):
            tabiya.read_games("no such file.pgn")

    def test_a_file_object_that_fails(self):
        class Broken:
            def read(self, size):
                raise RuntimeError("no more")

        with self.assertRaisesRegex(RuntimeError, "no more"):
            list(tabiya.read_games(Broken(), notation="pgn"))

        class Wrong:
            def read(self, size):
                return 7

        with self.assertRaises(TypeError):
            list(tabiya.read_games(Wrong(), notation="pgn"))

    def test_a_bad_game_does_not_end_reading(self):
        text = b'1. e4 e6 2. Ke3 *\n\n[Event "b"]\n\n1. d4 *\n'
        games = tabiya.read_games(text)
        with self.assertRaises(tabiya.IllegalError) as caught:
            next(games)
        error = caught.exception
        self.assertEqual((error.line, error.column, error.offset, error.game), (1, 13, 12, 1))
        self.assertIn("Ke3", error.reason)
        self.assertEqual(next(games).sans, ["d4"])
        self.assertRaises(StopIteration, next, games)
        self.assertEqual((games.n_games, games.n_bad), (2, 1))
        self.assertEqual([game.sans for game in tabiya.read_games(text, errors="skip")], [["d4"]])
        with self.assertRaises(ValueError):
            tabiya.read_games(text, errors="ignore")

    def test_tags(self):
        game = tabiya.Game('[White "Ada"]\n\n1. e4 *')
        game["Black"] = "Bob"
        self.assertEqual((game["White"], game.get("Event"), game.get("Event", "?")), ("Ada", None, "?"))
        self.assertEqual(list(game.tags), ["White", "Black"])
        self.assertIn("Black", game)
        del game["Black"]
        self.assertNotIn("Black", game)
        for action in (lambda: game["Black"], lambda: game.__delitem__("Black")):
            self.assertRaises(KeyError, action)
        with self.assertRaises(ValueError):
            game["no tag"] = "x"

    def test_the_tree(self):
        game = tabiya.Game()
        end = game.play("e4", "e5")
        end.add("Nf3").add_comment("{no brace} [%eval 0.35]")
        end.children[0].add_nag(1)
        self.assertEqual(end.add("Nf3"), end.children[0])
        end.add("f4")
        game.result = "1-0"
        again = tabiya.Game(str(game))
        self.assertEqual(again.sans, ["e4", "e5", "Nf3"])
        self.assertEqual(again.end.eval, 35)
        self.assertEqual(again.end.nags, [1])
        self.assertEqual([child.san for child in again.end.parent.children], ["Nf3", "f4"])
        self.assertEqual((again.end.ply, again.root.parent, again.root.move), (3, None, None))
        self.assertEqual(again.result, "1-0")
        self.assertEqual(len(again.positions), 4)
        self.assertEqual(again.positions[-1], again.final)
        with self.assertRaises(tabiya.InvalidError):
            game.result = "2-0"

    def test_values_of_comments_are_those_of_tables(self):
        game = tabiya.Game("1. e4 {[%clk 0:01:00] [%emt 2] [%eval 0.1]} {[%clk 0:00:59] [%emt 3] [%eval 0.2]} e5 *")
        node = game.root.children[0]
        self.assertEqual((node.clock, node.elapsed, node.eval, node.mate), (60, 2, 10, None))
        table = tabiya.rows(str(game).encode(), "moves", ["clock", "eval"]).read()
        self.assertEqual((table["clock"].tolist()[0], table["eval"].tolist()[0]), (node.clock, node.eval))

    def test_a_query_may_be_longer_in_other_words(self):
        query = tabiya.Query(" or ".join(["!!"] * 9000))  # each "nag 3" when it is written
        self.assertTrue(query.matches(tabiya.Game("1. e4!! *")))
        self.assertGreater(len(str(query)), 65536)

    def test_a_query_answers_the_same_for_every_game(self):
        texts = ["result 1-0", "iqp", "Q>=2", "N-f7", "check for 1 ;4 mate", "ply 3..5 Pd4", "not ever O-O"]
        kept = [tabiya.Query(text) for text in texts]
        for game in [*tabiya.read_games(GAMES), tabiya.Game("*"), *tabiya.read_games(GAMES)]:
            for query, text in zip(kept, texts):
                with self.assertRaisesRegex(TypeError, "needs a Game"):
                    query.matches("1. e4")
                plies = query.plies(game)
                self.assertEqual(plies, tabiya.Query(text).plies(game), text)
                self.assertEqual(query.first(game), plies[0] if plies else None, text)
                self.assertEqual(query.matches(game), bool(plies), text)

    def test_a_finalizer_may_use_the_query_that_is_being_asked(self):
        query = tabiya.Query("check")
        game, other = tabiya.Game("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *"), tabiya.Game("1. e4 f5 2. Qh5+ g6 3. Qxg6+ *")

        class Loop:
            def __init__(self):
                self.me = self

            def __del__(self):
                query.plies(other)

        plies = query.plies
        before = gc.get_threshold()
        gc.set_threshold(1)
        try:
            for _ in range(20):
                gc.disable()
                for _ in range(5):
                    Loop()
                kept = [[] for _ in range(200)]  # so that the next list needs new memory: then the loops are collected
                gc.enable()
                found = plies(game)
                del kept
                self.assertEqual(found, [5])
        finally:
            gc.set_threshold(*before)

    def test_nodes_are_equal_on_the_same_path_of_equal_games(self):
        text = "1. e4 (1. d4 d5) (1. d4 Nf6) e5 2. Nf3 *"
        one, other = tabiya.Game(text), tabiya.Game(text)
        paths = [[], [0], [0, 0], [0, 0, 0], [1], [1, 0], [2], [2, 0]]

        def node(game, path):
            at = game.root
            for place in path:
                at = at.children[place]
            return at

        for a in paths:
            for b in paths:
                self.assertEqual(node(one, a) == node(other, b), a == b, (a, b))
                self.assertEqual(node(one, a) != node(other, b), a != b, (a, b))
        self.assertNotEqual(one.root, tabiya.Game("1. e4 *").root)

    def test_a_node_keeps_its_game(self):
        node = tabiya.Game("1. e4 e5 *").end
        self.assertEqual(node.game.sans, ["e4", "e5"])

    def test_packed(self):
        for game in tabiya.read_games(GAMES):
            packed = game.pack()
            self.assertEqual(tabiya.Game.unpack(packed).ucis, game.ucis)
            self.assertEqual(tabiya.position_at(packed, len(game)), game.final)
        packed = tabiya.pack("1. e4 c5 2. Nf3")
        self.assertTrue(tabiya.has_opening(packed, tabiya.pack("1. e4 c5")))
        self.assertFalse(tabiya.has_opening(packed, tabiya.pack("1. d4")))
        with self.assertRaises(IndexError):
            tabiya.position_at(packed, 4)
        for wrong in (b"", b"\0" * 30, packed[:-1], packed + b"\0"):
            with self.assertRaises(tabiya.InvalidError):
                tabiya.Game.unpack(wrong)
        with self.assertRaisesRegex(tabiya.IllegalError, "ply 3"):
            tabiya.pack("1. e4 e5 2. Qh6")

    def test_threads_do_not_share_a_reader(self):
        games = tabiya.read_games(GAMES)
        found = []

        def work():
            while True:
                try:
                    found.append(next(games))
                except StopIteration:
                    return
                except RuntimeError:
                    pass

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), len(list(tabiya.read_games(GAMES))))


class Queries(unittest.TestCase):
    def test_of_games(self):
        query = tabiya.Query("mate")
        games = list(tabiya.read_games(GAMES))
        found = [game for game in games if query.matches(game)]
        self.assertEqual(len(found), int(program("pgn", "--count", GAMES, "mate")))
        self.assertEqual([str(g) for g in tabiya.read_games(GAMES, query=query)], [str(g) for g in found])
        self.assertEqual(query.first(found[0]), len(found[0]))
        self.assertIn(len(found[0]), query.plies(found[0]))

    def test_faults(self):
        with self.assertRaises(tabiya.QueryError) as caught:
            tabiya.Query("elo 2400.. plaer carlsen")
        self.assertEqual((caught.exception.line, caught.exception.column), (1, 12))
        self.assertIn("player", str(caught.exception))
        with self.assertRaises(tabiya.QueryError):
            tabiya.read_games(GAMES, query="id 3")
        with self.assertRaises(TypeError):
            tabiya.read_games(GAMES, query=3)


class Databases(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "games.db")
        self.database = tabiya.Database(self.path, "c")
        self.database.add(tabiya.read_games(GAMES))

    def tearDown(self):
        self.database.close()
        self.folder.cleanup()

    def test_games_are_read_back_unchanged(self):
        games = list(tabiya.read_games(GAMES))
        self.assertEqual(len(self.database), len(games))
        self.assertEqual([self.database[i + 1] for i in range(len(games))], games)
        self.assertRaises(KeyError, lambda: self.database[len(games) + 1])
        self.assertEqual(self.database.add(games), (0, len(games)))

    def test_searches_agree_with_the_program(self):
        for query in ("mate", "player morphy", "greek-gift", "elo 2000.."):
            ids = [str(hit.id) for hit in self.database.find(query)]
            found = subprocess.run([TABIYA, "find", self.path, "--ids", query], capture_output=True, text=True).stdout
            self.assertEqual(ids, found.split())
            self.assertEqual(self.database.count(query), len(ids))
        self.assertEqual(len(self.database.find(limit=3, offset=2)), 3)
        for options, more in ((["--sort=-date", "--limit=4"], {"sort": "-date", "limit": 4}),
                              (["--sort=white,-plies", "--offset=3"], {"sort": "white,-plies", "offset": 3}),
                              (["--sample=5,2"], {"sample": 5, "seed": 2})):
            ids = [str(hit.id) for hit in self.database.find(**more)]
            found = subprocess.run([TABIYA, "find", self.path, "--ids", *options], capture_output=True, text=True).stdout
            self.assertEqual(ids, found.split())
        with self.assertRaises(ValueError):
            self.database.find(sort="nonsense")
        self.assertEqual(self.database.find(where="plies < 20 and white like '%Greco%'", limit=1)[0].ply, 0)
        with self.assertRaises(tabiya.DatabaseError):
            self.database.find(where="no such column = 1")

    def test_explore_agrees_with_the_games(self):
        position = tabiya.Position().play("e4")
        explored = self.database.explore(position)
        self.assertEqual(explored.games, sum(tabiya.has_opening(g, tabiya.pack("1. e4")) for g in tabiya.read_games(GAMES)))
        self.assertEqual(sum(move.games for move in explored.moves) + explored.ended, explored.games)
        for move in explored.moves:
            self.assertEqual(move.white + move.draws + move.black + move.unknown, move.games)
        self.assertLess(self.database.explore(position, "player morphy").games, explored.games)

    def test_all_or_nothing(self):
        def games():
            yield tabiya.Game("1. a4 a5 *")
            raise RuntimeError("in the middle")

        n = len(self.database)
        with self.assertRaisesRegex(RuntimeError, "in the middle"):
            self.database.add(games())
        self.assertEqual(len(self.database), n)
        with self.assertRaises(TypeError):
            self.database.add(["no game"])
        self.assertEqual(self.database.add([tabiya.Game("1. a4 a5 *")]), (1, 0))

    def test_closed_and_missing(self):
        with tabiya.Database(self.path) as database:
            with self.assertRaises(tabiya.DatabaseError):
                database.add([tabiya.Game("1. e4 *")])
        with self.assertRaises(ValueError):
            len(database)
        with self.assertRaises(tabiya.DatabaseError):
            tabiya.Database(os.path.join(self.folder.name, "none.db"))
        with self.assertRaises(tabiya.DatabaseError):
            tabiya.Database(GAMES, "w")
        with self.assertRaises(ValueError):
            tabiya.Database(self.path, "rw")

    def test_a_database_is_not_used_while_it_is_written(self):
        with self.assertRaises(RuntimeError):
            self.database.add(self.database[i] for i in range(1, 3))


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowArrayStream(ctypes.Structure):
    pass


ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.c_void_p), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))),
    ("private_data", ctypes.c_void_p)]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))), ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))), ("private_data", ctypes.c_void_p)]
ArrowArrayStream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowArrayStream), ctypes.POINTER(ArrowSchema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowArrayStream), ctypes.POINTER(ArrowArray))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(ArrowArrayStream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArrayStream))), ("private_data", ctypes.c_void_p)]


def stream_of(rows) -> tuple:
    capsule = rows.__arrow_c_stream__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.POINTER(ArrowArrayStream), [ctypes.py_object, ctypes.c_char_p]
    return capsule, get(capsule, b"arrow_array_stream")


class Rows(unittest.TestCase):
    def csv(self, *args: str) -> list:
        return list(csv.reader(io.StringIO(program("rows", *args))))

    def test_the_schema_of_a_stream_outlives_the_table(self):
        class Schema(ctypes.Structure):
            pass

        Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                           ("flags", ctypes.c_int64), ("n", ctypes.c_int64),
                           ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("rest", ctypes.c_void_p * 3)]
        call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        capsule = tabiya.rows(b"1. e4 *", "games", "game,White").read().__arrow_c_stream__()
        stream = pointer_of(capsule, b"arrow_array_stream")
        get_schema, get_next = (call.from_address(stream + i * ctypes.sizeof(ctypes.c_void_p)) for i in range(2))

        def names():
            schema = Schema()
            self.assertEqual(get_schema(stream, ctypes.addressof(schema)), 0)
            return [schema.children[i].contents.name for i in range(schema.n)]

        array = (ctypes.c_int64 * 10)()
        self.assertEqual(names(), [b"game", b"White"])
        self.assertEqual(get_next(stream, ctypes.addressof(array)), 0)
        self.assertEqual((array[0], names()), (1, [b"game", b"White"]))

    def test_the_same_rows_as_the_program(self):
        for kind in ("games", "positions", "moves"):
            expected = self.csv(f"--{kind}", GAMES)
            table = tabiya.rows(GAMES, kind).read()
            self.assertEqual(table.columns, expected[0])
            self.assertEqual([["" if value is None else str(value) for value in row] for row in table], expected[1:])

    def test_files_and_databases_alike(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "games.db")
            with tabiya.Database(path, "c") as database:
                database.add(tabiya.read_games(GAMES))
                for source in (database, path):
                    rows = tabiya.rows(source, "moves", ["game", "ply", "san", "White"], query="mate")
                    expected = tabiya.rows(GAMES, "moves", "game,ply,san,White", query="mate")
                    self.assertEqual(rows.read().to_dict(), expected.read().to_dict())
                    self.assertEqual(rows.counts, expected.counts)

    def test_numbers_through_the_buffer_protocol(self):
        table = tabiya.rows(GAMES, "positions", ["ply", "key", "score", "game", "fen"]).read()
        for name, code in (("ply", "i"), ("key", "Q"), ("score", "d"), ("game", "q")):
            self.assertEqual(table[name].n_empty, 0)
            view = memoryview(table[name])
            self.assertEqual((view.format, view.shape, view.readonly), (code, (len(table),), True))
            self.assertEqual(array.array(code, view).tolist(), view.tolist())
            self.assertEqual(view.tolist(), table[name].tolist())
        with self.assertRaises(BufferError):
            memoryview(table["fen"])
        view = memoryview(tabiya.rows(GAMES, "moves", ["ply"]).read()["ply"])  # outlives its table
        self.assertEqual(view[0], 1)

    def test_arrow_stream(self):
        expected = tabiya.rows([GAMES, GAMES], "positions", ["game", "key", "san"]).read()
        capsule, stream = stream_of(tabiya.rows([GAMES, GAMES], "positions", ["game", "key", "san"]))
        schema, n_rows, keys, n_empty = ArrowSchema(), 0, 0, 0
        self.assertEqual(stream.contents.get_schema(stream, ctypes.byref(schema)), 0)
        columns = [schema.children[i].contents for i in range(schema.n_children)]
        self.assertEqual([(c.name, c.format) for c in columns], [(b"game", b"l"), (b"key", b"L"), (b"san", b"u")])
        schema.release(ctypes.byref(schema))
        while True:
            batch = ArrowArray()
            self.assertEqual(stream.contents.get_next(stream, ctypes.byref(batch)), 0)
            if not batch.release:
                break
            column = batch.children[1].contents
            values = ctypes.cast(column.buffers[1], ctypes.POINTER(ctypes.c_uint64))
            keys += sum(values[i] for i in range(column.length))
            n_empty += batch.children[2].contents.null_count
            n_rows += batch.length
            batch.release(ctypes.byref(batch))
        self.assertEqual(n_rows, len(expected))
        self.assertEqual(keys, sum(memoryview(expected["key"])))
        self.assertEqual(n_empty, expected["san"].n_empty)
        del capsule

    def test_an_arrow_stream_reports_its_error(self):
        rows = tabiya.rows([GAMES, b"1. e4 e5 2. Ke3 *"])
        capsule, stream = stream_of(rows)
        batch = ArrowArray()
        self.assertNotEqual(stream.contents.get_next(stream, ctypes.byref(batch)), 0)
        self.assertIn(b"Ke3", stream.contents.get_last_error(stream))
        with self.assertRaises(ValueError):
            rows.read()
        del capsule
        capsule, stream = stream_of(tabiya.rows("no such file.pgn"))
        self.assertNotEqual(stream.contents.get_next(stream, ctypes.byref(batch)), 0)
        self.assertIn(b"no such file.pgn", stream.contents.get_last_error(stream))

    def test_a_stream_that_nobody_reads(self):
        for source in (GAMES, io.BytesIO(b"1. e4 *")):
            stream_of(tabiya.rows(source))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("rows.csv", "rows.jsonl", "rows.parquet"):
                path = os.path.join(folder, name)
                counts = tabiya.rows(GAMES, "positions").write(path)
                self.assertEqual(counts.rows, counts.plies + counts.games)
                self.assertGreater(os.path.getsize(path), 1000)
            with open(os.path.join(folder, "rows.jsonl"), encoding="utf-8") as file:
                self.assertEqual(json.loads(next(file))["ply"], 0)
            with open(os.path.join(folder, "rows.csv"), encoding="utf-8", newline="") as file:
                self.assertEqual(list(csv.reader(file)), self.csv("--positions", GAMES))
            with self.assertRaises(ValueError):
                tabiya.rows(GAMES).write(os.path.join(folder, "rows.xyz"))
            with self.assertRaises(OSError):
                tabiya.rows(GAMES).write(os.path.join(folder, "none", "rows.csv"))

    def test_a_file_is_replaced_only_by_a_whole_one(self):
        bad = b'1. e4 e6 2. Ke3 *\n'
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            link = os.path.join(folder, "link.csv")
            os.symlink("rows.csv", link)
            for source in (os.path.join(folder, "missing.pgn"), [GAMES, bad], [GAMES, "missing.pgn"]):
                with open(path, "w", encoding="utf-8") as file:
                    file.write("old")
                os.chmod(path, 0o640)
                for name in (path, link):
                    self.assertRaises((OSError, tabiya.IllegalError), tabiya.rows(source).write, name)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "old")
            tabiya.rows(GAMES).write(link)
            self.assertTrue(os.path.islink(link))
            self.assertGreater(os.path.getsize(path), 1000)
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)
            new = os.path.join(folder, "new.csv")
            self.assertRaises(OSError, tabiya.rows(os.path.join(folder, "missing.pgn")).write, new)
            self.assertEqual(sorted(os.listdir(folder)), ["link.csv", "rows.csv"])
            mask = os.umask(0o027)
            tabiya.rows(GAMES).write(new)
            os.umask(mask)
            self.assertEqual(os.stat(new).st_mode & 0o777, 0o640)
            self.assertRaises(OSError, tabiya.rows(GAMES).write, "/dev/full", "csv")

    def test_faults(self):
        for wrong, text in (("game,fen", '^column "fen": '), ("whatever,game", '^column "whatever": there is no such')):
            with self.assertRaisesRegex(ValueError, text):
                tabiya.rows(GAMES, "games", wrong)
        with self.assertRaises(ValueError):
            tabiya.rows(GAMES, "pieces")
        bad = b'1. e4 e6 2. Ke3 *\n\n[Event "b"]\n\n1. d4 *\n'
        with self.assertRaises(tabiya.IllegalError) as caught:
            tabiya.rows(bad).read()
        self.assertEqual((caught.exception.line, caught.exception.column, caught.exception.game), (1, 13, 1))
        rows = tabiya.rows([GAMES, bad])
        for action in (rows.read, lambda: rows.write(os.devnull, "csv")):
            self.assertRaises(tabiya.IllegalError, action)
        self.assertEqual(len(rows.read()), 0)
        rows = tabiya.rows(bad, errors="skip")
        self.assertEqual(len(rows.read()), 1)
        self.assertEqual((rows.counts.games, rows.counts.bad), (2, 1))
        with self.assertRaises(FileNotFoundError):
            tabiya.rows("no such file.pgn").read()

    def test_pieces(self):
        n = sum(len(table) for table in tabiya.rows([GAMES] * 50, "positions", ["ply"]))
        self.assertEqual(n, 50 * len(tabiya.rows(GAMES, "positions", ["ply"]).read()))


class Package(unittest.TestCase):
    def test_the_stubs_name_what_there_is(self):
        tree = ast.parse(pathlib.Path("__init__.pyi").read_text("utf-8"))
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        named = set(classes) | {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        public = {name for name in dir(tabiya) if not name.startswith("_")}
        self.assertEqual({name for name in named if not name.startswith("_")}, public)
        for name in ("Position", "Move", "Game", "Node", "Query", "Database", "Column", "Table", "rows", "read_games"):
            stub = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
            stub |= {node.target.id for node in classes[name].body if isinstance(node, ast.AnnAssign)}
            real = {n for n in vars(getattr(tabiya, name)) if not n.startswith("_")}
            self.assertEqual({n for n in stub if not n.startswith("_")}, real, name)

    def test_version_and_types(self):
        self.assertEqual(tabiya.__version__, program("--version").split()[1])
        self.assertTrue(pathlib.Path(tabiya.__file__).with_name("py.typed").exists())
        self.assertIn("venv", tabiya.__file__)
        self.assertIn("venv", sys.executable)

    def test_the_readme_begins_with_a_first_success(self):
        first = pathlib.Path("README.md").read_text("utf-8").split("```")[1]
        self.assertTrue(first.startswith("python\n>>> import tabiya\n"))
        self.assertLess(len(first.splitlines()), 10)

    def test_the_examples_of_the_readme(self):
        failures, n = doctest.testfile("README.md", module_relative=False, optionflags=doctest.ELLIPSIS)
        self.assertGreater(n, 20)
        self.assertEqual(failures, 0)


if __name__ == "__main__":
    unittest.main()
