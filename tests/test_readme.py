"""The code and the commands of README and docs/ do what these state."""

import ast
import re
import tomllib
from fractions import Fraction
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import facts
import pytest
from nbformat import v4
from test_options import FUNCTIONS

from mlm_helpers import example_based, label_based
from mlm_helpers.__main__ import main
from tools import notebooks
from tools.site.pages.markdown import DOCS

ROOT = Path(__file__).parent.parent
TEXT, METRICS = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/metrics.md")
)
# the language and the code of each block
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
BLOCKS = BLOCK.findall(TEXT)
# an option of the terminal; not --allow-root, which is one of start.py
OPTION = re.compile(r"(?<![\w(-])(?<!start\.py )--[a-z][\w-]*")
TERMINAL_LINES = [line for kind, block in BLOCKS if kind != "python" for line in block.splitlines()]
COMMANDS = [line.partition(" #")[0] for line in TERMINAL_LINES]


def test_the_code_of_the_readme_reads_two_files_and_prints_scores_and_errors(
    tmp_path, monkeypatch, capsys
):
    """Two samples: a hit of sea, and a miss of sun with a false alarm of sky."""
    (tmp_path / "truth.csv").write_text("id,tags\n1,sea\n2,sun\n")
    (tmp_path / "predicted.csv").write_text("id,tags\n1,sea\n2,sky\n")
    monkeypatch.chdir(tmp_path)
    block = next(block for kind, block in BLOCKS if kind == "python")
    names: dict[str, Any] = {}
    exec(compile(block, "README.md", "exec"), names)
    assert "labels are all tags of both files" in " ".join(TEXT.split())
    assert names["tags"].labels == ("sea", "sky", "sun")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    (micro,) = (line for line in lines if line[:1] == ["micro"])
    assert micro[-2:] == ["0.5", "0.5"]  # F1, and that of predicting all 3 labels for both samples
    assert lines[-1][:3] == ["sun", "sky", "1"]  # sun is missed and sky predicted in one sample


def test_the_code_of_the_metrics_page_gives_the_values_in_its_comments():
    """F1 by hand: 2·1/(2 + 2) and 2·0/(1 + 0), so the mean is 1/4."""
    ((_, block),) = BLOCK.findall(METRICS)
    names: dict[str, Any] = {}
    *definitions, solve, identify = ast.parse(block).body
    exec(compile(ast.Module(definitions, []), "metrics.md", "exec"), names)
    solved, identified = (eval(ast.unparse(call), names) for call in (solve, identify))
    assert solved.value == Fraction(1, 4)
    assert "2/4" in str(solved)
    exact = {match.metric: match for match in identified.matches if match.fit == "exactly"}
    assert exact["micro precision"].value == 0.5  # 1 of the 2 predicted labels
    assert exact["Hamming loss"].value == 0.5  # 3 of 6 cells
    assert "MULAN" in exact["Hamming loss"].tools


def test_the_files_targets_and_extras_of_its_commands_exist():
    commands = "\n".join(COMMANDS).replace("my_notebooks/", "notebooks/")  # made by make lab
    files = re.findall(r"[\w/]+\.(?:ipynb|txt|yml)\b", commands)
    assert files and [name for name in files if not (ROOT / name).exists()] == []
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert {*re.findall(r"(?:`|^)make ([a-z-]+)", TEXT, re.M)} <= set(targets)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(re.findall(r'"\.\[(\w+)\]"', commands)) <= set(extras["optional-dependencies"])


def test_every_option_in_a_text_is_one_of_the_terminal(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    options = set(OPTION.findall(capsys.readouterr().out))
    paths = [ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("templates/*.md")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    for path in notebooks.NOTEBOOKS.glob("*.ipynb"):
        texts += [cell.source for cell in notebooks.read_notebook(path).cells]
    named = set(OPTION.findall("\n".join(texts)))
    assert named and named <= options


OF_OTHER_LIBRARIES = {
    "classes", "dtype", "error_score", "eval_metric", "keep", "predict_params", "scoring",
    "shuffle",
}  # fmt: skip


def test_every_argument_in_a_text_is_one_of_a_public_function():
    text = "".join(path.read_text("utf-8") for path in (ROOT / "README.md", *DOCS.glob("*.md")))
    named = re.findall(r"\b([a-z_]+)=(?!=)", " ".join(re.findall("`([^`\n]*)`", text)))
    known = {name for function in FUNCTIONS.values() for name in signature(function).parameters}
    assert {*named} - known == OF_OTHER_LIBRARIES


def test_leaving_out_samples_without_an_answer_can_only_raise_f1():
    """As docs/messages.md says, where 0/0 counts 0."""
    micro = partial(label_based.f1, average="micro")
    samples = partial(example_based.f1, zero_division=0.0)
    for f1 in (label_based.f1, micro, samples):

        def is_kept_or_raised(y_true, y_pred, f1=f1):
            kept = y_pred.any(axis=1)
            return not kept.any() or f1(y_true[kept], y_pred[kept]) >= f1(y_true, y_pred)

        facts.always(is_kept_or_raised)
    words = "can only raise its macro, micro and samples F1, if 0/0 counts 0."
    assert words in " ".join((DOCS / "messages.md").read_text(encoding="utf-8").split())


def test_the_minutes_of_a_lesson_add_up():
    text, *lessons = (DOCS / "teaching.md").read_text(encoding="utf-8").split("\n### Lesson ")
    for lesson in lessons:
        minutes = map(int, re.findall(r"^\| (\d+) ", lesson, re.M))
        assert f"lessons of {sum(minutes)} minutes" in text, lesson


def test_minutes_by_hand():
    """800 words, 30 lines of code and one rung take 4 + 2 + 2 minutes, about 10.

    1,400 folded words take 7 more.
    """
    texts = [
        "# A\n\nTime: about 9 minutes.",
        800 * "a ",
        "## B",
        "### More: c",
        1400 * "c ",
        "## The ladder",
        "### D",
    ]
    cells = list(map(v4.new_markdown_cell, [*texts, "### An open task"]))
    notebook = v4.new_notebook(cells=[*cells[:2], v4.new_code_cell(30 * "x\n\n"), *cells[2:]])
    notebooks.clean(notebook)
    assert notebook.cells[0].source.endswith(
        "about 10 minutes, or 15 with the sections headed “More”."
    )
