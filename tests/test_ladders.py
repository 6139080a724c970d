"""The exercises of every notebook are unanswered, and the functions folded away below them are right."""

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
def test_no_exercise_is_answered(name):
    """Each answer between the quotes of `.check("")` is left to the reader."""
    assert set(re.findall(r"\.check\((.*?)\)", "\n".join(CODE[name]))) == {'""'}


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", sorted(name for name in CODE if JUDGE in str(CODE[name])))
def test_the_folded_function_is_right(name, step, monkeypatch):
    """On the 200 smallest data sets, which have a single sample or label, and on every step-th of the others."""
    (place,) = (i for i, cell in enumerate(CELLS[name]) if JUDGE in cell.source)
    question, folded = (cell.source for cell in CELLS[name][place : place + 2])
    (block,) = BLOCK.findall(folded)
    *statements, judge = ast.parse(question).body
    code = "\n".join([*map(ast.unparse, statements), block, ast.unparse(judge)])

    def quick_judge(metric, function):
        cases = list(small_cases(metric))
        return verdict_on(metric, function, cases[:200] + cases[200::step])

    monkeypatch.setattr(practice, "judge", quick_judge)
    names = {}
    exec(required_statements(CODE[name][: CODE[name].index(question)], code), names)
    exec(code.removesuffix(ast.unparse(judge)), names)
    assert eval(ast.unparse(judge), names).right is True
