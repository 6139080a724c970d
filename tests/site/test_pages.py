"""Every page, in both themes, on a phone, a laptop and a projector."""

from __future__ import annotations

import browser
import pytest
from built import PAGES
from checks import wrong
from playwright.sync_api import BrowserContext

pytestmark = browser.needs_chromium


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wrong_with_a_page(name: str, reader: BrowserContext, site: str) -> None:
    with reader.new_page() as page:
        found = wrong(page, site + name)
    assert not found, "\n".join(found)
