"""How a scorecard looks: a line for each metric."""

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from mlm_helpers import catalogue
from mlm_helpers import conventions as tools
from mlm_helpers.board import Board, Sentence, Step, Table

if TYPE_CHECKING:
    from mlm_helpers.scorecard.card import Scorecard


class Line(NamedTuple):
    """One metric of a scorecard."""

    name: str
    metric: functools.partial[Any]
    value: float
    without: int
    of: str

    @property
    def record(self) -> catalogue.Metric:
        """What is known of it."""
        return catalogue.of(self.metric)


def table(card: "Scorecard", lines: Iterable[Line]) -> Board:
    """Show each line, what is left out, and what is known of the curves."""
    intervals = card.intervals()
    rows = tuple(
        (
            line.name,
            line.record.family,
            f"{line.value:.6g}",
            *(f"{number:.6g}" for number in intervals.get(line.name, ())[1:4]),
            "↑" if line.record.higher_is_better else "↓",
            f"{line.without} of {line.of}" if line.without else "–",
            tools.names(line.metric).get("scikit-learn", "–"),
        )
        for line in lines
    )
    sure = ("95 % from", "to", "standard error") if intervals else ()
    header = ("metric", "family", "value", *sure, "better", "without a value", "in scikit-learn")
    said = ", ".join(f"{name}={value!r}" for name, value in card.conventions.items())
    missing = (Sentence(f"Left out: {name}: {why}.") for name, why in card.left_out().items())
    steps: list[Step] = [Table(said, header, rows), *missing]
    if card.bins is not None:
        known = tuple(
            (name, *(f"{value:.6g}" for value in bound)) for name, bound in card.bounds().items()
        )
        number = len(card.bins.cuts)
        caption = f"Between {number} cuts of the scores" if number > 1 else "At one cut"
        steps.append(Table(caption, ("metric", "binned", "at least", "at most"), known))
        if intervals:
            steps.append(Sentence(NO_INTERVAL))
    return Board(f"{card.n_samples} samples, {card.n_labels} labels", tuple(steps))


NO_INTERVAL = "No interval: counts between cuts are not kept of each replicate."
