"""What a committed notebook must be: executed and clean, and every number in its prose printed.

`problems` lists what breaks the rules of form. `sections` reads a notebook's prose and output,
`faults` lists the numbers of the prose that nothing in their section prints, and `bite` changes
each bound number by one in its last digit and says whether that is noticed.

The numbers of prose are decimals, percentages and fractions. A mean written out, ⅓(½+2/2+½), is one
number; and numbers joined by = or ≈ are one claim: all must agree, and one of them be printed.
Compared are exact Fractions.
"""

from __future__ import annotations

import ast
import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from html.parser import HTMLParser
from itertools import pairwise
from math import prod

from nbformat import NotebookNode

from mlm_helpers.course.documents import Document
from tools.notebooks import HIDDEN, METADATA

# ---------------------------------------------------------------------------- numbers in a text

_VULGAR = re.compile(r"(\d*)([¼½¾⅐-⅞])", re.A)
_OPERATOR = r"\s*(?:[-+−·×*]|\\cdot|\\times)\s*"
_TERM = r"\d+(?:\.\d+)?"
_SUM = rf"{_TERM}(?:{_OPERATOR}{_TERM})*"
_ARGUMENT = rf"\s*(?:\{{\s*{_SUM}\s*\}}|\d)"
_RATIO = r"(?:\\[dt]?frac(?:\{\d+\}|\d)(?:\{[1-9]\d*\}|[1-9])|\d+/[1-9]\d*|\d*[¼½¾⅐-⅞])"
_ADDEND = rf"(?:{_RATIO}|{_TERM})"
_BRACKET = rf"(?:\\left)?\(\s*{_ADDEND}(?:{_OPERATOR}{_ADDEND})*\s*(?:\\right)?\)"
_MEANS = (
    re.compile(rf"(?<![\d./])({_RATIO})({_BRACKET})()", re.A),  # ⅓(½+2/2+½)
    re.compile(rf"()({_BRACKET})\s?/\s?([1-9]\d*|{_BRACKET})", re.A),  # (2+0+3)/(3·4)
)
_FRACTIONS = (
    re.compile(rf"\\[dt]?frac({_ARGUMENT})({_ARGUMENT})", re.A),  # \frac{4}{9}, \tfrac49
    re.compile(r"Fraction\((\d+), (\d+)\)", re.A),
    re.compile(r"(?<![A-Za-z\d./])(\d+) ?/ ?(\d+)(?![\d/]|\.\d)", re.A),  # 4/9
)
_PERCENTAGE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s?(?:\\?[%％]|per ?cent(?![a-z]))", re.A)
_DECIMAL = re.compile(r"(?:(?<![\d.])\d+|(?<![A-Za-z\d.)]))\.\d+(?!\d|\.\d)", re.A)  # 0.5, .5
_INTEGER = re.compile(r"\d+", re.A)


@dataclass(frozen=True)
class Number:
    """A number in a text.

    `digits` after its decimal point, None where it is exact; `terms` of a fraction, as written;
    `nudged`, the text with its last digit changed by one.
    """

    text: str
    start: int
    value: Fraction
    digits: int | None
    terms: tuple[int, int] | None = None
    nudged: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def printed(self) -> tuple[object, ...]:
        """What two numbers share that are printed alike."""
        return self.value, self.digits, self.terms


def numbers(text: str, *, integers: bool = False, means: bool = True) -> list[Number]:
    """Every fraction, percentage and decimal of a text, in order; its integers too where asked."""
    found = []
    for pattern, read in _READERS[0 if means else len(_MEANS) : None if integers else -1]:
        for match in pattern.finditer(text):
            number = read(match)
            if number:  # n/0 is a name, not a number
                found.append(number)
        text = pattern.sub(_blank, text)
    return sorted(found, key=lambda number: number.start)


def _mean(match: re.Match[str]) -> Number | None:
    factor, bracket, divisor = (_evaluate(part) if part else Fraction(1) for part in match.groups())
    if divisor == 0:
        return None
    value = factor * bracket / divisor
    return Number(match[0], match.start(), value, None, value.as_integer_ratio())


def _fraction(match: re.Match[str]) -> Number | None:
    top, bottom = (_evaluate(part) for part in match.groups())
    if bottom == 0:
        return None
    denominator = match[2].strip(" {}")
    nudged = f"{{{denominator}+1}}" if "frac" in match[0] else str(int(denominator) + 1)
    start, end = (place - match.start() for place in match.span(2))
    nudged = match[0][:start] + nudged + match[0][end:]
    whole = top.denominator == bottom.denominator == 1
    terms = (int(top), int(bottom)) if whole else (top / bottom).as_integer_ratio()
    return Number(match[0], match.start(), top / bottom, None, terms, nudged)


