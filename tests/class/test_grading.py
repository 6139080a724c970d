"""A class of five hands in an assignment: what they are given, their points, and what they are told.

The commands are those that ``make class`` prints.
"""

from __future__ import annotations

import csv
import html
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
from nbgrader.api import Gradebook
from sklearn.metrics import f1_score, fbeta_score

from mlm_helpers import example_based
from mlm_helpers.course import practice
from mlm_helpers.course.practice import grading

ROOT = Path(__file__).parents[2]
NAME = "02_example_based"
RUNGS = ["read-a-number", "compute-one", "write-it-yourself", "find-the-bug", "choose"]
OWN = """def my_f1(y_true, y_pred):
    values = []
    for true, said in zip(y_true, y_pred):
        both = sum(true) + sum(said)
        values.append(2 * sum(true * said) / both if both else 0)
    return sum(values) / len(values)
"""
MICRO = """def my_f1(y_true, y_pred):
    both = y_true.sum() + y_pred.sum()
    return 2 * (y_true * y_pred).sum() / both if both else 0
"""
ENDLESS = "def my_f1(y_true, y_pred):\n    while True:\n        pass\n"


def asked_of(student: str, metric: Any, **options: Any) -> float:
    """A metric of scikit-learn on the sheet of a student, which asks for F2."""
    sheet = practice.sheet(example_based.fbeta, seed=grading.seed_of(student), beta=2)
    return float(metric(sheet.y_true, sheet.y_pred, average="samples", **options))


F2 = {name: asked_of(name, fbeta_score, beta=2) for name in ("ada", "cleo")}
F1_OF_BEN = asked_of("ben", f1_score)


class Student(NamedTuple):
    """What is written into which cell, and the points that it earns, a rung each."""

    points: list[int]
    read: str = ""
    computed: str = ""
    own: str = "def my_f1(y_true, y_pred):\n    pass  # your code\n"
    mended: str = '""'
    choose: str = "*Your answer.*"
    id: str | None = None


STUDENTS = {
    # all is right, as a percentage, as a fraction and in words
    "ada": Student([1, 2, 3, 2, 2], "B", f"{100 * F2['ada']:.1f} %", OWN, '"2/6"', "Many, by F2."),
    # F1 for F2, micro F1 for the samples' F1; the script is mended, half of the paragraph is right
    "ben": Student([0, 0, 0, 2, 1], "A", f"{F1_OF_BEN:.3f}", MICRO, "0.333", "Many."),
    # a function that does not end and a cell that wants to end all cost what they are worth
    "cleo": Student([1, 2, 0, 0, 0], "samples precision", f"{F2['cleo']:.2f}", ENDLESS, "exit()"),
    "dora": Student([0, 0, 0, 0, 0], id=""),
    # the answer is right for the data of ada, under whose name and with another seed it was found
    "eve": Student([1, 0, 3, 2, 0], "b", f"{F2['ada']:.3f}", OWN, '"1/3"', id="ada"),
}
BY_HAND = {name: student.points[-1] for name, student in STUDENTS.items() if student.points[-1]}


def run(*command: str, folder: Path = ROOT) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


class Course(NamedTuple):
    folder: Path
    said: str

    def nbgrader(self, command: str) -> str:
        """Run a command that `make class` printed, on the assignment."""
        (line,) = re.findall(rf"(\S+nbgrader {command}[^;.]*)(?:[;.]|$)", self.said)
        return run(*line.replace("NAME", NAME).split(), folder=self.folder)

    def notebook(self, step: str, name: str = NAME) -> nbformat.NotebookNode:
        return nbformat.read(self.folder / step / name / f"{name}.ipynb", as_version=4)

    def feedback(self, student: str) -> str:
        """What a student is told, as text."""
        page = self.folder / "feedback" / student / NAME / f"{NAME}.html"
        text = re.sub(r"<(style|script).*?</\1>|<[^>]*>", "", page.read_text("utf-8"), flags=re.S)
        return " ".join(html.unescape(text).split())


def build(folder: Path) -> Course:
    return Course(folder, run(sys.executable, "-m", "tools.classroom", "--out", str(folder)))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return build(tmp_path_factory.mktemp("class") / "course")


def hand_in(course: Course, name: str, student: Student) -> None:
    notebook = course.notebook("release")
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    cells["student"].source = f"student = {(name if student.id is None else student.id)!r}"
    cells["number_read"].source = f"number_read = {student.read!r}"
    cells["computed"].source = f"computed = {student.computed!r}"
    cells["own"].source, cells["choose"].source = student.own, student.choose
    cells["mended"].source = f"mended = {student.mended}"
    if name == "eve":
        cells["whose"].source = cells["whose"].source.replace("of(student)", "of('nobody')")
        notebook.cells.remove(cells["find-the-bug"])
    file = course.folder / "submitted" / name / NAME / f"{NAME}.ipynb"
    file.parent.mkdir(parents=True)
    nbformat.write(notebook, file)


