"""Renew all that is computed: figures, README, docs, notebooks and approved texts.

python -m tools.renew [NOTEBOOK ...]

It lists the files that changed, to be read as prose, and the tests that ask for an edit by hand.
With notebooks named, only these are run, and approved texts stay as they are.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
RENEWED = ("README.md", "docs", "figures", "notebooks", "tests/__snapshots__")
APPROVED = sorted(f"tests/{path.stem}.py" for path in ROOT.glob("tests/__snapshots__/*.ambr"))
# They fail where a cell shows something else than expected, or a function lacks its record.
BY_HAND = ("tests/test_expected.py", "tests/test_catalogue.py")


def contents() -> dict[str, bytes]:
    """The bytes of every file that can be renewed, by its path."""
    places = [ROOT / name for name in RENEWED]
    files = [file for place in places for file in (place, *place.rglob("*")) if file.is_file()]
    return {str(file.relative_to(ROOT)): file.read_bytes() for file in files}


def run_pytest(*arguments: str) -> list[str]:
    """The tests that fail, each as pytest's line about it."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "--tb=no", *arguments]
    process = subprocess.run(command, cwd=ROOT, check=False, encoding="utf-8", capture_output=True)
    lines = process.stdout.splitlines()
    return [line for line in lines if line.startswith(("FAILED", "ERROR"))]


def main(notebooks: Sequence[str]) -> int:
    """Renew, and list what changed and what is left; return 1 if a command failed."""
    before = contents()
    failed = 0
    for command in (["mlm_course.figures"], ["tools.readme"], ["tools.notebooks", *notebooks]):
        failed |= subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode
    if not notebooks:
        run_pytest("--snapshot-update", *APPROVED)
    changed = [path for path, content in contents().items() if content != before.get(path)]
    print("Renewed, to be read as prose:", *(changed or ["nothing"]), sep="\n  ")
    left = [*run_pytest(*BY_HAND), "CHANGELOG.md, if users notice the change"]
    print("Left to do by hand:", *left, sep="\n  ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
