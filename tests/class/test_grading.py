"""A class of five hands in an assignment: what they are given, their points, and what they are told.

The commands are those behind make class, make collect, make grade and make return.
"""

from __future__ import annotations

import csv
import html
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
from nbgrader.api import Gradebook
from sklearn.metrics import fbeta_score, jaccard_score

from mlm_course import practice
from mlm_course.practice import grading
from mlm_helpers import example_based

ROOT = Path(__file__).parents[2]
NAME = "02_example_based"
FILE = f"{NAME}_assignment"
RUNGS = ["read-a-number", "compute-one", "write-it-yourself", "find-the-bug", "choose"]
SOLVED = """def my_function(y_true, y_pred):
    hits, true, said = (y_true & y_pred).sum({axis}), y_true.sum({axis}), y_pred.sum({axis})
    b = task.options.get("beta", 1) ** 2
    fbeta = (1 + b) * hits, b * true + said
    accuracy = hits, true + said - hits
    asked = {{"precision": (hits, said), "recall": (hits, true), "accuracy": accuracy, "fbeta": fbeta}}
    part, whole = asked[task.name]
    return np.where(whole, part / whole, task.options["zero_division"]).mean()
"""
OWN = SOLVED.format(axis="axis=1")  # right, with a warning of NumPy where both sets are empty
MICRO = SOLVED.format(axis="")
ENDLESS = "def my_function(y_true, y_pred):\n    while True:\n        pass\n"


def jaccard(student: str) -> float:
    """What the script of a student prints when it is mended."""
    asked = practice.sheet(example_based.accuracy, seed=grading.seed_of(student) + 1, n_samples=4)
    return float(jaccard_score(asked.y_true, asked.y_pred, average="samples"))


def f(beta: float, student: str) -> float:
    """Fβ on the sheet of a student, which asks for F2."""
    asked = practice.sheet(example_based.fbeta, seed=grading.seed_of(student), beta=2)
    return float(fbeta_score(asked.y_true, asked.y_pred, beta=beta, average="samples"))


LETTER = {
    name: grading.quiz(grading.seed_of(name), "example_based").answer for name in ("ada", "ben")
}


class Student(NamedTuple):
    """What is written into which cell, and the points that it earns, a rung each."""

    points: list[int]
    read: str = ""
    computed: str = ""
    own: str = "def my_function(y_true, y_pred):\n    pass  # your code\n"
    mended: str = '""'
    choose: str = "*Your answer.*"
    id: str | None = None


