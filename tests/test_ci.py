"""What runs the checks is whole: no workflow forgives, no setting is laxer, no test looks away."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
TESTS = [ROOT / "conftest.py", *sorted((ROOT / "tests").glob("*.py"))]
TESTS += [*sorted(ROOT.glob("tests/site/*.py")), *sorted(ROOT.glob("tests/slides/*.py"))]
WORKFLOWS = sorted((ROOT / ".github/workflows").iterdir())
TOOL = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]


# --- workflows

FORGIVES = re.compile(r"\|\|(?! echo \"Chromium)|\bset \+e|; *true\b|\bexit 0|\|(?= *tee)")
PUSHED = "github.event_name == 'push' && github.ref_name == github.event.repository.default_branch"
LAX = {
    "continue-on-error",
    "timeout-minutes",
    "exclude",
    "include",
    "if",
    "shell",
    "defaults",
    "paths",
}


def keys(node: Any) -> Iterator[tuple[str, Any]]:
    """Every key of a workflow, however deep, with what it holds."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield str(key), value
            yield from keys(value)
    if isinstance(node, list):
        for value in node:
            yield from keys(value)


def workflow(name: str) -> Any:
    return yaml.safe_load((ROOT / ".github/workflows" / name).read_text(encoding="utf-8"))


def test_there_are_three_workflows() -> None:
    assert [path.name for path in WORKFLOWS] == ["ci.yml", "peers.yml", "site.yml"]


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / ".ci/run"], ids=lambda path: path.name)
def test_nothing_is_forgiven(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert FORGIVES.findall(text.replace("} ||\n    echo", "|| echo")) == []
    if path.suffix == ".yml":
        lax = [(key, value) for key, value in keys(yaml.safe_load(text)) if key in LAX]
        conditions = {f"runner.os == '{system}'" for system in ("Linux", "macOS", "Windows")}
        assert {key for key, _ in lax} <= {"if"}
        assert {value for _, value in lax} <= {*conditions, "always()", PUSHED}
    else:
        assert text.splitlines()[1] == "set -eu"


@pytest.mark.parametrize("planted", ["make test || true", "make test || :", "set +e", "x; true"])
def test_what_forgives_is_found(planted: str) -> None:
    assert FORGIVES.search(planted)


def test_ci_has_all_systems_both_pythons_and_the_whole_suite() -> None:
    ci = workflow("ci.yml")
    assert ci[True] == {"push": None, "pull_request": None}  # YAML reads "on" as true
    assert set(ci["jobs"]) == {"test", "lowest"}
    assert ci["jobs"]["test"]["strategy"] == {
        "fail-fast": False,
        "matrix": {
            "os": ["ubuntu-latest", "macos-latest", "windows-latest"],
            "python": ["3.11", "3.14"],
        },
    }
    assert ci["jobs"]["test"]["runs-on"] == "${{ matrix.os }}"
    checkout, python, *steps = ci["jobs"]["test"]["steps"]
    assert checkout["uses"].startswith("actions/checkout@")
    assert python["with"] == {"python-version": "${{ matrix.python }}"}
    assert [(step["if"], step["run"].splitlines()) for step in steps] == [
        ("runner.os == 'Linux'", ["make test exhaustive COVERAGE=--cov PYTHON=python"]),
        ("runner.os == 'macOS'", ["make test PYTHON=python"]),
        (
            "runner.os == 'Windows'",
            [
                'python -m pip install -c constraints.txt -e ".[test]"',
                "python -m pytest -n logical",
            ],
        ),
    ]


def test_the_lowest_versions_are_tested_and_they_alone_may_change_bytes() -> None:
    lowest = workflow("ci.yml")["jobs"]["lowest"]
    assert lowest["steps"][1]["with"] == {"python-version": "3.11"}
    *_, install, tests = lowest["steps"][-1]["run"].splitlines()
    assert "--resolution lowest-direct" in install
    assert tests.startswith("python -m pytest -n logical --nbval-lax -W default #")
    others = [path.name for path in WORKFLOWS for key, _ in keys(workflow(path.name))
              if key == "OTHER_VERSIONS"]  # fmt: skip
    assert others == ["ci.yml"] and "OTHER_VERSIONS" in lowest["env"]
    assert "export CI=true" in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_the_other_tools_run_live_every_week() -> None:
    peers = workflow("peers.yml")
    assert peers[True]["schedule"] == [{"cron": "17 5 * * 1"}]
    runs = [step["run"] for step in peers["jobs"]["peers"]["steps"] if "run" in step]
    assert [run.splitlines()[-1] for run in runs] == ["python -m tools.peers"]


def test_the_site_is_published_after_its_tests_and_from_the_default_branch_alone() -> None:
    site = workflow("site.yml")
    build, publish = site["jobs"]["build"], site["jobs"]["publish"]
    assert [step["run"] for step in build["steps"] if "run" in step] == [
        "make site test-site test-class PYTHON=python"
    ]
    assert build["steps"][-1]["with"] == {"path": "build/site"}
    assert (publish["needs"], publish["if"]) == ("build", PUSHED)
    assert site["permissions"] == {"contents": "read"} and "permissions" not in build
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}


