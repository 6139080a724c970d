"""The home page: a question with three right answers, and links into the course."""

from fractions import Fraction

from matplotlib.axes import Axes

from mlm_course import documents, figures
from mlm_helpers import exact_match, example_based, hamming
from tools.site.pages.markdown import filled_template

QUESTION = "How accurate is it?"
DATA = documents.SKLEARN_GUIDE.y_true, documents.SKLEARN_GUIDE.y_pred
NAMES = {"labels": ["dog", "sun", "sea", "people"], "samples": ["photo 1", "photo 2", "photo 3"]}


def picture() -> Axes:
    """The picture of the truth and the prediction that the question is about."""
    title = "Truth and prediction, cell by cell"
    return figures.label_grid(*DATA, "Hamming loss", per="cell", answer=False, title=title, **NAMES)


def page() -> str:
    """The page in Markdown, with each accuracy as a fraction."""
    accuracies = {
        "all right": exact_match.subset_accuracy(*DATA),
        "overlap": example_based.accuracy(*DATA),
        "cells right": 1 - hamming.hamming_loss(*DATA),
    }
    fractions = {
        name: str(Fraction(float(value)).limit_denominator(1000))
        for name, value in accuracies.items()
    }
    buttons = " ".join(f'<button type="button">{value}</button>' for value in fractions.values())
    return filled_template("home", alt=figures.alt_text(picture()), answers=buttons, **fractions)
