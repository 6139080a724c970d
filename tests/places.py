"""Where sentences stand: the notebooks, run in process section by section, and the README."""

import contextlib
import io
import os
import re
import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt
import prose
from claims import _rules as notebook_rules

from tools import notebooks
from tools.needed import needed

README = notebooks.NOTEBOOKS.parent / "README.md"
PLACES = {path.stem: path for path in [*sorted(notebooks.NOTEBOOKS.glob("*.ipynb")), README]}

# What `make readme` writes from the package and the glossary; other tests hold it to them.
MADE = re.compile(r"<!-- (\w+):start -->(?s:.*?)<!-- \1:end -->|^\*Words\.\*.*$", re.M)


class Place(NamedTuple):
    """A sentence, and the section of the file in which it stands."""

    file: str
    section: int
    sentence: str
    claims: bool


@cache
def sections(file: str) -> list[notebook_rules.Section]:
    path = PLACES[file]
    if path.suffix == ".ipynb":
        return notebook_rules.sections(notebooks.read(path))
    passage = notebook_rules.Passage(1, path.read_text(encoding="utf-8"))
    return [notebook_rules.Section(path.name, [passage])]


@cache
def sentences() -> list[Place]:
    return [
        Place(file, number, sentence.text, sentence.claims or _to_remember(section, sentence))
        for file in PLACES
        for number, section in enumerate(sections(file))
        for passage in section.passages
        for sentence in prose.sentences(MADE.sub("", passage.text))
    ]


def _to_remember(section: notebook_rules.Section, sentence: prose.Sentence) -> bool:
    return section.heading == "To remember" != sentence.text


def known(file: str, number: int) -> dict[str, object]:
    """What a check may ask for: the notebook's variables there, and what the section says."""
    section = sections(file)[number]
    return variables(file)[number] | {
        "printed": section.output,
        "code": section.code,
        "text": "\n".join(p.text for section in sections(file) for p in section.passages),
    }


@cache
def variables(file: str) -> list[dict[str, object]]:
    """The notebook's variables after each of its sections."""
    names, found = _fresh(), []
    with _as_in_a_kernel(PLACES[file].parent):
        for number, section in enumerate(sections(file)):
            exec(compile(section.code, f"{file}, section {number}", "exec"), names)
            plt.close("all")
            found.append(dict(names))
    return found


def own_variables(file: str, number: int, later: str = "") -> dict[str, object]:
    """The variables after a section where nothing has run but it and what it, or later code, needs."""
    names, before = _fresh(), [section.code for section in sections(file)[:number]]
    code = sections(file)[number].code
    with _as_in_a_kernel(PLACES[file].parent):
        exec(compile(needed(before, f"{code}\n{later}"), file, "exec"), names)
        exec(compile(code, f"{file}, section {number}", "exec"), names)
    return names


def _fresh() -> dict[str, object]:
    return {"__name__": "__main__", "display": lambda *_: None}


@contextlib.contextmanager
def _as_in_a_kernel(folder: Path):
    here = Path.cwd()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)
