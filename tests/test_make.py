"""The Makefile does what it says in any folder and any locale, tried with a Python that only writes down."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(
    os.name != "posix" or shutil.which("make") is None, reason="there is no make here"
)
STUB = """#!/bin/sh
# A Python that installs nothing: it writes down what it was asked to do, and where it ended.
case "$*" in
--version) echo "Python 3.11.0" ;;
"-m venv "*) mkdir .venv || exit 1; echo venv >>asked; sleep 0.3; mkdir .venv/bin; cp "$0" .venv/bin/python ;;
"-m pip "*) echo pip >>asked; sleep 0.3; echo done >>asked ;;
-c*) ;;
*) printf '%s\\n' "$*" >>asked; case "$*" in "${FAILS:-none}"*) exit 3 ;; esac ;;
esac
"""


def clone(parent: Path, name: str = "course") -> Path:
    """A clone in a folder of this name, beside the only Python that its make finds."""
    folder = parent / name
    (folder / "tools").mkdir(parents=True)
    for file in ["Makefile", "pyproject.toml", "constraints.txt", "tools/lab_settings.json"]:
        shutil.copy(ROOT / file, folder / file)
    python = parent / "bin" / "python3"
    python.parent.mkdir()
    python.write_text(STUB)
    python.chmod(0o755)
    return folder


# What the make that runs these tests was asked for is not asked of theirs.
NOT_OURS = dict.fromkeys(("MAKEFLAGS", "ARGS", "COVERAGE", "PYTHON", "PYTHONPATH"), "")


def start(folder: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.Popen(
        ["make", "--no-print-directory", "PYTHON=", *arguments],
        cwd=folder,
        env={**os.environ, **NOT_OURS, "PATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def output(command: subprocess.Popen[str]) -> str:
    text = command.communicate(timeout=60)[0]
    assert command.returncode == 0, text
    return text


def asked(folder: Path) -> list[str]:
    return (folder / "asked").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", ["käse und wein", "$(touch broken)", "a\"b'c", "`x`; #&\\"])
def test_the_lab_opens_in_any_folder_and_its_environment_is_made_once(
    name: str, tmp_path: Path
) -> None:
    folder = clone(tmp_path, name)
    output(start(folder, "lab", LC_ALL="C"))
    first = asked(folder)
    assert first[:3] == ["venv", "pip", "done"]
    assert f" --ServerApp.root_dir {folder.resolve()} --LabApp." in first[3]
    output(start(folder, "lab", LC_ALL="C"))
    assert asked(folder) == [*first, first[3]]
    assert not list(tmp_path.glob("**/broken"))


def test_two_first_calls_at_once_make_one_environment(tmp_path: Path) -> None:
    folder = clone(tmp_path)
    both = [start(folder, "lab"), start(folder, "lab")]
    assert [command.wait(60) for command in both] == [0, 0]
    assert [output(command) for command in both]
    steps = [step for step in asked(folder) if not step.startswith("-m jupyterlab")]
    assert steps == ["venv", "pip", "done", "pip", "done"]
    assert not list(folder.glob(".venv.*"))


def test_a_call_that_was_killed_keeps_nobody_waiting(tmp_path: Path) -> None:
    folder = clone(tmp_path)
    gone = subprocess.Popen(["true"])
    gone.wait()
    (folder / ".venv.maker").symlink_to(str(gone.pid))
    output(start(folder, "lab"))
    assert asked(folder)[0] == "venv"


def test_a_clone_of_somebody_else_is_refused_in_a_sentence() -> None:
    with TemporaryDirectory() as parent:
        folder = clone(Path(parent))
        for place in (folder, folder.parent):
            place.chmod(0o555)
        me = 65534 if os.geteuid() == 0 else None  # root may write anywhere
        refused = subprocess.run(
            ["make", "lab"], cwd=folder, user=me, stderr=subprocess.PIPE, encoding="utf-8"
        )
        folder.parent.chmod(0o755)
        folder.chmod(0o755)
    assert "clone the course into a folder of your own" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_an_environment_with_a_path_beyond_ascii_is_kept_in_any_locale(tmp_path: Path) -> None:
    """Up to Python 3.12 such a path, in a .pth file, is read as the locale says."""
    folder = clone(tmp_path, "käse").resolve()
    venv.create(folder / ".venv")
    (site,) = (folder / ".venv").glob("lib/python*/site-packages")
    (site / "course.pth").write_text(f"{folder}\n", encoding="utf-8")
    (folder / ".venv/made-in").write_text(f"{folder}\n", encoding="utf-8")
    (folder / ".venv/test.done").touch()
    (folder / "tools/readme.py").write_text("import sys; print(sys.path[-1])")
    for locale in ["C", "POSIX", "en_US.ISO-8859-1", ""]:
        assert output(start(folder, "readme", LC_ALL=locale)).splitlines()[-1] == str(folder)
    assert not (folder / "asked").exists()


@pytest.mark.parametrize(
    ("arguments", "pytest_gets"),
    [
        (["test"], ""),
        (["test", "ARGS=tests/test_counts.py -q"], " tests/test_counts.py -q"),
        (["test", "COVERAGE=--cov"], " --cov"),
        (["exhaustive"], " -m exhaustive"),
    ],
)
def test_pytest_runs_once_on_what_is_named(
    arguments: list[str], pytest_gets: str, tmp_path: Path
) -> None:
    folder = clone(tmp_path)
    output(start(folder, *arguments))
    tests = [step for step in asked(folder) if step.startswith("-m pytest")]
    assert tests == [f"-m pytest -n logical{pytest_gets}"]


@pytest.mark.parametrize(
    ("target", "step"),
    [
        ("test", "-m ruff check"),
        ("test", "-m ruff format"),
        ("test", "-m mypy"),
        ("test", "-m pytest"),
        ("exhaustive", "-m pytest -n logical -m exhaustive"),
    ],
)
def test_a_step_that_fails_makes_its_target_fail(target: str, step: str, tmp_path: Path) -> None:
    folder = clone(tmp_path)
    command = start(folder, target, FAILS=step)
    command.communicate(timeout=60)
    assert command.returncode == 2
    assert asked(folder)[-1].startswith(step)


@pytest.mark.parametrize(
    "fails",
    [
        "",
        "-m mypy",
        "-m pytest -n logical --cov",
        "-m pytest -n logical -m exh",
        "-m tools.site",
        "-m pytest -n logical --dist",
        "-m pytest tests/c",
    ],
)
def test_ci_runs_everything_and_fails_where_a_step_fails(fails: str, tmp_path: Path) -> None:
    folder = clone(tmp_path)
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", folder / ".ci/run")
    shutil.copy(folder.parent / "bin/python3", folder.parent / "bin/chromium")  # nothing to install
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "MAKEFLAGS": "", "PYTHON": "", "PATH": path, "FAILS": fails}
    done = subprocess.run([folder / ".ci/run"], env=environment, capture_output=True)
    assert (done.returncode != 0) == bool(fails), done.stderr
    steps = [step for step in asked(folder) if step.startswith("-m")]
    assert steps[-1].startswith(fails or "-m pytest tests/class")
    if not fails:
        assert {"-m pytest -n logical --cov", "-m pytest -n logical -m exhaustive"} <= set(steps)


# --- what `make` says of its targets: a word of the help, and of no other, and what the target runs
