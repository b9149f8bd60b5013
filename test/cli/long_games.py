#!/usr/bin/env python3
"""long_games.py - games far beyond every limit are processed in bounded memory: test/cli/long_games.py PROGRAM

A game, a line or damage of many megabytes, between good games: import, check and pgn report it, continue, and need no more
memory than for games of normal size. --rejects writes the bytes of the input.
"""
import os
import subprocess
import sys
import tempfile

MORE = 12 << 10  # how many kilobytes a long game may take: far fewer than its size
SIZES = {"pgn": (1 << 20, 12 << 20), "json": (40 << 20, 64 << 20), "cmbr": (40 << 20, 64 << 20)}  # larger than the limit for a game; PGN that is not one game in 16 MiB is cut
program = os.path.realpath(sys.argv[1])
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1:detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")}
failures = []

GOOD = b'[Event "good"]\n\n1. d4 d5 *\n\n'
# name: (text before the long part, the repeated byte, text after it, whether the game is bad)
PGN = {
    "word": (b"1. e4 ", b"e", b" *\n", True),
    "tag": (b'[Event "', b"x", b'"]\n\n1. e4 *\n', True),
    "comment": (b"1. e4 {", b"c", b"} *\n", True),
    "line comment": (b"1. e4 ;", b"c", b"\n *\n", True),
    "open comment": (b"1. e4 {", b"c", b"\n", True),
    "variations": (b"1. e4 ", b"(", b"\n", True),
    "moves without an end": (b"1. e4 e5 ", b" ", b"2. d4 *\n", True),
    "lines in a game": (b"1. e4 e5", b"\n", b"2. d4 *\n", True),
    "escaped line in a game": (b"1. e4 e5\n%", b"%", b"\n2. d4 *\n", True),
    "blanks after tags": (b'[White "w"]\n', b"\n", b"1. e4 *\n", True),
    "blanks after a game": (b"1. e4 *\n", b" ", b"\n", False),
    "lines after a game": (b"1. e4 *\n", b"\n", b"\n", False),
    "escaped line after a game": (b"1. e4 *\n%", b"%", b"\n", False),
}
JSON_GOOD = b'{"moves":[{"san":"d4"}]}\n'
JSON = {
    "line": (b'{"moves":[{"san":"e4","after":["', b"x", b'"]}]}\n', True),
    "blank lines": (b"", b"\n", b"", False),
}


def fill(name, before, byte, size, after, first, last):
    """Writes a file with the long part between good games, in pieces, because a child's peak starts at its parent's memory."""
    with open(name, "wb") as file:
        file.write(first + before)
        for _ in range(size >> 20):
            file.write(byte * (1 << 20))
        file.write(after + last)


def run(*command):
    """The exit code, the output, and the peak memory in kilobytes."""
    child = subprocess.Popen([program, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    output = child.stdout.read().decode()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, output, used.ru_maxrss


def expect(is_so, *what):
    if not is_so:
        failures.append(" ".join(str(part)[:400] for part in what))


def same_bytes(name, before, byte, size, after):
    """Does the file consist of `before`, `size` bytes and `after`? Line ends at its end may differ."""
    with open(name, "rb") as file:
        if file.read(len(before)) != before:
            return False
        piece = byte * (1 << 20)
        for _ in range(size >> 20):
            if file.read(1 << 20) != piece:
                return False
        return file.read().rstrip(b"\n") == after.rstrip(b"\n")


def rows(notation, games, good, name):
    before, byte, after, is_bad = games[name]
    file = f"games.{notation}"
    peaks = {}
    for size in SIZES[notation]:
        fill(file, before, byte, size, after, good, good)
        for database in ("games.db", "games.db-wal", "games.db-shm"):
            if os.path.exists(database):
                os.unlink(database)
        for command in (
            ("import", "--threads", "2", "--rejects", "rejects", "games.db", file),
            ("check", "--threads", "2", "--rejects", "rejects", "--clean", "clean", file),
            ("pgn", "--threads", "2", "-o", "out.pgn", file),
        ):
            if command[0] == "pgn" and notation != "pgn":
                continue
            code, output, peak = run(*command)
            expect(code == ((2 if command[0] == "pgn" else 1) if is_bad else 0), notation, name, command[0],
                   size, "exit code", code, output)
            first = peaks.setdefault(command[0], peak)
            expect(peak - first < (MORE), notation, name, command[0],
                   f"{first} KiB for {SIZES[notation][0]} bytes, {peak} KiB for {size}")
            if command[0] == "import" and is_bad:
                expect(same_bytes("rejects", before, byte, size, after), notation, name, size, "other bytes in the rejects")
            elif command[0] == "import":
                expect(os.path.getsize("rejects") == 0, notation, name, size, "rejects that are none")
            elif command[0] == "check" and is_bad:
                expect(same_bytes("rejects", before, byte, size, after), notation, name, size, "check: other rejects")
            elif command[0] == "check":
                expect(os.path.getsize("clean") >= size or notation != "pgn", notation, name, size, "check: too little is clean")


def damage():
    """A CMBR file with zeros between two games, or before them: one damaged game, or a missing header."""
    fill("two.pgn", b"", b"", 0, b"", GOOD, GOOD)
    code, output, _ = run("convert", "--to", "cmbr", "-o", "two.cmbr", "two.pgn")
    expect(code == 0, "convert", output)
    with open("two.cmbr", "rb") as file:
        good = file.read()
    peaks = {}
    for size in SIZES["cmbr"]:
        for before in (good, b""):
            fill("hurt.cmbr", b"", b"\0", size, b"", before, good)
            for command in ("check", "import"):
                rest = ["games.db", "hurt.cmbr"] if command == "import" else ["hurt.cmbr"]
                code, output, peak = run(command, "--from", "cmbr", "--rejects", "rejects", *rest)
                expect(code == 1, "damage", command, output)
                first = peaks.setdefault((command, before), peak)
                expect(peak - first < MORE, "damage", command, f"{first} KiB at first, {peak} KiB for {size}")
                expect(same_bytes("rejects", good[:8], b"\0", size, good[:8]), "damage", command, size, "other rejects")


for name in PGN:
    rows("pgn", PGN, GOOD, name)
for name in JSON:
    rows("json", JSON, JSON_GOOD, name)
damage()
print("\n".join(failures) or "no failures")
sys.exit(bool(failures))
