"""Pickling and copying of Position, Move, Game and Node: the functions that recreate them, and their arguments.

A position is pickled as its packed board, a move as its code and text, a game as a line of JSON, and a node as its game
and the path to it.
"""

from __future__ import annotations

from . import Game, Move, Node, Position, read_games
from ._tabiya import _move as make_move  # type: ignore[import]


def position(self: Position) -> tuple[object, tuple[bytes, bool]]:
    return make_position, (self.pack(), self.chess960)


def make_position(packed: bytes, chess960: bool) -> Position:
    made = Position.unpack(packed)
    return Position(made.fen, chess960=True, any=True) if chess960 else made


def move(self: Move) -> tuple[object, tuple[int, str]]:
    return make_move, (self.code, self.uci)


def game(self: Game) -> tuple[object, tuple[bytes]]:
    return make_game, (self.json().encode(),)


def make_game(line: bytes) -> Game:
    return next(iter(read_games(line, notation="json")))


def node(self: Node) -> tuple[object, tuple[Game, list[int]]]:
    path = []
    at = self
    while (parent := at.parent) is not None:
        path.append(parent.children.index(at))
        at = parent
    return make_node, (self.game, path[::-1])


def make_node(of: Game, path: list[int]) -> Node:
    made = of.root
    for place in path:
        if not 0 <= place < len(made.children):
            raise ValueError("the game has no such node")
        made = made.children[place]
    return made
