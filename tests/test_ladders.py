"""Each ladder: its rungs, a sheet that is left unanswered, and a solution that is right."""

import ast
import re

import places
import pytest

RUNGS = (
    "The ladder", "Read a number", "Compute one", "Write it yourself", "Find the bug", "Choose",
    "An open task", "To remember",
)  # fmt: skip
LADDERS = [
    file
    for file in places.PLACES
    if any(section.heading == RUNGS[0] for section in places.sections(file))
]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def rung(file, heading):
    """The number of a section, and the section."""
    sections = places.sections(file)
    ladder = [section.heading for section in sections].index(RUNGS[0])
    return next((i, s) for i, s in enumerate(sections) if i > ladder and s.heading == heading)


def judged(file, function):
    """What the notebook's own call of `practice.judge` says of another function."""
    number, section = rung(file, "Write it yourself")
    call = ast.parse(section.code).body[-1].value
    names = places.variables(file)[number] | {call.args[1].id: function}
    return eval(ast.unparse(call), names)


WRITTEN = [file for file in LADDERS if "01" <= file[:2] <= "07"]  # the families


@pytest.mark.parametrize("file", LADDERS)
def test_it_has_every_rung_and_ends_the_notebook(file):
    headings = [section.heading for section in places.sections(file)]
    rungs = [rung for rung in RUNGS if rung != "Write it yourself" or file in WRITTEN]
    assert headings[headings.index(RUNGS[0]) :] == rungs
    _, task = rung(file, "An open task")
    assert 3 <= sum(p.text.count("\n- [ ] ") for p in task.passages) <= 4


@pytest.mark.parametrize("file", LADDERS)
def test_the_sheet_is_asked_and_not_answered(file):
    number, section = rung(file, "Compute one")
    asked = places.variables(file)[number]["asked"]
    assert 'asked.check("")  # your answer' in section.code
    assert asked.check(float(asked.solution())).right


@pytest.mark.parametrize("file", WRITTEN)
def test_the_stub_is_refused_and_the_solution_right(file):
    number, section = rung(file, "Write it yourself")
    (solution,) = BLOCK.findall("\n\n".join(p.text for p in section.passages))
    names = dict(places.variables(file)[number])
    (stub,) = (n.name for n in ast.parse(section.code).body if isinstance(n, ast.FunctionDef))
    assert judged(file, names[stub]).right is False
    exec(compile(solution, f"{file}, solution", "exec"), names)
    assert judged(file, names[stub]).right is True


def test_no_two_ladders_are_alike():
    """Of each rung the text and the code, but what every ladder says of its sheet."""
    for heading in RUNGS[1:-1]:
        files = WRITTEN if heading == "Write it yourself" else LADDERS
        said = [rung(file, heading)[1] for file in files]
        texts = ["".join(p.text for p in section.passages) + section.code for section in said]
        assert len({*texts}) == len(texts)
