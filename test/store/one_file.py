#!/usr/bin/env python3
"""one_file.py - after a command that has changed a database, its file is the whole database: one_file.py PROGRAM

Every command that writes runs three times: alone, while another process has the file open, and while another process is
reading an older state of it. Each time the file is copied without the files next to it. Only in the last case the copy
may lack something, and then the command says so.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request

PROGRAM = os.path.realpath(sys.argv[1])
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GAMES = os.path.join(SOURCE, "examples", "famous.pgn")
ENGINE = os.path.join(SOURCE, "test", "serve", "fake-engine.sh")
NEW = '[Event "New"]\n[White "Me"]\n[Black "You"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke2 1-0\n'
os.environ["PATH"] = os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]  # for the engine
failures = []


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)


def serve_and_save():
    """A game is saved through the server, which is then stopped."""
    server = subprocess.Popen([PROGRAM, "serve", "--write", "--port", "0", "x.db"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
    base, token = address.split("/?token=")
    for path in ("/api/find?limit=1", "/api"):
        urllib.request.urlopen(base + path).read()
    request = urllib.request.Request(base + "/api/games", NEW.encode(), {"X-Tabiya-Token": token}, method="POST")
    urllib.request.urlopen(request).read()
    server.send_signal(signal.SIGTERM)
    out, errors = server.communicate(timeout=60)
    return subprocess.CompletedProcess([], server.returncode, out, errors)


COMMANDS = {
    "import": lambda: run("import", "x.db", "new.pgn"),
    "delete": lambda: run("delete", "x.db", "--ids", "1..2"),
    "collection add": lambda: run("collection", "add", "x.db", "more", "--ids", "3..5"),
    "collection remove": lambda: run("collection", "remove", "x.db", "some", "--ids", "1"),
    "collection delete": lambda: run("collection", "delete", "x.db", "some"),
    "annotate": lambda: run("annotate", "--engine", ENGINE, "--depth", "1", "--limit", "3", "--store", "x.db"),
    "sql": lambda: run("sql", "--write", "x.db", "update player set name = 'X' where id = 1"),
    "serve": serve_and_save,
}


def contents(path):
    """All games, and the collections."""
    listed = run("collection", "list", path)
    return run("export", path).stdout, listed.stdout


def expect(what, is_right):
    if not is_right:
        failures.append(what)


def begin():
    for name in os.listdir("."):
        if name.startswith("x.db") or name.startswith("copy"):
            os.unlink(name)
    shutil.copy("before.db", "x.db")


def change(what, command, is_held):
    answer = command()
    expect(f"{what}: exit code {answer.returncode}: {answer.stderr}", answer.returncode == 0)
    shutil.copy("x.db", "copy.db")
    is_whole = contents("copy.db") == contents("x.db")
    expect(f"{what}: nothing changes", contents("x.db") != contents("before.db") or "explain" in what)
    has_log = os.path.exists("x.db-wal") and os.path.getsize("x.db-wal") > 0
    expect(f"{what}: the copy lacks something", is_whole or is_held)
    expect(f"{what}: the copy is damaged", run("sql", "copy.db", "pragma integrity_check").stdout == "ok\n")
    expect(f"{what}: {answer.stderr or 'no message'}", ("x.db-wal belongs to x.db" in answer.stderr) == has_log)
    return has_log


def try_command(name, command):
    begin()
    change(name, command, False)
    expect(f"{name}: files are left", not [n for n in os.listdir(".") if n.startswith("x.db-")])
    begin()
    other = sqlite3.connect("x.db")
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("SELECT count(*) FROM game").fetchall()
    change(f"{name}, open elsewhere", command, False)
    other.close()
    begin()
    other = sqlite3.connect("x.db", isolation_level=None)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM game").fetchall()
    change(f"{name}, read elsewhere", command, True)
    other.close()


def main():
    with open("new.pgn", "w") as file:
        file.write(NEW)
    run("import", "before.db", GAMES)
    run("collection", "add", "before.db", "some", "--ids", "1..4")
    for name, command in COMMANDS.items():
        try_command(name, command)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
print("\n".join(failures))
sys.exit(bool(failures))
