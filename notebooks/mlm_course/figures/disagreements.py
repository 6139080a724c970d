"""Pictures of two metrics that disagree, and of all pairs that do."""

from collections.abc import Collection, Mapping
from string import ascii_uppercase

import numpy as np
from matplotlib.axes import Axes

from mlm_course.disagreement import Disagreement
from mlm_course.figures.cells import draw_cells, label_outcomes, layout, name_cells, seen, sentence
from mlm_course.figures.look import CODES, MANY, QUIET, SIZE
from mlm_course.figures.pen import cell, headline, page, small, width_of, write
from mlm_course.figures.phrases import capitalized, named


def disagreement_grids(found: Disagreement) -> Axes:
    """Two predictions of one truth that two metrics put in opposite order, side by side.

    Parameters
    ----------
    found : what `mlm_course.disagreement.smallest_disagreement` returns for two metrics of label sets
        Scores have no picture: print it instead.
    """
    predictions = {"First": found.first, "Second": found.second}
    outcomes = {one: label_outcomes(found.y_true, other) for one, other in predictions.items()}
    n_samples, n_labels = outcomes["First"].shape
    letters = ascii_uppercase[:n_labels] if n_labels <= len(ascii_uppercase) else None
    labels, samples = named(letters, n_labels, "label"), named(None, n_samples, "sample")
    left = layout(labels, samples)
    right = left._replace(xs=[x + left.right + 0.1 for x in left.xs])
    lines = found.verdicts
    alt = [
        sentence(f"{which} prediction of", labels, samples, seen(outcome, labels, samples))
        for which, outcome in outcomes.items()
    ]
    alt += [f"{capitalized(line)}." for line in lines]
    width = max(right.right + 0.4, 0.6 + width_of(lines, SIZE + 1), 8.2)
    ax = page(width, left.bottom + 0.4 * len(lines) + 0.85, " ".join(alt))
    name_cells(ax, left, samples=samples)
    for (which, outcome), at in zip(outcomes.items(), (left, right), strict=True):
        headline(ax, f"{which} prediction", at.xs[0])
        name_cells(ax, at, labels)
        draw_cells(ax, at, outcome, name=f"{which.lower()}-")
    for i, line in enumerate(lines):
        write(ax, 0.3, left.bottom + 0.5 + 0.4 * i, line, fontsize=SIZE + 1)
    return ax


def pair_table(
    pairs: Mapping[tuple[str, str], Disagreement | None],
    same_order: Collection[tuple[str, str]] = (),
) -> Axes:
    """How many cells the smallest data have on which each pair of metrics disagrees.

    Parameters
    ----------
    pairs : what `mlm_course.disagreement.all_pairs` returns
    same_order : the pairs that can never disagree
    """
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    signs = {
        pair: str(np.size(found.y_true)) if found else "=" if pair in same_order else "–"
        for pair, found in pairs.items()
    }
    codes = [[signs[column, row] for column in names[:i]] for i, row in enumerate(names)]
    known = (
        "cells of the smallest data, within 2 samples × 3 labels, on which two metrics disagree;"
        " = never, – none found"
    )
    rows = (
        " ".join([f"{i} {name}:", *row]).removesuffix(":")
        for i, (name, row) in enumerate(zip(names, codes, strict=True), 1)
    )
    alt = f"{capitalized(known)}; each metric against those before it. {'; '.join(rows)}."
    size, left, top = 0.31, 1.1 + width_of(names, SIZE - 2), 0.9
    width, below = left + size * len(names) + 0.3, top + size * len(names)
    ax = page(width, below + 0.9, alt, "When two metrics disagree")
    for i, name in enumerate(names):
        x, y = left + size * (i + 0.5), top + size * (i + 0.5)
        look = {"ha": "center", "fontsize": SIZE - 3, "color": QUIET, "fontweight": "bold"}
        write(ax, left - 0.2, y, f"{name}  {i + 1}", ha="right", fontsize=SIZE - 2)
        write(ax, x, y, str(i + 1), **look)
    for i, row in enumerate(codes):
        for j, code in enumerate(row):
            x, y, mark = left + size * j, top + size * i, CODES.get(code, MANY)
            cell(ax, x, y, size - 0.03, size - 0.03, mark, f"{i}-{j}")
            written = {"ha": "center", "fontsize": SIZE - 2, "color": mark.ink}
            write(ax, x + (size - 0.03) / 2, y + (size - 0.03) / 2, code, **written)
    small(ax, 0.3, below + 0.25, capitalized(known))
    return ax