def _evaluate(text: str) -> Fraction:
    """The value of a sum such as "2+0+3", "3 \\cdot 4" or "(½+2/2+½)"."""
    text = re.sub(r"\\[dt]?frac\{?(\d+?)\}?\{?(\d+)\}?", r"\1/\2", text)
    text = _VULGAR.sub(lambda match: str(_vulgar(match).value), text)
    text = re.sub(r"\\left|\\right|[\s(){}]", "", text)
    text = re.sub(r"\\cdot|\\times|[·×]", "*", text)
    terms = text.replace("−", "-").replace("-", "+-").split("+")
    return Fraction(sum(prod(map(Fraction, term.split("*"))) for term in terms))


def _vulgar(match: re.Match[str]) -> Number:
    part = Fraction(unicodedata.normalize("NFKC", match[2]).replace("\N{FRACTION SLASH}", "/"))
    value = int(match[1] or 0) + part
    nudged = f"{value.numerator}/{value.denominator + 1}"
    return Number(match[0], match.start(), value, None, value.as_integer_ratio(), nudged)


def _percentage(match: re.Match[str]) -> Number:
    value, digits = Fraction(match[1]) / 100, len(match[1].partition(".")[2]) + 2
    return Number(match[0], match.start(), value, digits, nudged=_nudge(match[0]))


def _decimal(match: re.Match[str]) -> Number:
    value, digits = Fraction(match[0]), len(match[0].partition(".")[2])
    return Number(match[0], match.start(), value, digits, nudged=_nudge(match[0]))


def _integer(match: re.Match[str]) -> Number:
    return Number(match[0], match.start(), Fraction(match[0]), None)


def _nudge(text: str) -> str:
    return re.sub(r"\d(?=\D*$)", lambda last: str((int(last[0]) + 1) % 10), text)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


_READERS = (
    *((pattern, _mean) for pattern in _MEANS),
    *((pattern, _fraction) for pattern in _FRACTIONS),
    (_VULGAR, _vulgar),
    (_PERCENTAGE, _percentage),
    (_DECIMAL, _decimal),
    (_INTEGER, _integer),
)

# ---------------------------------------------------------------------------- prose

_CODE = (
    re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", re.M | re.S),
    re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.S),
)
_ATTRIBUTE = r"[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?"
_VERSION = r"\d+(?:\.\d+)*"
_EXEMPT = (
    *_CODE,
    re.compile(r"<!--.*?-->", re.S),
    re.compile(rf"</?[A-Za-z][A-Za-z\d]*(?:\s+{_ATTRIBUTE})*\s*/?>"),
    re.compile(r"(?<!!)\[[^\[\]]*\]\([^()\s]*(?: \"[^\"]*\")?\)"),  # a link, text and target
    re.compile(r"(?<=\])\([^()\s]*(?: \"[^\"]*\")?\)"),  # the target of a picture
    re.compile(r"https?://[^\s()<>]+"),
    re.compile(rf"\b(?:[Vv]ersion\s|v){_VERSION}"),
    re.compile(rf"\b[Vv]ersions\s{_VERSION}(?:(?:, | and | or | to |–){_VERSION})*"),
    re.compile(r"\bPython\s(?:(?:≥|>=)\s?)?3\.\d+"),
    re.compile(rf"(?:§|\b[Ss]ection)\s?{_VERSION}"),
    re.compile(r"\bCC BY(?:-SA)? \d\.\d"),
)
_HEADING = re.compile(r"^ {0,3}#{1,6} +(.*)$", re.M)


def _without(patterns: Iterable[re.Pattern[str]], text: str) -> str:
    """The text with every match overwritten by spaces, so that places stay what they are."""
    for pattern in patterns:
        text = pattern.sub(_blank, text)
    return text


_EQUALS = re.compile(r"[\s$*_]*(?:=|≈|\\approx)[\s$*_]*")
_GOES_ON = re.compile(r"[\s$]*(?:[-+−·×*/(^]|\\cdot|\\times)\s*[\d(\\]|[\s$]*[⁰-⁹²³]")
_GOES_BACK = re.compile(r"(?:[-+−·×/)]|\\cdot|\\times)[\s$]*$")


