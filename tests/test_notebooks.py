"""Each committed notebook keeps the rules of form, and its code prints its numbers."""

# mypy: allow-untyped-calls
from typing import Any

import pytest
from nbformat import v4
from notebook_rules import form_problems, page_as_notebook, unprinted_numbers
from test_expected import WHOLE_NUMBERS, without_bound_numbers

from mlm_course.documents import DOCUMENTS
from tools import notebooks
from tools.site.pages.markdown import DOCS

PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted(DOCS.glob("*.md")))]
PATHS = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@each_notebook
def test_a_notebook_keeps_the_rules_of_form(path):
    assert form_problems(notebooks.read_notebook(path), DOCUMENTS) == []


@each_notebook
def test_cleaning_a_notebook_changes_nothing(path):
    notebook = notebooks.read_notebook(path)
    notebooks.clean(notebook)
    assert path.read_bytes() == notebooks.to_bytes(notebook), (
        f"make notebooks writes {path.name} otherwise"
    )


@each_notebook
def test_every_number_in_prose_is_printed_quoted_or_bound(path):
    notebook = notebooks.read_notebook(path)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = without_bound_numbers(path.stem[:2], cell.id, cell.source)
    assert unprinted_numbers(notebook, DOCUMENTS, path.stem[:2] in WHOLE_NUMBERS) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_number_of_a_page_is_bound(page):
    text = (notebooks.NOTEBOOKS.parent / page).read_text(encoding="utf-8")
    text = without_bound_numbers("pages", page, text)
    assert unprinted_numbers(page_as_notebook(text), (), whole=True) == []


def example(prose: str, *printed: str) -> Any:
    """A notebook of prose and of a cell that prints, after cleaning."""
    outputs = [v4.new_output("stream", name="stdout", text=text) for text in printed]
    code = v4.new_code_cell("print(a)", execution_count=1, outputs=outputs)
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell(f"# Count\n\n{prose}"), code])
    notebooks.clean(notebook)
    return notebook


def test_cleaning_joins_the_printed_text():
    notebook = example("", "4/9 =", " 0.444\n")
    assert notebook.metadata == notebooks.METADATA
    assert [output.text for output in notebook.cells[1].outputs] == ["4/9 = 0.444\n"]


@pytest.mark.parametrize(
    ("below", "hidden"), [("", True), ("\n\n### The next", False), ("\n\nMore text.", False)]
)
def test_the_output_right_below_a_folded_answer_is_hidden(below, hidden):
    notebook = example(f"<details><summary>Answer</summary>\n\nTwo.\n\n</details>{below}")
    assert notebook.cells[1].metadata == ({"jupyter": {"outputs_hidden": True}} if hidden else {})
