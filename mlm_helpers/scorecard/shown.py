"""How a scorecard looks: a row for each metric, then what is left out and what bins know."""

from collections.abc import Iterable, Mapping
from reprlib import repr as shortened

from mlm_helpers.board import Board, Sentence, Step, Table
from mlm_helpers.scorecard.bins import Bound
from mlm_helpers.scorecard.lines import Line
from mlm_helpers.scorecard.sums import Conventions
from mlm_helpers.uncertainty import Interval

NO_INTERVAL = "No interval: counts between cuts are not kept of each replicate."


def table(
    title: str,
    lines: Iterable[Line],
    conventions: Conventions,
    *,
    left_out: Mapping[str, str],
    intervals: Mapping[str, Interval],
    bounds: Mapping[str, Bound],
    n_cuts: int,
) -> Board:
    """The metrics as a table, with columns for intervals where there are any."""
    rows = tuple(
        (
            line.name,
            line.record.family,
            f"{line.value:.6g}",
            *(f"{number:.6g}" for number in intervals.get(line.name, ())[1:4]),
            "↑" if line.record.higher_is_better else "↓",
            f"{line.without} of {line.of}" if line.without else "–",
            line.in_sklearn,
        )
        for line in lines
    )
    sure = ("95 % from", "to", "standard error") if intervals else ()
    header = ("metric", "family", "value", *sure, "better", "without a value", "in scikit-learn")
    chosen = ", ".join(f"{name}={shortened(value)}" for name, value in conventions.items())
    steps: list[Step] = [Table(chosen, header, rows)]
    steps += [Sentence(f"Left out: {name}: {why}.") for name, why in left_out.items()]
    if bounds:
        caption = f"Between {n_cuts} cuts of the scores" if n_cuts > 1 else "At one cut"
        known = tuple((name, *(f"{v:.6g}" for v in bound)) for name, bound in bounds.items())
        steps.append(Table(caption, ("metric", "binned", "at least", "at most"), known))
        if intervals:
            steps.append(Sentence(NO_INTERVAL))
    return Board(title, tuple(steps))
