"""What is given away is whole: the wheel, with its data and licences."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import mlm_helpers

ROOT = Path(__file__).parent.parent


def python(*arguments: str, at: Path = ROOT, by: Path = Path(sys.executable)) -> str:
    done = subprocess.run([by, *arguments], cwd=at, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    python("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    (built,) = folder.iterdir()
    return built


def test_the_wheel_holds_the_package_and_its_licences_and_nothing_else(wheel: Path) -> None:
    ours = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / "mlm_helpers").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as held:
        inside = {name: held.read(name) for name in held.namelist() if ".dist-info/" not in name}
        told = {name.partition(".dist-info/")[2] for name in held.namelist()} - {""}
    assert inside == ours
    assert told >= {"METADATA", "licenses/LICENSE"}
    assert wheel.name.split("-")[1] == mlm_helpers.__version__


IN_AN_EMPTY_ENVIRONMENT = """
import importlib.util
from mlm_helpers import conventions, example_based, scorecard, uncertainty, worked
from mlm_course import emoji, practice

assert not any(map(importlib.util.find_spec, ("sklearn", "matplotlib", "pandas", "anywidget")))
y_true, y_pred = [[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 1, 0]]
print(example_based.accuracy(y_true, y_pred))  # rows 1/3 and 1
print(worked.solve(example_based.accuracy, y_true, y_pred).value)
print(*emoji.load().y.shape)
print(practice.sheet(example_based.f1, seed=1).check("nothing").right)
"""


@pytest.mark.exhaustive
def test_the_wheel_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    folder = "Scripts" if sys.platform == "win32" else "bin"
    empty = tmp_path / "empty" / folder / "python"
    pins = ["-c", str(ROOT / "constraints.txt")]
    python("-m", "pip", "install", "-q", *pins, str(wheel), at=tmp_path, by=empty)
    said = python("-I", "-c", IN_AN_EMPTY_ENVIRONMENT, at=tmp_path, by=empty)
    assert said.splitlines() == ["0.6666666666666666", "2/3", "1572 104", "None"]
