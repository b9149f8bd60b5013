"""Null moves, and what an error says: the move, its place, and the game up to there."""

import unittest

import tabiya

# A null move in check is against PGN's rules for them; everywhere else it only passes the turn.
PASSED = "1. e4 -- 2. d4 e5 3. Z0 *"


class NullMoves(unittest.TestCase):
    def test_a_position_plays_what_a_game_has_read(self):
        game = tabiya.Game(PASSED)
        position = game.start
        for node in game:
            position = position.play(node.move)
            self.assertEqual(position, node.position)
        self.assertEqual(tabiya.Position().play(*game.sans).fen, game.final.fen)
        self.assertEqual(tabiya.Position().play(*game.ucis).fen, game.final.fen)
        self.assertEqual(game.final.turn, "black")

    def test_games_and_nodes_take_them_too(self):
        game = tabiya.Game()
        self.assertEqual(game.play("e4", "--", "d4").san, "d4")
        self.assertEqual(game.root.next.add("0000").san, "--")
        self.assertEqual(game.sans, ["e4", "--", "d4"])

    def test_none_is_a_legal_move(self):
        position = tabiya.Position()
        self.assertFalse(position.is_legal("--"))
        self.assertNotIn(position.move("--"), position.legal_moves)
        self.assertEqual((position.san("--"), position.lan("--")), ("--", "--"))
        self.assertFalse(position.is_capture("--") or position.gives_check("--"))

    def test_none_is_played_in_check(self):
        check = tabiya.Position().play("e4", "f6", "Qh5")
        passed = tabiya.Position().move("--")
        for move in ("--", passed):
            with self.assertRaises(tabiya.IllegalError):
                check.play(move)


class Errors(unittest.TestCase):
    def error(self, function, *arguments):
        with self.assertRaises(tabiya.Error) as caught:
            function(*arguments)
        return caught.exception

    def test_play_names_move_and_ply(self):
        for played in (tabiya.Position().play, tabiya.Game().play):
            error = self.error(played, "e4", "e5", "Qh6")
            self.assertEqual(str(error), '2. "Qh6": illegal move: no such piece can go there (move 3 of 3)')
            self.assertEqual(error.ply, 3)
        self.assertTrue(str(self.error(tabiya.Position().play, "e4", "a3")).startswith('1..."a3"'))

    def test_a_game_names_move_and_ply(self):
        error = self.error(tabiya.Game, "1. e4 e5 2. Qh6")
        self.assertIn('1:13: illegal move: "Qh6"', str(error))
        self.assertIn("2.Qh6", str(error))
        self.assertEqual((error.ply, error.line, error.column, error.offset), (3, 1, 13, 12))

    def test_the_ply_counts_from_the_start_of_the_game(self):
        error = self.error(tabiya.Game, '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 5"]\n\n5... Kd8 6. e4 Ka1 *')
        self.assertEqual(error.ply, 3)

    def test_a_variation_has_its_own_ply(self):
        error = self.error(tabiya.Game, "1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4 Ke3) 3. Bb5 *")
        self.assertEqual(error.ply, 6)

    def test_the_game_up_to_the_fault(self):
        text = b'[White "Anna"]\n\n1. e4 {first} e5 2. Ke3 Nf6 *\n\n1. d4 *\n'
        games = tabiya.read_games(text)
        error = self.error(next, games)
        self.assertEqual((error.partial["White"], error.partial.sans), ("Anna", ["e4", "e5"]))
        self.assertEqual((error.partial.root.next.comments, error.ply), (["first"], 3))
        self.assertEqual(next(games).sans, ["d4"])
        self.assertEqual(self.error(tabiya.Game, text.decode()).partial.sans, ["e4", "e5"])

    def test_a_warning_before_the_fault_does_not_hide_it(self):
        error = self.error(next, tabiya.read_games(b"1. e4 -- 2. Qh6 *"))
        self.assertIsInstance(error, tabiya.IllegalError)
        self.assertIn('"Qh6"', str(error))

    def test_no_game_has_no_ply(self):
        error = self.error(tabiya.Game, "")
        self.assertEqual((error.ply, error.partial), (None, None))


if __name__ == "__main__":
    unittest.main()
