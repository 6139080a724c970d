"""The rules bite: a sound small notebook passes, and each mistake planted in it is named."""

# mypy: allow-untyped-calls
from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jupyter_server.services.contents.filemanager import FileContentsManager
from nbformat import NotebookNode, v4
from notebook_rules import binds, bite, faults, numbers, problems, sections

from mlm_helpers.course.documents import Document, Published
from tools import notebooks

DOCUMENT = Document(
    id="quoted",
    title="評估指標筆記",
    language="zh-TW",
    published=(
        Published("0.4166", Fraction(5, 12), "Hamming loss"),
        Published("⅓(½+2/2+½)", Fraction(2, 3), "precision, written out"),
        Published("0.4444444444444444", Fraction(4, 9), "accuracy"),
    ),
)
ALT = "Two bars: 1/2 and 0.25."
IMAGE = f'<img alt="{ALT}" src="data:image/png;base64,iVBORw0K" width="400">'


def build(*cells: str | tuple[str, str]) -> Any:
    """A notebook as committed: a str is a Markdown cell, a pair is code and what it prints."""
    nodes = []
    for cell in cells:
        if isinstance(cell, str):
            nodes.append(v4.new_markdown_cell(cell))
        else:
            count = sum(node.cell_type == "code" for node in nodes) + 1
            stdout = v4.new_output("stream", name="stdout", text=cell[1] + "\n")
            outputs = [stdout] if cell[1] else []
            nodes.append(v4.new_code_cell(cell[0], execution_count=count, outputs=outputs))
    return v4.new_notebook(cells=nodes, metadata=deepcopy(notebooks.METADATA))


def build_sound() -> Any:
    """One of everything: numbers, a result, a picture, a document quoted."""
    notebook = build(
        "# Count the hits\n\nBy hand it is 4/9 ≈ 0.444.",
        ("print(a)", "4/9 = 0.444"),
        "## A picture\n\nThe bars are ½ and 25 %.",
        ("figures.show(ax)", ""),
        f"## What {DOCUMENT.title} prints\n\nIt cuts its value to 0.4166.",
        ("a", ""),
    )
    picture = v4.new_output("display_data", {"text/html": IMAGE, "text/plain": ALT})
    notebook.cells[3].outputs.append(picture)
    result = v4.new_output("execute_result", {"text/plain": "Fraction(1, 3)"}, execution_count=3)
    notebook.cells[5].outputs.append(result)
    return notebook


def complaints(notebook: NotebookNode) -> list[str]:
    return problems(notebook, [DOCUMENT]) + faults(notebook, [DOCUMENT])


def test_a_sound_notebook_passes() -> None:
    assert complaints(build_sound()) == []


# ---------------------------------------------------------------------------- mistakes of form


def clear_output(notebook: NotebookNode) -> None:
    notebook.cells[1].outputs, notebook.cells[1].execution_count = [], None


def clear_output_alone(notebook: NotebookNode) -> None:
    notebook.cells[1].outputs = []


def reorder(notebook: NotebookNode) -> None:
    notebook.cells[1].execution_count, notebook.cells[3].execution_count = 2, 1


def stale_result(notebook: NotebookNode) -> None:
    notebook.cells[5].outputs[0].execution_count = 7


def error_output(notebook: NotebookNode) -> None:
    error = v4.new_output("error", ename="NameError", evalue="name 'b' is not defined")
    notebook.cells[1].outputs.append(error)


def stderr(notebook: NotebookNode) -> None:
    warning = v4.new_output("stream", name="stderr", text="FutureWarning: soon")
    notebook.cells[1].outputs.append(warning)


def semicolon(notebook: NotebookNode) -> None:
    notebook.cells[3].source = "ax.bar(x, y);  \nfigures.show(ax)"


def look_away(notebook: NotebookNode) -> None:
    notebook.cells[1].source = "# NBVAL_IGNORE_OUTPUT\nprint(a)"


def look_away_by_tag(notebook: NotebookNode) -> None:
    notebook.cells[1].metadata["tags"] = ["nbval-skip"]


def editor_metadata(notebook: NotebookNode) -> None:
    notebook.cells[0].metadata["editable"] = False


def python_version(notebook: NotebookNode) -> None:
    notebook.metadata.language_info["version"] = "3.11.2"


def no_title(notebook: NotebookNode) -> None:
    notebook.cells[0].source = "Count the hits\n\nBy hand it is 4/9."


