"""A board as HTML that needs no style sheet, script or class."""

from __future__ import annotations

import html
import re

from mlm_helpers.board.kinds import Equation, Sentence, Step, slashed
from mlm_helpers.board.text import typeset


def as_html(step: Step) -> str:
    """Write a step as a table or a paragraph."""
    if isinstance(step, Sentence):
        return f"<p>{escape(step.text)}</p>"
    if isinstance(step, Equation):
        return f"<p>{escape(typeset(step))}</p>"
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in step.header)
    lines = ["<table>", f"<caption>{escape(step.caption)}</caption>"]
    lines += [f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    for name, *cells in (tuple(map(slashed, row)) for row in step.rows):
        data = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{data}</tr>')
    return "\n".join([*lines, "</tbody>", "</table>"])


def escape(text: str) -> str:
    """Leave nothing that HTML reads as a sign; nor MathJax, which joins nothing across elements."""
    return re.sub(r"[$\\]", r"<span>\g<0></span>", html.escape(text))