@pytest.fixture(scope="module")
def graded(built: Course) -> Course:
    for name, student in STUDENTS.items():
        hand_in(built, name, student)
    assert "Warning: " not in built.nbgrader("autograde")  # of Python's own kind
    with Gradebook(f"sqlite:///{built.folder / 'gradebook.db'}") as book:
        for name, points in BY_HAND.items():
            grade = book.find_grade("choose", NAME, NAME, name)
            assert grade.needs_manual_grade
            grade.manual_score, grade.needs_manual_grade = points, False
        book.db.commit()
    built.nbgrader("generate_feedback")
    built.nbgrader("export")
    return built


def points(course: Course) -> dict[str, list[float]]:
    with Gradebook(f"sqlite:///{course.folder / 'gradebook.db'}") as book:
        return {
            name: [book.find_grade(rung, NAME, NAME, name).score for rung in RUNGS]
            for name in STUDENTS
        }


def test_every_rung_earns_what_a_hand_gives_it_and_the_export_sums_it_up(graded: Course) -> None:
    expected = {name: student.points for name, student in STUDENTS.items()}
    assert points(graded) == expected
    rows = csv.DictReader((graded.folder / "grades.csv").read_text("utf-8").splitlines())
    sums = {row["student_id"]: float(row["score"]) for row in rows if row["assignment"] == NAME}
    assert sums == {name: sum(given) for name, given in expected.items()}
    build(graded.folder)  # again, which takes away nothing
    assert points(graded) == expected
    assert (graded.folder / "submitted/ada" / NAME / f"{NAME}.ipynb").exists()


@pytest.mark.parametrize(
    ("student", "told"),
    [
        ("ben", rf"{F1_OF_BEN:.3f} is samples F1, 2 × hits"),
        ("ben", r"A, [^.]*, gives 0\.\d+, and the number is "),
        ("ben", r"my_f1 gives .* It computes micro F1"),
        ("cleo", "my_f1 has not come to an end after"),
        ("cleo", "TypeError: 'NoneType' object is not callable"),
        ("dora", "No answer yet: write a fraction such as 2/3"),
        ("dora", "my_f1 returns nothing yet"),
        ("eve", "The first cell does not name eve, whose data are asked"),
    ],
)
def test_the_feedback_says_what_is_wrong(student: str, told: str, graded: Course) -> None:
    assert re.search(told, graded.feedback(student))


def test_the_feedback_of_what_is_right_finds_nothing_wrong(graded: Course) -> None:
    assert "AssertionError" not in graded.feedback("ada")
    assert graded.feedback("ben").count("AssertionError:") == 3


# ---------------------------------------------------------------------------- what is given

NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_it_says_where_and_what_next(built: Course) -> None:
    assert built.said.startswith(f"{len(NOTEBOOKS)} assignments are in {built.folder}: ")
    assert 3 <= len(built.said.splitlines()) <= 5
    assert sorted(path.name for path in (built.folder / "release").iterdir()) == NOTEBOOKS


def solutions(notebook: nbformat.NotebookNode) -> list[str]:
    """The lines between the marks of a solution, and the paragraph of a manual one."""
    text = "\n".join(cell.source for cell in notebook.cells)
    regions = re.findall(r"### BEGIN SOLUTION\n(.*?)\s*### END SOLUTION", text, re.DOTALL)
    paragraphs = [c.source for c in notebook.cells if c.id == "choose"]
    return [line for part in [*regions, *paragraphs] for line in map(str.strip, part.splitlines())]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_is_released_holds_no_answer(name: str, built: Course) -> None:
    answers = solutions(built.notebook("source", name))
    released = built.notebook("release", name)
    text = "\n".join(cell.source for cell in released.cells)
    assert len(answers) >= 7  # an id, answer and value of two rungs, a number, a paragraph
    assert [line for line in answers if line in text] == []
    for word in ("SOLUTION", "HIDDEN", "<details>", "verdict", "assert ", "grading.number"):
        assert word not in text
    assert not any(cell.get("outputs") for cell in released.cells)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_its_own_solution_earns_all_and_everybody_has_data(
    name: str, built: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test that gives no points raises; here none does."""
    monkeypatch.chdir(built.folder / "source" / name)
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [c for c in built.notebook("source", name).cells if c.cell_type == "code"]
    for cell in cells:
        exec(compile(cell.source, name, "exec"), names)
    (sheet,) = (cell.source for cell in cells if cell.id == "sheet")
    given = set()
    for student in ["4711", "zoë", "m.mustermann@example.org"]:
        exec(sheet, names | {"seed": grading.seed_of(student)}, one := {})
        asked = one["asked"]
        assert asked.check(float(asked.solution())).right
        given.add(str((asked.y_true, asked.y_pred, asked.y_score)))
    assert len(given) == 3