def bare_picture(notebook: NotebookNode) -> None:
    notebook.cells[3].outputs[0].data["image/png"] = "iVBORw0K"


def picture(text: str) -> Callable[[NotebookNode], None]:
    def plant(notebook: NotebookNode) -> None:
        notebook.cells[3].outputs[0].data["text/html"] = f"<p><IMG {text} src='a.png'></p>"

    return plant


def other_words(notebook: NotebookNode) -> None:
    notebook.cells[3].outputs[0].data["text/plain"] = "Two bars: 1/2 and 0.26."


def no_words(notebook: NotebookNode) -> None:
    del notebook.cells[3].outputs[0].data["text/plain"]


def empty_cell_with_output(notebook: NotebookNode) -> None:
    notebook.cells[3].source = "\n"


def printed(text: str) -> Callable[[NotebookNode], None]:
    def plant(notebook: NotebookNode) -> None:
        notebook.cells[1].outputs[0].text += text

    return plant


def written(source: str) -> Callable[[NotebookNode], None]:
    def plant(notebook: NotebookNode) -> None:
        notebook.cells[1].source = source

    return plant


@pytest.mark.parametrize(
    ("plant", "sentence"),
    [
        (written("try:\n    f()\nexcept Exception as e:\n    print(e)"), "not name one error"),
        (written("try:\n    f()\nexcept:\n    print(1)"), "not name one error"),
        (
            written("try:\n    f()\nexcept ValueError:\n    pass"),
            "an error that is not shown: pass",
        ),
        (written("rng = np.random.default_rng()"), "cell 2: chance without a seed"),
        (
            written("isclose(a[name], a[name], rel_tol=1e-9)"),
            "compared with itself: isclose(a[name]",
        ),
        (clear_output, "cell 2: execution count None, not 1"),
        (clear_output_alone, "cell 2: it prints, and yet has no output"),
        (reorder, "cell 2: execution count 2, not 1"),
        (stale_result, "cell 6: a result of execution 7 in a cell of execution 3"),
        (error_output, "cell 2: error output: NameError: name 'b' is not defined"),
        (stderr, "cell 2: stderr: FutureWarning: soon"),
        (semicolon, "cell 4: a line ends in ';': ax.bar(x, y);"),
        (look_away, "cell 2: nbval is told to look away"),
        (look_away_by_tag, "cell 2: nbval is told to look away"),
        (editor_metadata, "cell 1: metadata is not clean: {'editable': False}"),
        (python_version, "notebook metadata is not clean"),
        (no_title, "cell 1: not a Markdown title"),
        (bare_picture, "cell 4: a picture (image/png) without alternative text"),
        (picture(""), "cell 4: a picture without alternative text"),
        (picture("alt"), "cell 4: a picture without alternative text"),
        (picture('alt=" "'), "cell 4: a picture without alternative text"),
        (picture("alt='Two'"), "cell 4: alternative text that stands in no terminal: Two"),
        (other_words, "cell 4: alternative text that stands in no terminal: Two bars"),
        (no_words, "cell 4: alternative text that stands in no terminal: Two bars"),
        (empty_cell_with_output, "cell 4: an empty cell with output"),
        (printed("0.5555555555555556"), "cell 2: a bare float, to be rounded"),
        (printed("{'f1': [0.1, .66666667]}"), "shown as a fraction: .66666667"),
        (printed("1e-05"), "shown as a fraction: 1e-05"),
        (printed("[np.float64(0.5)]"), "cell 2: the repr of a NumPy scalar: np.float64("),
        (printed("np.int64(3)"), "the repr of a NumPy scalar: np.int64("),
        (printed("(np.True_, 1)"), "the repr of a NumPy scalar: np.True_"),
    ],
)
def test_a_mistake_of_form_is_named(plant: Callable[[NotebookNode], None], sentence: str) -> None:
    notebook = build_sound()
    plant(notebook)
    assert [problem for problem in problems(notebook, [DOCUMENT]) if sentence in problem]


def test_empty_cells_count_for_nothing() -> None:
    notebook = build("# T", ("a", ""), ("b", ""))
    notebook.cells.insert(2, v4.new_code_cell(""))
    assert problems(notebook) == []


@pytest.mark.parametrize("text", ["0.444444", "version 1.9.1", "np.mean(x)", "0.4444444444444444"])
def test_what_may_be_printed(text: str) -> None:
    notebook = build_sound()
    printed(text)(notebook)
    notebook.cells[1].outputs[0].text = text  # the last one is a number that a document prints
    assert problems(notebook, [DOCUMENT]) == []