# --- settings


def test_pytest_is_strict_and_takes_doctests_and_notebooks() -> None:
    settings = TOOL["pytest"]["ini_options"]
    assert settings["testpaths"] == ["tests", "mlm_helpers", "notebooks"]
    assert settings["norecursedirs"] == [
        ".*", "build", "dist", "mutants", "tests/site", "tests/slides", "tests/class"
    ]  # fmt: skip
    assert settings["filterwarnings"] == ["error"]
    assert set(settings["addopts"]) == {
        "--strict-markers", "--strict-config", "--doctest-modules", "--nbval", "--dist=loadfile",
        "--durations=10", "-m not exhaustive", "--nbval-sanitize-with=tests/nbval.cfg",
    }  # fmt: skip
    assert set(settings) == {
        "minversion",
        "testpaths",
        "norecursedirs",
        "pythonpath",
        "markers",
        "addopts",
        "filterwarnings",
    }
    assert [marker.partition(":")[0] for marker in settings["markers"]] == ["exhaustive"]


def test_coverage_and_types_are_strict() -> None:
    assert TOOL["coverage"]["run"] == {"branch": True, "source_pkgs": ["mlm_helpers"]}
    assert TOOL["coverage"]["report"]["fail_under"] >= 98
    assert TOOL["coverage"]["report"]["exclude_also"] == ["if TYPE_CHECKING:"]
    assert not {"omit", "exclude_lines", "partial_branches"} & set(TOOL["coverage"]["report"])
    assert TOOL["mypy"]["strict"] is True
    assert TOOL["mypy"]["files"] == ["benchmarks", "mlm_helpers", "tools"]
    assert set(TOOL["mypy"]) == {"strict", "untyped_calls_exclude", "files", "overrides"}
    (override,) = TOOL["mypy"]["overrides"]
    assert set(override) == {"module", "ignore_missing_imports"}
    assert not [name for name in override["module"] if name.startswith(("mlm", "tools", "bench"))]


def test_the_linter_has_its_rules() -> None:
    assert {"B", "D", "E", "F", "I", "NPY", "RUF", "UP", "W"} <= set(TOOL["ruff"]["lint"]["select"])
    assert TOOL["ruff"]["extend-exclude"] == ["mutants"]
    assert set(TOOL["ruff"]["lint"]["per-file-ignores"]) == {"notebooks/*", "tests/*", "tools/*"}
    ignored = {
        rule for rules in TOOL["ruff"]["lint"]["per-file-ignores"].values() for rule in rules
    }
    assert ignored == {"B905", "D", "RUF005", "RUF010"}


