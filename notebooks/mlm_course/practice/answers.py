"""Answers: read as numbers, a fraction, a decimal or a percentage; whether they fit a value; the verdict."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers._core import inputs
from mlm_helpers.conventions.identify import Target, match_kind
from mlm_helpers.tables import Display
from mlm_helpers.tables.numbers import decimal
from mlm_helpers.tables.render import escape_html

MIN_DECIMALS = 2  # decimals, from which on a rounded value is right
EXACT_DECIMALS = 400  # decimals of a fraction: it can only be exact
_LONGEST = 60  # characters of a text, and digits of a number
_NUMBER = r"((?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d{1,2})?)"
_FORMS = re.compile(
    rf"[=≈~\s]*(?P<sign>[-−+]?)\s*(?:(?P<whole>\d+)\s+)?{_NUMBER}(?:\s*[/÷:]\s*{_NUMBER})?\s*(?P<percent>%?)(?:\.{{3}}|…|(?<![.,])\.)?"
)


class Answer(NamedTuple):
    """A number, its decimals, and its text."""

    value: Fraction
    decimals: int
    text: str
    is_percentage: bool = False

    def match_kind(self, value: float | Fraction) -> str:
        """How the value becomes the answer: "exactly", "rounded", "truncated", or "" if it does not."""
        return match_kind(Target(float(self.value), self.decimals), float(value))

    def is_right(self, value: float | Fraction) -> bool:
        """Whether the answer is the value, exactly or at two or more decimals."""
        fit = self.match_kind(value)
        return fit == "exactly" or (fit != "" and self.decimals >= MIN_DECIMALS)

    def shifted(self, places: int) -> "Answer":
        """The same digits with the point moved to the right."""
        decimals = (
            self.decimals if self.decimals == EXACT_DECIMALS else max(0, self.decimals - places)
        )
        return self._replace(value=self.value * Fraction(10) ** places, decimals=decimals)


def read_answer(given: Any) -> Answer | None:
    """The answer as a number; None if it is none.

    Examples
    --------
    >>> [float(read_answer(given).value) for given in ("19/20", "0,95", "95 %", 0.95, Fraction(19, 20))]
    [0.95, 0.95, 0.95, 0.95, 0.95]
    >>> read_answer("half of it")
    """
    if isinstance(given, np.ndarray) and given.ndim == 0:
        given = given[()]
    if isinstance(given, np.float16 | np.float32):  # all digits that are sure
        given = f"{given:.{np.finfo(given.dtype).precision}g}"
    if isinstance(given, np.generic):
        given = given.item()
    if isinstance(given, Fraction):
        is_short = max(abs(given.numerator), given.denominator) < 10**_LONGEST
        return Answer(given, EXACT_DECIMALS, str(given)) if is_short else None
    if isinstance(given, int | float | Decimal) and not isinstance(given, bool):
        number = Decimal(given) if isinstance(given, int) else Decimal(str(given))
        if not number.is_finite() or abs(number.adjusted()) >= _LONGEST:
            return None
        return _of_decimal(number, decimal(given) if isinstance(given, float) else str(given))
    return _of_text(given) if isinstance(given, str) else None


def _of_decimal(number: Decimal, written: str) -> Answer:
    return Answer(Fraction(number), max(0, -int(number.as_tuple().exponent)), written)


def _of_text(text: str) -> Answer | None:
    """The number in a text, where a comma is a point."""
    found = _FORMS.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if not found:
        return None
    above, below = (Decimal((part or "1").replace(",", ".")) for part in found.group(3, 4))
    is_decimal, sign = not found[4], 1 if found["sign"] in ("", "+") else -1
    if not below or (is_decimal and found["whole"]):
        return None
    value = sign * (int(found["whole"] or 0) + Fraction(above) / Fraction(below))
    decimals = _of_decimal(above, "").decimals if is_decimal else EXACT_DECIMALS
    answer = Answer(value, decimals, text.strip().rstrip(".…"))
    return answer.shifted(-2)._replace(is_percentage=True) if found["percent"] else answer


def no_number_message(given: Any) -> str:
    """The sentence for an answer without a number."""
    what = "a fraction such as 2/3, a decimal such as 0.667 or a percentage such as 66.7 %"
    if isinstance(given, str) and not given:
        return f"No answer yet: write {what} between the quotes, and run the cell."
    is_number = isinstance(given, int | float | Decimal | Fraction)
    no = "no value of a metric" if is_number else "no number"
    return f"The answer is {inputs.short_repr(given)}, and {no} can be read in it: give {what}."


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether an answer is right, with a sentence; shows itself.

    Attributes
    ----------
    right : True, False, or None where it cannot be told
    says : str
    counterexample : Board, or None
        What can be looked at: data, numbers, the worked solution.
    """

    right: bool | None
    says: str
    counterexample: Display | None = None

    def __repr__(self) -> str:
        """Show the verdict as text."""
        return "\n\n".join(
            [self.says, *([repr(self.counterexample)] if self.counterexample else [])]
        )

    def _repr_html_(self) -> str:
        beside = f"\n{self.counterexample.to_html()}" if self.counterexample else ""
        return f"<p>{escape_html(self.says)}</p>{beside}"
