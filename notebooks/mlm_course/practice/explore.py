"""A label grid to click, and every metric of the course beside it: a Jupyter widget."""

from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
import traitlets

from mlm_course.practice.page import SCRIPT, STYLE, metric_values, page_json, static_display


class Explorer(anywidget.AnyWidget):
    """The widget that `explore` shows; its module counts.

    Attributes
    ----------
    page : dict
        All that does not change, and the start, to which one can go back.
    shown : dict
        What is on the screen now, such as ``shown["y_pred"]``.
    """

    _esm = SCRIPT
    _css = STYLE
    page = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, page: Mapping[str, Any]) -> None:
        super().__init__(page=page, shown=page["shown"])

    def __repr__(self) -> str:
        """Say what it is, in a sentence."""
        n_samples, n_labels = len(self.shown["samples"]), len(self.shown["labels"])
        f1 = metric_values(self.shown)["example_based.f1"]
        size = f"{n_samples} sample{'s' * (n_samples > 1)}, {n_labels} label{'s' * (n_labels > 1)}"
        return f"The explorer: {size}, samples F1 {f1}. Run the cell to click."

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget where it runs; where it does not, the table, folded: it tells every answer."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            table = static_display(self.shown).to_html()
            bundle[0]["text/html"] = f"<details><summary>{self!r}</summary>{table}</details>"
        return bundle


def explore(
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    labels: Sequence[str] | None = None,
    samples: Sequence[str] | None = None,
) -> Explorer:
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

    Examples
    --------
    >>> shown = explore([[1, 0, 1], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]], labels=["cat", "dog", "sea"])
    >>> shown
    The explorer: 2 samples, 3 labels, samples F1 5/6. Run the cell to click.
    """
    return Explorer(page_json(y_true, y_pred, y_score, labels=labels, samples=samples))
