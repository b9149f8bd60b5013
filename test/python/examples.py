"""examples.py FOLDER FILE... - writes the Python of READMEs (doctests) and notebooks as modules, for mypy."""

import doctest
import json
import pathlib
import sys


def module_of(path: pathlib.Path) -> str:
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code") + "\n"
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def main() -> None:
    for number, name in enumerate(sys.argv[2:]):
        path = pathlib.Path(name)
        pathlib.Path(sys.argv[1], f"example_{number}_{path.stem.lower().replace('-', '_')}.py").write_text(module_of(path), "utf-8")


main()
