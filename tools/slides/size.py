"""How much room things take on a slide of 1280 × 720, and which of them are shown at all."""

from __future__ import annotations

import re
from html import unescape
from itertools import zip_longest
from textwrap import wrap

from nbformat import NotebookNode

WIDTH = 1160.0
ROOM = 576.0  # pixels below the heading, for the parts and a gap after each
LONG = 260  # characters of a paragraph; the rest is said
LINES = 10  # of code
LETTERS = 102  # of code that need a second line
SAID = 22.0  # around what was printed
SMALL = 9  # rows of tables that are set as large as text
PER_LINE = 73  # characters of text
PER_HEADING = 51  # of a heading
UNSEEN = re.compile(r"\]\([^)]*\)|[*`$\[\\]")  # marks of Markdown and LaTeX, and where links lead
WIDE = re.compile(r"[\u2e80-\uffef]")  # letters that take the room of two
LINE = 42.0
GAP = 14.0  # below each part
LARGER = 1.25  # how much larger the type is where there is room
PICTURE = 290.0  # at least; it takes what is left


def is_shown(cell: NotebookNode) -> bool:
    """Whether a code cell has something for a slide, and it fits."""
    return (shows_code(cell) or bool(html_of(cell))) and height(cell) <= ROOM


def shows_code(cell: NotebookNode) -> bool:
    """Code is shown where it is what matters: it prints, or it is a call of a line or two."""
    html = html_of(cell)
    has_room = code_height(cell.source) + html_height(html) < ROOM
    lines = cell.source.count("\n") + 1
    return has_room and "figures.show(" not in cell.source and lines <= (2 if html else LINES)


def is_explorer(cell: NotebookNode) -> bool:
    return "practice.explore(" in cell.source


def html_of(cell: NotebookNode) -> str:
    return "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)


def printed_by(cell: NotebookNode) -> str:
    """What a cell printed; where a value has no table, its words."""
    plain = [output.get("data", {}) for output in cell.outputs]
    words = [
        data["text/plain"] for data in plain if "text/plain" in data and "text/html" not in data
    ]
    return "".join([*(output.get("text", "") for output in cell.outputs), *words])


def framed(html: str) -> str:
    """A picture, which takes the room that is left, or the tables of a board."""
    kind = "fill" if "<img" in html else "board small" if is_small(html) else "board"
    return f'<div class="{kind}">{html}</div>'


def is_small(html: str) -> bool:
    """Whether tables are set smaller: they have many rows, or one is wide."""
    return html.count("<tr>") > SMALL or max(widths(html, 15.5), default=0) > WIDTH


def widths(html: str, letter: float) -> list[float]:
    """How wide each table is, in pixels, with letters of a width."""
    found = []
    for table in html.split("<table")[1:]:
        lines = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr>")[1:]]
        columns = zip_longest(*lines, fillvalue="")
        longest = [max(len(unescape(re.sub("<.*?>", "", cell))) for cell in one) for one in columns]
        found.append(letter * sum(longest) + 20 * len(longest))
    return found


def height(part: str | NotebookNode) -> float:
    """About how high a part is, in pixels."""
    if isinstance(part, str):
        return text_height(part)
    if is_explorer(part):
        return ROOM
    source = code_height(part.source) if shows_code(part) else 0
    printed = code_height(text, SAID) if (text := printed_by(part)) else 0
    return source + printed + html_height(html_of(part))


def grows(part: str | NotebookNode) -> bool:
    """Whether there may be larger type: no picture, no code, and no wide table."""
    html = part if isinstance(part, str) else html_of(part)
    is_code = not isinstance(part, str) and (shows_code(part) or is_explorer(part))
    return not is_code and "<img" not in html and LARGER * sum(widths(html, 15.5)) < WIDTH - 60


def text_height(text: str) -> float:
    if text.startswith("<div"):
        return html_height(text)
    if text.startswith("$$"):
        return 122.0
    if text.startswith("|"):
        return sum(map(row_height, text.splitlines()[2:])) + LINE + GAP
    lines = [len(wrap(seen(line), PER_LINE)) for line in text.splitlines()]
    quoted = 24 if text.startswith(">") else 0
    return LINE * sum(lines) + 10 * (len(lines) - 1) + quoted + GAP


def seen(text: str) -> str:
    """About as many letters as a reader sees of a text in Markdown."""
    return WIDE.sub("__", UNSEEN.sub("", text))


def heading_height(text: str) -> float:
    """The height of a heading beyond its first line."""
    return 48.0 if len(text) > PER_HEADING else 0.0


def row_height(row: str) -> float:
    """The height of a row of a table in Markdown, whose columns are about as wide as each other."""
    cells = row.strip("|").split("|")
    return 33.0 * max(1 + len(cell) * len(cells) // (PER_LINE + 11) for cell in cells) + 9


def tables_that_fit(text: str) -> list[str]:
    """A table in Markdown in as many parts as it needs slides; anything else as it is."""
    if not text.startswith("|") or text_height(text) <= ROOM:
        return [text]
    head, rows = text.splitlines()[:2], text.splitlines()[2:]
    parts = [head.copy()]
    for row in rows:
        if text_height("\n".join([*parts[-1], row])) > ROOM:
            parts.append(head.copy())
        parts[-1].append(row)
    return ["\n".join(part) for part in parts]


def html_height(html: str) -> float:
    if "<img" in html:
        return PICTURE
    sizes = [table.count("<tr>") for table in html.split("<table")[1:]]
    wide = widths(html, 12.5 if is_small(html) else 15.5)
    wraps = max((width / WIDTH for width in wide), default=0) // 1 + 1
    beside = sum(wide) + 56 * len(sizes) < WIDTH
    each = 31.2 if is_small(html) else 42
    lines = max(sizes, default=0) if beside else wraps * sum(sizes)
    captions = html.count("<caption") if not beside else "<caption" in html
    return each * lines + 45 * captions + 56 * html.count("<p>") + (GAP if html else 0)


def code_height(text: str, around: float = 38.0) -> float:
    """The height of code with its frame, or of what was printed; lines that are too long are broken."""
    lines = sum(1 + len(line) // LETTERS for line in text.strip("\n").splitlines())
    return 1.3 * code_size(text) * lines + around


def code_size(text: str) -> int:
    """The size of letters with which the longest line is as wide as the slide."""
    longest = max(map(len, text.splitlines()))
    return max(18, min(26, 1100 * 10 // (6 * longest)))
