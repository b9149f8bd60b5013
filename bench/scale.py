#!/usr/bin/env python3
"""scale.py - how the embedded database grows: the same work on 10^5, 10^6 ... made-up games.

    bench/scale.py BUILD FOLDER [GAMES...]

Makes the games (bench/generate) and a database of each size in FOLDER, one after the other, and prints a table with a line
for each kind of work: seconds, bytes or megabytes for each size, and the exponent of the growth between the last two sizes
(1 = in proportion to the games, 0 = not at all). Look-ups are the median of nine runs of the program, its start included;
what takes longer than a second runs once. The answers of one size must not depend on anything but the games, so they are
printed too. 10^7 games take about 8 GB.
"""
import math
import os
import subprocess
import sys
import time

LONG = 1.0  # seconds
RUNS = 9
SEED = "1"
RARE = "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5"

build, folder = sys.argv[1:3]
sizes = [int(n) for n in sys.argv[3:]] or [10**5, 10**6, 10**7]
tabiya = os.path.join(build, "tabiya")
table = {}  # kind of work: [value for each size]
answers = {}


def run(*command, stdin=None):
    """The command's output, seconds and peak memory in megabytes."""
    began = time.monotonic()
    child = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit(f"scale.py: {' '.join(command)}: exit code {child.returncode}")
    return output.decode(), time.monotonic() - began, used.ru_maxrss / 1024


def note(kind, value):
    table.setdefault(kind, []).append(value)
    if sys.stderr.isatty():
        print(f"  {kind}: {value:.4g}", file=sys.stderr, flush=True)


def ask(kind, *command):
    """Milliseconds: the median of several runs, or one long one. The first run warms the cache and is not counted."""
    output, seconds, megabytes = run(*command)
    if seconds < LONG:
        seconds = sorted(run(*command)[1] for _ in range(RUNS))[RUNS // 2]
    else:
        seconds = run(*command)[1]
    answers.setdefault(kind, []).append(hash_of(output))
    note(f"{kind}, ms", 1000 * seconds)
    return megabytes


def hash_of(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def measure(n_games):
    db = os.path.join(folder, f"scale-{n_games}.db")
    for path in (db, db + "-wal", db + "-shm"):
        if os.path.exists(path):
            os.unlink(path)
    games = subprocess.Popen([os.path.join(build, "bench/generate"), str(n_games), SEED], stdout=subprocess.PIPE)
    _, seconds, megabytes = run(tabiya, "import", "--index", "all", db, "-", stdin=games.stdout)
    games.stdout.close()
    if games.wait() != 0:
        sys.exit("scale.py: generate failed")
    note("import with its generator, s", seconds)
    note("peak memory of import, MB", megabytes)
    note("bytes a game", os.path.getsize(db) / n_games)
    ask("open, report the number of games", tabiya, "find", "--count", db)
    ask("find a position", tabiya, "find", "--count", "--fen", RARE, db)
    ask("find a player", tabiya, "find", "--count", db, "player novkovhalba")
    ask("first 20 games of an ending", tabiya, "find", "--limit", "20", "--tsv", db, "KQvKR")
    ask("explore the start position", tabiya, "explore", db)
    ask("explore 1. e4, filtered", tabiya, "explore", db, "--query", "elo 2400.. date 2005..", "--", "e4")
    ask("scan for isolated queen's pawns", tabiya, "find", "--count", db, "iqp")
    two = subprocess.Popen([os.path.join(build, "bench/generate"), "2", "7"], stdout=subprocess.PIPE)
    _, seconds, megabytes = run(tabiya, "import", db, "-", stdin=two.stdout)
    two.stdout.close()
    two.wait()
    note("import two more games, ms", 1000 * seconds)
    note("peak memory of that, MB", megabytes)
    _, seconds, megabytes = run(tabiya, "delete", db, "--ids", "1..100")
    note("delete 100 games, ms", 1000 * seconds)
    note("peak memory of that delete, MB", megabytes)
    output, seconds, megabytes = run(tabiya, "verify", db)
    note("verify, s", seconds)
    note("peak memory of verify, MB", megabytes)
    if not output.rstrip().endswith(", 0 faults"):
        sys.exit(f"scale.py: verify: {output}")
    os.unlink(db)


def main():
    for n_games in sizes:
        measure(n_games)
    print(f"made-up games of bench/generate, seed {SEED}; growth: games to the power of\n")
    print("| | " + " | ".join(f"{n:,}" for n in sizes) + " | growth |")
    print("|---" * (len(sizes) + 2) + "|")
    for kind, values in table.items():
        growth = ""
        if len(sizes) > 1 and min(values[-2:]) > 0:
            growth = f"{math.log(values[-1] / values[-2]) / math.log(sizes[-1] / sizes[-2]):.2f}"
        print(f"| {kind} | " + " | ".join(f"{value:,.4g}" for value in values) + f" | {growth} |")
    print()
    for kind, sums in answers.items():
        print(f"{kind}: {' '.join(sums)}")


main()
