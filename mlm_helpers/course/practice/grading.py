"""Grading of assignments: data of each student's own, and which answers earn points."""

import contextlib
import hashlib
import random
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from types import FrameType
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers.course.practice import limit
from mlm_helpers.course.practice.answers import nothing_read, read
from mlm_helpers.course.practice.judging import SECONDS, judge, judged, lists
from mlm_helpers.course.practice.trials import World
from mlm_helpers.course.practice.verdict import Verdict

_LARGER = 20  # worlds that nobody has seen
_LIBRARIES = ("mlm_helpers", "sklearn")


def seed_of(student: object) -> int:
    """Give every student data of their own: a seed from a name or a number.

    It is the same on every machine. Capitals, spaces around it and the way in which accents are
    stored do not matter.

    Examples
    --------
    >>> seed_of("ada") == seed_of(" Ada ") != seed_of("alan")
    True
    """
    name = unicodedata.normalize("NFKC", str(student)).strip().casefold()
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")


def number(answer: Any, *values: str, unmended: str = "") -> Verdict:
    """Judge an answer that is right if it is one of the values, exactly or at two or more decimals.

    Parameters
    ----------
    answer : text or number
        As `sheet` takes it: a fraction, a decimal or a percentage.
    *values : str
        Fractions or decimals.
    unmended : str
        What the script prints that was to be mended.

    Examples
    --------
    >>> number("0.42", "5/12").right
    True
    >>> number("5/9", "5/12", unmended="5/9")
    5/9 is what the script prints before it is mended.
    """
    given = read(answer)
    if given is None:
        return Verdict(None, nothing_read(answer))
    if any(given.is_right(Fraction(value)) for value in values):
        return Verdict(True, f"Right: {given.written}.")
    if unmended and given.is_right(Fraction(unmended)):
        return Verdict(False, f"{given.written} is what the script prints before it is mended.")
    if any(given.fits(Fraction(value)) for value in values):
        return Verdict(False, f"{given.written} is close: give two or more decimals.")
    return Verdict(False, f"{given.written} is not right.")


def of(verdict: Verdict, owner: str, student: str) -> Verdict:
    """Say of a wrong answer also that it is to the question of somebody else."""
    if verdict.right or seed_of(owner) == seed_of(student):
        return verdict
    return Verdict(
        verdict.right,
        f"{verdict.says} The first cell does not name {owner}, whose data are asked.",
    )


def own(metric: Callable[..., Any], function: Callable[[Any, Any], Any]) -> Verdict:
    """Judge a function that a student is to write: on all small data, then on larger ones.

    A function that runs code of this package or of scikit-learn is refused.
    """
    larger = list(_larger(metric))
    library = _library(function, larger[0])
    if library:
        return Verdict(False, f"The function calls {library}: write the formula yourself.")
    verdict = judge(metric, function)
    return judged(metric, function, larger) if verdict.right else verdict


def _library(function: Callable[[Any, Any], Any], world: World) -> str:
    """The library whose code runs when the function does, or ""."""
    called: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add(str(frame.f_globals.get("__name__", "")).partition(".")[0])

    def call(data: Sequence[Any]) -> None:
        sys.setprofile(note)  # of the thread of this call alone
        with contextlib.suppress(Exception):  # it may take only one of arrays and lists
            function(*data)
        sys.setprofile(None)

    data = world.y_true, world.y_other
    either: list[Any] = [list(map(np.array, data)), list(map(lists, data))]
    limit.results(call, either, SECONDS, SECONDS)
    return next((library for library in _LIBRARIES if library in called), "")


def _larger(metric: Callable[..., Any]) -> Iterator[World]:
    """Drawn data, of more samples and labels than the judge's."""
    rng = random.Random(0)
    levels = [0, 1] if catalogue.of(metric).reads == "y_pred" else [0.1, 0.3, 0.5, 0.7, 0.9]
    for _ in range(_LARGER):
        n_samples, n_labels = rng.randint(5, 9), rng.randint(5, 9)
        y_true, other = (
            tuple(tuple(rng.choice(cells) for _ in range(n_labels)) for _ in range(n_samples))
            for cells in ([0, 1], levels)
        )
        yield World(y_true, other, float(metric(y_true, other)), True)
