"""The search and the menus of the site."""

import re
import tomllib
from pathlib import Path
from urllib.parse import quote

import browser
import pytest
from checks import AXE, recorded_errors, run_check
from playwright.sync_api import Page, expect

pytestmark = browser.needs_chromium

MACRO_F1 = "04_label_based"
SEARCHES = tomllib.loads(Path(__file__).with_name("searches.toml").read_text(encoding="utf-8"))
FINISHED = re.compile("finished|did not match")


ALL_SEARCHES = """(queries) => {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // a summary would load each result
  window.setTimeout = (next, wait) => wait < 100 && next(); // Sphinx waits before each result
  return queries.map((query) => {
    document.querySelector("#search-results").replaceChildren();
    Search.performSearch(query);
    const links = [...document.querySelectorAll("#search-results li a")];
    return links.slice(0, 3).map((link) => link.href);
  });
}"""


def page_names(links: list[str], site: str) -> list[str]:
    """The names of pages of the site, such as notebooks/05_ranking, from their addresses."""
    return [link.removeprefix(site).partition(".html")[0] for link in links]


def search_results(page: Page, site: str, query: str) -> list[str]:
    """The names of the pages that the search finds, in its order."""
    page.goto(f"{site}search.html?q={quote(query)}")
    expect(page.locator(".search-summary")).to_contain_text(FINISHED)
    links = page.locator("#search-results li a").evaluate_all("links => links.map((a) => a.href)")
    return page_names(links, site)


def test_all_searches_but_four_find_their_page_among_the_first_three(visitor, site):
    page = visitor.new_page()
    assert search_results(page, site, "xylophone") == []
    first_query, *_ = SEARCHES
    first_results = search_results(page, site, first_query)[:3]
    results = [page_names(links, site) for links in page.evaluate(ALL_SEARCHES, [*SEARCHES])]
    assert results[0] == first_results
    searches = zip(SEARCHES.items(), results, strict=True)
    failed = {query: pages for (query, expected), pages in searches if expected not in pages}
    assert len(failed) <= 4, failed


MENUS = {
    "search": (1280, "#pst-search-dialog", ".search-button-field:visible"),
    "pages": (390, "#pst-primary-sidebar-modal", ".primary-toggle"),
    "this page": (390, "#pst-secondary-sidebar-modal", ".secondary-toggle"),
}


@pytest.mark.parametrize("menu", MENUS)
def test_nothing_is_wrong_with_a_menu(menu, visitor, site):
    width, dialog, button = MENUS[menu]
    page = visitor.new_page()
    errors = recorded_errors(page, site)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{site}notebooks/{MACRO_F1}.html")
    page.locator(button).click()
    expect(page.locator(dialog)).to_be_visible()
    page.evaluate(AXE)
    for theme, check in (("light", "axe"), ("dark", "contrast")):
        page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        assert [*errors, *run_check(page, f"{check}('{dialog}')")] == []
    page.keyboard.press("Escape")
    expect(page.locator(dialog)).not_to_be_visible()
