#!/usr/bin/env python3
"""Decodes CMBR files (docs/formats/cmbr.md) to lines of JSON (docs/formats/json.md) with Python's standard library.

    decode_cmbr.py games.cmbr

Moves are written with their two squares, as "e2e4": to write them in standard algebraic notation, a reader would need
the rules of chess. Damaged games are reported on standard error.
"""
import json
import sys

HEADER = b"CMBR!\x01\x00\x00"
MARKER = b"\xf5GM\x01"
LONGEST = 1 << 24
RESULTS = ["*", "1-0", "0-1", "1/2-1/2"]
PROMOTIONS = {0x40: "B", 0x50: "N", 0x60: "R", 0x70: "Q"}
PIECES = {1: "N", 2: "B", 3: "R", 4: "Q", 5: "K", 6: "O-O", 7: "O-O-O"}


def crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


CRC_TABLE = crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


class Damaged(Exception):
    pass


class Payload:
    """The fields of a payload, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if n > len(self.data) - self.at:
            raise Damaged("the payload ends early")
        self.at += n
        return self.data[self.at - n:self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
        if value >> 32 or (shift and byte == 0):
            raise Damaged("a number is too large, or longer than necessary")
        return value

    def text(self):
        data = self.take(self.varint())
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")


def square(number):
    return "abcdefgh"[number & 7] + str((number >> 3) + 1)


def move_text(word):
    """A move from its word: "e2e4", "Ng1f3", "e7e8=Q", "O-O" or "--"."""
    to, origin, piece = word >> 18, word >> 12 & 63, word >> 8 & 7
    if piece == 5 and to == origin:
        return "--"
    if piece >= 6:
        return PIECES[piece]
    promotion = PROMOTIONS.get(word & 0x70)
    return PIECES.get(piece, "") + square(origin) + square(to) + ("=" + promotion if promotion else "")


def read_line(payload, start):
    """The moves of a line, and for each of its pointers the move that it is an alternative to."""
    moves, pointers, last = [], [], start
    for _ in range(payload.varint()):
        word = int.from_bytes(payload.take(3), "big")
        if word & 0x80:
            pointers.append((word >> 8, last))
        elif word & 0x08:
            value = word >> 8
            nag = value if word & 1 else value >> 8 if value > 0xFF else value
            last.setdefault("nags", []).append(nag)
        else:
            last = {"san": move_text(word)}
            moves.append(last)
    return moves, pointers


def read_lines(payload, game):
    """The main line, then the variations; returns all moves in the order of their numbers, from 0: the start."""
    numbered, waiting = [game], []
    game["moves"], pointers = read_line(payload, game)
    numbered += game["moves"]
    waiting += pointers
    for number in range(65536):
        if number == len(waiting):
            return numbered
        pointer, move = waiting[number]
        if pointer != number:
            raise Damaged("the variations are not numbered in order")
        line, pointers = read_line(payload, None)
        move.setdefault("variations", []).append(line)
        numbered += line
        waiting += pointers
    raise Damaged("too many variations")


def read_comments(payload, numbered):
    place = 0
    while payload.at < len(payload.data):
        place += payload.varint()
        if place >= 2 * len(numbered):
            raise Damaged("a comment after the last move")
        numbered[place // 2].setdefault("after" if place % 2 else "before", []).append(payload.text())


def decode(data):
    """A game, as the object of json.md, from the payload of a record."""
    payload = Payload(data)
    flags = payload.take(1)[0]
    game = {}
    fen = payload.text() if flags & 8 else None
    game["tags"] = [[payload.text(), payload.text()] for _ in range(payload.varint())]
    if fen:
        game["fen"] = fen
    if flags & 4:
        game["chess960"] = True
    game["result"] = RESULTS[flags & 3]
    numbered = read_lines(payload, game)
    read_comments(payload, numbered)
    return game


def unpack(record):
    """The payload of a record: what is between two markers."""
    length, checksum = int.from_bytes(record[4:8], "big"), int.from_bytes(record[8:12], "big")
    stored = record[12:12 + length]
    if length > LONGEST or len(stored) < length:
        raise Damaged("the record ends early, or is too long")
    if crc32c(record[4:8] + stored) != checksum:
        raise Damaged("the checksum is wrong")
    if record[12 + length:] not in (b"", HEADER):
        raise Damaged("bytes that are not a record")
    return stored.replace(MARKER[:3] + b"\x00", MARKER[:3])


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    if not data.startswith(HEADER):
        print("game 0: no header", file=sys.stderr)
    starts, at = [], data.find(MARKER)
    while at >= 0:
        starts.append(at)
        at = data.find(MARKER, at + 1)
    for number, (begin, end) in enumerate(zip(starts, starts[1:] + [len(data)]), 1):
        try:
            print(json.dumps(decode(unpack(data[begin:end])), ensure_ascii=False))
        except Damaged as damage:
            print(f"game {number}: {damage}", file=sys.stderr)


if __name__ == "__main__":
    main()
