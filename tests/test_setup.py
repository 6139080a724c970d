"""The files around the course agree with each other, and hold on any machine."""

import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import readme

ROOT = Path(__file__).parent.parent


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
REQUIREMENTS = chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())


def test_constraints_pin_every_direct_dependency_within_its_bound():
    lines = [line for line in read("constraints.txt").splitlines() if line[:1] != "#"]
    pins = {canonicalize_name(Requirement(line).name): Requirement(line) for line in lines}
    for bound in map(Requirement, REQUIREMENTS):
        if bound.name != PROJECT["name"]:
            pin = pins[canonicalize_name(bound.name)]
            assert bound.specifier.contains(str(pin.specifier).removeprefix("=="))


def test_the_oldest_python_is_the_same_everywhere():
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert f"Python {oldest} or newer" in read("README.md")
    assert f"sys.version_info < ({oldest.replace('.', ', ')})" in read("Makefile")
    assert f"- python>={oldest}\n" in read("environment.yml")
    assert f'python: ["{oldest}", ' in read(".github/workflows/ci.yml")


def test_the_generated_parts_of_pages_are_current():
    pages = readme.pages()
    assert {name: read(name) for name in pages} == pages, "run: make notebooks"


# a registry, its options, an absolute path; no pattern matches itself
FORBIDDEN = [
    r"pypi\.org|pythonhosted\.org|anaconda\.org|file:/{2}",
    r"(?<!\w)--(?:find-links|index-url|extra-index-url)\b",
    r"(?<![\w.)>])/(?:home|Users|root|tmp|work|opt|mnt|private|var/folders)/\w",
]


def test_no_file_names_a_registry_or_a_local_path():
    if not (ROOT / ".git").exists():
        pytest.skip("the files are those that git tracks or would add")
    search = ["git", "grep", "--untracked", "-InP", "|".join(FORBIDDEN)]
    result = subprocess.run(search, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("", "")


def test_a_room_is_imported_when_it_is_first_named_without_rooms_that_it_does_not_need():
    code = """
import sys, mlm_helpers
assert "numpy" not in sys.modules and {*mlm_helpers.__all__} <= {*dir(mlm_helpers)}
mlm_helpers.summary.labels
assert not [name for name in sys.modules if "conventions" in name or name == "tomllib"]
for name in mlm_helpers.__all__:
    getattr(mlm_helpers, name)"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
