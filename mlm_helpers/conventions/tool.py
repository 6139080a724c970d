"""Records of a tool and of what it computes; the stored numbers that tools gave.

A tool can have settings, such as "no threshold" of keras, each of which changes some of its
metrics. Without a setting, "", a tool computes its defaults.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mlm_helpers.conventions.cached_data import CachedData, stored_scores
from mlm_helpers.conventions.quantities import Quantity, quantity_of

Options = Mapping[str, Any]
Number = float | str  # text is an error, such as "raises ValueError"
Rule = Callable[[Quantity, CachedData], Number | None]
NO_RULE = "no rule holds"  # in place of a number that the data alone do not decide
# How a tool's numbers are known: `make peers` runs it; it was run once; it was never run.
EVIDENCE = "run", "recorded run", "read in source"


@dataclass(frozen=True)
class Departure:
    """A tool's behaviour that no option of our functions expresses.

    It has a rule where the data alone decide the number, not, say, how they are split into batches.
    """

    says: str  # the behaviour in words
    y_true: list[list[int]]  # with y_pred the smallest input on which the tool's number differs
    y_pred: Sequence[Sequence[float]]  # predictions, or scores for a ranking metric
    shows: str  # the tool's number on this input
    rule: Rule | None = None  # computes the tool's number, see `rules`
    settings: Sequence[str] = ()  # the settings under which it departs; all, if empty


@dataclass(frozen=True)
class Translation:
    """One metric of a tool, in terms of our function."""

    call: str = ""  # the tool's name for it, or the expression that computes it
    options: Options = field(default_factory=dict)  # of our function, that return the tool's number
    departures: tuple[Departure, ...] = ()
    # By the name of a setting, the options that it changes.
    settings: Mapping[str, Options] = field(default_factory=dict)

    def under(self, setting: str) -> "Translation":
        """The tool's metric under a setting, with the departures that apply there."""
        options = {**self.options, **self.settings.get(setting, {})}
        departures = [d for d in self.departures if not d.settings or setting in d.settings]
        return Translation(self.call, options, tuple(departures))


@dataclass(frozen=True)
class Tool:
    """A tool, such as scikit-learn, with the metrics that it has."""

    name: str
    version: str
    known: str  # one of `EVIDENCE`
    metrics: Mapping[str, Translation]  # by our metric's `catalogue.general_name`
    settings: Sequence[str] = ()  # such as "zero_division=1"; each changes at least one metric
    notes: tuple[Departure, ...] = ()  # departures that concern all its metrics
    examples: Sequence[Mapping[str, Any]] = ()  # its numbers computed by hand, for the tests

    def translations_of(self, general_name: str) -> Iterator[tuple[str, Translation]]:
        """The default "" and each setting that changes the metric, with the metric under it."""
        if translation := self.metrics.get(general_name):
            for setting in ("", *translation.settings):
                yield setting, translation.under(setting)

    def key(self, setting: str) -> str:
        """The tool's name with a setting, such as "keras, no threshold": a key of its numbers."""
        return f"{self.name}, {setting}" if setting else self.name


def is_close(a: Number, b: Number, absolute: float = 1e-12) -> bool:
    """Whether two numbers are equal up to rounding, or two errors are the same text.

    Here nan equals nan. Numbers may differ by a billionth of the larger one, or by ``absolute``,
    which by default is for small numbers of this package: they differ by the rounding of sums.
    """
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    both_nan = math.isnan(a) and math.isnan(b)
    return both_nan or math.isclose(a, b, abs_tol=absolute)


@dataclass(frozen=True)
class RecordedCase:
    """A small input, and the numbers that tools gave on it: ``numbers[metric][tool's key]``.

    The key is from `Tool.key`. A score of None means that the label has no score: tools get a
    sparse matrix of the others.
    """

    name: str
    why: str  # what is special about the input
    y_true: list[list[int]]
    y_pred: list[list[int]]
    y_score: list[list[float | None]]
    numbers: Mapping[str, Mapping[str, Number]]

    def prediction_for(self, metric: str) -> Any:
        """The label sets (nested lists) or scores (an array or CSR array) that the metric reads."""
        if quantity_of(metric).reads == "y_pred":
            return self.y_pred
        scores = np.array(self.y_score, dtype=float)  # None becomes nan
        return stored_scores(scores) if np.isnan(scores).any() else scores


def recorded_cases() -> tuple[RecordedCase, ...]:
    """All stored inputs with the numbers that tools gave on them.

    Examples
    --------
    >>> recorded_cases()[0].numbers["samples F1"]["MULAN"]
    1.0
    """
    text = (Path(__file__).parent / "field.json").read_text(encoding="utf-8")
    cases = json.loads(text)["inputs"]
    for case in cases:
        for numbers in case["numbers"].values():
            for tool, value in numbers.items():  # text is an error, or "nan" or "inf"
                numbers[tool] = value if str(value).startswith("raises") else float(value)
    return tuple(RecordedCase(**case) for case in cases)
