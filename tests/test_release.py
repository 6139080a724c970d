"""The wheel and the archive for home use are complete."""

import json
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

import mlm_helpers
from tools.site import take_home

ROOT = Path(__file__).parent.parent


def run(*arguments: str, folder: Path = ROOT, python: Path = Path(sys.executable)) -> str:
    """What a Python command prints; it must succeed."""
    options = {"cwd": folder, "capture_output": True, "encoding": "utf-8"}
    process = subprocess.run([python, *arguments], check=False, **options)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    (path,) = folder.iterdir()
    return path


def test_the_wheel_holds_the_package_and_its_licences_and_nothing_else(wheel):
    package_files = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / "mlm_helpers").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        files = {name: archive.read(name) for name in names if ".dist-info/" not in name}
    assert files == package_files
    metadata = {name.partition(".dist-info/")[2] for name in names}
    assert metadata >= {"METADATA", "licenses/LICENSE"}
    _, version, *_ = wheel.name.split("-")  # multi_label_metrics_by_hand-2.0.0-py3-none-any.whl
    assert version == mlm_helpers.__version__


def test_citation_and_changelog_have_the_version_and_one_date():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (version, date), *_ = re.findall(r"^## (\S+) \((\d.*)\)$", changes, re.MULTILINE)
    assert version == citation["version"] == mlm_helpers.__version__
    assert date == str(citation["date-released"])


def environment_python(folder: Path, *requirements: str) -> Path:
    """The Python of a new environment with these requirements of uv."""
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    run("-m", "uv", "pip", "install", "-q", "--python", str(python), *requirements)
    return python


VERSIONS = {
    "tested": ["pytest", "-c", str(ROOT / "constraints.txt")],
    # The lowest of which there are wheels for this Python.
    "lowest": ["pytest>=9", "numpy", "tqdm", "--resolution=lowest-direct", "--only-binary=:all:"],
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("versions", VERSIONS)
def test_only_numpy_and_tqdm_are_needed(versions, wheel, tmp_path):
    """Doctests and tests on all small data pass without any other package."""
    python = environment_python(tmp_path / "minimal", str(wheel), *VERSIONS[versions])
    for name in ("test_all_small.py", "all_small.py", "random_inputs.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path)
    markers = "[pytest]\nmarkers = exhaustive\n  no_cover\n"
    (tmp_path / "pytest.ini").write_text(markers, encoding="utf-8")
    missing = "sklearn", "scipy", "pandas", "matplotlib", "mlm_course"
    check = f"import importlib.util as i; assert not any(map(i.find_spec, {missing}))"
    options = {"folder": tmp_path, "python": python}
    run("-c", check, **options)
    doctests = ["--doctest-modules", "--pyargs", "mlm_helpers"]
    for tests in (doctests, ["test_all_small.py", "-m", "not exhaustive"]):
        output = run("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, **options)
        assert " passed" in output


@pytest.mark.exhaustive
def test_the_archive_for_home_use_runs_the_first_notebook(tmp_path):
    take_home.write(tmp_path / take_home.NAME)
    shutil.unpack_archive(tmp_path / take_home.NAME, tmp_path)
    home = tmp_path / take_home.COURSE
    packages = f"{home / take_home.WHEEL}[notebooks]", "-c", str(home / "constraints.txt")
    python = environment_python(tmp_path / "empty", *packages)
    execute = ["-m", "nbconvert", "--to", "notebook", "--execute", "--stdout"]
    notebook = run(*execute, "00_start_here.ipynb", folder=home / "notebooks", python=python)
    committed = json.loads((ROOT / "notebooks/00_start_here.ipynb").read_text(encoding="utf-8"))
    for cell, expected in zip(json.loads(notebook)["cells"], committed["cells"], strict=True):
        assert output_text(cell) == output_text(expected)


def output_text(cell: dict[str, Any]) -> str:
    """The text that a cell prints, at once or in parts, and that describes what it shows."""
    outputs = cell.get("outputs", [])
    lines = (out.get("text", out.get("data", {}).get("text/plain", [])) for out in outputs)
    return "".join(chain.from_iterable(lines))
