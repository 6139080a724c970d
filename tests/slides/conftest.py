"""The slides as `make slides` leaves them, and one browser that finds no host but this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import browser
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

BUILT = Path(__file__).parents[2] / "build" / "slides"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost"]
        with playwright.chromium.launch(executable_path=browser.CHROMIUM, args=options) as one:
            yield one


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_page(viewport={"width": 1280, "height": 720}) as one:
        yield one
