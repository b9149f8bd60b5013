"""run_notebook.py NOTEBOOK FOLDER - runs the cells of a notebook in order, without Jupyter, and checks what they show.

The value of a cell's last expression must have a representation; a numbered question (a cell after a heading with a number)
must have drawn a plot that is not empty. The notebook must be stored without outputs, so that it contains no games.
"""

import ast
import json
import os
import pathlib
import re
import sys

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot  # noqa: E402


def run(source: str, names: dict) -> object:
    """Runs a cell as a notebook does; returns the value of its last expression."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None


def has_drawn() -> bool:
    axes = [axes for number in pyplot.get_fignums() for axes in pyplot.figure(number).axes]
    return any(axes.patches or axes.images or axes.lines for axes in axes)


def shown(value: object) -> str:
    for method in ("_repr_html_", "_repr_svg_"):
        if hasattr(value, method):
            return getattr(value, method)() or ""
    return repr(value)


def main() -> None:
    notebook = json.loads(pathlib.Path(sys.argv[1]).read_text("utf-8"))
    os.chdir(sys.argv[2])
    names, n_questions, is_question = {}, 0, False
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            is_question = re.match(r"## \d", source) is not None
            continue
        assert not cell["outputs"], "the notebook is stored with outputs"
        value = run(source, names)
        assert len(shown(value)) > 10, f"nothing is shown by:\n{source}"
        if is_question:
            assert has_drawn(), f"no plot was drawn by:\n{source}"
            n_questions += 1
        pyplot.close("all")
        is_question = False
    assert n_questions == 6, n_questions
    assert sum(names["results"]) == 3055
    assert sum(move.games for move in names["explored"].moves) + names["explored"].ended == names["explored"].games
    print(f"{n_questions} questions, each with a plot")


main()
