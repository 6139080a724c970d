"""A reader's answers are the reader's: git ignores them, and no update overwrites them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tools import my_notebooks, notebooks

NAME = "01_exact_match.ipynb"


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def status(course: Path) -> str:
    """What git would commit of a course."""
    command = ["git", "status", "--porcelain", "--untracked-files=all"]
    return subprocess.check_output(command, cwd=course, text=True)


@pytest.fixture
def course(tmp_path):
    """A checkout of a course with one notebook, which was copied."""
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    shutil.copy(notebooks.NOTEBOOKS.parent / ".gitignore", tmp_path)
    (tmp_path / "notebooks").mkdir()
    shutil.copy(notebooks.NOTEBOOKS / NAME, tmp_path / "notebooks")
    my_notebooks.update(tmp_path)
    return tmp_path


def test_an_answer_is_no_change_of_the_course(course):
    before = status(course)
    copy = course / "my_notebooks" / NAME
    replace(copy, r".check(\"\")", r".check(\"0.5\")")
    assert notebooks.rebuild(copy, copy) is None  # runs and saves it
    my_notebooks.update(course)
    assert r".check(\"0.5\")" in copy.read_text(encoding="utf-8")
    assert status(course) == before


@pytest.mark.parametrize(
    ("old", "new", "is_kept"),
    [
        (r".check(\"\")", r".check(\"1\")", True),
        ('"execution_count": 1,', '"execution_count": 7,', False),
    ],
    ids=["answered", "only run"],
)
def test_a_new_version_takes_the_place_of_a_copy_but_keeps_an_answer(
    old, new, is_kept, course, capsys
):
    notebook, copy = course / "notebooks" / NAME, course / "my_notebooks" / NAME
    replace(copy, old, new)
    replace(notebook, "# Ask for everything", "# Ask for all")
    before = copy.read_bytes()
    my_notebooks.update(course)
    assert copy.read_bytes() == notebook.read_bytes()
    kept = [path.read_bytes() for path in copy.parent.glob("01_exact_match_old_1.ipynb")]
    assert kept == [before] * is_kept
    assert ("yours is now my_notebooks/01_exact_match_old_1" in capsys.readouterr().out) is is_kept
