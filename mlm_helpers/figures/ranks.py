"""One sample's labels in the order of their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlm_helpers import inputs
from mlm_helpers.board.numbers import with_decimal
from mlm_helpers.figures.look import INK, MARKS, PAPER, QUIET, SIZE, VERMILION
from mlm_helpers.figures.pen import box, headline, page, width_of, write
from mlm_helpers.figures.words import Labels, capital, counted, joined, named
from mlm_helpers.worked.ranks import (
    Label,
    pair_error,
    ranked,
    read_average_precision,
    read_coverage,
    read_one_error,
    read_ranking_loss,
)

_STEP = 0.62  # inches from one rank to the next


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

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.figures import alt_text
    >>> alt_text(rank_lists({"model": [0.3, 0.4]}, [1, 0], ["sea", "sun"]))
    'Labels by rank. Model: 1 sun 0.4, 2 sea 0.3 (1/2 relevant); misordered sun before sea; \
one-error 1, coverage 2, ranking loss 1/1 = 1, average precision 1/2 = 0.5.'
    """
    row = np.atleast_2d(np.asarray(y_true))
    if len(row) != 1:
        raise ValueError(f"y_true has {len(row)} samples: give the labels of one")
    names = named(labels, row.shape[1], "label")
    lists = []
    for model, given in scores.items():
        truth, values, _ = inputs.label_scores(row, np.atleast_2d(np.asarray(given)))
        lists.append(_Ranking(model, ranked(truth[0], values[0].tolist(), names=names)))
    wide = 1.2 + width_of(names)
    column = max(1.9 + wide + 0.26 * max(len(r.misordered) for r in lists), 4.2)
    bottom = 1.15 + _STEP * len(names) + 0.36 * max(len(r.summary) for r in lists)
    alt = f"Labels by rank. {' '.join(r.sentence for r in lists)}"
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

    @property
    def relevant(self) -> list[Label]:
        return self._those(relevant=True)

    @property
    def misordered(self) -> list[tuple[Label, Label]]:
        """Irrelevant labels with the relevant ones that they stand above or level, closest first."""
        irrelevant = self._those(relevant=False)
        pairs = [(b, a) for a in self.relevant for b in irrelevant if pair_error(a, b)]
        at = self.labels.index
        return sorted(pairs, key=lambda pair: abs(at(pair[0]) - at(pair[1])))

    def _those(self, *, relevant: bool) -> list[Label]:
        found = [label for label in self.labels if label.relevant == relevant]
        return sorted(found, key=lambda label: label.place)

    @property
    def summary(self) -> list[str]:
        """The four metrics, in words."""
        if not self.relevant:
            return ["no relevant label: nothing to find"]
        return [f"{name} {_value(name, self.labels)}" for name in _READ]

    @property
    def sentence(self) -> str:
        """One model's part of the alternative text."""
        rows = [
            f"{label.rank} {label.name} {label.score:g}"
            + f" ({_share(label)} relevant)" * label.relevant
            for label in self.labels
        ]
        wrong = [f"{above.name} before {below.name}" for above, below in self.misordered]
        pairs = f"; misordered {joined(wrong)}" if wrong else ""
        return f"{capital(self.model)}: {', '.join(rows)}{pairs}; {', '.join(self.summary)}."


def _share(label: Label) -> str:
    """How many relevant labels stand down to a relevant label's rank, and that rank."""
    return f"{label.rank_among_relevant}/{label.rank}"


_READ = {
    "one-error": read_one_error,
    "coverage": read_coverage,
    "ranking loss": read_ranking_loss,
    "average precision": read_average_precision,
}


def _value(name: str, labels: list[Label]) -> str:
    _, found = _READ[name](labels, {"ties": "worst", "start": 1})
    if isinstance(found, str):
        return "undefined"
    return counted(found) if name == "ranking loss" else with_decimal(found.above / found.below)


def _draw_ranking(ax: Axes, left: float, width: float, ranking: _Ranking) -> None:
    """One model's list: ranks, boxes with names and scores, brackets, shares, reading depth."""
    x = left + 0.35
    middle = {label: 1.1 + _STEP * i for i, label in enumerate(ranking.labels)}
    lanes = x + width + 0.26 * len(ranking.misordered) + 0.3
    headline(ax, capital(ranking.model), left)
    for label, y in middle.items():
        write(ax, left, y, str(label.rank), color=QUIET, label="rank")
        _draw_ranked(ax, x, y, width, label)
    for label in ranking.relevant:
        write(ax, lanes + 0.05, middle[label], _share(label), fontweight="bold", label="share")
    for lane, (above, below) in enumerate(ranking.misordered, start=1):
        _bracket(ax, x + width + 0.05, x + width + 0.26 * lane, middle[above], middle[below])
    if ranking.relevant:
        deepest = max(label.rank for label in ranking.relevant)
        depth = 1.1 + _STEP * (float(deepest) - 0.5)
        ax.plot([left, lanes + 0.4], [depth, depth], "--", color=INK, linewidth=1.6, label="depth")
    for i, line in enumerate(ranking.summary):
        write(ax, left, 1.2 + _STEP * len(middle) + 0.36 * i, line, label="summary")


def _draw_ranked(ax: Axes, x: float, y: float, width: float, label: Label) -> None:
    """One label of a list: filled and with ✓ if it is relevant."""
    look = MARKS[3] if label.relevant else MARKS[0]._replace(symbol="")
    style = {"facecolor": look.fill, "edgecolor": look.edge, "linewidth": 1.4}
    box(ax, x, y - 0.23, width, 0.46, label="relevant" if look.symbol else "other", **style)
    write(ax, x + 0.12, y, look.symbol, color=look.ink, label="mark")
    write(ax, x + 0.4, y, label.name, color=look.ink, label="name")
    score = f"{label.score:g}"
    write(ax, x + width - 0.12, y, score, color=look.ink, ha="right", label="score")


def _bracket(ax: Axes, start: float, lane: float, above: float, below: float) -> None:
    """A bracket that joins a misordered pair, with ⇅ on it."""
    xs, ys = [start, lane, lane, start], [above, above, below, below]
    ax.plot(xs, ys, color=VERMILION, linewidth=2.2, label="misordered")
    patch = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.4}
    write(ax, lane, (above + below) / 2, "⇅", ha="center", fontsize=SIZE + 1, bbox=patch)
