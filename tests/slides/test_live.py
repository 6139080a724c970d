"""A deck with a kernel: JupyterLab's RISE shows the slides, all cells run, widgets answer, no other host is asked."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import browser
import pytest
from playwright.sync_api import Page

from tools.notebooks import read, to_bytes

pytestmark = browser.needs_chromium
ROOT = Path(__file__).parents[2]
WITHIN = """[...document.querySelectorAll("section.present > section.present")].every(
    (one) => one.scrollHeight <= one.clientHeight + 1 && one.getBoundingClientRect().bottom <= innerHeight)"""
PLACES = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The server of `make live`, with settings of its own, and a deck whose last slide is a sheet."""
    live = Path(shutil.copytree(ROOT / "build/slides/live", tmp_path / "live"))
    deck = read(live / "00_start_here.ipynb")
    place = next(i for i, cell in enumerate(deck.cells) if "practice.explore(" in cell.source)
    sheet = deck.cells[place].copy()
    sheet |= {
        "id": "sheet",
        "execution_count": None,
        "source": "from mlm_helpers import hamming\npractice.sheet(hamming.hamming_loss, seed=1)",
    }
    sheet["metadata"] = {"slideshow": {"slide_type": "slide"}}
    deck.cells = [*deck.cells[: place + 1], sheet]
    (live / "short.ipynb").write_bytes(to_bytes(deck))
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    own = {name: str(tmp_path / name) for name in PLACES}
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "-y",
        "--no-browser",
        "--allow-root",
        "--ip",
        "localhost",
    ]
    command += ["--port", str(port), "--IdentityProvider.token=", "--ServerApp.root_dir", str(live)]
    command += ["--LabServerApp.extra_labextensions_path", str(ROOT / "tools/slides/extensions")]
    log = tmp_path / "log"
    with log.open("w") as said, subprocess.Popen(command, env=os.environ | own, stderr=said) as run:
        while "is running at" not in log.read_text():
            assert run.poll() is None, log.read_text()
            time.sleep(0.2)
        yield f"http://localhost:{port}"
        run.terminate()


def test_a_deck_runs_by_itself_and_its_widgets_answer(server: str, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/rise/short.ipynb")
    slide = page.locator(".reveal section.present").last
    for shown in (".mlm-explore", "text=Compute Hamming loss"):
        page.locator(shown).first.wait_for(state="attached")
    slide.get_by_role("heading", name="Start here").wait_for()
    while not slide.get_by_role("button", name="photo 1, sea: false alarm").count():
        page.keyboard.press("PageDown")
        page.wait_for_timeout(200)
    page.wait_for_function(WITHIN)
    slide.get_by_role("button", name="photo 1, sea: false alarm").click()
    slide.get_by_text("samples F1 was 19/30, is 31/45.").wait_for()  # 2/4, 1, 2/5; 2/3, 1, 2/5
    page.keyboard.press("PageDown")
    answer = slide.get_by_role("textbox", name="Answer")
    answer.fill("7/12")  # 4 + 1 + 2 wrong decisions of 3 * 4
    answer.press("Enter")
    slide.get_by_text("Right:").wait_for()
    inside = (server, server.replace("http", "ws"), "data:", "blob:")
    assert [url for url in asked if not url.startswith(inside)] == []
