"""Opening books in the format of Polyglot."""

from __future__ import annotations

import os
from typing import NamedTuple

from . import Game, InvalidError, Move, Position
from ._ask import position_of
from ._tabiya import _book_check, _book_game, _book_moves  # type: ignore[import]

_ENTRY_SIZE = 16


class BookMove(NamedTuple):
    """A move of an opening book, and its weight from 0 to 65535."""

    san: str
    move: Move
    weight: int


class Book:
    """A Polyglot opening book, read from a path or bytes; its length is the number of entries."""

    def __init__(self, source: str | os.PathLike[str] | bytes) -> None:
        if isinstance(source, bytes):
            name, self._bytes = "<bytes>", source
        else:
            name = os.fspath(source)
            with open(source, "rb") as file:
                self._bytes = file.read()
        wrong = _book_check(self._bytes)
        if wrong:
            why = "is cut off" if wrong > len(self) else "is not in order"
            raise InvalidError(f"{name}: not a Polyglot book: entry {wrong} {why}")

    def __len__(self) -> int:
        return len(self._bytes) // _ENTRY_SIZE

    def moves(self, position: Position | str | None = None) -> list[BookMove]:
        """The moves in a position (as for explore; default: the start), those with the most weight first; [] without any."""
        return [BookMove(*move) for move in _book_moves(self._bytes, position_of(position))]

    def game(self, position: Position | str | None = None) -> Game:
        """The book from a position on as a game with variations, each move with its weight as a comment."""
        return _book_game(self._bytes, position_of(position))
