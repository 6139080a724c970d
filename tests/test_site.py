"""The pages of the site: answers with their numbers, explorers with data, facts of metrics."""

import json
import re
import zipfile
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from mlm_course import disagreement, invariance
from mlm_helpers import catalogue, curves, exact_match, example_based, hamming, label_based, ranking
from tools import notebooks
from tools.site import explorers, prepare, take_home
from tools.site.pages import disagreements, metrics, questions, tools

NUMBER = re.compile(r"(?<![\w.])\d+(?:[./]\d+)*")  # 3, 0.5 or 1/2, but not that in F1
LINK = re.compile(r"\]\(([\w./-]+\.(?:md|ipynb|svg|cff))(?=[#)])")  # [text](docs/a.md#b)
DATA = re.compile(r'<script type="application/json">(.*?)</script>')


def prepared(*cells: NotebookNode) -> list[NotebookNode]:
    """The cells as prepared for the site in a notebook of their own, without title and links."""
    notebook = new_notebook(cells=[new_markdown_cell("# One"), *cells])
    prepare.prepare(notebook, Path("02_example_based.ipynb"))
    return notebook.cells[2:]


def test_anchors_stand_before_the_cell_that_answers():
    (question,) = (q for q in questions.questions() if q.cell == "02-46")
    anchor, cell = prepared(new_code_cell("1 + 1", id="02-46"))
    assert (anchor.source, cell.source) == (f"({question.anchor})=", "1 + 1")


def test_the_first_code_and_that_of_documents_are_folded():
    notebook = new_notebook(
        cells=[new_markdown_cell(f"## {notebooks.DOCUMENTS}"), new_code_cell("2")]
    )
    notebooks.clean(notebook)
    first, second, _, third = prepared(new_code_cell("1"), new_code_cell("1"), *notebook.cells)
    assert [cell.metadata.get("tags") for cell in (first, second)] == [["hide-input"], None]
    assert third.metadata.tags == ["hide-cell"]


def test_an_explorer_gets_its_data_and_only_the_lines_that_it_needs_are_run():
    lines = [
        "import math as m\nx = [[1, 0]]\nexit('never run')",
        "y = [[1, 1] for row in x]",
        "print(m)\nz = y\npractice.explore(x, z, labels=['a', 'b'])",
    ]
    state = explorers.explorer_data(lines)["shown"]
    assert (state["y_true"], state["y_pred"]) == ([[1, 0]], [[1, 1]])
    assert state["labels"] == ["a", "b"]


@pytest.mark.parametrize("label", ["</script>", "<!--<script>", "\\u003c\"'&"])
def test_data_cannot_end_their_script(label):
    data = explorers.explorer_data([f"practice.explore([[1]], labels=[{label!r}])"])
    (text,) = DATA.findall(explorers.explorer_html(data))
    assert "<" not in text
    assert json.loads(text)["shown"]["labels"] == [label]


@pytest.mark.parametrize("question", questions.questions(), ids=lambda question: question.anchor)
def test_the_cell_that_answers_has_the_numbers_of_the_answer(question):
    cells = notebooks.read_notebook(notebooks.NOTEBOOKS / f"{question.notebook}.ipynb").cells
    (cell,) = (cell for cell in cells if cell.id == question.cell)
    assert not cell.source.startswith("<"), "Sphinx loses an anchor that stands before raw HTML"
    outputs = (
        output.get("text", "") or output.get("data", {}).get("text/plain", "")
        for output in cell.get("outputs", [])
    )
    numbers = NUMBER.findall("\n".join([cell.source, *outputs]))
    assert [number for number in NUMBER.findall(question.answer) if number not in numbers] == []


def test_the_smallest_change_of_macro_f1_by_hand():
    """With one hit, F1 is 1; an unused label beside it is 0/0 and counts 0, so the mean is 1/2."""
    change = invariance.smallest_change(label_based.f1, "append an unused label")
    assert change
    row = ["macro F1", "`1`", "`1`", "`1 0`", "`1 0`", "1 → 1/2 = 0.5"]
    assert disagreements.change_row("macro F1", change) == row


def test_a_disagreement_has_the_values_of_both_metrics():
    """Two samples have no label: one model errs in one of them, with every label.

    The other errs in both, with one label.
    """
    smallest = disagreement.smallest_disagreement(exact_match.subset_accuracy, hamming.hamming_loss)
    data = ["`0 0 0 / 0 0 0`", "`0 0 0 / 1 1 1`", "`0 0 1 / 0 0 1`"]
    row = ["Hamming loss", *data, "1/2 = 0.5, 0", "1/2 = 0.5, 1/3 ≈ 0.333"]
    assert disagreements.disagreement_row("Hamming loss", smallest) == row


@pytest.mark.parametrize(
    ("metric", "values", "undefined", "ties", "unchanged"),
    [  # by hand: an unused label changes no set of a sample; an empty sample is 0/0 in each row
        (example_based.f1, "0–1", "0 where a sample has neither true", "",
         "append an unused label, swap truth and prediction"),
        (ranking.coverage, "0–L", "0 where a sample has no relevant",
         "ties: tied labels share their largest rank.", "append an unused label"),
        (curves.roc_auc, "0–1", "left out where a label has no positive", "",
         "append an unused label"),
    ],
)  # fmt: skip
def test_a_row_of_a_metric_has_its_facts(metric, values, undefined, ties, unchanged):
    *_, text = metrics.metric_row(catalogue.record_of(metric))
    assert f"values: {values}, " in text and f"by default: {undefined}" in text
    assert ties in text and ("ties" in text) == bool(ties)
    assert text.endswith(f"unchanged, if you: {unchanged}.")


def test_the_matrix_of_tools_has_the_numbers_of_its_input_by_hand():
    """Samples have F1 4/5, 0/0 and 2/4: the mean is 0.433 with 0/0 as 0, 0.767 with 1."""
    ((_, sklearn, *others),) = tools.matrix_rows(["samples F1"])
    cells = dict(zip(tools.OTHERS, others, strict=True))
    shown = [cells[name] for name in ("torchmetrics", "Spark MLlib", "MULAN", "keras")]
    assert [sklearn, *shown] == ["0.43", "✓", "nan", "0.77", ""]


def test_the_archive_for_home_use_has_all_files_that_it_links_to(tmp_path):
    take_home.write(tmp_path / "course.zip")
    with zipfile.ZipFile(tmp_path / "course.zip") as archive:
        archive.extractall(tmp_path)
    home = tmp_path / take_home.COURSE
    pages = [*home.glob("*.md"), *home.glob("docs/*.md"), *home.glob("notebooks/*.ipynb")]
    links = [(page, link) for page in pages for link in LINK.findall(page.read_text("utf-8"))]
    assert len(links) > 100
    assert [str(page / link) for page, link in links if not (page.parent / link).exists()] == []
    assert (home / take_home.WHEEL).exists() and (home / "start.py").exists()
    assert not (home / "docs/templates").exists()
