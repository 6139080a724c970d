"""Each committed notebook keeps the rules of form, and its prose says what its code prints."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from nbformat import NotebookNode
from notebook_rules import bite, faults, problems

from mlm_helpers.course.documents import DOCUMENTS
from tools import notebooks

PATHS = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@cache
def committed(path: Path) -> NotebookNode:
    return notebooks.read(path)


@cache
def bitten(path: Path) -> tuple[int, list[str]]:
    total, survivors = bite(committed(path), DOCUMENTS)
    return total, [f"{path.name}, {survivor}" for survivor in survivors]


def test_there_are_notebooks() -> None:
    assert PATHS


@each_notebook
def test_form(path: Path) -> None:
    assert not [f"{path.name}, {problem}" for problem in problems(committed(path), DOCUMENTS)]


@each_notebook
def test_it_is_neither_long_nor_short(path: Path) -> None:
    texts = [cell.source for cell in committed(path).cells if cell.cell_type == "markdown"]
    assert 900 <= len(" ".join(texts).split()) <= 1_800


@each_notebook
def test_every_number_in_prose_is_printed_or_quoted(path: Path) -> None:
    assert not [f"{path.name}, {sentence}" for sentence in faults(committed(path), DOCUMENTS)]


@each_notebook
def test_a_changed_number_is_noticed(path: Path) -> None:
    """One survivor is forgiven in a notebook of few numbers; the course as a whole is stricter."""
    total, survivors = bitten(path)
    assert total > 0
    assert len(survivors) <= max(1, 0.1 * total), "\n".join(survivors)


def test_a_changed_number_is_noticed_over_the_whole_course() -> None:
    results = [bitten(path) for path in PATHS]
    total = sum(changed for changed, _ in results)
    survivors = [survivor for _, found in results for survivor in found]
    assert len(survivors) <= 0.05 * total, "\n".join(survivors)
