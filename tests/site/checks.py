"""Checks of every page of the site; each returns a list of problems."""

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
# A phone, a laptop in both themes, a projector; and the checks of checks.js for each. From narrow
# to wide, as the Sphinx theme notices only after a while that an element no longer scrolls.
STATES: tuple[State, ...] = (
    (390, "light", ("sideways()",)),
    (1280, "light", ("sideways()", "contrast()", "pictures()", "words()")),
    (1280, "dark", ("axe()",)),
    (1920, "light", ("sideways()",)),
)
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
CHECKS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def recorded_errors(page: Page, address: str) -> list[str]:
    """A list of a page's errors and requests to other hosts, which grows while it is open."""
    errors: list[str] = []

    def on_request(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            errors.append(f"asks another host: {request.url[:100]}")

    def on_request_failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # aborted as the next page is opened
            errors.append(f"not loaded: {request.url[:100]}")

    def on_response(response: Response) -> None:
        if response.status >= 400:
            errors.append(f"{response.status}: {response.url[:100]}")

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            errors.append(f"the console, {message.type}: {message.text}")

    page.on("request", on_request)
    page.on("response", on_response)
    page.on("console", on_console)
    page.on("requestfailed", on_request_failed)
    page.on("pageerror", lambda error: errors.append(f"an error: {error}"))
    return errors


def run_check(page: Page, check: str) -> list[str]:
    """The problems that a check of checks.js finds.

    Those by axe need the script `AXE` on the page.
    """
    problems: list[str] = page.evaluate(f"({CHECKS}).{check}")
    return problems


def page_problems(page: Page, address: str) -> list[str]:
    """The errors while a page is open, and the problems that the checks find.

    Each problem comes with all states in which it occurs.
    """
    errors = recorded_errors(page, urljoin(address, "/"))
    states_by_problem: dict[str, list[str]] = {}
    for state, problem in _states_and_problems(page, address):
        states_by_problem.setdefault(problem, []).append(state)
    problems = [f"{problem} ({'; '.join(s)})" for problem, s in states_by_problem.items()]
    return errors + problems  # errors grow until the last check has ended


def _states_and_problems(page: Page, address: str) -> Iterator[tuple[str, str]]:
    """Pairs of a state of a page, with all details unfolded, and a problem in that state."""
    narrowest = STATES[0][0]  # where most elements scroll
    page.set_viewport_size({"width": narrowest, "height": 900})
    page.goto(address)
    page.evaluate(AXE)
    for width, theme, checks in STATES:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        run_check(page, f"show('{theme}')")
        for check in checks:
            yield from ((f"{width} px, {theme}", problem) for problem in run_check(page, check))


class Outline(HTMLParser):
    """The ids of a page, its links, and the number of its formulas."""

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


def broken_links(path: Path, site: Path) -> list[str]:
    """The links of a page whose page or id does not exist, each once."""
    return [link for link in dict.fromkeys(outline(path).links) if not has_target(path, link, site)]


def has_target(path: Path, link: str, site: Path) -> bool:
    """Whether the site has the page and the id of a link.

    For other hosts, whether the address is well formed.
    """
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.scheme == "https" and "." in parts.netloc and not set(link) & set(" <>\"'")
    if parts.path.startswith("/"):  # the site may lie in any folder of its host
        return False
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    target = target / "index.html" if target.is_dir() else target
    if not (target.is_file() and target.is_relative_to(site.resolve())):
        return False
    return not parts.fragment or unquote(parts.fragment) in outline(target).ids


def repeated_ids(path: Path) -> list[str]:
    """The ids that a page has more than once."""
    return [name for name, times in Counter(outline(path).ids).items() if times > 1]
