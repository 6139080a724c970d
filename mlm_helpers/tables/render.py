"""A table, or a line, as plain text, HTML without a style sheet, Markdown and LaTeX.

A table is a caption, which may be empty, and rows of texts, of which the first is the header.
"""

import html
import re
import unicodedata
from collections.abc import Sequence
from typing import TypeAlias

Rows: TypeAlias = Sequence[Sequence[str]]  # the header, and rows whose first cell names the row

_NUMBER = re.compile(r"[-−≈]? ?\d|(nan|–|)$")  # matches the cells of a column of numbers
_TEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {sign: f"${sign}$" for sign in "<>|"}
    | {"–": "--", "−": "$-$", "†": r"\dag{}"}
    | {"↓": r"$\downarrow$", "↑": r"$\uparrow$", "β": r"$\beta$"}
)


def as_text(caption: str, rows: Rows) -> str:
    """A table as plain text, in aligned columns."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [caption] if caption else []
    for row in rows:
        cells = [text + " " * (w - _width(text)) for text, w in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def as_html(caption: str, rows: Rows) -> str:
    """A table as HTML; a style aligns texts left, since JupyterLab aligns all cells right."""
    header, *body = rows
    columns = enumerate(zip(*body, strict=True))
    # the columns of numbers; column 0 names the rows, even if the names are numbers
    numeric = {i for i, column in columns if i and all(map(_NUMBER.match, column))}

    def cell(tag: str, i: int, text: str) -> str:
        """A cell of column i; the tag is td, or th with its scope, which the end tag lacks."""
        style = "" if i in numeric else ' style="text-align:left"'
        return f"<{tag}{style}>{escape_html(text)}</{tag[:2]}>"

    # an empty heading is a plain cell, since screen readers announce headings
    head = [cell('th scope="col"' if name else "td", i, name) for i, name in enumerate(header)]
    above = f"<caption>{escape_html(caption)}</caption>" if caption else ""
    lines = ["<table>", above, f"<thead><tr>{''.join(head)}</tr></thead>", "<tbody>"]
    for row in body:
        cells = [cell("td" if i else 'th scope="row"', i, text) for i, text in enumerate(row)]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join(filter(None, [*lines, "</tbody>", "</table>"]))


def as_markdown(caption: str, rows: Rows) -> str:
    """A table as Markdown, with all columns but the first aligned right."""
    head, *body = (list(map(escape_markdown, row)) for row in rows)
    alignment = ["---", *["---:"] * (len(head) - 1)]  # the colon aligns a column right
    lines = [head, alignment, *body]
    above = f"{escape_markdown(caption)}\n\n" if caption else ""
    return above + "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_latex(caption: str, rows: Rows, latex_caption: str = "", label: str = "") -> str:
    """A table as LaTeX with the rules of booktabs, and all columns but the first aligned right.

    ``latex_caption`` is LaTeX, not escaped, and replaces the caption; ``label`` is for references.
    """
    head, *body = (" & ".join(map(escape_latex, row)) + r" \\" for row in rows)
    tex = latex_caption or escape_latex(caption)
    above = (rf"\caption{{{tex}}}" if tex else "") + (rf"\label{{{label}}}" if label else "")
    tabular = rf"\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}"
    lines = [r"\begin{table}", above, r"\centering", tabular, r"\toprule", head, r"\midrule"]
    lines += [*body, r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(filter(None, lines))


def escape_markdown(text: str) -> str:
    """The text with the special characters of Markdown escaped."""
    return re.sub(r"[\\`*_|<>\[\]$]", r"\\\g<0>", text)


def escape_latex(text: str) -> str:
    """The text with special characters of LaTeX escaped, and [, which could start an option."""
    # the minus of -0.5 becomes $-$, but not the hyphen of F-1
    return re.sub(r"(?<![\w.])-(?=\d)", "$-$", text.translate(_TEX)).replace("[", "{[}")


def escape_html(text: str) -> str:
    """The text with special characters of HTML escaped.

    $ and backslash each stand in a span, so that MathJax sees no formula.
    """
    return re.sub(r"[$\\]", r"<span>\g<0></span>", html.escape(text))


def _width(text: str) -> int:
    """Columns of a text in a fixed-width font: two for a wide character, none for an accent.

    Accents are in the category Mn, invisible marks in Cf; wide characters are W or F, fullwidth.
    """
    visible = [c for c in text if unicodedata.category(c) not in ("Mn", "Cf")]
    return len(visible) + sum(unicodedata.east_asian_width(c) in "WF" for c in visible)
