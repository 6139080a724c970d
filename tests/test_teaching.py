"""The plans for teachers add up, and name what there is."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest

from tools import notebooks
from tools.classroom import assignment, ladder

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
MINUTES = {
    name: int(minutes)
    for name, minutes in re.findall(r"^\| \[(\w+)\].*\| (\d+) \|$", README, re.MULTILINE)
}
ROW = re.compile(r"^\| (\d+) \| (?:\[(\w+)\]\(notebooks/\2\.ipynb\))? ?\| (.*) \|$", re.MULTILINE)


class Row(NamedTuple):
    plan: str
    lesson: str
    minutes: int
    notebook: str
    what: str


def rows(text: str) -> list[Row]:
    found = []
    for plan in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        for lesson in re.split(r"^### ", plan, flags=re.MULTILINE)[1:]:
            head = plan.splitlines()[0], lesson.splitlines()[0]
            found += [
                Row(*head, int(minutes), name, what) for minutes, name, what in ROW.findall(lesson)
            ]
    return found


ROWS = rows(TEXT)


def headings(name: str) -> list[str]:
    """Those of the notebook, and those of its ladder alone."""
    cells = json.loads((notebooks.NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return re.findall(r"^#{2,3} (.*)$", text, re.MULTILINE)


def unfit(found: list[Row]) -> list[str]:
    """What does not add up, or takes another time than the README says."""
    wrong = []
    lengths = re.findall(r"lessons of (\d+) minutes", TEXT)
    for (plan, lesson), group in groupby(found, key=lambda row: row[:2]):
        together = sum(row.minutes for row in group)
        if [str(together)] != lengths:
            wrong.append(f"{plan}, {lesson}: {together}")
    for row in found:
        most = MINUTES.get(row.notebook, 0)
        if row.what.startswith("all of it") and row.minutes != most:
            wrong.append(f"{row.notebook} takes {most}")
        if row.what.startswith("*") and row.minutes >= most:
            wrong.append(f"{row.notebook} as a whole takes {most}")
    return wrong


def test_the_minutes_of_a_lesson_add_up_and_are_those_of_the_readme() -> None:
    assert unfit(ROWS) == []
    lessons = [key for key, _ in groupby(ROWS, key=lambda row: (row.plan, row.lesson[:9]))]
    assert lessons == [("Two lessons", f"Lesson {i}:") for i in (1, 2)] + [
        ("Six lessons", f"Lesson {i}:") for i in range(1, 7)
    ]
    assert len(ROWS) == len(re.findall(r"^\| \d+ \| ", TEXT, re.MULTILINE))  # each was read


@pytest.mark.parametrize(
    "planted",
    [
        [Row("A plan", "Lesson 1", 89, "", "")],
        [Row("A plan", "Lesson 1", 91, "", "")],
        [
            Row("A plan", "Lesson 1", 75, "", ""),
            Row("A plan", "Lesson 1", 15, "01_exact_match", "all of it"),
        ],
        [
            Row("A plan", "Lesson 1", 70, "", ""),
            Row("A plan", "Lesson 1", 20, "01_exact_match", "*The formula*"),
        ],
    ],
)
def test_a_planted_mistake_is_found(planted: list[Row]) -> None:
    assert len(unfit(planted)) == 1
    assert unfit([Row("A plan", "Lesson 1", 90, "", "")]) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.lesson[:8]}, {row.what[:30]}")
def test_what_a_plan_names_is_in_its_notebook(row: Row) -> None:
    named = re.findall(r"\*([^*]+)\*", row.what) if row.notebook else []
    if row.what.startswith("the ladder: "):
        rungs = ladder.read(notebooks.NOTEBOOKS / f"{row.notebook}.ipynb").rungs
        assert named and set(named) <= set(rungs)
    elif row.what.startswith("*"):
        assert named and set(named) <= set(headings(row.notebook))
    else:
        assert row.what.startswith("all of it") or not row.notebook
    for name in re.findall(r"\b\d\d_\w+", f"{row.notebook} {row.what}"):
        assert name in MINUTES


ANSWERS = re.findall(r"^\| \[(\w+)\]\(notebooks/\1\.ipynb\) \| (\D.*\?) \| (.*) \|$", TEXT, re.M)


def test_a_notebook_of_the_plans_has_an_answer_that_is_usually_given() -> None:
    assert [name for name, *_ in ANSWERS] == sorted({row.notebook for row in ROWS} - {""})


@pytest.mark.parametrize(("name", "question", "said"), ANSWERS)
def test_a_number_that_is_usually_given_stands_in_the_notebook(
    name: str, question: str, said: str
) -> None:
    cells = json.loads((notebooks.NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = json.dumps([(cell["source"], cell.get("outputs")) for cell in cells])
    if "*Find the bug*" in question:
        text = text.partition("### Find the bug")[2].partition("### Choose")[0]
    numbers = re.findall(r"-?\d+(?:[./]\d+)?", f"{question} {said}".replace("F1", ""))
    for number in numbers:
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d/])", text), number
    assert numbers or name == "01_exact_match"


def test_the_points_are_those_of_the_assignments() -> None:
    found = re.findall(r"^\| ([A-Z][a-z ]+?)(?: \(01 to 07\))? \| (\d) \| ", TEXT, re.MULTILINE)
    assert {name: int(points) for name, points in found} == assignment.POINTS
