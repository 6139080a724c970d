"""The Makefile does what it says in any folder, tried with a Python that only writes down."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(
    os.name != "posix" or shutil.which("make") is None, reason="there is no make here"
)
STUB = """#!/bin/sh
# A Python that installs nothing: it writes down what it was asked to do, and where it ended.
case "$*" in
--version) echo "Python 3.11.0" ;;
"-m venv "*) mkdir "$3" || exit 1; echo venv >>asked; sleep 0.3; mkdir "$3/bin"; cp "$0" "$3/bin/python" ;;
"-m uv "*) echo install >>asked; sleep 0.3; echo done >>asked ;;
"-m pip "*|-c*) ;;
*) printf '%s\\n' "$*" >>asked; case "$*" in "${FAILS:-none}"*) exit 3 ;; esac ;;
esac
"""
# What the make that runs these tests was asked for is not asked of theirs.
NOT_OURS = dict.fromkeys(("MAKEFLAGS", "ARGS", "COVERAGE", "PYTHON", "PYTHONPATH"), "")


def clone(parent: Path, name: str = "course") -> Path:
    """A clone in a folder of this name, beside the only Python that its make finds."""
    folder = parent / name
    for file in [
        "Makefile",
        "pyproject.toml",
        "constraints.txt",
        "tools/lab_settings.json",
        ".ci/run",
    ]:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)
    (parent / "bin").mkdir()
    for name in ("python3", "chromium"):  # so that CI need not install one
        (parent / "bin" / name).write_text(STUB)
        (parent / "bin" / name).chmod(0o755)
    return folder


def start(folder: Path, *command: str, **environment: str) -> subprocess.Popen[str]:
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **NOT_OURS, "PATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def asked(folder: Path, *command: str, fails: str = "none") -> list[str]:
    """What the Python was asked to do by a command, which fails where a step does."""
    with start(folder, *command, FAILS=fails) as process:
        text = process.communicate(timeout=60)[0]
    assert (process.returncode == 0) == (fails == "none"), text
    return (folder / "asked").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", ["käse und wein", "$(touch broken)", "a\"b'c", "`x`; #&\\"])
def test_the_lab_opens_in_any_folder_and_its_environment_is_made_once(
    name: str, tmp_path: Path
) -> None:
    folder = clone(tmp_path, name)
    first = asked(folder, "make", "lab")
    assert first[:3] == ["venv", "install", "done"]
    assert f" --ServerApp.root_dir {folder.resolve()} --LabApp." in first[3]
    assert asked(folder, "make", "lab") == [*first, first[3]]
    assert not list(tmp_path.glob("**/broken"))


def test_two_first_calls_at_once_make_one_environment(tmp_path: Path) -> None:
    folder = clone(tmp_path)
    for command in [start(folder, "make", "lab"), start(folder, "make", "lab")]:
        assert "Error" not in command.communicate(timeout=60)[0]
        assert command.returncode == 0
    steps = (folder / "asked").read_text(encoding="utf-8").splitlines()
    assert [step for step in steps if step[:2] != "-m"] == [
        "venv",
        "install",
        "done",
        "install",
        "done",
    ]


def test_a_call_that_was_killed_keeps_nobody_waiting(tmp_path: Path) -> None:
    folder = clone(tmp_path)
    gone = subprocess.Popen(["true"])
    gone.wait()
    (folder / ".venv.maker").symlink_to(str(gone.pid))
    assert asked(folder, "make", "lab")[0] == "venv"


@pytest.mark.parametrize("step", ["-m ruff check", "-m ruff format", "-m mypy", "-m pytest"])
def test_a_step_that_fails_makes_its_target_fail(step: str, tmp_path: Path) -> None:
    assert asked(clone(tmp_path), "make", "test", fails=step)[-1].startswith(step)


def test_pytest_runs_on_what_is_named(tmp_path: Path) -> None:
    last = asked(clone(tmp_path), "make", "test", "ARGS=tests/test_counts.py -x")[-1]
    assert last == "-m pytest -n logical tests/test_counts.py -x"


@pytest.mark.parametrize(
    "fails", ["none", "-m pytest -n logical -m exh", "-m pytest -n logical --dist=loadfile"]
)
def test_ci_runs_everything_and_fails_where_a_step_fails(fails: str, tmp_path: Path) -> None:
    steps = asked(clone(tmp_path), ".ci/run", fails=fails)
    assert steps[-1].startswith(
        fails if fails != "none" else "-m pytest -n logical --dist=loadfile"
    )
    if fails == "none":
        assert {"-m pytest -n logical", "-m pytest -n logical -m exhaustive"} <= set(steps)
