"""decoders.py - runs the small decoders of examples/, which were written from docs/formats/ alone, on random games, on
games with comments and variations, and on games from odd positions, and compares their answers with the program's.

    decoders.py TABIYA COPY_GAMES
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
GAMES = [*EXAMPLES.glob("*.pgn"), *(ROOT / "test/golden/cmbr-v1").glob("*.pgn")]
N_RANDOM, SEED = 300, 7
failures = 0

sys.path.insert(0, str(EXAMPLES))
import decode_packed  # noqa: E402


def check(what, is_good):
    global failures
    if not is_good:
        failures += 1
        print(f"decoders: {what}", file=sys.stderr)


def output(*command, text=None):
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, check=True)
    return done.stdout.decode("utf-8")


def decoder(name, *arguments, text=None):
    return output(sys.executable, EXAMPLES / name, *arguments, text=text)


def random_games(program):
    """The packed games in the rows of a binary COPY: a number of 4 bytes and the game, after 19 bytes of header."""
    data = subprocess.run([program, "--random", str(N_RANDOM), str(SEED)], capture_output=True, check=True).stdout
    at = 19
    while data[at:at + 2] == b"\x00\x02":
        n = int.from_bytes(data[at + 10:at + 14], "big")
        yield data[at + 14:at + 14 + n]
        at += 14 + n


def test_random_games(tabiya, copy_games, folder):
    """The program packs the decoded moves again, which must give the same bytes."""
    games = list(random_games(copy_games))
    lines = decoder("decode_packed.py", text="".join(game.hex() + "\n" for game in games).encode())
    check("random games are missing", len(games) == N_RANDOM == len(lines.splitlines()))
    split = [(line + " ").split(" ", 2) for line in lines.splitlines()]
    statements = ""
    for _, _, rest in split:
        start, moves = rest[1:].split("]") if rest.startswith("[") else ("", rest)
        other = f", '{start}'" if start else ""
        statements += f"SELECT hex(fromUci('{moves.strip()}'{other}));"
    packed = output(tabiya, "sql", folder / "games.db", text=statements.encode()).lower().split()
    check("random games cannot be packed", len(packed) == len(games))
    end = -decode_packed.TRAILER_SIZE
    for game, again, (number, result, _) in zip(games, packed, split):
        check(f"random game {number} is packed differently", bytes.fromhex(again)[:end] == game[:end])
        check(f"random game {number} has another result", decode_packed.RESULTS.index(result) == game[end] & 3)


def test_database(tabiya, folder):
    database = folder / "games.db"
    output(tabiya, "import", database, *GAMES)
    decoded = [line.split(" ", 2) for line in decoder("decode_packed.py", database).splitlines()]
    moves = [rest[0].split("] ")[-1] if rest else "" for _, _, *rest in decoded]
    listed = [json.loads(line) for line in output(tabiya, "find", database, "--json").splitlines()]
    check("moves differ", moves == output(tabiya, "export", database, "--to", "uci").splitlines())
    check("results differ", [result for _, result, *_ in decoded] == [game["result"] for game in listed])


def test_cmbr(tabiya, folder):
    """The program reads the decoder's lines, and writes them as it writes those of its own decoder."""
    cmbr, lines = folder / "games.cmbr", folder / "decoded.jsonl"
    output(tabiya, "convert", "--to", "cmbr", *GAMES, "-o", cmbr)
    lines.write_text(decoder("decode_cmbr.py", cmbr), "utf-8")
    decoded, expected = (output(tabiya, "convert", "--to", "json", path) for path in (lines, cmbr))
    check("CMBR games differ", decoded == expected and len(decoded.splitlines()) > 3000)
    damaged = bytearray(cmbr.read_bytes())
    damaged[len(damaged) // 2] ^= 0x55
    cmbr.write_bytes(damaged)
    check("damage must cost one game", len(decoder("decode_cmbr.py", cmbr).splitlines()) == len(decoded.splitlines()) - 1)


def main():
    with tempfile.TemporaryDirectory() as name:
        test_database(sys.argv[1], pathlib.Path(name))
        test_cmbr(sys.argv[1], pathlib.Path(name))
        test_random_games(*sys.argv[1:], pathlib.Path(name))
    sys.exit(failures > 0)


main()
