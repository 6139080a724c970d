"""What is asked of every page of the site: a list of sentences says what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urljoin, urlsplit

import axe_playwright_python
from playwright.sync_api import ConsoleMessage, Page, Request, Response

State = tuple[int, Literal["light", "dark"], tuple[str, ...]]
# A phone, a laptop by day and by night, a projector; and what is asked there. From narrow to wide, as the theme
# notices only after a while what no longer scrolls.
STATES: tuple[State, ...] = (
    (390, "light", ("sideways()",)),
    (1280, "light", ("sideways()", "contrast()", "pictures()", "words()")),
    (1280, "dark", ("axe()",)),
    (1920, "light", ("sideways()",)),
)
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
QUESTIONS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


# --- in a browser


def watched(page: Page, address: str) -> list[str]:
    """What goes wrong while a page is open, and what it asks of other hosts; the list grows as it happens."""
    found: list[str] = []

    def asked(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            found.append(f"asks another host: {request.url[:100]}")

    def failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # by the page that is opened next
            found.append(f"not loaded: {request.url[:100]}")

    def answered(response: Response) -> None:
        if response.status >= 400:
            found.append(f"{response.status}: {response.url[:100]}")

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            found.append(f"the console, {message.type}: {message.text}")

    page.on("request", asked)
    page.on("response", answered)
    page.on("console", said)
    page.on("requestfailed", failed)
    page.on("pageerror", lambda error: found.append(f"an error: {error}"))
    return found


def ask(page: Page, question: str) -> list[str]:
    """A question of checks.js; axe answers only where it was put in."""
    found: list[str] = page.evaluate(f"({QUESTIONS}).{question}")
    return found


def wrong(page: Page, address: str) -> list[str]:
    """All that is wrong with a page, each once, with the states in which it is."""
    happened = watched(page, urljoin(address, "/"))
    found: dict[str, list[str]] = {}
    for state, words in _states(page, address):
        found.setdefault(words, []).append(state)
    return [*happened, *(f"{words} ({'; '.join(states)})" for words, states in found.items())]


def _states(page: Page, address: str) -> Iterator[tuple[str, str]]:
    """A page in each state, all details unfolded, and what is wrong there."""
    page.set_viewport_size({"width": STATES[0][0], "height": 900})  # where most scrolls: the theme
    page.goto(address)  # notices only after a while what scrolls at another width
    page.evaluate(AXE)
    for width, theme, questions in STATES:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        ask(page, f"show('{theme}')")
        for question in questions:
            yield from ((f"{width} px, {theme}", words) for words in ask(page, question))


# --- without a browser


class Outline(HTMLParser):
    """Where a page can be entered, where it leads, and how many formulas it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.formulas = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [str(value) for name, value in attrs if name == "id"]
        self.links += [str(value) for name, value in attrs if (tag, name) == ("a", "href")]
        self.formulas += tag == "math"


@cache
def outline(path: Path) -> Outline:
    return Outline(path.read_text(encoding="utf-8"))


def misled(path: Path, site: Path) -> list[str]:
    """The links of a page of a site that lead nowhere."""
    return [link for link in dict.fromkeys(outline(path).links) if not leads(path, link, site)]


def leads(path: Path, link: str, site: Path) -> bool:
    """Whether there is such a place on the site; of another host, whether the address is one."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.scheme == "https" and "." in parts.netloc and not set(link) & set(" <>\"'")
    if parts.path.startswith("/"):  # the site may lie in any folder of its host
        return False
    end = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    end = end / "index.html" if end.is_dir() else end
    if not (end.is_file() and end.is_relative_to(site.resolve())):
        return False
    return not parts.fragment or unquote(parts.fragment) in outline(end).ids


def twice(path: Path) -> list[str]:
    """The ids that a page has more than once."""
    return [one for one, times in Counter(outline(path).ids).items() if times > 1]
