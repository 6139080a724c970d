"""Batches, their scorecards and the sum of these."""

from collections.abc import Iterable
from statistics import mean

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlm_helpers import inputs
from mlm_helpers.board.numbers import with_decimal
from mlm_helpers.course.figures.cells import TOP, draw_cells, layout, name_cells, seen
from mlm_helpers.course.figures.grids import tally, value_of
from mlm_helpers.course.figures.look import INK, PALE, PAPER, QUIET, SIZE
from mlm_helpers.course.figures.pen import box, page, width_of, write
from mlm_helpers.course.figures.phrases import Labels, named
from mlm_helpers.worked.set_steps import F1

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

    Examples
    --------
    >>> merging([([[1]], [[1]]), ([[0]], [[1]])], labels=["sea"]).get_label()
    'Scorecards of batches, and their sum. Batch 1: sample 1: hit sea; counts of sea ✓ 1, ✗ 0, \
○ 0; macro F1 1. Batch 2: sample 2: false alarm sea; counts of sea ✓ 0, ✗ 1, ○ 0; macro F1 0. \
Sum: counts of sea ✓ 1, ✗ 1, ○ 0; macro F1 2/3 ≈ 0.667. Mean of the batches: 1/2 = 0.5.'
    """
    read = (inputs.label_sets(*batch) for batch in batches)
    outcomes = [2 * data.truth.astype(int) + data.other for data in read]
    labels = named(labels, outcomes[0].shape[1], "label")
    numbers = iter(range(1, sum(map(len, outcomes)) + 1))
    samples = [[f"sample {next(numbers)}" for _ in outcome] for outcome in outcomes]
    counts = [list(map(tally, outcome.T)) for outcome in [*outcomes, np.concatenate(outcomes)]]
    cards = [
        [f"{j} ✓ {c.tp}, ✗ {c.fp}, ○ {c.fn}" for j, c in zip(labels, card, strict=True)]
        for card in counts
    ]
    macros = [mean(value_of(F1, c) for c in card) for card in counts]
    values = [f"macro F1 {with_decimal(macro)}" for macro in macros]
    average = with_decimal(mean(macros[:-1]))
    rows = [seen(one, labels, names) for one, names in zip(outcomes, samples, strict=True)]
    alt = f"{_sentence(rows, cards, values)} Mean of the batches: {average}."

    deep = len(labels) * _LINE + 0.2  # a scorecard
    tops, ats = [TOP], []
    for names in samples:
        ats.append(layout(labels, names, top=tops[-1]))
        tops.append(max(ats[-1].bottom, tops[-1] + deep) + _GAP)
    left = max(at.right for at in ats) + 0.85
    wide = width_of(line for card in cards for line in card) + 0.4
    width = left + wide + 0.6 + 1.15 * width_of(values)  # bold is wider
    ax = page(width, tops[-1] + deep + 1.0, alt, "The counts add up, the metric does not")
    big = {"fontsize": SIZE + 4, "ha": "center"}
    signs = ["+"] * (len(outcomes) - 1) + ["="]
    for i, (at, names, outcome, sign) in enumerate(zip(ats, samples, outcomes, signs, strict=True)):
        name_cells(ax, at, labels if i == 0 else (), names)
        draw_cells(ax, at, outcome, name=f"{i}-")
        write(ax, left - 0.43, tops[i] + deep / 2, "→", **big)
        write(ax, left + wide / 2, (tops[i] + deep + tops[i + 1]) / 2, sign, **big)
    for i, (card, value, y) in enumerate(zip(cards, values, tops, strict=True)):
        fill = PALE if i == len(outcomes) else PAPER
        box(ax, left, y, wide, deep, label=f"card-{i}", facecolor=fill, edgecolor=INK)
        for j, line in enumerate(card):
            write(ax, left + 0.2, y + 0.1 + (j + 0.5) * _LINE, line, label=f"counts-{i}-{j}")
        bold = {"label": f"value-{i}", "fontweight": "bold"}
        write(ax, left + wide + 0.3, y + deep / 2, value, **bold)
    write(ax, left - 0.25, tops[-1] + deep / 2, "Sum", ha="right")
    last = f"Mean of the batches: macro F1 {average}"
    write(ax, 0.3, tops[-1] + deep + 0.5, last, fontsize=SIZE - 1, color=QUIET, label="mean")
    return ax


def _sentence(rows: list[list[str]], cards: list[list[str]], values: list[str]) -> str:
    """What each batch holds and what its scorecard keeps; what their sum keeps."""
    kept = [f"counts of {', '.join(c)}; {value}." for c, value in zip(cards, values, strict=True)]
    batches = enumerate(zip(rows, kept[:-1], strict=True), start=1)
    parts = [f"Batch {i}: {'; '.join(row)}; {card}" for i, (row, card) in batches]
    return " ".join(["Scorecards of batches, and their sum.", *parts, f"Sum: {kept[-1]}"])
