"""What several tools share: words to write their tables in, where they draw the line, ties."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mlm_helpers.blocks import blocks
from mlm_helpers.conventions.readings import Matrix, any_tie
from mlm_helpers.conventions.records import NO_RULE, Departure, Options, Rule, Translation

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
    says: str, y_true: list[list[int]], y_other: Sequence[Sequence[float]], shows: str
) -> Callable[[Rule], Departure]:
    """Make a departure of the rule that it decorates."""
    return functools.partial(Departure, says, y_true, y_other, shows)


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
    **start: int,
) -> Translation:
    """A translation of a metric that reads ranks."""
    options = {**start, "ties": ties, "undefined": undefined}
    return Translation(call, options, departures, settings or {})


def unstable_from(n_labels: int) -> Rule:
    """From so many labels on, an unstable sort breaks ties; where they matter, no rule holds."""

    def number(ours: Any, truth: Matrix, other: Matrix) -> str | None:
        if truth.shape[1] < n_labels or not any_tie(other):
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
