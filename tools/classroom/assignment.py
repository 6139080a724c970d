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
VARIANTS = tomllib.loads(Path(__file__).with_name("variants.toml").read_text(encoding="utf-8"))
WANTED = "a fraction, a decimal or a percentage"
Cells = list[dict[str, Any]]
Variant = dict[str, Any]

INTRODUCTION = """# Assignment: {title}

It goes with the notebook `{name}`: have that open too. Write your id below, then run all cells: your questions and data
are your own. Fill in what is empty, and leave the cells alone that say so. The feedback says of a wrong answer what it is.

Points: {points}."""
ID = 'student = ""  # your id between the quotes, as your teacher writes it'
WHOSE = """# Leave this cell alone: it makes data of your own from your id.
from functools import partial
import numpy as np
from mlm_helpers import curves, example_based, exact_match, hamming, hierarchy, label_based
from mlm_helpers import probability, ranking, top_k
from mlm_course import practice
from mlm_course.practice import grading

seed = grading.seed_of(student)
exit = quit = lambda *_: print("exit() would end the run of all cells: leave it out.")
print("Your id:", student or "none yet. Write it into the first cell, and run all cells again.")"""
NEEDED = "# Leave this cell alone: it is what the question needs of the notebook."
ALONE = "# Leave this cell alone: what it shows is from your id.\n"
TEST = """# Leave this cell alone: here your teacher gives points.
### BEGIN HIDDEN TESTS
from mlm_course import practice
from mlm_course.practice import grading
seed_of_owner = grading.seed_of(grading.owner())
{first}grading.points({points}, lambda: {verdict}, globals().get("student"))
### END HIDDEN TESTS"""


class Rung(NamedTuple):
    """A question of a ladder: its cells, the answer that is folded away, and the code before it."""

    name: str
    cells: list[NotebookNode]
    answer: str
    before: list[str]

    @property
    def code(self) -> str:
        return "\n".join(cell.source for cell in self.cells if cell.cell_type == "code")

    @property
    def needs(self) -> str:
        return needed(self.before, self.code)

    @property
    def questions(self) -> Cells:
        return [
            (code_cell if cell.cell_type == "code" else text)(cell.source) for cell in self.cells
        ]


def rungs(cells: list[NotebookNode]) -> dict[str, Rung]:
    """The rungs of a notebook that have points, by the tags of its cells."""
    found = {}
    start = next(i for i, cell in enumerate(cells) if "read" in cell.metadata.get("tags", []))
    before = [cell.source for cell in cells[:start] if cell.cell_type == "code"]
    for name in POINTS:
        asked = [cell for cell in cells if name in cell.metadata.get("tags", [])]
        folded = [cell.source for cell in asked if "answer" in cell.metadata.tags]
        answer = "\n\n".join(folded[0].split("\n\n")[1:-1]) if folded else ""
        if asked:
            left = [c for c in asked if "answer" not in c.metadata.tags]
            found[name] = Rung(name, left, answer, before)
    return found


def source(path: Path) -> NotebookNode:
    """The assignment of a notebook."""
    read_cells = notebooks.read(path).cells
    asked = rungs(read_cells)
    headings = [f"{heading(rung)} {POINTS[name]}" for name, rung in asked.items()]
    title = read_cells[0].source.splitlines()[0].removeprefix("# ")
    cells = [
        text(INTRODUCTION.format(title=title, name=path.stem, points=", ".join(headings))),
        solution("student", ID, 'student = "source"  # the folder of this notebook'),
        code_cell(WHOSE, "whose"),
    ]
    for name, rung in asked.items():
        cells += MAKE[name](rung, VARIANTS[path.stem])
    for place, cell in enumerate(cells):
        cell["id"] = cell["metadata"].get("nbgrader", {}).get("grade_id", f"cell-{place}")
    return notebooks.parse(
        {"cells": cells, "metadata": notebooks.METADATA, "nbformat": 4, "nbformat_minor": 5}
    )


def heading(rung: Rung) -> str:
    return str(rung.cells[0].source.splitlines()[0].removeprefix("### "))


# ---------------------------------------------------------------------------- rungs


def read(rung: Rung, variant: Variant) -> Cells:
    asked = f"grading.quiz(seed, {variant['read']})"
    solved = f"number_read = {asked}.answer"
    verdict = f"{asked}.check(number_read)"
    return [
        text(f"### {heading(rung)}\n\nOne of the four recipes gives the number."),
        code_cell(f"{ALONE}grading.shown({asked})", "reading"),
        blank("number_read", "your letter", solved),
        test(rung, verdict),
    ]


def compute(rung: Rung, _: object) -> Cells:
    *before, asked = re.sub(r"\bseed=\d+", "seed=seed", rung.code).splitlines()[:-1]
    first = "".join(f"{line}\n" for line in [*rung.needs.splitlines(), *before] if line)
    sheet = asked.replace("asked = practice.sheet", "grading.sheet_of")
    return [
        *rung.questions[:-1],
        code_cell(f"{ALONE}{first}grading.shown({sheet})", "sheet"),
        blank("computed", WANTED, f"computed = float({sheet}.solution())"),
        test(rung, f"{sheet}.check(computed)", first),
    ]


def own(rung: Rung, variant: Variant) -> Cells:
    other = "y_score" if "y_score" in variant["solution"] else "y_pred"
    stub = f"def my_function(y_true, {other}):\n    pass  # your code"
    first = "".join(f"{line}\n" for line in [variant.get("before")] if line)
    asked = f"{first}task = grading.task(seed, {variant['own']})\n"
    hint = "The judge shows the smallest data on which your function is wrong."
    return [
        text(f"### {heading(rung)}\n\n{hint} {variant.get('rule', '')}"),
        code_cell(f"{ALONE}{asked}grading.Board(task.title, task.steps)", "task"),
        solution("own", stub, textwrap.indent(variant["solution"].strip(), "    ")),
        code_cell("practice.judge(task.metric, my_function)", "judge"),
        test(rung, "grading.own(task.metric, my_function)", asked),
    ]


def bug(rung: Rung, variant: Variant) -> Cells:
    asked = variant["bug"]
    sheet = f"grading.sheet_of({asked['data']}, seed=seed + 1)"
    other = "y_score" if "y_score" in asked["script"] else "y_pred"
    script = asked["script"].strip()
    mended = textwrap.indent(script.replace(asked["wrong"].strip(), asked["right"].strip()), "# ")
    answer = f"{mended}\nmended = float({sheet}.solution())"
    return [
        text(f"### {heading(rung)}\n\n{asked['asks']}"),
        code_cell(f"{ALONE}y_true, {other} = {sheet}.data", "data"),
        code_cell(script),
        text("Mend the script, and give the number that it prints then."),
        blank("mended", WANTED, answer),
        test(rung, f"grading.mended({sheet}, mended, {script!r}, globals())"),
    ]


def choose(rung: Rung, _: object) -> Cells:
    hint = text("Write two or three sentences below: which, by which number, and why.")
    paragraph = mark(text(rung.answer), "choose", grade=True, solution=True, locked=False)
    paragraph["metadata"]["nbgrader"]["points"] = POINTS["choose"]
    needs = [code_cell(f"{NEEDED}\n{rung.needs}", "needed")] if rung.needs else []
    return [*needs, *rung.questions, hint, paragraph]


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
    written = TEST.format(first=first, verdict=verdict, points=POINTS[rung.name])
    cell = code_cell(re.sub(r"\bseed\b(?!=)", "seed_of_owner", written))
    name = heading(rung).lower().replace(" ", "-")
    return mark(cell, name, grade=True, points=POINTS[rung.name])
