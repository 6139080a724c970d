"""The slides as `make slides` leaves them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

BUILT = Path(__file__).parents[2] / "build" / "slides"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_page(viewport={"width": 1280, "height": 720}) as one:
        yield one
