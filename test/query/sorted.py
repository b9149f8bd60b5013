"""sorted.py - sorted lists equal what Python makes by sorting the rows: sorted.py PROGRAM

Uses games with many equal and unknown values: every column in both directions, random offsets, with and without queries,
again after a small import and after deletions, and from two databases at once. There are more games than fit in a block of
records.
"""
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
COLUMNS = ["id", "elo", "date", "white_elo", "black_elo", "plies", "white", "black", "result", "event", "site", "round", "eco",
           "speed"]
LISTS = [*COLUMNS, "elo,date", "-elo,-date", "date,-id", "-white_elo,plies,id", "result,-elo", "-date,white", "-elo,-id"]
QUERIES = ["", "elo 2000..", "date 1990..2000", "result 1-0", "opening \"1. e4\"", "plies 3..", "plies 3.. elo 1900..2100",
           "white anna", "Pe4", "elo 9000.."]
MOVES = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7".split(), "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O".split()
codes = ["A00", "B90", "b90", "E99", "?"]
chance = random.Random(27)
failures = []


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode in (0, 1), f"{arguments}: {done.stderr}"
    return done.stdout


def game():
    """A game with few different values, so that many are equal, and some unknown ones."""
    pick = chance.choice
    tags = {"White": pick(["Anna", "anna", "Bo 9", "Bo 10", "?", "Zoë"]), "Black": pick(["Cy", "Di", "?", "Éva"]),
            "Event": f"Cup {chance.randrange(1, 13)}", "Site": pick(["?", "Rome", "Oslo"]), "Round": f"{chance.randrange(1, 12)}",
            "Date": pick(["????.??.??", "1990.??.??", "1990.05.??", "1990.05.07", "1990.05.31", "2001.01.01", "1989.12.31",
                          f"{chance.randrange(1850, 2030)}.{chance.randrange(1, 13):02}.{chance.randrange(1, 29):02}"]),
            "Result": pick(["1-0", "0-1", "1/2-1/2", "*"]), "ECO": pick(codes), "TimeControl": pick(["?", "60+0", "180+2", "5400+30"])}
    for side in "White", "Black":
        if chance.random() < 0.8:
            tags[side + "Elo"] = str(pick([1999, 2000, 2001, chance.randrange(1500, 2800)]))
    moves = pick(MOVES)[:chance.randrange(0, 11)]
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f'\n{" ".join(moves)} {tags["Result"]}\n\n'


def write(name, n):
    with open(name, "w") as file:
        file.writelines(game() for _ in range(n))


def number(row, column):
    """None if it is unknown."""
    if column == "date":
        return int(row["date"].replace("-", "").ljust(8, "0")) if row["date"] else None
    if column == "elo":
        known = [row[side] for side in ("white_elo", "black_elo") if row[side]]
        return sum(known) if len(known) == 2 else None
    return row[column]


def text(row, column):
    value = row[column]
    if not value or value.startswith("?"):
        return None
    letters = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in value)
    return re.sub(r"[0-9]+", lambda digits: digits[0].rjust(10, "0"), letters).encode() + b"\0"


def sort(rows, order):
    """Sorts by the last field first, because Python's sort is stable. Unknown values come last. The
    number of a row is its index, so that games of two databases have different ones."""
    rows = list(rows)
    for field in reversed(order.split(",")):
        column, falls = field.lstrip("-"), field.startswith("-")
        if column == "id":
            places = {id(row): place for place, row in enumerate(rows)}
            rows.sort(key=lambda row: places[id(row)], reverse=falls)
            continue
        value = text if column in ("white", "black", "result", "event", "site", "round", "eco", "speed") else number
        known = [row for row in rows if value(row, column) is not None]
        unknown = [row for row in rows if value(row, column) is None]
        rows = sorted(known, key=lambda row: value(row, column), reverse=falls) + unknown
    return rows


def compare(databases, query, order, offset, limit, rows):
    arguments = ["find", *databases, f"--sort={order}", "--json", f"--offset={offset}"]
    arguments += [f"--limit={limit}"] if limit else []
    found = [json.loads(line) for line in run(*arguments, *([query] if query else [])).splitlines()]
    wanted = sort(rows, order)[offset:offset + limit if limit else None]
    if found != wanted:
        failures.append(f"{' '.join(arguments)} {query}: {[r['id'] for r in found[:9]]}, not {[r['id'] for r in wanted[:9]]}")


def rows_of(databases, query):
    return [json.loads(line) for line in run("find", *databases, "--json", *([query] if query else [])).splitlines()]


def check(databases, orders, queries):
    for query in queries:
        rows = rows_of(databases, query)
        for order in orders:
            offset = chance.choice([0, chance.randrange(len(rows) + 5)])
            compare(databases, query, order, offset, chance.choice([1, 7, 50, len(rows) + 1]), rows)


def both(names):
    return list(itertools.chain.from_iterable((name, "-" + name) for name in names))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    write("many.pgn", 4500)
    codes += ["B9", "B90a", "C07/2", "C07/10"]
    write("few.pgn", 15)
    write("other.pgn", 300)
    run("import", "--duplicates", "keep", "games.db", "many.pgn")
    run("import", "--duplicates", "keep", "other.db", "other.pgn")
    orders = both(COLUMNS) + LISTS[len(COLUMNS):]
    check(["games.db"], orders, [""])
    for q in QUERIES:
        check(["games.db"], chance.sample(orders, 6), [q])
    for order in ("-elo", "date", "-id", "white", "-elo,date"):
        compare(["games.db"], "", order, 0, 0, rows_of(["games.db"], ""))
    check(["games.db", "other.db"], ["-elo", "date", "elo,-id", "-id", "white", "-plies,date"], ["", "result 1-0"])
    run("import", "--duplicates", "keep", "games.db", "few.pgn")
    run("delete", "--yes", "games.db", "id 1..3 or id 4000..4200 or id 4504 or (result 1-0 elo 2500..)")
    check(["games.db"], ["elo", "-elo", "date", "-date", "white_elo", "-black_elo", "-id", "-plies", "event", "-white", "black",
                         "eco", "-eco", "result"], ["", "elo 2000.."])

for failure in failures[:20]:
    print(failure)
print(f"sorted lists: {len(failures)} differ")
sys.exit(bool(failures))
