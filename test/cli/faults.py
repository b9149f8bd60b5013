#!/usr/bin/env python3
"""faults.py - memory that runs out, disks that fail and Ctrl-C, in every command that writes: test/cli/faults.py PROGRAM SHIM PGN

The calls of each kind fail in turn, from the n-th on (fault_shim.c), and files may not grow beyond some size. Each time
the program must exit normally, with code 2 and a message, or with the right answer; a file gets its name only when it is
complete, and an existing file stays until then; no other file is left. Ctrl-C comes at calls of all kinds; it may end the
program, and an interrupted change of a database can be repeated.
"""
import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

program, shim, games = (os.path.realpath(path) for path in sys.argv[1:4])
# In memory if possible: a thousand runs would wait long for a disk.
folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
os.chdir(folder.name)
failures = []
n_runs = 0
OLD = b"an older file\n"
SHIM = "./shim.so"  # a blank in LD_PRELOAD would separate two libraries
shutil.copy(shim, SHIM)

# name, arguments, the files or folders that are written
COMMANDS = [
    ("convert to pgn", ["convert", "--to", "pgn", "-o", "out", "games.pgn"], ["out"]),
    ("convert to json", ["convert", "--to", "json", "-o", "out", "games.pgn"], ["out"]),
    ("convert to cmbr", ["convert", "--lossy", "--to", "cmbr", "-o", "out", "games.pgn"], ["out"]),
    ("convert by two", ["convert", "--threads", "2", "--to", "json", "-o", "out", "games.pgn"], ["out"]),
    ("export to pgn", ["export", "games.db", "-o", "out"], ["out"]),
    ("export to cmbr", ["export", "games.db", "--to", "cmbr", "-o", "out"], ["out"]),
    ("check", ["check", "--rejects", "out", "--clean", "other", "bad.pgn"], ["out", "other"]),
    ("pgn", ["pgn", "--threads", "1", "-o", "out", "games.pgn", "mate"], ["out"]),
    ("pgn sorted", ["pgn", "--sort", "date", "-o", "out", "games.pgn"], ["out"]),
    ("rows to csv", ["rows", "--threads", "1", "-o", "out.csv", "games.pgn"], ["out.csv"]),
    ("rows to parquet", ["rows", "--positions", "--threads", "1", "-o", "out.parquet", "games.pgn"], ["out.parquet"]),
    ("tree grow", ["tree", "grow", "--depth", "2", "-o", "tree"], []),
    ("tree of games", ["tree", "grow", "--games", "games.pgn", "--plies", "3", "-o", "tree"], []),
    ("find", ["find", "games.db", "player morphy mate"], []),
    ("explore", ["explore", "games.db", "1. e4"], []),
    ("import", ["import", "--rejects", "out", "copy.db", "bad.pgn"], ["out"]),
    ("delete", ["delete", "copy.db", "--ids", "1..3"], []),
    ("verify", ["verify", "games.db"], []),
    ("names", ["names", "games.db"], []),
    ("report", ["report", "games.db", "morphy"], []),
    ("info", ["info", "games.db"], []),
    ("novelty", ["novelty", "games.db", "3"], []),
    ("sql", ["sql", "games.db", "select count(*), min(white) from games group by eco"], []),
    ("show", ["show", "--game", "1", "--to", "png", "-o", "out.png", "games.pgn"], ["out.png"]),
]