# ---------------------------------------------------------------------------- numbers in a text


@pytest.mark.parametrize(
    ("text", "value", "digits", "nudged"),
    [
        ("0.444", "0.444", 3, "0.445"),
        ("0.9", "0.9", 1, "0.0"),
        (".52", "0.52", 2, ".53"),
        ("25 %", "0.25", 2, "26 %"),
        (r"33.3\%", "0.333", 3, r"33.4\%"),
        ("50％", "0.5", 2, "51％"),
        ("50 percent", "0.5", 2, "51 percent"),
        ("4/9", "4/9", None, "4/10"),
        ("2 / 3", "2/3", None, "2 / 4"),
        ("½", "1/2", None, "1/3"),
        ("1½", "3/2", None, "3/3"),
        (r"\frac{4}{9}", "4/9", None, r"\frac{4}{9+1}"),
        (r"\frac12", "1/2", None, r"\frac1{2+1}"),
        (r"\tfrac 1 2", "1/2", None, r"\tfrac 1{2+1}"),
        (r"\dfrac{2+0+3}{3 \cdot 4}", "5/12", None, r"\dfrac{2+0+3}{3 \cdot 4+1}"),
        (r"\frac{12−5}{12}", "7/12", None, r"\frac{12−5}{12+1}"),
        ("Fraction(4, 9)", "4/9", None, "Fraction(4, 10)"),
    ],
)
def test_a_number_is_read(text: str, value: str, digits: int | None, nudged: str) -> None:
    for around in ("{}", "約{}です", "_{}_.", "${}$", "({})", "= {},"):
        (number,) = numbers(around.format(text))
        assert (number.value, number.digits, number.text) == (Fraction(value), digits, text)
        assert number.nudged == nudged
    (changed,) = numbers(nudged)
    assert changed.value != number.value


@pytest.mark.parametrize(
    "text", ["3", "0/0", "1/2/3", "1.9.1", "TP/FP", r"\frac{TP}{TP+FP}", "Fig.5", "2019-10-31"]
)
def test_what_is_no_number_of_prose(text: str) -> None:
    assert numbers(text) == []


def test_numbers_of_a_sum() -> None:
    parts = [n.text for n in numbers("⅓(½+2/2+½) ≈ 0.666", means=False)]
    assert parts == ["⅓", "½", "2/2", "½", "0.666"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("⅓(½+2/2+½)", "2/3"),
        ("⅔(¼ + ½ + ⅕)", "19/30"),
        (r"\frac13\left(\frac12+\frac{2}{2}+\frac12\right)", "2/3"),
        ("1/6(1/2 · 1/3 + 2 − 0.5)", "5/18"),
        ("(1+1+1+2/3)/4", "11/12"),
        ("(2+0+3)/(3·4)", "5/12"),
        ("(2 - 1/2) / 2", "3/4"),
    ],
)
def test_a_mean_written_out_is_one_number(text: str, value: str) -> None:
    (number,) = numbers(f"So it is {text}, as printed.")
    assert (number.text, number.value, number.digits) == (text, Fraction(value), None)


@pytest.mark.parametrize("text", ["⅓ (of ½)", "(½)", "f(½)", "⅓(0/0 + a)", "(½)/0"])
def test_what_is_no_mean(text: str) -> None:
    assert all("(" not in number.text for number in numbers(text))


def test_integers_are_read_from_output_only() -> None:
    assert [n.text for n in numbers("[1. 0.5] 4/9 7", integers=True)] == ["1", "0.5", "4/9", "7"]


@pytest.mark.parametrize(
    ("printed", "number", "bound"),
    [
        ("0.4444", "0.444", True),
        ("4/9", "0.444", True),
        ("4/9", "0.445", False),
        ("4/9", "44.4 %", True),
        ("0.44", "0.444", False),  # too few digits
        ("5/12", "0.4166", False),  # cut, not rounded
        ("1", "1.0", True),
        ("1", "0.9", False),
        ("0.9999", "1.00", True),
        ("0.9999", "1.0", False),  # one digit is not for rounding
        ("3/5", "0.6", True),
        ("0.25", "25 %", True),
        ("25%", "25 %", True),
        ("0.251", "26 %", False),
        ("1", "100 %", True),
        ("8/18", "4/9", False),  # as written
        ("8/18", "8/18", True),
        ("0.444", "4/9", True),
        ("0.44", "4/9", False),
        ("0.445", "4/9", False),
        ("½", r"\frac12", True),
        ("2", "4/2", False),
        ("1", "1/2", False),
    ],
)
def test_binding(printed: str, number: str, bound: bool) -> None:
    (value,) = numbers(printed, integers=True)
    (claim,) = numbers(number)
    assert binds(value, claim) is bound


