"""What an assignment is graded by: whose data they are, and what an answer is worth a point for."""

import hashlib
import random
import sys
import unicodedata
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from mlm_helpers import catalogue
from mlm_helpers.course.practice.answers import nothing_read, read
from mlm_helpers.course.practice.judging import judge, judged
from mlm_helpers.course.practice.trials import World
from mlm_helpers.course.practice.verdict import Verdict

_LARGER = 20  # worlds that nobody has seen
_LIBRARIES = {"mlm_helpers", "sklearn"}


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
    """Judge a function that is to be somebody's own: on all small data, and on larger ones.

    What calls this package or scikit-learn is not one's own.
    """
    borrowed = next(_borrowed(function), "")
    if borrowed:
        return Verdict(False, f"It calls {borrowed}: the function is to be your own.")
    verdict = judge(metric, function)
    return judged(metric, function, list(_larger(metric))) if verdict.right else verdict


def _borrowed(function: Any) -> Iterator[str]:
    """What of a library a function is, or what it and the functions of its notebook use."""
    found = [function.func if isinstance(function, partial) else function]
    notebook = getattr(found[0], "__globals__", None)
    for one in found:  # it grows
        home = str(getattr(one, "__module__", getattr(one, "__name__", "")))
        if home.partition(".")[0] in _LIBRARIES:
            yield str(getattr(one, "__name__", home))
        elif isinstance(one, FunctionType) and one.__globals__ is notebook:
            found += [part for part in _used(one) if all(part is not known for known in found)]


def _used(function: FunctionType) -> Iterator[Any]:
    """What a function has by default, knows by a name, or imports."""
    yield from function.__defaults__ or ()
    codes = [function.__code__]
    for code in codes:  # with those of the functions within
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
        for name in code.co_names:
            yield from (function.__globals__.get(name), sys.modules.get(name))


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