@dataclass(frozen=True)
class Passage:
    """The part of a Markdown cell that lies in one section."""

    cell: int
    text: str

    @cached_property
    def prose(self) -> str:
        return _without(_EXEMPT, self.text)

    @cached_property
    def claims(self) -> list[list[Number]]:
        """The numbers, those that are joined by = or ≈ together."""
        found: list[list[Number]] = []
        for number in numbers(self.prose):
            if found and self._joined(found[-1][-1], number):
                found[-1].append(number)
            else:
                found.append([number])
        return found

    def _joined(self, left: Number, right: Number) -> bool:
        """Whether the text says that one number is the other (and not: x - 2/5 = 3/5)."""
        return bool(
            _EQUALS.fullmatch(self.prose, left.end, right.start)
            and not _GOES_BACK.search(self.prose[: left.start])
            and not _GOES_ON.match(self.prose, right.end)
        )


@dataclass
class Section:
    """What stands between one Markdown heading and the next."""

    heading: str
    passages: list[Passage] = field(default_factory=list)
    code: str = ""
    output: str = ""

    @cached_property
    def printed(self) -> list[Number]:
        return numbers(self.output, integers=True)

    def published(self, documents: Iterable[Document]) -> set[tuple[object, ...]]:
        """The numbers that the documents quoted here print."""
        prose = "\n".join(passage.text for passage in self.passages)
        return {
            number.printed
            for document in documents
            if document.title in prose
            or re.search(rf"\bdocuments\.{document.id.upper()}\b", self.code)
            for value in document.published
            for number in numbers(value.printed, integers=True)
        }

    def faults(self, passage: Passage, documents: Iterable[Document]) -> list[tuple[Number, str]]:
        """The numbers of a passage that are bound to nothing here, each with what is wrong."""
        published = self.published(documents)
        found = []
        for claim in passage.claims:
            if not all(agree(left, right) for left, right in pairwise(claim)):
                found += [(number, "does not equal what stands beside it") for number in claim]
            elif not any(
                number.printed in published
                or any(binds(printed, number) for printed in self.printed)
                for number in claim
            ):
                found += [(n, "is printed by no code cell of this section") for n in claim]
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


def sections(notebook: NotebookNode) -> list[Section]:
    """The notebook from heading to heading; what stands before the first is a section too."""
    found = [Section("before the first heading")]
    for position, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            found[-1].code += cell.source + "\n"
            found[-1].output += printed_text(cell) + "\n"
        elif cell.cell_type == "markdown":
            headings = list(_HEADING.finditer(_without(_CODE, cell.source)))
            cuts = [0, *(heading.start() for heading in headings), len(cell.source)]
            found[-1].passages.append(Passage(position, cell.source[: cuts[1]]))
            for heading, end in zip(headings, cuts[2:], strict=True):
                title = cell.source[heading.start(1) : heading.end(1)]
                found.append(
                    Section(title, [Passage(position, cell.source[heading.start() : end])])
                )
    return found


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
    return [
        f"{_place(section, passage, number)} {fault}"
        for section in sections(notebook)
        for passage in section.passages
        for number, fault in section.faults(passage, documents)
    ]


def bite(notebook: NotebookNode, documents: Sequence[Document]) -> tuple[int, list[str]]:
    """Change each bound number by one in its last digit: how many there are, and which survive."""
    total, survivors = 0, []
    for section in sections(notebook):
        for passage in section.passages:
            loose = [number for number, _ in section.faults(passage, documents)]
            for number in numbers(passage.prose, means=False):
                if any(other.start <= number.start < other.end for other in loose):
                    continue
                total += 1
                text = passage.text[: number.start] + number.nudged + passage.text[number.end :]
                if len(section.faults(replace(passage, text=text), documents)) <= len(loose):
                    survivors.append(f"{_place(section, passage, number)} → {number.nudged}")
    return total, survivors


def _place(section: Section, passage: Passage, number: Number) -> str:
    context = " ".join(passage.text[max(0, number.start - 30) : number.end + 30].split())
    return f"cell {passage.cell}, “{section.heading}”: {number.text} in “…{context}…”"


# ---------------------------------------------------------------------------- form

_MOST_DECIMALS = 6
_LONG = re.compile(rf"\d*\.\d{{{_MOST_DECIMALS + 1},}}|(?<![\w.])\d+(?:\.\d*)?e[-+]\d+", re.A)
_SHOWS = re.compile(r"^(?:print|display|figures\.show)\(", re.M)
_SCALAR = re.compile(r"\bnp\.(?:(?:float|u?int|complex|bool|str|bytes)\w*\(|(?:True|False)_)")


