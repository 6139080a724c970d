"""Each committed notebook keeps the rules of form, and its code prints its numbers."""

# mypy: allow-untyped-calls
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from nbformat import v4
from notebook_rules import form_problems, page_as_notebook, unprinted_numbers
from test_expected import without_bound_numbers

from mlm_course.documents import DOCUMENTS
from tools import notebooks
from tools.site.pages.markdown import DOCS

# Notebooks whose whole numbers are printed in their section or bound, too
WHOLE_NUMBERS = {"05_ranking"}
PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted(DOCS.glob("*.md")))]
PATHS = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@each_notebook
def test_a_notebook_keeps_the_rules_of_form(path: Path) -> None:
    assert form_problems(notebooks.read_notebook(path), DOCUMENTS) == []


@each_notebook
def test_cleaning_a_notebook_changes_nothing(path: Path) -> None:
    notebook = notebooks.read_notebook(path)
    notebooks.clean(notebook)
    assert path.read_bytes() == notebooks.to_bytes(notebook), (
        f"make notebooks writes {path.name} otherwise"
    )


@each_notebook
def test_every_number_in_prose_is_printed_quoted_or_bound(path: Path) -> None:
    notebook = notebooks.read_notebook(path)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = without_bound_numbers(path.stem[:2], cell.id, cell.source)
    assert unprinted_numbers(notebook, DOCUMENTS, path.stem in WHOLE_NUMBERS) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_number_of_a_page_is_bound(page: str) -> None:
    text = (notebooks.NOTEBOOKS.parent / page).read_text(encoding="utf-8")
    text = without_bound_numbers("pages", page, text)
    assert unprinted_numbers(page_as_notebook(text), (), whole=True) == []


WORDS = "Two bars: 1/2 and 0.25."
PICTURE = {"text/html": f'<img alt="{WORDS}" src="a.png">', "text/plain": WORDS}


def example(prose: str, printed: str) -> Any:
    """A notebook in the committed form: a title, a picture, prose, and a cell that prints."""
    picture = v4.new_output("display_data", PICTURE)
    cells = [
        v4.new_markdown_cell("# Count"),
        v4.new_code_cell("figures.show(ax)", execution_count=1, outputs=[picture]),
        v4.new_markdown_cell(f"## Section\n\n{prose}"),
        v4.new_code_cell("print(a)", execution_count=2),
    ]
    cells[3].outputs = [v4.new_output("stream", name="stdout", text=printed)]
    return v4.new_notebook(cells=cells, metadata=deepcopy(notebooks.METADATA))


def test_cleaning_keeps_tags_and_joins_the_printed_text() -> None:
    notebook = example("", "4/9 = 0.444\n")
    notebook.metadata.language_info["version"] = "3.11.2"
    notebook.cells[3].metadata = {"tags": ["hide-input"], "collapsed": True}
    notebook.cells[3].outputs = [
        v4.new_output("stream", name="stdout", text=part) for part in ("4/9 =", " 0.444\n")
    ]
    notebooks.clean(notebook)
    assert notebook.metadata == notebooks.METADATA
    assert notebook.cells[3].metadata == {"tags": ["hide-input"]}
    assert [output.text for output in notebook.cells[3].outputs] == ["4/9 = 0.444\n"]


@pytest.mark.parametrize(
    ("below", "hidden"), [("", True), ("\n\n### The next", False), ("\n\nMore text.", False)]
)
def test_the_output_right_below_a_folded_answer_is_hidden(below: str, hidden: bool) -> None:
    notebook = example(
        f"Why?\n\n<details><summary>Answer</summary>\n\nTwo.\n\n</details>{below}", ""
    )
    notebooks.clean(notebook)
    assert notebook.cells[3].metadata == ({"jupyter": {"outputs_hidden": True}} if hidden else {})
