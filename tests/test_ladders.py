"""Every ladder is left for the reader, and what is folded away there is right."""

import ast
import re

import pytest

from tools import notebooks
from tools.needed import needed

CELLS = {path.stem: notebooks.read(path).cells for path in notebooks.NOTEBOOKS.glob("*.ipynb")}
CODE = {name: [c for c in cells if c.cell_type == "code"] for name, cells in CELLS.items()}
every_ladder = pytest.mark.parametrize("name", sorted(CELLS))
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


def tagged(cells, *tags):
    return [cell for cell in cells if cell.metadata.get("tags", [])[: len(tags)] == [*tags]]


def run(name, tag, later=""):
    """The code of a rung, and the names that are there after it and what it, or later code, needs."""
    asked = tagged(CODE[name], tag)
    code = "\n".join(cell.source for cell in asked)
    before = [cell.source for cell in CODE[name][: CODE[name].index(asked[0])]]
    names = {}
    exec(needed(before, f"{code}\n{later}"), names)
    exec(code, names)
    return code, names


@every_ladder
def test_it_is_left_for_the_reader(name):
    """A committed notebook holds no answer of whoever tried it."""
    start = CELLS[name].index(tagged(CELLS[name], "read")[0])
    code = "\n".join(cell.source for cell in CELLS[name][start:] if cell.cell_type == "code")
    assert set(re.findall(r"\.check\((.*?)\)", code)) == {'""'}


@pytest.mark.parametrize("name", sorted(name for name in CELLS if tagged(CELLS[name], "own")))
def test_the_folded_function_is_right(name):
    (answer,) = tagged(CELLS[name], "own", "answer")
    (block,) = BLOCK.findall(answer.source)
    code, names = run(name, "own", block)
    exec(block, names)
    judged = ast.parse(code).body[-1]
    assert eval(ast.unparse(judged), names).right is True


@every_ladder
def test_the_sheet_can_be_answered(name):
    asked = run(name, "compute")[1]["asked"]
    assert asked.check(float(asked.solution())).right
