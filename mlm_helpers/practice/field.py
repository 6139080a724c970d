"""A text field below a sheet, where widgets run."""

import importlib
from collections.abc import Callable
from typing import Any

from mlm_helpers.practice.verdict import Verdict


def field(page: str, check: Callable[[str], Verdict]) -> Any:
    """A page, a field to answer in, and below it what is said of the last answer.

    An ImportError says what to do where ipywidgets is not installed.
    """
    try:
        widgets: Any = importlib.import_module("ipywidgets")
    except ImportError:
        raise ImportError(
            "ipywidgets is not installed, and the text field needs it: install it, or call .check(answer)"
        ) from None
    answer = widgets.Text(
        description="Answer", placeholder="2/3, 0.667 or 66.7 %", continuous_update=False
    )
    said = widgets.HTML()

    def judge(change: Any) -> None:
        if change["new"].strip():
            said.value = f'<div role="status">{check(change["new"])._repr_html_()}</div>'

    answer.observe(judge, "value")
    return widgets.VBox([widgets.HTML(page), answer, said])
