"""The files around the course agree with each other, and fit any machine."""

from __future__ import annotations

import ast
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import mlm_helpers
from tools import readme

ROOT = Path(__file__).parent.parent
TITLE = "Multi-label metrics by hand"
PYTHONS = re.compile(r'python: \["([\d.]+)", "([\d.]+)"\]')


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def bounds(*groups: list[str]) -> dict[str, SpecifierSet]:
    """Name and bound of every requirement, without the project's references to itself."""
    requirements = [Requirement(text) for group in groups for text in group]
    return {
        canonicalize_name(requirement.name): requirement.specifier
        for requirement in requirements
        if requirement.name != PROJECT["name"]
    }


DIRECT = bounds(PROJECT["dependencies"], *EXTRAS.values())


# --- environment.yml and pyproject.toml


def conda() -> dict[str, SpecifierSet]:
    return bounds([item for item in CONDA["dependencies"] if isinstance(item, str)])


CONDA = yaml.safe_load(read("environment.yml"))


def test_conda_has_the_bounds_of_pyproject() -> None:
    ours = DIRECT | {"python": SpecifierSet(PROJECT["requires-python"]), "pip": SpecifierSet()}
    assert conda() == {name: ours[name] for name in conda()}


def test_conda_has_what_the_course_needs_and_then_the_course() -> None:
    needed = bounds(PROJECT["dependencies"], EXTRAS["notebooks"], EXTRAS["scale"])
    assert set(conda()) == {"python", "pip", "nbval", *needed}
    assert CONDA["channels"] == ["conda-forge"]
    assert CONDA["name"] == PROJECT["name"]
    assert CONDA["dependencies"][-1] == {"pip": ["-e ."]}


# --- constraints.txt


def pins() -> dict[str, Requirement]:
    lines = [line for line in read("constraints.txt").splitlines() if line[:1] != "#"]
    return {canonicalize_name(Requirement(line).name): Requirement(line) for line in lines}


@pytest.mark.parametrize("name", sorted(DIRECT))
def test_constraints_pin_every_direct_dependency_within_its_bound(name: str) -> None:
    assert pins()[name].marker is None
    assert DIRECT[name].contains(str(pins()[name].specifier).removeprefix("=="))


def test_constraints_are_exact_versions() -> None:
    assert [
        str(pin) for pin in pins().values() if not re.fullmatch(r"==[\w.]+", str(pin.specifier))
    ] == []


def test_every_direct_dependency_has_a_lower_bound() -> None:
    assert [
        name for name, bound in DIRECT.items() if {one.operator for one in bound} != {">="}
    ] == []


# --- Python versions


def test_the_oldest_python_is_the_same_everywhere() -> None:
    oldest = PROJECT["requires-python"].removeprefix(">=")
    major, minor = oldest.split(".")
    assert f"Python {oldest} or newer" in read("README.md")
    assert f"sys.version_info < ({major}, {minor})" in read("Makefile")
    assert f"--python-version {oldest} " in read("Makefile")
    tested = PYTHONS.search(read(".github/workflows/ci.yml"))
    assert tested is not None
    assert tested[1] == oldest


# --- commands


def test_ci_is_one_command_that_can_be_run() -> None:
    assert (
        read(".ci/run").splitlines()[-1]
        == "make test exhaustive test-site test-class COVERAGE=--cov"
    )
    assert os.name != "posix" or os.access(ROOT / ".ci/run", os.X_OK)


def test_windows_runs_the_same_pytest_command_as_make() -> None:
    command = "-m pytest -n logical"
    assert f"$(PY) {command} " in read("Makefile")
    assert f"python {command}\n" in read(".github/workflows/ci.yml")
    assert f"python {command}\n" in read("README.md")


# --- documents


def test_a_page_has_what_the_package_says_now() -> None:
    pages = readme.pages()
    assert sorted(pages) == ["BENCHMARK.md", "GLOSSARY.md", "README.md", "SOURCES.md"]
    assert {name: read(name) for name in pages} == pages, "run: make readme"


def test_readme_lists_every_notebook() -> None:
    listed = re.findall(r"\]\(notebooks/(\w+\.ipynb)\)", read("README.md"))
    assert listed == sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_licences_name_the_holder() -> None:
    holder = f"Copyright (c) 2026, the contributors of {TITLE}\n"
    assert holder in read("LICENSE")
    assert holder in read("LICENSE-CC-BY-4.0")


