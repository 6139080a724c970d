"""Rules for committed notebooks: they were run and are clean, and their numbers are printed.

`form_problems` lists what breaks the rules of form. `unprinted_numbers` lists the numbers of the
prose that no code cell under the same heading prints and no document quoted there publishes.

The numbers of prose are decimals, percentages and fractions, and where wanted whole numbers, except
those that a form exempts. A mean written out, ⅓(½+2/2+½), is one number. Numbers joined by = or ≈
are one claim: all must agree, and one of them must be printed. All numbers are compared as exact
fractions.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from markdown_it.token import Token
from nbformat import NotebookNode, v4

from mlm_course.documents import Document

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
_INTEGER = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)", re.A)
_NAMED = (
    "[Nn]otebook|[Ll]esson|[Ss]ample|[Ll]abel|[Cc]lass|[Pp]hoto|[Pp]lace|[Ss]ound|[Mm]odel|[Rr]ow"
)
_WHOLE_NUMBER = re.compile(
    rf"(?:{_NAMED})s? \d+(?:(?:, | to | and )\d+)*"  # numbers that are names, as in notebook 10
    r"|\b0\d(?!\d)(?: to \d\d(?:, \d\d)*)?|\b1\d(?=[:_])"  # notebooks, as in 07 or 10_thresholds
    r"|\b(?:19|20)\d\d\b(?:-\d\d)*"  # years and dates
    r"|\d+ minutes(?:, or \d+)?"
    r"|[-−]?\b[01]\b(?![,.]\d)"  # cells, and the ends of the range of most metrics
    r"|[^\W\d]\d+|@\d+|\d+(?:[nr]d|th)\b"  # F1, P@3, 2nd
    r"|\$[^$]+\$"  # formulas
    rf"|(?<![\w.]){_INTEGER.pattern}",
    re.A,
)


@dataclass(frozen=True)
class Number:
    """A number in a text, with the place where it starts."""

    text: str
    start: int
    value: Fraction
    digits: int | None  # after the decimal point; None if the number is exact
    terms: tuple[int, int] | None = None  # numerator and denominator as written

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def printed(self) -> tuple[object, ...]:
        """A key that is equal for numbers printed in the same way."""
        return self.value, self.digits, self.terms


def numbers(text: str, integers: re.Pattern[str] | None = None) -> list[Number]:
    """The fractions, percentages and decimals of a text in order, and a pattern's integers."""
    result = []
    for pattern, as_number in (*_PATTERNS, *([(integers, _integer)] if integers else ())):
        result += [as_number(match) for match in pattern.finditer(text)]
        text = pattern.sub(_blank, text)  # later patterns must not find parts of these numbers
    return sorted(filter(None, result), key=lambda number: number.start)


def _exact(match: re.Match[str]) -> Number:
    """The number of a mean written out, as in ⅓(½+2/2+½), or of a character such as ½."""
    value = exact_value(match[0])
    return Number(match[0], match.start(), value, None, value.as_integer_ratio())


def exact_value(text: str) -> Fraction:
    """The exact value of a number or a sum in prose, such as ⅓(½+2/2+½)."""

    def fraction_call(match: re.Match[str]) -> str:
        number = unicodedata.normalize("NFKC", match[0]).replace("\N{FRACTION SLASH}", "/")
        return f"Fraction('{number}')"

    # as Python code: Fraction('1/3')*(Fraction('1/2')+Fraction('2')/Fraction('2')+Fraction('1/2'))
    code = re.sub(r"[¼½¾⅐-⅞]|\d+(?:\.\d+)?", fraction_call, text)
    operators = {"−": "-", "·": "*", "×": "*", ")(": ")*("}
    for sign, operator in operators.items():
        code = code.replace(sign, operator)
    value: Fraction = eval(code, {"Fraction": Fraction})
    return value


def _fraction(match: re.Match[str]) -> Number | None:
    """A fraction; n/0 is not a number, but a name such as 0/0."""
    numerator, denominator = int(match[1]), int(match[2])
    if denominator == 0:
        return None
    terms = numerator, denominator
    return Number(match[0], match.start(), Fraction(*terms), None, terms)


def _percentage(match: re.Match[str]) -> Number:
    digits = _n_decimals(match[1]) + 2  # 12.5 % is 0.125
    return Number(match[0], match.start(), Fraction(match[1]) / 100, digits)


def _decimal(match: re.Match[str]) -> Number:
    return Number(match[0], match.start(), Fraction(match[0]), _n_decimals(match[0]))


def _n_decimals(text: str) -> int:
    """The number of digits after the decimal point."""
    return len(text.partition(".")[2])


def _integer(match: re.Match[str]) -> Number | None:
    """An integer; None where a form exempts it."""
    if match[1] is None:
        return None
    value = int(match[1].replace(",", ""))
    return Number(match[1], match.start(1), Fraction(value), None, (value, 1))


