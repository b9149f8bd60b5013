"""Every row of docs/coming-from-python-chess.md: runs the code in the middle column and compares its value."""

import ast
import pathlib
import re
import unittest

PAGE = pathlib.Path("coming-from-python-chess.md").read_text("utf-8")


def rows():
    """The code and the expected value, which may be empty."""
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3 and cells[1].startswith("`"):
            yield cells[1].strip("`"), cells[2].strip("`")


class Rows(unittest.TestCase):
    def test_each_row_gives_the_documented_value(self):
        names = {}
        exec(re.search(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL).group(1), names)
        n_answers = 0
        for code, answer in rows():
            with self.subTest(code):
                if answer:
                    self.assertEqual(eval(code, names), ast.literal_eval(answer))
                    n_answers += 1
                else:
                    exec(code, names)
        self.assertGreaterEqual(len(list(rows())), 40)
        self.assertGreaterEqual(n_answers, 30)


if __name__ == "__main__":
    unittest.main()
