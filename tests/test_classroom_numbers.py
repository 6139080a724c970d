"""The numbers of the assignments: the key that a class is graded by, held against a pencil and the notebooks."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import places
import pytest
from test_classroom import NOTEBOOKS, cells, every_notebook, told

from tools import notebooks
from tools.classroom import assignment, ladder

HALF, THIRD, FIFTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)
# nDCG@3 of photo two: hits at 1 and 3, three true
LAST = (1 + HALF) / (1 + 1 / math.log2(3) + HALF)
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
    "08_thresholds": ("0.2", Fraction(2 * 2, 5 + 2), Fraction(2 * 3, 5 + 4)),
    "11_conventions": (None, (1 + Fraction(4, 5) + 1) / 3, (1 + Fraction(4, 5) + 0) / 3),
    "12_at_scale": ("256", Fraction(1 + 1 + 0, 3), Fraction(8, 9)),
}
ASKING = {"how", "many", "does", "it", "is", "or", "of", "that", "with", "three", "decimals"}
ASKING |= {"1", "2", "3", "judged", "upper", "end", "height"}  # the notebook has other words for it


@pytest.mark.parametrize("name", PENCIL)
def test_the_key_is_that_of_a_pencil(name: str) -> None:
    read, printed, mended = PENCIL[name]
    numbers = assignment.NUMBERS[name]
    assert numbers.get("read", ["", None])[1] == read
    _, was, *values = numbers["bug"]
    assert round(float(Fraction(was)), 3) == round(float(printed), 3)  # as it is printed
    assert [round(float(Fraction(value)), 5) for value in values] == [round(float(mended), 5)]


def test_how_likely_it_is_that_one_of_a_million_is_never_drawn() -> None:
    _, value = assignment.NUMBERS["10_how_sure"]["read"]
    assert float(value) == round((1 - 1e-6) ** 1e6, 5)


@every_notebook
@pytest.mark.parametrize(("key", "rung"), [("read", "Read a number"), ("bug", "Find the bug")])
def test_what_is_asked_for_is_called_as_in_the_rung(name: str, key: str, rung: str) -> None:
    if key in assignment.NUMBERS[name]:
        one = ladder.read(NOTEBOOKS[name]).rungs[rung]
        said = " ".join([*one.asks, one.answer, *outputs(name, rung)]).lower()
        words = re.findall(r"[\w@-]+", assignment.NUMBERS[name][key][0].lower())
        assert [w for w in words if w not in ASKING and not re.search(rf"\b{w}", said)] == []


@every_notebook
def test_the_letter_or_the_number_of_its_own_solution_earns_its_point(name: str) -> None:
    (value,) = re.findall(
        r'^number_read = "(.+)"$', cells(name)["number_read"].source, re.MULTILINE
    )
    assert told(name, "read-a-number", number_read=value) == ""
    assert told(name, "read-a-number", number_read="")


def outputs(name: str, rung: str) -> tuple[str, str]:
    """What a rung's question shows, and what is printed or said below: its answer."""
    asks = ladder.read(NOTEBOOKS[name]).rungs[rung].code
    section = next(s for s in places.sections(name) if s.heading == rung)
    shown, told = "", "\n".join(passage.text for passage in section.passages)
    for cell in notebooks.read(NOTEBOOKS[name]).cells:
        if cell.cell_type == "code" and cell.source in section.code:
            printed = "\n".join(
                output.get("text", "") + output.get("data", {}).get("text/plain", "")
                for output in cell.outputs
            )
            if cell.source in asks:
                shown += printed
            else:
                told += printed
    return shown, told


def numbers_in(text: str) -> set[float]:
    words = re.findall(r"\d+/\d+|\d+\.\d+|\d+", text)
    named = {"two": 2, "three": 3, "third": 3, "alone": 1}  # on the sparse data alone
    return {float(Fraction(word)) for word in words if not word.endswith("/0")} | {
        value for word, value in named.items() if word in text.lower()
    }


def near(value: str, texts: set[float]) -> bool:
    return any(abs(float(Fraction(value)) - number) <= 0.0005 for number in texts)


def test_every_notebook_has_its_numbers() -> None:
    assert set(assignment.NUMBERS) == set(NOTEBOOKS)


@every_notebook
def test_the_answer_is_the_one_of_the_notebook(name: str) -> None:
    numbers = assignment.NUMBERS[name]
    shown, told = outputs(name, "Find the bug")
    _, unmended, mended, *_ = numbers["bug"]
    assert near(unmended, numbers_in(shown))
    assert near(mended, numbers_in(told)), told
    if "read" in numbers:
        _, told = outputs(name, "Read a number")
        assert near(numbers["read"][1], numbers_in(told)), told


def test_other_good_mends_are_near() -> None:
    """Which resamples are drawn is chance, and so is the end of their interval."""
    _, _, *values = assignment.NUMBERS["10_how_sure"]["bug"]
    assert max(map(float, values)) - min(map(float, values)) < 0.002