# ---------------------------------------------------------------------------- numbers in prose


def loose(prose: str, output: str = "nothing", code: str = "print(a)") -> list[str]:
    """The sentences for a section of this prose and this printed output."""
    return faults(build("# T", f"## Section\n\n{prose}", (code, output)), [DOCUMENT])


@pytest.mark.parametrize(
    "prose",
    [
        "the call `round(x, 0.5)`",
        "``a `0.5` b``",
        "```python\nx = 0.5\n# 0.5 is no heading\n```",
        "~~~\n0.5\n~~~",
        "[see 0.5](page.html)",
        '[see](page_0.5.html "0.5")',
        "![bars](bars_0.5.svg)",
        "https://example.org/v/0.5",
        "<https://example.org/0.5>",
        '<img width="0.5">',
        "<!-- 0.5 -->",
        "version 0.23",
        "versions 0.22 and 0.23",
        "v1.2",
        "Python 3.11",
        "Python ≥ 3.11",
        "section 3.2",
        "§3.2",
        "NumPy 2.4.6",
        "#123",
        "2019",
        "CC BY 4.0",
        "0/0",
        "3 labels",
    ],
)
def test_exempt(prose: str) -> None:
    assert loose(prose) == []


@pytest.mark.parametrize(
    "prose",
    [
        "it is 0.5",
        "it is 50 %",
        "it is 1/2",
        "it is ½",
        r"$\frac{1}{2}$",
        r"$\frac{1+1}{4}$",
        "<details><summary>Answer</summary>\n\n0.5\n</details>",
        "<b>0.5</b>",
        "![a bar of 0.5](bar.svg)",
        "| a | 0.5 |",
        "**0.5**",
        "$p<q$ and 0.5 and $r>s$",
        "scikit-learn says 0.5",
        "conversion 0.5",
        "a section.\n\n0.5",
        "in the version `x` 0.5",
        "約0.5です",
    ],
)
def test_unbound(prose: str) -> None:
    (sentence,) = loose(prose)
    assert sentence.startswith("cell 2, “Section”: ")
    assert "is printed by no code cell of this section" in sentence


@pytest.mark.parametrize(
    "prose",
    [
        "2/4 = 1/2",
        "50 % = 2/4 ≈ ½",
        r"$\frac24 = \tfrac12$",
        r"$\frac24\approx$ **0.5**",
        "¼(1+1) = ½",
    ],
)
def test_of_numbers_that_are_said_to_be_equal_one_must_be_printed(prose: str) -> None:
    assert loose(prose, "2 4") and not loose(prose, "1/2 0.5")


@pytest.mark.parametrize("prose", ["2/4 = 1/3", "1/2 ≈ 0.51", "0.5 = 1/2 = 51 %", "⅓(½+1) = 0.6"])
def test_numbers_that_are_said_to_be_equal_must_be(prose: str) -> None:
    sentences = loose(prose, "1/2 1/3 2/4 0.51 0.6 0.5")
    assert sentences and all("does not equal what stands beside it" in s for s in sentences)


@pytest.mark.parametrize(
    "prose",
    [
        "1 − 2/5 = 3/5",
        "x/2/5 = 3/5",
        "3/5 = 2/5 + 1/5",
        "2 · 2/5 = 4/5",
        "$a - 2/5 = 3/5$",
        "4/5 = 2/5 · 2",
    ],
)
def test_what_is_not_said_to_be_equal(prose: str) -> None:
    assert not loose(prose, "1/5 2/5 3/5 4/5")


def test_an_unbound_number_is_named_with_its_context() -> None:
    assert loose("The mean of these is 0.445 and no more.", "4/9") == [
        "cell 2, “Section”: 0.445 in “…Section The mean of these is 0.445 and no more.…” "
        "is printed by no code cell of this section"
    ]


