"""Assignments before nbgrader takes them: whose data, what earns points, and what a ladder yields."""

from __future__ import annotations

import functools
import unicodedata
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import fbeta_score

from mlm_course import practice
from mlm_course.practice import grading
from mlm_helpers import example_based
from tools import notebooks
from tools.classroom import assignment
from tools.needed import needed

NOTEBOOKS = {path.stem: path for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))}
F2 = "02_example_based"
every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)


# ---------------------------------------------------------------------------- whose data


@pytest.mark.parametrize(
    ("student", "seed"),
    [  # the first eight digits that sha256sum prints
        ("ada", 0xFDEE430D),
        ("zoë", 0x2752B886),
        (" Ada\n", 0xFDEE430D),
        (unicodedata.normalize("NFD", "Zoë"), 0x2752B886),
    ],
)
def test_a_seed_is_the_same_everywhere_and_however_the_name_is_written(
    student: str, seed: int
) -> None:
    assert grading.seed_of(student) == seed


def test_a_number_is_a_name_and_another_student_has_other_data() -> None:
    assert grading.seed_of(4711) == grading.seed_of("4711")
    assert grading.seed_of("Groß") == grading.seed_of("GROSS")
    data = {
        str(practice.sheet(example_based.f1, seed=grading.seed_of(student)).y_pred)
        for student in range(10)
    }
    assert len(data) == 10


def test_a_wrong_answer_to_the_data_of_somebody_else_is_told_so() -> None:
    wrong, right = practice.Verdict(False, "No."), practice.Verdict(True, "Yes.")
    told = grading.of(wrong, "ada", "ben")
    assert told.right is False
    assert told.says.startswith("The first cell does not name ada, whose data are asked:")
    assert grading.of(wrong, "ada", " ADA") is wrong
    assert grading.of(right, "ada", "ben") is right


# ---------------------------------------------------------------------------- what is right


def test_a_reading_takes_a_letter_and_says_what_a_wrong_one_gives() -> None:
    asked = grading.quiz(grading.seed_of("ada"), "label_based")
    right = asked.answer
    wrong = next(letter for letter in asked.recipes if letter != right)
    assert asked.check(f" ({right.lower()}) ").right
    recipe, number = asked.recipes[wrong]
    assert asked.check(wrong).says.startswith(f"{wrong}, {recipe}, gives {number:.3f}, and not ")
    assert [asked.check(given).right for given in ("", "E", None)] == [None] * 3
    assert not hasattr(asked, "solution")
    assert not hasattr(grading.shown(asked), "check")
    assert recipe in repr(grading.shown(asked))


def own_f1(y_true, y_pred):
    sizes = y_true.sum(axis=1) + y_pred.sum(axis=1)
    return (2 * (y_true & y_pred).sum(axis=1) / sizes.clip(1)).mean()


def of_few(y_true, y_pred):
    """Right as long as there are no more labels than the judge's data have."""
    return own_f1(y_true[:, :4], y_pred[:, :4])


def by_scikit_learn(y_true, y_pred):
    from sklearn.metrics import f1_score

    return f1_score(y_true, y_pred, average="samples", zero_division=0)


@pytest.mark.parametrize(
    ("function", "right", "told"),
    [
        (own_f1, True, "own_f1 is right"),
        (of_few, False, "of_few gives"),
        (lambda y_true, y_pred: None, False, "returns nothing"),
        (by_scikit_learn, False, "The function calls sklearn: write the formula yourself."),
        (partial(example_based.f1), False, "The function calls mlm_helpers"),
    ],
)
def test_a_function_is_ones_own_and_right_on_larger_data_too(
    function: object, right: bool, told: str
) -> None:
    verdict = grading.own(example_based.f1, function)
    assert verdict.right is right
    assert told in verdict.says
    assert practice.judge(example_based.f1, of_few).right


# ---------------------------------------------------------------------------- what is needed


@pytest.mark.parametrize(
    ("before", "code", "left"),
    [
        (["a = 1\nb = 2"], "print(b)", "b = 2"),
        (["a = 1", "b = a", "a = 3"], "print(b)", "a = 1\nb = a"),
        (["a = 1", "a = 2"], "print(a)", "a = 2"),
        (["rows = []\nfor x in (1, 2):\n    rows.append(x)"], "rows",
         "rows = []\nfor x in (1, 2):\n    rows.append(x)"),
        (["d = {}", "d['a'] = 1", "e = 1"], "d", "d = {}\nd['a'] = 1"),
        (["import numpy as np\nimport os"], "def f():\n    return np.ones(3)", "import numpy as np"),
        (["x = 5", "rows = [x for x in range(3)]"], "rows", "rows = [x for x in range(3)]"),
        (["k = 1", "def f(k):\n    return k"], "f(2)", "def f(k):\n    return k"),
        (["k = 1"], "for k in (1, 2):\n    print(k)", ""),
        (["print('seen')"], "len([])", ""),
    ],
)  # fmt: skip
def test_code_is_left_that_gives_a_name(before: list[str], code: str, left: str) -> None:
    assert needed(before, code) == left