def _blank(match: re.Match[str]) -> str:
    """Spaces in place of a match, so that places in the text stay the same."""
    return re.sub(r"[^\n]", " ", match[0])


_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Number | None]], ...] = (
    (_MEAN, _exact),
    *((pattern, _fraction) for pattern in _FRACTIONS),
    (_VULGAR, _exact),
    (_PERCENTAGE, _percentage),
    (_DECIMAL, _decimal),
)

# ---------------------------------------------------------------------------- prose

_PARSER = MarkdownIt("commonmark").enable("table")
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.S)
_NO_CLAIM = re.compile(  # addresses, versions and sections
    r"https?://[^\s()<>]+"
    r"|(?:\b[Vv]ersion |\bv|\bPython |§ ?|\b[Ss]ection |\bCC BY(?:-SA)? )\d+(?:\.\d+)*"
)
# Between the numbers of one claim, as in 1/2 = 0.5 or $\frac{1}{2} \approx 0.5$.
_EQUALS = re.compile(r"[\s$*_]*(?:=|≈|\\approx)[\s$*_]*")
# A term of a larger expression has an operator after it, as in 2/5 + 1, or before it, as in x -
# 2/5.
_OPERATOR_AFTER = re.compile(r"[\s$]*(?:[-+−·×*/(^]|\\cdot|\\times)\s*[\d(\\]|[\s$]*[⁰-⁹²³]")
_OPERATOR_BEFORE = re.compile(r"(?:[-+−·×/)]|\\cdot|\\times)[\s$]*$")


@dataclass
class Section:
    """The prose, code and output between one Markdown heading and the next."""

    heading: str
    texts: list[tuple[int, str]] = field(default_factory=list)  # with the number of their cell
    code: str = ""
    output: str = ""

    def published(self, documents: Iterable[Document]) -> set[tuple[object, ...]]:
        """The numbers, as keys, that the documents quoted in the section print."""
        prose = "\n".join(text for _, text in self.texts)
        return {
            number.printed
            for document in documents
            if document.title in prose
            or re.search(rf"\bdocuments\.{document.id.upper()}\b", self.code)
            for value in document.published
            for number in numbers(value.printed, _INTEGER)
        }

    def unprinted_numbers(self, documents: Iterable[Document], whole: bool) -> Iterator[str]:
        """A sentence for each claim of the prose that no cell prints and no document has."""
        published = self.published(documents)
        outputs = numbers(self.output, _INTEGER)
        for cell, text in self.texts:
            for claim in claims(_NO_CLAIM.sub(_blank, text), whole):
                place = f"cell {cell}, “{self.heading}”: {' = '.join(n.text for n in claim)}"
                is_published = any(number.printed in published for number in claim)
                is_printed = any(states(output, n) for n in claim for output in outputs)
                if not all(agree(left, right) for left, right in pairwise(claim)):
                    yield f"{place}: one does not equal the other"
                elif not (is_published or is_printed):
                    yield f"{place} is printed by no code cell of this section"


def sections(notebook: NotebookNode) -> list[Section]:
    """The sections of a notebook; the cells before the first heading are a section too."""
    result = [Section("before the first heading")]
    for position, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            result[-1].code += cell.source + "\n"
            result[-1].output += printed_text(cell) + "\n"
        elif cell.cell_type == "markdown":
            follows_heading_open = False
            for token in _PARSER.parse(cell.source):
                text = _text(token)
                if token.type == "inline" and token.level == 1 and follows_heading_open:
                    result.append(Section(text))
                result[-1].texts.append((position, text))
                follows_heading_open = token.type == "heading_open"
    return result


def _text(token: Token) -> str:
    """The prose of a token, without its code, links and tags."""
    if token.type == "html_block":
        return _TAG.sub(" ", token.content)
    text, is_link = "", False
    for child in token.children or []:
        is_link = child.type == "link_open" or (is_link and child.type != "link_close")
        if child.type in ("text", "text_special", "image") and not is_link:
            text += child.content
        else:
            text += " "
    return text


