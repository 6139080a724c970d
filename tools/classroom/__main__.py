"""Build, collect, grade and give back the assignments of a class, in build/class.

python -m tools.classroom [build | collect DOWNLOAD | grade | return] [--out DIR]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.classroom.course import PATHS, ROOT, Course

NEXT = """{count} assignments are in {folder}: with solutions in source/, without them in release/.
1. Students install the course (get its folder, then `make lab`) and save an assignment in that folder, beside README.md.
   Give them the file from release/, and tell them their id: their name as your learning platform puts it before files.
2. make collect FROM=downloads.zip    # what the platform lets you download: a zip or a folder
3. make grade                         # then open overview.html; the paragraphs wait in make formgrader
4. make return                        # feedback as zips for the platform, and grades.csv
More about each step, and plans for two and six lessons: TEACHING.md"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Assignments of the ladders, by nbgrader.")
    steps = ("build", "collect", "grade", "return")
    parser.add_argument("step", nargs="?", choices=steps, default="build")
    parser.add_argument("download", nargs="?", type=Path, metavar="DOWNLOAD")
    parser.add_argument("--out", type=Path, metavar="DIR", default=ROOT / "build" / "class")
    given = parser.parse_args(arguments)
    folder = given.out.resolve()
    if given.step == "collect" and not (given.download and given.download.exists()):
        parser.error(
            f"there is no file {given.download or ''}: give what the platform let you download"
        )
    if given.step != "build" and not (folder / "release").exists():
        parser.error(f"there is no class in {folder}: begin with make class")
    try:
        course = Course(folder)
        if given.step == "build":
            course.build()
            print(NEXT.format(count=len(PATHS), folder=folder))
            return 0
        lines = {"grade": course.grade, "return": course.give_back}
        step = lines.get(given.step) or (lambda: course.collect(given.download))
        for line in step():
            print(line, flush=True)
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
