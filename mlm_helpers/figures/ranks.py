"""One sample's labels in the order of their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from mlm_helpers import inputs
from mlm_helpers.board.numbers import with_decimal
from mlm_helpers.figures.look import INK, MARKS, PAPER, QUIET, SIZE, VERMILION
from mlm_helpers.figures.pen import box, headline, page, width_of, write
from mlm_helpers.figures.words import Labels, capital, counted, joined, named
from mlm_helpers.ranking import ranks as rank_labels

_STEP = 0.62  # inches from one rank to the next


class _Ranking(NamedTuple):
    """One model's list, and what ranking metrics read off it; tied labels share the largest rank."""

    model: str
    names: list[str]
    scores: NDArray[np.floating[Any]]
    relevant: NDArray[np.bool_]

    @property
    def order(self) -> list[int]:
        """The labels from the highest score down."""
        place = rank_labels(self.scores[None, :], ties="first")[0]
        return sorted(range(len(place)), key=lambda j: float(place[j]))

    @property
    def ranks(self) -> NDArray[np.int_]:
        """The rank of each label."""
        ranks: NDArray[np.int_] = rank_labels(self.scores[None, :])[0].astype(int)
        return ranks

    @property
    def shares(self) -> dict[int, tuple[int, int]]:
        """For each relevant label: how many relevant labels down to its rank, and the rank."""
        ranks, of_relevant = self.ranks, self.ranks[self.relevant]
        return {
            int(j): (int((of_relevant <= ranks[j]).sum()), int(ranks[j]))
            for j in np.flatnonzero(self.relevant)
        }

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every irrelevant label with every relevant one."""
        return [(int(i), j) for j in self.shares for i in np.flatnonzero(~self.relevant)]

    @property
    def misordered(self) -> list[tuple[int, int]]:
        """The pairs whose irrelevant label stands above or level, the closest pairs first."""
        wrong = [(i, j) for i, j in self.pairs if self.ranks[i] <= self.ranks[j]]
        place = {label: at for at, label in enumerate(self.order)}
        return sorted(wrong, key=lambda pair: abs(place[pair[0]] - place[pair[1]]))

    @property
    def summary(self) -> list[str]:
        """The four metrics, in words."""
        if not self.shares:
            return ["no relevant label: nothing to find"]
        top_wrong = any(self.ranks[~self.relevant] == self.ranks.min())
        loss = counted(len(self.misordered), len(self.pairs)) if self.pairs else "undefined"
        mean = sum((Fraction(*share) for share in self.shares.values()), Fraction(0))
        return [
            f"one-error {int(top_wrong)}",
            f"coverage {max(rank for _, rank in self.shares.values())}",
            f"ranking loss {loss}",
            f"average precision {with_decimal(mean / len(self.shares))}",
        ]

    @property
    def sentence(self) -> str:
        """One model's part of the alternative text."""
        rows = []
        for j in self.order:
            share = "({}/{} relevant)".format(*self.shares[j]) if j in self.shares else ""
            rows.append(f"{self.ranks[j]} {self.names[j]} {self.scores[j]:g} {share}".rstrip())
        wrong = [f"{self.names[i]} before {self.names[j]}" for i, j in self.misordered]
        pairs = f"; misordered {joined(wrong)}" if wrong else ""
        return f"{capital(self.model)}: {', '.join(rows)}{pairs}; {', '.join(self.summary)}."


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
    names = named(labels, row.shape[1], "label")
    lists = []
    for model, given in scores.items():
        truth, values, _ = inputs.label_scores(row, np.atleast_2d(np.asarray(given)))
        lists.append(_Ranking(model, names, values[0], truth[0].astype(bool)))
    wide = 1.2 + width_of(names)
    column = max(1.9 + wide + 0.26 * max(len(r.misordered) for r in lists), 4.2)
    bottom = 1.15 + _STEP * len(names) + 0.36 * max(len(r.summary) for r in lists)
    alt = f"Labels by rank. {' '.join(r.sentence for r in lists)}"
    ax = page(max(column * len(lists), 8.4), bottom + 0.6, alt)
    for i, ranking in enumerate(lists):
        _draw_ranking(ax, 0.3 + column * i, wide, ranking)
    key = (
        "✓ relevant, with its share of ✓ so far     ⇅ misordered pair     - - -  read down to here"
    )
    write(ax, 0.3, bottom + 0.2, key, fontsize=SIZE - 2, color=QUIET)
    return ax


def _draw_ranking(ax: Axes, left: float, width: float, ranking: _Ranking) -> None:
    """One model's list: ranks, boxes with names and scores, brackets, shares, reading depth."""
    x, shares = left + 0.35, ranking.shares
    middle = {j: 1.1 + _STEP * place for place, j in enumerate(ranking.order)}
    lanes = x + width + 0.26 * len(ranking.misordered) + 0.3
    headline(ax, capital(ranking.model), left)
    for j, y in middle.items():
        write(ax, left, y, str(ranking.ranks[j]), color=QUIET, label="rank")
        _draw_ranked(ax, x, y, width, ranking, j)
    for j, (seen, rank) in shares.items():
        write(ax, lanes + 0.05, middle[j], f"{seen}/{rank}", fontweight="bold", label="share")
    for lane, (i, j) in enumerate(ranking.misordered):
        _bracket(ax, x + width + 0.05, x + width + 0.26 * (lane + 1), middle[i], middle[j])
    if shares:
        depth = 1.1 + _STEP * (max(rank for _, rank in shares.values()) - 0.5)
        ax.plot([left, lanes + 0.4], [depth, depth], "--", color=INK, linewidth=1.6, label="depth")
    for i, line in enumerate(ranking.summary):
        write(ax, left, 1.2 + _STEP * len(middle) + 0.36 * i, line, label="summary")


def _draw_ranked(ax: Axes, x: float, y: float, width: float, ranking: _Ranking, j: int) -> None:
    """One label of a list: filled and with ✓ if it is relevant."""
    look = MARKS[3] if ranking.relevant[j] else MARKS[0]._replace(symbol="")
    style = {"facecolor": look.fill, "edgecolor": look.edge, "linewidth": 1.4}
    box(ax, x, y - 0.23, width, 0.46, label="relevant" if look.symbol else "other", **style)
    write(ax, x + 0.12, y, look.symbol, color=look.ink, label="mark")
    write(ax, x + 0.4, y, ranking.names[j], color=look.ink, label="name")
    text = f"{ranking.scores[j]:g}"
    write(ax, x + width - 0.12, y, text, color=look.ink, ha="right", label="score")


def _bracket(ax: Axes, start: float, lane: float, above: float, below: float) -> None:
    """A bracket that joins a misordered pair, with ⇅ on it."""
    xs, ys = [start, lane, lane, start], [above, above, below, below]
    ax.plot(xs, ys, color=VERMILION, linewidth=2.2, label="misordered")
    patch = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.4}
    write(ax, lane, (above + below) / 2, "⇅", ha="center", fontsize=SIZE + 1, bbox=patch)
