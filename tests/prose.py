"""The sentences of a Markdown text as a reader sees them, and which of them claim something.

A sentence claims, and could be false, unless it only asks or only orders: Is it higher? Look at the first row.
With a colon it says something before it asks or orders. In an answer that is folded away, in a row of a
table and under "To remember" orders claim too. Headings claim where they have a colon,
titles of answers never.
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

_VERBS = """
    add answer ask change check choose click compare compute count decide divide draw find give go guess
    imagine judge keep leave let look make name note open predict put read remember report run save say
    search see start suppose take think try unfold use work
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
    """Whether the sentence could be false: it does not only ask, and not only order."""
    return not (_asks(sentence) or _ORDERS.fullmatch(sentence))


def _asks(sentence: str) -> bool:
    return sentence.rstrip("”’)").endswith("?") and ":" not in sentence


def _sentences(tokens: list[Token]) -> Iterator[Sentence]:
    """Those of each heading, paragraph and item; each row whole."""
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
            yield from (Sentence(said, False) for said, _ in _cut(_TAG.sub(" ", token.content)))
        elif token.type == "inline" and within == "tbody":
            row.append(_text(token))
        elif token.type == "inline" and within[:1] == "h":
            yield Sentence(_text(token), ":" in _text(token))
        elif token.type == "inline" and not within:
            yield from _cut(_text(token), folded)


def _text(inline: Token) -> str:
    return "".join(
        " " if child.type == "softbreak" else child.content
        for child in inline.children or []
        if child.type in ("text", "text_special", "code_inline", "softbreak")
    )


def _cut(text: str, answers: bool = False) -> Iterator[Sentence]:
    text = " ".join(text.split())
    for start, end in pairwise([0, *(end.end() for end in _END.finditer(text)), len(text)]):
        if sentence := text[start:end].strip():
            yield Sentence(sentence, claiming(sentence) or (answers and not _asks(sentence)))
