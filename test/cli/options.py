#!/usr/bin/env python3
"""options.py - every option of every command, refused and at random: test/cli/options.py PROGRAM PGN

The options are those that --help lists, and for commands that look at games those of `tabiya help query`. Each is passed
without its value, with a value that it does not take, and with invalid values; the message must name the option. Then each
command runs with random options and hostile values, the same in every run: it must exit normally with code 0, 1 or 2, and
with 2 it must have said why.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

RUNS = 20  # per command
program, games = (os.path.realpath(path) for path in sys.argv[1:3])
draw = random.Random(1)
failures = []
n_runs = n_good = 0

# No number here is valid where it would mean hours of work.
HOSTILE = ["", "0", "1", "2", "-1", "+1", "1.5", "0x10", "99999999999999999999", " 2", "2..", "..2", "2..1", "..", "...", "a..b",
           "x" * 5000, "\xff\xfe", "%s%n%d", "\n", "\t", "a=b", "=", "Event=", "=x", ",", ",,", "*", "?", "'", '"', "(", ")", "(((",
           "not", "and", "2000.13.45", "1-0", "1/2", "B90", "Z99", "startpos", "8/8/8/8/8/8/8/8 w - - 0 1", "1. e4 e9",
           "1. e4 e5", "mate", "date", "-elo,date", "no/such/file", "/dev/null", "/dev/full", ".", "games.pgn", "games.db", "bad.pgn",
           "lines.txt", "empty", "german", "QQQQQ", "select 1", "out-%d.pgn", "out-%s.pgn", "out.csv", "out.parquet", "%"]
WORDS = ["games.pgn", "games.db", "bad.pgn", "empty", "lines.txt", "no.pgn", "startpos", "mate", "player morphy", "1. e4", "e4",
         "2", "", "-", "--", "Morphy", "select * from games", "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1", "x" * 300, "grow",
         "show", "check", "export", "tree"]
# Reasonable values, used in most of the runs.
USUAL = {"check": ["bad.pgn"], "collection": ["add", "games.db", "x"], "convert": ["games.pgn"], "explore": ["games.db", "1. e4"], "find": ["games.db", "mate"],
         "import": ["games.db", "bad.pgn"], "moves": [], "novelty": ["games.db", "3"], "perft": ["2"], "pgn": ["games.pgn"],
         "repertoire": ["gaps", "games.db", "games.pgn"], "report": ["games.db", "morphy"], "rows": ["games.pgn"], "serve": ["no.db"], "show": [], "status": [],
         "sql": ["games.db", "select 1"], "tree": ["grow"], "annotate": ["bad.pgn"]}
VALUES = {"N": "2", "N[,SEED": "2,1", "FILE": "lines.txt", "RANGE": "2..", "NAME": "Morphy", "LIST": "eco", "FEN": "startpos", "MOVES": "1. e4",
          "QUERY": "mate", "CODE": "B*", "RESULT": "1-0", "TAG=VALUE": "White=Morphy", "OLD=NEW": "White=Weiss", "SIZE": "200M",
          "DIR": "tree", "LETTERS": "german", "UCI": "e2e4", "ARROW": "e2e4", "TEXT": "here", "N|QUERY": "2", "N|NAME": "player"}


# Arguments and options without which another error would come first.
NEEDS = {"--ply": ["--game=1", "games.pgn"], "--size": ["--to", "svg"], "--last-move": ["--to", "svg"],
         "--arrow": ["--to", "svg"], "--plies": ["--games=games.pgn", "-o", "tree"], "--min-games": ["--games=games.pgn", "-o", "tree"],
         "--memory": []}
MORE = {"annotate": ["--engine=no/such/file"], "convert": ["--to=pgn"], "publish": ["-o", "tree"],
        "tree": ["--depth=1", "-o", "tree"]}  # for the rest


def options_of(command):
    """(names, value) of all options; value is None, "N" or "[=N]"."""
    text = subprocess.run([program, command, "--help"], capture_output=True, check=True, text=True).stdout
    own, _, shared = text.partition(": see tabiya help query\n")
    names = re.findall(r"--([a-z0-9-]+)", shared.split("\n\n")[0])  # without values: the other text has them
    if names:
        text = own + subprocess.run([program, "help", "query"], capture_output=True, check=True, text=True).stdout
    known = {}
    for found in re.finditer(r"^ +(?:-\w, |)--([a-z0-9-]+)(\[=[^ ]*\]|=[^ ]+| [^ ]+|)(?:  |$)", text, re.M):
        if found.start() < len(own) or found[1] in names:
            known.setdefault("--" + found[1], found[2].strip() or None)
    if names:  # words of the query, which are options without a line in the help
        known.update({"--board": "FEN", "--event": "NAME", "--site": "NAME", "--tag": "TAG=VALUE", "--within": "N"})
    return [(name, what) for name, what in known.items() if name != "--help"]


def value_of(what):
    what = what.strip("[]=")
    if draw.random() < 0.4:
        return draw.choice(HOSTILE)
    return VALUES.get(what) or draw.choice(what.split("|"))


def arguments(command, options):
    words = list(USUAL.get(command, ["games.db"]))
    if draw.random() < 0.3 and command != "serve":  # it would run forever
        words[draw.randrange(len(words) + 1):] = [draw.choice(WORDS) for _ in range(draw.randrange(3))]
    for name, what in draw.sample(options, min(len(options), draw.choice((0, 1, 1, 1, 2, 2, 3, 5)))):
        given = [name]
        if what and not (draw.random() < 0.03 or (what[0] == "[" and draw.random() < 0.5)):
            value = value_of(what)
            given = [name + "=" + value] if what[0] == "[" or draw.random() < 0.5 else [name, value]
        at = draw.randrange(len(words) + 1)
        words[at:at] = given
    return words


def fresh_folder():
    for name in os.listdir("."):
        if name not in KEPT:
            shutil.rmtree(name) if os.path.isdir(name) and not os.path.islink(name) else os.unlink(name)
    for name, data in KEPT.items():
        with open(name, "rb") as file:
            if file.read() == data:
                continue
        with open(name, "wb") as file:
            file.write(data)


def run(command, words):
    global n_runs, n_good
    n_runs += 1
    standard_input = open(draw.choice(["games.pgn", "bad.pgn", "empty"]), "rb")
    output = open("/dev/full", "wb") if draw.random() < 0.05 else subprocess.PIPE
    line = " ".join([command, *(repr(word[:60]) for word in words)])
    try:
        done = subprocess.run([program, command, *(word.encode("latin-1") for word in words)], stdin=standard_input, stdout=output,
                              stderr=subprocess.PIPE, timeout=600, env=dict(os.environ, LC_ALL="C.UTF-8", NO_COLOR="1"))
    except subprocess.TimeoutExpired:
        failures.append(f"{line}: does not end")
        return
    finally:
        standard_input.close()
    n_good += done.returncode != 2
    if done.returncode not in (0, 1, 2):
        failures.append(f"{line}: exit code {done.returncode} {done.stderr[-600:]}")
    elif b"Sanitizer" in done.stderr or b"runtime error" in done.stderr:
        failures.append(f"{line}: {done.stderr[-2000:].decode(errors='replace')}")
    elif done.returncode == 2 and not re.search(rb"^tabiya: .", done.stderr, re.M):
        failures.append(f"{line}: fails without a message: {done.stderr[-600:]}")


def refuse(command, words, *parts):
    """Expects exit code 2 and a message that contains these parts."""
    global n_runs
    n_runs += 1
    done = subprocess.run([program, command, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
                          env=dict(os.environ, LC_ALL="C.UTF-8", NO_COLOR="1"))
    if done.returncode != 2 or not all(part in done.stderr for part in parts) or done.stdout:
        failures.append(f"{command} {words}: {done.returncode} {done.stdout[:100]} {done.stderr[-300:]}; expected {parts}")


def refuse_option(command, name, what):
    usual = ["games.db", "games.pgn"] if (command, name) == ("novelty", "--game") else USUAL.get(command, ["games.db"])
    if not what or what[0] == "[":
        refuse(command, [*usual, name + ("=x" if not what else "=")], name)
    if what and what[0] != "[":
        refuse(command, [*usual, name], f"option {name} needs a value: ")
    if what in ("N", "N[,SEED]", "RANGE", "SIZE", "RESULT", "UCI", "OLD=NEW", "TAG=VALUE"):
        more = NEEDS.get(name, []) if name not in ("--plies", "--min-games") or command == "tree" else []
        more = more or [word for word in MORE.get(command, []) if name == "--threads" or not name.startswith(word.split("=")[0])]
        for value in ("", "99999999999999999999999") if what == "N" else ("x y",):
            refuse(command, [*usual, *more, f"{name}={value}"], name)
    if what and "|" in what and what.lower() == what and what[0] != "[":
        refuse(command, [*usual, name + "=xyzzy"], f"option {name} must be one of ", 'not "xyzzy"')


folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
inside = os.path.join(folder.name, "inside")
os.mkdir(inside)
os.chdir(inside)
text = open(games, "rb").read()
KEPT = {"games.pgn": text, "bad.pgn": b'[Event "bad"]\n\n1. e4 e9 *\n\n[Event "new"]\n\n1. h4 (1. a4) {c} h5 *\n',
        "lines.txt": b"1. e4\nOld\tNew\nWhite \"Tal\"\nmate\n", "empty": b""}
for kept, content in KEPT.items():
    with open(kept, "wb") as out:
        out.write(content)
subprocess.run([program, "import", "games.db", "games.pgn"], check=True, capture_output=True)
with open("games.db", "rb") as database:
    KEPT["games.db"] = database.read()
listed = subprocess.run([program, "--help"], capture_output=True, check=True, text=True).stdout
commands = re.findall(r"^  ([a-z]+)  +\w", listed.split("\nOptions\n")[0], re.M)
if len(commands) < 20:
    sys.exit(f"only these commands were found: {commands}")
n_options = 0
for each in commands:
    known = options_of(each)
    n_options += len(known)
    for option in known:
        refuse_option(each, *option)
    refuse(each, ["--xyzzy"], f"{each}: unknown option --xyzzy")
    for _ in range(RUNS):
        fresh_folder()
        run(each, arguments(each, known))
if n_options < 200 or n_good < len(commands) * RUNS // 4:
    failures.append(f"{n_options} options were found, and {n_good} runs had no error: this is no test")
os.chdir("/")
print("\n".join(failures[:40]))
print(f"{n_runs} runs, {n_good} without an error, {len(failures)} failures")
sys.exit(bool(failures))
