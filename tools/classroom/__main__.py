"""Build build/class: an nbgrader course with an assignment for each notebook.

python -m tools.classroom [--out DIR]
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from pprint import pformat

from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from tools import notebooks
from tools.classroom import assignment

ROOT = notebooks.NOTEBOOKS.parent
CONFIG = {
    "CourseDirectory": {"course_id": "multi-label-metrics-by-hand"},
    # what is to be filled in stands before its solution
    "ClearSolutions": {"code_stub": {"python": ""}, "text_stub": "*Your answer.*"},
    "Execute": {"timeout": 300},  # seconds for a cell; the judge takes up to 90 for a function
    "OverwriteCells": {"add_missing_cells": True},  # a graded cell that was deleted comes back
}
WRITTEN = """# Made by make class, and made again by it.
import warnings

from traitlets.config import Config

c = get_config()
c.merge(Config({config}))
# What nbgrader's own queries make SQLAlchemy say, and its cells without an id nbformat: nothing to act upon.
warnings.filterwarnings("ignore", "Object of type <Submitted", module="nbgrader")
warnings.filterwarnings("ignore", "Cell is missing an id field")
"""
NEXT = """{count} assignments are in {folder}: with solutions in source/, without them in release/.
1. Give your class what is in release/, and everybody an id that can name a folder, such as ada or 4711.
2. Put what comes back into submitted/ID/NAME/NAME.ipynb, NAME being the notebook's; then, in {folder}:
3. {bin}/nbgrader autograde NAME --create; for the paragraphs, {bin}/jupyter-lab and its menu Nbgrader, Formgrader
4. {bin}/nbgrader generate_feedback NAME; {bin}/nbgrader export; plans for two and six lessons: TEACHING.md"""


def write(folder: Path) -> list[str]:
    """Write the course's configuration and its sources, and nothing of what a class handed in."""
    folder.mkdir(parents=True, exist_ok=True)
    config = WRITTEN.format(config=pformat(CONFIG))
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    names = []
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb")):
        target = folder / "source" / path.stem / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(notebooks.to_bytes(assignment.source(path)))
        names.append(path.stem)
    return names


def release(folder: Path, names: Sequence[str]) -> list[str]:
    """Make of each source what a class may see; return what went wrong."""
    here = Path(sys.executable).parent
    os.environ["PATH"] = f"{here}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
    config = Config(CONFIG)
    config.CourseDirectory.root = str(folder)
    api = NbGraderAPI(config=config)
    done = {name: api.generate_assignment(name) for name in names}
    return [f"{name}: {said['log']}" for name, said in done.items() if not said["success"]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build an nbgrader course of the ladders.")
    parser.add_argument("--out", type=Path, metavar="DIR", default=ROOT / "build" / "class")
    folder = parser.parse_args(arguments).out.resolve()
    try:
        names = write(folder)
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    errors = release(folder, names)
    print(*errors, sep="\n", end="", file=sys.stderr)
    if not errors:
        commands = shlex.quote(str(Path(sys.executable).parent))
        print(NEXT.format(count=len(names), folder=folder, bin=commands))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
