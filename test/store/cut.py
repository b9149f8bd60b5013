#!/usr/bin/env python3
"""cut.py - an input that fails does not leave half a game: cut.py PROGRAM [SHIM]

Compressed files end too early, and reading fails (fault_shim.c). Every game that a command then stores or writes must be
a game of the file, whole; the exit code is 2, and importing the whole file afterwards stores each game once.
"""

import errno
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import zlib

PROGRAM, *SHIM = (os.path.realpath(path) for path in sys.argv[1:])
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GAMES = os.path.join(SOURCE, "examples", "selfplay.pgn")
# Each writes a line per game with all of its moves; - is the input.
WRITERS = [
    ["convert", "--from", "pgn", "--to", "uci"],
    ["convert", "--from", "pgn", "--to", "uci", "--threads", "2"],
    ["export", "--to", "uci"],
    ["pgn", "--to", "uci"],
    ["find", "--to", "uci", "plies 1.."],
]
failures = []


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, **options)


def lines(text):
    return text.decode().splitlines()


def expect(what, is_right):
    if not is_right:
        failures.append(what)


def store_and_repeat(what, path, whole, environment=None):
    """Imports a part of the games, then all of them."""
    for name in os.listdir("."):
        if name.startswith("x.db"):
            os.unlink(name)
    cut = run("import", "x.db", path, env=environment)
    expect(f"{what}: exit code {cut.returncode}", cut.returncode == 2)
    stored = lines(run("export", "x.db", "--to", "uci").stdout)
    expect(f"{what}: a cut game is stored", set(stored) <= set(whole))
    expect(f"{what}: no game is stored", stored or environment)
    run("import", "x.db", GAMES)
    expect(f"{what}: imported again", sorted(lines(run("export", "x.db", "--to", "uci").stdout)) == sorted(whole))


def write(writer, path, environment=None):
    words = [*writer[:3], path, *writer[3:]] if writer[0] == "find" else [*writer, path]
    return run(*words, env=environment)


def write_all(what, path, environment=None):
    for writer in WRITERS:
        name = " ".join(writer)
        answer = write(writer, path, environment)
        whole = lines(write(writer, GAMES).stdout)
        expect(f"{what}: {name}: exit code {answer.returncode}", answer.returncode == 2)
        expect(f"{what}: {name}: a cut game", set(lines(answer.stdout)) <= set(whole))


def contents(folder):
    return {name: os.stat(os.path.join(at, name)).st_mtime_ns for at, _, names in os.walk(folder) for name in names}


def publish_nothing(path):
    """A folder that was published before stays as it is, and a new one is not begun."""
    expect("publish", run("publish", GAMES, "-o", "site").returncode == 0)
    before = contents("site")
    for folder in ("site", "new"):
        expect(f"publish {path}: exit code", run("publish", path, "-o", folder).returncode == 2)
    expect(f"publish {path}: files change", contents("site") == before)
    expect(f"publish {path}: a folder is made", not os.path.exists("new"))


def lose_end(packed, cuts, name, whole):
    """Files that end too early."""
    for i, cut in enumerate(cuts):
        with open(name, "wb") as file:
            file.write(packed[:cut])
        store_and_repeat(f"{name} cut at {cut}", name, whole)
        if i % 4 == 0:
            write_all(f"{name} cut at {cut}", name)


def main():
    with open(GAMES, "rb") as file:
        text = file.read()
    whole = lines(run("export", GAMES, "--to", "uci").stdout)
    stored = zlib.compressobj(0, zlib.DEFLATED, 31)  # not compressed: the text can be cut at any byte
    lose_end(stored.compress(text) + stored.flush(), range(70000, 71300, 97), "c.gz", whole)
    publish_nothing("c.gz")
    packed = gzip.compress(text)
    lose_end(packed, [len(packed) // 3, len(packed) - 8], "d.gz", whole)
    if shutil.which("zstd"):
        packed = subprocess.run(["zstd", "-qc", GAMES], capture_output=True, check=True).stdout
        lose_end(packed, [len(packed) // 2, len(packed) - 3], "c.zst", whole)
    for n in range(1, 8) if SHIM else ():
        shutil.copy(SHIM[0], "shim.so")
        environment = dict(os.environ, LD_PRELOAD="./shim.so", TABIYA_FAULT=f"read:{n}:{errno.EIO}")
        store_and_repeat(f"EIO at read {n}", GAMES, whole, environment)
        write_all(f"EIO at read {n}", GAMES, environment)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
print("\n".join(failures[:20]))
sys.exit(bool(failures))
