"""The first page: a question with three right answers, and the ways into the course."""

from __future__ import annotations

from fractions import Fraction

from matplotlib.axes import Axes

from mlm_course import documents, figures
from mlm_helpers import exact_match, example_based, hamming
from tools.site.pages.markdown import filled

ASKS = "How accurate is it?"
DATA = documents.SKLEARN_GUIDE.y_true, documents.SKLEARN_GUIDE.y_pred
NAMES = {"labels": ["dog", "sun", "sea", "people"], "samples": ["photo 1", "photo 2", "photo 3"]}


def picture() -> Axes:
    """Draw the truth and the prediction that the question is about."""
    title = "Truth and prediction, cell by cell"
    return figures.label_grid(*DATA, "Hamming loss", per="cell", answer=False, title=title, **NAMES)


def text() -> str:
    values = {
        "all right": exact_match.subset_accuracy(*DATA),
        "overlap": example_based.accuracy(*DATA),
        "cells right": 1 - hamming.hamming_loss(*DATA),
    }
    numbers = {
        way: str(Fraction(float(value)).limit_denominator(1000)) for way, value in values.items()
    }
    buttons = " ".join(f'<button type="button">{number}</button>' for number in numbers.values())
    return filled("home", alt=figures.alt_text(picture()), answers=buttons, **numbers)
