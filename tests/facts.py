"""What facts are made of: all small worlds, and what a cell of a notebook shows.

A fact is a test whose name says something true of the metrics, and proves it. The cell that states it lists the name in
its metadata: `"facts": ["test_…"]`.
"""

from __future__ import annotations

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
    """Fail unless it holds of every truth with every prediction, or with every order of scores.

    always(lambda y_true, y_pred: example_based.f1(y_true, y_pred) <= 1)
    """
    for world in _every(holds, shapes):
        assert holds(*world), f"it does not hold of {world[0].tolist()}, {world[1].tolist()}"


def sometimes(holds: Holds, shapes: tuple[tuple[int, int], ...] = SHAPES) -> None:
    """Fail unless it holds of some truth with some prediction, or with some order of scores."""
    assert any(holds(*world) for world in _every(holds, shapes)), "it never holds"


def _every(holds: Holds, shapes: tuple[tuple[int, int], ...]) -> Iterator[list[np.ndarray]]:
    """Truth and prediction, or scores with every tie, as the name of the second argument asks."""
    _, other, *_ = inspect.signature(holds).parameters
    assert other in ("y_pred", "y_score"), "name the second argument y_pred or y_score"
    has_scores = other == "y_score"
    for shape in shapes:
        if not (has_scores and shape[1] == 1):  # which have an order within a sample alone
            for world in all_small.pairs(*shape, has_scores):
                yield [np.array(matrix) for matrix in world]


# ---------------------------------------------------------------------------- by a pencil


def tp_fp_fn_tn(truth: Iterable[int], predicted: Iterable[int]) -> tuple[int, int, int, int]:
    """Hits, false alarms, misses and cells rightly left out, by a pencil."""
    cells = list(zip(truth, predicted, strict=True))
    return tuple(cells.count(cell) for cell in ((1, 1), (0, 1), (1, 0), (0, 0)))


def subset_accuracy(y_true: Iterable, y_pred: Iterable) -> Fraction:
    """The share of samples that are right in every label."""
    right = [[*t] == [*p] for t, p in zip(y_true, y_pred, strict=True)]
    return Fraction(sum(right), len(right))


def cell_accuracy(y_true: Iterable, y_pred: Iterable) -> Fraction:
    """The share of cells that are right."""
    right = [
        t == p for rows in zip(y_true, y_pred, strict=True) for t, p in zip(*rows, strict=True)
    ]
    return Fraction(sum(right), len(right))


def decimal(value: float, places: int = 3) -> str:
    """A number as tables show it: to so many places, without needless zeros."""
    text = f"{float(value):.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# ---------------------------------------------------------------------------- what a cell shows


@cache
def cells_by_id(notebook: str) -> dict[str, dict]:
    """The cells of a notebook by their ids, as they are committed."""
    stored = json.loads((NOTEBOOKS / f"{notebook}.ipynb").read_text(encoding="utf-8"))
    return {cell["id"]: cell for cell in stored["cells"]}


def cell_table(notebook: str, cell: str, table: int = 0, names: int = 1) -> Table:
    """A table on screen, row → column → text; a row is named by its first cell, or by more, joined by a comma.

    assert cell_table("02_example_based", "02-32")["sample 3"] == {"F½": "5/7", "F1": "4/5", "F2": "10/11"}
    """
    head, *rows = tables(notebook, cell)[table]
    seen = [head[: place + 1].count(name) for place, name in enumerate(head)]
    head = [f"{name} {n}" if n > 1 else name for name, n in zip(head, seen, strict=True)]
    found = {
        ", ".join(row[:names]): dict(zip(head[names:], row[names:], strict=True)) for row in rows
    }
    assert len(found) == len(rows), "two rows have one name: ask for more `names`"
    return found


def as_table(
    columns: Iterable[str], *lines: tuple[object, ...], places: int = 3, names: int = 1
) -> Table:
    """What `cell_table` reads of a table of these lines; a float is written as a decimal, a Fraction as one."""
    texts = [
        [decimal(value, places) if isinstance(value, float) else str(value) for value in line]
        for line in lines
    ]
    return {
        ", ".join(line[:names]): dict(zip(columns, line[names:], strict=True)) for line in texts
    }


def cell_text(notebook: str, cell: str) -> str:
    """What a cell prints, and the words of its pictures and tables for those who see none."""
    outputs = cells_by_id(notebook)[cell]["outputs"]
    texts = [out["text"] if "text" in out else out["data"]["text/plain"] for out in outputs]
    return "".join("".join(lines) for lines in texts)


def tables(notebook: str, cell: str) -> list[list[list[str]]]:
    """Every table that a cell shows, as rows of texts."""
    outputs = cells_by_id(notebook)[cell]["outputs"]
    lines = (line for out in outputs for line in out.get("data", {}).get("text/html", []))
    return [
        [[cell.get_text() for cell in row(["th", "td"])] for row in table("tr")]
        for table in BeautifulSoup("".join(lines), "html.parser")("table")
    ]
