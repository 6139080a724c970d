"""Answers of learners: read as numbers, compared with a value, and the verdict on them."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers._core.inputs.refuse import short_repr
from mlm_helpers.conventions.identify import Target, match_kind
from mlm_helpers.tables import Display
from mlm_helpers.tables.numbers import decimal
from mlm_helpers.tables.render import escape_html

MIN_DECIMALS = 2  # a rounded value with fewer decimals does not count as right
EXACT_DECIMALS = 400  # decimals of a fraction: so many that only an equal value matches
_MAX_LENGTH = 60  # characters of a text, and digits of a number
_NUMBER = r"(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d{1,2})?"
_ANSWER = re.compile(
    rf"[=≈~\s]*(?P<sign>[-−+]?)\s*(?:(?P<whole>\d+)\s+)?(?P<numerator>{_NUMBER})"
    rf"(?:\s*[/÷:]\s*(?P<denominator>{_NUMBER}))?\s*(?P<percent>%?)(?:\.{{3}}|…|(?<![.,])\.)?"
)


class Answer(NamedTuple):
    """A learner's answer as a number, with its decimals and its text."""

    value: Fraction
    decimals: int  # `EXACT_DECIMALS` for a fraction
    text: str
    is_percentage: bool = False

    def match_kind(self, value: float | Fraction) -> str:
        """How the value becomes the answer: "exactly", "rounded", "truncated" or "" (not)."""
        return match_kind(Target(float(self.value), self.decimals), float(value))

    def is_right(self, value: float | Fraction) -> bool:
        """Whether the answer is the value, exactly or at two or more decimals."""
        kind = self.match_kind(value)
        return kind == "exactly" or (kind != "" and self.decimals >= MIN_DECIMALS)

    def times_power_of_10(self, exponent: int) -> "Answer":
        """The answer with its decimal point moved to the right, or left by a negative exponent."""
        is_exact = self.decimals == EXACT_DECIMALS
        decimals = EXACT_DECIMALS if is_exact else max(0, self.decimals - exponent)
        return self._replace(value=self.value * Fraction(10) ** exponent, decimals=decimals)


def read_answer(answer: Any) -> Answer | None:
    """The number that a learner gave as a text or a number; None if no number can be read.

    Examples
    --------
    >>> answers = "19/20", "0,95", "95 %", 0.95, Fraction(19, 20)
    >>> [float(read_answer(answer).value) for answer in answers]
    [0.95, 0.95, 0.95, 0.95, 0.95]
    >>> read_answer("half of it")
    """
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer[()]
    if isinstance(answer, np.float16 | np.float32):  # their later digits are rounding errors
        answer = f"{answer:.{np.finfo(answer.dtype).precision}g}"
    if isinstance(answer, np.generic):
        answer = answer.item()
    if isinstance(answer, str):
        return _read_text(answer)
    if isinstance(answer, Fraction):
        is_short = max(abs(answer.numerator), answer.denominator) < 10**_MAX_LENGTH
        return Answer(answer, EXACT_DECIMALS, str(answer)) if is_short else None
    if not isinstance(answer, int | float | Decimal) or isinstance(answer, bool):
        return None
    number = Decimal(answer) if isinstance(answer, int) else Decimal(str(answer))
    if not number.is_finite() or abs(number.adjusted()) >= _MAX_LENGTH:
        return None
    text = decimal(answer) if isinstance(answer, float) else str(answer)
    return Answer(Fraction(number), _n_decimals(number), text)


def _read_text(text: str) -> Answer | None:
    """The number in a text, such as "2 2/3", "0,95" or "95 %"; None if there is none."""
    match = _ANSWER.fullmatch(text.strip()) if len(text) <= _MAX_LENGTH else None
    if not match:
        return None
    parts = match.group("numerator", "denominator")
    numerator, denominator = (Decimal((part or "1").replace(",", ".")) for part in parts)
    is_fraction = match["denominator"] is not None
    if denominator == 0 or (match["whole"] and not is_fraction):
        return None
    value = int(match["whole"] or 0) + Fraction(numerator) / Fraction(denominator)
    value = value if match["sign"] in ("", "+") else -value
    decimals = EXACT_DECIMALS if is_fraction else _n_decimals(numerator)
    answer = Answer(value, decimals, text.strip().rstrip(".…"))
    if match["percent"]:
        return answer.times_power_of_10(-2)._replace(is_percentage=True)
    return answer


def _n_decimals(number: Decimal) -> int:
    return max(0, -int(number.as_tuple().exponent))


def no_number_message(answer: Any) -> str:
    """The sentence for an answer that is empty, or in which no number can be read."""
    forms = "a fraction such as 2/3, a decimal such as 0.667 or a percentage such as 66.7 %"
    if isinstance(answer, str) and not answer:
        help_ = "In place of .check, .hint() shows the counts and .solution() every step."
        return f"No answer yet: write {forms} between the quotes, and run the cell. {help_}"
    is_number = isinstance(answer, int | float | Decimal | Fraction)
    problem = "no value of a metric" if is_number else "no number"
    text = short_repr(answer)
    return f"The answer is {text}, and {problem} can be read in it: give {forms}."


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether an answer or a function is right, with a sentence; a notebook displays it.

    Attributes
    ----------
    right : True, False, or None where no answer can be read
    says : the sentence
    counterexample : the smallest data on which a function is wrong, with the worked solution; or
    None
    """

    right: bool | None
    says: str
    counterexample: Display | None = None

    def __repr__(self) -> str:
        """Show the verdict as text."""
        data = [repr(self.counterexample)] if self.counterexample else []
        return "\n\n".join([self.says, *data])

    def _repr_html_(self) -> str:
        data = f"\n{self.counterexample.to_html()}" if self.counterexample else ""
        return f"<p>{escape_html(self.says)}</p>{data}"
