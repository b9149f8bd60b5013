"""Chess games and positions as data: rules, notations, databases, queries, tables.

>>> import tabiya
>>> tabiya.Position().play("e4", "c5").opening.name
'Sicilian Defense'
"""

from ._tabiya import *
from ._tabiya import __version__
from ._ask import Novelty, Report, Side, Spelling, explore, names, novelty, report, sql
from ._book import Book, BookMove


def __getattr__(name: str):
    from ._hints import module_hint

    raise AttributeError(module_hint(name), name=name)


__all__ = [name for name in dir() if not name.startswith("_")]
