"""What the site is made of: links, anchors and explorers of the copied notebooks, its pages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import notebooks
from tools.site import __main__ as command
from tools.site import explorers, home
from tools.site.pages import PAGES
from tools.site.prepare import prepare, relinked

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))


# --- links


@pytest.mark.parametrize(
    ("written", "on_the_site"),
    [
        ("[GLOSSARY](../GLOSSARY.md)", "[GLOSSARY](../glossary.md)"),
        ("[times](BENCHMARK.md#dense)", "[times](benchmark.md#dense)"),
        ("[home](../README.md)", "[home](../index.md)"),
        ("[05](05_ranking.ipynb)", "[05](05_ranking.ipynb)"),
        ("`tools.readme` makes GLOSSARY.md", "`tools.readme` makes GLOSSARY.md"),
    ],
)
def test_a_link_leads_to_the_page_of_the_site(written: str, on_the_site: str) -> None:
    assert relinked(written) == on_the_site


def test_the_links_of_a_copied_notebook_do() -> None:
    notebook = new_notebook(cells=[new_markdown_cell("See the [GLOSSARY](../GLOSSARY.md#tie).")])
    prepare(notebook, {})
    assert notebook.cells[0].source == "See the [GLOSSARY](../glossary.md#tie)."


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_local_link_of_a_notebook_has_a_page(path: Path) -> None:
    text = relinked("\n".join(cell.source for cell in notebooks.read(path).cells))
    pages = {f"../{name}.md" for name in [*PAGES, "index"]} | {one.name for one in NOTEBOOKS}
    assert set(re.findall(r"\]\(([\w./]+)[#)]", text)) <= pages


# --- anchors


def small() -> NotebookNode:
    cells = [new_markdown_cell("# One"), new_code_cell("1 + 1"), new_code_cell("2 + 2")]
    return new_notebook(cells=cells)


def test_an_anchor_stands_before_its_cell() -> None:
    notebook = small()
    prepare(notebook, {0: ["first", "again"], 1: ["sum"], 2: ["more"]})
    assert [cell.source for cell in notebook.cells] == [
        "(first)=\n(again)=\n# One",
        "(sum)=",
        "1 + 1",
        "(more)=",
        "2 + 2",
    ]


# --- outputs


def test_what_would_tell_an_answer_is_folded_there_too() -> None:
    notebook = small()
    prepare(notebook, {})
    assert notebook.cells[1].metadata == {}
    notebook.cells[1].metadata = {"jupyter": {"outputs_hidden": True}}
    prepare(notebook, {})
    assert notebook.cells[1].metadata == {"tags": ["hide-output"]}  # by which MyST-NB folds it


# --- explorers

WITH_ONE = [path for path in NOTEBOOKS if explorers.CALL in path.read_text(encoding="utf-8")]
LINES = [
    "import math as m\nx = [[1, 0]]\nexit('never run')",
    "y = [row[:] for row in x]\ny[0][1] = 1",
]
DATA = re.compile(r'<script type="application/json">(.*?)</script>')
GRID = re.compile(r"<table>\n<caption>The grid</caption>.*?</table>", re.DOTALL)


def test_the_explorers_are_those_that_the_notebooks_call() -> None:
    assert [path.stem[:2] for path in WITH_ONE] == ["00", "02", "04", "05", "06", "08"]


def test_an_explorer_starts_with_what_its_notebook_gives_it() -> None:
    """Other lines of the notebook do not run: one of these would end Python."""
    start = explorers.shown_by(
        [*LINES, "print(m)\nz = y\npractice.explore(x, z, labels=['a', 'b'])"]
    )
    assert start["shown"]["y_true"] == [[1, 0]]
    assert start["shown"]["y_pred"] == [[1, 1]]
    assert start["shown"]["labels"] == ["a", "b"]


def test_a_cell_that_ends_in_no_call_is_refused() -> None:
    with pytest.raises(ValueError, match="does not end in practice"):
        explorers.shown_by(["shown = practice.explore([[1]])"])


@pytest.mark.parametrize("path", WITH_ONE, ids=lambda path: path.stem)
def test_a_living_explorer_starts_with_the_grid_that_the_notebook_committed(path: Path) -> None:
    """The committed table says each cell in words; here they are put together from truth and prediction."""
    notebook = notebooks.read(path)
    (position,) = (i for i, cell in enumerate(notebook.cells) if explorers.CALL in cell.source)
    committed = GRID.findall(notebook.cells[position].outputs[0].data["text/html"])
    prepare(notebook, {})
    html = notebook.cells[position].outputs[0].data["text/html"]
    shown = json.loads(DATA.findall(html)[0])["shown"]
    words = {(0, 0): "rightly left out", (0, 1): "✗ false alarm", (1, 0): "○ miss", (1, 1): "✓ hit"}
    rows = zip(shown["y_true"], shown["y_pred"], strict=True)
    said = [words[cell] for row in rows for cell in zip(*row, strict=True)]
    assert re.findall("<td>(.*?)</td>", committed[0]) == said
    assert re.findall('"row">(.*?)<', committed[0]) == shown["samples"]
    assert re.findall('"col">(.*?)<', committed[0]) == ["sample", *shown["labels"]]
    assert GRID.findall(html) == committed  # it stays, where no script runs


@pytest.mark.parametrize("label", ["</script>", "<!--<script>", "</SCRIPT >", "\\u003c\"'&"])
def test_data_cannot_end_their_script_nor_hide_its_end(label: str) -> None:
    start = explorers.shown_by([f"practice.explore([[1]], labels=[{label!r}])"])
    (data,) = DATA.findall(explorers.living(start))
    assert "<" not in data
    assert json.loads(data) == json.loads(json.dumps(start))
    assert json.loads(data)["shown"]["labels"] == [label]


# --- home


def test_home_has_the_table_and_the_commands_of_the_readme_and_leads_to_every_page() -> None:
    text, readme = home.page(), (ROOT / "README.md").read_text(encoding="utf-8")
    assert "{{" not in text
    (table,) = re.findall(r"^\| notebook \|.*?\n\n", text, re.MULTILINE | re.DOTALL)
    (commands,) = re.findall(r"```sh\n.*?```\n", text, re.DOTALL)
    assert table in readme and commands in readme
    assert re.findall(r"\]\((.*?)\)", table) == [f"notebooks/{path.name}" for path in NOTEBOOKS]
    assert "make lab" in commands
    for path in NOTEBOOKS:
        assert f" <notebooks/{path.stem}>\n" in text
    assert "08 From scores to label sets: 0.5 is a habit <" in text
    assert all((f"\n{name}\n" in text) == ("/" not in name) for name in PAGES)


def test_the_doors_of_home_lead_where_they_say() -> None:
    text = (ROOT / "site/home.md").read_text(encoding="utf-8")
    assert dict(re.findall(r"\[([^][]+)\]\((.*?)\)", text)) == {
        "Start here": "notebooks/00_start_here.ipynb",
        "Which metric do I use?": "notebooks/09_choosing_a_metric.ipynb",
        "Two tools, two numbers": "notebooks/11_conventions.ipynb",
        "the quiz": "quiz.md",
        "question": "questions.md",
        "the cheat sheet": "cheat_sheet.md",
    }


def test_what_the_readme_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="under 'Start' the README has nothing like pip"):
        home.part_of_readme("Start", "pip download")


# --- the command


def test_an_argument_that_it_does_not_know_is_refused_before_anything_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "write_source", lambda: pytest.fail("it builds"))
    with pytest.raises(SystemExit, match="2"):
        command.main(["--out", "somewhere"])
    assert "unrecognized arguments: --out somewhere" in capsys.readouterr().err


@pytest.mark.parametrize("code", [0, 1])
def test_where_sphinx_fails_the_command_fails_and_names_no_page(
    code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "write_source", lambda: None)
    monkeypatch.setattr(command, "SITE", tmp_path / "site")
    monkeypatch.setattr(command.subprocess, "call", lambda command, cwd: code)
    assert command.main([]) == code
    assert ("index.html" in capsys.readouterr().out) == (code == 0)
