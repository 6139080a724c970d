"""A table of rows and columns: what stands in its cells, as text and as HTML."""

# mypy: allow-untyped-calls
from __future__ import annotations

from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pandas
import pytest

from mlm_helpers import board

COLUMNS = ("", "F1", "errors")


def test_text_stands_in_columns() -> None:
    shown = board.table(
        COLUMNS, [("tree", Fraction(4, 9), 3), ("Bayes", 2 / 3, None)], "Two models"
    )
    assert repr(shown) == "Two models\n       F1     errors\ntree   4/9    3\nBayes  0.667  –"


def test_html_names_columns_and_rows() -> None:
    assert board.table(("model", "F1"), [("a & b", 0.5)], "One <model>")._repr_html_() == (
        "<div>\n<table>\n<caption>One &lt;model&gt;</caption>\n"
        '<thead><tr><th scope="col">model</th><th scope="col">F1</th></tr></thead>\n<tbody>\n'
        '<tr><th scope="row">a &amp; b</th><td>0.5</td></tr>\n</tbody>\n</table>\n</div>'
    )


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        ("sea and sun", 3, "sea and sun"),
        ("two\nlines", 3, "two lines"),
        ("", 3, ""),
        ("חדשות", 3, "\u2068חדשות\u2069"),  # turns nothing around it
        (np.str_("sea"), 3, "sea"),
        (1200, 3, "1200"),
        (np.int64(3), 3, "3"),
        (True, 3, "True"),
        (np.bool_(False), 3, "False"),
        (Fraction(8, 18), 3, "4/9"),
        (Fraction(2), 3, "2"),
        (2 / 3, 3, "0.667"),
        (2 / 3, 1, "0.7"),
        (2.6, 0, "3"),
        (0.5, 3, "0.5"),
        (-0.0, 3, "0"),
        (1200.0, 3, "1200"),
        (np.float64(1 / 3), 3, "0.333"),
        (np.float32(0.1), 6, "0.1"),
        (0.0004, 3, "0.0004"),  # no 0 where there is something
        (nan, 3, "nan"),
        (inf, 3, "inf"),
        (None, 3, "–"),
    ],
)
def test_a_value_in_a_cell(value: Any, decimals: int, text: str) -> None:
    shown = board.table(("row", "value"), [("a", value)], decimals=decimals)
    assert shown.to_html().count(f"<td>{text}</td>") == 1
    assert repr(shown).splitlines()[1] == f"a    {text}".rstrip()


def test_wide_characters_take_two_columns() -> None:
    shown = board.table(("label", "n"), [("体育", 1), ("sea", 2), ("e\u0301", 3)])
    assert repr(shown).splitlines() == ["label  n", "体育   1", "sea    2", "e\u0301      3"]


@pytest.mark.parametrize("row", [("b",), ("b", 1, 2), ()])
def test_a_row_of_another_length_is_refused(row: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="other numbers of cells: give one for each column"):
        board.table(("model", "F1"), [("a", 1), row])


INTERVALS = board.table(
    ("label", "n_1", "F1"),
    [("a|b [x]", 3, (1 / 3, 0.25, 0.5, 0.1, 0)), ("50 % $", None, -0.5), ("micro ↓", 2, None)],
    "Cats & dogs",
)


def test_an_interval_stands_in_one_cell() -> None:
    assert "0.333 (0.25 to 0.5)" in repr(INTERVALS)


def test_a_frame_has_unrounded_numbers_and_ends_apart() -> None:
    pandas.testing.assert_frame_equal(
        INTERVALS.frame(),
        pandas.DataFrame(
            {
                "n_1": [3, nan, 2],
                "F1": [1 / 3, -0.5, nan],
                "F1 low": [0.25, nan, nan],
                "F1 high": [0.5, nan, nan],
            },
            index=pandas.Index(["a|b [x]", "50 % $", "micro ↓"], name="label"),
        ),
    )
    exact = board.table(COLUMNS, [("tree", Fraction(4, 9), 3)]).frame()
    assert exact.loc["tree", "F1"] == Fraction(4, 9)


def test_no_sign_of_a_name_is_read_as_markdown() -> None:
    assert INTERVALS.markdown() == (
        "Cats & dogs\n\n| label | n\\_1 | F1 |\n| --- | ---: | ---: |\n"
        "| a\\|b \\[x\\] | 3 | 0.333 (0.25 to 0.5) |\n| 50 % \\$ | – | -0.5 |\n| micro ↓ | 2 | – |"
    )


def test_no_sign_of_a_name_is_read_as_latex() -> None:
    assert (
        INTERVALS.latex()
        == r"""\begin{table}
\caption{Cats \& dogs}
\centering
\begin{tabular}{lrr}
\toprule
label & n\_1 & F1 \\
\midrule
a$|$b {[}x] & 3 & 0.333 (0.25 to 0.5) \\
50 \% \$ & -- & $-$0.5 \\
micro $\downarrow$ & 2 & -- \\
\bottomrule
\end{tabular}
\end{table}"""
    )
    signs = board.table(("", ""), [("{~^}", "\\#")]).latex()
    assert r"\{\textasciitilde{}\textasciicircum{}\} & \textbackslash{}\# \\" in signs


def test_other_boards_are_written_too() -> None:
    shown = board.Board(
        "A_B", (board.Sentence("x < y"), board.Table("", ("a", "b"), (("1", "2"),)))
    )
    assert shown.markdown() == "A\\_B\n\nx \\< y\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |"
    assert shown.latex().startswith("A\\_B\n\nx $<$ y\n\n\\begin{table}\n\\centering")
    assert shown.frame().loc["1", "b"] == "2"
