"""Database queries as functions, which take a Database or its path; or a file of games, or a list of all these."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from . import Database, Explored, Game, Position, Query, Table, query_quote

_MANY = 1000
_Path = str | os.PathLike[str]
_Asked = Database | _Path | Sequence[_Path]


def games_of(database: Database) -> Iterator[Game]:
    """The games in the order of their numbers, possibly including games added meanwhile."""
    last = 0
    while hits := database.find(where=f"id > {last}", limit=_MANY):
        for hit in hits:
            yield database[hit]
        last = hits[-1].id


def games_of_several(database: Database) -> Iterator[Game]:
    """The same for several databases, whose numbers SQL does not know."""
    for hit in database.find():
        yield database[hit]


def _opened(database: _Asked) -> contextlib.AbstractContextManager[Database]:
    if isinstance(database, Database):
        return contextlib.nullcontext(database)
    return Database(database)


def position_of(position: Position | str | None) -> Position:
    """A Position, a FEN, or moves from the start such as "e4 c5"."""
    if isinstance(position, Position):
        return position
    text = position or ""
    return Position(text) if text.count("/") >= 7 else Position().play(*text.split())


def sql(database: _Asked, statement: str) -> Table:
    """The result of an SQL statement."""
    with _opened(database) as opened:
        return opened.sql(statement)


def explore(
    database: _Asked,
    position: Position | str | None = None,
    query: str | Query | None = None,
    *,
    where: str | None = None,
) -> Explored:
    """The moves played in a position: a Position, a FEN, or moves from the start such as "e4 c5"."""
    with _opened(database) as opened:
        return opened.explore(position_of(position), query, where=where)


class Side(NamedTuple):
    """A player's games: all with one colour, in one opening, in one year ...

    elo is the mean rating of the rated opponents, and performance the rating at which the expected score against them is
    the one achieved; both are None if unknown.
    """

    games: int
    won: int
    drawn: int
    lost: int
    elo: int | None = None
    performance: int | None = None

    @property
    def score(self) -> float | None:
        """Points per game with a result, from 0 to 1; None without one."""
        decided = self.won + self.drawn + self.lost
        return (self.won + self.drawn / 2) / decided if decided else None


class Report(NamedTuple):
    """A player's results, and the openings of the games.

    lines has everything that the command `tabiya report` counts: "colors", "openings", "variations", "years", "ratings",
    "opponents" and "names", each as a dict of Side.
    """

    white: Side
    black: Side
    openings: dict[str, int]
    lines: dict[str, dict[str, Side]]


def _conditions(date: str | None, query: str | Query | None) -> str:
    return (f"date {date} " if date is not None else "") + (f"({query})" if query is not None else "")


def _families(lines: dict[str, Side]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for key, side in lines.items():
        name = key.rsplit(" (", 1)[0]
        name = "?" if name == "not known" else name
        counts[name] = counts.get(name, 0) + side.games
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def report(
    database: _Asked,
    player: str,
    *,
    color: Literal["white", "black"] | None = None,
    date: str | None = None,
    query: str | Query | None = None,
) -> Report:
    """The results of a player, in any spelling of the name, with each colour, and the openings, the most frequent first.

    color counts only games with that colour, date only those of some days ("2019", "2019.06..2021"), query only those
    that match. The numbers are those of the command `tabiya report`.
    """
    if color not in (None, "white", "black"):
        raise ValueError(f'a colour is "white" or "black", not "{color}"')
    more, none = _conditions(date, query), Side(0, 0, 0, 0)
    wanted = [f"{side} {query_quote(player, person=True)} {more}" if color in (None, side) else None for side in ("white", "black")]
    with _opened(database) as opened:
        counted = opened._report(*wanted)
    lines = {part: {key: Side(*numbers) for key, numbers in of.items()} for part, of in counted.items()}
    colors = lines["colors"]
    return Report(colors.get("white", none), colors.get("black", none), _families(lines["openings"]), lines)


class Novelty(NamedTuple):
    """The first new move of a game: no other game of the database reaches the position after it.

    san is None if nothing is new; then ply and position are those of the end. games is the number of other games that
    reach the position, and moves what they played there, the most frequent first.
    """

    san: str | None
    ply: int
    position: Position
    games: int
    moves: list[tuple[str, int]]


def novelty(
    database: _Asked,
    game: Game,
    *,
    line: bool = False,
    any_date: bool = False,
) -> Novelty:
    """The first new move of a game, by any move order, as the command `tabiya novelty` finds it.

    Stored games with the same players and moves are the game itself and do not count, unless it is only a line of moves
    (line=True); nor do games with later dates, unless any_date is true.
    """
    with _opened(database) as opened:
        return Novelty(*opened._novelty(game, line, any_date))


class Spelling(NamedTuple):
    """A player's name and its games; better is another spelling that may mean the same player, or None."""

    name: str
    games: int
    better: str | None
    better_games: int


def names(database: _Asked, query: str | Query | None = None) -> list[Spelling]:
    """The players of the games that match, in the order of their names, as the command `tabiya names` compares them."""
    with _opened(database) as opened:
        return [Spelling(*one) for one in opened._names(query)]
