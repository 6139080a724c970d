"""A course of nbgrader in a folder: its assignments built, collected, graded and given back."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sys
import warnings
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbgrader.apps import NbGraderAPI, ZipCollectApp
from nbgrader.plugins import CsvExportPlugin, FileNameCollectorPlugin
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    OverwriteCells,
    OverwriteKernelspec,
)
from nbgrader.utils import compute_checksum
from traitlets.config import Config

from tools import notebooks
from tools.classroom import assignment, overview

# What nbgrader's own queries make SQLAlchemy say, and its cells without an id nbformat: nothing to act upon.
warnings.filterwarnings("ignore", "Object of type <Submitted", module="nbgrader")
warnings.filterwarnings("ignore", "Cell is missing an id field")
ROOT = notebooks.NOTEBOOKS.parent
PATHS = {path.stem: path for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))}
TITLES = {name: f"{name}_assignment" for name in PATHS}  # of files: not the notebook's own name
TITLED = re.compile(rf"({'|'.join(TITLES.values())}).*\.ipynb$")
HANDED_IN = "handed_in"  # the archive of one assignment, and the folder that it is unpacked into


class Overwrite(OverwriteCells):  # type: ignore[misc]
    """Puts locked cells back, and says so only of those that were not left as they were given out."""

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> Any:
        known = cell.metadata.get("nbgrader", {})
        self.is_as_given = known.get("checksum") == ("grade_id" in known and compute_checksum(cell))
        return super().preprocess_cell(cell, resources, cell_index)

    def report_change(self, name: str, attr: str, old: Any, new: Any) -> None:
        if attr != "checksum":
            super().report_change(name, attr, old, new)
        elif not self.is_as_given:
            self.log.warning("the locked cell %s was changed; it is graded as it was given", name)


class Collector(FileNameCollectorPlugin):  # type: ignore[misc]
    """Finds whose file it is by what a learning platform writes in front of the assignment's name.

    That is "Ada Lovelace_4711_assignsubmission_file_/" or "lovelaceada_815_4711_", up to the first
    "_"; students.csv, if there is one, has other ids for such names.
    """

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        path = Path(submitted_file)
        found = TITLED.search(path.name)
        before = path.name[: found.start()] if found else ""
        name = (before.strip(" _-") or path.parent.name).partition("_")[0]
        if not found or name == HANDED_IN:
            return None
        time = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
        return {"student_id": self.ids().get(name, name), "file_id": found[1], "timestamp": time}

    def ids(self) -> dict[str, str]:
        file = Path(self.parent.coursedir.root, "students.csv")
        if not file.exists():
            return {}
        with file.open(encoding="utf-8-sig", newline="") as lines:
            return {row["name"]: row["id"] for row in csv.DictReader(lines)}


CONFIG = {
    "CourseDirectory": {"course_id": "multi-label-metrics-by-hand"},
    # what is to be filled in stands before its solution
    "ClearSolutions": {"code_stub": {"python": ""}, "text_stub": "*Your answer.*"},
    # seconds for a cell, of which the judge takes up to 90 for a function; no words on encryption
    "Execute": {"timeout": 300, "extra_arguments": ["--log-level=ERROR"]},
    "OverwriteCells": {"add_missing_cells": True},  # a graded cell that was deleted comes back
    "Autograde": {
        "sanitize_preprocessors": [
            ClearOutput,
            DeduplicateIds,
            OverwriteKernelspec,
            Overwrite,
            CheckCellMetadata,
        ]
    },
    "ZipCollectApp": {
        "collector_plugin": Collector,
        "force": True,
        "strict": True,
        "log_level": "ERROR",
    },
    "ExtractorPlugin": {"force": True},
}
WRITTEN = """# Made by make class, and made again by it.
import sys

sys.path.insert(0, {root!r})
from tools.classroom.course import CONFIG, Config  # noqa: E402