def test_citation_has_title_version_and_authors() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)  # what the format asks
    assert citation["title"] == TITLE
    assert read("README.md").startswith(f"# {TITLE}\n")
    assert str(citation["version"]) == mlm_helpers.__version__
    assert citation["authors"] == [{"name": f"the contributors of {TITLE}"}]


# --- nothing that holds only on one machine or one network

HOSTS = [
    ".".join(parts) for parts in [("pypi", "org"), ("pythonhosted", "org"), ("anaconda", "org")]
]
OPTIONS = ["--" + option for option in ("find-links", "index-url", "extra-index-url")]
LOCAL = r"(?<![\w.)>])/(?:home|Users|root|tmp|work|opt|mnt|private|var/folders)/\w"
FORBIDDEN = re.compile(
    "|".join(
        [
            *(re.escape(host) for host in HOSTS),
            *(rf"(?<!\w){option}\b" for option in OPTIONS),
            "file:" + "//",
            LOCAL,
        ]
    )
)
OTHERS = {"__pycache__", "build", "dist", "mutants", "node_modules"}


def text_files(folder: Path) -> Iterator[Path]:
    """Every file of the tree but those of caches and environments, hidden .ci and .github included.

    A .git that is a file names the clone of a worktree.
    """
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            hidden = path.name.startswith(".") and path.name not in {".ci", ".github"}
            if not (hidden or path.name in OTHERS or (path / "pyvenv.cfg").exists()):
                yield from text_files(path)
        elif path.is_file() and path.name != ".git" and b"\0" not in path.read_bytes():
            yield path


def forbidden(text: str) -> list[str]:
    return [match[0] for match in FORBIDDEN.finditer(text)]


def test_no_file_names_a_registry_or_a_local_path() -> None:
    files = list(text_files(ROOT))
    assert {ROOT / "constraints.txt", ROOT / ".ci/run"} <= set(files)
    found = {
        str(path.relative_to(ROOT)): forbidden(path.read_text("utf-8", "replace")) for path in files
    }
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "planted",
    [
        f"https://{HOSTS[0]}/simple",
        f"files.{HOSTS[1]}",
        f"{OPTIONS[0]} wheels",
        f"{OPTIONS[2]}=x",
        "-e file:" + "///somewhere",
        '"' + "/ho" + 'me/me/course"',
        " /t" + "mp/course",
    ],
)
def test_a_planted_host_or_path_is_found(planted: str) -> None:
    assert forbidden(f"first line\n{planted}\n") != []


# --- rooms

ROOMS = [
    "blocks",
    "inputs",
    "counts",
    "ordering",
    "columns",
    "exact_match",
    "example_based",
    "hamming",
    "label_based",
    "ranking",
    "curves",
    "top_k",
    "catalogue",
    "board",
    "worked",
    "worlds",
    "disagreement",
    "invariance",
    "inequalities",
    "thresholds",
    "uncertainty",
    "records",
    "conventions",
    "scorecard",
    "emoji",
    "documents",
    "figures",
    "practice",
]
FOREIGN = {"numpy": ROOMS, "scipy": ["inputs"], "tqdm": ["worlds", "uncertainty"]}
FOREIGN |= {"IPython": ["figures", "practice"], "matplotlib": ["figures"], "PIL": ["figures"]}
FOREIGN |= {"anywidget": ["practice"], "traitlets": ["practice"]}


def imports() -> Iterator[tuple[str, str, str]]:
    """File, its room, and each module that it imports."""
    for path in (ROOT / "mlm_helpers").rglob("*.py"):
        room = path.relative_to(ROOT / "mlm_helpers").parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path.name, room, name.name) for name in node.names)
            if isinstance(node, ast.ImportFrom) and node.module == "mlm_helpers":
                yield from ((path.name, room, f"mlm_helpers.{name.name}") for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield path.name, room, str(node.module)


def test_no_room_is_hard_to_see_whole() -> None:
    lengths = {
        path.name: len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / "mlm_helpers").rglob("*.py")
    }
    assert {name: lines for name, lines in lengths.items() if lines > 420} == {}
