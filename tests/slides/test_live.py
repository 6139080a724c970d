"""A deck with a kernel: JupyterLab's RISE shows the slides, a cell runs, and no other host is asked."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import browser
import pytest
from playwright.sync_api import Page

pytestmark = browser.needs_chromium
ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build/slides"


AT = """() => [...document.querySelectorAll(".reveal section")]
    .findLastIndex((one) => one.classList.contains("present"))"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The server of `make live`, with settings of its own."""
    recipe = re.search(r"^live:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)  # fmt: skip
    assert recipe and "--ServerApp.root_dir" in recipe[1] and "build/slides/live" in recipe[1]
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")  # fmt: skip
    own = {name: str(tmp_path / name) for name in places}
    command = [sys.executable, "-m", "jupyterlab", "-y", "--no-browser", "--allow-root", "--ip", "localhost"]  # fmt: skip
    command += ["--port", str(port), "--IdentityProvider.token=", "--ServerApp.root_dir", str(BUILT / "live")]  # fmt: skip
    said = tmp_path / "said"
    with said.open("w") as log, subprocess.Popen(command, env={**os.environ, **own}, stderr=log) as running:  # fmt: skip
        while "is running at" not in said.read_text():
            assert running.poll() is None, said.read_text()
            time.sleep(0.2)
        yield f"http://localhost:{port}"
        running.terminate()


def test_a_slide_runs(server: str, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/rise/01_exact_match.ipynb")
    slide = page.locator(".reveal section.present")
    slide.get_by_role("heading", name="Ask for everything").wait_for(timeout=60_000)
    for heading in ("The question", "The question", "Predict before you run", "Answers", "Count by hand"):  # fmt: skip
        before = page.evaluate(AT)
        page.keyboard.press("PageDown")
        page.wait_for_function(f"({AT})() !== {before}")  # two slides have one heading
        slide.get_by_role("heading", name=heading).wait_for()
        cell = slide.locator(".jp-CodeCell:visible").first
        if cell.count():
            cell.click(position={"x": 40, "y": 12})  # beside the code
            page.keyboard.press("Shift+Enter")
    page.locator(".jp-InputPrompt", has_text="[2]:").wait_for(timeout=60_000)
    assert slide.get_by_text("[False, True, False]").count()
    assert {re.match(r"[a-z]+:(//[^/]*)?", url)[0] for url in asked} <= {server, "data:", server.replace("http", "ws"), "blob:"}  # fmt: skip
