"""The renderings of a table and of a line: plain text, HTML without a style sheet, Markdown, LaTeX."""

import html
import re
import unicodedata
from collections.abc import Sequence
from typing import TypeAlias

Rows: TypeAlias = Sequence[Sequence[str]]  # the header, and rows whose first cell names the row

_TEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {sign: f"${sign}$" for sign in "<>|"}
    | {"–": "--", "−": "$-$", "†": r"\dag{}"}
    | {"↓": r"$\downarrow$", "↑": r"$\uparrow$", "β": r"$\beta$"}
)


def as_text(caption: str, rows: Rows) -> str:
    """Write a table in columns."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [caption] if caption else []
    for row in rows:
        cells = [text + " " * (w - _width(text)) for text, w in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def as_html(caption: str, rows: Rows) -> str:
    """Write a table in HTML."""
    # an empty heading is a plain cell, since screen readers announce headings
    head = [
        f'<th scope="col">{escape_html(name)}</th>' if name else "<td></td>" for name in rows[0]
    ]
    above = f"<caption>{escape_html(caption)}</caption>" if caption else ""
    lines = ["<table>", above, f"<thead><tr>{''.join(head)}</tr></thead>", "<tbody>"]
    for name, *cells in rows[1:]:
        data = "".join(f"<td>{escape_html(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{escape_html(name)}</th>{data}</tr>')
    return "\n".join(filter(None, [*lines, "</tbody>", "</table>"]))


def as_markdown(caption: str, rows: Rows) -> str:
    """Write a table in Markdown, the numbers flushed right."""
    head, *body = (list(map(escape_markdown, row)) for row in rows)
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *body]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join(filter(None, [escape_markdown(caption), table]))


def as_latex(caption: str, rows: Rows, instead: str = "", label: str = "") -> str:
    """Write a table in LaTeX, with the rules of the package booktabs; a caption instead is LaTeX, too."""
    head, *body = (" & ".join(map(escape_latex, row)) + r" \\" for row in rows)
    above = rf"\caption{{{instead or escape_latex(caption)}}}" if instead or caption else ""
    above += rf"\label{{{label}}}" if label else ""
    tabular = rf"\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}"
    lines = [r"\begin{table}", above, r"\centering", tabular, r"\toprule", head, r"\midrule"]
    lines += [*body, r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(filter(None, lines))


def escape_markdown(text: str) -> str:
    """Escape the signs of Markdown."""
    return re.sub(r"[\\`*_|<>\[\]$]", r"\\\g<0>", text)


def escape_latex(text: str) -> str:
    """Escape the signs of LaTeX; a bracket after the end of a row would be read as its option."""
    return re.sub(r"(?<![\w.])-(?=\d)", "$-$", text.translate(_TEX)).replace("[", "{[}")


def escape_html(text: str) -> str:
    """Escape the signs of HTML, and those of MathJax, which does not join signs across elements."""
    return re.sub(r"[$\\]", r"<span>\g<0></span>", html.escape(text))


def _width(text: str) -> int:
    """The width of a text in a fixed-width font, in which a wide character takes two columns."""
    seen = [c for c in text if unicodedata.category(c) not in ("Mn", "Cf")]
    return len(seen) + sum(unicodedata.east_asian_width(c) in "WF" for c in seen)
