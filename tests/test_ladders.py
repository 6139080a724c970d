"""No exercise of a notebook is answered, and the functions folded below them are right."""

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
    """On the 200 smallest data sets, and on every step-th of the others.

    The 200 have a single sample or label.
    """
    (position,) = (i for i, cell in enumerate(CELLS[name]) if JUDGE in cell.source)
    question, answer = (cell.source for cell in CELLS[name][position : position + 2])
    (block,) = BLOCK.findall(answer)
    *statements, judge_call = ast.parse(question).body
    code = "\n".join([*map(ast.unparse, statements), block, ast.unparse(judge_call)])

    def quick_judge(metric, function):
        cases = list(small_cases(metric))
        return verdict_on(metric, function, cases[:200] + cases[200::step])

    monkeypatch.setattr(practice, "judge", quick_judge)
    names = {}
    # first the statements of earlier cells that the code needs, then the code without its last
    # line, the call
    exec(required_statements(CODE[name][: CODE[name].index(question)], code), names)
    exec(code.removesuffix(ast.unparse(judge_call)), names)
    assert eval(ast.unparse(judge_call), names).right is True
