"""Pictures as PNG and SVG files, and in a notebook."""

import html
import io
from base64 import b64encode
from typing import Any
from xml.sax.saxutils import escape

import matplotlib
from matplotlib.axes import Axes
from PIL import Image

from mlm_course.figures.look import PAPER
from mlm_course.figures.pen import figure_of

DPI = 160
CSS_PIXELS_PER_INCH = 80  # half the resolution: sharp on dense screens and projectors
STYLE: Any = {"font.family": "DejaVu Sans", "svg.fonttype": "none", "svg.hashsalt": "mlm_helpers"}


def alt_text(ax: Axes) -> str:
    """Alternative text of a picture: what it shows, in words.

    Examples
    --------
    >>> from mlm_course.figures import label_matrix
    >>> alt_text(label_matrix([[1, 0]], labels=["sea", "sun"]))
    'Label matrix of 1 sample and 2 labels (sea, sun). Sample 1: sea.'
    """
    return str(ax.get_label())


def png(ax: Axes) -> bytes:
    """The picture as PNG in 64 colours, with the same bytes on every run."""
    picture = Image.open(io.BytesIO(_file(ax, format="png", dpi=DPI))).convert("RGB")
    picture = picture.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    picture.save(buffer, format="png", optimize=True)
    return buffer.getvalue()


def svg(ax: Axes, title: str) -> str:
    """The picture as SVG text, the same on every run, with a title and the alternative text."""
    alt = alt_text(ax)
    metadata = {"Title": title, "Description": alt, "Date": None, "Creator": None}
    text = _file(ax, format="svg", metadata=metadata).decode()
    stem = "".join(letter if letter.isalnum() else "-" for letter in title.lower())
    title_id, desc_id = f"{stem}-title", f"{stem}-desc"
    text = text.replace("<svg ", f'<svg role="img" aria-labelledby="{title_id} {desc_id}" ', 1)
    title_element = f'<title id="{title_id}">{escape(title)}</title>'
    desc_element = f'<desc id="{desc_id}">{escape(alt)}</desc>'
    plain_title = f"<title>{escape(title)}</title>"  # as Matplotlib writes it
    return text.replace(plain_title, f"{title_element}\n {desc_element}", 1)


def _file(ax: Axes, **options: Any) -> bytes:
    """Content of the file that Matplotlib saves under the options of `Figure.savefig`."""
    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure_of(ax).savefig(buffer, facecolor=PAPER, **options)
    return buffer.getvalue()


def show(ax: Axes) -> None:
    """Display a picture in a notebook, with its alternative text for screen readers.

    The picture is an HTML image, since JupyterLab and nbconvert give a bare PNG no ``alt``. A
    terminal shows the alternative text alone. A picture with photos has the class ``photo``, so
    that a page in dark mode does not invert its colours.
    """
    from IPython.display import display

    alt, width = alt_text(ax), round(figure_of(ax).get_size_inches()[0] * CSS_PIXELS_PER_INCH)
    source = f"data:image/png;base64,{b64encode(png(ax)).decode()}"
    photo = ' class="photo"' if ax.images else ""
    image = f'<img alt="{html.escape(alt)}" src="{source}" width="{width}"{photo}>'
    display({"text/html": image, "text/plain": alt}, raw=True)  # type: ignore[no-untyped-call]