# Tried only with memory that runs out.
HUNGRY = [
    ("pgn for players", ["pgn", "--split", "player", "-o", "%s.out", "--unique=near", "--sort", "elo,-date", "games.pgn"], []),
    ("pgn changed", ["pgn", "--unfold", "--add", "eco,hash", "--set", "A=b", "--rename-tag", "A=B", "--names", "names.txt",
                     "--cut", "mate", "--drop", "1", "--note", "fen", "games.pgn"], []),
    ("pgn picked", ["pgn", "--criteria", "criteria.txt", "--queries", "lines.txt", "--to", "html", "--threads", "1", "games.pgn"], []),
    ("pgn known", ["pgn", "--unique", "--known", "games.pgn", "--to", "san", "--letters-out", "german", "games.pgn"], []),
    ("rows chosen", ["rows", "--positions", "--distinct", "--sample", "50", "--threads", "1", "games.pgn", "mate"], []),
    ("rows of a database", ["rows", "--threads", "2", "games.db"], []),
    ("find sorted", ["find", "games.db", "--tsv", "--all-plies", "--sort", "elo,white", "mate"], []),
    ("explore match", ["explore", "games.db", "--json", "--match", "mate"], []),
    ("tree show", ["tree", "show", "games.db", "e4"], []),
    ("tree to a book", ["tree", "export", "games.pgn", "--to", "polyglot"], []),
    ("names of a file", ["names", "games.pgn"], []),
    ("novelty of a line", ["novelty", "games.db", "1. e4 e5 2. Ke2"], []),
    ("status", ["status", "--json", "1. e4 e5"], []),
    ("convert a line", ["convert", "--to", "pgn", "1. e4 e5 2. Nf3"], []),
]


def limit(size):
    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        if size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return before


def run(words, fault=None, size=None):
    """Exit code, output and errors."""
    global n_runs
    n_runs += 1
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    if fault:
        environment.update(LD_PRELOAD=SHIM, TABIYA_FAULT=fault, TABIYA_FAULT_COUNT=os.path.join(folder.name, "count"))
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, env=environment,
                          preexec_fn=limit(size), timeout=120)
    return done.returncode, done.stdout, done.stderr


def prepare(written, has_old):
    for name in os.listdir("."):
        if name in KEPT:
            continue
        if os.path.isdir(name):
            shutil.rmtree(name)
        else:
            os.unlink(name)
    shutil.copy("games.db", "copy.db")
    for name in written if has_old else []:
        with open(name, "wb") as file:
            file.write(OLD)


def contents(written):
    found = {}
    for name in written:
        if os.path.exists(name):
            with open(name, "rb") as file:
                found[name] = file.read()
    return found


def complain(what, *details):
    failures.append(f"{what}: " + " ".join(str(d)[:300] for d in details))


def others(written):
    known = set(written) | set(KEPT) | {"copy.db", "tree", "count"}
    known |= {name + ".json" for name in written}  # the file that rows writes next to its output
    return [name for name in os.listdir(".") if name not in known and not name.startswith("copy.db-") and not name.endswith(".out")]


def judge(what, got, right, written, has_old, right_files, signals=()):
    code, output, errors = got
    after = contents(written)
    if code in signals:
        pass
    elif code < 0:
        complain(what, "signal", -code, errors)
    elif code == right[0] and code != 2:
        if output != right[1] or after != right_files:
            complain(what, "another answer without an error", code, errors)
    elif code != 2:
        complain(what, "exit code", code, errors)
    elif not errors.strip():
        complain(what, "nothing is said")
    for name in written:
        if name in after and after[name] not in (right_files.get(name), OLD if has_old else None):
            complain(what, f"{name} is not whole: {len(after[name])} bytes of {len(right_files.get(name, b''))}")
        if has_old and name not in after:
            complain(what, f"the older {name} is gone")
    if others(written):
        complain(what, "left behind:", others(written))


def numbers(n, most):
    """Some of 0 .. n - 1: the first ones, the last, and some between them at growing distances."""
    chosen, at = [], 0
    while at < n:
        chosen.append(at)
        at += 1 if at < most // 3 else 1 + (n - at) // (most // 2)
    return sorted(set(chosen[:most] + ([n - 1] if n else [])))


def stored():
    return run(["export", "copy.db"])[1]


def interrupt(name, words, written, right, right_files):
    """Ctrl-C at some calls."""
    prepare(written, False)
    run(words, "signal:1000000000:0")
    changes = "copy.db" in words
    right_games = stored() if changes else None
    with open("count") as file:
        n = int(file.read())
    for i in numbers(n, 4):
        prepare(written, i % 2 == 1)
        got = run(words, f"signal:{i}:{signal.SIGINT}")
        what = f"{name}, interrupted at {i} of {n}"
        judge(what, got, right, written, i % 2 == 1, right_files, (-signal.SIGINT,))
        if changes and (run(words)[0] == 2 or stored() != right_games):
            complain(what, "the same command does not continue")


