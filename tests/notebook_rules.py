"""What a committed notebook must be: executed and clean, and every number in its prose printed.

`problems` lists what breaks the rules of form, `faults` the numbers of the prose that no code cell
under the same heading prints and no document quoted there publishes.

The numbers of prose are decimals, percentages and fractions. A mean written out, ⅓(½+2/2+½), is one
number; and numbers joined by = or ≈ are one claim: all must agree, and one of them be printed.
Compared are exact Fractions.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from markdown_it.token import Token
from nbformat import NotebookNode

from mlm_course.documents import Document
from tools import notebooks

# ---------------------------------------------------------------------------- numbers in a text

_RATIO = r"(?:\d+/[1-9]\d*|[¼½¾⅐-⅞])"
_TERM = rf"\s*(?:{_RATIO}|\d+(?:\.\d+)?)\s*"
_MEAN = re.compile(rf"(?<![\d./]){_RATIO}\({_TERM}(?:[-+−·×*]{_TERM})*\)", re.A)  # ⅓(½+2/2+½)
_FRACTIONS = (
    re.compile(r"\\frac\{(\d+)\}\{(\d+)\}", re.A),
    re.compile(r"(?<![A-Za-z\d./])(\d+) ?/ ?(\d+)(?![\d/]|\.\d)", re.A),  # 4/9
)
_VULGAR = re.compile("[¼½¾⅐-⅞]")
_PERCENTAGE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s?(?:\\?[%％]|per ?cent(?![a-z]))", re.A)
_DECIMAL = re.compile(r"(?:(?<![\d.])\d+|(?<![A-Za-z\d.)]))\.\d+(?!\d|\.\d)", re.A)  # 0.5, .5
_INTEGER = re.compile(r"\d+", re.A)


@dataclass(frozen=True)
class Number:
    """A number in a text: `digits` after its decimal point, None where exact; `terms` of a fraction, as written."""

    text: str
    start: int
    value: Fraction
    digits: int | None
    terms: tuple[int, int] | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def printed(self) -> tuple[object, ...]:
        """What two numbers share that are printed alike."""
        return self.value, self.digits, self.terms


def numbers(text: str, *, integers: bool = False) -> list[Number]:
    """Every fraction, percentage and decimal of a text, in order; its integers too where asked."""
    found = []
    for pattern, read in _READERS[: None if integers else -1]:
        for match in pattern.finditer(text):
            number = read(match)
            if number:  # n/0 is a name, not a number
                found.append(number)
        text = pattern.sub(_blank, text)
    return sorted(found, key=lambda number: number.start)


def _exact(match: re.Match[str]) -> Number:
    value = exact_value(match[0])
    return Number(match[0], match.start(), value, None, value.as_integer_ratio())


def exact_value(written: str) -> Fraction:
    """The exact value of a number or a sum as it is written, such as ⅓(½+2/2+½)."""

    def number(match: re.Match[str]) -> str:
        text = unicodedata.normalize("NFKC", match[0]).replace("\N{FRACTION SLASH}", "/")
        return f"Fraction('{text}')"

    code = re.sub(r"[¼½¾⅐-⅞]|\d+(?:\.\d+)?", number, written)
    signs = {"−": "-", "·": "*", "×": "*", ")(": ")*("}
    for sign, python in signs.items():
        code = code.replace(sign, python)
    value: Fraction = eval(code, {"Fraction": Fraction})
    return value


def _fraction(match: re.Match[str]) -> Number | None:
    top, bottom = int(match[1]), int(match[2])
    if bottom == 0:
        return None
    return Number(match[0], match.start(), Fraction(top, bottom), None, (top, bottom))


def _percentage(match: re.Match[str]) -> Number:
    value, digits = Fraction(match[1]) / 100, len(match[1].partition(".")[2]) + 2
    return Number(match[0], match.start(), value, digits)


def _decimal(match: re.Match[str]) -> Number:
    value, digits = Fraction(match[0]), len(match[0].partition(".")[2])
    return Number(match[0], match.start(), value, digits)


def _integer(match: re.Match[str]) -> Number:
    return Number(match[0], match.start(), Fraction(match[0]), None)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


_READERS = (
    (_MEAN, _exact),
    *((pattern, _fraction) for pattern in _FRACTIONS),
    (_VULGAR, _exact),
    (_PERCENTAGE, _percentage),
    (_DECIMAL, _decimal),
    (_INTEGER, _integer),
)

# ---------------------------------------------------------------------------- prose

_PARSER = MarkdownIt("commonmark").enable("table")
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.S)
_EXEMPT = re.compile(
    r"https?://[^\s()<>]+|(?:\b[Vv]ersion |\bv|\bPython |§ ?|\b[Ss]ection |\bCC BY(?:-SA)? )\d+(?:\.\d+)*"
)
_EQUALS = re.compile(r"[\s$*_]*(?:=|≈|\\approx)[\s$*_]*")
_GOES_ON = re.compile(r"[\s$]*(?:[-+−·×*/(^]|\\cdot|\\times)\s*[\d(\\]|[\s$]*[⁰-⁹²³]")
_GOES_BACK = re.compile(r"(?:[-+−·×/)]|\\cdot|\\times)[\s$]*$")


@dataclass
class Section:
    """What stands between one Markdown heading and the next; `texts` with the cells they stand in."""

    heading: str
    texts: list[tuple[int, str]] = field(default_factory=list)
    code: str = ""
    output: str = ""

    def published(self, documents: Iterable[Document]) -> set[tuple[object, ...]]:
        """The numbers that the documents quoted here print."""
        prose = "\n".join(text for _, text in self.texts)
        return {
            number.printed
            for document in documents
            if document.title in prose
            or re.search(rf"\bdocuments\.{document.id.upper()}\b", self.code)
            for value in document.published
            for number in numbers(value.printed, integers=True)
        }

    def faults(self, documents: Iterable[Document]) -> Iterator[str]:
        """A sentence for each number of the prose that is bound to nothing here."""
        published, printed = self.published(documents), numbers(self.output, integers=True)
        for cell, text in self.texts:
            for claim in claims(_EXEMPT.sub(_blank, text)):
                where = f"cell {cell}, “{self.heading}”: {' = '.join(n.text for n in claim)}"
                if not all(agree(left, right) for left, right in pairwise(claim)):
                    yield f"{where}: one does not equal the other"
                elif not any(
                    n.printed in published or any(binds(p, n) for p in printed) for n in claim
                ):
                    yield f"{where} is printed by no code cell of this section"


def sections(notebook: NotebookNode) -> list[Section]:
    """The notebook from heading to heading; what stands before the first is a section too."""
    found = [Section("before the first heading")]
    for position, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            found[-1].code += cell.source + "\n"
            found[-1].output += printed_text(cell) + "\n"
        elif cell.cell_type == "markdown":
            heading = False
            for token in _PARSER.parse(cell.source):
                text = _text(token)
                if token.type == "inline" and token.level == 1 and heading:
                    found.append(Section(text))
                found[-1].texts.append((position, text))
                heading = token.type == "heading_open"
    return found


def _text(token: Token) -> str:
    """What a reader sees of a token, without code, links' words and addresses, and tags."""
    if token.type == "html_block":
        return _TAG.sub(" ", token.content)
    text, within = "", False
    for child in token.children or []:
        within = child.type == "link_open" or (within and child.type != "link_close")
        if child.type in ("text", "text_special", "image") and not within:
            text += child.content
        else:
            text += " "
    return text


