"""Helpers for facts: all small data sets, counts by hand, tables and texts of notebook cells.

A fact is a test whose name is a true sentence about the metrics. The cell that states the sentence
lists the name of the test in its metadata: `"facts": ["test_…"]`.
"""

import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache

import all_small
import numpy as np
from bs4 import BeautifulSoup

from tools.notebooks import NOTEBOOKS

SHAPES = ((2, 2), (1, 3), (3, 1))  # samples, labels

Holds = Callable[..., bool]
Table = dict[str, dict[str, str]]


def always(holds: Holds, shapes: tuple[tuple[int, int], ...] = SHAPES) -> None:
    """Fail unless a statement holds for every truth with every prediction or order of scores.

    always(lambda y_true, y_pred: example_based.f1(y_true, y_pred) <= 1)
    """
    for y_true, prediction in _small_data(holds, shapes):
        message = f"it does not hold for {y_true.tolist()}, {prediction.tolist()}"
        assert holds(y_true, prediction), message


def sometimes(holds: Holds, shapes: tuple[tuple[int, int], ...] = SHAPES) -> None:
    """Fail unless a statement holds for some truth with some prediction or order of scores."""
    assert any(holds(*data) for data in _small_data(holds, shapes)), "it never holds"


def _small_data(holds: Holds, shapes: tuple[tuple[int, int], ...]) -> Iterator[list[np.ndarray]]:
    """All truths with all predictions or orders of scores, as the second argument is named."""
    _, argument, *_ = inspect.signature(holds).parameters
    assert argument in ("y_pred", "y_score"), "name the second argument y_pred or y_score"
    has_scores = argument == "y_score"
    for shape in shapes:
        if not (has_scores and shape[1] == 1):  # a single label has no order of scores
            for data in all_small.pairs(*shape, has_scores):
                yield [np.array(matrix) for matrix in data]


# ---------------------------------------------------------------------------- by hand


def tp_fp_fn_tn(truth: Iterable[int], predicted: Iterable[int]) -> tuple[int, int, int, int]:
    """The numbers of hits, false alarms, misses and cells rightly left out."""
    cells = list(zip(truth, predicted, strict=True))
    return tuple(cells.count(cell) for cell in ((1, 1), (0, 1), (1, 0), (0, 0)))


def subset_accuracy(y_true: Iterable, y_pred: Iterable) -> Fraction:
    """The share of samples that are right in every label."""
    right = [[*t] == [*p] for t, p in zip(y_true, y_pred, strict=True)]
    return Fraction(sum(right), len(right))


def cell_accuracy(y_true: Iterable, y_pred: Iterable) -> Fraction:
    """The share of cells that are right."""
    rows = zip(y_true, y_pred, strict=True)
    right = [t == p for row in rows for t, p in zip(*row, strict=True)]
    return Fraction(sum(right), len(right))


def decimal(value: float, places: int = 3) -> str:
    """A number as tables show it: rounded, without zeros at the end."""
    text = f"{float(value):.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# ---------------------------------------------------------------------------- the output of a cell


@cache
def cells_by_id(notebook: str) -> dict[str, dict]:
    """The committed cells of a notebook, by their ids."""
    stored = json.loads((NOTEBOOKS / f"{notebook}.ipynb").read_text(encoding="utf-8"))
    return {cell["id"]: cell for cell in stored["cells"]}


def cell_table(notebook: str, cell: str, table: int = 0, names: int = 1) -> Table:
    """A table of a cell's output as row name → column name → text.

    The first `names` cells of a row are its name.

    assert cell_table("02_example_based", "02-32")["sample 3"] == {"F½": "5/7", "F1": "4/5", "F2":
    "10/11"}
    """
    head, *rows = tables(notebook, cell)[table]
    # The second column of one name gets a 2 after it, the third a 3.
    n_so_far = [head[: place + 1].count(name) for place, name in enumerate(head)]
    columns = [f"{name} {n}" if n > 1 else name for name, n in zip(head, n_so_far, strict=True)]
    by_name = {
        ", ".join(row[:names]): dict(zip(columns[names:], row[names:], strict=True)) for row in rows
    }
    assert len(by_name) == len(rows), "two rows have one name: ask for more `names`"
    return by_name


def as_table(
    columns: Iterable[str], *lines: tuple[object, ...], places: int = 3, names: int = 1
) -> Table:
    """Lines of values as `cell_table` returns them: floats as decimals, fractions as fractions.

    The columns are named without the first one, which has the names of the rows.
    """

    def as_text(value: object) -> str:
        return decimal(value, places) if isinstance(value, float) else str(value)

    rows = [[*map(as_text, line)] for line in lines]
    return {", ".join(row[:names]): dict(zip(columns, row[names:], strict=True)) for row in rows}


def cell_text(notebook: str, cell: str) -> str:
    """The text that a cell prints, with the texts of its pictures and tables."""
    outputs = cells_by_id(notebook)[cell]["outputs"]
    texts = [out["text"] if "text" in out else out["data"]["text/plain"] for out in outputs]
    return "".join("".join(lines) for lines in texts)


def tables(notebook: str, cell: str) -> list[list[list[str]]]:
    """All tables in the output of a cell, as rows of texts."""
    outputs = cells_by_id(notebook)[cell]["outputs"]
    lines = (line for out in outputs for line in out.get("data", {}).get("text/html", []))
    return [
        [[cell.get_text() for cell in row(["th", "td"])] for row in table("tr")]
        for table in BeautifulSoup("".join(lines), "html.parser")("table")
    ]
