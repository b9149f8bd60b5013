"""Database queries as functions, which take a Database or the path of one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Literal, NamedTuple

from . import Database, Explored, Game, Position, Query, Table
from ._tabiya import _person  # type: ignore[import]

_MANY = 1000


def games_of(database: Database) -> Iterator[Game]:
    """The games in the order of their numbers, possibly including games added meanwhile."""
    last = 0
    while hits := database.find(where=f"id > {last}", limit=_MANY):
        for hit in hits:
            yield database[hit]
        last = hits[-1].id


def _opened(database: Database | str | os.PathLike[str]) -> contextlib.AbstractContextManager[Database]:
    if isinstance(database, Database):
        return contextlib.nullcontext(database)
    return Database(database)


def sql(database: Database | str | os.PathLike[str], statement: str) -> Table:
    """The result of an SQL statement."""
    with _opened(database) as opened:
        return opened.sql(statement)


def explore(
    database: Database | str | os.PathLike[str],
    position: Position | str | None = None,
    query: str | Query | None = None,
    *,
    where: str | None = None,
) -> Explored:
    """The moves played in a position: a Position, a FEN, or moves from the start such as "e4 c5"."""
    if not isinstance(position, Position):
        text = position or ""
        position = Position(text) if text.count("/") >= 7 else Position().play(*text.split())
    with _opened(database) as opened:
        return opened.explore(position, query, where=where)


class Side(NamedTuple):
    """A player's games with one colour."""

    games: int
    won: int
    drawn: int
    lost: int

    @property
    def score(self) -> float | None:
        """Points per game with a result, from 0 to 1; None without one."""
        decided = self.won + self.drawn + self.lost
        return (self.won + self.drawn / 2) / decided if decided else None


class Report(NamedTuple):
    """A player's results, and the openings of the games."""

    white: Side
    black: Side
    openings: dict[str, int]


def _side(database: Database, color: str, player: str, won: str, lost: str, more: str) -> Side:
    def count(result: str) -> int:
        return database.count(f"{color} {_person(player)} {result} {more}")

    return Side(count(""), count(f"result {won}"), count("result 1/2-1/2"), count(f"result {lost}"))


def _openings(database: Database, color: str, player: str, more: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for hit in database.find(f"{color} {_person(player)} {more}"):
        opening = database[hit].opening
        name = opening.name.split(":")[0] if opening else "?"
        counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _conditions(date: str | None, query: str | Query | None) -> str:
    return (f"date {date} " if date is not None else "") + (f"({query})" if query is not None else "")


def report(
    database: Database | str | os.PathLike[str],
    player: str,
    *,
    color: Literal["white", "black"] | None = None,
    date: str | None = None,
    query: str | Query | None = None,
) -> Report:
    """The results of a player, in any spelling of the name, with each colour, and the openings, the most frequent first.

    color counts only games with that colour, date only those of some days ("2019", "2019.06..2021"), query only those
    that match.
    """
    if color not in (None, "white", "black"):
        raise ValueError(f'a colour is "white" or "black", not "{color}"')
    more, none = _conditions(date, query), Side(0, 0, 0, 0)
    with _opened(database) as opened:
        return Report(
            none if color == "black" else _side(opened, "white", player, "1-0", "0-1", more),
            none if color == "white" else _side(opened, "black", player, "0-1", "1-0", more),
            _openings(opened, color or "player", player, more),
        )
