"""Renew all that is computed: figures, README, docs, notebooks and approved texts.

python -m tools.renew [NOTEBOOK ...]

It lists the files that changed, to be read as prose, and the tests that ask for an edit by hand.
With notebooks named, only these are run, and approved texts are not renewed.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
RENEWED = ("README.md", "docs", "figures", "notebooks", "tests/__snapshots__")
APPROVED = sorted(f"tests/{path.stem}.py" for path in ROOT.glob("tests/__snapshots__/*.ambr"))
# They fail where a cell shows something else than expected, prose states a number that nothing
# prints, or a function lacks its record.
BY_HAND = ("tests/test_expected.py", "tests/test_notebooks.py", "tests/test_catalogue.py")
NOT_RENEWED = "approved texts, if code changed: make notebooks, without ARGS"


def run(*arguments: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """The finished process of a command in the root of the repository."""
    return subprocess.run(arguments, cwd=ROOT, check=False, text=True, capture_output=capture)


def failing_tests(*arguments: str) -> list[str]:
    """The tests that fail, each as pytest's line about it."""
    command = sys.executable, "-m", "pytest", "-q", "-n0", "--tb=no", *arguments
    lines = run(*command, capture=True).stdout.splitlines()
    return [line for line in lines if line.startswith(("FAILED", "ERROR"))]


def main(notebooks: Sequence[str]) -> int:
    """Renew, and list what changed and what is left; return 1 if a command failed."""
    commands = ["mlm_course.figures"], ["tools.readme"], ["tools.notebooks", *notebooks]
    statuses = [run(sys.executable, "-m", *command).returncode for command in commands]
    failing = [NOT_RENEWED] if notebooks else failing_tests("--snapshot-update", *APPROVED)
    print("Changed since the last commit, to be read as prose:", flush=True)
    run("git", "status", "--short", *RENEWED)
    left = [*failing, *failing_tests(*BY_HAND), "CHANGELOG.md, if users notice the change"]
    print("Left to do by hand:", *left, sep="\n  ")
    return int(any(statuses))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
