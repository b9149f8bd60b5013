#!/usr/bin/env python3
"""kills.py - kill -9 at random moments of import, delete, export and tree:

    test/store/kills.py PROGRAM GAMES.pgn [N [SEED]]

N kills in all (default: 200), each at a moment between the start of the command and a little after its usual end. What
remains must be valid: a database without faults that has all games of a commit or none, a file that is complete or as it
was before, a tree that is reported as unfinished. Running the command again must then give the same result as without a kill.
"""
import filecmp
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

program, games = (os.path.realpath(path) for path in sys.argv[1:3])
n_kills = int(sys.argv[3]) if len(sys.argv) > 3 else 200
chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 2026)
failures = []


def run(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def must(*arguments):
    code, out, err = run(*arguments)
    if code != 0:
        failures.append(f"{' '.join(arguments)}: code {code}: {err or out}")
    return out


def killed(seconds, *arguments):
    """Kills the command at a random moment; returns whether it was still running."""
    child = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(chance.uniform(0, 1.1 * seconds))
    child.send_signal(signal.SIGKILL)
    return child.wait() == -signal.SIGKILL


def usual(*arguments):
    began = time.monotonic()
    must(*arguments)
    return time.monotonic() - began


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    for name in os.listdir("."):
        if name == path or name.startswith(path + "-") or name.startswith(path + ".tabiya-"):
            os.unlink(name)


def verify(what, db):
    code, out, err = run("verify", db)
    if code != 0:
        failures.append(f"{what}: verify: {out}{err}")


def expect(what, condition):
    if not condition:
        failures.append(what)


class Import:
    """Imports into a database that already has half of the games."""

    def __init__(self):
        must("pgn", "--games", "..1500", games, "-o", "half.pgn")
        must("import", "half.db", "half.pgn")
        shutil.copy("half.db", "import.db")
        self.seconds = usual("import", "import.db", games)
        self.games = must("export", "import.db")
        self.n_half = must("find", "--count", "half.db")

    def trial(self):
        is_new = chance.random() < 0.3
        remove("import.db")
        if not is_new:
            shutil.copy("half.db", "import.db")
        was_killed = killed(self.seconds, "import", "import.db", games)
        run("info", "import.db")  # the first reader rolls back a file that was being created
        if os.path.exists("import.db") and os.path.getsize("import.db"):
            verify("import", "import.db")
        must("import", "import.db", games)
        verify("import again", "import.db")
        expect("import: the games are not those of a whole import", must("export", "import.db") == self.games)
        return was_killed


class Delete:
    def __init__(self):
        must("import", "all.db", games)
        shutil.copy("all.db", "delete.db")
        self.command = ("delete", "delete.db", "plies ..60", "--yes")
        self.before = must("find", "--count", "delete.db")
        self.seconds = usual(*self.command)
        self.after = must("find", "--count", "delete.db")

    def trial(self):
        remove("delete.db")
        shutil.copy("all.db", "delete.db")
        was_killed = killed(self.seconds, *self.command)
        expect("delete: some of the games are gone", must("find", "--count", "delete.db") in (self.before, self.after))
        verify("delete", "delete.db")
        return was_killed


class Export:
    def __init__(self):
        self.command = ("export", "all.db", "-o", "export.pgn")
        self.seconds = usual(*self.command)
        shutil.copy("export.pgn", "whole.pgn")

    def trial(self):
        had_file = chance.random() < 0.5
        remove("export.pgn")
        if had_file:
            with open("export.pgn", "w") as file:
                file.write("old\n")
        was_killed = killed(self.seconds, *self.command)
        if os.path.exists("export.pgn"):
            is_old = os.path.getsize("export.pgn") == 4
            expect("export: a part of a file", (is_old and had_file) or filecmp.cmp("export.pgn", "whole.pgn", False))
        else:
            expect("export: the old file is gone", not had_file)
        must(*self.command)
        expect("export again", filecmp.cmp("export.pgn", "whole.pgn", False))
        expect("export: leftovers", not [name for name in os.listdir(".") if name.startswith("export.pgn.tabiya-")])
        return was_killed


class Tree:
    def __init__(self):
        self.command = ("tree", "grow", "--depth", "3", "-o", "cut")
        self.seconds = usual(*self.command)
        self.text = must("tree", "export", "cut")

    def trial(self):
        remove("cut")
        was_killed = killed(self.seconds, *self.command)
        is_unfinished = os.path.exists("cut/unfinished")
        if is_unfinished:
            expect("tree: read takes it for whole", run("tree", "read", "cut")[0] == 1)
        # A kill after the last step leaves a complete tree, and nothing to resume.
        if is_unfinished or not os.path.isdir("cut") or not os.listdir("cut"):
            must("tree", "grow", "--depth", "3", "--resume", "-o", "cut")
        expect("tree: not the whole tree", must("tree", "export", "cut") == self.text)
        return was_killed


def main():
    kinds = [Import(), Delete(), Export(), Tree()]
    n_at_work = 0
    for i in range(n_kills):
        n_at_work += kinds[i % len(kinds)].trial()
        if failures:
            break
    print(f"{n_kills} kills, {n_at_work} of them at work")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    code = main()
    os.chdir("/")
sys.exit(code)
