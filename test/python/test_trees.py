"""Trees of games that change, draws, and what people from python-chess look for: names, signatures."""

import inspect
import types
import unittest

import tabiya


class Nodes(unittest.TestCase):
    def setUp(self):
        self.game = tabiya.Game("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5)) (1... e6) 2. Nf3 *")
        self.first = self.game.root.next

    def sans(self):
        return [node.san for node in self.first.children]

    def test_promote_and_demote(self):
        french = self.first.children[2]
        self.assertTrue(french.promote())
        self.assertEqual(self.sans(), ["e5", "e6", "c5"])
        self.assertTrue(french.promote())
        self.assertFalse(french.promote())
        self.assertEqual(self.game.sans, ["e4", "e6"])
        self.assertTrue(french.demote())
        self.assertEqual(self.sans(), ["e5", "e6", "c5"])
        self.assertFalse(self.game.root.promote() or self.game.root.demote())

    def test_remove(self):
        sicilian = self.first.children[1]
        inside = sicilian.children[1].next
        self.assertEqual(inside.san, "d5")
        sicilian.remove()
        self.assertEqual(self.sans(), ["e5", "e6"])
        self.assertEqual(self.game.pgn(tags=False).split(), "1. e4 e5 (1... e6) 2. Nf3 *".split())
        with self.assertRaises(ValueError):
            self.game.root.remove()

    def test_a_removed_node_is_not_another_one_later(self):
        sicilian = self.first.children[1]
        inside, removal = sicilian.next, sicilian.add
        sicilian.remove()
        for _ in range(4):  # new nodes get the numbers of the old ones
            made = self.first.add("a6")
            for node in (sicilian, inside):
                for name in ("san", "move", "add", "remove", "comments", "position"):
                    with self.assertRaisesRegex(ValueError, "removed"):
                        getattr(node, name)
                self.assertNotEqual(node, made)
                self.assertEqual(repr(node), "<Node removed>")
                hash(node)
            self.assertEqual(made.san, "a6")
            made.remove()
        removal("d4")  # a method that was taken before does no harm
        self.assertEqual(str(tabiya.Game(str(self.game))), str(self.game))


class Draws(unittest.TestCase):
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"]

    def test_repetitions_and_claims(self):
        game = tabiya.Game()
        game.play(*self.shuffle, "Nf3", "Nf6", "Ng1")
        self.assertEqual((game.end.repetitions, game.root.repetitions), (2, 1))
        self.assertTrue(game.end.can_claim_draw)  # FIDE 9.2.1: with the move Ng8
        self.assertFalse(game.end.parent.can_claim_draw)
        game.play("Ng8")
        self.assertEqual((game.end.repetitions, game.end.can_claim_draw, game.outcome), (3, True, None))

    def test_five_times_is_the_end(self):
        game = tabiya.Game()
        game.play(*self.shuffle * 4)
        self.assertEqual((game.outcome.result, game.end.outcome.reason), ("1/2-1/2", "fivefold repetition"))
        self.assertIsNone(game.end.parent.outcome)

    def test_a_null_move_begins_anew(self):
        game = tabiya.Game()
        game.play(*self.shuffle, "--", "--")
        self.assertEqual(game.end.repetitions, 1)

    def test_fifty_moves(self):
        game = tabiya.Game(start=tabiya.Position("4k3/8/8/8/8/8/R7/4K3 w - - 98 80"))
        self.assertFalse(game.root.can_claim_draw)
        self.assertTrue(game.play("Ra3").can_claim_draw)  # FIDE 9.3.1: with the next move


class Names(unittest.TestCase):
    def test_names_of_python_chess_point_to_ours(self):
        game = tabiya.Game("1. e4 *")
        for thing, name, ours in [
            (tabiya.Position(), "push_san", "position.play"),
            (tabiya.Position(), "piece_map", "position.pieces"),
            (tabiya.Position(), "can_claim_draw", "node.can_claim_draw"),
            (game, "headers", "dict(game)"),
            (game, "mainline_moves", "game.moves"),
            (game.root, "variations", "node.children"),
            (tabiya, "Board", "tabiya.Position"),
            (tabiya, "pgn", "read_games"),
        ]:
            with self.assertRaises(AttributeError) as caught:
                getattr(thing, name)
            self.assertIn(f"'{name}'", str(caught.exception))
            self.assertIn(ours, str(caught.exception))

    def test_other_names_have_the_usual_error(self):
        with self.assertRaisesRegex(AttributeError, "object has no attribute 'nothing'$"):
            tabiya.Position().nothing
        self.assertFalse(hasattr(tabiya.Game(), "nothing"))
        self.assertFalse(hasattr(tabiya, "nothing"))

    def test_what_a_hint_names_is_there(self):
        from tabiya import _hints

        for type_name, names in _hints._NAMES.items():
            for name in names:
                self.assertFalse(hasattr(getattr(tabiya, type_name), name), (type_name, name))

    def test_every_function_has_a_signature(self):
        n = 0
        for name in tabiya.__all__:
            thing = getattr(tabiya, name)
            is_tuple = inspect.isclass(thing) and issubclass(thing, (tuple, Exception))
            members = vars(thing).items() if inspect.isclass(thing) and not is_tuple else []
            functions = [value for key, value in members if isinstance(value, types.MethodDescriptorType) and key[:2] != "__"]
            for function in functions + ([thing] if isinstance(thing, types.BuiltinFunctionType) else []):
                self.assertTrue(inspect.signature(function).parameters or function.__name__, function)
                self.assertTrue(function.__doc__, function)
                n += 1
        self.assertGreater(n, 40)
        self.assertEqual(str(inspect.signature(tabiya.Position)), "(fen=None, *, chess960=False, any=False)")
        self.assertEqual(str(inspect.signature(tabiya.Position().play)), "(*moves)")
        self.assertEqual(str(inspect.signature(tabiya.Database.count)), "(self, /, query=None, *, where=None, progress=None)")


if __name__ == "__main__":
    unittest.main()
