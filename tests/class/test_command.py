"""What `make class` says and does, before anything is built."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory

from mlm_helpers.course.practice import judging
from tools.classroom import __main__ as classroom


class Half:
    """An nbgrader that makes every second assignment."""

    def __init__(self, config: object) -> None:
        self.calls = 0

    def generate_assignment(self, name: str) -> dict[str, object]:
        self.calls += 1
        return {"success": self.calls % 2 == 1, "log": f"no {name} here"}


def test_what_went_wrong_is_said_and_the_command_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(classroom, "NbGraderAPI", Half)
    monkeypatch.setattr(classroom, "write", lambda folder: ["one", "two", "three"])
    monkeypatch.setenv("PATH", "")
    assert classroom.main(["--out", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.strip()) == ("", "two: no two here")


def test_a_class_is_given_what_has_no_solutions_and_hands_in_where_nbgrader_looks(
    tmp_path: Path,
) -> None:
    course = CourseDirectory(root=str(tmp_path))
    assert re.findall(r"Give your class what is in (\w+)/", classroom.NEXT) == [
        course.release_directory
    ]
    folder = Path(course.format_path("submitted", "ID", "NAME")).relative_to(tmp_path)
    assert f" into {folder}/NAME.ipynb, " in classroom.NEXT


def test_a_cell_may_take_as_long_as_the_judge_does_twice() -> None:
    """On the small data, and then on the larger ones."""
    assert classroom.CONFIG["Execute"]["timeout"] > 2 * judging.TOGETHER
