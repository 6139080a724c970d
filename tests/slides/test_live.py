"""A deck with a kernel: JupyterLab's RISE shows the slides, a cell runs, a widget answers, no other host is asked."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import browser
import pytest
from nbformat import v4
from playwright.sync_api import Locator, Page

from tools.notebooks import read, to_bytes

pytestmark = browser.needs_chromium
ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build/slides"
EXTENSIONS = ROOT / "tools/slides/extensions"

AT = """() => [...document.querySelectorAll(".reveal section")]
    .findLastIndex((one) => one.classList.contains("present"))"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The server of `make live`, with settings of its own."""
    recipe = re.search(r"^live:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)  # fmt: skip
    assert recipe and "--ServerApp.root_dir" in recipe[1] and "build/slides/live" in recipe[1]
    assert f'extra_labextensions_path "$$(pwd -P)/{EXTENSIONS.relative_to(ROOT)}"' in recipe[1]
    live = Path(shutil.copytree(BUILT / "live", tmp_path / "live"))
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")  # fmt: skip
    own = {name: str(tmp_path / name) for name in places}
    command = [sys.executable, "-m", "jupyterlab", "-y", "--no-browser", "--allow-root", "--ip", "localhost"]  # fmt: skip
    command += ["--port", str(port), "--IdentityProvider.token=", "--ServerApp.root_dir", str(live)]
    command += ["--LabServerApp.extra_labextensions_path", str(EXTENSIONS)]
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
    slide.get_by_role("heading", name="Ask for everything").wait_for()
    for heading in ("The question", "The question", "Predict before you run", "Answers", "Count by hand"):  # fmt: skip
        before = page.evaluate(AT)
        page.keyboard.press("PageDown")
        page.wait_for_function(f"({AT})() !== {before}")  # two slides have one heading
        slide.get_by_role("heading", name=heading).wait_for()
        if slide.locator(".jp-CodeCell:visible").count():
            run(slide)
    page.locator(".jp-InputPrompt", has_text="[2]:").wait_for()
    assert slide.get_by_text("[False, True, False]").count()
    assert {re.match(r"[a-z]+:(//[^/]*)?", url)[0] for url in asked} <= {server, "data:", server.replace("http", "ws"), "blob:"}  # fmt: skip


def test_widgets_answer(server: str, page: Page, tmp_path: Path) -> None:
    deck = read(BUILT / "live/01_exact_match.ipynb")
    explorer = "from mlm_helpers import hamming, practice\npractice.explore([[1, 0]], [[1, 1]])"
    deck.cells = [
        v4.new_code_cell(code, metadata={"slideshow": {"slide_type": "slide"}})
        for code in (explorer, "practice.sheet(hamming.hamming_loss, seed=1)")
    ]
    (tmp_path / "live/widgets.ipynb").write_bytes(to_bytes(deck))
    page.goto(f"{server}/rise/widgets.ipynb")
    slide = page.locator(".reveal section.present")
    slide.get_by_text("practice.explore").wait_for()
    run(slide)
    slide.get_by_role("button", name="label 2: false alarm").click()
    slide.get_by_text("samples F1 was 2/3, is 1.").wait_for()
    page.keyboard.press("PageDown")
    slide.get_by_text("practice.sheet").wait_for()
    run(slide)
    answer = slide.get_by_role("textbox", name="Answer")
    answer.fill("7/12")  # 4 + 1 + 2 wrong decisions of 3 * 4
    answer.press("Enter")
    slide.get_by_text("Right:").wait_for()


def run(slide: Locator) -> None:
    """Run the first cell; where the kernel isn't there yet nothing runs, and one tries again."""
    cell = slide.locator(".jp-CodeCell:visible").first
    cell.click(position={"x": 40, "y": 12})  # beside the code
    for _ in range(200):
        slide.page.keyboard.press("Control+Enter")
        slide.page.wait_for_timeout(500)
        if cell.locator(".jp-InputPrompt").text_content() != "[ ]:":
            break