KINDS = (("memory", errno.ENOMEM, 10), ("write", errno.EIO, 4), ("write", errno.ENOSPC, 2), ("sync", errno.EIO, 3),
         ("rename", errno.EIO, 2), ("make", errno.EACCES, 3))


def try_command(name, words, written, kinds=KINDS):
    prepare(written, False)
    right = run(words)
    right_files = contents(written)
    if right[0] not in (0, 1):
        return complain(name, "does not work:", right)
    for kind, error, most in kinds:
        prepare(written, False)
        run(words, f"{kind}:1000000000:{error}")
        with open("count") as file:
            n = int(file.read())
        for i in numbers(n, most):
            has_old = i % 2 == 1
            prepare(written, has_old)
            got = run(words, f"{kind}:{i}:{error}")
            judge(f"{name}, {kind} {i} of {n}, {errno.errorcode[error]}", got, right, written, has_old, right_files)
    if kinds != KINDS:
        return None
    interrupt(name, words, written, right, right_files)
    sizes = {0, 1, 4096} | {len(bytes) - 1 for bytes in right_files.values()} | {len(b) // 2 for b in right_files.values()}
    for i, size in enumerate(sorted(s for s in sizes if s >= 0)):
        prepare(written, i % 2 == 1)
        judge(f"{name}, files of {size} bytes", run(words, size=size), right, written, i % 2 == 1, right_files)


def each_allocation(name, words):
    """Every single allocation fails once; a failure must not look like another kind of input, or a missing game."""
    right = run(words)
    run(words, f"memory:1000000000:{errno.ENOMEM}:1")
    with open("count") as file:
        n = int(file.read())
    for i in range(n):
        judge(f"{name}, only allocation {i} of {n}", run(words, f"memory:{i}:{errno.ENOMEM}:1"), right, [], False, {})


KEPT = ["games.pgn", "games.db", "few.db", "few.pgn", "bad.pgn", "names.txt", "criteria.txt", "lines.txt", "shim.so"]
for kept, line in (("names.txt", "Old\tNew\n"), ("criteria.txt", 'White "Morphy"\nDate >= "1850"\n'), ("lines.txt", "1. e4\n1. d4 d5\n")):
    with open(kept, "w") as file:
        file.write(line)
with open(games) as file:
    text = file.read()
with open("games.pgn", "w") as file:
    file.write(text)
with open("bad.pgn", "w") as file:
    file.write(text[: len(text) // 4] + '\n\n[Event "bad"]\n\n1. e4 e9 *\n\n[Event "new"]\n[White "N"]\n\n1. h4 h5 *\n')
if run(["import", "--index", "all", "games.db", "games.pgn"])[0] != 0:
    sys.exit("the first import fails")
with open("few.pgn", "w") as file:
    file.write('[White "A"]\n\n1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Nf3 *\n\n[White "B"]\n\n1. d4 {another} d5 *\n')
if run(["import", "--index-plies", "none", "few.db", "few.pgn"])[0] != 0:
    sys.exit("the second import fails")
for command in COMMANDS:
    try_command(*command)
for command in HUNGRY:
    try_command(*command, kinds=[("memory", errno.ENOMEM, 14)])
# Both outputs are opened and closed one after the other: nothing may be left between them.
try_command("check, every allocation", ["check", "--threads", "1", "--rejects", "out", "--clean", "other", "bad.pgn"],
            ["out", "other"], kinds=[("memory", errno.ENOMEM, 1000)])
prepare([], False)
each_allocation("rows of a few games", ["rows", "--threads", "1", "few.db"])
os.chdir("/")
print("\n".join(failures[:40]))
print(f"{n_runs} runs, {len(failures)} failures")
sys.exit(bool(failures))
