"""What README.md and CONTRIBUTING.md tell you to type runs, and what they name is there."""

from __future__ import annotations

import ast
import json
import re
import shlex
import tomllib
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
import yaml

from mlm_helpers import example_based

ROOT = Path(__file__).parent.parent


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
TEXTS = {name: read(name) for name in ("README.md", "BENCHMARK.md", "CONTRIBUTING.md")}
PROSE = "\n".join(TEXTS.values())
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
BLOCKS = BLOCK.findall(PROSE)
NAMED = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"^```.*?^```$", "", PROSE, flags=re.M | re.S))
COMMANDS = [line.partition(" #")[0].strip() for kind, block in BLOCKS if kind != "python"
            for line in block.splitlines()]  # fmt: skip
COMMANDS += [name for name in NAMED if name.startswith(("make", "python "))]


# --- Python


def test_the_code_of_the_readme_gives_what_its_comments_state() -> None:
    """F1 by hand: 2·1/(2 + 2) and 2·0/(1 + 0), so the mean is 1/4."""
    (block,) = (block for kind, block in BLOCK.findall(TEXTS["README.md"]) if kind == "python")
    names = {"y_true": [[1, 1, 0], [0, 0, 1]], "y_pred": [[1, 0, 1], [0, 0, 0]]}
    imports, *calls = ast.parse(block).body
    exec(compile(ast.Module([imports], []), "README.md", "exec"), names)
    solved, parted, identified = (eval(ast.unparse(call), names) for call in calls)
    assert solved.value == Fraction(1, 4)
    assert "2/4" in str(solved)
    (f1, other), (accuracy, another) = parted.values_a, parted.values_b
    assert (f1 - other) * (accuracy - another) < 0
    assert parted.values_a == pytest.approx(
        [example_based.f1(parted.y_true, one) for one in (parted.first, parted.second)]
    )
    exact = {match.metric: match for match in identified.matches if match.fit == "exactly"}
    assert exact["micro precision"].value == 0.5  # 1 of the 2 that are predicted
    assert exact["Hamming loss"].value == 0.5  # 3 of 6 cells
    assert "MULAN" in exact["Hamming loss"].tools


# --- names


def steps(command: str) -> list[str]:
    return [word for word in shlex.split(command)[1:] if "=" not in word]


@pytest.mark.parametrize("command", sorted({c for c in COMMANDS if c.startswith("make")}))
def test_a_make_command_has_targets_and_variables_of_the_makefile(command: str) -> None:
    makefile = read("Makefile")
    assert set(steps(command)) <= set(re.findall(r"^([a-z-]+):", makefile, re.M))
    variables = re.findall(r"(\w+)=", command)
    assert set(variables) <= set(re.findall(r"^(?:override )?(\w+) \??:?=", makefile, re.M))
    files = re.findall(r"\w+/[\w./]+", command)
    assert [name for name in files if not (ROOT / name).exists()] == []


def test_extras_and_environments_are_those_of_the_project() -> None:
    installed = re.findall(r'"\.\[(\w+)\]"', PROSE) + re.findall(r"`(\w+)` extra", PROSE)
    assert set(installed) == {"scale", "test", "peers"} <= set(EXTRAS)
    course, check = re.findall(r'"\.\[(\w+)\]"', TEXTS["README.md"])
    (opens,) = re.findall(r"^lab: \$\(VENV\)/(\w+)\.done", read("Makefile"), re.M)
    (checks,) = re.findall(r"^lint: \$\(VENV\)/(\w+)\.done", read("Makefile"), re.M)
    assert (course, check) == (opens, checks)
    (environment,) = re.findall(r"conda activate (\S+)", PROSE)
    assert environment == yaml.safe_load(read("environment.yml"))["name"]
    made = {*re.findall(r"-m venv (\S+)", PROSE), *re.findall(r"(\S+)\\Scripts", PROSE)}
    assert made | {name for name in NAMED if "venv" in name} == {".venv"}
    assert "VENV := .venv\n" in read("Makefile")


def test_every_file_of_a_command_is_there() -> None:
    files = re.findall(r"[\w/]+\.(?:ipynb|txt|yml|toml)\b", "\n".join(COMMANDS))
    assert {"constraints.txt", "environment.yml", "notebooks/00_start_here.ipynb"} <= set(files)
    assert [name for name in files if not (ROOT / name).exists()] == []
    assert {name for name in files if name.endswith("ipynb")} == {
        *re.findall(r"^NOTEBOOK := (.*)", read("Makefile"), re.M)
    }


