"""Notebooks and figures, rebuilt in a temporary folder, are the committed ones byte for byte."""

# mypy: allow-untyped-calls
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from nbformat import v4
from packaging.requirements import Requirement

from tools import notebooks

ROOT = Path(__file__).parent.parent
PATHS = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
PACKAGES = (  # the bytes of notebooks and figures depend on their versions
    *("numpy", "scipy", "scikit-learn", "matplotlib", "matplotlib-inline", "pillow"),
    *("ipykernel", "ipython", "nbclient", "nbformat"),
)


@pytest.fixture(scope="module")
def same_versions():
    """Skip a test unless this is Linux with the pinned versions on which the bytes depend.

    Other versions fail in CI.
    """
    if sys.platform != "linux":
        pytest.skip("bytes are compared on Linux only")
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    requirements = [Requirement(line) for line in lines if line[:1] != "#"]
    pins = {pin.name: pin for pin in requirements}
    unmet = [str(pins[name]) for name in PACKAGES if version(name) not in pins[name].specifier]
    if unmet:
        # the CI job that tests other versions skips as well
        is_error = "CI" in os.environ and "OTHER_VERSIONS" not in os.environ
        (pytest.fail if is_error else pytest.skip)(f"bytes are compared under {', '.join(unmet)}")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The finished process of a Python command, with its output and exit code."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, check=False, encoding="utf-8", capture_output=True)


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_is_rebuilt_the_same(path, same_versions, tmp_path):
    rebuilt = tmp_path / path.name
    assert notebooks.rebuild(path, rebuilt) is None
    pairs = zip(*(json.loads(file.read_bytes())["cells"] for file in (path, rebuilt)), strict=True)
    changed = [i for i, (cell, new_cell) in enumerate(pairs, start=1) if cell != new_cell]
    assert changed == [], f"{path.name}: these cells print something else (make notebooks)"
    assert path.read_bytes() == rebuilt.read_bytes(), "other bytes of the same cells"


# Draw all figures in the folder of the first argument, without pyplot.
DRAW = """import runpy, sys
runpy.run_module("mlm_course.figures", run_name="__main__")
assert "matplotlib.pyplot" not in sys.modules"""


def test_figures_are_redrawn_the_same(request, tmp_path):
    process = run("-W", "error", "-c", DRAW, tmp_path)
    assert process.returncode == 0, process.stderr
    # only now, so that drawing without warnings is tested under all versions
    request.getfixturevalue("same_versions")
    committed, redrawn = (
        {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}
        for folder in (ROOT / "figures", tmp_path)
    )
    assert sorted(committed) == sorted(redrawn)
    changed = [name for name, picture in committed.items() if picture != redrawn[name]]
    assert not changed, "run make notebooks"


def test_a_cell_that_fails_is_named_and_nothing_is_written(tmp_path):
    path = tmp_path / "short.ipynb"
    cells = [v4.new_markdown_cell("# Title"), v4.new_code_cell("1 / 0")]
    content = notebooks.to_bytes(v4.new_notebook(cells=cells))
    path.write_bytes(content)
    process = run("-m", "tools.notebooks", path)
    assert process.returncode == 1
    assert "short.ipynb, cell 2: ZeroDivisionError: division by zero\n" in process.stderr
    assert path.read_bytes() == content
