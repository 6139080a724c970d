"""Label matrices, and the cells that a set metric counts."""

from collections.abc import Iterable
from fractions import Fraction
from statistics import mean

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from mlm_course.figures import cells
from mlm_course.figures.look import ABSENT_PRESENT, IGNORED, MARKS, SIZE, Mark
from mlm_course.figures.pen import box, page, small, width_of, write
from mlm_course.figures.phrases import Labels, capitalized, counted, named
from mlm_course.numbers import with_decimal
from mlm_helpers._core import inputs
from mlm_helpers.tables import with_slash
from mlm_helpers.worked import set_steps as sets
from mlm_helpers.worked.average import value_of
from mlm_helpers.worked.set_steps import ExactCounts, SetRatio

RATIOS = {
    "exact match": sets.ALL_RIGHT,
    "accuracy": sets.JACCARD,
    "Jaccard": sets.JACCARD,
    "precision": sets.PRECISION,
    "recall": sets.RECALL,
    "F1": sets.F1,
    "Hamming loss": sets.HAMMING,
}
_TITLES = {  # where the name and the formula do not say it best
    "exact match": "Exact match: a row without ✗ and ○ is 1",
    "accuracy": "Accuracy (Jaccard): ✓ ÷ (✓ + ✗ + ○)",
    "Hamming loss": "Hamming loss: (✗ + ○) ÷ all cells",
}


def label_matrix(y: ArrayLike, *, labels: Labels = None, samples: Labels = None) -> Axes:
    """A label matrix as a picture: one row per sample, a filled cell where the sample has the label.

    Parameters
    ----------
    y : matrix of 0 and 1, shape (n_samples, n_labels)
    labels, samples : names, optional, by default a DataFrame's

    Examples
    --------
    >>> label_matrix([[1, 1], [0, 0]], labels=["sea", "sun"]).get_label()
    'Label matrix of 2 samples and 2 labels (sea, sun). Sample 1: sea, sun; sample 2: no label.'
    """
    matrix = inputs.dense(inputs.read_labels(y, "y_true")).astype(int)
    n_samples, n_labels = matrix.shape
    labels = named(labels, n_labels, "label", y)
    samples = named(samples, n_samples, "sample", y)
    held = np.array(labels)
    rows = (
        f"{sample}: {', '.join(held[row == 1]) or 'no label'}"
        for sample, row in zip(samples, matrix, strict=True)
    )
    at = cells.layout(labels, samples)
    title = "Label matrix"
    width = max(at.right + 0.4, 0.7 + width_of([title], SIZE + 4))
    ax = page(width, at.bottom + 0.35, cells.sentence(f"{title} of", labels, samples, rows), title)
    cells.name_cells(ax, at, labels, samples)
    cells.draw_cells(ax, at, matrix, ABSENT_PRESENT)
    return ax