def problems(notebook: NotebookNode, documents: Sequence[Document] = ()) -> list[str]:
    """A sentence for each thing that keeps the notebook from being committed."""
    cells = list(enumerate(notebook.cells, start=1))
    code = [(position, cell) for position, cell in cells if cell.cell_type == "code"]
    return [
        *_title(notebook),
        *_metadata(notebook),
        *_counts(code),
        *(
            f"cell {position}: {problem}"
            for position, cell in code
            for check in (_source, _code, _outputs, _pictures)
            for problem in check(cell)
        ),
        *(f"cell {n}: {problem}" for n, cell in code for problem in _bare(cell, documents)),
    ]


def _title(notebook: NotebookNode) -> Iterator[str]:
    first = notebook.cells[0] if notebook.cells else None
    if not first or first.cell_type != "markdown" or not first.source.startswith("# "):
        yield "cell 1: not a Markdown title"


def _metadata(notebook: NotebookNode) -> Iterator[str]:
    if notebook.metadata != METADATA:
        yield f"notebook metadata is not clean: {dict(notebook.metadata)}"
    for position, cell in enumerate(notebook.cells, start=1):
        if set(cell.metadata) - {"tags"} and cell.metadata != HIDDEN:
            yield f"cell {position}: metadata is not clean: {dict(cell.metadata)}"


def _counts(code: Iterable[tuple[int, NotebookNode]]) -> Iterator[str]:
    expected = 0
    for position, cell in code:
        if cell.source.strip():
            expected += 1
            if cell.execution_count != expected:
                yield f"cell {position}: execution count {cell.execution_count}, not {expected}"
        elif cell.execution_count or cell.outputs:
            yield f"cell {position}: an empty cell with output"


def _source(cell: NotebookNode) -> Iterator[str]:
    for line in cell.source.splitlines():
        if line.rstrip().endswith(";"):
            yield f"a line ends in ';': {line.strip()}"
    tags = [tag for tag in cell.metadata.get("tags", []) if tag.startswith("nbval")]
    if tags or "NBVAL_" in cell.source:
        yield "nbval is told to look away"


def _code(cell: NotebookNode) -> Iterator[str]:
    """What hides a mistake: an error of any kind let go, chance without a seed, a thing like itself."""
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.ExceptHandler):
            said = ast.unparse(node.body[-1])
            if not (
                isinstance(node.type, ast.Name)
                and node.type.id not in ("Exception", "BaseException")
            ):
                yield "an except that does not name one error"
            elif not said.startswith(("print(", "raise")):
                yield f"an error that is not shown: {said}"
        elif isinstance(node, ast.Call):
            arguments = [ast.unparse(argument) for argument in node.args]
            name = ast.unparse(node.func).rpartition(".")[2]
            if name == "default_rng" and not arguments:
                yield "chance without a seed"
            if name in ("isclose", "allclose", "array_equal", "same") and len({*arguments[:2]}) < 2:
                yield f"a thing compared with itself: {ast.unparse(node)}"


def _outputs(cell: NotebookNode) -> Iterator[str]:
    if _SHOWS.search(cell.source) and not cell.outputs:
        yield "it prints, and yet has no output"
    for output in cell.outputs:
        if output.output_type == "error":
            yield f"error output: {output.ename}: {output.evalue}"
        if output.get("name") == "stderr":
            yield f"stderr: {output.text.strip()}"
        counted = output.get("execution_count", cell.execution_count)
        if counted != cell.execution_count:
            yield f"a result of execution {counted} in a cell of execution {cell.execution_count}"


def _bare(cell: NotebookNode, documents: Iterable[Document]) -> Iterator[str]:
    published = {value.printed for document in documents for value in document.published}
    text = printed_text(cell)
    for long in _LONG.findall(text):
        if long not in published:
            yield f"a bare float, to be rounded or shown as a fraction: {long}"
    for scalar in _SCALAR.findall(text):
        yield f"the repr of a NumPy scalar: {scalar}"


def _pictures(cell: NotebookNode) -> Iterator[str]:
    """Of a notebook's pictures, readers give an alternative text to those in HTML alone."""
    for output in cell.outputs:
        data = output.get("data", {})
        for mime in (mime for mime in data if mime.startswith("image/")):
            yield f"a picture ({mime}) without alternative text: show it with figures.show"
        for picture in pictures(data.get("text/html", "")):
            alt = picture.get("alt") or ""
            if not alt.strip():
                yield "a picture without alternative text"
            elif alt != data.get("text/plain"):
                yield f"alternative text that stands in no terminal: {alt}"


def pictures(page: str) -> list[dict[str, str | None]]:
    """The attributes of every picture of a page, in order."""
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            if tag == "img":
                found.append(dict(attributes))

    reader = Reader()
    reader.feed(page)
    reader.close()
    return found
