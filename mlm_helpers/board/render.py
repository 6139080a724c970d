"""The renderings of a board: plain text, HTML that needs no style sheet, script or class, Markdown, LaTeX."""

import html
import re
import unicodedata

from mlm_helpers.board.values import Equation, Sentence, Step, Table, slashed

_GLYPHS = {unicodedata.normalize("NFKC", c).replace("⁄", "/"): c for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
_TEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {sign: f"${sign}$" for sign in "<>|"}
    | {"–": "--", "−": "$-$", "↓": r"$\downarrow$", "↑": r"$\uparrow$", "β": r"$\beta$"}
)


def as_text(step: Step) -> str:
    """Write a step: a table in columns, anything else in a line."""
    if not isinstance(step, Table):
        return _line(step)
    widths = [max(map(_width, column)) for column in zip(*step.lines(), strict=True)]
    lines = [step.caption] if step.caption else []
    for row in step.lines():
        cells = [text + " " * (w - _width(text)) for text, w in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def as_html(step: Step) -> str:
    """Write a step as a table or a paragraph."""
    if not isinstance(step, Table):
        return f"<p>{escape(_line(step))}</p>"
    # an empty heading is a plain cell, since screen readers announce headings
    head = [f'<th scope="col">{escape(n)}</th>' if n else "<td></td>" for n in step.header]
    caption = f"<caption>{escape(step.caption)}</caption>" if step.caption else ""
    lines = ["<table>", caption, f"<thead><tr>{''.join(head)}</tr></thead>", "<tbody>"]
    for name, *cells in step.lines()[1:]:
        data = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{data}</tr>')
    return "\n".join(filter(None, [*lines, "</tbody>", "</table>"]))


def as_markdown(step: Step) -> str:
    """Write a step as a table or a paragraph of Markdown."""
    if not isinstance(step, Table):
        return _marked(_line(step))
    head, *body = ([_marked(cell) for cell in row] for row in step.lines())
    rows = [head, ["---", *["---:"] * (len(head) - 1)], *body]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return "\n\n".join(filter(None, [_marked(step.caption), lines]))


def _marked(text: str) -> str:
    return re.sub(r"[\\`*_|<>\[\]$]", r"\\\g<0>", text)


def as_latex(step: Step) -> str:
    """Write a step as a paragraph, or as a table with the rules of the package booktabs."""
    if not isinstance(step, Table):
        return _line(step).translate(_TEX)
    head, *body = (" & ".join(map(_tex, row)) + r" \\" for row in step.lines())
    caption = rf"\caption{{{step.caption.translate(_TEX)}}}" if step.caption else ""
    tabular = rf"\begin{{tabular}}{{l{'r' * (len(step.header) - 1)}}}"
    lines = [r"\begin{table}", caption, r"\centering", tabular, r"\toprule", head, r"\midrule"]
    lines += [*body, r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(filter(None, lines))


def _tex(cell: str) -> str:
    """Write a cell in LaTeX; a bracket after the end of a row would be read as its option."""
    return re.sub(r"(?<![\w.])-(?=\d)", "$-$", cell.translate(_TEX)).replace("[", "{[}")


def escape(text: str) -> str:
    """Escape the signs of HTML, and those of MathJax, which does not join signs across elements."""
    return re.sub(r"[$\\]", r"<span>\g<0></span>", html.escape(text))


def _line(step: Sentence | Equation) -> str:
    """Write a step in plain characters; in a sum, 1/2 as ½ where Unicode has the fraction."""
    if isinstance(step, Sentence):
        return step.text
    parts = list(map(slashed, step.parts))
    end = next((i for i, part in enumerate(parts) if part in (" = ", " ≈ ")), len(parts))
    if end > 1:
        parts[:end] = [_GLYPHS.get(part, part) for part in parts[:end]]
    return "".join(parts)


def _width(text: str) -> int:
    """The width of a text in a fixed-width font, in which a wide character takes two columns."""
    seen = [c for c in text if unicodedata.category(c) not in ("Mn", "Cf")]
    return len(seen) + sum(unicodedata.east_asian_width(c) in "WF" for c in seen)
