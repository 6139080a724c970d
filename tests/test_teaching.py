"""The plans for teachers add up."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
MINUTES = dict(re.findall(r"^\| \[(\w+)\].*\| (\d+) \|$", README, re.MULTILINE))
LESSONS = re.split(r"^### ", TEXT, flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.splitlines()[0])
def test_the_minutes_of_a_lesson_add_up_and_are_those_of_the_readme(lesson):
    (together,) = re.findall(r"lessons of (\d+) minutes", TEXT)
    assert sum(map(int, re.findall(r"^\| (\d+) \| ", lesson, re.MULTILINE))) == int(together)
    for minutes, name in re.findall(r"^\| (\d+) \| \[(\w+)\]\(.*?\) \| all of it", lesson, re.M):
        assert minutes == MINUTES[name], name
