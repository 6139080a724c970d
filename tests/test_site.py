"""The site's pages: answers with their numbers, living explorers, what the records say of a metric."""

from __future__ import annotations

import json
import re
import shutil
from fractions import Fraction as F
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from mlm_course import invariance
from mlm_helpers import catalogue, curves, example_based, ranking
from tools import notebooks
from tools.site import explorers, take_home
from tools.site.pages import changes, cheat_sheet, one_photo, questions, tools
from tools.site.prepare import prepare, relinked

NUMBER = re.compile(r"(?<![\w.])\d+(?:[./]\d+)*")
LINK = re.compile(r"\]\(([\w./-]+\.(?:md|ipynb|svg|cff))(?=[#)])")
DATA = re.compile(r'<script type="application/json">(.*?)</script>')


def small() -> NotebookNode:
    cells = [new_markdown_cell("# One"), new_code_cell("1 + 1"), new_code_cell("2 + 2")]
    for cell, name in zip(cells, ("title", "sum", "more"), strict=True):
        cell.id = name
    return new_notebook(cells=cells)


# --- notebooks


def test_anchors_stand_before_their_cells() -> None:
    notebook = small()
    prepare(notebook, {"title": ["first", "again"], "more": ["last"]})
    sources = [cell.source for cell in notebook.cells]
    assert sources == ["(first)=\n(again)=\n# One", "1 + 1", "(last)=", "2 + 2"]


def test_an_answer_folded_in_the_notebook_is_folded_on_the_site() -> None:
    notebook = small()
    notebook.cells[1].metadata = {"jupyter": {"outputs_hidden": True}}
    prepare(notebook, {})
    assert notebook.cells[1].metadata == {"tags": ["hide-output"]}  # which MyST-NB folds


@pytest.mark.parametrize(
    ("written", "on_the_site"),
    [
        ("[times](BENCHMARK.md#dense)", "[times](benchmark.md#dense)"),
        ("[home](../README.md)", "[home](../index.md)"),
        ("`make readme` makes BENCHMARK.md", "`make readme` makes BENCHMARK.md"),
    ],
)
def test_a_link_leads_to_the_page_of_the_site(written: str, on_the_site: str) -> None:
    assert relinked(written) == on_the_site


# --- explorers


def test_an_explorer_gets_the_data_of_its_notebook_and_other_lines_do_not_run() -> None:
    lines = [
        "import math as m\nx = [[1, 0]]\nexit('never run')",
        "y = [row[:] for row in x]\ny[0][1] = 1",
        "print(m)\nz = y\npractice.explore(x, z, labels=['a', 'b'])",
    ]
    shown = explorers.shown_by(lines)["shown"]
    assert (shown["y_true"], shown["y_pred"]) == ([[1, 0]], [[1, 1]])
    assert shown["labels"] == ["a", "b"]
    with pytest.raises(ValueError, match="does not end in practice"):
        explorers.shown_by(["shown = practice.explore([[1]])"])


@pytest.mark.parametrize("label", ["</script>", "<!--<script>", "\\u003c\"'&"])
def test_data_cannot_end_their_script(label: str) -> None:
    start = explorers.shown_by([f"practice.explore([[1]], labels=[{label!r}])"])
    (data,) = DATA.findall(explorers.living(start))
    assert "<" not in data
    assert json.loads(data)["shown"]["labels"] == [label]


# --- pages


@pytest.mark.parametrize("question", questions.questions(), ids=lambda question: question.id)
def test_the_cell_that_answers_has_the_numbers_of_the_answer(question: questions.Question) -> None:
    cells = notebooks.read(notebooks.NOTEBOOKS / f"{question.notebook}.ipynb").cells
    (cell,) = (cell for cell in cells if cell.id == question.cell)
    assert not cell.source.startswith("<"), "Sphinx loses an anchor that stands before raw HTML"
    shown = (
        output.get("text", "") or output.get("data", {}).get("text/plain", "")
        for output in cell.get("outputs", [])
    )
    held = NUMBER.findall("\n".join([cell.source, *shown]))
    assert [number for number in NUMBER.findall(question.says) if number not in held] == []


