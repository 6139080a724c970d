"""A picture's alternative text reaches the page; nbval compares it instead of bytes."""

from __future__ import annotations

import re

import pytest
from nbconvert import HTMLExporter
from nbformat import v4
from nbval.plugin import get_sanitize_patterns
from notebook_rules import image_attributes
from pictures import display_data

from mlm_course import figures

WORDS = (
    """Of "sea" & 'sun' <b>, $x$, \\(y\\), a|b, [u](v), `c`, *d*, &amp;, 100 %,\n体育 and ✓: 1/2."""
)


def picture_data(n_labels: int, words: str) -> dict[str, str]:
    """Displayed data of a picture with n_labels labels and an alternative text."""
    ax = figures.label_matrix([[1] * n_labels])
    ax.set_label(words)
    return display_data(ax)


def test_nbconvert_gives_the_picture_its_alternative_text() -> None:
    output = v4.new_output("display_data", picture_data(2, WORDS))
    notebook = v4.new_notebook(cells=[v4.new_code_cell("0", outputs=[output])])
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook)
    assert [picture["alt"] for picture in image_attributes(page)] == [WORDS]


def test_nbval_compares_the_alternative_text_alone(request: pytest.FixtureRequest) -> None:
    """The bytes depend on the fonts of the machine."""
    file = request.config.rootpath / request.config.option.nbval_sanitize_with
    ((pattern, replacement),) = get_sanitize_patterns(file.read_text(encoding="utf-8"))
    first, other_picture, other_text = (
        re.sub(pattern, replacement, picture_data(n_labels, text)["text/html"])
        for n_labels, text in ((1, "One."), (3, "One."), (1, "Two."))
    )
    assert first == other_picture != other_text
