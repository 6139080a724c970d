"""The tools' numbers side by side with ours."""

from typing import Any

from mlm_helpers._core import inputs
from mlm_helpers.board import Board, Table
from mlm_helpers.board.values import written
from mlm_helpers.conventions.identify import way
from mlm_helpers.conventions.quantities import quantity_of
from mlm_helpers.conventions.tool import close, load, recorded
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.conventions.translate import numbers_of

_READ = {"y_pred": "predicted", "y_score": "scores", "y_prob": "probabilities"}


def compare(name: str, case: str) -> Board:
    """Table of the tools' numbers of one metric on one recorded input, beside ours.

    One row per number: the tool that gives it, what it calls the metric, our options and the number
    that our function gives with them. Of a tool that was only read in source it is what its rule
    gives. A ValueError says which metrics or inputs there are.

    Parameters
    ----------
    name : str
        The metric, as `catalogue.describe` names it.
    case : str
        The name of a recorded input.

    Examples
    --------
    >>> print(compare("samples F1", "perfect+both_empty").steps[0].rows[0][:2])
    ('scikit-learn', '0.5')
    """
    quantity, cases = quantity_of(name), {record.name: record for record in recorded()}
    inputs.one_of(case, list(cases), "case")
    record = cases[case]
    rows = []
    for tool in TOOLS.values():
        if translation := tool.metrics.get(quantity.general):
            theirs, ours = numbers_of(tool.name, name, record.y_true, record.other(name))
            asked = ", ".join(way(translation.options)) or "–"
            by_option = written(ours, 6) if close(theirs, ours) else "no option says it"
            shown = written(record.numbers.get(name, {}).get(tool.name, theirs), 6)
            rows.append((tool.name, shown, translation.call, asked, by_option))
    if not rows:
        raise ValueError(f"name is {name!r}: no tool here has it")
    header = ("tool", "its number", "its name for it", "our options", "ours")
    given = record.y_pred if quantity.reads == "y_pred" else record.y_score
    caption = f"truth {record.y_true}, {_READ[quantity.reads]} {given}"
    return Board(f"{name}: {record.why}", (Table(caption, header, tuple(rows)),))


def last_run() -> dict[str, Any]:
    """Date, versions and counts of the last run of ``make peers``, which runs the tools."""
    return load("peers")
