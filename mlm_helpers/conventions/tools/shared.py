"""What several tools share: what they can be asked for, where they draw the line, how a call is run."""

import functools
import math
from collections.abc import Callable
from typing import Any

from mlm_helpers.conventions.readings import Matrix
from mlm_helpers.conventions.records import NO_RULE, Departure, Rule

ALL_AVERAGES = ("macro", "micro", "weighted")
ONE = {"zero_division=1": {"zero_division": 1.0}}
LEFT_OUT = {"zero_division=nan": {"zero_division": math.nan}}

ABOVE_HALF = Departure(
    "a score of exactly 0.5 is a no: the threshold is score > 0.5", [[1]], [[0.5]], "predicted 0"
)
FROM_HALF = Departure(
    "a score of exactly 0.5 is a yes: the threshold is score >= 0.5", [[1]], [[0.5]], "predicted 1"
)


def unstable_from(n_labels: int) -> Rule:
    """From so many labels on, ties are broken by a sort that is not stable; where they matter, no rule holds."""

    def number(ours: Any, truth: Matrix, other: Matrix) -> str | None:
        worst, best = (functools.partial(ours, ties=t)(truth, other) for t in ("worst", "best"))
        return NO_RULE if truth.shape[1] >= n_labels and worst != best else None

    return number


UNSTABLE = Departure(
    "ties are broken by a sort that is not stable: from four labels on the winner depends on the processor",
    [[0, 0, 0, 1]], [[0, 0, 0.25, 0.25]], "0 or 1", unstable_from(4),
)  # fmt: skip


def evaluated(call: str, find: Callable[[str], Any]) -> Any:
    """Read a call as Python does, with what `find` gives for its names; a bare name is called.

    Examples
    --------
    >>> evaluated("1 - loss", {"loss": lambda: 0.25}.get)
    0.75
    """

    class Names(dict[str, Any]):
        def __missing__(self, name: str) -> Any:
            return find(name)

    return eval(call if call.endswith(")") else f"{call}()", {"__builtins__": {}}, Names())


def keywords(setting: str) -> dict[str, Any]:
    """Read a setting as the keyword arguments that it is.

    Examples
    --------
    >>> keywords("zero_division=1")
    {'zero_division': 1}
    """
    asked: dict[str, Any] = eval(f"dict({setting})", {"dict": dict, "nan": math.nan})
    return asked
