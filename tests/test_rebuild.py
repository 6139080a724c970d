"""Notebooks and figures, rebuilt in a temporary folder, are the committed ones byte for byte."""

from __future__ import annotations

import difflib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tools import notebooks

ROOT = Path(__file__).parent.parent
PATHS = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
MATTER = (  # what the bytes of a notebook or a figure depend on
    *("numpy", "scipy", "scikit-learn", "matplotlib", "matplotlib-inline", "pillow"),
    *("ipykernel", "ipython", "nbclient", "nbformat"),
)


def pinned() -> dict[str, str]:
    """The versions in constraints.txt that hold on this machine."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    requirements = [Requirement(line) for line in lines if line.strip() and line[0] != "#"]
    return {
        requirement.name: str(requirement.specifier).removeprefix("==")
        for requirement in requirements
        if requirement.marker is None or requirement.marker.evaluate()
    }


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def differences(pins: Mapping[str, str]) -> list[str]:
    """Which installed versions are not the pinned ones: "numpy 1.26.4, not 2.4.6"."""
    return [
        f"{name} {installed(name)}, not {pins[name]}"
        for name in MATTER
        if installed(name) != pins[name]
    ]


def strangers(pins: Mapping[str, str]) -> list[str]:
    """The packages of all pins that are here in another version."""
    here = {name: installed(name).partition("+")[0] for name in pins}  # torch 2.13.0+cpu is 2.13.0
    return [name for name, pin in pins.items() if here[name] not in (pin, "missing")]


def test_in_ci_every_pin_is_what_is_installed() -> None:
    assert strangers({"numpy": version("numpy"), "nobody": "1"}) == []
    assert strangers({"numpy": "0.1"}) == ["numpy"]
    assert not must_agree() or strangers(pinned()) in ([], ["setuptools"])  # venv brings its own


def must_agree() -> bool:
    """In CI on Linux bytes are compared, but in the job that says it installs other versions."""
    return sys.platform == "linux" and "CI" in os.environ and "OTHER_VERSIONS" not in os.environ


@pytest.fixture(scope="module")
def comparable() -> None:
    """Skip where bytes may rightly differ."""
    skip_or_fail(sys.platform, differences(pinned()))


def skip_or_fail(platform: str, found: list[str]) -> None:
    if platform != "linux":
        pytest.skip(f"bytes are compared on Linux only, and this is {platform}")
    if found:
        refuse = pytest.fail if must_agree() else pytest.skip
        refuse(f"bytes are compared under constraints.txt only: {'; '.join(found)}")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A Python command of the course, away from pytest."""
    command = [sys.executable, "-m", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture(scope="module")
def rebuilt(comparable: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Where the notebooks were executed anew, some at the same time, and what went wrong."""
    folder = tmp_path_factory.mktemp("notebooks")
    return folder, run("tools.notebooks", "--out", folder).stderr


def first_difference(committed: bytes, rebuilt: bytes) -> str:
    """The first cell that differs, and its lines: "-" is committed, "+" is rebuilt."""
    old, new = (json.loads(content) for content in (committed, rebuilt))
    for position, cells in enumerate(zip_longest(old["cells"], new["cells"]), start=1):
        if cells[0] != cells[1]:
            return f"cell {position}\n{lines_that_differ(*cells)}"
    old, new = ({**notebook, "cells": []} for notebook in (old, new))
    return (
        lines_that_differ(old, new) or "the same cells, written in another way (run make notebooks)"
    )


def lines_that_differ(old: object, new: object) -> str:
    committed, rebuilt = (
        json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True).splitlines()
        for content in (old, new)
    )
    lines = list(difflib.unified_diff(committed, rebuilt, "committed", "rebuilt", "", "", 1, ""))
    return "\n".join(line if len(line) <= 120 else f"{line[:117]}..." for line in lines[:40])


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_notebook(path: Path, rebuilt: tuple[Path, str]) -> None:
    folder, errors = rebuilt
    assert (folder / path.name).exists(), errors
    committed, again = path.read_bytes(), (folder / path.name).read_bytes()
    same = committed == again  # not left to assert, which would print both
    assert same, f"{path.name}, {first_difference(committed, again)}"


DRAW = """import runpy, sys
runpy.run_module("mlm_helpers.course.figures", run_name="__main__")
from mlm_helpers.course import figures
figures.png(figures.metric_map())
assert "matplotlib.pyplot" not in sys.modules"""


def test_figures(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", DRAW, "--out", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    request.getfixturevalue("comparable")
    committed, again = (
        {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}
        for folder in (ROOT / "figures", tmp_path)
    )
    assert sorted(committed) == sorted(again)
    changed = [name for name, picture in committed.items() if picture != again[name]]
    assert not changed, "run make figures"


# ---------------------------------------------------------------------------- the checks themselves

NOTEBOOK = """{
 "cells": [
  {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]},
  {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [],
   "source": ["print(1)\\n", "sum"]},
  {"cell_type": "code", "execution_count": null, "metadata": {"editable": false}, "outputs": [],
   "source": ["1 / 0"]}
 ],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 4
}
"""


def test_the_tool_names_the_cell_that_fails(tmp_path: Path) -> None:
    path, out = tmp_path / "short.ipynb", tmp_path / "out"
    path.write_text(NOTEBOOK, encoding="utf-8")
    failed = run("tools.notebooks", path, "--out", out)
    assert failed.returncode == 1
    assert "short.ipynb, cell 3: ZeroDivisionError: division by zero\n" in failed.stderr
    assert path.read_text(encoding="utf-8") == NOTEBOOK
    assert not list(out.iterdir())


def test_the_tool_writes_clean_bytes_and_the_same_again(tmp_path: Path) -> None:
    path, out = tmp_path / "short.ipynb", tmp_path / "out"
    path.write_text(NOTEBOOK.replace("1 / 0", "1 + 1"), encoding="utf-8")
    run("tools.notebooks", path).check_returncode()
    run("tools.notebooks", path, "--out", out).check_returncode()
    assert (out / "short.ipynb").read_bytes() == path.read_bytes()
    written = json.loads(path.read_bytes())
    assert written["metadata"] == notebooks.METADATA
    assert [cell["id"] for cell in written["cells"]] == ["cell-1", "cell-2", "cell-3"]
    assert [cell["metadata"] for cell in written["cells"]] == [{}, {}, {}]
    assert [cell["execution_count"] for cell in written["cells"][1:]] == [1, 2]


def test_a_changed_byte_of_a_picture_is_shown() -> None:
    def picture(data: str) -> bytes:
        output = {"data": {"image/png": data}}
        return json.dumps({"cells": [{"outputs": []}, {"outputs": [output]}]}).encode()

    shown = first_difference(picture("iVBORw0K"), picture("iVBORw0L"))
    assert shown.startswith("cell 2\n")
    assert '\n-    "image/png": "iVBORw0K"\n+    "image/png": "iVBORw0L"\n' in shown


def test_a_missing_cell_and_other_spacing_are_shown() -> None:
    assert first_difference(b'{"cells": [{}]}', b'{"cells": []}').startswith("cell 1\n")
    assert "make notebooks" in first_difference(b'{"cells": []}', b'{"cells":[]}')


def test_constraints_pin_what_bytes_depend_on() -> None:
    pins = pinned()
    assert not set(MATTER) - set(pins)
    assert differences(pins | {"numpy": "0.1"})[0] == f"numpy {installed('numpy')}, not 0.1"


def test_what_bytes_depend_on_is_installed_as_pinned(comparable: None) -> None:
    assert differences(pinned()) == []


@pytest.mark.parametrize(
    ("platform", "ci", "other", "outcome"),
    [
        ("linux", "true", None, pytest.fail.Exception),
        ("linux", "true", "1", pytest.skip.Exception),
        ("linux", None, None, pytest.skip.Exception),
        ("darwin", "true", None, pytest.skip.Exception),
    ],
)
def test_other_versions_are_an_error_where_bytes_must_agree(
    platform: str, ci: str | None, other: str | None, outcome: type[BaseException],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "platform", platform)
    for name, value in {"CI": ci, "OTHER_VERSIONS": other}.items():
        monkeypatch.delenv(name, raising=False)
        if value:
            monkeypatch.setenv(name, value)
    with pytest.raises((pytest.fail.Exception, pytest.skip.Exception)) as caught:
        skip_or_fail(platform, ["numpy 0.1, not 2.4.6"])
    assert caught.type is outcome  # a skip that nothing catches would skip this test too
