"""What the checks of a page find: each of these small pages has one fault, and the first has none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import browser
import pytest
from checks import misled, twice, wrong
from playwright.sync_api import BrowserContext

ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>
  [data-theme=dark] body {{ background: black; color: white }}
  [data-theme=dark] :is(button, a) {{ background: black; color: yellow }}
</style>
<main id="main"><h1>A page</h1><details><summary>More</summary>{folded}</details>{text}</main>"""
GOOD = f"""<p>All is well: $5 is no formula, <code>$x$</code> is code.</p><img src="{ICON}" alt="a cat">
<math><mi>x</mi></math><button>Press</button>"""
OUTSIDE = "https://other.example/cat.png"
WIDE = '<div style="width: 2000px">wide</div>'
FAULTS = {
    "console error": ('<script>console.error("oh")</script>', "the console, error: oh"),
    "console warning": ('<script>console.warn("hm")</script>', "the console, warning: hm"),
    "error": ('<script>throw Error("oh")</script>', "an error: oh"),
    "other host": (f'<img src="{OUTSIDE}" alt="a dog">', f"asks another host: {OUTSIDE}"),
    "missing file": ('<img src="gone.png" alt="a dog">', "404: "),
    "wide": (WIDE, "2008 px wide: <div"),
    "cut off": ("<style>body { overflow-x: hidden }</style>", "body cuts off"),
    "mute picture": (f'<img src="{ICON}">', "a picture without words"),
    "empty words": (f'<img src="{ICON}" alt="">', "a picture without words"),
    "mute drawing": ('<svg role="img"></svg>', "a picture without words"),
    "same words": (
        '<svg role="img" aria-label="a cat"></svg>',
        "two pictures have the words a cat",
    ),
    "raw dollars": ("<p>So $x + 1$ is it.</p>", "raw LaTeX: So $x + 1$"),
    "raw command": (r"<p>So \frac{1}{2} is it.</p>", r"raw LaTeX: So \frac{1}{2}"),
    "no formula": ('<span class="math">x</span>', "not understood: x"),
    "not understood": ('<a class="problematic" href="#main">`x</a>', "not understood: `x"),
    "no name": ("<button></button>", "axe, button-name"),
    "pale": ('<p style="color: #999">Pale.</p>', "axe, color-contrast"),
    "no header": ("<table><tr><th></th><td>1</td></tr></table>", "axe, empty-table-header"),
}


@pytest.fixture
def found(tmp_path: Path, reader: BrowserContext, serve: Callable[[Path], str]):
    """What is found on a page of this text."""

    def look(text: str, folded: str = "") -> list[str]:
        page = PAGE.format(text=text, folded=folded)
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        with reader.new_page() as tab:
            return wrong(tab, f"{serve(tmp_path)}page.html")

    return look


@browser.needs_chromium
def test_nothing_is_found_where_nothing_is_wrong(found) -> None:
    assert found(GOOD, folded=GOOD) == []


@browser.needs_chromium
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, found) -> None:
    text, words = FAULTS[fault]
    assert [one for one in found(GOOD + text) if one.startswith(words)]


@browser.needs_chromium
@pytest.mark.parametrize("fault", ["wide", "pale", "no name"])
def test_a_fault_is_found_in_what_is_folded(fault: str, found) -> None:
    text, words = FAULTS[fault]
    (one,) = found(GOOD, folded=text)
    assert one.startswith(words) and "unfolded" in one and ", folded" not in one


@browser.needs_chromium
def test_a_fault_of_one_theme_or_one_width_is_found_there(found) -> None:
    pale = "<p class='pale'>Pale.</p><style>[data-theme=dark] .pale { color: #444 }</style>"
    (one,) = found(GOOD + pale)
    assert one.startswith("axe, color-contrast") and "dark" in one and "light" not in one
    large = "<style>button.large { display: none } @media (width > 1900px) { .large.large { display: block } }</style>"
    (one,) = found(f"{GOOD}{large}<button class='large'></button>")
    assert one.startswith("axe, button-name")
    assert one.endswith("(1920 px, light, folded; 1920 px, dark, unfolded)")
    (one,) = found(GOOD + '<div style="width: 1000px">wide</div>')
    assert one.endswith(
        "(390 px, light, folded; 390 px, light, unfolded; 390 px, dark, folded; 390 px, dark, unfolded)"
    )


# --- without a browser

HREFS = {
    "page.html": True,
    "#main": True,
    "#": True,
    "page.html#main": True,
    "other%20page.html": True,
    "inner/": True,
    "https://example.org/x?y=1": True,
    "gone.html": False,
    "#gone": False,
    "other%20page.html#main": False,
    "inner/#main": False,
    "/page.html": False,
    "http://example.org": False,
    "https://example": False,
    "https://example.org/a b": False,
    "mailto:someone": False,
    "javascript:void(0)": False,
    "../outside.html": False,
}


@pytest.mark.parametrize("link", HREFS)
def test_a_link_that_leads_nowhere_is_found(link: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "inner").mkdir(parents=True)
    text = PAGE.format(text=f'<a href="{link}">there</a>', folded="")
    (site / "page.html").write_text(text, encoding="utf-8")
    for place in ("other page.html", "inner/index.html", "../outside.html"):
        (site / place).write_text("<p id='other'>", encoding="utf-8")
    assert misled(site / "page.html", site) == ([] if HREFS[link] else [link])


def test_an_id_that_stands_twice_is_found(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p id='a'><b id='b'></b><i id='a'></i>", encoding="utf-8")
    assert twice(tmp_path / "page.html") == ["a"]
