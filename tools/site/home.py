"""The first page: a question with three right answers, and the ways into the course."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from matplotlib.axes import Axes

from mlm_helpers import exact_match, example_based, hamming, worked
from mlm_helpers.course import figures
from mlm_helpers.course.documents import SKLEARN_GUIDE
from tools.site.pages.markdown import filled

TRUTH, PREDICTION = SKLEARN_GUIDE.y_true, SKLEARN_GUIDE.y_pred
NAMES: dict[str, Any] = {
    "labels": ["dog", "sun", "sea", "people"],
    "samples": ["photo 1", "photo 2", "photo 3"],
}


def accuracies() -> dict[str, Fraction]:
    """Three numbers of one prediction that are all called its accuracy."""
    exact, overlap, loss = (
        Fraction(str(worked.solve(metric, TRUTH, PREDICTION).value))
        for metric in (exact_match.subset_accuracy, example_based.accuracy, hamming.hamming_loss)
    )
    return {"exact": exact, "overlap": overlap, "cells": 1 - loss}


def picture() -> Axes:
    """What is asked about."""
    title = "Truth and prediction, cell by cell"
    return figures.label_grid(
        TRUTH, PREDICTION, "Hamming loss", per="cell", answer=False, title=title, **NAMES
    )


def page() -> str:
    """The home page: site/home.md with what the course knows put in."""
    numbers = {name: str(value) for name, value in accuracies().items()}
    buttons = " ".join(f'<button type="button">{number}</button>' for number in numbers.values())
    return filled(
        "home",
        alt=figures.alt_text(picture()),
        answers=buttons,
        **numbers,
    )
