"""make_fold_table.py - writes src/query/fold_table.h from Python's copy of the Unicode character database.

    tools/make_fold_table.py > src/query/fold_table.h
    tools/make_fold_table.py --check        fails if the file is not what this program writes

The words that databases index are folded with this table, so its version of Unicode is fixed: with another one, --check
exits with 77, as a test that is skipped.
"""

import pathlib
import sys
import unicodedata

VERSION = "14.0.0"
FILE = pathlib.Path(__file__).resolve().parent.parent / "src/query/fold_table.h"
# What Unicode does not take apart; docs/query.md names them.
LETTERS = {"æ": "ae", "ð": "d", "ø": "o", "þ": "th", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ŋ": "n", "œ": "oe", "ŧ": "t"}
# Alphabets with capitals or accents up to U+2C00, more of Latin, ligatures, and the wide forms of ASCII.
FOLDED = [code for first, end in ((0x80, 0x2C00), (0x2C60, 0x2C80), (0xA720, 0xA7C0), (0xFB00, 0xFB07), (0xFF10, 0xFF5B)) for code in range(first, end)]
HEAD = """/*
 * fold_table.h - what fold.c makes of characters beyond ASCII, from Unicode's decompositions and case foldings.
 *
 * Accents are left out of each character's compatibility decomposition, then it is folded to lower case; o with a
 * stroke and the like, which Unicode does not take apart, are named in docs/query.md. tools/make_fold_table.py writes
 * this file.
 */
#ifndef TBY_QUERY_FOLD_TABLE_H
#define TBY_QUERY_FOLD_TABLE_H

#include <stdint.h>

/* clang-format off */
"""


def kind(character):
    return unicodedata.category(character)


def without_accents(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text) if kind(c) != "Mn")


def fold(character):
    """The letters that a character is compared by: itself where these would not be letters."""
    if kind(character)[0] not in "LN":
        return character
    folded = "".join(LETTERS.get(c, c) for c in without_accents(without_accents(character.casefold()).casefold()))
    is_word = folded != "" and all(kind(c)[0] in "LN" for c in folded)
    return folded if is_word and (len(folded) == 1 or folded[0] < "\x80") else character


def ranges(single):
    """Rows (first, last, step, target) for a map of characters: see the comment of fold_range."""
    rows, codes, at = [], sorted(single), 0
    while at < len(codes):
        first, best = codes[at], (0, first_row := (codes[at], codes[at], 1, single[codes[at]]))
        for step in (0, 1, 2):
            last, n = first, 1
            while (following := last + (step or 1)) in single and not (step == 2 and last + 1 in single):
                if single[following] != single[first] + (following - first if step else 0):
                    break
                last, n = following, n + 1
            if n - 1 > best[0]:
                best = (n - 1, (first, last, step, single[first]))
        rows.append(best[1] if best[0] else first_row)
        at += best[0] + 1
    return rows


def spans(characters):
    rows = []
    for code in characters:
        if rows and rows[-1][1] == code - 1:
            rows[-1][1] = code
        else:
            rows.append([code, code])
    return rows


def c_string(text):
    return "".join(c if c < "\x80" else "".join(f"\\x{byte:02x}" for byte in c.encode()) for c in text)


def table(comment, type_of, name, rows):
    text, line = f"{comment}static const {type_of} {name}[] = {{\n", "   "
    for row in rows:
        if len(line) + len(row) + 2 > 120:
            text, line = text + line + "\n", "   "
        line += f" {row},"
    return text + line + "\n};\n"


def numbers(row):
    return "{" + ", ".join(str(n) if i == 2 else f"0x{n:x}" for i, n in enumerate(row)) + "}"


def write():
    folded = {code: fold(chr(code)) for code in FOLDED if kind(chr(code)) != "Mn"}
    single = {code: ord(text) for code, text in folded.items() if len(text) == 1 and ord(text) != code}
    several = [f'{{0x{code:x}, "{c_string(text)}"}}' for code, text in folded.items() if len(text) > 1]
    plane = [code for code in range(0x80, 0x10000)]
    accents = [code for code in plane if kind(chr(code)) == "Mn"]
    letters = [code for code in plane if kind(chr(code))[0] in "LN" or kind(chr(code)) in ("Mn", "Mc", "Cn")]
    return (
        HEAD
        + "/* Every `step`-th of the characters from `first` to `last` becomes one of those from `target` on; step 0: all become\n"
        + " * it. */\ntypedef struct fold_range {\n    uint16_t first, last, step, target;\n} fold_range;\n"
        + table("", "fold_range", "fold_ranges", map(numbers, ranges(single)))
        + "\n/* One that becomes several. */\ntypedef struct fold_many {\n    uint16_t character;\n    char letters[10];\n} fold_many;\n"
        + table("", "fold_many", "fold_several", several)
        + "\ntypedef struct fold_span {\n    uint16_t first, last;\n} fold_span;\n\n"
        + table("/* Accents that stand for themselves, which are left out. */\n", "fold_span", "fold_accents", map(numbers, spans(accents)))
        + "\n"
        + table("/* Letters and digits. */\n", "fold_span", "fold_letters", map(numbers, spans(letters)))
        + "/* clang-format on */\n\n#endif\n"
    )


if unicodedata.unidata_version != VERSION:
    print(f"make_fold_table: this Python has Unicode {unicodedata.unidata_version}, not {VERSION}", file=sys.stderr)
    sys.exit(77)
if sys.argv[1:] == ["--check"]:
    if FILE.read_text("utf-8") != write():
        sys.exit("src/query/fold_table.h is not what tools/make_fold_table.py writes")
else:
    sys.stdout.write(write())
