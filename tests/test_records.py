"""Records are read as they are on disk, for each caller anew."""

import json
from pathlib import Path

import pytest

from mlm_course import records

FOLDER = Path(records.__file__).parent


@pytest.mark.parametrize("name", [path.stem for path in FOLDER.glob("*.json")])
def test_what_a_caller_changes_stays_with_the_caller(name):
    content = records.load(name)
    assert content == json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    content.clear()
    assert records.load(name)
