"""A text field below a sheet, where widgets run."""

import contextlib
import importlib
from collections.abc import Callable
from typing import Any

from mlm_course.practice.answers import Verdict

VIEW = "application/vnd.jupyter.widget-view+json"
"""As what a notebook is given a widget."""


def field(check: Callable[[str], Verdict]) -> Any:
    """A field to answer in, and below it what is said of the last answer.

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
    return widgets.VBox([answer, said])


def show_below(make: Callable[[], Any]) -> None:
    """Show a widget below all that the running cell shows; without a kernel or widgets, nothing.

    It is an output of its own, and a view alone: where a notebook is opened again, no widget is left
    but what the cell showed above it is; and what is stored without views has no trace of it.
    """
    from IPython import get_ipython

    shell: Any = get_ipython()
    if not hasattr(shell, "kernel"):
        return

    def once(_: object) -> None:
        shell.events.unregister("post_run_cell", once)
        with contextlib.suppress(ImportError):
            shell.display_pub.publish({VIEW: make().get_view_spec()})

    shell.events.register("post_run_cell", once)
