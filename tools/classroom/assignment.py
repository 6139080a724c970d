"""An assignment, as its teacher has it: a ladder's questions, solutions and hidden tests.

Tags say what of a ladder is part of it: `read`, `compute`, `own`, `bug` or `choose`, the rung that a cell asks,
and `answer` besides, where the cell is the folded answer.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from nbformat import NotebookNode

from tools import notebooks
from tools.needed import needed

POINTS = {"read": 1, "compute": 2, "own": 3, "bug": 2, "choose": 2}
NUMBERS = tomllib.loads(Path(__file__).with_name("numbers.toml").read_text(encoding="utf-8"))
Cells = list[dict[str, Any]]

INTRODUCTION = """# Assignment: {title}

It goes with the notebook `{name}`: have that open too, since the questions speak of its pictures and tables. Write
your id below, then run all cells. Fill in what is empty, and leave the cells alone that say so. The feedback says of a
wrong answer what it is.

Points: {points}."""
ID = 'student = ""  # your id between the quotes, as your teacher writes it'
WHOSE = """# Leave this cell alone: it makes data of your own from your id.
from mlm_helpers.course import practice
from mlm_helpers.board import Board
from mlm_helpers.course.practice import grading

seed = grading.seed_of(student)
exit = quit = None  # a cell that calls one would end the run of all others"""
NEEDED = "# Leave this cell alone: it is what the questions need of the notebook."
OWNER = """from pathlib import Path
owner = Path.cwd().parent.name
seed = grading.seed_of(owner)
{sheet}
"""
SHEET = """# Leave this cell alone.
{sheet}
missing = "Write your id into the first cell, and run all cells again."
Board(asked.title, asked.steps[:-1]) if student else print(missing)"""
TEST = """# Leave this cell alone: here your teacher gives points.
### BEGIN HIDDEN TESTS
from mlm_helpers.course import practice
from mlm_helpers.course.practice import grading
{first}verdict = {verdict}
assert verdict.right, verdict.says
### END HIDDEN TESTS"""


class Rung(NamedTuple):
    """A question of a ladder: its name, its cells, and the answer that is folded away."""

    name: str
    cells: list[NotebookNode]
    answer: str

    @property
    def code(self) -> list[str]:
        return [cell.source for cell in self.cells if cell.cell_type == "code"]

    @property
    def questions(self) -> Cells:
        return [
            (code_cell if cell.cell_type == "code" else text)(cell.source) for cell in self.cells
        ]


def rungs(cells: list[NotebookNode]) -> dict[str, Rung]:
    """The rungs of a notebook that have points, by the tags of its cells."""
    found = {}
    for name in POINTS:
        asked = [cell for cell in cells if name in cell.metadata.get("tags", [])]
        folded = [cell.source for cell in asked if "answer" in cell.metadata.tags]
        answer = "\n\n".join(folded[0].split("\n\n")[1:-1]) if folded else ""
        if asked:
            found[name] = Rung(name, [c for c in asked if "answer" not in c.metadata.tags], answer)
    return found


def source(path: Path) -> NotebookNode:
    """The assignment of a notebook."""
    read_cells = notebooks.read(path).cells
    asked = rungs(read_cells)
    start = read_cells.index(asked["read"].cells[0])
    before = [cell.source for cell in read_cells[:start] if cell.cell_type == "code"]
    code = [text for rung in asked.values() for text in rung.code]
    if "own" in asked:
        code.append(function(asked["own"]))
    headings = [f"{heading(rung)} {POINTS[name]}" for name, rung in asked.items()]
    title = read_cells[0].source.splitlines()[0].removeprefix("# ")
    cells = [
        text(INTRODUCTION.format(title=title, name=path.stem, points=", ".join(headings))),
        solution("student", ID, 'student = "source"  # the folder of this notebook'),
        code_cell(WHOSE, "whose"),
        code_cell(f"{NEEDED}\n{needed(before, chr(10).join(code))}", "needed"),
    ]
    for name, rung in asked.items():
        cells += MAKE[name](rung, NUMBERS[path.stem])
    for place, cell in enumerate(cells):
        cell["id"] = cell["metadata"].get("nbgrader", {}).get("grade_id", f"cell-{place}")
    return notebooks.parse(
        {"cells": cells, "metadata": notebooks.METADATA, "nbformat": 4, "nbformat_minor": 5}
    )


def heading(rung: Rung) -> str:
    return str(rung.cells[0].source.splitlines()[0].removeprefix("### "))