def label_grid(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    ratio: str = "accuracy",
    *,
    per: str = "sample",
    labels: Labels = None,
    samples: Labels = None,
    title: str | None = None,
    answer: bool = True,
) -> Axes:
    """Picture of the cells that a set metric counts, and of the value that it makes of them.

    Frames show what is counted together (a row, a column, everything); the cells in colour are the
    ones that the ratio counts, the grey ones do not matter to it. A 0/0 is taken as 0.

    Parameters
    ----------
    y_true, y_pred : matrices of 0 and 1, shape (n_samples, n_labels)
    ratio : "exact match", "accuracy", "Jaccard", "precision", "recall", "F1" or "Hamming loss"
    per : "sample", "label" (shows macro and micro) or "cell" (everything at once)
    labels, samples : names, optional, by default a DataFrame's
    title : str, by default the ratio, in symbols
    answer : bool, False leaves the fractions and the result to the reader

    Examples
    --------
    >>> label_grid([[1, 0, 1]], [[1, 1, 0]], labels=["A", "B", "C"]).get_label()
    'Accuracy (Jaccard): ✓ ÷ (✓ + ✗ + ○), per sample, on 1 sample and 3 labels (A, B, C). \
Sample 1: hit A, false alarm B, miss C, 1/3; in all: 1/3 ≈ 0.333.'
    """
    inputs.check_choice(ratio, tuple(RATIOS), "ratio")
    inputs.check_choice(per, ("sample", "label", "cell"), "per")
    outcome = cells.label_outcomes(y_true, y_pred)
    n_samples, n_labels = outcome.shape
    labels = named(labels, n_labels, "label", y_true, y_pred)
    samples = named(samples, n_samples, "sample", y_true, y_pred)
    kind = RATIOS[ratio]
    groups = [tally(group) for group in {"sample": outcome, "label": outcome.T}.get(per, ())]
    notes = [_note(kind, counts) for counts in groups] if answer else []
    results = _results(kind, groups, tally(outcome.ravel()), per) if answer else []
    if title is None:
        title = _TITLES.get(ratio, f"{capitalized(ratio)}: {kind.formula.replace('/', '÷')}")
    said = cells.seen(outcome, labels, samples)
    if notes and per == "sample":
        said = [f"{row}, {note}" for row, note in zip(said, notes, strict=True)]
    elif notes:
        said.append(", ".join(f"{j} {note}" for j, note in zip(labels, notes, strict=True)))
    alt = cells.sentence(f"{title}, per {per}, on", labels, samples, [*said, *results])
    at = cells.layout(labels, samples, per)
    end = at.bottom + (0.75 if per == "label" else 0.25)
    widest = max(at.right + 0.4 + width_of(notes), 0.6 + width_of(results, SIZE + 1))
    width = max(7.3, widest + 0.3, 0.7 + 1.1 * width_of([title], SIZE + 3))
    ax = page(width, end + 0.4 * len(results) + 0.85, alt, title)
    cells.name_cells(ax, at, labels, samples)
    cells.draw_cells(ax, at, outcome, looks(kind))
    cells.draw_frames(ax, at, per, notes)
    for i, result in enumerate(results):
        write(ax, 0.3, end + 0.25 + 0.4 * i, result, fontsize=SIZE + 1, label="result")
    _legend(ax, outcome, end + 0.4 * len(results) + 0.5)
    return ax


def tally(outcome: Iterable[int]) -> ExactCounts:
    """Hits, false alarms, misses and the rest of some cells."""
    return sets.count_outcomes((kind // 2, kind % 2, 1) for kind in outcome)


def looks(kind: SetRatio) -> list[Mark]:
    """The look of each outcome; grey where a ratio of these outcomes alone is 0/0."""
    return [
        mark if kind.ratio(tally([outcome])).denominator else IGNORED._replace(symbol=mark.symbol)
        for outcome, mark in enumerate(MARKS)
    ]


def _note(kind: SetRatio, c: ExactCounts) -> str:
    """What stands beside a row or under a column."""
    if kind is sets.ALL_RIGHT:
        return f"{c.fp + c.fn} wrong → {value_of(sets.term(kind, c))}"
    return with_slash(kind.ratio(c)) + " → 0" * (not kind.ratio(c).denominator)


def _results(
    kind: SetRatio, groups: list[ExactCounts], everything: ExactCounts, per: str
) -> list[str]:
    """The lines with the picture's results."""
    pooled = counted(kind.ratio(everything))
    if per == "cell":
        return [f"all cells together: {pooled}"]
    average = with_decimal(mean(Fraction(value_of(sets.term(kind, counts))) for counts in groups))
    if per == "sample":
        how = "rows right" if kind is sets.ALL_RIGHT else "mean of the rows"
        return [f"{how if len(groups) > 1 else 'in all'}: {average}"]
    return [
        f"macro, divide and then average: mean of the columns {average}",
        f"micro, add up and then divide: {pooled}",
    ]


def _legend(ax: Axes, outcome: NDArray[np.int_], y: float) -> None:
    """The symbols, their names and how many of each there are."""
    x = 0.3
    for kind in (3, 1, 2, 0):
        mark, text = MARKS[kind], f"{MARKS[kind].word}: {(outcome == kind).sum()}"
        box(ax, x, y - 0.14, 0.28, 0.28, linewidth=1.2, **mark.box)
        write(ax, x + 0.14, y, mark.symbol, ha="center", color=mark.ink, fontsize=SIZE - 1)
        small(ax, x + 0.38, y, text)
        x += 0.38 + width_of([text], SIZE - 2) + 0.3
