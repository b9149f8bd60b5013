#!/usr/bin/env python3
"""signals.py - SIGINT and SIGTERM end every command quickly, even during an SQL statement: signals.py PROGRAM

A command that catches signals receives one as soon as it does so, according to /proc, and must exit normally.
"""

import gzip
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1]
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GAMES = os.path.join(SOURCE, "examples", "famous.pgn")
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
SECONDS = 20  # much more than needed: the machine may be busy


def catches(pid, number):
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith("SigCgt:"):
                return int(line.split()[1], 16) >> (number - 1) & 1
    return 0


def expect_end(what, number, arguments, stdin=subprocess.DEVNULL, wait=0):
    process = subprocess.Popen([PROGRAM, *arguments], stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while process.poll() is None and not catches(process.pid, number):
        os.sched_yield()
    time.sleep(wait)
    process.send_signal(number)
    try:
        errors = process.communicate(timeout=SECONDS)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"{what}: deaf to signal {number}")
    if process.returncode != 2 or (wait and "interrupted" not in errors):
        sys.exit(f"{what}: exit code {process.returncode}: {errors}")


def endless(path, byte):
    """Ten gigabytes of one byte, compressed: a game that does not end."""
    member = gzip.compress(byte * (1 << 25), 6)
    with open(path, "wb") as file:
        for _ in range(320):
            file.write(member)


def silent_engine(path):
    with open(path, "w") as file:
        file.write("#!/bin/sh\nwhile read -r line; do case $line in uci) echo uciok ;; isready) echo readyok ;; esac; done\n")
    os.chmod(path, 0o755)
    return path


def commands_reading(path, database, folder):
    """The commands that catch signals, reading the games of a file."""
    return [
        ["import", database, path],
        ["rows", path],
        ["rows", path, "mate"],
        ["tree", "grow", "--games", path, "--plies", "4", "-o", os.path.join(folder, "tree")],
        ["novelty", path, "mate"],
        ["novelty", GAMES, path],
        ["novelty", GAMES, path, "--game", "2"],
        ["names", path],
        ["report", path, "morphy"],
        ["annotate", "--engine", os.path.join(folder, "engine"), path],
        ["export", path, "-o", os.path.join(folder, "out.pgn")],
        ["publish", path, "-o", os.path.join(folder, "site")],
        ["find", path, "mate"],
        ["find", path, "--sort", "elo"],
        ["explore", path, "1. e4"],
        ["repertoire", "gaps", GAMES, path],
        ["repertoire", "deviations", path, GAMES],
        ["sql", database, f"select count(*) from read_pgn('{path}')"],
    ]


def expect_no_deafness_in_a_game(folder, database):
    bomb = os.path.join(folder, "bomb.pgn.gz")
    silent_engine(os.path.join(folder, "engine"))
    endless(bomb, b"\0")
    for number in (signal.SIGINT, signal.SIGTERM):
        for path in ("/dev/zero", bomb):
            for arguments in commands_reading(path, database, folder):
                expect_end(" ".join(arguments), number, arguments, wait=0.1)
    for byte in (b" ", b"\n", b"{", b"%", b"x"):
        endless(bomb, byte)
        for notation in ("pgn", "json", "cmbr"):
            arguments = ["import", "--from", notation, database, bomb]
            expect_end(f"{notation} of {byte}", signal.SIGINT, arguments, wait=0.1)
    if sorted(os.listdir(folder)) != ["bomb.pgn.gz", "engine", "games.db"]:
        sys.exit(f"files are left: {os.listdir(folder)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "games.db")
        subprocess.run([PROGRAM, "import", path, GAMES], check=True, stdout=subprocess.DEVNULL)
        for number in (signal.SIGINT, signal.SIGTERM):
            expect_end("sql", number, ["sql", path, ENDLESS])
            expect_end("find --where", number, ["find", path, "--where", f"({ENDLESS}) = 0"])
            other = sqlite3.connect(path)
            other.execute("BEGIN IMMEDIATE")
            expect_end("import after a writer", number, ["import", path, GAMES])
            other.close()
            reader, writer = os.pipe()
            expect_end("import of an idle pipe", number, ["import", path, "-"], stdin=reader)
            os.close(reader)
            os.close(writer)
        expect_no_deafness_in_a_game(folder, path)
        subprocess.run([PROGRAM, "verify", path], check=True, stdout=subprocess.DEVNULL)


main()
