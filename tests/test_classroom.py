"""Assignments before nbgrader takes them: whose data, what earns points, and what a ladder yields."""

from __future__ import annotations

import math
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
        ("", None, "No answer yet: write a fraction"),
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


def cells(name: str) -> dict[str, notebooks.NotebookNode]:
    return {cell.id: cell for cell in assignment.source(NOTEBOOKS[name]).cells}


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


@every_notebook
def test_a_ladder_yields_an_assignment_with_its_points(name: str) -> None:
    found = {i: cell.metadata.get("nbgrader", {}) for i, cell in cells(name).items()}
    graded = {i: known["points"] for i, known in found.items() if known.get("grade")}
    tags = [cell.metadata.get("tags", []) for cell in notebooks.read(NOTEBOOKS[name]).cells]
    own = {"write-it-yourself": 3} if ["own"] in tags else {}
    assert graded == {"read-a-number": 1, "compute-one": 2, **own, "find-the-bug": 2, "choose": 2}
    assert all(found[i]["locked"] for i in ("whose", "needed", "sheet", "compute-one"))


def test_who_gives_an_id_sees_a_sheet_and_nobody_is_led_to_its_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    *_, shown = cells(F2)["sheet"].source.splitlines()
    ada, nobody = (done(F2, "whose", "needed", "sheet", student=name) for name in ("ada", ""))
    capsys.readouterr()
    board = repr(eval(shown, ada))
    assert board.startswith("Compute Fβ: ") and ".solution()" not in board
    assert eval(shown, nobody) is None
    assert capsys.readouterr().out.startswith("Write your id into the first cell")


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
    assert "No answer yet" in told(F2, "compute-one", computed="", student="ada")


# ---------------------------------------------------------------------------- the key


HALF, THIRD, FIFTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)
# nDCG@3 of photo two: hits at 1 and 3, three true
LAST = (1 + HALF) / (1 + 1 / math.log2(3) + HALF)
# log loss of eight probabilities of 3/4 for what is said, of which six are right
CAREFUL = -(3 * math.log(3 / 4) + math.log(1 / 4)) / 4
PENCIL = {
    # what is read; what the script prints, and what it prints when it is mended
    "00_start_here": ("3", 1, HALF),  # each column is itself; one photo of two
    "01_exact_match": ("2", Fraction(7, 12), THIRD),  # cells; rows
    # of the means, 3/5; of each
    "02_example_based": (None, 2 * (1 + FIFTH) / 2 * HALF, Fraction(2, 6)),
    "03_hamming_loss": ("1", Fraction(5, 9), Fraction(5, 12)),  # wrong of those named, and of all
    "04_label_based": ("4", Fraction(1 + 1, 2), Fraction(1 + 1 + 0, 3)),
    # labels at three places; places of three labels
    "05_ranking": (None, max(3, 2, 5), max(4, 2, 1)),
    "06_curves": ("2/5", HALF, (Fraction(4, 6) + Fraction(3, 6)) / 2),
    "07_top_k": ("1/3", (1 / (1 + 1 / math.log2(3) + HALF) + LAST) / 2, (1 + LAST) / 2),
    "08_probabilities": ("1", -(3 * math.log2(3 / 4) + math.log2(1 / 4)) / 4, CAREFUL),
    "10_thresholds": ("0.2", Fraction(2 * 2, 5 + 2), Fraction(2 * 3, 5 + 4)),
    # hits, misses and false alarms are 2, 2 and 0; a miss weighs 16 times or 4 times
    "11_choosing_a_metric": (
        None,
        Fraction(17 * 2, 17 * 2 + 16 * 2),
        Fraction(5 * 2, 5 * 2 + 4 * 2),
    ),
    "15_conventions": (None, (1 + Fraction(4, 5) + 1) / 3, (1 + Fraction(4, 5) + 0) / 3),
    "16_at_scale": ("256", Fraction(1 + 1 + 0, 3), Fraction(8, 9)),
    # {2, 3} against {0, 1}; {0, 1, 2, 3} against {0, 1}
    "13_trees": ("2", 0, Fraction(2 * 2, 4 + 2)),
    # one hit and one miss, and two false alarms where nobody looked
    "14_your_own_data": ("17", Fraction(2, 2 + 1 + 2), Fraction(2, 2 + 1)),
}


@pytest.mark.parametrize("name", PENCIL)
def test_the_key_is_that_of_a_pencil(name: str) -> None:
    read, printed, mended = PENCIL[name]
    numbers = assignment.NUMBERS[name]
    assert numbers.get("read", ["", None])[1] == read
    _, was, *values = numbers["bug"]
    assert round(float(Fraction(was)), 3) == round(float(printed), 3)  # as it is printed
    assert [round(float(Fraction(value)), 5) for value in values] == [round(float(mended), 5)]


def test_how_likely_it_is_that_one_of_a_million_is_never_drawn() -> None:
    _, value = assignment.NUMBERS["12_how_sure"]["read"]
    assert float(value) == round((1 - 1e-6) ** 1e6, 5)


@every_notebook
def test_the_key_is_what_the_notebook_prints(name: str) -> None:
    """By its own script before it is mended, and below the answer."""
    _, unmended, mended, *_ = assignment.NUMBERS[name]["bug"]
    all_cells = notebooks.read(NOTEBOOKS[name]).cells
    (answer,) = (
        i for i, c in enumerate(all_cells) if {"bug", "answer"} <= {*c.metadata.get("tags", [])}
    )
    script, below = (all_cells[answer - 1].outputs, all_cells[answer + 1].outputs)
    assert near(unmended, str(script))
    assert near(mended, f"{below} {all_cells[answer].source}")


def near(value: str, text: str) -> bool:
    numbers = (Fraction(word) for word in re.findall(r"\d+/[1-9]\d*|\d+\.\d+|\d+", text))
    return any(abs(Fraction(value) - number) <= Fraction(1, 2000) for number in numbers)


@every_notebook
def test_its_own_key_earns_the_points_and_nothing_else_does(name: str) -> None:
    source = cells(name)["number_read"].source
    (value,) = re.findall(r'^number_read = "(.+)"$', source, re.MULTILINE)
    assert told(name, "read-a-number", number_read=value) == ""
    assert told(name, "read-a-number", number_read="")
    _, unmended, *values = assignment.NUMBERS[name]["bug"]
    assert [told(name, "find-the-bug", mended=value) for value in values] == [""] * len(values)
    assert told(name, "find-the-bug", mended=unmended) == (
        f"{unmended} is what the script prints before it is mended."
    )
    assert "No answer yet" in told(name, "find-the-bug", mended="")