@pytest.mark.parametrize("heading", ["# Next", "#### Next", "### 0.444 of all"])
def test_a_number_printed_in_another_section_does_not_count(heading: str) -> None:
    before = build("# T", ("a", "0.444"), heading, "It is 0.444.")
    after = build("# T\n\nIt is 0.444.", heading, ("a", "0.444"))
    inside = build("# T", ("a", "0.444"), f"Good: 0.444.\n\n{heading}\n\nBad: 0.444.")
    for notebook in (before, after, inside):
        assert faults(notebook, [])
    assert not faults(build("# T", f"{heading}\n\nIt is 0.444.", ("a", "0.444")), [])


def test_a_number_in_a_heading_belongs_to_its_section() -> None:
    assert not faults(build("# T", "## Why 4/9?", ("a", "4/9")), [])
    assert faults(build("# T", ("a", "4/9"), "## Why 4/9?"), [])


@pytest.mark.parametrize(
    ("mime", "text"),
    [
        ("text/plain", "[0.444, 1.0]"),
        ("text/html", "<style>p {}</style><td>0.4</td><td>0.444</td>"),
        ("text/markdown", "**0.444**"),
        ("text/latex", r"$\frac{4}{9}$"),
    ],
)
def test_what_counts_as_printed(mime: str, text: str) -> None:
    notebook = build("# T\n\nIt is 0.444.", ("a", ""))
    notebook.cells[1].outputs = [v4.new_output("execute_result", {mime: text})]
    assert not faults(notebook, [])


@pytest.mark.parametrize(
    "output",
    [
        v4.new_output("stream", name="stderr", text="0.444"),
        v4.new_output("display_data", {"image/svg+xml": "<text>0.444</text>"}),
        v4.new_output("display_data", {"text/html": '<td width="0.444"><style>0.444</style>'}),
    ],
)
def test_what_does_not_count_as_printed(output: NotebookNode) -> None:
    notebook = build("# T\n\nIt is 0.444.", ("a", ""))
    notebook.cells[1].outputs = [output]
    assert faults(notebook, [])


def test_a_quoted_document_binds_the_numbers_it_prints() -> None:
    title = DOCUMENT.title
    assert not loose(f"{title} prints 0.4166.")
    assert not loose("It prints 0.4166.", code="documents.QUOTED.published")
    assert not loose(f"{title} writes ⅓(½+2/2+½), that is $\\frac13(\\frac12+\\frac22+\\frac12)$.")
    assert loose("It prints 0.4166.")
    assert loose("It prints 0.4166.", code="documents.QUOTED_TWICE")
    assert loose(f"{title} prints 0.417.")  # not its digits
    assert loose(f"{title} prints 0.416.")
    assert loose(f"{title} prints 5/12.")  # its value, but not what it prints
    elsewhere = build("# T", f"## {title}", "## Other\n\n0.4166")
    assert faults(elsewhere, [DOCUMENT])


def test_sections() -> None:
    notebook = build("# A\n\ntext\n\n## B\n\nmore", ("b", "1"), "### C\n```\n# no heading\n```")
    found = [(section.heading, section.code, section.output) for section in sections(notebook)]
    assert found == [
        ("before the first heading", "", ""),
        ("A", "", ""),
        ("B", "b\n", "1\n\n"),
        ("C", "", ""),
    ]


# ---------------------------------------------------------------------------- bite


def test_every_number_of_the_sound_notebook_bites() -> None:
    total, survivors = bite(build_sound(), [DOCUMENT])
    assert (total, survivors) == (5, [])


def test_a_survivor_is_named() -> None:
    notebook = build("# T\n\nFirst 0.444, later 0.7.", ("a", "0.444 0.445 0.7 0.9"))
    total, survivors = bite(notebook, [])
    assert total == 2
    assert survivors == ["cell 1, “T”: 0.444 in “…# T First 0.444, later 0.7.…” → 0.445"]


def test_a_number_changed_by_hand_is_noticed() -> None:
    notebook = build_sound()
    notebook.cells[2].source = notebook.cells[2].source.replace("25 %", "26 %")
    (sentence,) = faults(notebook, [DOCUMENT])
    assert sentence.startswith("cell 3, “A picture”: 26 % in")


# ---------------------------------------------------------------------------- writing


