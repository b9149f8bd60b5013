"""patterns.py - the diagrams of docs/query.md show what the named patterns mean: patterns.py PROGRAM QUERY.MD

Every pattern of the program is there, in the same order and with its query, and matches in its diagram, or in the game that
starts there and continues with the moves after its sentence.
"""
import re
import subprocess
import sys

PROGRAM, PAGE = sys.argv[1], sys.argv[2]
BLOCK = re.compile(r"^\*\*`([a-z-]+)`\*\* (.*?)\n\n```\n(.*?)\n\n((?:[1-8](?: .){8}\n)+)  a b c d e f g h\n```", re.M | re.S)


def run(*arguments, text=""):
    return subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True)


def placement(diagram):
    ranks = ["".join(line.split()[1:]) for line in diagram.splitlines()]
    return re.sub(r"\.+", lambda dots: str(len(dots[0])), "/".join(ranks))


def holds(name, board, moves):
    """Does it match in one of the games that start with the diagram?"""
    sides = ["b" if moves.startswith("1...") else "w"] if moves else ["w", "b"]
    for side in sides:
        for rights in ("KQkq", "-"):
            pgn = f'[SetUp "1"]\n[FEN "{board} {side} {rights} - 0 1"]\n\n{moves} *\n'
            if run("pgn", "-", name, "--count", text=pgn).stdout == "1\n":
                return True
    return False


with open(PAGE) as file:
    blocks = BLOCK.findall(file.read())
help_text = run("help", "patterns").stdout
known = re.findall(r"^([a-z][a-z-]+)  .*\n    (.*)$", help_text, re.M)
failures = []
if [(name, query) for name, _, query, _ in blocks] != known:
    failures.append(f"the page has {[b[0] for b in blocks]}, the program {[k[0] for k in known]}, or other queries")
for name, sentence, query, diagram in blocks:
    moves = re.search(r"1\.(?:\.\.)? ?\S.*", sentence.replace("\n", " "))
    if not holds(name, placement(diagram), moves[0].rstrip(" .") if moves else ""):
        failures.append(f"{name} does not hold in its diagram")
if failures or len(blocks) < 20:
    sys.exit("\n".join(failures) or "too few patterns")
