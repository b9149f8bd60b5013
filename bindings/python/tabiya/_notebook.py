"""Nodes, games and tables as text, and as HTML for notebooks."""

from html import escape

from . import Game, Node, Table

MOST_ROWS = 10


def node_repr(node: Node) -> str:
    if node.parent is None:
        return "<Node at the start>"
    ply = node.parent.position.ply
    return f"<Node {ply // 2 + 1}{'...' if ply % 2 else '. '}{node.san}>"


def table_repr(table: Table) -> str:
    return f"<Table {len(table)} rows: {', '.join(table.columns)}>"


def _cell(value: object) -> str:
    if value is None:
        return "<td></td>"
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return f"<td>{escape(text)}</td>"


def table_html(table: Table) -> str:
    """The first rows, and the number of rows."""
    heads = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    shown = min(len(table), MOST_ROWS)
    rows = "".join("<tr>" + "".join(map(_cell, table[i])) + "</tr>" for i in range(shown))
    more = f"<p>{shown} of {len(table)} rows</p>" if shown < len(table) else ""
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}"


def game_html(game: Game) -> str:
    """Players and event, the board at the end, and the moves."""
    players = f"{game.get('White', '?')} - {game.get('Black', '?')}"
    place = ", ".join(game[tag] for tag in ("Event", "Site", "Date") if game.get(tag, "?").strip("?."))
    moves = game.pgn(tags=False).strip()
    return (
        f"<div><b>{escape(players)}</b> {escape(game.result)}<br>{escape(place)}</div>"
        f"{game.end._repr_svg_()}<div>{escape(moves)}</div>"
    )