def test_no_other_file_has_settings() -> None:
    rivals = ["pytest.ini", ".pytest.ini", "pytest.toml", "tox.ini", "setup.cfg", ".coveragerc",
              "mypy.ini", ".mypy.ini", "ruff.toml", ".ruff.toml"]  # fmt: skip
    assert [name for name in rivals if (ROOT / name).exists()] == []


# --- tests that look away

LOOKS_AWAY = re.compile(
    r"\b(?:pytest|unittest|mark)\.(skip|skipif|xfail|importorskip|skipTest)\b|\b(collect_ignore\w*|__test__)\b"
)
ALLOWED = {  # file and way, with how often: why
    ("test_make.py", "skipif"): (1, "Windows has no make"),
    ("test_rebuild.py", "skip"): (6, "bytes differ on other systems and under other versions"),
    ("browser.py", "skipif"): (1, "not every machine has a browser"),
    ("test_benchmarks.py", "importorskip"): (3, "SciPy and psutil are of an extra"),
}


def test_only_what_is_listed_is_skipped() -> None:
    found: Counter[tuple[str, str]] = Counter()
    for path in (path for path in TESTS if path.name != Path(__file__).name):
        for way in LOOKS_AWAY.finditer(path.read_text(encoding="utf-8")):
            found[path.name, way[1] or way[2]] += 1
    assert found == {place: times for place, (times, _) in ALLOWED.items()}


def test_no_doctest_and_no_line_looks_away() -> None:
    rooms = ("mlm_helpers", "tools", "benchmarks")
    text = "\n".join(p.read_text(encoding="utf-8") for r in rooms for p in (ROOT / r).rglob("*.py"))
    assert not re.search(r"doctest: *\+SKIP|pragma: *no|# *type: *ignore(?!\[)|noqa", text)
    assert text.count("type: ignore[") <= 6


# --- tolerances

ROUGH = {  # above 1e-9: measured or drawn by chance, another tool's single precision, or printed digits
    "at_scale.py": {1e-3},
    "example_based.py": {1e-3},
    "how_sure.py": {1e-6, 0.03, 0.05, 0.1},  # single precision; of draws
    "how_sure_limits.py": {0.1},  # of draws
    "how_sure_methods.py": {0.05, 0.1},  # of draws
    "test_benchmarks.py": {0.005, 0.01, 0.02, 0.05, 0.08},
    "test_coverage.py": {1e-6, 0.002, 0.005},  # rounded; of draws
    "test_figures.py": {1},  # pixel
    "test_figures_read.py": {0.3},  # of a place in a chart, where lines step aside
    "test_notebook_code.py": {0.03},  # of draws
    "test_scorecard.py": {1e-5, 16},  # torchmetrics; bytes
    "test_scorecard_replicates.py": {1e-5},  # printed digits
    "test_uncertainty.py": {1e-3, 0.02, 0.05, 0.1},  # a book's digits; of draws
}


TOLERANCES = {"rtol", "atol", "rel", "abs", "rel_tol", "abs_tol"}


