#!/usr/bin/env python3
"""damage.py - damaged copies of a database, a CMBR file and a tree:

    test/store/damage.py PROGRAM GAMES.pgn [N [SEED]]

N copies of each (default: 1000), each with some bytes changed, cut off, doubled or zeroed. Every command that reads them
must exit within a bounded time, normally and not by a signal, and with one of its exit codes. If its answer differs from
the right one, an error, or `verify`, `check` or `tree read`, must report the damage.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

program, games = (os.path.realpath(path) for path in sys.argv[1:3])
n_copies = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
SECONDS = 60
failures = []


def run(*arguments):
    try:
        done = subprocess.run([program, *arguments], capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        keep(arguments)
        failures.append(f"{' '.join(arguments)}: no end within {SECONDS} s")
        return 2, b"", b""
    if done.returncode not in (0, 1, 2):
        keep(arguments)
        failures.append(f"{' '.join(arguments)}: code {done.returncode}: {done.stderr.decode(errors='replace')[:500]}")
    return done.returncode, done.stdout, done.stderr


def keep(arguments):
    """Keeps the input that caused a failure, for inspection."""
    for name in arguments:
        if os.path.isfile(name):
            shutil.copy(name, os.path.join(tempfile.gettempdir(), "tabiya-" + name))


def damage(data):
    """Damages the bytes in one to four ways."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if not data:
            break
        at = chance.randrange(len(data))
        n = min(chance.choice([1, 1, 1, 2, 8, 64, 4096]), len(data) - at)
        harm = chance.randrange(6)
        if harm == 0:
            data[at : at + n] = bytes(n)
        elif harm == 1:
            data[at : at + n] = chance.randbytes(n)
        elif harm == 2:
            data[at] ^= 1 << chance.randrange(8)
        elif harm == 3 and chance.random() < 0.3:
            del data[at:]
        elif harm == 4:
            other = chance.randrange(len(data))
            data[at : at + n] = data[other : other + n].ljust(n, b"\0")[:n]
        else:
            data[at : at + n] = b"\xff" * n
    return bytes(data)


def questions(db):
    """Commands on a database, each with its answer."""
    return [
        ("find", "--count", db),
        ("find", "--tsv", "--limit", "50", db, "elo 2000.."),
        ("find", "--count", db, "player carlsen"),
        ("find", "--count", "--fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", db),
        ("find", "--count", db, "iqp or KRvKR"),
        ("explore", db),
        ("explore", db, "e4", "c5"),
        ("export", db),
    ]


def try_database(number, right):
    with open("damaged.db", "wb") as file:
        file.write(damage(original_db))
    wrong = []
    for command, answer in zip(questions("damaged.db"), right):
        code, out, err = run(*command)
        if (code, out) != answer and not err:
            wrong.append(command)
    code, _, _ = run("verify", "damaged.db")
    if wrong and code == 0:
        failures.append(f"database {number}: verify is content, but {' '.join(wrong[0])} answers otherwise")
        keep(["damaged.db"])
    for suffix in ("-wal", "-shm", "-journal"):
        if os.path.exists("damaged.db" + suffix):
            os.unlink("damaged.db" + suffix)


def try_cmbr(number, right):
    with open("damaged.cmbr", "wb") as file:
        file.write(damage(original_cmbr))
    code, out, err = run("convert", "--to", "pgn", "damaged.cmbr")
    checked, _, _ = run("check", "damaged.cmbr")
    if out != right and not err:
        failures.append(f"CMBR file {number}: a wrong answer without an error")
    if out != right and checked == 0:
        failures.append(f"CMBR file {number}: check is content with other games")


def try_tree(number, right):
    path = chance.choice(tree_files)
    with open(path, "rb") as file:
        data = file.read()
    changed = damage(data)
    with open(path, "wb") as file:
        file.write(changed)
    code, out, err = run("tree", "export", "tree")
    checked, _, _ = run("tree", "read", "tree")
    if (code, out) != right and not err:
        failures.append(f"tree {number}: a wrong answer without an error: {path}")
    if (code, out) != right and checked == 0:
        failures.append(f"tree {number}: read is content with another tree: {path}")
    with open(path, "wb") as file:
        file.write(data)


def main():
    right = [run(*command)[:2] for command in questions("original.db")]
    whole = run("convert", "--to", "pgn", "original.cmbr")[1]
    tree = run("tree", "export", "tree")[:2]
    for number in range(n_copies):
        try_database(number, right)
        try_cmbr(number, whole)
        try_tree(number, tree)
        if len(failures) > 5:
            break
    print(f"{n_copies} damaged copies of a database, a CMBR file and a tree")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    subprocess.run([program, "pgn", "--games", "..400", games, "-o", "some.pgn"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([program, "import", "--index", "all", "original.db", "some.pgn"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "convert", "--to", "cmbr", "some.pgn", "-o", "original.cmbr"], check=True)
    subprocess.run([program, "tree", "grow", "--depth", "2", "-o", "tree"], check=True, stdout=subprocess.DEVNULL)
    original_db = open("original.db", "rb").read()
    original_cmbr = open("original.cmbr", "rb").read()
    tree_files = [os.path.join(folder, name) for folder, _, names in os.walk("tree") for name in names]
    code = main()
    os.chdir("/")
sys.exit(code)
