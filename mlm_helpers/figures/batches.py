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
from mlm_helpers.worked.sets import F1, Counts

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
    cards = [*map(_Card.of, outcomes), _Card.of(np.concatenate(outcomes))]
    of_batches = with_decimal(mean(card.macro_f1 for card in cards[:-1]))

    deep = len(labels) * _LINE + 0.2  # a scorecard
    tops, ats = [TOP], []
    for names in samples:
        ats.append(layout(labels, names, top=tops[-1]))
        tops.append(max(ats[-1].bottom, tops[-1] + deep) + _GAP)
    left = max(at.right for at in ats) + 0.85
    right = left + width_of(line for card in cards for line in card.lines(labels)) + 0.4
    width = right + 0.6 + 1.15 * width_of(card.value for card in cards)  # bold is wider
    ax = page(
        width, tops[-1] + deep + 1.0, _merging_sentence(outcomes, samples, labels, of_batches)
    )
    headline(ax, "The counts add up, the metric does not")
    name_columns(ax, ats[0], labels)
    big: dict[str, Any] = {"fontsize": SIZE + 4, "ha": "center"}
    for i, (at, names, outcome) in enumerate(zip(ats, samples, outcomes, strict=True)):
        name_rows(ax, at, names)
        draw_cells(ax, at, outcome, [True] * len(MARKS), f"{i}-")
        write(ax, left - 0.43, tops[i] + deep / 2, "→", **big)
        sign = "+" if i < len(outcomes) - 1 else "="
        write(ax, (left + right) / 2, (tops[i] + deep + tops[i + 1]) / 2, sign, **big)
    for i, (card, y) in enumerate(zip(cards, tops, strict=True)):
        fill = PALE if i == len(outcomes) else PAPER
        box(ax, left, y, right - left, deep, label=f"card-{i}", facecolor=fill, edgecolor=INK)
        for j, line in enumerate(card.lines(labels)):
            write(ax, left + 0.2, y + 0.1 + (j + 0.5) * _LINE, line, label=f"counts-{i}-{j}")
        value = {"label": f"value-{i}", "fontweight": "bold"}
        write(ax, right + 0.3, y + deep / 2, card.value, **value)
    write(ax, left - 0.25, tops[-1] + deep / 2, "Sum", ha="right")
    last = f"Mean of the batches: macro F1 {of_batches}"
    write(ax, 0.3, tops[-1] + deep + 0.5, last, fontsize=SIZE - 1, color=QUIET, label="mean")
    return ax


class _Card(NamedTuple):
    """What a scorecard keeps of each label, and what follows."""

    counts: list[Counts]

    @classmethod
    def of(cls, outcome: NDArray[np.int_]) -> _Card:
        return cls([tally(column) for column in outcome.T])

    @property
    def macro_f1(self) -> Fraction:
        return mean(value_of(F1, counts) for counts in self.counts)

    def lines(self, labels: list[str]) -> list[str]:
        return [
            f"{label} ✓ {counts.tp}, ✗ {counts.fp}, ○ {counts.fn}"
            for label, counts in zip(labels, self.counts, strict=True)
        ]

    @property
    def value(self) -> str:
        return f"macro F1 {with_decimal(self.macro_f1)}"


def _merging_sentence(
    outcomes: list[NDArray[np.int_]], samples: list[list[str]], labels: list[str], mean: str
) -> str:
    parts = ["Scorecards of batches, and their sum."]
    for i, (outcome, names) in enumerate(zip(outcomes, samples, strict=True)):
        rows = (f"{name}: {seen(row, labels)}" for name, row in zip(names, outcome, strict=True))
        parts.append(f"Batch {i + 1}: {'; '.join(rows)}; {_card_words(outcome, labels)}.")
    parts.append(f"Sum: {_card_words(np.concatenate(outcomes), labels)}.")
    return " ".join([*parts, f"Mean of the batches: {mean}."])


def _card_words(outcome: NDArray[np.int_], labels: list[str]) -> str:
    card = _Card.of(outcome)
    return f"counts of {', '.join(card.lines(labels))}; {card.value}"
