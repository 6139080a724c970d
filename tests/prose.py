"""The sentences of a Markdown text as a reader sees them, and which of them claim something.

A sentence claims if it has a word of comparison, of logic or of counting, or a term of the field:
such a sentence could be false. A question could not, nor a plain
order (Look at the first row). An answer that is folded away and a row of a table always claim.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").enable("table")
_DISPLAYED = re.compile(r"\$\$.*?\$\$", re.S)
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.S)
_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!vs)[.!?][”\"’)\]]*\s+(?=[^a-z\s])")

_LOGIC = r"""
    more less fewer most least never always equals? same only both none neither nor no not nothing
    nobody all every everything everybody each any cannot can't must than unless without whichever
    whatever if when first last once twice double half thirds? quarters? up down
    because so therefore hence why either or instead different differ\w* alike agree\w* disagree\w*
    higher lower highest lowest larger smaller largest smallest greater better worse best worst
    rises? rose falls? fell grows? shrinks? moves? climbs? changes? stays? still even too also but
    one two three four five six seven eight nine ten eleven twelve hundred thousand million zero
"""
_TERMS = r"""
    accurac\w+ precisions? recalls? F1s? F2 Fβ fbeta Jaccard Hamming macro\S* micro\S* weighted
    exact match subset zero-one coverage one-error ranking losses loss average averages averaged
    means? metrics? rows? columns? samples? labels? cells? hits? misse?s? missed alarms?
    numerators? denominators? divides? divided shares? sums? adds? counts? counted thresholds? scores?
    ranks? ranked ties? tied support supports rare frequent perfect empty absent defaults? convention\w*
    scikit-learn torchmetrics MULAN MEKA LAMDA mldr Keras Spark utiml torcheval ignite River tools?
    models? documents? notes? forest neighbours Bayes
"""
_WORDS = "|".join(f"{_LOGIC} {_TERMS}".split())
_CLAIMS = re.compile(rf"(?<![\w-])(?:{_WORDS})(?![\w-])", re.I)
_VERBS = """
    add answer ask change check choose click compare compute count decide divide draw find give go guess
    imagine judge keep leave let look make name note open predict put read remember report run save say
    search see start suppose take think try unfold use work write
"""
_ORDERS = re.compile(
    rf"\W*(?:(?:now|then|so)[:,]? )?(?:{'|'.join(_VERBS.split())})\b[^:;=()]*", re.I
)


class Sentence(NamedTuple):
    """A sentence, and whether it could be false."""

    text: str
    claims: bool


def sentences(markdown: str) -> list[Sentence]:
    """Every sentence, marks stripped; a row of a table is one, its cells joined by " | "."""
    return list(_sentences(_PARSER.parse(_DISPLAYED.sub("", markdown))))


def claiming(sentence: str) -> bool:
    """Whether the sentence could be false: it is no question, and no plain order to the reader."""
    return not (_asks(sentence) or _ORDERS.fullmatch(sentence)) and bool(_CLAIMS.search(sentence))


def _asks(sentence: str) -> bool:
    return sentence.rstrip("”’)").endswith("?")


def _sentences(tokens: list[Token]) -> Iterator[Sentence]:
    """Those of each paragraph and item; each row whole; headings are none."""
    row, within, folded = [], "", False
    for token in tokens:
        if token.type in ("heading_open", "thead_open", "tbody_open"):
            within = token.tag
        elif token.type in ("heading_close", "thead_close", "table_close"):
            within = ""
        elif token.type == "tr_close" and within == "tbody":
            yield Sentence(" | ".join(row), True)
            row = []
        elif token.type == "html_block":
            folded = token.content.rfind("<details") > token.content.rfind("</details")
            yield from _cut(_TAG.sub(" ", token.content), False)
        elif token.type == "inline" and within == "tbody":
            row.append(_text(token))
        elif token.type == "inline" and not within:
            yield from _cut(_text(token), folded)


def _text(inline: Token) -> str:
    return "".join(
        " " if child.type == "softbreak" else child.content
        for child in inline.children or []
        if child.type in ("text", "text_special", "code_inline", "softbreak")
    )


def _cut(text: str, answers: bool) -> Iterator[Sentence]:
    text = " ".join(text.split())
    for start, end in pairwise([0, *(end.end() for end in _END.finditer(text)), len(text)]):
        if sentence := text[start:end].strip():
            yield Sentence(sentence, claiming(sentence) or (answers and not _asks(sentence)))
