"""The renderings of a board: plain text, HTML that needs no style sheet, script or class, Markdown, LaTeX."""

import html
import re
import unicodedata

from mlm_helpers.board.pieces import Equation, Sentence, Step, Table, slashed

_GLYPHS = {unicodedata.normalize("NFKC", c).replace("⁄", "/"): c for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
_TEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {sign: f"${sign}$" for sign in "<>|"}
    | {"–": "--", "−": "$-$", "↓": r"$\downarrow$", "↑": r"$\uparrow$", "β": r"$\beta$"}
)
_ISOLATE, _POP = "\u2068", "\u2069"


def as_text(step: Step) -> str:
    """Write a step: a table in columns, anything else in a line."""
    if not isinstance(step, Table):
        return _line(step)
    rows = [step.header, *(tuple(map(slashed, row)) for row in step.rows)]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell + " " * (w - _width(cell)) for cell, w in zip(row, widths, strict=True))
        for row in rows
    ]
    return "\n".join([*filter(None, [step.caption]), *(line.rstrip() for line in lines)])


def as_html(step: Step) -> str:
    """Write a step as a table or a paragraph."""
    if not isinstance(step, Table):
        return f"<p>{escape(_line(step))}</p>"
    head = "".join(map(_heading, step.header))
    lines = ["<table>"]
    if step.caption:
        lines.append(f"<caption>{escape(step.caption)}</caption>")
    lines += [f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    for name, *cells in (tuple(map(slashed, row)) for row in step.rows):
        data = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{data}</tr>')
    return "\n".join([*lines, "</tbody>", "</table>"])


def as_markdown(step: Step) -> str:
    """Write a step as a table or a paragraph of Markdown."""
    if not isinstance(step, Table):
        return _marked(_line(step))
    head, *body = ([_marked(slashed(cell)) for cell in row] for row in (step.header, *step.rows))
    rows = [head, ["---", *["---:"] * (len(head) - 1)], *body]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return "\n\n".join(filter(None, [_marked(step.caption), lines]))


def _marked(text: str) -> str:
    return re.sub(r"[\\`*_|<>\[\]$]", r"\\\g<0>", text)


def as_latex(step: Step) -> str:
    """Write a step as a paragraph, or as a table with the rules of the package booktabs."""
    if not isinstance(step, Table):
        return _line(step).translate(_TEX)
    head, *body = (
        " & ".join(_tex(slashed(cell)) for cell in row) + r" \\"
        for row in (step.header, *step.rows)
    )
    return "\n".join([
        r"\begin{table}",
        *filter(None, [step.caption and rf"\caption{{{step.caption.translate(_TEX)}}}"]),
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * (len(step.header) - 1)}}}",
        *(r"\toprule", head, r"\midrule", *body, r"\bottomrule"),
        r"\end{tabular}",
        r"\end{table}",
    ])  # fmt: skip


def _tex(cell: str) -> str:
    """Write a cell in LaTeX; a bracket after the end of a row would be read as its option."""
    return re.sub(r"(?<![\w.])-(?=\d)", "$-$", cell.translate(_TEX)).replace("[", "{[}")


def _heading(text: str) -> str:
    """Write the heading of a column; an empty one is a plain cell, since screen readers announce headings."""
    return f'<th scope="col">{escape(text)}</th>' if text else "<td></td>"


def escape(text: str) -> str:
    """Escape the signs of HTML, and those of MathJax, which does not join signs across elements."""
    return re.sub(r"[$\\]", r"<span>\g<0></span>", html.escape(text))


def _line(step: Sentence | Equation) -> str:
    """Write a step in plain characters; in a sum, 1/2 as ½ where Unicode has the fraction."""
    if isinstance(step, Sentence):
        return step.text
    parts = [*step.parts, " = "]
    end = min(parts.index(sign) for sign in (" = ", " ≈ ") if sign in parts)
    written = list(map(slashed, step.parts))
    glyphs = [_GLYPHS.get(part, part) for part in written[:end]] if end > 1 else written[:end]
    return "".join([*glyphs, *written[end:]])


def printable(name: str) -> str:
    """Write a name in one line without invisible characters (the joiners of some scripts excepted).

    Right-to-left names stand between marks that keep them from turning their surroundings around.
    """
    one_line = " ".join(name.split()) or '""'
    seen = "".join(c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in one_line)
    if any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in seen):
        return f"{_ISOLATE}{seen}{_POP}"
    return seen


def _width(text: str) -> int:
    """The width of a text in a fixed-width font, in which a wide character takes two columns."""
    return sum(
        0
        if unicodedata.category(c) in ("Mn", "Cf")
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )
