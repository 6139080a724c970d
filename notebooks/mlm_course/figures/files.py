"""Pictures as files and on the screen."""

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
    """The sentence that says what a picture of this module shows.

    Examples
    --------
    >>> from mlm_course.figures import label_matrix
    >>> alt_text(label_matrix([[1, 0]], labels=["sea", "sun"]))
    'Label matrix of 1 sample and 2 labels (sea, sun). Sample 1: sea.'
    """
    return str(ax.get_label())


def png(ax: Axes) -> bytes:
    """The picture as PNG in 64 colours, a few ten kilobytes, the same bytes on every run."""
    picture = Image.open(io.BytesIO(_save(ax, format="png", dpi=DPI))).convert("RGB")
    buffer = io.BytesIO()
    few = picture.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(buffer, format="png", optimize=True)
    return buffer.getvalue()


def svg(ax: Axes, title: str) -> str:
    """The picture as SVG, the same on every run, with its title and its alternative text.

    Examples
    --------
    >>> from mlm_course.figures import label_matrix
    >>> "<desc" in svg(label_matrix([[1, 0]]), "One sample")
    True
    """
    alt = alt_text(ax)
    metadata = {"Title": title, "Description": alt, "Date": None, "Creator": None}
    text = _save(ax, format="svg", metadata=metadata).decode()
    stem = "".join(letter if letter.isalnum() else "-" for letter in title.lower())
    first, second = f"{stem}-title", f"{stem}-desc"
    new = f'<title id="{first}">{escape(title)}</title>\n <desc id="{second}">{escape(alt)}</desc>'
    text = text.replace("<svg ", f'<svg role="img" aria-labelledby="{first} {second}" ', 1)
    return text.replace(f"<title>{escape(title)}</title>", new, 1)


def _save(ax: Axes, **options: Any) -> bytes:
    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure_of(ax).savefig(buffer, facecolor=PAPER, **options)
    return buffer.getvalue()


def show(ax: Axes) -> None:
    """Display a picture in a notebook; who does not see it gets its alternative text.

    The text is the ``alt`` of an HTML image: JupyterLab and the pages that nbconvert makes give
    none to a bare PNG. It is also what stands in a terminal. A picture with photos in it has the class
    ``photo``: a page in the dark must not turn its colours.
    """
    from IPython.display import display

    alt, width = alt_text(ax), round(figure_of(ax).get_size_inches()[0] * CSS_PIXELS_PER_INCH)
    source = f"data:image/png;base64,{b64encode(png(ax)).decode()}"
    photo = ' class="photo"' if ax.images else ""
    image = f'<img alt="{html.escape(alt)}" src="{source}" width="{width}"{photo}>'
    display({"text/html": image, "text/plain": alt}, raw=True)  # type: ignore[no-untyped-call]
