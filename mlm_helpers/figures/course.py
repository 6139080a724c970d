"""The pictures of the course, drawn from the documents, the catalogue and the last benchmark."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes

from mlm_helpers import conventions, documents, records
from mlm_helpers import disagreement as disagreements
from mlm_helpers.figures.batches import BATCHES, merging
from mlm_helpers.figures.disagreements import pair_table
from mlm_helpers.figures.dots import tool_dots
from mlm_helpers.figures.families import metric_map
from mlm_helpers.figures.grids import label_grid
from mlm_helpers.figures.lines import training_curves
from mlm_helpers.figures.ranks import rank_lists
from mlm_helpers.figures.times import growth


def _document_grid(document: Any, ratio: str, per: str) -> Axes:
    return label_grid(document.y_true, document.y_pred, ratio, per=per, labels=document.labels)


def _perfect_picture() -> Axes:
    (case,) = (record for record in conventions.recorded() if record.name == "perfect+both_empty")
    by_default = {k: v for k, v in case.numbers["samples F1"].items() if k in conventions.TOOLS}
    return tool_dots(by_default, title="A perfect prediction, and its samples F1 in each tool")


def _ranking_picture() -> Axes:
    ranking = documents.RANKING
    return rank_lists(ranking.scores, ranking.y_true, ranking.labels)


def measured() -> dict[str, Any]:
    """What ``make bench`` measured when it last ran."""
    return records.load("bench")


def _growth_picture(by: str) -> Axes:
    record = measured()["growth"]
    curves = record[by]
    return growth(
        curves["ms"], curves["sizes"], by=by, data=curves["data"], limit=record["limit_s"]
    )


PICTURES: dict[str, Callable[[], Axes]] = {
    "exact_match": lambda: _document_grid(documents.SKLEARN_GUIDE, "exact match", "sample"),
    "example_based": lambda: _document_grid(documents.PARTIAL_CREDIT, "accuracy", "sample"),
    "hamming": lambda: _document_grid(documents.SKLEARN_GUIDE, "Hamming loss", "cell"),
    "label_based": lambda: _document_grid(documents.MACRO_MICRO, "F1", "label"),
    "ranking": _ranking_picture,
    "training_curves": lambda: training_curves(
        documents.FORMULAS.curves, documents.FORMULAS.epochs
    ),
    "metric_map": metric_map,
    "conventions": _perfect_picture,
    "disagreements": lambda: pair_table(disagreements.all_pairs(), disagreements.SAME_ORDER),
    "at_scale": lambda: merging(BATCHES),
    **{
        f"growth_{by}": functools.partial(_growth_picture, by)
        for by in ("samples", "labels", "density")
    },
}
"""File stem to the function that draws it from the documents' data, the catalogue or the last benchmark."""
