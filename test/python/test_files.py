"""Files of games, searched without importing them, alone and together with databases."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

import tabiya

GAMES = "examples/famous.pgn"
TABIYA = os.environ["TABIYA"]


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.database = os.path.join(self.folder.name, "mine.db")
        with tabiya.Database(self.database, "c") as database:
            database.add([tabiya.Game('[White "Morphy, Paul"]\n[Black "Amateur"]\n[Result "1-0"]\n\n1. e4 e5 2. f4 1-0')])

    def write(self, text):
        path = os.path.join(self.folder.name, "games.pgn")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def program(self, *args):
        done = subprocess.run([TABIYA, *args, "--to", "json"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def test_a_report_on_a_file_is_that_of_the_program(self):
        for sources in ([GAMES], [GAMES, self.database], [self.database, GAMES]):
            answer = self.program("report", *sources, "morphy", "--limit", "0")
            report = tabiya.report(sources if len(sources) > 1 else sources[0], "morphy")
            self.assertEqual(report.white.games + report.black.games, answer["games"])
            for part in ("colors", "openings", "opponents", "years"):
                theirs = {line["key"]: (line["games"], line["won"], line["drawn"], line["lost"]) for line in answer[part]}
                self.assertEqual({key: side[:4] for key, side in report.lines[part].items()}, theirs)

    def test_a_file_is_explored_with_a_database(self):
        answer = self.program("explore", GAMES, self.database, "1.", "e4", "e5")
        explored = tabiya.explore([GAMES, self.database], "e4 e5")
        self.assertEqual(explored.games, answer["games"])
        self.assertEqual({m.san: m.games for m in explored.moves}, {m["san"]: m["games"] for m in answer["moves"]})

    def test_names_are_those_of_the_program(self):
        path = self.write("".join(f'[White "{name}"]\n\n1. e4 *\n\n' for name in ("Carlsen, Magnus", "Carlsen,M", "Li, M")))
        done = subprocess.run([TABIYA, "names", path], capture_output=True, text=True, check=True)
        proposed = [one for one in tabiya.names(path) if one.better]
        self.assertEqual(done.stdout, "".join(f"{n}\t{better}\t{games}\t{most}\n" for n, games, better, most in proposed))
        self.assertEqual(proposed, [("Carlsen,M", 1, "Carlsen, Magnus", 1)])
        self.assertEqual([one.name for one in tabiya.names([self.database, path], "player li")], ["Li, M"])

    def test_a_search_in_both(self):
        with tabiya.Database((GAMES, self.database)) as both, tabiya.Database(GAMES) as one:
            self.assertEqual(len(both), len(one) + 1)
            self.assertEqual([hit.id for hit in one.find("player morphy")], [hit.id for hit in both.find("player morphy")][:-1])
            self.assertEqual(len(list(both)), len(both))
            self.assertEqual(both[both.find("player morphy")[-1]].tags["Black"], "Amateur")
            self.assertEqual(one.sql("select count(*) n from games").to_dict(), {"n": [len(one)]})
            self.assertEqual(len(tabiya.rows(one).read().to_dict()["game"]), len(one))
            self.assertIn(GAMES, repr(both))
            for work in (lambda: both.sql("select 1"), lambda: tabiya.rows(both)):
                with self.assertRaises(tabiya.DatabaseError):
                    work()

    def test_other_notations_and_compressed_files(self):
        with open(GAMES, "rb") as file:
            text = file.read()
        path = os.path.join(self.folder.name, "games.pgn.gz")
        with gzip.open(path, "wb") as file:
            file.write(text)
        self.assertEqual(tabiya.report(path, "morphy"), tabiya.report(GAMES, "morphy"))
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) // 2)
        for errors in ("raise", "skip"):
            with self.assertRaisesRegex(tabiya.DatabaseError, "truncated"):
                tabiya.Database(path, errors=errors)

    def test_a_game_with_a_fault(self):
        path = self.write('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. e4 e5 2. Ke3 *\n\n[White "C"]\n\n1. d4 *\n')
        with self.assertRaises(tabiya.IllegalError) as caught:
            tabiya.report([self.database, path], "a")
        self.assertEqual((caught.exception.game, caught.exception.line), (2, 7))
        self.assertIn(path, str(caught.exception))
        with tabiya.Database(path, errors="skip") as database:
            self.assertEqual([hit.id for hit in database.find()], [1, 3])
            self.assertEqual(database[3].tags["White"], "C")
            with self.assertRaises(tabiya.DatabaseError):
                database.add([tabiya.Game("1. c4 *")])

    def test_what_cannot_be_opened(self):
        for paths in ("missing.pgn", [GAMES, "missing.pgn"]):
            with self.assertRaises(tabiya.DatabaseError):
                tabiya.Database(paths)
        with self.assertRaises(ValueError):
            tabiya.Database([])
        with self.assertRaises(ValueError):
            tabiya.Database([GAMES, self.database], "w")
        with self.assertRaises(TypeError):
            tabiya.Database([GAMES, 3])

    def test_nothing_is_left_behind(self):
        with tempfile.TemporaryDirectory() as place:
            code = (
                "import tabiya\n"
                f"with tabiya.Database([{GAMES!r}, {GAMES!r}]) as both: print(both.count())\n"
                f"try: tabiya.Database([{GAMES!r}, {self.write('1. e4 e4 *')!r}])\n"
                "except ValueError: pass\n"
            )
            done = subprocess.run(
                [sys.executable, "-c", code], env={**os.environ, "TMPDIR": place}, capture_output=True, text=True, check=True
            )
            self.assertEqual(done.stdout, "116\n")
            self.assertEqual(os.listdir(place), [])


if __name__ == "__main__":
    unittest.main()
