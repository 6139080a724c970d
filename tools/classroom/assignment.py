"""An assignment, as its teacher has it: a ladder's questions, solutions and hidden tests."""

from __future__ import annotations

import re
import textwrap
import tomllib
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from tools import notebooks
from tools.classroom import ladder
from tools.needed import needed

POINTS = {
    "Read a number": 1,
    "Compute one": 2,
    "Write it yourself": 3,
    "Find the bug": 2,
    "Choose": 2,
}
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


def source(path: Path) -> NotebookNode:
    """The assignment of a notebook."""
    title, before, rungs = ladder.read(path)
    asked = {name: rungs[name] for name in POINTS if name in rungs}
    code = [text for rung in asked.values() for text in rung.code]
    code += [own_function(rung) for name, rung in asked.items() if name == "Write it yourself"]
    points = ", ".join(f"{name} {POINTS[name]}" for name in asked)
    cells = [
        text(INTRODUCTION.format(title=title, name=path.stem, points=points)),
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


# ---------------------------------------------------------------------------- rungs


def read(rung: ladder.Rung, numbers: dict[str, list[str]]) -> Cells:
    quiz = re.search(r"practice\.quiz\(.*?\)", "".join(rung.code))
    if quiz:
        wanted, value, verdict = "your letter", rung.answer[0], f"{quiz[0]}.check(number_read)"
    else:
        wanted, value = numbers["read"]
        verdict = f'grading.number(number_read, "{value}")'
    answer = f'{commented(rung.answer)}\nnumber_read = "{value}"'
    shown = blank("number_read", wanted, answer)
    return [*questions(rung), shown, test("Read a number", verdict)]


def compute(rung: ladder.Rung, _: object) -> Cells:
    sheet = next(cell for cell in rung.code if "practice.sheet" in cell)
    sheet = re.sub(r"\bseed=\d+", "seed=seed", sheet).removesuffix("\nasked")
    verdict = 'grading.of(asked.check(computed), owner, globals().get("student", ""))'
    return [
        text(rung.asks[0]),
        code_cell(SHEET.format(sheet=sheet), "sheet"),
        blank(
            "computed",
            "a fraction, a decimal or a percentage",
            "computed = float(asked.solution())",
        ),
        test("Compute one", verdict, OWNER.format(sheet=sheet)),
    ]


def own(rung: ladder.Rung, _: object) -> Cells:
    stub, call = rung.code[0].split("\n\n\n")
    body = own_function(rung).rstrip().split("\n", 1)[1]
    verdict = call.replace("practice.judge", "grading.own")
    shown = [text(rung.asks[0]), solution("own", stub, body), code_cell(call)]
    return [*shown, test("Write it yourself", verdict)]


def own_function(rung: ladder.Rung) -> str:
    """The function that is folded away."""
    return rung.answer.removeprefix("```python\n").removesuffix("```")


def bug(rung: ladder.Rung, numbers: dict[str, list[str]]) -> Cells:
    wanted, printed, *values = numbers["bug"]
    listed = ", ".join(f'"{value}"' for value in values)
    answer = f'{commented(rung.answer)}\nmended = "{values[0]}"'
    hint = text("Mend the script, and give the number that it prints then.")
    verdict = f'grading.number(mended, {listed}, unmended="{printed}")'
    return [*questions(rung), hint, blank("mended", wanted, answer), test("Find the bug", verdict)]


def choose(rung: ladder.Rung, _: object) -> Cells:
    hint = text("Write two or three sentences below: which, by which number, and why.")
    paragraph = text(rung.answer)
    mark(paragraph, "choose", grade=True, solution=True, locked=False, points=POINTS["Choose"])
    return [*questions(rung), hint, paragraph]


MAKE = {
    "Read a number": read,
    "Compute one": compute,
    "Write it yourself": own,
    "Find the bug": bug,
    "Choose": choose,
}


# ---------------------------------------------------------------------------- cells


def questions(rung: ladder.Rung) -> Cells:
    """Text and code in turn, but for the cells in which the course's reader answers."""
    cells = [
        code_cell(part) if place % 2 else text(part.strip()) for place, part in enumerate(rung.asks)
    ]
    return [cell for cell in cells if cell["source"] and ".check(" not in cell["source"]]


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


def test(rung: str, verdict: str, first: str = "") -> dict[str, Any]:
    name = rung.lower().replace(" ", "-")
    cell = code_cell(TEST.format(first=first, verdict=verdict))
    return mark(cell, name, grade=True, points=POINTS[rung])


def commented(written: str) -> str:
    return "\n".join(f"# {line}" for line in textwrap.wrap(written, 96))
