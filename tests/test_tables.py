"""A table of rows and columns as text, HTML, Markdown, LaTeX and as a DataFrame."""

from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pandas
import pytest

from mlm_helpers import tables

INTERVALS = tables.table(
    ("label", "n_1", "F1"),
    [("a|b [x]", 3, (1 / 3, 0.25, 0.5, 0.1, 0)), ("50 % $", None, -0.5), ("micro ↓", 2, None)],
    "Cats & dogs, one <model>",
)
SIGNS = tables.Display(
    "A_B", (tables.Sentence("x < y"), tables.Table("", ("", "b"), (("{~^}", "\\#"), ("1", "2"))))
)
WIDE = tables.table(
    ("label", "n"), [("体育", Fraction(4, 9)), ("sea", 2), ("e\u0301", None)], "Two"
)


@pytest.mark.parametrize("display", [INTERVALS, SIGNS, WIDE], ids=["intervals", "signs", "wide"])
def test_all_renderings(display, snapshot):
    """No name is read as HTML, Markdown or LaTeX; wide characters take two columns."""
    assert display._repr_html_() == display.to_html()
    renderings = repr(display), display.to_html(), display.markdown(), display.latex()
    assert "\n\n----\n\n".join(renderings) == snapshot


def test_values_in_cells(snapshot):
    """A right-to-left name does not reorder the text around it; 0.0001 is not shown as 0."""
    values: list[Any] = ["two\nlines", "", "חדשות", np.str_("sea"), np.int64(1200), np.bool_(False)]
    values += [Fraction(8, 18), Fraction(2), -0.0, 1200.0, 2 / 3, 0.0004, nan, inf, None]
    assert repr(tables.table(("", "value"), enumerate(values))) == snapshot
    for value, decimals, text in ((2.6, 0, "3"), (np.float32(0.1), 6, "0.1"), (2 / 3, 1, "0.7")):
        display = tables.table(("row", "value"), [("a", value)], decimals=decimals)
        assert repr(display).splitlines()[1] == f"a    {text}"


def test_a_table_for_a_paper():
    """Floats have the same number of decimals, integers none; caption and label are LaTeX."""
    rows = [("a", 3, 0.48, (1.0, -0.0004, 1.0)), ("b", 12, 0.0004, None)]
    display = tables.table(("label", "n", "F1", "AP"), rows, "A & b", fixed=3)
    assert repr(display).splitlines()[2:] == [
        "a      3   0.480  1.000 (0.000 to 1.000)",
        "b      12  0.000  –",
    ]
    assert r"\caption{A \& b}" in display.latex()
    assert r"\caption{\emph{Ours}}\label{tab:f1}" in display.latex(r"\emph{Ours}", "tab:f1")


def test_a_frame_has_unrounded_numbers_and_columns_of_interval_ends():
    columns = {
        "n_1": pandas.array([3, None, 2], dtype="Int64"),
        "F1": [1 / 3, -0.5, nan],
        "F1 low": [0.25, nan, nan],
        "F1 high": [0.5, nan, nan],
    }
    index = pandas.Index(["a|b [x]", "50 % $", "micro ↓"], name="label")
    pandas.testing.assert_frame_equal(INTERVALS.frame(), pandas.DataFrame(columns, index))
    unnamed = tables.table(("", "value", "value"), [("a", 1, 0.5), ("a", 2, None)]).frame()
    assert unnamed["value"].to_numpy() == pytest.approx(np.array([[1, 0.5], [2, nan]]), nan_ok=True)
    assert tables.table(("label", "AP"), [("a", None)]).frame()["AP"].dtype == float
    assert WIDE.frame().loc["体育", "n"] == Fraction(4, 9)
    assert SIGNS.frame().loc["1", "b"] == "2"
