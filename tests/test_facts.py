"""Every fact that a cell lists is a test or an expected cell, and each rule of the course lists one."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import facts
import pytest
from test_expected import ENTRIES

from tools.notebooks import NOTEBOOKS

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
TEST = re.compile(r"^ *def (test_\w+)\(", re.MULTILINE)
RULE = re.compile(
    r"^#+ To remember$"
    r"|\*Write\b"  # what a reader is told to put beside a number
    r"|\*\*[^*]+ [^*]+[.!]\*\*",  # a bold sentence
    re.MULTILINE,
)


@cache
def times_written() -> Counter[str]:
    texts = (path.read_text(encoding="utf-8") for path in HERE.rglob("test_*.py"))
    return Counter(name for text in texts for name in TEST.findall(text))


@pytest.mark.parametrize("notebook", NAMES)
def test_every_listed_fact_is_one_test_or_an_expected_cell(notebook):
    expected = {cell for _, cell in ENTRIES}
    listed = [
        (identity, fact, 1 if fact in expected else times_written()[fact])
        for identity, cell in facts.cells_by_id(notebook).items()
        for fact in cell["metadata"].get("facts", [])
    ]
    assert not [one for one in listed if one[2] == 0], (
        "no test has this name, and no cell is expected"
    )
    assert not [one for one in listed if one[2] > 1], "several tests have this name: write it once"


@pytest.mark.parametrize("notebook", NAMES)
def test_every_rule_lists_a_fact_or_is_advice(notebook):
    bare = [
        identity
        for identity, cell in facts.cells_by_id(notebook).items()
        if cell["cell_type"] == "markdown" and RULE.search("".join(cell["source"]))
        if not cell["metadata"].get("facts") and "advice" not in cell["metadata"].get("tags", [])
    ]
    assert not bare, "list a test in metadata.facts, or give the tag `advice`"
