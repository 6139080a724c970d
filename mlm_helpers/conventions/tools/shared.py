"""What several tools share: words to write their tables in, where they draw the line, ties."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mlm_helpers.blocks import blocks
from mlm_helpers.conventions.readings import Matrix, any_tie
from mlm_helpers.conventions.tool import NO_RULE, Departure, Options, Rule, Translation

ALL_AVERAGES = ("macro", "micro", "weighted")
ONE = {"zero_division=1": {"zero_division": 1.0}}
LEFT_OUT = {"zero_division=nan": {"zero_division": math.nan}}

ABOVE_HALF = Departure(
    "a score of exactly 0.5 is a no: the threshold is score > 0.5", [[1]], [[0.5]], "predicted 0"
)
FROM_HALF = Departure(
    "a score of exactly 0.5 is a yes: the threshold is score >= 0.5", [[1]], [[0.5]], "predicted 1"
)


def departure(
    says: str,
    y_true: list[list[int]],
    y_other: Sequence[Sequence[float]],
    shows: str,
    *under: str,
) -> Callable[[Rule], Departure]:
    """Make a departure of the rule that it decorates, under all settings or under those named."""
    return functools.partial(Departure, says, y_true, y_other, shows, under=under)


def translations(
    calls: Mapping[str, str],
    averages: Sequence[str] = (),
    settings: Mapping[str, Options] | None = None,
    **options: Any,
) -> dict[str, Translation]:
    """One translation per name; ``{average}`` in a name and its call stands for each average."""
    table = {}
    for name, call in calls.items():
        for average in averages if "{average}" in name else [""]:
            ours, theirs = (text.replace("{average}", average) for text in (name, call))
            table[ours] = Translation(theirs, options, settings=settings or {})
    return table


def ranked(
    call: str,
    ties: str,
    undefined: float,
    *departures: Departure,
    settings: Mapping[str, Options] | None = None,
    **own: Any,
) -> Translation:
    """A translation of a metric that reads ranks, with its own options."""
    options = {**own, "ties": ties, "undefined": undefined}
    return Translation(call, options, departures, settings or {})


def unstable_from(n_labels: int) -> Rule:
    """From so many labels on, an unstable sort breaks ties; where they matter, no rule holds."""

    def number(ours: Any, truth: Matrix, other: Matrix) -> str | None:
        is_dense = isinstance(other, np.ndarray)
        if truth.shape[1] < n_labels or (is_dense and not any_tie(other)):
            return None
        for rows in blocks(other):
            worst, best = (ours(truth[rows], other[rows], ties=t) for t in ("worst", "best"))
            if worst != best:
                return NO_RULE
        return None

    return number


UNSTABLE = Departure(
    "ties are broken by a sort that is not stable: from four labels on the winner depends on the"
    " processor",
    [[0, 0, 0, 1]], [[0, 0, 0.25, 0.25]], "0 or 1", unstable_from(4),
)  # fmt: skip
UNMEASURED = Departure(
    "who wins a tie was not measured",
    [[1, 0]], [[0.5, 0.5]], "0 or 1 at k = 1", unstable_from(2),
)  # fmt: skip


def at_k(
    *departures: Departure, ties: str, undefined: float, **calls: str
) -> dict[str, Translation]:
    """Translations of top-k metrics, each by its name and what a tool calls it."""
    table = {
        f"{name} at k": ranked(call, ties, undefined, *departures) for name, call in calls.items()
    }
    if "precision at k" in table:  # which every sample has
        table["precision at k"] = Translation(calls["precision"], {"ties": ties}, departures)
    return table


STEPS: dict[str, Any] = {
    "ties": "worst",
    "interpolation": None,
}  # the area under the steps of the curve


def nan_of_one(y_true: list[list[int]], y_score: list[list[float]], *under: str) -> Departure:
    """The departure of a mean over labels that one label without a value turns to nan."""

    def number(ours: Any, truth: Matrix, other: Matrix) -> float | None:
        missing = np.isnan(functools.partial(ours, average=None, undefined=math.nan)(truth, other))
        return math.nan if missing.any() else None

    says = "it is nan as soon as one label has no value"
    return Departure(says, y_true, y_score, "nan", number, under)
