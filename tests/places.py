"""The sections of the notebooks, and what is known after one is run in this process."""

import contextlib
import io
import os
import re
import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt

from tools import notebooks
from tools.needed import needed

PLACES = {path.stem: path for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))}


class Passage(NamedTuple):
    text: str


class Section(NamedTuple):
    """What stands from one heading to the next."""

    heading: str
    passages: list[Passage]
    code: str


@cache
def sections(file: str) -> list[Section]:
    found = [Section("", [], "")]
    for cell in notebooks.read(PLACES[file]).cells:
        if cell.cell_type == "code":
            found[-1] = found[-1]._replace(code=f"{found[-1].code}{cell.source}\n")
            continue
        for text in re.split(r"^(?=#+ )", cell.source, flags=re.MULTILINE):
            heading = re.match(r"#+ +(.*)", text)
            if heading:
                found.append(Section(heading[1], [], ""))
            found[-1].passages.append(Passage(text))
    return found


def own_variables(file: str, number: int, later: str = "") -> dict[str, object]:
    """The variables after a section where nothing has run but it and what it, or later code, needs."""
    names: dict[str, object] = {"__name__": "__main__", "display": lambda *_: None}
    before, code = (
        [section.code for section in sections(file)[:number]],
        sections(file)[number].code,
    )
    here = Path.cwd()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        os.chdir(PLACES[file].parent)
        try:
            exec(compile(needed(before, f"{code}\n{later}"), file, "exec"), names)
            exec(compile(code, f"{file}, section {number}", "exec"), names)
        finally:
            os.chdir(here)
            plt.close("all")
    return names
