"""What AttributeErrors say about the names of python-chess: the name here."""

from __future__ import annotations

_PLAY = "position = position.play(move), which returns a new position"
_DRAW = "node.can_claim_draw, node.repetitions and node.outcome of a game, which has the history"
_NEW = "tabiya.Position(fen), because a position never changes"
_NODE = {
    "board": "node.position",
    "parent_board": "node.parent.position",
    "variations": "node.children",
    "variation": "node.children",
    "has_variation": "node.children",
    "add_variation": "node.add(move)",
    "add_main_variation": "node.add(move), then promote()",
    "add_line": "node.add(move) for each move",
    "remove_variation": "node.remove() of the child",
    "promote_to_main": "promote() until it returns False",
    "promote_variation": "node.promote() of the child",
    "comment": "node.comments, a list",
    "starting_comment": "node.comments, a list",
    "mainline": "for node in game",
    "mainline_moves": "game.moves, and game.sans as text",
    "is_end": "node.next is None",
    "is_mainline": "node in list(game)",
    "uci": "node.move.uci",
    "emt": "node.elapsed",
    "turn": "node.position.turn",
}
_NAMES = {
    "Position": {
        "push": _PLAY,
        "push_san": _PLAY,
        "push_uci": _PLAY,
        "pop": "the earlier position: play() returns a new one and leaves the old one as it was",
        "peek": "the last move of a game: game.end.move",
        "move_stack": "game.moves",
        "root": "game.start",
        "copy": "the position itself, because a position never changes",
        "set_fen": _NEW,
        "set_board_fen": _NEW,
        "set_piece_at": _NEW,
        "remove_piece_at": _NEW,
        "reset": "tabiya.Position()",
        "clear": _NEW,
        "parse_san": "position.move(text)",
        "parse_uci": "position.move(text)",
        "find_move": 'position.move("e2e4")',
        "uci": "position.move(text).uci",
        "board_fen": "position.fen.split()[0]",
        "epd": 'position.to("epd")',
        "unicode": 'position.to("unicode")',
        "piece_map": "position.pieces()",
        "piece_type_at": 'position["e4"]',
        "color_at": 'position["e4"]',
        "king": "position.pieces()",
        "pawns": "position.bitboards()",
        "knights": "position.bitboards()",
        "bishops": "position.bitboards()",
        "rooks": "position.bitboards()",
        "queens": "position.bitboards()",
        "kings": "position.bitboards()",
        "occupied": "position.bitboards()",
        "occupied_co": "position.bitboards()",
        "fullmove_number": "position.fullmove",
        "ep_square": "position.en_passant",
        "castling_rights": "position.castling",
        "castling_xfen": "position.castling",
        "has_castling_rights": "position.castling",
        "has_legal_en_passant": "position.en_passant",
        "generate_legal_moves": "position.legal_moves",
        "pseudo_legal_moves": "position.legal_moves",
        "is_attacked_by": "position.attackers(square, colour)",
        "is_castling": "position.move(text).is_castling",
        "is_valid": "tabiya.faults(fen)",
        "status": "tabiya.faults(fen)",
        "is_game_over": "position.outcome, None while the game continues",
        "result": "position.outcome",
        "can_claim_draw": _DRAW,
        "can_claim_threefold_repetition": _DRAW,
        "can_claim_fifty_moves": _DRAW,
        "is_repetition": _DRAW,
        "is_fivefold_repetition": _DRAW,
        "is_fifty_moves": _DRAW,
        "is_seventyfive_moves": "position.outcome",
        "transposition_key": "position.key",
    },
    "Move": {"drop": "nothing: there are no variants with drops", "xboard": "move.uci"},
    "Game": {
        **_NODE,
        "headers": 'game["White"], game.get("White", "?") and dict(game)',
        "board": "game.start",
        "setup": "tabiya.Game(start=position)",
        "errors": "the Error that read_games raises, and its attribute partial",
        "next": "game.root.next",
        "variations": "game.root.children",
        "add_variation": "game.play(move), or game.root.add(move)",
        "add_main_variation": "game.play(move)",
        "comment": "game.root.comments",
        "nags": "game.root.nags",
        "accept": "for node in game",
    },
    "Node": _NODE,
}
_MODULE = {
    "Board": "tabiya.Position",
    "Color": '"white" and "black"',
    "Piece": 'letters of FEN: position["e4"] is "P"',
    "Square": 'texts such as "e4"',
    "SQUARES": 'texts such as "e4"',
    "SquareSet": "lists of squares, and position.bitboards()",
    "WHITE": '"white"',
    "BLACK": '"black"',
    "parse_square": 'texts such as "e4"',
    "square_name": 'texts such as "e4"',
    "STARTING_FEN": "tabiya.Position().fen",
    "read_game": "tabiya.read_games(path), or tabiya.Game(text) for one",
    "pgn": "tabiya.read_games(path) and tabiya.Game(text)",
    "svg": "position.svg()",
    "polyglot": "tabiya.Book(path), and position.polyglot_key",
    "engine": "the command tabiya annotate",
}


def hint(type_name: str, name: str) -> str | None:
    """The text of the error for an attribute that an object does not have; None if there is nothing to say."""
    ours = _NAMES.get(type_name, {}).get(name)
    return f"'tabiya.{type_name}' object has no attribute '{name}'; use {ours}" if ours else None


def module_hint(name: str) -> str:
    ours = _MODULE.get(name)
    return f"module 'tabiya' has no attribute '{name}'" + (f"; use {ours}" if ours else "")
