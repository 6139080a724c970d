"""Pictures of a label matrix, of several annotators, and of the cells that a set metric counts."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from statistics import mean

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlm_course.figures import cells
from mlm_course.figures.look import ABSENT_PRESENT, IGNORED, MARKS, SIZE, Mark
from mlm_course.figures.pen import draw_box, page, text_width, write, write_small
from mlm_course.figures.phrases import Names, and_list, capitalized, display_names, ratio_text
from mlm_course.numbers import with_decimal
from mlm_helpers._core.inputs.data import dense
from mlm_helpers._core.inputs.options import check_choice
from mlm_helpers._core.inputs.read import read_labels
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
_TITLES = {  # instead of the name and the formula
    "exact match": "Exact match: a row without ✗ and ○ is 1",
    "accuracy": "Accuracy (Jaccard): ✓ ÷ (✓ + ✗ + ○)",
    "Hamming loss": "Hamming loss: (✗ + ○) ÷ all cells",
}
_PLUS, _MINUS = MARKS[1]._replace(symbol="+"), MARKS[2]._replace(symbol="−")


def label_matrix(y: ArrayLike, *, labels: Names = None, samples: Names = None) -> Axes:
    """Picture of a label matrix: one row per sample, a filled cell where the sample has the label.

    Parameters
    ----------
    y : matrix of 0 and 1, shape (n_samples, n_labels)
    labels, samples : names, optional, by default a DataFrame's

    Examples
    --------
    >>> label_matrix([[1, 1], [0, 0]], labels=["sea", "sun"]).get_label()
    'Label matrix of 2 samples and 2 labels (sea, sun). Sample 1: sea, sun; sample 2: no label.'
    """
    matrix = dense(read_labels(y, "y_true")).astype(int)
    n_samples, n_labels = matrix.shape
    labels = display_names(labels, n_labels, "label", y)
    samples = display_names(samples, n_samples, "sample", y)
    phrases = []
    for sample, row in zip(samples, matrix, strict=True):
        sample_labels = [labels[j] for j in np.flatnonzero(row)]
        phrases.append(f"{sample}: {', '.join(sample_labels) or 'no label'}")
    title = "Label matrix"
    alt = cells.grid_alt_text(f"{title} of", labels, samples, phrases)
    grid = cells.grid_layout(labels, samples)
    width = max(grid.right + 0.4, 0.7 + text_width([title], SIZE + 4))
    ax = page(width, grid.bottom + 0.35, alt, title)
    cells.write_names(ax, grid, labels, samples)
    cells.draw_cells(ax, grid, matrix, ABSENT_PRESENT)
    return ax


def annotators(
    annotations: Sequence[ArrayLike],
    model: ArrayLike,
    *,
    labels: Names = None,
    samples: Names = None,
    names: Names = None,
) -> Axes:
    """Picture of annotators, their majority and a model, a row each, with their micro F1.

    The F1 of a row compares it with the model.

    The majority gives the labels that more than half of the annotators give. Signs and colours show
    where an annotator or the model differs from the majority.

    Parameters
    ----------
    annotations : list of matrices of 0 and 1, shape (n_samples, n_labels) each
    model : matrix of 0 and 1, shape (n_samples, n_labels)
    labels, samples : names, optional, by default a DataFrame's
    names : names of the annotators, optional

    Examples
    --------
    >>> annotators([[[1, 1]], [[1, 0]], [[0, 0]]], [[1, 0]], labels="st", names="ABC").get_label()
    'Annotators, their majority and a model, on 1 sample and 2 labels (s, t). A: sample 1 s and \
sample 1 t; B: sample 1 s; C: no label; majority: sample 1 s; model: sample 1 s; F1 with the \
model: A 2/3 ≈ 0.667, B 2/2 = 1, C 0/1 = 0, majority 2/2 = 1.'
    """
    answers = [dense(read_labels(y, "y_true")) for y in annotations]
    majority = np.mean(answers, axis=0) > 0.5
    answers += [majority, dense(read_labels(model, "y_pred"))]
    n_samples, n_labels = majority.shape
    labels = display_names(labels, n_labels, "label", *annotations, model)
    samples = display_names(samples, n_samples, "sample", *annotations, model)
    rows = [*display_names(names, len(annotations), "annotator"), "majority", "model"]
    codes = np.array([cells.outcome_matrix(majority, y).ravel() for y in answers])
    with_model = [cells.outcome_matrix(model, y).ravel() for y in answers[:-1]]
    notes = [ratio_text(RATIOS["F1"].ratio(exact_counts(outcomes))) for outcomes in with_model]
    title, heading = "Annotators, their majority and a model", "F1 with the model"
    columns = np.array([f"{sample} {label}" for sample in samples for label in labels])
    given = [and_list(columns[row % 2 == 1].tolist()) or "no label" for row in codes]
    phrases = [f"{name}: {text}" for name, text in zip(rows, given, strict=True)]
    values = [f"{name} {note}" for name, note in zip(rows[:-1], notes, strict=True)]
    phrases.append(f"{heading}: {', '.join(values)}")
    alt = cells.grid_alt_text(f"{title}, on", labels, samples, phrases)
    grid = cells.grid_layout(labels * n_samples, rows)
    xs = [x + 0.3 * (j // n_labels) for j, x in enumerate(grid.xs)]
    ys = [y + 0.3 * max(1, i + 2 - len(annotations)) for i, y in enumerate(grid.ys)]
    grid, notes_x = grid._replace(xs=xs, ys=ys), xs[-1] + grid.width + 0.3
    width = max(7.5, notes_x + text_width([heading, *notes]) + 0.3)
    ax = page(width, grid.bottom + 0.85, alt, title)
    cells.write_names(ax, grid, labels * n_samples, rows)
    cells.draw_cells(ax, grid, codes, [MARKS[0], _PLUS, _MINUS, MARKS[3]])
    for sample, x in zip(samples, xs[::n_labels], strict=True):
        write(ax, x, ys[0] - 0.6, sample, fontweight="bold")
    write(ax, notes_x, ys[0] - 0.28, heading)
    for note, y in zip(notes, ys[:-1], strict=True):
        write(ax, notes_x, y + grid.height / 2, note, fontweight="bold")
    words = ["given", "given, but not by the majority", "given by the majority only"]
    _draw_legend(ax, [MARKS[3], _PLUS, _MINUS], words, grid.bottom + 0.5)
    return ax


def label_grid(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    ratio: str = "accuracy",
    *,
    per: str = "sample",
    labels: Names = None,
    samples: Names = None,
    title: str | None = None,
    answer: bool | str = True,
) -> Axes:
    """Picture of the cells that a set metric counts, with the fractions and the value.

    Frames show which cells are counted together (a row, a column, all cells). The metric counts the
    coloured cells and ignores the grey ones. A 0/0 counts as 0.

    Parameters
    ----------
    y_true, y_pred : matrices of 0 and 1, shape (n_samples, n_labels)
    ratio : "exact match", "accuracy", "Jaccard", "precision", "recall", "F1" or "Hamming loss"
    per : "sample", "label" (shows macro and micro) or "cell" (all cells at once)
    labels, samples : names, optional, by default a DataFrame's
    title : str, by default the ratio, in symbols
    answer : True, False (leaves fractions and result to the reader) or "units" (fractions alone)

    Examples
    --------
    >>> label_grid([[1, 0, 1]], [[1, 1, 0]], labels=["A", "B", "C"]).get_label()
    'Accuracy (Jaccard): ✓ ÷ (✓ + ✗ + ○), per sample, on 1 sample and 3 labels (A, B, C). \
Sample 1: hit A, false alarm B, miss C, 1/3; in all: 1/3 ≈ 0.333.'
    """
    check_choice(ratio, tuple(RATIOS), "ratio")
    check_choice(per, ("sample", "label", "cell"), "per")
    outcomes = cells.outcome_matrix(y_true, y_pred)
    n_samples, n_labels = outcomes.shape
    labels = display_names(labels, n_labels, "label", y_true, y_pred)
    samples = display_names(samples, n_samples, "sample", y_true, y_pred)
    metric, marks = RATIOS[ratio], marks_of(RATIOS[ratio])
    units = {"sample": outcomes, "label": outcomes.T}.get(per, ())
    counts, pooled = [exact_counts(unit) for unit in units], exact_counts(outcomes.ravel())
    notes = [_note(metric, unit_counts) for unit_counts in counts] if answer else []
    results = _results(metric, counts, pooled, per) if answer is True else []
    if title is None:
        title = _TITLES.get(ratio, f"{capitalized(ratio)}: {metric.formula.replace('/', '÷')}")
    phrases = cells.outcome_phrases(outcomes, labels, samples)
    if notes and per == "sample":
        phrases = [f"{phrase}, {note}" for phrase, note in zip(phrases, notes, strict=True)]
    elif notes:
        pairs = zip(labels, notes, strict=True)
        phrases.append(", ".join(f"{label} {note}" for label, note in pairs))
    alt = cells.grid_alt_text(f"{title}, per {per}, on", labels, samples, [*phrases, *results])
    grid = cells.grid_layout(labels, samples, per)
    results_top = grid.bottom + (1.0 if per == "label" else 0.5)
    widest = max(grid.right + 0.4 + text_width(notes), 0.6 + text_width(results, SIZE + 1))
    width = max(7.3, widest + 0.3, 0.7 + 1.1 * text_width([title], SIZE + 3))
    legend_top = results_top + 0.4 * len(results) + 0.25
    ax = page(width, legend_top + 0.35, alt, title)
    cells.write_names(ax, grid, labels, samples)
    cells.draw_cells(ax, grid, outcomes, marks)
    cells.draw_frames(ax, grid, per, notes)
    for i, result in enumerate(results):
        write(ax, 0.3, results_top + 0.4 * i, result, fontsize=SIZE + 1)
    order = 3, 1, 2, 0
    texts = [f"{MARKS[outcome].word}: {(outcomes == outcome).sum()}" for outcome in order]
    _draw_legend(ax, [marks[outcome] for outcome in order], texts, legend_top)
    return ax


def exact_counts(outcomes: Iterable[int]) -> ExactCounts:
    """Counts tp, fp, fn and tn of cells, each cell given as 2 * truth + prediction."""
    return sets.count_outcomes((outcome // 2, outcome % 2, 1) for outcome in outcomes)


def marks_of(metric: SetRatio) -> list[Mark]:
    """Mark of each outcome, grey where the metric ignores it: its ratio of one such cell is 0/0."""
    marks = []
    for outcome, mark in enumerate(MARKS):
        is_counted = metric.ratio(exact_counts([outcome])).denominator > 0
        marks.append(mark if is_counted else IGNORED._replace(symbol=mark.symbol))
    return marks


def _note(metric: SetRatio, counts: ExactCounts) -> str:
    """Text beside a row or below a column: its ratio as counted, '2/4' or '0/0 → 0'."""
    if metric is sets.ALL_RIGHT:
        return f"{counts.fp + counts.fn} wrong → {value_of(sets.term(metric, counts))}"
    ratio = metric.ratio(counts)
    return with_slash(ratio) if ratio.denominator else f"{with_slash(ratio)} → 0"


def _results(
    metric: SetRatio, counts: list[ExactCounts], pooled: ExactCounts, per: str
) -> list[str]:
    """Lines below the grid with the metric's value; per label, with its macro and micro average."""
    pooled_ratio = ratio_text(metric.ratio(pooled))
    if per == "cell":
        return [f"all cells together: {pooled_ratio}"]
    values = [Fraction(value_of(sets.term(metric, unit))) for unit in counts]
    average = with_decimal(mean(values))
    if per == "label":
        return [
            f"macro, divide and then average: mean of the columns {average}",
            f"micro, add up and then divide: {pooled_ratio}",
        ]
    if len(counts) == 1:
        return [f"in all: {average}"]
    return [f"{'rows right' if metric is sets.ALL_RIGHT else 'mean of the rows'}: {average}"]


def _draw_legend(ax: Axes, marks: list[Mark], texts: list[str], y: float) -> None:
    """Draw the symbol of each mark with its text, in one line."""
    x = 0.3
    for mark, text in zip(marks, texts, strict=True):
        draw_box(ax, x, y - 0.14, 0.28, 0.28, linewidth=1.2, **mark.box_style)
        write(ax, x + 0.14, y, mark.symbol, ha="center", color=mark.ink, fontsize=SIZE - 1)
        write_small(ax, x + 0.38, y, text)
        x += 0.38 + text_width([text], SIZE - 2) + 0.3
