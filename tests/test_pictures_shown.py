"""A picture's alternative text reaches the page."""

from __future__ import annotations

from nbconvert import HTMLExporter
from nbformat import v4
from notebook_rules import image_attributes
from pictures import display_data

from mlm_course import figures

WORDS = (
    """Of "sea" & 'sun' <b>, $x$, \\(y\\), a|b, [u](v), `c`, *d*, &amp;, 100 %,\n体育 and ✓: 1/2."""
)


def test_nbconvert_gives_the_picture_its_alternative_text():
    ax = figures.label_matrix([[1, 1]])
    ax.set_label(WORDS)
    output = v4.new_output("display_data", display_data(ax))
    notebook = v4.new_notebook(cells=[v4.new_code_cell("0", outputs=[output])])
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook)
    assert [picture["alt"] for picture in image_attributes(page)] == [WORDS]
