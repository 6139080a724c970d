"""The page for the teacher: how many have the points of each rung, who made which usual slip, and everybody's points."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from mlm_helpers.board import Board, Table

STYLE = Path(__file__).with_name("feedback") / "style.css"
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The class</title><style>
{style}</style></head><body><main><h1>The class</h1>
{body}
</main></body></html>
"""
SLIPS = (  # what of a verdict is the same for everybody, whatever their data
    (r"No answer yet.*|.* returns nothing yet.*", "no answer"),
    (r".*; see whether the cell above runs\.", "a cell that does not run"),
    (r"The first cell does not name .*", "an answer for another id"),
    (r"The answer is .*", "nothing that can be read"),
    (r"\S+ (has not come to an end|exits Python|raises \w+|changes \w+)\b.*", r"the function \1"),
    (r".* It computes (.*)\.", r"computes \1"),
    (r"(?:.* )?(?:That is what )?comes out if (.*)\.", r"\1"),
    (r"[A-D], (.*), gives .*", r"takes it for \1"),
    (r".* is not right\b.*|\S+ gives .*", "another number; no usual slip gives it"),
    (r"\S+(?: %)? is (?:also )?([^.]*)\..*", r"\1"),
)


class Answer(NamedTuple):
    """What a student has for a rung, and what was said of it; points are None until a teacher gives them."""

    student: str
    rung: str
    points: float | None
    most: float
    said: str

    @property
    def is_full(self) -> bool:
        return self.points == self.most


def said(cell: NotebookNode) -> str:
    """The sentence below a graded cell, as text."""
    shown = [
        output.data.get("text/html", "") for output in cell.get("outputs", []) if "data" in output
    ]
    return html.unescape(re.sub(r"<[^>]*>", "", "".join(shown))).strip()


def slip(verdict: str) -> str:
    """The usual mistake that a verdict names, or the verdict.

    Examples
    --------
    >>> slip("0.433 is samples F1, hits; asked is samples F2, hits.")
    'samples F1, hits; asked is samples F2, hits'
    >>> slip("my_f1 gives 1/2 where samples F1 is 1/3. It computes micro F1.")
    'computes micro F1'
    >>> slip("43 % comes out if β is not squared.")
    'β is not squared'
    """
    for pattern, short in SLIPS:
        found = re.fullmatch(pattern, verdict, re.DOTALL)
        if found:
            return found.expand(short)
    return verdict


def page(assignments: Iterable[tuple[str, Sequence[Answer]]]) -> str:
    """The page as HTML: for each assignment its rungs, and the slips."""
    parts = [
        f"<h2>{html.escape(name)}</h2>\n{Board('', (rungs(a), slips(a), totals(a))).to_html()}"
        for name, a in assignments
    ]
    return PAGE.format(style=STYLE.read_text(encoding="utf-8"), body="\n".join(parts))


def rungs(answers: Sequence[Answer]) -> Table:
    rows = []
    for rung in dict.fromkeys(answer.rung for answer in answers):
        of_rung = [answer for answer in answers if answer.rung == rung]
        full = sum(answer.is_full for answer in of_rung)
        less = [
            answer.student for answer in of_rung if not answer.is_full and answer.points is not None
        ]
        waits = [answer.student for answer in of_rung if answer.points is None]
        rows.append((named(rung), f"{full} of {len(of_rung)}", ", ".join(less), ", ".join(waits)))
    header = ("question", "all points", "not all points", "to be read by you")
    return Table("Questions", header, tuple(rows))


def slips(answers: Sequence[Answer]) -> Table:
    """Who made which slip; the slip of most students comes first."""
    wrong = [a for a in answers if a.said and not a.is_full]
    who: dict[tuple[str, str], list[str]] = {}
    for rung in dict.fromkeys(answer.rung for answer in answers):
        for answer in wrong:
            if answer.rung == rung:
                who.setdefault((rung, slip(answer.said)), []).append(answer.student)
    most = sorted(who.items(), key=lambda pair: -len(pair[1]))
    rows = tuple((named(rung), what, ", ".join(names)) for (rung, what), names in most)
    return Table("Slips", ("question", "what is wrong", "who"), rows)


def totals(answers: Sequence[Answer]) -> Table:
    """The points of each student."""
    rows = []
    for student in sorted({answer.student for answer in answers}):
        own = [answer for answer in answers if answer.student == student]
        waits = sum(answer.points is None for answer in own)
        points, most = sum(answer.points or 0 for answer in own), sum(answer.most for answer in own)
        rows.append((student, f"{points:g} of {most:g}", f"{waits}" if waits else ""))
    return Table("Students", ("student", "points", "to be read by you"), tuple(rows))


def named(rung: str) -> str:
    """The name of a rung, as its heading has it."""
    return rung.replace("-", " ").capitalize()