def test_cleaning_keeps_tags_and_outputs() -> None:
    notebook = build_sound()
    expected = notebooks.to_bytes(notebook)
    notebook.metadata.language_info["version"] = "3.11.2"
    notebook.cells[0].metadata["editable"] = True
    notebook.cells[1].outputs = [
        v4.new_output("stream", name="stdout", text="4/9 ="),
        v4.new_output("stream", name="stdout", text=" 0.444\n"),
    ]
    assert notebooks.to_bytes(notebook) != expected
    notebooks.clean(notebook)
    assert notebooks.to_bytes(notebook) == expected
    notebook.cells[1].metadata = {"tags": ["hide-input"], "collapsed": True}
    notebooks.clean(notebook)
    assert notebook.cells[1].metadata == {"tags": ["hide-input"]}


@pytest.mark.parametrize(
    ("above", "hidden"),
    [
        ("Why?\n\n<details><summary>Answer</summary>\n\nTwo.\n\n</details>", True),
        ("<details><summary>Answer</summary>\n\nTwo.\n\n</details>\n\n### The next", False),
        ("<details><summary>What else</summary>\n\nTwo.\n\n</details>", False),
        ("<details><summary>Answer</summary>2</details> <details><summary>More</summary>3</details>", False),
        ("Why?", False),
    ],
)  # fmt: skip
def test_what_stands_below_a_folded_answer_is_hidden(above: str, hidden: bool) -> None:
    cells = [v4.new_markdown_cell(above), v4.new_code_cell("print(2)"), v4.new_code_cell("3")]
    notebook = v4.new_notebook(cells=cells)
    notebooks.clean(notebook)
    notebooks.clean(notebook)
    below = {"jupyter": {"outputs_hidden": True}} if hidden else {}
    assert [cell.metadata for cell in notebook.cells] == [{}, below, {}]


COURSE = notebooks.NOTEBOOKS.parent


def hooked(model: dict[str, Any], path: str, root: Path) -> Any:
    """What JupyterLab, started as by `make lab`, writes of a model."""
    manager = FileContentsManager(root_dir=str(root))
    notebooks.clean_before_save(model=model, path=path, contents_manager=manager)
    return model["content"]


def saved(path: str, root: Path = COURSE) -> tuple[Any, Any]:
    """A notebook with traces of the editor, and what is saved of it."""
    notebook = build_sound()
    notebook.metadata |= {"title": "Mine", "authors": [{"name": "Me"}]}
    notebook.cells[0].metadata |= {"trusted": True, "slideshow": {"slide_type": "slide"}}
    return notebook, hooked({"type": "notebook", "content": deepcopy(notebook)}, path, root)


@pytest.mark.parametrize("path", ["notebooks/05_ranking.ipynb", "/notebooks/09_next.ipynb"])
def test_a_notebook_of_the_course_is_saved_clean(path: str) -> None:
    notebook, written = saved(path)
    notebook.metadata, notebook.cells[0].metadata = notebooks.METADATA, {}
    assert written == notebook


def test_the_course_is_found_from_any_root_of_the_server() -> None:
    _, written = saved("05_ranking.ipynb", COURSE / "notebooks")
    assert written.metadata == notebooks.METADATA


@pytest.mark.parametrize("path", ["mine.ipynb", "notebooks/mine/a.ipynb", "mine/notebooks/a.ipynb"])
def test_any_other_notebook_is_saved_as_it_is(path: str) -> None:
    notebook, written = saved(path)
    assert written == notebook


def test_a_folder_and_a_text_are_left_alone() -> None:
    assert hooked({"type": "directory", "content": None}, "notebooks", COURSE) is None
    assert hooked({"type": "file", "content": "{}"}, "notebooks/a.txt", COURSE) == "{}"


def test_streams_are_merged_only_where_they_touch() -> None:
    names = ["stdout", "stdout", "stderr", "stdout"]
    outputs = [v4.new_output("stream", name=name, text=name[3]) for name in names]
    merged = notebooks.merge_streams(outputs)
    assert [output.text for output in merged] == ["oo", "e", "o"]


def test_results_are_not_merged() -> None:
    results = [v4.new_output("display_data", {"text/plain": text}) for text in "ab"]
    outputs = [*results, v4.new_output("stream", name="stdout", text="c"), *results]
    assert notebooks.merge_streams(outputs) == outputs


def test_a_hundred_thousand_fragments_are_merged() -> None:
    """Added one after the other, they take minutes."""
    fragment = v4.new_output("stream", name="stdout", text="0123456789\n")
    outputs = [NotebookNode(fragment) for _ in range(100_000)]
    (merged,) = notebooks.merge_streams(outputs)
    assert merged.text == "0123456789\n" * 100_000
