"""A picture of a notebook has its words where it is read, and its words are what nbval compares."""

from __future__ import annotations

import re

import pytest
from nbconvert import HTMLExporter
from nbformat import v4
from nbval.plugin import get_sanitize_patterns
from notebook_rules import image_attributes
from pictures import shown

from mlm_course import figures

WORDS = (
    """Of "sea" & 'sun' <b>, $x$, \\(y\\), a|b, [u](v), `c`, *d*, &amp;, 100 %,\n体育 and ✓: 1/2."""
)


def displayed(n_labels: int, words: str) -> dict[str, str]:
    ax = figures.label_matrix([[1] * n_labels])
    ax.set_label(words)
    return shown(ax)


def test_nbconvert_gives_the_picture_its_words() -> None:
    output = v4.new_output("display_data", displayed(2, WORDS))
    notebook = v4.new_notebook(cells=[v4.new_code_cell("0", outputs=[output])])
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook)
    assert [picture["alt"] for picture in image_attributes(page)] == [WORDS]


def test_nbval_compares_the_words_and_not_the_bytes(request: pytest.FixtureRequest) -> None:
    """Other fonts make other bytes, of a picture that shows the same."""
    file = request.config.rootpath / request.config.option.nbval_sanitize_with
    ((pattern, replacement),) = get_sanitize_patterns(file.read_text(encoding="utf-8"))
    one, same, other = (
        re.sub(pattern, replacement, displayed(*shown)["text/html"])
        for shown in ((1, "One."), (3, "One."), (1, "Two."))
    )
    assert one == same != other
