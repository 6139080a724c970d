"""Batches, their scorecards and the sum of these."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from statistics import mean
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from mlm_helpers import inputs
from mlm_helpers.board.numbers import with_decimal
from mlm_helpers.figures.cells import TOP, draw_cells, layout, name_columns, name_rows, seen
from mlm_helpers.figures.grids import tally, value_of
from mlm_helpers.figures.look import INK, MARKS, PALE, PAPER, QUIET, SIZE
from mlm_helpers.figures.pen import box, headline, page, width_of, write
from mlm_helpers.figures.words import Labels, named
from mlm_helpers.worked.sets import F1

BATCHES = (([[1, 0], [1, 1]], [[1, 0], [0, 1]]), ([[0, 1]], [[1, 1]]))
"""Truth and prediction of two batches, of two samples and of one."""

_LINE, _GAP = 0.36, 0.55  # inches: a line of a scorecard; between two batches


def merging(batches: Iterable[tuple[ArrayLike, ArrayLike]], *, labels: Labels = None) -> Axes:
    """Batches, the scorecard of each and their sum: the counts add up, macro F1 does not.

    A scorecard is drawn as the counts that it keeps of each label. A 0/0 is taken as 0.

    Parameters
    ----------
    batches : truth and prediction of each, matrices of 0 and 1 with the same labels
    labels : names, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.figures import alt_text
    >>> alt_text(merging([([[1]], [[1]]), ([[0]], [[1]])], labels=["sea"]))
    'Scorecards of batches, and their sum. Batch 1: sample 1: hit sea; counts of sea ✓ 1, ✗ 0, \
○ 0; macro F1 1. Batch 2: sample 2: false alarm sea; counts of sea ✓ 0, ✗ 1, ○ 0; macro F1 0. \
Sum: counts of sea ✓ 1, ✗ 1, ○ 0; macro F1 2/3 ≈ 0.667. Mean of the batches: 1/2 = 0.5.'
    """
    outcomes = [
        2 * truth.astype(int) + prediction
        for truth, prediction, _ in (inputs.label_sets(*batch) for batch in batches)
    ]
    labels = named(labels, outcomes[0].shape[1], "label")
    numbers = iter(range(1, sum(map(len, outcomes)) + 1))
    samples = [[f"sample {next(numbers)}" for _ in outcome] for outcome in outcomes]
    cards = [_Card.of(outcome, labels) for outcome in [*outcomes, np.concatenate(outcomes)]]
    average = with_decimal(mean(card.macro_f1 for card in cards[:-1]))

    deep = len(labels) * _LINE + 0.2  # a scorecard
    tops, ats = [TOP], []
    for names in samples:
        ats.append(layout(labels, names, top=tops[-1]))
        tops.append(max(ats[-1].bottom, tops[-1] + deep) + _GAP)
    left = max(at.right for at in ats) + 0.85
    wide = width_of(line for card in cards for line in card.lines) + 0.4
    width = left + wide + 0.6 + 1.15 * width_of(card.value for card in cards)  # bold is wider
    ax = page(width, tops[-1] + deep + 1.0, _sentence(outcomes, samples, labels, cards, average))
    headline(ax, "The counts add up, the metric does not")
    name_columns(ax, ats[0], labels)
    big: dict[str, Any] = {"fontsize": SIZE + 4, "ha": "center"}
    signs = ["+"] * (len(outcomes) - 1) + ["="]
    for i, (at, names, outcome, sign) in enumerate(zip(ats, samples, outcomes, signs, strict=True)):
        name_rows(ax, at, names)
        draw_cells(ax, at, outcome, [True] * len(MARKS), f"{i}-")
        write(ax, left - 0.43, tops[i] + deep / 2, "→", **big)
        write(ax, left + wide / 2, (tops[i] + deep + tops[i + 1]) / 2, sign, **big)
    for i, (card, y) in enumerate(zip(cards, tops, strict=True)):
        fill = PALE if i == len(outcomes) else PAPER
        box(ax, left, y, wide, deep, label=f"card-{i}", facecolor=fill, edgecolor=INK)
        for j, line in enumerate(card.lines):
            write(ax, left + 0.2, y + 0.1 + (j + 0.5) * _LINE, line, label=f"counts-{i}-{j}")
        bold = {"label": f"value-{i}", "fontweight": "bold"}
        write(ax, left + wide + 0.3, y + deep / 2, card.value, **bold)
    write(ax, left - 0.25, tops[-1] + deep / 2, "Sum", ha="right")
    last = f"Mean of the batches: macro F1 {average}"
    write(ax, 0.3, tops[-1] + deep + 0.5, last, fontsize=SIZE - 1, color=QUIET, label="mean")
    return ax


class _Card(NamedTuple):
    """A scorecard: what it keeps of each label, in words, and what follows."""

    lines: list[str]
    macro_f1: Fraction

    @classmethod
    def of(cls, outcome: NDArray[np.int_], labels: list[str]) -> _Card:
        counts = [tally(column) for column in outcome.T]
        lines = [
            f"{label} ✓ {one.tp}, ✗ {one.fp}, ○ {one.fn}"
            for label, one in zip(labels, counts, strict=True)
        ]
        return cls(lines, mean(value_of(F1, one) for one in counts))

    @property
    def value(self) -> str:
        return f"macro F1 {with_decimal(self.macro_f1)}"

    @property
    def sentence(self) -> str:
        return f"counts of {', '.join(self.lines)}; {self.value}."


def _sentence(
    outcomes: list[NDArray[np.int_]],
    samples: list[list[str]],
    labels: list[str],
    cards: list[_Card],
    average: str,
) -> str:
    parts = ["Scorecards of batches, and their sum."]
    batches = zip(outcomes, samples, cards, strict=False)  # the last card is of their sum
    for i, (outcome, names, card) in enumerate(batches, start=1):
        rows = (f"{name}: {seen(row, labels)}" for name, row in zip(names, outcome, strict=True))
        parts.append(f"Batch {i}: {'; '.join(rows)}; {card.sentence}")
    return " ".join([*parts, f"Sum: {cards[-1].sentence}", f"Mean of the batches: {average}."])
