"""Every ladder is left for the reader, and what is folded away there is right."""

import ast
import re

import pytest

from mlm_course import practice
from mlm_course.practice.judging import small_cases, verdict_on
from tools.dependencies import required_statements
from tools.notebooks import NOTEBOOKS, read_notebook

CELLS = {path.stem: read_notebook(path).cells for path in NOTEBOOKS.glob("*.ipynb")}
CODE = {n: [c.source for c in cells if c.cell_type == "code"] for n, cells in CELLS.items()}
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
JUDGE = "practice.judge("


@pytest.mark.parametrize("name", sorted(CELLS))
def test_it_is_left_for_the_reader(name):
    """A committed notebook holds no answer of whoever tried it."""
    assert set(re.findall(r"\.check\((.*?)\)", "\n".join(CODE[name]))) == {'""'}


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", sorted(name for name in CODE if JUDGE in str(CODE[name])))
def test_the_folded_function_is_right(name, step, monkeypatch):
    """On some of the small data: each so many'th; those with a single sample or label all come first."""
    (place,) = (i for i, cell in enumerate(CELLS[name]) if JUDGE in cell.source)
    asked, folded = (cell.source for cell in CELLS[name][place : place + 2])
    (block,) = BLOCK.findall(folded)
    *before, judge = ast.parse(asked).body
    code = "\n".join([*map(ast.unparse, before), block, ast.unparse(judge)])

    def some(metric, function):
        every = list(small_cases(metric))
        return verdict_on(metric, function, every[:200] + every[200::step])

    monkeypatch.setattr(practice, "judge", some)
    names = {}
    exec(required_statements(CODE[name][: CODE[name].index(asked)], code), names)
    exec(code.removesuffix(ast.unparse(judge)), names)
    assert eval(ast.unparse(judge), names).right is True
