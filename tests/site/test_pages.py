"""Every page, in both themes, on a phone, a laptop and a projector."""

from __future__ import annotations

from pathlib import Path

import browser
import pytest
from checks import misled, outline, wrong
from playwright.sync_api import BrowserContext

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build/site"
PAGES = sorted(
    path.relative_to(BUILT).as_posix()
    for path in BUILT.rglob("*.html")
    if "_static" not in path.parts
)


@browser.needs_chromium
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wrong_with_a_page(name: str, reader: BrowserContext, site: str) -> None:
    with reader.new_page() as page:
        found = wrong(page, site + name)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    assert misled(BUILT / name) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_place_has_a_name_of_its_own(name: str) -> None:
    ids = outline(BUILT / name).ids
    assert sorted(one for one in set(ids) if ids.count(one) > 1) == []