def claims(text: str, whole: bool = False) -> list[list[Number]]:
    """The numbers of a text, with its whole ones if wanted, grouped where = or ≈ joins them.

    Terms of a larger expression, such as 2/5 in x - 2/5 = 3/5, are not joined.
    """
    groups: list[list[Number]] = []
    for number in numbers(text, _WHOLE_NUMBER if whole else None):
        last = groups[-1][-1] if groups else number  # no number stands before the first
        if (
            _EQUALS.fullmatch(text, last.end, number.start)
            and not _OPERATOR_BEFORE.search(text[: last.start])
            and not _OPERATOR_AFTER.match(text, number.end)
        ):
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def states(printed: Number, number: Number) -> bool:
    """Whether a printed number states a number of the prose.

    A decimal needs a printed number with at least as many digits that rounds to it; of one digit,
    an equal number, and so does an integer. A fraction needs the same terms, or a decimal of 3 or
    more digits to which it rounds.
    """
    if number.terms and number.terms[1] == 1:
        return printed.value == number.value
    if number.digits is None and printed.digits is None:
        return printed.terms == number.terms
    min_digits = 3 if number.digits is None else number.digits
    if printed.digits is not None and printed.digits < min_digits:
        return False
    if number.digits == 1:
        return printed.value == number.value
    digits = printed.digits if number.digits is None else number.digits
    return _is_close(printed, number, digits)


def agree(left: Number, right: Number) -> bool:
    """Whether two numbers are equal at the digits of the shorter one."""
    digits = [number.digits for number in (left, right) if number.digits is not None]
    return _is_close(left, right, min(digits, default=None))


def _is_close(left: Number, right: Number, digits: int | None) -> bool:
    """Whether two numbers differ by at most half a unit of a digit.

    Without digits, whether they are equal.
    """
    tolerance = 0 if digits is None else Fraction(1, 2 * 10**digits)
    return abs(left.value - right.value) <= tolerance


def printed_text(cell: NotebookNode) -> str:
    """The text of a code cell's output: what it prints and displays, without tags."""
    texts = [output.text for output in cell.outputs if output.get("name") == "stdout"]
    for output in cell.outputs:
        for mime, text in output.get("data", {}).items():
            if mime == "text/html":
                bare = re.sub(r"<(style|script)\b.*?</\1>|<[^<>]*>", " ", text, flags=re.S)
                texts.append(html.unescape(bare))
            elif mime.startswith("text/"):
                texts.append(text)
    return "\n".join(texts)


def unprinted_numbers(
    notebook: NotebookNode, documents: Sequence[Document], whole: bool = False
) -> list[str]:
    """A sentence for each claim of the prose that is not printed or published in its section.

    Whole numbers are claims if `whole`.
    """
    return [s for part in sections(notebook) for s in part.unprinted_numbers(documents, whole)]


_COMPUTED = re.compile(r"<!-- (\w+):start -->.*?<!-- \1:end -->|!\[[^]]*\]", re.S)
_MINUTES = re.compile(r"^\| \d+(?= \|)", re.M)  # of a lesson
_FENCE = re.compile(r"^```(\w*)[^\n]*\n.*?^```$", re.M | re.S)


def page_as_notebook(text: str) -> NotebookNode:
    """A page as a notebook of one cell, without code, minutes, and what `make notebooks` writes."""
    for pattern in (_COMPUTED, _FENCE, _MINUTES):
        text = pattern.sub("", text)
    return v4.new_notebook(cells=[v4.new_markdown_cell(text)])


# ---------------------------------------------------------------------------- form

_MOST_DECIMALS = 6
# A number with more decimals, such as 0.3333333, or with an exponent, such as 1e-05.
_LONG = re.compile(rf"\d*\.\d{{{_MOST_DECIMALS + 1},}}|(?<![\w.])\d+(?:\.\d*)?e[-+]\d+", re.A)
# The repr of a NumPy scalar, such as np.float64(0.5) or np.True_.
_SCALAR = re.compile(r"\bnp\.(?:(?:float|u?int|complex|bool|str|bytes)\w*\(|(?:True|False)_)")


def form_problems(notebook: NotebookNode, documents: Sequence[Document] = ()) -> list[str]:
    """A sentence for each rule of form that a notebook breaks."""
    published = {value.printed for document in documents for value in document.published}
    problems, execution_count = [], 0
    for position, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            execution_count += bool(cell.source.strip())  # an empty cell is not counted
            cell_problems = _cell_problems(cell, execution_count, published)
            problems += [f"cell {position}: {problem}" for problem in cell_problems]
    return problems


def _cell_problems(cell: NotebookNode, count: int, published: set[str]) -> Iterator[str]:
    """The rules that a code cell or its output breaks.

    `count` is the execution count that it should have.
    """
    if cell.execution_count != (count if cell.source.strip() else None):
        yield f"execution count {cell.execution_count}, not {count}"
    tags = cell.metadata.get("tags", [])
    if "NBVAL_" in cell.source or any(tag.startswith("nbval") for tag in tags):
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
    for number in set(_LONG.findall(text)) - published:
        yield f"a bare float, to be rounded or shown as a fraction: {number}"
    for scalar in _SCALAR.findall(text):
        yield f"the repr of a NumPy scalar: {scalar}"


def image_attributes(page: str) -> list[dict[str, str | None]]:
    """The attributes of every picture of a page, in order."""
    return [picture.attrs for picture in BeautifulSoup(page, "html.parser")("img")]
