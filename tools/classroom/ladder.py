"""A notebook's ladder, rung by rung: what is asked, and what is folded away."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from tools import notebooks

_CODE = "\0"  # stands before and after a cell of code
_ANSWER = re.compile(r"<summary>.*?</summary>\s*(.*?)\s*</details>", re.DOTALL)


class Rung(NamedTuple):
    """What stands before the answer, text and code in turn, and the answer."""

    asks: list[str]
    answer: str

    @property
    def code(self) -> list[str]:
        """The cells of code that are part of the question."""
        return self.asks[1::2]


class Ladder(NamedTuple):
    """The notebook's title, the cells of code that come before its ladder, and the rungs."""

    title: str
    before: list[str]
    rungs: dict[str, Rung]


def read(path: Path) -> Ladder:
    """Read the ladder of a notebook; what comes after an answer belongs to the answer."""
    cells = [
        _CODE + cell.source + _CODE if cell.cell_type == "code" else cell.source
        for cell in notebooks.read(path).cells
    ]
    before, _, rest = "\n\n".join(cells).partition("## The ladder")
    rungs = {}
    for part in re.split(r"^### ", rest.partition("## To remember")[0], flags=re.MULTILINE)[1:]:
        asks, _, folded = part.partition("<details>")
        answer = _ANSWER.match(folded)
        rung = Rung(f"### {asks}".split(_CODE), answer[1] if answer else "")
        rungs[part.splitlines()[0]] = rung
    title = before.splitlines()[0].removeprefix("# ")
    return Ladder(title, before.split(_CODE)[1::2], rungs)
