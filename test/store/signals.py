#!/usr/bin/env python3
"""signals.py - SIGINT and SIGTERM end every command quickly, even during an SQL statement: signals.py PROGRAM

A command that catches signals receives one as soon as it does so, according to /proc, and must exit normally.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile

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


def expect_end(what, number, arguments, stdin=subprocess.DEVNULL):
    process = subprocess.Popen([PROGRAM, *arguments], stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while process.poll() is None and not catches(process.pid, number):
        os.sched_yield()
    process.send_signal(number)
    try:
        errors = process.communicate(timeout=SECONDS)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"{what}: deaf to signal {number}")
    if process.returncode != 2:
        sys.exit(f"{what}: exit code {process.returncode}: {errors}")


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
        subprocess.run([PROGRAM, "verify", path], check=True, stdout=subprocess.DEVNULL)


main()