def claims(text: str) -> list[list[Number]]:
    """The numbers of a text, those that are joined by = or ≈ together (but not: x - 2/5 = 3/5)."""
    found: list[list[Number]] = []
    for number in numbers(text):
        last = found[-1][-1] if found else number
        if (
            _EQUALS.fullmatch(text, last.end, number.start)
            and not _GOES_BACK.search(text[: last.start])
            and not _GOES_ON.match(text, number.end)
        ):
            found[-1].append(number)
        else:
            found.append([number])
    return found


def binds(printed: Number, number: Number) -> bool:
    """Whether a printed value is the number.

    A decimal is bound at its own digits, by a value that carries as many; with one digit only it
    must be the value itself. A fraction is bound by the same fraction, as written, or by a decimal
    of 3 or more digits that it rounds to.
    """
    if number.digits is None and printed.digits is None:
        return printed.terms == number.terms
    fewest = 3 if number.digits is None else number.digits
    if printed.digits is not None and printed.digits < fewest:
        return False
    if number.digits == 1:
        return printed.value == number.value
    return _close(printed, number, printed.digits if number.digits is None else number.digits)


def agree(left: Number, right: Number) -> bool:
    """Whether two numbers are the same at the digits of the shorter one."""
    digits = [number.digits for number in (left, right) if number.digits is not None]
    return _close(left, right, min(digits, default=None))


