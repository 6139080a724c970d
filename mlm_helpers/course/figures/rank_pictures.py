"""One sample's labels in the order of their scores."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlm_helpers import inputs
from mlm_helpers.board import Ratio
from mlm_helpers.board.numbers import with_decimal
from mlm_helpers.course.figures.look import INK, MARKS, PAPER, QUIET, SIZE, VERMILION
from mlm_helpers.course.figures.pen import box, headline, page, width_of, write
from mlm_helpers.course.figures.phrases import Labels, capital, counted, joined, named
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked.rank_steps import Label, pair_error

STEP = 0.62  # inches from one rank to the next
_READ = {
    "one-error": ranks.read_one_error,
    "coverage": ranks.read_coverage,
    "ranking loss": ranks.read_ranking_loss,
    "average precision": ranks.read_average_precision,
}


def rank_lists(
    scores: Mapping[str, Sequence[float]], y_true: ArrayLike, labels: Labels = None
) -> Axes:
    """One sample's labels in the order of each model's scores, and what ranking metrics read off.

    Relevant labels are filled and carry ✓ and the share of relevant labels down to their rank;
    a bracket with ⇅ joins each misordered pair; a dashed line shows how far one has to read.

    Parameters
    ----------
    scores : mapping of model name to one score per label
    y_true : 0 or 1 for each label, as a row or a matrix of one row
    labels : names, optional

    Examples
    --------
    >>> rank_lists({"model": [0.3, 0.4]}, [1, 0], ["sea", "sun"]).get_label()
    'Labels by rank. Model: 1 sun 0.4, 2 sea 0.3 (1/2 relevant); misordered sun before sea; \
one-error 1, coverage 2, ranking loss 1/1 = 1, average precision 1/2 = 0.5.'
    """
    row = np.atleast_2d(np.asarray(y_true))
    if len(row) != 1:
        raise ValueError(f"y_true has {len(row)} samples: give the labels of one")
    names = named(labels, row.shape[1], "label")
    lists = []
    for model, given in scores.items():
        data = inputs.label_scores(row, np.atleast_2d(np.asarray(given)))
        ranked = ranks.ranked(data.truth[0], data.other[0].tolist(), names=names)
        lists.append(_read(model, ranked))
    wide = 1.2 + width_of(names)
    column = max(1.9 + wide + 0.26 * max(len(r.misordered) for r in lists), 4.2)
    bottom = 1.15 + STEP * len(names) + 0.36 * max(len(r.summary) for r in lists)
    alt = f"Labels by rank. {' '.join(map(_sentence, lists))}"
    ax = page(max(column * len(lists), 8.4), bottom + 0.6, alt)
    for i, ranking in enumerate(lists):
        _draw_ranking(ax, 0.3 + column * i, wide, ranking)
    key = "✓ relevant, with its share of ✓ so far     ⇅ misordered pair"
    key += "     - - -  read down to here"
    write(ax, 0.3, bottom + 0.2, key, fontsize=SIZE - 2, color=QUIET)
    return ax


class _Ranking(NamedTuple):
    """One model's list, from the top down; tied labels share the largest rank."""

    model: str
    labels: list[Label]
    relevant: list[Label]
    misordered: list[tuple[Label, Label]]
    summary: list[str]


def _read(model: str, labels: list[Label]) -> _Ranking:
    """A list, its relevant labels, its misordered pairs, closest first, and the four metrics.

    Misordered are irrelevant labels with the relevant ones that they stand above or level.
    """
    columns = sorted(labels, key=lambda label: label.place)
    relevant = [label for label in columns if label.relevant]
    others = [label for label in columns if not label.relevant]
    pairs = [(b, a) for a in relevant for b in others if pair_error(a, b)]
    pairs.sort(key=lambda pair: abs(labels.index(pair[0]) - labels.index(pair[1])))
    summary = [f"{name} {_value(name, labels)}" for name in _READ]
    nothing = ["no relevant label: nothing to find"]
    return _Ranking(model, labels, relevant, pairs, summary if relevant else nothing)


def _value(name: str, labels: list[Label]) -> str:
    _, found = _READ[name](labels, {"ties": "worst", "start": 1})
    if isinstance(found, str):
        return "undefined"
    if name == "ranking loss" and isinstance(found, Ratio):
        return counted(found)
    return with_decimal(Fraction(found.above, found.below) if isinstance(found, Ratio) else found)


def _sentence(ranking: _Ranking) -> str:
    """One model's part of the alternative text."""
    rows = [
        f"{label.rank} {label.name} {label.score:g}"
        + f" ({_share(label)} relevant)" * label.relevant
        for label in ranking.labels
    ]
    wrong = [f"{above.name} before {below.name}" for above, below in ranking.misordered]
    pairs = f"; misordered {joined(wrong)}" if wrong else ""
    return f"{capital(ranking.model)}: {', '.join(rows)}{pairs}; {', '.join(ranking.summary)}."


def _share(label: Label) -> str:
    """How many relevant labels stand down to a relevant label's rank, and that rank."""
    return f"{label.rank_among_relevant}/{label.rank}"


def _draw_ranking(ax: Axes, left: float, width: float, ranking: _Ranking) -> None:
    """One model's list: ranks, boxes with names and scores, brackets, shares, reading depth."""
    x = left + 0.35
    middle = {label: 1.1 + STEP * i for i, label in enumerate(ranking.labels)}
    lanes = x + width + 0.26 * len(ranking.misordered) + 0.3
    headline(ax, capital(ranking.model), left)
    for label, y in middle.items():
        write(ax, left, y, str(label.rank), color=QUIET, label="rank")
        draw_ranked(ax, x, y, width, (label.name, label.score, label.relevant))
    for label in ranking.relevant:
        write(ax, lanes + 0.05, middle[label], _share(label), fontweight="bold", label="share")
    for lane, (above, below) in enumerate(ranking.misordered, start=1):
        start, end = x + width + 0.05, x + width + 0.26 * lane
        ys = [middle[above], middle[above], middle[below], middle[below]]
        ax.plot([start, end, end, start], ys, color=VERMILION, linewidth=2.2, label="misordered")
        patch = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.4}
        write(ax, end, (ys[0] + ys[-1]) / 2, "⇅", ha="center", fontsize=SIZE + 1, bbox=patch)
    if ranking.relevant:
        deepest = max(label.rank for label in ranking.relevant)
        depth = 1.1 + STEP * (float(deepest) - 0.5)
        ax.plot([left, lanes + 0.4], [depth, depth], "--", color=INK, linewidth=1.6, label="depth")
    for i, line in enumerate(ranking.summary):
        write(ax, left, 1.2 + STEP * len(middle) + 0.36 * i, line, label="summary")


def draw_ranked(
    ax: Axes, x: float, y: float, width: float, listed: tuple[str, float, bool]
) -> None:
    """One entry of a list, its name and score: filled and with ✓ if it is relevant."""
    name, score, relevant = listed
    look = MARKS[3] if relevant else MARKS[0]._replace(symbol="")
    kind = "relevant" if relevant else "other"
    box(ax, x, y - 0.23, width, 0.46, label=kind, linewidth=1.4, **look.box)
    write(ax, x + 0.12, y, look.symbol, color=look.ink, label="mark")
    write(ax, x + 0.4, y, name, color=look.ink, label="name")
    write(ax, x + width - 0.12, y, f"{score:g}", color=look.ink, ha="right", label="score")
