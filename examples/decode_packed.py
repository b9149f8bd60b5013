#!/usr/bin/env python3
"""Decodes packed games (docs/formats/packed.md) with Python's standard library alone.

    decode_packed.py games.db       prints the games of a database, one per line: number, result, moves in UCI
    decode_packed.py < games.txt    the same for lines of hexadecimal digits

A game that does not begin with the usual position has its start after the result, as FEN in brackets. Castling is
written as the king's move in usual chess, and as "king takes rook" where king or rook stood elsewhere.
"""
import sqlite3
import sys

TRAILER_SIZE = 15
RESULTS = ["*", "1-0", "0-1", "1/2-1/2"]
PROMOTIONS = {1: "b", 2: "n", 3: "q", 4: "r"}
BOARD_PIECES = ".pbnrkqr"  # by code; 7 is a rook that may castle
CODES = {"p": 4, "n": 8, "b": 16, "r": 16, "q": 32, "k": 10}  # codes of a piece, in this order
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
KING = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]
USUAL = "RNBQKBNR" + "P" * 8 + "." * 32 + "p" * 8 + "rnbqkbnr"


def name(square):
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


class Position:
    """Pieces by square (a1 = 0), the side to move, and the rooks that may castle."""

    def __init__(self):
        self.board = list(USUAL)
        self.black = False
        self.rooks = {0, 7, 56, 63}
        self.en_passant = None
        self.fen = None  # of another start

    def pieces(self):
        """The pieces of the side to move with their first codes, and the number of codes."""
        found, code = [], 0
        for kind, size in CODES.items():
            for square, piece in enumerate(self.board):
                if piece == (kind if self.black else kind.upper()):
                    found.append((code, kind, square))
                    code += size
        return found, code

    def target(self, kind, square, code):
        """Where a piece goes; castling has no target of this kind."""
        file, rank = square % 8, square // 8
        if kind == "p":
            step = -1 if self.black else 1
            if code < 2:
                return square + 8 * step * (code + 1)
            return square + 8 * step + (-1 if code == 2 else 1)
        if kind in "nk":
            step = (KNIGHT if kind == "n" else KING)[code]
            return (rank + step[1]) * 8 + file + step[0]
        straight = kind == "r" or (kind == "q" and code < 16)
        code %= 16
        if straight:
            return rank * 8 + code if code < 8 else (code - 8) * 8 + file
        to = code % 8
        return (rank + (to - file if code < 8 else file - to)) * 8 + to

    def castle(self, king, is_short):
        """Castles, and returns the move in UCI."""
        home = king // 8 * 8
        rook = next(r for r in self.rooks if r // 8 == king // 8 and (r > king) == is_short)
        king_to, rook_to = (home + 6, home + 5) if is_short else (home + 2, home + 3)
        is_usual = king == home + 4 and rook == home + (7 if is_short else 0)
        pieces = self.board[king], self.board[rook]
        self.board[king] = self.board[rook] = "."
        self.board[king_to], self.board[rook_to] = pieces
        self.end_move(king, {king, rook}, None)
        return name(king) + name(king_to if is_usual else rook)

    def move(self, square, to, promotion):
        """Plays any other move, and returns it in UCI."""
        piece, step = self.board[square], to - square
        if piece in "Pp" and to == self.en_passant:
            self.board[to + (8 if self.black else -8)] = "."
        self.board[square] = "."
        self.board[to] = piece if not promotion else promotion if self.black else promotion.upper()
        passed = square + step // 2 if piece in "Pp" and abs(step) == 16 else None
        self.end_move(square if piece in "Kk" else None, {square, to}, passed)
        return name(square) + name(to) + (promotion or "")

    def end_move(self, king, touched, passed):
        """Rights end when a king moves, and with the rooks on the squares that are touched."""
        if king is not None:
            self.rooks = {r for r in self.rooks if r // 8 != (7 if self.black else 0)}
        self.rooks -= touched
        self.en_passant = passed
        self.black = not self.black


def decode_board(data):
    """A packed board: the position, its FEN with castling rights as files, and its size in bytes."""
    position, at = Position(), 8
    occupied = int.from_bytes(data[:8], "big")
    squares = [square for square in range(64) if occupied >> square & 1]
    position.board, position.rooks = ["."] * 64, set()
    for i, square in enumerate(squares):
        code = data[8 + i // 2] >> (0 if i % 2 else 4) & 15
        letter = BOARD_PIECES[code & 7]
        position.board[square] = letter if code & 8 else letter.upper()
        if code & 7 == 7:
            position.rooks.add(square)
    at += (len(squares) + 1) // 2
    state, clock = data[at], int.from_bytes(data[at + 1:at + 3], "big")
    fullmove = int.from_bytes(data[at + 3:at + 5], "big")
    if state & 0x40:
        raise ValueError("odd rights occur only in setups that cannot be played")
    position.black = bool(state & 0x80)
    if state & 15:
        position.en_passant = (state & 15) - 1 + (16 if position.black else 40)
    position.fen = fen_of(position, clock, fullmove)
    return position, at + 5


def fen_of(position, clock, fullmove):
    rows = []
    for rank in range(7, -1, -1):
        row, empty = "", 0
        for piece in position.board[rank * 8:rank * 8 + 8]:
            if piece == ".":
                empty += 1
            else:
                row, empty = row + (str(empty) if empty else "") + piece, 0
        rows.append(row + (str(empty) if empty else ""))
    # Rights in the order of Shredder-FEN: White's first, from the h-file.
    files = "".join(("ABCDEFGH" if r < 8 else "abcdefgh")[r % 8] for r in sorted(position.rooks, key=lambda r: (r // 8, -r)))
    return " ".join(["/".join(rows), "b" if position.black else "w", files or "-",
                     name(position.en_passant) if position.en_passant is not None else "-", str(clock), str(fullmove)])


def decode_move(position, data, at):
    """One move in UCI, and where the next begins."""
    pieces, n_codes = position.pieces()
    if n_codes > 253:
        code, at = (data[at] - 1) * 128 + data[at + 1] - 1, at + 2
    else:
        code, at = data[at] - 1, at + 1
    if code == n_codes:
        position.end_move(None, set(), None)
        return "0000", at
    first, kind, square = [piece for piece in pieces if piece[0] <= code][-1]
    if kind == "k" and code - first >= 8:
        return position.castle(square, code - first == 8), at
    to, promotion = position.target(kind, square, code - first), None
    if kind == "p" and to // 8 in (0, 7):
        promotion, at = PROMOTIONS[data[at]], at + 1
    return position.move(square, to, promotion), at


def decode(data):
    """The start as FEN (None: the usual one), the moves in UCI, and the result of a packed game."""
    if data[0] not in (0x10, 0x11):
        raise ValueError("not a packed game of version 1")
    position, at = Position(), 1
    if data[0] == 0x11:
        position, size = decode_board(data[1:])
        at += size
    start, moves = position.fen, []
    while data[at] != 0:
        move, at = decode_move(position, data, at)
        moves.append(move)
    if len(data) != at + 1 + TRAILER_SIZE:
        raise ValueError("bytes after the trailer, or too few")
    return start, moves, RESULTS[data[at + 1] & 3]


def games(arguments):
    if arguments:
        with sqlite3.connect(f"file:{arguments[0]}?mode=ro", uri=True) as database:
            yield from database.execute("SELECT id, moves FROM game ORDER BY id")
    else:
        for number, line in enumerate(sys.stdin, 1):
            yield number, bytes.fromhex(line.strip())


def main():
    for number, data in games(sys.argv[1:]):
        start, moves, result = decode(bytes(data))
        print(number, result, *([f"[{start}]"] if start else []), *moves)


if __name__ == "__main__":
    main()
