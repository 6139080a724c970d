"""The files around the course agree with each other, and hold on any machine."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tools import readme

ROOT = Path(__file__).parent.parent


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def bounds(*groups: list[str]) -> dict[str, SpecifierSet]:
    """The bound of every requirement by name, without the project's references to itself."""
    requirements = [Requirement(text) for group in groups for text in group]
    return {
        canonicalize_name(requirement.name): requirement.specifier
        for requirement in requirements
        if requirement.name != PROJECT["name"]
    }


DIRECT = bounds(PROJECT["dependencies"], *EXTRAS.values())


def test_constraints_pin_every_direct_dependency_within_its_bound() -> None:
    lines = [line for line in read("constraints.txt").splitlines() if line[:1] != "#"]
    pins = {canonicalize_name(Requirement(line).name): Requirement(line) for line in lines}
    for name, bound in DIRECT.items():
        assert bound.contains(str(pins[name].specifier).removeprefix("==")), name


def test_the_oldest_python_is_the_same_everywhere() -> None:
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert f"Python {oldest} or newer" in read("README.md")
    assert f"sys.version_info < ({oldest.replace('.', ', ')})" in read("Makefile")
    assert f"- python>={oldest}\n" in read("environment.yml")
    assert f'python: ["{oldest}", ' in read(".github/workflows/ci.yml")


def test_the_generated_parts_of_pages_are_current() -> None:
    pages = readme.pages()
    assert {name: read(name) for name in pages} == pages, "run: make notebooks"


# the slashes are apart, so that this file itself has no match
HOSTS = [r"pypi\.org", r"pythonhosted\.org", r"anaconda\.org", "file:" + "//"]
OPTIONS = [rf"(?<!\w)--{option}\b" for option in ("find-links", "index-url", "extra-index-url")]
LOCAL = r"(?<![\w.)>])/(?:home|Users|root|tmp|work|opt|mnt|private|var/folders)/\w"
FORBIDDEN = re.compile("|".join([*HOSTS, *OPTIONS, LOCAL]))
GENERATED = {"__pycache__", "build", "dist", "mutants", "my_notebooks", "node_modules"}


def text_files(folder: Path) -> Iterator[Path]:
    """Every text file except in caches, environments and hidden folders; .ci and .github are included."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            is_hidden = path.name.startswith(".") and path.name not in {".ci", ".github"}
            if not (is_hidden or path.name in GENERATED or (path / "pyvenv.cfg").exists()):
                yield from text_files(path)
        elif path.is_file() and path.name != ".git" and b"\0" not in path.read_bytes():
            yield path


def test_no_file_names_a_registry_or_a_local_path() -> None:
    matches = [
        (str(path.relative_to(ROOT)), match[0])
        for path in text_files(ROOT)
        for match in FORBIDDEN.finditer(path.read_text("utf-8", "replace"))
    ]
    assert matches == []


def test_a_room_is_imported_when_it_is_first_named_without_rooms_that_it_does_not_need() -> None:
    code = """
import sys, mlm_helpers
assert "numpy" not in sys.modules and {*mlm_helpers.__all__} <= {*dir(mlm_helpers)}
mlm_helpers.summary.labels
assert not [name for name in sys.modules if "conventions" in name or name == "tomllib"]
for name in mlm_helpers.__all__:
    getattr(mlm_helpers, name)"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
