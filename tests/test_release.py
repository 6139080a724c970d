"""What is given away is whole: the wheel, with its data and licences."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

import mlm_helpers
from tools.site import take_home

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


def environment(folder: Path, *packages: str) -> Path:
    """The Python of a new environment with these packages, in the versions of constraints.txt."""
    venv.create(folder, with_pip=False)
    its_python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    install = ["-m", "uv", "pip", "install", "-q", "--python", str(its_python)]
    python(*install, "-c", str(ROOT / "constraints.txt"), *packages)
    return its_python


@pytest.fixture(scope="module")
def alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel, what it asks for, and pytest."""
    return environment(tmp_path_factory.mktemp("alone"), str(wheel), "pytest")


@pytest.mark.exhaustive
def test_doctests_and_small_data_need_numpy_and_tqdm_alone(alone: Path, tmp_path: Path) -> None:
    for name in ("test_all_small.py", "all_small.py", "random_inputs.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path)
    markers = "[pytest]\nmarkers = exhaustive\n  no_cover\n"
    (tmp_path / "pytest.ini").write_text(markers, encoding="utf-8")
    other = "sklearn", "scipy", "pandas", "matplotlib", "mlm_course"
    check = f"import importlib.util as i; assert not any(map(i.find_spec, {other}))"
    python("-c", check, at=tmp_path, by=alone)
    examples = ["--doctest-modules", "--pyargs", "mlm_helpers"]
    for what in (examples, ["test_all_small.py", "-m", "not exhaustive"]):
        said = python("-m", "pytest", "-q", "-p", "no:cacheprovider", *what, at=tmp_path, by=alone)
        assert " passed" in said


@pytest.mark.exhaustive
def test_what_is_taken_home_runs_the_first_notebook_in_an_empty_environment(tmp_path: Path) -> None:
    take_home.write(tmp_path / take_home.NAME)
    shutil.unpack_archive(tmp_path / take_home.NAME, tmp_path)
    home = tmp_path / take_home.COURSE
    its_python = environment(tmp_path / "empty", f"{home / take_home.WHEEL}[notebooks]")
    run = ["-m", "nbconvert", "--to", "notebook", "--execute", "--stdout", "00_start_here.ipynb"]
    made = json.loads(python(*run, at=home / "notebooks", by=its_python))
    shown = [cell.get("outputs", []) for cell in made["cells"]]
    committed = json.loads((ROOT / "notebooks/00_start_here.ipynb").read_text(encoding="utf-8"))
    for ran, cell in zip(shown, committed["cells"], strict=True):
        assert texts(ran) == texts(cell.get("outputs", []))


def texts(outputs: list[dict[str, Any]]) -> list[Any]:
    """What outputs print; of pictures and widgets the text that describes them."""
    return [one.get("text", one.get("data", {}).get("text/plain")) for one in outputs]