def tolerances(path: Path) -> set[float]:
    """Those of a module, or of a notebook's code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    given = (k for call in calls for k in call.keywords if k.arg in TOLERANCES)
    return {ast.literal_eval(keyword.value) for keyword in given}


def test_no_tolerance_is_large_without_a_reason() -> None:
    paths = [*TESTS, *(ROOT / "tests/claims").glob("*.py"), *(ROOT / "notebooks").glob("*.ipynb")]
    rough = {path.name: {t for t in tolerances(path) if t > 1e-9} for path in paths}
    assert {name: found for name, found in rough.items() if found} == ROUGH


# --- nothing that looks like a test and is none


def lost(sources: dict[str, str]) -> list[str]:
    """Functions that nobody calls and pytest does not collect, and tests that give up half way."""
    found = []
    times = Counter(word for source in sources.values() for word in re.findall(r"\w+", source))
    for name, source in sources.items():
        for node in ast.parse(source).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            if node.name.startswith("test"):
                gives_up = [n for n in node.body if isinstance(n, ast.Return)]
                found += [f"{name}: {node.name} returns"] if gives_up else []
            elif not node.decorator_list and times[node.name] < 2:
                found.append(f"{name}: nobody calls {node.name}")
    return found


HOOKS = [
    "conftest.py: nobody calls pytest_collection_finish",
    "conftest.py: nobody calls pytest_sessionfinish",
]


def test_every_function_of_the_tests_runs() -> None:
    found = lost(
        {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in TESTS}
    )
    assert [each for each in found if each not in HOOKS] == []


def test_a_test_that_is_lost_is_found() -> None:
    assert lost({"a": "def check_f1(): pass\ndef test_f1():\n    return\n"}) == [
        "a: nobody calls check_f1", "a: test_f1 returns"
    ]  # fmt: skip


# --- what CONTRIBUTING.md and the help texts say of them


def test_the_places_are_counted() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    part = text.partition("## Add a metric")[2].partition("\n## ")[0]
    numbers = re.findall(r"^(\d)\. ", part, re.M)
    assert numbers == list("12345")
    assert "Five places, and no other" in part


def test_coverage_is_of_the_first_run_alone() -> None:
    """The documents say so; the Makefile gives it to no other target."""
    recipes = (ROOT / "Makefile").read_text(encoding="utf-8")
    (line,) = (line for line in recipes.splitlines() if "$(COVERAGE)" in line)
    assert "-m pytest -n logical $(COVERAGE) $(ARGS)" in line
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    assert "CI runs both, the first with coverage" in text


def test_java_is_the_same_everywhere() -> None:
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", "pyproject.toml")]
    assert [set(re.findall(r"Java (\d+)", text)) for text in texts] == [{"17"}, {"17"}]


HELPS = {  # file and option: what is said of it, and the test that tries it
    "__main__.py --quick": ("tiny data, to see that it works", "test_quick_run_and_its_words"),
    "__main__.py --out": ("default: %(default)s", "test_quick_run_and_its_words"),
    "__main__.py --only": (
        "measure these sections again, and keep what the file says about the others",
        "test_sections_measured_alone_leave_the_others",
    ),
    "coverage.py --only": (
        "simulate these again, and keep what the record says of the others",
        "test_some_can_be_simulated_again",
    ),
    "coverage.py --out": ("default: %(default)s", "test_some_can_be_simulated_again"),
    "files.py --out": ("default: figures", "test_figures"),
    "notebooks.py files": ("default: notebooks/*.ipynb", "rebuilt"),
    "notebooks.py --out": ("write here, not in place", "test_the_tool_writes_clean_bytes_and_the_same_again"),
}  # fmt: skip


def helps() -> Iterator[tuple[str, str]]:
    """Every option of the commands, and its help; a name is what its file sets it to."""
    for path in [
        *ROOT.glob("tools/*.py"),
        *ROOT.glob("benchmarks/*.py"),
        *ROOT.glob("mlm_helpers/course/figures/*.py"),
    ]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {
            ast.unparse(n.targets[0]): n.value for n in ast.walk(tree) if isinstance(n, ast.Assign)
        }
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if ast.unparse(call.func) == "parser.add_argument":
                (said,) = (k.value for k in call.keywords if k.arg == "help")
                option = ast.literal_eval(call.args[0])
                yield f"{path.name} {option}", ast.literal_eval(texts.get(ast.unparse(said), said))


def test_what_help_says_of_an_option_stands_beside_its_test() -> None:
    assert dict(helps()) == {option: said for option, (said, _) in HELPS.items()}
    code = "".join(path.read_text(encoding="utf-8") for path in TESTS)
    assert [test for _, test in HELPS.values() if f"def {test}(" not in code] == []
