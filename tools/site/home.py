"""The first page: a question with three right answers, and the ways into the course."""

from __future__ import annotations

from matplotlib.axes import Axes

from mlm_course import figures
from tools.site.pages.markdown import filled
from tools.site.pages.one_photo import LABELS, MODEL, PHOTOS, TRUTH, values


def picture() -> Axes:
    """What is asked about."""
    title = "Truth and prediction, cell by cell"
    named = {"labels": LABELS, "samples": PHOTOS}
    return figures.label_grid(
        TRUTH, MODEL, "Hamming loss", per="cell", answer=False, title=title, **named
    )


def page() -> str:
    """The home page: site/home.md with what the course knows put in."""
    numbers = {way: str(value) for way, value in values(TRUTH, MODEL).items()}
    buttons = " ".join(f'<button type="button">{number}</button>' for number in numbers.values())
    return filled("home", alt=figures.alt_text(picture()), answers=buttons, **numbers)
