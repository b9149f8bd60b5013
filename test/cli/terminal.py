#!/usr/bin/env python3
"""terminal.py - text of games and databases reaches a terminal without control characters: terminal.py PROGRAM

Everything that a game, a collection or an argument can contain is a sequence that would rename the terminal's window. The
commands run in a pseudo-terminal; their own colours are the only control sequences that may arrive. What is meant for
people has none in a pipe either, because pipes end at terminals.
"""

import os
import pty
import re
import sqlite3
import subprocess
import sys
import tempfile

PROGRAM = os.path.realpath(sys.argv[1])
EVIL = "\x1b]0;x\x07"
C1 = "\u009b31m"
GAME = "".join(f'[{tag} "{tag[0]}{EVIL}{C1}"]\n' for tag in (
    "Event", "Site", "Round", "White", "Black", "ECO", "Opening", "WhiteTitle", "Annotator", "TimeControl"))
GAME += f'[Date "2020.01.01"]\n[Result "1-0"]\n\n{{{EVIL}{C1}}} 1. e4 {{{EVIL}}} e5 {{{C1}}} 2. Nf3 $1 (2. Ke2 {{{EVIL}}}) 1-0\n\n'
NAME = f"W{EVIL}{C1}"
# For people, one line or table after the other.
PLAIN = [
    ["find", "SOURCE"], ["find", "SOURCE", "--sort", "white"], ["find", "SOURCE", "--to", "tsv"], ["names", "SOURCE"],
    ["find", "SOURCE", "--player", NAME, "--explain"], ["report", "SOURCE", "W*"], ["report", "SOURCE", NAME],
    ["explore", "SOURCE", "1. e4"], ["novelty", "SOURCE"], ["repertoire", "gaps", "SOURCE", "g.pgn"],
    ["check", "--warnings", "SOURCE"], ["find", "SOURCE", EVIL], ["show", "--game", "1", "SOURCE"],
    ["collection", "list", "g.db"], ["info", "g.db"], ["verify", "g.db"],
    ["find", "g.db", f'collection "{NAME}"'], ["import", "g.db", EVIL], [EVIL],
]
# Data, which is unchanged in a file or a pipe.
DATA = [
    ["export", "SOURCE"], ["pgn", "SOURCE"], ["rows", "SOURCE"], ["convert", "--to", "pgn", "SOURCE"],
    ["find", "SOURCE", "--to", "html"], ["sql", "g.db", "select * from games"], ["sql", "--to", "csv", "g.db", "select * from games"],
    ["sql", "--header", "g.db", f'select 1 as "{EVIL}"'], ["collection", "remove", "g.db", NAME, "--ids", "7"],
    ["collection", "delete", "g.db", NAME + "x"], ["collection", "list", "--json", "g.db"],
    ["find", "SOURCE", "--to", "json"],
]


def in_pipe(arguments):
    return subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout


def in_terminal(arguments):
    master, terminal = pty.openpty()
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal,
                               env=dict(os.environ, TERM="xterm", PAGER=""))
    os.close(terminal)
    text = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            piece = b""
        if not piece:
            break
        text += piece
    process.wait()
    os.close(master)
    return text


def is_harmless(text):
    text = re.sub(rb"\x1b\[(0|1|31|32|33|1;31)m|\r\n|\r\x1b\[K|\r", b"", text).decode(errors="replace")
    return not re.search("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]", text)


def main():
    failures = []
    with open("g.pgn", "w") as file:
        file.write(GAME + GAME.replace("2020.01.01", "2021.01.01"))
    in_pipe(["import", "g.db", "g.pgn"])
    in_pipe(["collection", "add", "g.db", "name", "--ids", "1,2"])
    db = sqlite3.connect("g.db")
    db.execute("UPDATE collection SET name = ?", (NAME,))
    db.commit()
    db.close()
    for source in ("g.db", "g.pgn"):
        for arguments in PLAIN + DATA:
            words = [source if word == "SOURCE" else word for word in arguments]
            if not is_harmless(in_terminal(words)):
                failures.append(f"in a terminal: {words}: {in_terminal(words)[:300]!r}")
            if arguments in PLAIN and not is_harmless(in_pipe(words)):
                failures.append(f"in a pipe: {words}: {in_pipe(words)[:300]!r}")
    for arguments in (["export", "g.db"], ["rows", "g.db"]):
        if EVIL.encode() not in in_pipe(arguments):
            failures.append(f"{arguments} changes the data")
    return failures


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    found = main()
    os.chdir("/")
print("\n".join(found))
sys.exit(bool(found))
