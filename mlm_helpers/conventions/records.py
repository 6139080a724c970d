"""What is known of a tool, and the numbers that tools gave."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from numpy.typing import NDArray

from mlm_helpers.conventions.readings import reads_scores

Options = Mapping[str, Any]
Matrix = NDArray[Any]


@dataclass(frozen=True)
class Departure:
    """What a tool does that no option of ours can say.

    Attributes
    ----------
    says : str
        In words.
    y_true, y_other : nested lists
        The smallest input that shows it; predictions, or scores for a ranking metric.
    shows : str
        What the tool gives on it.
    number : callable or None
        ``number(y_true, y_other, options)`` is the tool's number, or the error that it raises as
        ``"raises NameOfError"``, where it departs, and None elsewhere. None where the number depends on
        more than the data, such as the cut into batches.
    """

    says: str
    y_true: list[list[int]]
    y_other: Sequence[Sequence[float]]
    shows: str
    number: Callable[[Matrix, Matrix, Options], float | str | None] | None = None


@dataclass(frozen=True)
class Translation:
    """One metric of a tool.

    Attributes
    ----------
    call : str
        What the tool calls it.
    options : mapping
        Our keyword arguments that return its number.
    departures : tuple of Departure
    settings : mapping of str to mapping
        What the tool can be asked for beside its default, and the options of ours that this changes.
    """

    call: str
    options: Options = field(default_factory=dict)
    departures: tuple[Departure, ...] = ()
    settings: Mapping[str, Options] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """What is known about a tool.

    Attributes
    ----------
    name, version : str
    known : str
        "run" (``make peers`` runs it), "recorded run" (it was run once and its numbers were kept) or
        "read in source".
    metrics : mapping of str to Translation
        By the name that `catalogue.describe` gives our metric.
    settings : tuple of str
        What it can be asked for beside its default; a metric that does not listen stays as it is.
    notes : tuple of Departure
        What concerns all its metrics.
    """

    name: str
    version: str
    known: str
    metrics: Mapping[str, Translation]
    settings: tuple[str, ...] = ()
    notes: tuple[Departure, ...] = ()


def translations(
    calls: Mapping[str, str],
    averages: Sequence[str] = (),
    departures: Mapping[str, Departure] | None = None,
    settings: Mapping[str, Options] | None = None,
    **options: Any,
) -> dict[str, Translation]:
    """One translation per name; ``{average}`` in a name and its call stands for each average."""
    table = {}
    for name, call in calls.items():
        for average in averages if "{average}" in name else [""]:
            ours = name.replace("{average}", average)
            departs = (departures or {}).get(ours)
            table[ours] = Translation(
                call.replace("{average}", average),
                options,
                (departs,) if departs else (),
                settings or {},
            )
    return table


def same(a: float | str, b: float | str) -> bool:
    """Whether two numbers are one to 1e-6, nan included, or two refusals the same.

    Single precision leaves no more of a tool's number, and some tools divide by x + 1e-9.
    """
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a == b or abs(a - b) <= 1e-6 or (math.isnan(a) and math.isnan(b))


@dataclass(frozen=True)
class Recorded:
    """An input, and what the tools gave on it: ``numbers[metric][tool]``, the tool with its setting."""

    name: str
    why: str
    y_true: list[list[int]]
    y_pred: list[list[int]]
    y_score: list[list[float]]
    numbers: Mapping[str, Mapping[str, float | str]]

    def other(self, metric: str) -> list[list[float]] | list[list[int]]:
        """What the metric reads beside the truth."""
        return self.y_score if reads_scores(metric) else self.y_pred


@functools.cache
def recorded() -> tuple[Recorded, ...]:
    """Inputs and tools' numbers as they were recorded.

    Examples
    --------
    >>> recorded()[0].numbers["samples F1"]["MULAN"]
    1.0
    """
    return tuple(
        Recorded(
            **case
            | {
                "numbers": {
                    metric: {
                        tool: value if str(value).startswith("raises") else float(value)
                        for tool, value in values.items()
                    }
                    for metric, values in case["numbers"].items()
                }
            }
        )
        for case in _file("field.json")["inputs"]
    )


def last_run() -> dict[str, Any]:
    """What ``make peers`` found when it last ran the tools: date, versions and counts."""
    return _file("peers.json")


def _file(name: str) -> dict[str, Any]:
    text = resources.files("mlm_helpers").joinpath("records", name).read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
