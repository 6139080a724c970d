"""Assignments before nbgrader takes them: whose data, what earns points, and what a ladder yields."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import fbeta_score

from mlm_helpers import example_based
from mlm_helpers.course import practice
from mlm_helpers.course.practice import grading
from tools import notebooks
from tools.classroom import assignment, ladder
from tools.needed import needed

NOTEBOOKS = {path.stem: path for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))}
every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)
REGION = re.compile(r" *### BEGIN (SOLUTION|HIDDEN TESTS)\n(.*?)### END \1", re.DOTALL)


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
    assert told.says == "No. The first cell does not name ada, whose data are asked."
    assert grading.of(wrong, "ada", " ADA") is wrong
    assert grading.of(right, "ada", "ben") is right


# ---------------------------------------------------------------------------- what is right


@pytest.mark.parametrize(
    ("answer", "right", "told"),
    [
        ("5/12", True, "Right: 5/12"),
        ("10/24", True, "Right"),
        (Fraction(5, 12), True, "Right"),
        ("0.42", True, "Right"),
        ("0,416", True, "Right"),
        ("41.7 %", True, "Right"),
        (0.4167, True, "Right"),
        (np.array(5 / 12), True, "Right"),
        ("0.4", False, "close: give two or more decimals"),
        ("0.43", False, "is not right"),
        ("5/9", False, "5/9 is what the script prints before it is mended"),
        ("0.56", False, "is what the script prints before"),
        ("", None, "no number can be read in it"),
        ("many", None, "no number can be read in it"),
        (None, None, "no number can be read in it"),
    ],
)
def test_a_number_is_read_as_a_sheet_reads_it(
    answer: object, right: bool | None, told: str
) -> None:
    verdict = grading.number(answer, "5/12", unmended="5/9")
    assert verdict.right is right
    assert told in verdict.says


def test_of_more_than_one_value_each_is_right() -> None:
    assert [grading.number(n, "0.03183", "0.03329").right for n in ("0.032", "0.033", "0.04")] == [
        True, True, False
    ]  # fmt: skip


def own_f1(y_true, y_pred):
    sizes = y_true.sum(axis=1) + y_pred.sum(axis=1)
    return (2 * (y_true & y_pred).sum(axis=1) / sizes.clip(1)).mean()


def of_few(y_true, y_pred):
    """Right as long as there are no more labels than the judge's data have."""
    return own_f1(y_true[:, :4], y_pred[:, :4])


def by_scikit_learn(y_true, y_pred):
    from sklearn.metrics import f1_score

    return f1_score(y_true, y_pred, average="samples", zero_division=0)


def by_default(y_true, y_pred, *, mine=example_based.f1):
    return mine(y_true, y_pred)


class Borrowed:
    def __call__(self, y_true, y_pred):
        return max(example_based.f1(truth, y_pred) for truth in [y_true])


class Row:
    """Has an attribute that is the name of a metric, too."""

    def __init__(self, true, said):
        self.recall, self.size = sum(true * said), sum(true) + sum(said)


def by_attributes(y_true, y_pred):
    rows = [Row(true, said) for true, said in zip(y_true, y_pred, strict=True)]
    return sum(2 * row.recall / row.size if row.size else 0 for row in rows) / len(rows)


def by_lists(y_true, y_pred):
    return 0.0 + own_f1(np.array([*y_true]), np.array(y_pred)) if y_true == y_true else 0


