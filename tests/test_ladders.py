"""Every ladder is left for the reader, and what is folded away there is right."""

import ast
import re

import places
import pytest

from mlm_helpers.course import practice

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
def test_it_is_left_for_the_reader(file):
    """A committed notebook holds no answer of whoever tried it."""
    code = "".join(section.code for section in ladder(file).values())
    assert set(re.findall(r"\.check\((.*?)\)", code)) == {'""'}


@pytest.mark.parametrize("file", JUDGED)
def test_the_folded_function_is_right(file):
    own = ladder(file)[OWN]
    (block,) = BLOCK.findall(FOLDED.search(said(own))[0])
    (stub,) = (node for node in ast.parse(own.code).body if isinstance(node, ast.FunctionDef))
    (call,) = (
        node
        for node in ast.walk(ast.parse(own.code))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "practice.judge"
    )
    names = places.own_variables(file, headings(file).index(OWN), block)
    metric = eval(ast.unparse(call.args[0]), names)
    exec(block, names)
    assert practice.judge(metric, names[stub.name]).right is True


@pytest.mark.parametrize("file", WITH)
def test_the_sheet_can_be_answered(file):
    names = places.own_variables(file, headings(file).index("Compute one"))
    assert names["asked"].check(float(names["asked"].solution())).right