c = get_config()
c.merge(Config(CONFIG))
"""


class Course:
    """The folder of a course, and what a teacher does with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        here = Path(sys.executable).parent
        os.environ["PATH"] = f"{here}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
        self.config = Config(CONFIG)
        self.config.CourseDirectory.root = str(folder)
        self.config.HTMLExporter.extra_template_basedirs = [str(Path(__file__).parent)]
        self.api = NbGraderAPI(config=self.config)

    def build(self) -> None:
        """Write configuration, sources and releases, and nothing of what was handed in."""
        self.folder.mkdir(parents=True, exist_ok=True)
        written = WRITTEN.format(root=str(ROOT))
        (self.folder / "nbgrader_config.py").write_text(written, encoding="utf-8")
        for name, path in PATHS.items():
            target = self.folder / "source" / name / f"{TITLES[name]}.ipynb"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(notebooks.to_bytes(assignment.source(path)))
            succeeded(self.api.generate_assignment(name))

    def collect(self, download: Path) -> Iterator[str]:
        """Put the files of a platform's download, a zip or a folder, where they are graded."""
        files = files_in(download)
        for file in (file for file in files if not TITLED.search(Path(file).name)):
            yield f"not taken, as its name is no assignment's: {file}"
        for name in (
            name for name, title in TITLES.items() if any(title in file for file in files)
        ):
            place = self.folder / "downloaded" / name / "archive"
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            if download.is_dir():
                shutil.copytree(download, place / HANDED_IN)
            else:
                shutil.copy(download, place / f"{HANDED_IN}.zip")
            app = self.collecting(name)
            app.extract_archive_files()
            app.process_extracted_files()
            found = list(self.collected(name))
            for student, _ in found:
                yield f"{name}: {student or 'a file that names nobody is left out'}"
            files_of = self.files(name) | {student: str(path) for student, path in found if student}
            self.kept(name).write_text(json.dumps(files_of), encoding="utf-8")

    def collecting(self, name: str) -> ZipCollectApp:
        self.api.coursedir.assignment_id = name
        app = ZipCollectApp(config=self.config, coursedir=self.api.coursedir)
        app.init_plugins()
        return app

    def collected(self, name: str) -> Iterator[tuple[str, Path]]:
        """The files of an assignment, as they were downloaded, each with whose it is, or ""."""
        unpacked = self.folder / "downloaded" / name / "extracted" / HANDED_IN
        plugin = self.collecting(name).collector_plugin_inst
        for path in sorted(unpacked.rglob(f"*{TITLES[name]}*.ipynb")):
            known = plugin.collect(str(path)) or {}
            yield known.get("student_id", ""), path.relative_to(unpacked)

    def kept(self, name: str) -> Path:
        return self.folder / "downloaded" / name / "files.json"

    def files(self, name: str) -> dict[str, str]:
        """Where in its download the last file of each student lay: feedback has the same name."""
        kept = self.kept(name)
        return json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}

    def handed_in(self) -> list[tuple[str, str]]:
        """Assignments and students, of whom there is something to grade."""
        folders = list(self.folder.glob("submitted/*/*/"))
        if not folders:
            raise RuntimeError(
                "Nothing was handed in yet: begin with make collect FROM=downloads.zip"
            )
        return sorted((path.name, path.parent.name) for path in folders)

    def grade(self) -> Iterator[str]:
        """Grade what is new, and write the page for the teacher."""
        for name, student in self.handed_in():
            done = self.api.autograde(name, student, force=False)
            yield f"{name}, {student}: {succeeded(done)}"
        yield f"Who made which slip: {self.show()}"

    def show(self) -> Path:
        """Write the page for the teacher."""
        every = [(name, list(self.answers(name))) for name in self.given()]
        page = self.folder / "overview.html"
        page.write_text(overview.page(every), encoding="utf-8")
        return page

    def given(self) -> list[str]:
        """The assignments that somebody handed in."""
        return sorted({name for name, _ in self.handed_in()})

    def answers(self, name: str) -> Iterator[overview.Answer]:
        """Points and verdicts of an assignment."""
        with self.api.gradebook as book:
            for student in (student for given, student in self.handed_in() if given == name):
                file = self.folder / "autograded" / student / name / f"{TITLES[name]}.ipynb"
                cells = notebooks.read(file).cells
                for cell in (c for c in cells if c.metadata.get("nbgrader", {}).get("grade")):
                    rung = cell.metadata.nbgrader.grade_id
                    grade = book.find_grade(rung, TITLES[name], name, student)
                    points = None if grade.needs_manual_grade else grade.score
                    said = overview.said(cell)
                    yield overview.Answer(student, rung, points, grade.max_score, said)

    def give_back(self) -> Iterator[str]:
        """Write everybody's feedback, a zip for the platform of each assignment, and the grades."""
        for name in self.given():
            succeeded(self.api.generate_feedback(name))
            target = self.folder / "returned" / f"{name}.zip"
            target.parent.mkdir(exist_ok=True)
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
                for student, path in self.files(name).items():
                    page = self.folder / "feedback" / student / name / f"{TITLES[name]}.html"
                    if page.exists():
                        archive.write(page, Path(path).with_suffix(".html"))
            yield str(target)
            if waiting := [a.student for a in self.answers(name) if a.points is None]:
                yield f"{name}: paragraphs without points, so far 0: {', '.join(waiting)}"
        grades = self.folder / "grades.csv"
        with self.api.gradebook as book:
            CsvExportPlugin(assignment=self.given(), to=str(grades)).export(book)
        yield str(grades)
        self.show()


def files_in(download: Path) -> list[str]:
    """The files of a download, but for those that a computer put there."""
    if download.is_dir():
        names = [str(path.relative_to(download)) for path in download.rglob("*") if path.is_file()]
    else:
        with zipfile.ZipFile(download) as archive:
            names = [name for name in archive.namelist() if name[-1] != "/"]
    return [name for name in names if not re.search(r"(^|/)(\.|__MACOSX/)", name)]


def succeeded(done: dict[str, Any]) -> str:
    """What nbgrader warned of, in a line; a RuntimeError where it failed."""
    log = str(done.get("log", ""))
    if not done["success"]:
        raise RuntimeError(log or done["error"])
    return "; ".join(re.findall(r"\[WARNING\] (.*)", log)) or "graded"