@pytest.mark.parametrize(
    ("function", "right", "told"),
    [
        (own_f1, True, "own_f1 is right"),
        (partial(own_f1), True, "the function is right"),
        (by_attributes, True, "by_attributes is right"),
        (by_lists, True, "by_lists is right"),
        (of_few, False, "of_few gives"),
        (lambda y_true, y_pred: None, False, "returns nothing"),
        (by_scikit_learn, False, "The function calls sklearn: write the formula yourself."),
        (by_default, False, "The function calls mlm_helpers: write the formula yourself."),
        (Borrowed(), False, "The function calls mlm_helpers"),
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


def cells(name: str) -> dict[str, notebooks.NotebookNode]:
    return {cell.id: cell for cell in assignment.source(NOTEBOOKS[name]).cells}


def of_nbgrader(cell: notebooks.NotebookNode) -> dict[str, object]:
    return cell.metadata.get("nbgrader", {})


@every_notebook
def test_a_ladder_yields_an_assignment_with_its_points(name: str) -> None:
    found = cells(name)
    graded = {i: of_nbgrader(c)["points"] for i, c in found.items() if of_nbgrader(c).get("grade")}
    own = {"write-it-yourself": 3} if "01" <= name[:2] <= "07" else {}
    assert graded == {
        "read-a-number": 1, "compute-one": 2, **own, "find-the-bug": 2, "choose": 2
    }  # fmt: skip
    assert sum(graded.values()) == (10 if own else 7)
    said = found["cell-0"].source
    assert said.startswith(f"# Assignment: {ladder.read(NOTEBOOKS[name]).title}\n") and name in said
    numbers = re.search(r"Points: (.*)\.", said)[1]
    assert sum(map(int, re.findall(r"\d", numbers))) == sum(graded.values())


@every_notebook
def test_nothing_of_an_answer_stands_outside_of_what_is_taken_out(name: str) -> None:
    found = cells(name)
    paragraph = of_nbgrader(found.pop("choose"))
    assert paragraph["solution"] and paragraph["grade"]  # so all of it is taken out
    left = REGION.sub("", "\n".join(cell.source for cell in found.values()))
    for word in ("<details>", "Answer", "One way", "asked.solution", "verdict", ".check("):
        assert word not in left
    answers = [rung.answer for rung in ladder.read(NOTEBOOKS[name]).rungs.values() if rung.answer]
    lines = {line.strip() for answer in answers for line in answer.splitlines() if line.strip()}
    assert len(answers) >= 3
    heads = {line for line in lines if line.startswith(("def ", "```"))}
    assert {line for line in lines if line in left} <= heads
    for cell in found.values():
        regions = REGION.findall(cell.source)
        hides = of_nbgrader(cell).get("solution") or of_nbgrader(cell).get("grade")
        assert bool(regions) == bool(hides)


@every_notebook
def test_the_data_are_of_the_student_and_asked_again_in_the_test(name: str) -> None:
    found = cells(name)
    (call,) = re.findall(r"practice\.sheet\(.*\)", found["sheet"].source)
    assert "seed=seed" in call
    assert call in found["compute-one"].source
    assert "seed = grading.seed_of(student)" in found["whose"].source
    assert "seed = grading.seed_of(owner)" in found["compute-one"].source
    assert all(of_nbgrader(found[i])["locked"] for i in ("whose", "needed", "sheet", "compute-one"))


@every_notebook
def test_no_cell_that_shows_an_answer_is_taken_along(name: str) -> None:
    """Those below an answer: a mended script, or a table."""
    all_cells = notebooks.read(NOTEBOOKS[name]).cells
    start = [cell.source.startswith("## The ladder") for cell in all_cells].index(True)
    asked = [code for rung in ladder.read(NOTEBOOKS[name]).rungs.values() for code in rung.code]
    below = [c.source for c in all_cells[start:] if c.cell_type == "code" if c.source not in asked]
    text = "\n".join(cell.source for cell in cells(name).values())
    assert below or name == "09_choosing_a_metric"
    assert [code for code in below if code in text] == []


# ---------------------------------------------------------------------------- what a cell does


F2 = "02_example_based"


def done(name: str, *run: str, **names: object) -> dict[str, Any]:
    """The names that are left when these cells of an assignment were run."""
    for cell in run:
        exec(cells(name)[cell].source, names)
    return names


def told(name: str, rung: str, **names: object) -> str:
    """What the test of a rung says where it gives no points."""
    needs = ["needed"] if rung in ("compute-one", "write-it-yourself") else []
    try:
        done(name, *needs, rung, **names)
    except AssertionError as error:
        return str(error)
    return ""


def test_who_gives_an_id_sees_a_sheet_and_nobody_is_led_to_its_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    *_, shown = cells(F2)["sheet"].source.splitlines()
    ada, nobody = (done(F2, "whose", "needed", "sheet", student=name) for name in ("ada", ""))
    capsys.readouterr()
    board = repr(eval(shown, ada))
    assert board.startswith("Compute Fβ: ") and ".solution()" not in board
    assert eval(shown, nobody) is None
    assert (
        capsys.readouterr().out == "Write your id into the first cell, and run all cells again.\n"
    )


def test_a_cell_cannot_end_the_run_of_all_others() -> None:
    names = done(F2, "whose", student="ada")
    assert names["exit"] is names["quit"] is None


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
    assert other.endswith("The first cell does not name ada, whose data are asked.")
    assert "no number can be read" in told(F2, "compute-one", computed="", student="ada")


def test_a_function_that_is_not_ones_own_earns_nothing() -> None:
    assert told(F2, "write-it-yourself", my_f1=own_f1) == ""
    assert "write the formula yourself" in told(F2, "write-it-yourself", my_f1=by_scikit_learn)


@every_notebook
def test_what_the_script_printed_is_told_from_what_it_shall_print(name: str) -> None:
    wanted, unmended, *values = assignment.NUMBERS[name]["bug"]
    assert cells(name)["mended"].source.startswith(f'mended = ""  # between the quotes: {wanted}\n')
    assert [told(name, "find-the-bug", mended=value) for value in values] == [""] * len(values)
    assert told(name, "find-the-bug", mended=unmended) == (
        f"{unmended} is what the script prints before it is mended."
    )
    assert "no number can be read" in told(name, "find-the-bug", mended="")
