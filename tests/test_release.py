"""What is given away is whole: the wheel, the change log, the forms, the hooks."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

import mlm_helpers

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "mlm_helpers"
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*_*.yml"))


def python(*arguments: str, at: Path = ROOT, by: Path = Path(sys.executable)) -> str:
    done = subprocess.run([by, *arguments], cwd=at, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- the wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    python("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    (built,) = folder.iterdir()
    return built


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    ours = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as held:
        inside = {name: held.read(name) for name in held.namelist() if ".dist-info/" not in name}
        told = {name.partition(".dist-info/")[2] for name in held.namelist()} - {""}
    assert inside == ours
    assert {Path(name).suffix for name in ours} >= {".py", ".json", ".npz", ".txt", ".js", ".css"}
    assert told >= {"METADATA", "licenses/LICENSE", "licenses/mlm_helpers/records/emoji.txt"}
    assert wheel.name.split("-")[1] == mlm_helpers.__version__


IN_AN_EMPTY_ENVIRONMENT = """
import importlib.util, pathlib, sys
import mlm_helpers
from mlm_helpers import catalogue, conventions, example_based, records, worked
from mlm_helpers.course import emoji, practice
from mlm_helpers.course.practice.explore import page, values

assert pathlib.Path(mlm_helpers.__file__).is_relative_to(sys.prefix)
assert not any(map(importlib.util.find_spec, ("sklearn", "matplotlib", "pandas", "anywidget")))
y_true, y_pred = [[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 1, 0]]
print(example_based.accuracy(y_true, y_pred))  # rows 1/3 and 1
print(worked.solve(example_based.accuracy, y_true, y_pred).value)
data = emoji.load()
print(*data.y.shape, *emoji.scores())
print(*(bool(records.load(name)) for name in ("bench", "coverage", "field", "peers")))
print(practice.sheet(example_based.f1, seed=1).check("nothing").right)
print(values(page(y_true, y_pred)["shown"])["example_based.accuracy"])
"""


@pytest.mark.exhaustive
def test_the_wheel_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    folder = "Scripts" if sys.platform == "win32" else "bin"
    empty = tmp_path / "empty" / folder / "python"
    pins = ["-c", str(ROOT / "constraints.txt")]
    python("-m", "pip", "install", "-q", *pins, str(wheel), at=tmp_path, by=empty)
    said = python("-I", "-c", IN_AN_EMPTY_ENVIRONMENT, at=tmp_path, by=empty)
    assert said.splitlines() == [
        "0.6666666666666666",
        "2/3",
        "1572 104 neighbours trees linear frequent nothing",
        "True True True True",
        "None",
        "2/3",
    ]


# --- the change log, the forms, the hooks


def test_the_change_log_begins_with_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    titles = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert titles[0] == f"{mlm_helpers.__version__} ({cited['date-released']})"
    versions = [tuple(map(int, title.split(" ")[0].split("."))) for title in titles]
    assert versions == sorted(set(versions), reverse=True)


def test_there_is_a_form_for_a_number_and_one_for_a_sentence() -> None:
    assert [path.stem for path in FORMS] == ["read_twice", "wrong_number"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_is_one_that_github_takes(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(form) == {"name", "description", "title", "labels", "body"}
    fields = [item for item in form["body"] if item["type"] != "markdown"]
    assert {item["type"] for item in fields} <= {"textarea", "input", "dropdown", "checkboxes"}
    ids = [item["id"] for item in fields]
    labels = [item["attributes"]["label"] for item in fields]
    assert len(set(ids)) == len(set(labels)) == len(fields) > 3
    for item in form["body"]:
        assert set(item) <= {"type", "id", "attributes", "validations"}
        known = {"label", "description", "placeholder", "value", "render", "options"}
        assert set(item["attributes"]) <= known
    assert any(item.get("validations", {}).get("required") for item in fields)


def test_the_code_in_the_form_runs() -> None:
    """Macro F1 of three labels: 1, 2/3 and 0."""
    form = yaml.safe_load((FORMS[-1]).read_text(encoding="utf-8"))
    texts = [item["attributes"] for item in form["body"]]
    (code,) = (text["value"] for text in texts if text.get("render") == "python")
    assert float(python("-c", code)) == pytest.approx(5 / 9)
    (command,) = re.findall(r'`python -c "(.+)"`', str(form))
    assert python("-c", command).startswith(f"{mlm_helpers.__version__} ")


def test_a_hook_runs_what_make_runs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (repository,) = hooks["repos"]
    assert repository["repo"] == "local"
    targets = re.findall(r"^([a-z-]+):.* ## ", (ROOT / "Makefile").read_text("utf-8"), re.M)
    for hook in repository["hooks"]:
        assert hook["entry"] == f"make {hook['id']}"
        assert hook["id"] in targets