def _close(left: Number, right: Number, digits: int | None) -> bool:
    tolerance = 0 if digits is None else Fraction(1, 2 * 10**digits)
    return abs(left.value - right.value) <= tolerance


def printed_text(cell: NotebookNode) -> str:
    """What a code cell shows in words and numbers: stdout, and text of any kind without its tags."""
    texts = [output.text for output in cell.outputs if output.get("name") == "stdout"]
    for output in cell.outputs:
        for mime, text in output.get("data", {}).items():
            if mime == "text/html":
                text = re.sub(r"<(style|script)\b.*?</\1>|<[^<>]*>", " ", text, flags=re.S)
                text = html.unescape(text)
            if mime.startswith("text/"):
                texts.append(text)
    return "\n".join(texts)


def faults(notebook: NotebookNode, documents: Sequence[Document]) -> list[str]:
    """A sentence for each number of the prose that is bound to nothing in its section."""
    return [said for section in sections(notebook) for said in section.faults(documents)]


# ---------------------------------------------------------------------------- form

_MOST_DECIMALS = 6
_LONG = re.compile(rf"\d*\.\d{{{_MOST_DECIMALS + 1},}}|(?<![\w.])\d+(?:\.\d*)?e[-+]\d+", re.A)
_SCALAR = re.compile(r"\bnp\.(?:(?:float|u?int|complex|bool|str|bytes)\w*\(|(?:True|False)_)")


def problems(notebook: NotebookNode, documents: Sequence[Document] = ()) -> list[str]:
    """A sentence for each thing that keeps the notebook from being committed."""
    published = {value.printed for document in documents for value in document.published}
    cleaned = deepcopy(notebook)
    notebooks.clean(cleaned)
    found = [] if cleaned == notebook else ["its metadata or outputs are not clean: make notebooks"]
    run = 0
    for position, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            run += bool(cell.source.strip())
            found += [f"cell {position}: {said}" for said in _problems(cell, run, published)]
    return found


def _problems(cell: NotebookNode, run: int, published: set[str]) -> Iterator[str]:
    """What is wrong with a code cell that runs as number `run`, or with what it shows."""
    if cell.execution_count != (run if cell.source.strip() else None):
        yield f"execution count {cell.execution_count}, not {run}"
    if "NBVAL_" in cell.source or any(
        tag.startswith("nbval") for tag in cell.metadata.get("tags", [])
    ):
        yield "nbval is told to look away"
    for output in cell.outputs:
        if output.output_type == "error":
            yield f"error output: {output.ename}: {output.evalue}"
        if output.get("name") == "stderr":
            yield f"stderr: {output.text.strip()}"
        data = output.get("data", {})
        for picture in image_attributes(data.get("text/html", "")):
            if not (picture.get("alt") or "").strip() or picture["alt"] != data.get("text/plain"):
                yield "a picture whose alternative text is missing or not what a terminal shows"
        if any(mime.startswith("image/") for mime in data):
            yield "a picture without alternative text: show it with figures.show"
    text = printed_text(cell)
    for long in set(_LONG.findall(text)) - published:
        yield f"a bare float, to be rounded or shown as a fraction: {long}"
    for scalar in _SCALAR.findall(text):
        yield f"the repr of a NumPy scalar: {scalar}"


def image_attributes(page: str) -> list[dict[str, str | None]]:
    """The attributes of every picture of a page, in order."""
    return [picture.attrs for picture in BeautifulSoup(page, "html.parser")("img")]
