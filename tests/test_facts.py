"""Each fact that a cell lists is a test or an expected cell; each rule lists a fact."""

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
    r"|\*Write\b"  # what a reader should write beside a number
    r"|\*\*[^*]+ [^*]+[.!]\*\*",  # a bold sentence
    re.MULTILINE,
)


@cache
def times_defined() -> Counter[str]:
    """How many tests have each name."""
    texts = (path.read_text(encoding="utf-8") for path in HERE.rglob("test_*.py"))
    return Counter(name for text in texts for name in TEST.findall(text))


@pytest.mark.parametrize("notebook", NAMES)
def test_every_listed_fact_is_one_test_or_an_expected_cell(notebook):
    expected_cells = {cell for _, cell in ENTRIES}
    times = {
        (cell_id, fact): 1 if fact in expected_cells else times_defined()[fact]
        for cell_id, cell in facts.cells_by_id(notebook).items()
        for fact in cell["metadata"].get("facts", [])
    }
    assert 0 not in times.values(), f"no test and no expected cell has this name: {times}"
    assert set(times.values()) <= {1}, f"several tests have this name: {times}"


@pytest.mark.parametrize("notebook", NAMES)
def test_every_rule_lists_a_fact_or_is_advice(notebook):
    without_fact = [
        cell_id
        for cell_id, cell in facts.cells_by_id(notebook).items()
        if cell["cell_type"] == "markdown" and RULE.search("".join(cell["source"]))
        if not cell["metadata"].get("facts") and "advice" not in cell["metadata"].get("tags", [])
    ]
    assert not without_fact, "list a test in metadata.facts, or give the tag `advice`"
