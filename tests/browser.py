"""The HTML of a page as Chromium prints it; nothing but a chromium on the PATH is needed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))),
    None,
)
needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="there is no chromium on the PATH")


def page_source(address: str, profile: Path, *options: str) -> str:
    """The HTML of a page after its scripts have run."""
    assert CHROMIUM
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--user-data-dir={profile}", *options, address]
    return subprocess.run(command, check=True, capture_output=True, timeout=120).stdout.decode()