# ---------------------------------------------------------------------------- assignments


@functools.cache
def cells(name: str) -> dict[str, notebooks.NotebookNode]:
    return {cell.id: cell for cell in assignment.source(NOTEBOOKS[name]).cells}


def done(name: str, *run: str, **names: object) -> dict[str, Any]:
    """The names that are left when these cells of an assignment were run."""
    for cell in run:
        exec(cells(name)[cell].source, names)
    return names


def graded(name: str, rung: str, **names: object) -> grading.Points:
    """The points that the test of a rung shows, and what it says."""
    *lines, last = cells(name)[rung].source.removesuffix("\n### END HIDDEN TESTS").splitlines()
    names = done(name, "whose", **names)
    exec("\n".join(lines), names)
    return eval(last, names)


def told(name: str, rung: str, **names: object) -> str:
    """What is said of an answer that earns no points."""
    found = graded(name, rung, **names)
    return "" if found.points else found.says


@every_notebook
def test_a_ladder_yields_an_assignment_with_its_points(name: str) -> None:
    found = {i: cell.metadata.get("nbgrader", {}) for i, cell in cells(name).items()}
    graded = {i: known["points"] for i, known in found.items() if known.get("grade")}
    tags = [cell.metadata.get("tags", []) for cell in notebooks.read(NOTEBOOKS[name]).cells]
    own = {"write-it-yourself": 3} if ["own"] in tags else {}
    assert graded == {"read-a-number": 1, "compute-one": 2, **own, "find-the-bug": 2, "choose": 2}
    assert all(found[i]["locked"] for i in ("whose", "reading", "sheet", "data", "compute-one"))


def test_who_gives_an_id_sees_a_sheet_and_nothing_that_solves_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    *_, shown = cells(F2)["sheet"].source.splitlines()
    board = eval(shown, done(F2, "whose", student="ada"))
    assert repr(board).startswith("Compute Fβ: ") and ".solution()" not in repr(board)
    assert not hasattr(board, "solution")
    done(F2, "whose", student="")
    assert "Your id: none yet" in capsys.readouterr().out


def test_points_are_for_the_data_of_whose_folder_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of F2, by scikit-learn."""
    (folder := tmp_path / "ada" / F2).mkdir(parents=True)
    monkeypatch.chdir(folder)
    found = {}
    for name in ("ada", "ben"):
        asked = practice.sheet(example_based.fbeta, seed=grading.seed_of(name), beta=2)
        found[name] = fbeta_score(asked.y_true, asked.y_pred, beta=2, average="samples")
    assert told(F2, "compute-one", computed=found["ada"], student="ada") == ""
    other = told(F2, "compute-one", computed=found["ben"], student="ben")
    assert other.startswith("The first cell does not name ada, whose data are asked:")
    assert "No answer yet" in told(F2, "compute-one", computed="", student="ada")


# ---------------------------------------------------------------------------- variants


@every_notebook
def test_questions_are_a_students_own_and_a_script_prints_the_number_only_when_it_is_mended(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = assignment.VARIANTS[name]["bug"]
    reading, solved = cells(name)["reading"].source, cells(name)["mended"].source.splitlines()[-2]
    seen = set()
    for student in ("ada", "ben"):
        names = done(name, "whose", "data", student=student)
        printed = []
        for script in (asked["script"], asked["script"].replace(asked["wrong"], asked["right"])):
            capsys.readouterr()
            exec(script, dict(names))
            printed.append(float(capsys.readouterr().out.split()[-1]))
        exec(solved, names)
        assert printed[1] == pytest.approx(names["mended"], abs=6e-4)
        assert printed[0] != printed[1]
        (folder := tmp_path / student / name).mkdir(parents=True)
        monkeypatch.chdir(folder)
        wrong = told(name, "find-the-bug", **names | {"mended": printed[0]})
        assert wrong.startswith("The script prints this before it is mended")
        seen |= {str(names["y_true"]), str(eval(reading.splitlines()[-1], names))}
    assert len(seen) == 4
