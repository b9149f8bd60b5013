"""coming_from.py PROGRAM CC INCLUDE LIBRARY - runs every row of docs/coming-from.md.

A table whose last column is called "then" has C code: the second column is a statement, the last a condition that must hold
after it. If the last column is called "prints first", the second is a command, and the last the first line of its output.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM, CC, INCLUDE, LIBRARY = sys.argv[1:5]
PAGE = (ROOT / "docs" / "coming-from.md").read_text("utf-8")


def tables():
    """(heading of the last column, rows) of each table; a row is the text of its second and its last cell."""
    for block in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE):
        lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()]
        cells = [[cell.strip().replace(r"\|", "|").strip("`") for cell in line] for line in lines]
        yield cells[0][-1], [(row[1], row[2]) for row in cells[2:]]


def program_of(rows, variables):
    steps = "".join(f'    {code};\n    if (!({then})) return puts({c_text(code)}), 1;\n' for code, then in rows)
    return f"#include <tabiya.h>\n#include <tabiya_value.h>\n#include <stdio.h>\n#include <string.h>\n\nint main(void)\n{{\n{variables}{steps}    return 0;\n}}\n"


def c_text(code):
    return '"' + code.replace("\\", "\\\\").replace('"', '\\"') + '"'


def run_c(rows, folder):
    variables = re.search(r"^```c\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL).group(1)
    source = folder / "rows.c"
    source.write_text(program_of(rows, variables), "utf-8")
    command = [CC, "-std=c11", "-w", f"-I{INCLUDE}", str(source), LIBRARY, "-o", str(folder / "rows")]
    subprocess.run(command, check=True)
    answer = subprocess.run([str(folder / "rows")], capture_output=True, text=True)
    return [] if answer.returncode == 0 else [f"does not hold after: {answer.stdout.strip()}"]


def run_command(command, expected, folder):
    shell = f'tabiya() {{ "{PROGRAM}" "$@"; }}\n{command}'
    answer = subprocess.run(["bash", "-c", shell], cwd=folder, capture_output=True, text=True)
    first = answer.stdout.split("\n", 1)[0]
    if answer.returncode != 0:
        return [f"{command}: exit code {answer.returncode}: {answer.stderr.strip()}"]
    return [] if not expected or first.startswith(expected) else [f"{command}: prints {first!r}, not {expected!r}"]


def main():
    faults, n_rows = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(ROOT / "examples" / "famous.pgn", folder / "games.pgn")
        for kind, rows in tables():
            n_rows += len(rows)
            if kind == "then":
                faults += run_c(rows, folder)
            for row in rows if kind == "prints first" else []:
                faults += run_command(*row, folder)
    for fault in faults:
        print(fault)
    print(f"{n_rows} rows, {len(faults)} faults")
    sys.exit(bool(faults) or n_rows < 60)


main()
