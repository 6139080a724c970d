"""Picture of several annotators of the same samples, their majority and a model."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlm_course.figures import cells, grids
from mlm_course.figures.look import MARKS, SIZE
from mlm_course.figures.pen import page, text_width, write
from mlm_course.figures.phrases import Names, and_list, display_names, ratio_text
from mlm_helpers._core import inputs
from mlm_helpers.worked import set_steps as sets

_BY_MAJORITY = (  # the index is 2 * majority + row
    MARKS[0],
    MARKS[1]._replace(symbol="+", word="given, but not by the majority"),
    MARKS[2]._replace(symbol="−", word="given by the majority only"),
    MARKS[3]._replace(word="given"),
)
_GAP = 0.35  # inches between samples, and above the majority and the model


def annotators(
    annotations: Sequence[ArrayLike],
    model: ArrayLike,
    *,
    labels: Names = None,
    samples: Names = None,
    names: Names = None,
) -> Axes:
    """Picture of annotators, their majority and a model: a row for each, and its micro F1 with the model.

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
    'Annotators, their majority and a model, on 1 sample and 2 labels (s, t). A: sample 1 s and sample 1 \
t, F1 with the model 2/3 ≈ 0.667; B: sample 1 s, F1 with the model 2/2 = 1; C: no label, F1 with the \
model 0/1 = 0; majority: sample 1 s, F1 with the model 2/2 = 1; model: sample 1 s.'
    """
    matrices = [inputs.dense(inputs.read_labels(y, "y_true")) for y in annotations]
    majority = np.mean(matrices, axis=0) > 0.5
    matrices += [majority, inputs.dense(inputs.read_labels(model, "y_pred"))]
    n_samples, n_labels = majority.shape
    labels = display_names(labels, n_labels, "label", *annotations, model)
    samples = display_names(samples, n_samples, "sample", *annotations, model)
    rows = [*display_names(names, len(annotations), "annotator"), "majority", "model"]
    codes = np.array([cells.outcome_matrix(majority, matrix).ravel() for matrix in matrices])
    with_model = [cells.outcome_matrix(matrices[-1], matrix).ravel() for matrix in matrices[:-1]]
    notes = [ratio_text(sets.F1.ratio(grids.exact_counts(row))) for row in with_model]
    title, heading = "Annotators, their majority and a model", "F1 with the model"
    columns = np.array([f"{sample} {label}" for sample in samples for label in labels])
    phrases = [
        f"{name}: {and_list(columns[row % 2 == 1].tolist()) or 'no label'}"
        + f", {heading} {note}" * bool(note)
        for name, row, note in zip(rows, codes, [*notes, ""], strict=True)
    ]
    alt = cells.grid_alt_text(f"{title}, on", labels, samples, phrases)
    grid = cells.grid_layout(labels * n_samples, rows)
    xs = np.array(grid.xs) + _GAP * (np.arange(len(columns)) // n_labels)
    ys = np.array(grid.ys) + _GAP * (1 + np.maximum(np.arange(len(rows)) - len(annotations) + 1, 0))
    grid = grid._replace(xs=xs.tolist(), ys=ys.tolist())
    marks = [_BY_MAJORITY[code] for code in (3, 1, 2)]
    words = [mark.word for mark in marks]
    legend_width = sum(0.68 + text_width([word], SIZE - 2) for word in words)
    right = grid.right + 0.3 + text_width([heading, *notes])
    ax = page(max(right, 0.3 + legend_width) + 0.3, grid.bottom + 0.85, alt, title)
    for sample, x in zip(samples, grid.xs[::n_labels], strict=True):
        write(ax, x, grid.ys[0] - 0.62, sample, fontweight="bold")
    cells.write_names(ax, grid, labels * n_samples, rows)
    cells.draw_cells(ax, grid, codes, _BY_MAJORITY)
    write(ax, grid.right + 0.3, grid.ys[0] - 0.28, heading)
    for y, note in zip(grid.ys, notes, strict=False):
        write(ax, grid.right + 0.3, y + grid.height / 2, note, fontweight="bold")
    cells.draw_legend(ax, marks, words, grid.bottom + 0.5)
    return ax
