"""The explorer as a Jupyter widget: only here does the package import any."""

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from mlm_course.practice.page import SCRIPT, STYLE, board, values


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
        f1 = values(self.shown)["example_based.f1"]
        size = f"{n_samples} sample{'s' * (n_samples > 1)}, {n_labels} label{'s' * (n_labels > 1)}"
        return f"The explorer: {size}, samples F1 {f1}. Run the cell to click."

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget where it runs; where it does not, the table, folded: it tells every answer."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            table = board(self.shown).to_html()
            bundle[0]["text/html"] = f"<details><summary>{self!r}</summary>{table}</details>"
        return bundle
