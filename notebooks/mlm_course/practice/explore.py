"""The explorer as a Jupyter widget: a label grid to click, beside every metric of the course."""

from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
import traitlets

from mlm_course.practice.page import SCRIPT, STYLE, metric_values, page_json, static_display


class Explorer(anywidget.AnyWidget):
    """The widget that `explore` returns; its JavaScript computes the metrics.

    Attributes
    ----------
    page : the metrics, the switches, and the data at the start, to which the reader can go back
    shown : the data on the screen now, such as ``shown["y_pred"]``
    """

    _esm = SCRIPT
    _css = STYLE
    page = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, page: Mapping[str, Any]) -> None:
        super().__init__(page=page, shown=page["shown"])

    def __repr__(self) -> str:
        """Describe the widget in a sentence."""
        n_samples, n_labels = len(self.shown["samples"]), len(self.shown["labels"])
        f1 = metric_values(self.shown)["example_based.f1"]
        size = f"{n_samples} sample{'s' * (n_samples > 1)}, {n_labels} label{'s' * (n_labels > 1)}"
        return f"The explorer: {size}, samples F1 {f1}. Run the cell to click."

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget; and for pages without a kernel a folded table, as it has every answer."""
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

    Truth and prediction are changed separately. With scores, a slider moves the threshold. One
    metric shows its formula with the numbers put in. The data on the screen are in ``.shown``. A
    page without a kernel has a table instead.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels), at most 12 of each
    y_pred : matrix of 0 and 1, same shape, optional
        By default the labels that score at least 0.5; without scores no label.
    y_score : matrix of finite numbers, same shape, optional
        Without scores, the metrics that read scores are not shown.
    labels, samples : names, optional
        By default the names of a DataFrame, else numbers from 1.

    Raises
    ------
    TypeError, ValueError
        For data that the metrics refuse, more than 12 samples or labels, or names that do not fit.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0, 1], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]]
    >>> explorer = explore(y_true, y_pred, labels=["cat", "dog", "sea"])
    >>> explorer
    The explorer: 2 samples, 3 labels, samples F1 5/6. Run the cell to click.
    """
    return Explorer(page_json(y_true, y_pred, y_score, labels=labels, samples=samples))
