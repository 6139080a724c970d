"""What is known of a tool, and the numbers that tools gave."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import numpy as np

from mlm_helpers._core import inputs
from mlm_helpers.conventions.cached_data import CachedData
from mlm_helpers.conventions.quantities import quantity_of

Options = Mapping[str, Any]
Rule = Callable[[Any, CachedData], float | str | None]
NO_RULE = "no rule holds"


@dataclass(frozen=True)
class Departure:
    """What a tool does that no option of ours can say.

    Its rule is as in `rules`; there is none where more than the data decides, such as the cut into batches.
    """

    says: str
    y_true: list[list[int]]  # with y_pred the smallest input that shows it
    y_pred: Sequence[Sequence[float]]  # predictions, or scores for a ranking metric
    shows: str  # what the tool gives on it
    number: Rule | None = None
    under: Sequence[str] = ()  # the settings under which it departs; all, if empty


@dataclass(frozen=True)
class Translation:
    """One metric of a tool."""

    call: str = ""  # what the tool calls it
    options: Options = field(default_factory=dict)  # of ours, that return its number
    departures: tuple[Departure, ...] = ()
    settings: Mapping[str, Options] = field(default_factory=dict)  # what they change of the options

    def options_under(self, setting: str) -> dict[str, Any]:
        """Our keyword arguments that return its number under a setting, or "" for its default."""
        return {**self.options, **self.settings.get(setting, {})}

    def departures_under(self, setting: str) -> tuple[Departure, ...]:
        """What it does under a setting that no option of ours says."""
        return tuple(d for d in self.departures if not d.under or setting in d.under)


@dataclass(frozen=True)
class Tool:
    """What is known about a tool."""

    name: str
    version: str
    known: str  # "run" (by ``make peers``), "recorded run" (once) or "read in source"
    metrics: Mapping[str, Translation]  # by the name that `catalogue.general_name` gives our metric
    settings: Sequence[str] = ()  # other answers than its default, if a metric listens to them
    notes: tuple[Departure, ...] = ()  # what concerns all its metrics
    examples: Sequence[Mapping[str, Any]] = ()  # its numbers by hand, for the tests

    def translations_of(self, general: str) -> Iterator[tuple[str, Translation]]:
        """The settings under which it answers differently for a metric, its default "" first."""
        if translation := self.metrics.get(general):
            yield "", translation
            yield from ((one, translation) for one in self.settings if one in translation.settings)

    def key(self, setting: str) -> str:
        """The tool with its setting, as `options` reads it and the records name it."""
        return f"{self.name}, {setting}" if setting else self.name


def is_close(
    a: float | str, b: float | str, relative: float = 1e-9, absolute: float = 1e-12
) -> bool:
    """Whether two numbers are one, nan included, or two refusals; by default, two numbers of our own.

    Those differ by the order in which they were added up, if at all.
    """
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    is_close = math.isclose(a, b, rel_tol=relative, abs_tol=absolute)
    return is_close or (math.isnan(a) and math.isnan(b))


@dataclass(frozen=True)
class RecordedCase:
    """An input, and ``numbers[metric][tool]`` on it, of a tool with its setting.

    A score of None is none: the label was not scored, and the scores are given as a sparse matrix.
    """

    name: str
    why: str
    y_true: list[list[int]]
    y_pred: list[list[int]]
    y_score: list[list[float | None]]
    numbers: Mapping[str, Mapping[str, float | str]]

    def prediction_for(self, metric: str) -> Any:
        """What the metric reads beside the truth: nested lists, an array or a CSR array."""
        if quantity_of(metric).reads == "y_pred":
            return self.y_pred
        scores = np.array(self.y_score, dtype=float)  # None becomes nan
        return inputs.stored_scores(scores) if np.isnan(scores).any() else scores


def recorded_cases() -> tuple[RecordedCase, ...]:
    """Inputs and tools' numbers as they were recorded.

    Examples
    --------
    >>> recorded_cases()[0].numbers["samples F1"]["MULAN"]
    1.0
    """
    cases = _load("field")["inputs"]
    for case in cases:
        for numbers in case["numbers"].values():
            for tool, value in numbers.items():  # as text: a refusal, or a number that JSON lacks
                numbers[tool] = value if str(value).startswith("raises") else float(value)
    return tuple(RecordedCase(**case) for case in cases)


def last_run() -> dict[str, Any]:
    """Date, versions and counts of the last run of ``make peers``, which runs the tools."""
    return _load("peers")


def _load(name: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    return dict(json.loads(text))
