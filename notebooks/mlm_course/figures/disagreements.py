"""Pictures of two metrics that disagree, and a table of all pairs of metrics."""

from collections.abc import Collection, Mapping
from string import ascii_uppercase

import numpy as np
from matplotlib.axes import Axes

from mlm_course.disagreement import Disagreement
from mlm_course.figures import cells
from mlm_course.figures.look import CODES, MANY, QUIET, SIZE
from mlm_course.figures.pen import draw_cell, page, text_width, write, write_heading, write_small
from mlm_course.figures.phrases import capitalized, display_names


def disagreement_grids(disagreement: Disagreement) -> Axes:
    """Two predictions side by side that two metrics rank in opposite order, with the values below.

    Parameters
    ----------
    disagreement : what `mlm_course.disagreement.smallest_disagreement` returns for two set metrics
        Scores have no picture: print the disagreement instead.
    """
    truth, verdicts = disagreement.y_true, disagreement.verdicts
    first = cells.outcome_matrix(truth, disagreement.first)
    second = cells.outcome_matrix(truth, disagreement.second)
    n_samples, n_labels = first.shape
    letters = ascii_uppercase[:n_labels] if n_labels <= len(ascii_uppercase) else None
    labels = display_names(letters, n_labels, "label")
    samples = display_names(None, n_samples, "sample")
    sentences = []
    for title, outcomes in (("First prediction of", first), ("Second prediction of", second)):
        phrases = cells.outcome_phrases(outcomes, labels, samples)
        sentences.append(cells.grid_alt_text(title, labels, samples, phrases))
    sentences += [f"{capitalized(verdict)}." for verdict in verdicts]
    left = cells.grid_layout(labels, samples)
    right = left._replace(xs=[x + left.right + 0.1 for x in left.xs])
    width = max(right.right + 0.4, 0.6 + text_width(verdicts, SIZE + 1), 8.2)
    ax = page(width, left.bottom + 0.4 * len(verdicts) + 0.85, " ".join(sentences))
    cells.write_names(ax, left, samples=samples)
    for heading, grid, outcomes in (("First", left, first), ("Second", right, second)):
        write_heading(ax, f"{heading} prediction", grid.xs[0])
        cells.write_names(ax, grid, labels)
        cells.draw_cells(ax, grid, outcomes)
    for i, verdict in enumerate(verdicts):
        write(ax, 0.3, left.bottom + 0.5 + 0.4 * i, verdict, fontsize=SIZE + 1)
    return ax


def pair_table(
    pairs: Mapping[tuple[str, str], Disagreement | None],
    same_order: Collection[tuple[str, str]] = (),
) -> Axes:
    """Table with the number of cells of the smallest data on which each pair of metrics disagrees.

    The sign = stands for a pair that never disagrees, – for one without such data.

    Parameters
    ----------
    pairs : what `mlm_course.disagreement.all_pairs` returns
    same_order : the pairs that can never disagree
    """
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    codes = {}
    for pair, disagreement in pairs.items():
        codes[pair] = "=" if pair in same_order else "–"
        if disagreement:
            codes[pair] = str(np.size(disagreement.y_true))
    rows = [[codes[column, row] for column in names[:i]] for i, row in enumerate(names)]
    key = "Cells of the smallest data, within 2 samples × 3 labels, on which two metrics disagree;"
    key += " = never, – none found"
    phrases = []
    for i, (name, row) in enumerate(zip(names, rows, strict=True), start=1):
        phrases.append(f"{i} {name}" + (f": {' '.join(row)}" if row else ""))
    alt = f"{key}; each metric against those before it. {'; '.join(phrases)}."
    step, left, top = 0.31, 1.1 + text_width(names, SIZE - 2), 0.9
    width, bottom = left + step * len(names) + 0.3, top + step * len(names)
    ax = page(width, bottom + 0.9, alt, "When two metrics disagree")
    for i, name in enumerate(names):
        x, y = left + step * (i + 0.5), top + step * (i + 0.5)
        style = {"ha": "center", "fontsize": SIZE - 3, "color": QUIET, "fontweight": "bold"}
        write(ax, left - 0.2, y, f"{name}  {i + 1}", ha="right", fontsize=SIZE - 2)
        write(ax, x, y, str(i + 1), **style)
    side = step - 0.03
    for i, row in enumerate(rows):
        for j, code in enumerate(row):
            x, y, mark = left + step * j, top + step * i, CODES.get(code, MANY)
            draw_cell(ax, x, y, side, side, mark)
            style = {"ha": "center", "fontsize": SIZE - 2, "color": mark.ink}
            write(ax, x + side / 2, y + side / 2, code, **style)
    write_small(ax, 0.3, bottom + 0.25, key)
    return ax
