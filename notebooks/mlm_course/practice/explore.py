"""A label grid to click, and every metric of the course beside it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mlm_course.practice.page import page

if TYPE_CHECKING:
    from mlm_course.practice.widget import Explorer


def explore(
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    labels: Sequence[str] | None = None,
    samples: Sequence[str] | None = None,
) -> "Explorer":
    """A grid of cells to click, and every metric of the course beside it, as exact fractions.

    Truth and prediction change apart. With scores, a threshold slides through them. One metric shows its
    formula with the numbers put in. The data on the screen are in ``.shown``. A page without a
    kernel has a table instead.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels), at most 12 of each
    y_pred : matrix of 0 and 1, same shape, optional
        By default the labels that score at least 0.5; without scores none.
    y_score : matrix of finite numbers, same shape, optional
        Without it no metric is shown that reads scores.
    labels, samples : names, optional
        By default a DataFrame's own, else numbers from 1.

    Returns
    -------
    Explorer
        A widget, which shows itself in a notebook.

    Raises
    ------
    TypeError, ValueError
        One sentence: what the metrics refuse, more than 12 samples or labels, names that do not fit.
    ImportError
        If the package anywidget is missing.

    Examples
    --------
    >>> shown = explore([[1, 0, 1], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]], labels=["cat", "dog", "sea"])
    >>> shown
    The explorer: 2 samples, 3 labels, samples F1 5/6. Run the cell to click.
    """
    start = page(y_true, y_pred, y_score, labels=labels, samples=samples)
    try:
        from mlm_course.practice.widget import Explorer
    except ImportError as error:
        raise ImportError(
            "the explorer needs the package anywidget: install it with pip install anywidget"
        ) from error
    return Explorer(start)
