"""Every ladder is left for the reader, and what is folded away there is right."""

import ast
import re

import pytest

from tools import notebooks
from tools.needed import needed

CELLS = {path.stem: notebooks.read(path).cells for path in notebooks.NOTEBOOKS.glob("*.ipynb")}
CODE = {
    name: [cell.source for cell in cells if cell.cell_type == "code"]
    for name, cells in CELLS.items()
}
every_ladder = pytest.mark.parametrize("name", sorted(CELLS))
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
SHEET, JUDGE = "practice.sheet(", "practice.judge("


def run(name, code, later=""):
    """The names that are there after a cell and what it, or later code, needs."""
    names = {}
    exec(needed(CODE[name][: CODE[name].index(code)], f"{code}\n{later}"), names)
    exec(code, names)
    return names


@every_ladder
def test_it_is_left_for_the_reader(name):
    """A committed notebook holds no answer of whoever tried it."""
    assert set(re.findall(r"\.check\((.*?)\)", "\n".join(CODE[name]))) == {'""'}


@pytest.mark.parametrize("name", sorted(name for name in CODE if JUDGE in str(CODE[name])))
def test_the_folded_function_is_right(name):
    (place,) = (i for i, cell in enumerate(CELLS[name]) if JUDGE in cell.source)
    asked, folded = (cell.source for cell in CELLS[name][place : place + 2])
    (block,) = BLOCK.findall(folded)
    names = run(name, asked, block)
    exec(block, names)
    judged = ast.parse(asked).body[-1]
    assert eval(ast.unparse(judged), names).right is True


@every_ladder
def test_the_sheet_can_be_answered(name):
    (code,) = (source for source in CODE[name] if SHEET in source)
    asked = run(name, code)["asked"]
    assert asked.check(float(asked.solution())).right
