"""Every ladder has its rungs, each left for the reader; and what is folded away there is right."""

import ast
import json
import re

import places
import pytest

from mlm_helpers.course import practice

RUNGS = ["Read a number", "Compute one", "Find the bug", "Choose", "An open task"]
OWN = "Write it yourself"
FOLDED = re.compile(r"<details>.*?</details>", re.S)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


def headings(file):
    return [section.heading for section in places.sections(file)]


WITH = [file for file in places.PLACES if "The ladder" in headings(file)]
JUDGED = [file for file in WITH if OWN in headings(file)]


def ladder(file):
    """The sections from its heading to the last one."""
    found = headings(file)
    start = found.index("The ladder")
    return dict(zip(found[start:-1], places.sections(file)[start:-1], strict=True))


def said(section):
    return "".join(passage.text for passage in section.passages)


@pytest.mark.parametrize("file", WITH)
def test_its_rungs_stand_in_order_before_what_to_remember(file):
    rungs = [heading for heading in ladder(file) if heading != OWN]
    assert rungs == ["The ladder", *RUNGS]
    assert headings(file)[-1] == "To remember"


@pytest.mark.parametrize("file", WITH)
def test_it_is_left_for_the_reader(file):
    """Answers are folded away, one in each rung with a question; what is to be filled in is empty."""
    sections = ladder(file)
    for rung in ("Read a number", "Find the bug", "Choose"):
        assert len(FOLDED.findall(said(sections[rung]))) == 1, rung
    assert 3 <= said(sections["An open task"]).count("- [ ] ") <= 4
    code = "".join(section.code for section in sections.values())
    checks = re.findall(r"\.check\((.*?)\)", code)
    assert checks
    assert set(checks) == {'""'}


@pytest.mark.parametrize("file", WITH)
def test_what_a_cell_below_a_folded_answer_prints_is_hidden_too(file):
    cells = json.loads(places.PLACES[file].read_text(encoding="utf-8"))["cells"]
    answered = [
        i for i, cell in enumerate(cells) if "<summary>Answer</summary>" in "".join(cell["source"])
    ]
    ends = {i + 1 for i in answered if cells[i]["source"][-1].strip() == "</details>"}
    tells = {i for i in ends if cells[i]["cell_type"] == "code"}
    assert tells
    hidden = {i for i, cell in enumerate(cells) if "jupyter" in cell["metadata"]}
    assert hidden == tells


@pytest.mark.parametrize("rung", [*RUNGS, OWN])
def test_no_two_are_alike(rung):
    rungs = [ladder(file)[rung] for file in WITH if rung in ladder(file)]
    for parts in (
        [section.code for section in rungs if section.code],
        [answer for section in rungs for answer in FOLDED.findall(said(section))],
        [point for section in rungs for point in re.findall(r"^- \[ \] .*", said(section), re.M)],
    ):
        assert len(parts) == len(set(parts))


@pytest.mark.parametrize("file", JUDGED)
def test_the_folded_function_is_right_and_the_empty_one_is_not(file):
    own = ladder(file)[OWN]
    (block,) = BLOCK.findall(FOLDED.search(said(own))[0])
    (stub,) = (node for node in ast.parse(own.code).body if isinstance(node, ast.FunctionDef))
    (call,) = (
        node
        for node in ast.walk(ast.parse(own.code))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "practice.judge"
    )
    names = places.own_variables(file, headings(file).index(OWN), block)
    metric, empty = (eval(ast.unparse(one), names) for one in call.args)
    assert practice.judge(metric, empty).right is False
    exec(block, names)
    assert practice.judge(metric, names[stub.name]).right is True


@pytest.mark.parametrize("file", WITH)
def test_the_sheet_can_be_answered(file):
    names = places.own_variables(file, headings(file).index("Compute one"))
    assert names["asked"].check(float(names["asked"].solution())).right