def test_the_smallest_change_of_macro_f1_by_hand() -> None:
    """One hit, F1 1; a label beside it that nobody has is 0/0 and counts 0: 1/2."""
    how = "append an unused label"
    change = invariance.all_changes()["macro F1", how]
    assert change
    said = changes.example("macro F1", how, change)
    assert "macro F1: 1 cell, 1 → 1/2 = 0.5" in said
    assert "| before | 1 | 1 | 1 |\n| after | 1 | 1 0 | 1 0 |" in said


@pytest.mark.parametrize(
    ("metric", "values", "undefined", "ties", "never"),
    [  # by hand: an unused label changes no set of a sample; an empty sample is 0/0 in each row
        (example_based.f1, "0–1", "0 where a sample has neither true", "", "append an unused label, swap truth and prediction"),
        (ranking.coverage, "0–L", "0 where a sample has no relevant", "ties: `worst`.", "append an unused label"),
        (curves.roc_auc, "0–1", "left out where a label has no positive", "", "append an unused label"),
    ],
)  # fmt: skip
def test_lines_of_the_cheat_sheet(
    metric: catalogue.MetricFunction, values: str, undefined: str, ties: str, never: str
) -> None:
    *_, said = cheat_sheet.row(catalogue.of(metric))
    assert f"values: {values}, " in said and f"by default: {undefined}" in said
    assert ties in said and ("ties" in said) == bool(ties)
    assert said.endswith(f"never changes, if you: {never}.")


def test_where_tools_part_their_numbers_are_shown() -> None:
    """A prediction that is empty as it should be: MULAN lets it count 1, scikit-learn 0."""
    reading, case = tools.telling("samples F1") or ("", None)
    assert reading == "samples F1" and case is not None
    rows = dict(re.findall(r"^\| (\S+) \| (.*) \|$", tools.apart(reading, case), re.M))
    assert "scikit-learn" in rows["0"] and "MULAN" in rows["1"] and rows["nan"] == "Spark MLlib"


def test_the_last_run_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options, departures and differences of a made-up run: 7 + 2 + 1 answers."""
    counts = {"agree by an option": 7, "not expressible by an option": 2, "differ": 1}
    made_up = {"date": "2031-02-03", "counts": {"a tool": counts}, "differ": ["one line"]}
    monkeypatch.setattr(tools, "last_run", lambda: made_up)
    said = tools.checked()
    assert "held 10 answers" in said and "; 1 of them differed" in said
    assert "gives 2 of them: those" in said


def test_what_the_zip_s_pages_and_notebooks_link_to_is_in_the_zip(tmp_path: Path) -> None:
    take_home.build(tmp_path / "course.zip")
    shutil.unpack_archive(tmp_path / "course.zip", tmp_path / "home")
    (home,) = (tmp_path / "home").iterdir()
    lost = [
        (page.name, link)
        for page in (*home.glob("*.md"), *home.glob("notebooks/*.ipynb"))
        for link in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert lost == []
    assert (home / "notebooks/mlm_course/practice/static/explorer.js").exists()


def test_the_essay_s_story_is_that_of_its_numbers() -> None:
    truth, model, shy = one_photo.TRUTH, one_photo.MODEL, one_photo.SHY
    first, second = one_photo.values(truth, model), one_photo.values(truth, shy)
    assert first == {"all right": F(1, 3), "overlap": F(19, 36), "cells right": F(7, 12)}
    assert [first[way] > second[way] for way in first] == [True, True, False]
    grown = one_photo.values(one_photo.with_more(truth), one_photo.with_more(model))
    assert grown == {**first, "cells right": F(59, 60)}
    assert "{{" not in one_photo.text()