ADA = LETTER["ada"], f"{100 * f(2, 'ada'):.1f} %", OWN, f"'{jaccard('ada'):.3f}'", "Many, by F2."
STUDENTS = {
    "ada": Student([1, 2, 3, 2, 2], *ADA),
    # F1 for F2, the micro average for the samples'; the script is mended, half of the paragraph is right
    "ben": Student(
        [0, 0, 0, 2, 1],
        "B" if LETTER["ben"] == "A" else "A",
        f"{f(1, 'ben'):.3f}",
        MICRO,
        f"'{jaccard('ben'):.2f}'",
        "Many.",
    ),
    # a function that does not end and a cell that wants to end all cost what they are worth
    "cleo": Student([0, 2, 0, 0, 0], "E", f"{f(2, 'cleo'):.2f}", ENDLESS, "exit()"),
    "dora": Student([0, 0, 0, 0, 0], id=""),
    # the answers are right for the data of ada, whose sheet it is
    "eve": Student([0, 0, 3, 0, 0], *ADA[:4], id="ada"),
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

    def step(self, *command: str) -> str:
        return run(sys.executable, "-m", "tools.classroom", *command, "--out", str(self.folder))

    def notebook(self, step: str, name: str = NAME) -> nbformat.NotebookNode:
        return nbformat.read(self.folder / step / name / f"{name}_assignment.ipynb", as_version=4)

    def feedback(self, student: str) -> str:
        """What a student is told, as text."""
        page = (self.folder / "feedback" / student / NAME / f"{FILE}.html").read_text("utf-8")
        return as_text(page)


def as_text(page: str) -> str:
    text = re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", page, flags=re.S)
    return " ".join(html.unescape(text).split())


def build(folder: Path) -> Course:
    return Course(folder, run(sys.executable, "-m", "tools.classroom", "--out", str(folder)))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return build(tmp_path_factory.mktemp("class") / "course")


def filled_in(course: Course, name: str, student: Student) -> str:
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
    return nbformat.writes(notebook)


NAMED = {  # as Moodle names files, as it does without folders, as Canvas does; and as a teacher does
    "ada": f"Ada_4711_assignsubmission_file_/{FILE}.ipynb",
    "ben": f"ben_4712_assignsubmission_file_{FILE} (1).ipynb",
    "cleo": f"cleo_LATE_815_4713_{FILE}-1.ipynb",
    "dora": f"all/dora/{FILE}.ipynb",
    "eve": f"Eve of Hill_4714_assignsubmission_file_/{FILE}.ipynb",
}


@pytest.fixture(scope="module")
def graded(built: Course) -> Course:
    roster = built.folder / "students.csv"
    roster.write_text("name,id\nEve of Hill,eve\nAda,ada\n", encoding="utf-8")
    download = built.folder / "download.zip"
    with zipfile.ZipFile(download, "w") as archive:
        for name, student in STUDENTS.items():
            archive.writestr(NAMED[name], filled_in(built, name, student))
        archive.writestr("Fay_4715_assignsubmission_file_/homework.ipynb", "{}")
    first, *collected = built.step("collect", str(download)).splitlines()
    assert first.startswith("not taken") and first.endswith(
        "Fay_4715_assignsubmission_file_/homework.ipynb"
    )
    assert sorted(collected) == [f"{NAME}: {name}" for name in STUDENTS]
    said = built.step("grade").splitlines()
    assert said[:4] == [f"{NAME}, {name}: graded" for name in list(STUDENTS)[:4]]
    assert "whose was changed" in said[4]
    with Gradebook(f"sqlite:///{built.folder / 'gradebook.db'}") as book:
        for name, points in BY_HAND.items():
            grade = book.find_grade("choose", FILE, NAME, name)
            assert grade.needs_manual_grade
            grade.manual_score, grade.needs_manual_grade = points, False
        book.db.commit()
    built.step("return")
    return built


def points(course: Course) -> dict[str, list[float]]:
    with Gradebook(f"sqlite:///{course.folder / 'gradebook.db'}") as book:
        return {
            name: [book.find_grade(rung, FILE, NAME, name).score for rung in RUNGS]
            for name in STUDENTS
        }


def given_back(course: Course) -> list[str]:
    with zipfile.ZipFile(course.folder / "returned" / f"{NAME}.zip") as archive:
        return sorted(archive.namelist())


def test_every_rung_earns_what_a_hand_gives_it_and_the_export_sums_it_up(graded: Course) -> None:
    expected = {name: student.points for name, student in STUDENTS.items()}
    assert points(graded) == expected
    rows = list(csv.DictReader((graded.folder / "grades.csv").read_text("utf-8").splitlines()))
    sums = {(row["assignment"], row["student_id"]): float(row["score"]) for row in rows}
    assert sums == {(NAME, name): sum(given) for name, given in expected.items()}
    assert given_back(graded) == sorted(n.replace(".ipynb", ".html") for n in NAMED.values())
    build(graded.folder)  # again, which takes away nothing
    assert points(graded) == expected
    assert (graded.folder / "submitted/ada" / NAME / f"{FILE}.ipynb").exists()


@pytest.mark.parametrize(
    ("student", "told"),
    [
        ("ben", rf"{f(1, 'ben'):.3f} is samples F1, 2 × hits"),
        ("ben", r"[AB], .*, gives 0\.\d+, and not 0\.\d+\."),
        ("ben", r"my_function gives .* It computes micro "),
        ("cleo", "my_function has not come to an end after"),
        ("cleo", r"exit\(\) would end the run of all cells"),
        ("dora", "No answer yet: write a fraction such as 2/3"),
        ("dora", "my_function returns nothing yet"),
        ("eve", "The first cell does not name eve, whose data are asked"),
    ],
)
def test_the_feedback_says_what_is_wrong(student: str, told: str, graded: Course) -> None:
    assert re.search(told, graded.feedback(student))


def test_the_feedback_holds_no_code_of_the_tests_and_no_traceback(graded: Course) -> None:
    for student in STUDENTS:
        for word in ("grading.", "HIDDEN", "Traceback", "Error", "lambda"):
            assert word not in graded.feedback(student)
    assert graded.feedback("ada").count("Right") == 3


def test_a_file_that_comes_late_takes_nobodys_feedback_away(graded: Course) -> None:
    before, late = given_back(graded), graded.folder / "late.zip"
    with zipfile.ZipFile(late, "w") as archive:
        archive.writestr(NAMED["dora"], filled_in(graded, "dora", STUDENTS["dora"]))
    assert graded.step("collect", str(late)) == f"{NAME}: dora\n"
    graded.step("return")
    assert given_back(graded) == before


def test_the_teacher_sees_who_made_which_slip(graded: Course) -> None:
    text = as_text((graded.folder / "overview.html").read_text("utf-8"))
    for line in (
        "Compute one samples F1, 2 × hits",
        "Write it yourself the function has not come to an end cleo",
        "Choose 1 of 5 ben, cleo, dora, eve",
        "ada 10 of 10 ben 3 of 10 cleo 2 of 10 dora 0 of 10 eve 3 of 10",
    ):
        assert line in text


# ---------------------------------------------------------------------------- what is given

NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_it_says_where_and_what_next(built: Course) -> None:
    assert built.said.startswith(f"{len(NOTEBOOKS)} assignments are in {built.folder}: ")
    assert sorted(path.name for path in (built.folder / "release").iterdir()) == NOTEBOOKS


def solutions(notebook: nbformat.NotebookNode) -> list[str]:
    """What stands between the marks of a solution, and the paragraph of a manual one."""
    text = "\n".join(cell.source for cell in notebook.cells)
    regions = re.findall(r"### BEGIN SOLUTION\n(.*?)\s*### END SOLUTION", text, re.DOTALL)
    return [*regions, *(c.source for c in notebook.cells if c.id == "choose")]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_is_released_holds_no_answer(name: str, built: Course) -> None:
    answers = solutions(built.notebook("source", name))
    released = built.notebook("release", name)
    text = "\n".join(cell.source for cell in released.cells)
    assert len(answers) in (5, 6)  # an id, a letter, two numbers, mostly a function, a paragraph
    assert [answer for answer in answers if answer in text] == []
    for word in ("SOLUTION", "HIDDEN", "<details>", "grading.points", ".check(", ".answer"):
        assert word not in text
    assert not any(cell.get("outputs") for cell in released.cells)