NAMES = {  # in backticks, neither a file nor a command: where each is defined
    "METRICS": "mlm_helpers/catalogue.py",
    "STEPS": "mlm_helpers/worked/solution.py",
    "REASONS": "mlm_helpers/invariance.py",
    "SECTIONS": "benchmarks/sections.py",
    "PAGES": "tools/site/pages/__init__.py",
    "Departure": "mlm_helpers/conventions/tool.py",
    "always": "tests/claims/__init__.py",
    "sometimes": "tests/claims/__init__.py",
    "on_trust": "tests/claims/__init__.py",
}


ROOMS = re.findall(r"^\| (.*\?) \| `([\w./]+)`", TEXTS["CONTRIBUTING.md"], re.M)


def exchanged(rooms: list[tuple[str, str]]) -> list[str]:
    """Pairs of questions that share more words with the other's room than with their own."""
    words = {question: letters(question) for question, _ in rooms}
    texts = {
        room: letters((ast.get_docstring(ast.parse(source(room))) or "") + room)
        for _, room in rooms
    }
    return [
        f"{one} | {other}"
        for (one, a), (other, b) in combinations(rooms, 2)
        if len(words[one] & texts[b]) + len(words[other] & texts[a])
        > len(words[one] & texts[a]) + len(words[other] & texts[b])
    ]


def source(room: str) -> str:
    return read(f"mlm_helpers/{room}__init__.py" if room.endswith("/") else f"mlm_helpers/{room}")


def letters(text: str) -> set[str]:
    """Words as they begin: hits and hit, drawn and drawing are one."""
    return {word[:4] for word in re.findall(r"[a-z0/]{3,}", text.lower())} - {*LITTLE.split()}


LITTLE = "and are for how the what where who with"


# --- the notebooks


def title(path: Path) -> str:
    return "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])


def test_the_minutes_are_those_that_the_notebook_states() -> None:
    listed = dict(re.findall(r"^\| \[(\w+)\].*\| (\d+) \|$", TEXTS["README.md"], re.M))
    stated = {path.stem: re.findall(r"Time: about (\d+) minutes", title(path))
              for path in (ROOT / "notebooks").glob("*.ipynb")}  # fmt: skip
    assert stated == {name: [minutes] for name, minutes in listed.items()}


# --- licences


def test_the_licences_are_those_of_their_files() -> None:
    said = dict(re.findall(r"\[([^\]]+)\]\((LICENSE[\w.-]*)\)", TEXTS["README.md"])[::-1])
    files = {file: words for words, file in said.items()}
    assert files == {"LICENSE": "BSD 3-Clause licence", "LICENSE-CC-BY-4.0": "CC BY 4.0"}
    sentence = re.sub(r"\[|\]\([^)]*\)", "", TEXTS["README.md"]).replace("\n", " ")
    assert (
        "code is under the BSD 3-Clause licence, text and figures are under CC BY 4.0" in sentence
    )
    assert read("LICENSE").startswith("BSD 3-Clause License\n")
    for clause in ("source code must retain", "binary form must reproduce", "Neither the name of"):
        assert clause in read("LICENSE")  # the three
    creative = " ".join(read("LICENSE-CC-BY-4.0").split())
    (texts,) = re.findall(r"text of the notebooks, (.*), and the pictures in figures/", creative)
    assert sorted(re.findall(r"[A-Z]+\.md", texts)) == sorted(
        path.name for path in ROOT.glob("*.md")
    )
    assert "Creative Commons Attribution 4.0 International License (CC BY 4.0)" in creative
    assert "All code, in the notebooks too, is under the licence in the file LICENSE." in creative
    ours, *theirs = PROJECT["license"].split(" AND ")
    assert ours == "BSD-3-Clause"
    assert PROJECT["license-files"] == ["LICENSE", "mlm_helpers/records/emoji.txt"]
    emoji = read("mlm_helpers/records/emoji.txt")
    assert all(f"licence {name}" in emoji for name in theirs) and len(theirs) == 3
    assert yaml.safe_load(read("CITATION.cff"))["license"] == ["BSD-3-Clause", "CC-BY-4.0"]
