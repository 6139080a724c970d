"""Each committed notebook keeps the rules of form, and its prose says what its code prints."""

# mypy: allow-untyped-calls
from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jupyter_server.services.contents.filemanager import FileContentsManager
from nbformat import v4
from notebook_rules import faults, problems

from mlm_helpers.course.documents import DOCUMENTS, Document, Published
from tools import notebooks

PATHS = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@each_notebook
def test_form(path: Path) -> None:
    assert problems(notebooks.read(path), DOCUMENTS) == []


@each_notebook
def test_every_number_in_prose_is_printed_or_quoted(path: Path) -> None:
    assert faults(notebooks.read(path), DOCUMENTS) == []


# --- a mistake of each kind

DOCUMENT = Document(
    id="quoted",
    title="評估指標筆記",
    language="zh-TW",
    published=(Published("0.4166", Fraction(5, 12), "Hamming loss"),),
)
WORDS = "Two bars: 1/2 and 0.25."
PICTURE = {"text/html": f'<img alt="{WORDS}" src="a.png">', "text/plain": WORDS}


def built(prose: str, printed: str) -> Any:
    """A notebook as committed: a title, a cell that prints, a picture, and prose with a cell below."""
    shown = v4.new_output("display_data", PICTURE)
    cells = [
        v4.new_markdown_cell("# Count"),
        v4.new_code_cell("figures.show(ax)", execution_count=1, outputs=[shown]),
        v4.new_markdown_cell(f"## Section\n\n{prose}"),
        v4.new_code_cell("print(a)", execution_count=2),
    ]
    cells[3].outputs = [v4.new_output("stream", name="stdout", text=printed)]
    return v4.new_notebook(cells=cells, metadata=deepcopy(notebooks.METADATA))


def test_a_sound_notebook_passes() -> None:
    sound = built(f"By hand 4/9 ≈ 0.444; {DOCUMENT.title} cuts off at 0.4166.", "4/9")
    assert problems(sound) == faults(sound, [DOCUMENT]) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"execution_count": None}, "execution count None, not 1"),
        ({"execution_count": 2}, "execution count 2, not 1"),
        ({"source": "# NBVAL_IGNORE_OUTPUT\n1"}, "look away"),
        ({"metadata": {"tags": ["nbval-skip"]}}, "look away"),
        ({"metadata": {"editable": False}}, "not clean"),
        ({"outputs": [v4.new_output("error", ename="NameError", evalue="b")]}, "NameError: b"),
        ({"outputs": [v4.new_output("stream", name="stderr", text="soon")]}, "stderr: soon"),
        ({"outputs": [v4.new_output("stream", text="0.5555555555555556")]}, "a bare float"),
        ({"outputs": [v4.new_output("stream", text="[np.float64(0.5)]")]}, "NumPy scalar"),
        ({"outputs": [v4.new_output("display_data", {"image/png": "iVBO"})]}, "without alternative"),
        ({"outputs": [v4.new_output("display_data", PICTURE | {"text/plain": "1/3"})]}, "is missing"),
    ],
)  # fmt: skip
def test_a_mistake_of_form_is_named(changed: dict[str, Any], said: str) -> None:
    notebook = built("", "")
    notebook.cells[1].update(deepcopy(changed))
    assert any(said in problem for problem in problems(notebook)), problems(notebook)


@pytest.mark.parametrize(
    ("prose", "printed"),
    [
        ("It is 0.445.", "4/9"),
        ("It is 45 %.", "4/9"),
        ("It is 4/10.", "4/9"),
        (r"$\frac{4}{10}$", "4/9"),
        ("It is 0.444.", "0.44"),  # too few digits
        ("2/4 = 1/3", "1/2 1/3 2/4"),  # of equals each is printed
        ("⅓(½+1) = 0.6", "0.6"),
        ("0.4166", "nothing"),  # quoted nowhere
        ("| a | 0.5 |\n|---|---|\n| b | 0.7 |", "0.5"),
        ("<details><summary>Answer</summary>\n\n0.5\n\n</details>", "0.7"),
        ("## Next\n\nIt was 0.5.\n\n## Last", "0.5"),  # under another heading
        ("![a bar of 0.5](bar.svg)", ""),
    ],
)
def test_a_number_that_is_not_printed_is_named(prose: str, printed: str) -> None:
    assert "Section" in faults(built(prose, printed), [])[0] or "Next" in prose


@pytest.mark.parametrize(
    ("prose", "printed"),
    [
        ("50 % = 2/4 ≈ ½, and ⅓(½+2/2+½) = 2/3", "1/2, 2/3"),
        ("1 − 2/5 = 3/5, $a - 2/5 = 3/5$", "2/5 3/5"),
        ("`round(x, 0.5)`, version 0.23, §3.2, Python ≥ 3.11, CC BY 4.0, #123, 0/0", ""),
        ('[see 0.5](page.html), https://example.org/v/0.5, <img width="0.5">', ""),
    ],
)
def test_what_is_printed_or_is_no_number_of_prose_passes(prose: str, printed: str) -> None:
    assert faults(built(prose, printed), []) == []


# --- how a notebook is stored


def test_cleaning_keeps_tags_and_what_was_printed() -> None:
    notebook = built("", "4/9 = 0.444\n")
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
def test_what_stands_right_below_a_folded_answer_is_hidden(below: str, hidden: bool) -> None:
    notebook = built(f"Why?\n\n<details><summary>Answer</summary>\n\nTwo.\n\n</details>{below}", "")
    notebooks.clean(notebook)
    wanted = {"jupyter": {"outputs_hidden": True}} if hidden else {}
    assert notebook.cells[3].metadata == wanted


@pytest.mark.parametrize(
    ("path", "ours"), [("notebooks/05_ranking.ipynb", True), ("mine/05_ranking.ipynb", False)]
)
def test_only_a_notebook_of_the_course_is_saved_clean(path: str, ours: bool) -> None:
    notebook = built("", "")
    notebook.metadata["title"] = "Mine"
    model: dict[str, Any] = {"type": "notebook", "content": deepcopy(notebook)}
    manager = FileContentsManager(root_dir=str(notebooks.NOTEBOOKS.parent))
    notebooks.clean_before_save(model=model, path=path, contents_manager=manager)
    assert ("title" not in model["content"].metadata) is ours