# ---------------------------------------------------------------------------- rungs


def read(rung: Rung, numbers: dict[str, list[str]]) -> Cells:
    quiz = re.search(r"practice\.quiz\(.*?\)", "".join(rung.code))
    if quiz:
        wanted, value, verdict = "your letter", rung.answer[0], f"{quiz[0]}.check(number_read)"
    else:
        wanted, value = numbers["read"]
        verdict = f'grading.number(number_read, "{value}")'
    answer = f'{commented(rung.answer)}\nnumber_read = "{value}"'
    return [*rung.questions, blank("number_read", wanted, answer), test(rung, verdict)]


def compute(rung: Rung, _: object) -> Cells:
    (asked,) = rung.code
    sheet = re.sub(r"\bseed=\d+", "seed=seed", asked).removesuffix("\nasked")
    verdict = 'grading.of(asked.check(computed), owner, globals().get("student", ""))'
    wanted = "a fraction, a decimal or a percentage"
    return [
        *rung.questions[:-1],
        code_cell(SHEET.format(sheet=sheet), "sheet"),
        blank("computed", wanted, "computed = float(asked.solution())"),
        test(rung, verdict, OWNER.format(sheet=sheet)),
    ]


def own(rung: Rung, _: object) -> Cells:
    stub, call = rung.code[0].split("\n\n\n")
    body = function(rung).split("\n", 1)[1].rstrip()
    verdict = call.replace("practice.judge", "grading.own")
    shown = [*rung.questions[:-1], solution("own", stub, body), code_cell(call)]
    return [*shown, test(rung, verdict)]


def function(rung: Rung) -> str:
    """The function that is folded away."""
    return rung.answer.removeprefix("```python\n").removesuffix("```")


def bug(rung: Rung, numbers: dict[str, list[str]]) -> Cells:
    wanted, printed, *values = numbers["bug"]
    listed = ", ".join(f'"{value}"' for value in values)
    answer = f'{commented(rung.answer)}\nmended = "{values[0]}"'
    hint = text("Mend the script, and give the number that it prints then.")
    verdict = f'grading.number(mended, {listed}, unmended="{printed}")'
    return [*rung.questions, hint, blank("mended", wanted, answer), test(rung, verdict)]


def choose(rung: Rung, _: object) -> Cells:
    hint = text("Write two or three sentences below: which, by which number, and why.")
    paragraph = mark(text(rung.answer), "choose", grade=True, solution=True, locked=False)
    paragraph["metadata"]["nbgrader"]["points"] = POINTS["choose"]
    return [*rung.questions, hint, paragraph]


MAKE = {"read": read, "compute": compute, "own": own, "bug": bug, "choose": choose}


# ---------------------------------------------------------------------------- cells


def text(written: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": written.strip()}


def code_cell(written: str, locked: str = "") -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": "code", "metadata": {}, "source": written}
    cell |= {"outputs": [], "execution_count": None}
    return mark(cell, locked) if locked else cell


def mark(cell: dict[str, Any], name: str, **nbgrader: Any) -> dict[str, Any]:
    """Let nbgrader know a cell: as one to leave alone, if nothing else is said."""
    known: dict[str, Any] = {"grade": False, "locked": True, "solution": False, "task": False}
    known |= {"grade_id": name, "schema_version": 3, "cell_type": cell["cell_type"]}
    cell["metadata"]["nbgrader"] = known | nbgrader
    return cell


def solution(name: str, stub: str, answer: str) -> dict[str, Any]:
    """A cell to be filled in: what a student finds, and below it what solves it."""
    indent = answer[: len(answer) - len(answer.lstrip())]
    region = f"{indent}### BEGIN SOLUTION\n{answer}\n{indent}### END SOLUTION"
    return mark(code_cell(f"{stub}\n{region}"), name, locked=False, solution=True)


def blank(name: str, wanted: str, answer: str) -> dict[str, Any]:
    return solution(name, f'{name} = ""  # between the quotes: {wanted}', answer)


def test(rung: Rung, verdict: str, first: str = "") -> dict[str, Any]:
    """The locked cell that gives the points of a rung; its name is the heading's."""
    cell = code_cell(TEST.format(first=first, verdict=verdict))
    name = heading(rung).lower().replace(" ", "-")
    return mark(cell, name, grade=True, points=POINTS[rung.name])


def commented(written: str) -> str:
    return "\n".join(f"# {line}" for line in textwrap.wrap(written, 96))
