"""The tools' numbers side by side with ours."""

from __future__ import annotations

from mlm_helpers.board import Board, Table
from mlm_helpers.conventions.identify import brief, decimal_of, way_of
from mlm_helpers.conventions.readings import listed, reads_scores
from mlm_helpers.conventions.records import recorded
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.conventions.translate import any_beta, expressible, number, options_of, ours_of


def compare(name: str, case: str, *, settings: bool = False) -> Board:
    """Put the tools' numbers of one metric on one recorded input side by side with ours.

    Parameters
    ----------
    name : str
        The metric, as `catalogue.describe` names it.
    case : str
        The name of a recorded input.
    settings : bool
        Show also what tools give when asked for another answer than their default.

    Returns
    -------
    Board
        One row per number: the tools that give it, what they call the metric, our options and the number
        that our function gives with them. A tool that was only read in source has no recorded
        number; its row says what its rule gives.

    Raises
    ------
    ValueError
        If no tool has the metric, or no input has that name.

    Examples
    --------
    >>> print(compare("samples F1", "perfect+both_empty").steps[0].rows[0][:2])
    ('scikit-learn', '0.5')
    """
    found = {record.name: record for record in recorded()}
    if case not in found:
        raise ValueError(f"case is {case!r}: choose one of {listed(found)}")
    record = found[case]
    other = record.other(name)
    rows = []
    for tool in TOOLS.values():
        translation = tool.metrics.get(any_beta(name))
        for setting in ("", *(tool.settings if settings else ())):
            if translation is None or (setting and setting not in translation.settings):
                continue
            key = f"{tool.name}, {setting}" if setting else tool.name
            theirs = record.numbers.get(name, {}).get(key, number(key, name, record.y_true, other))
            ours = "no option says it"
            if expressible(key, name, record.y_true, other):
                ours = decimal_of(ours_of(key, name, record.y_true, other))
            said = ", ".join(way_of(options_of(tool, setting, name))) or "–"
            rows.append((brief(key), decimal_of(theirs), translation.call, said, ours))
    if not rows:
        raise ValueError(f"name is {name!r}: no tool here has it")
    header = ("tool", "its number", "its name for it", "our options", "ours")
    caption = f"truth {record.y_true}, {'scores' if reads_scores(name) else 'predicted'} {other}"
    return Board(f"{name}: {record.why}", (Table(caption, header, tuple(rows)),))
