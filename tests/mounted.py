"""The module of `practice` on a page, in a real browser: what a script sees there.

The scripts stand in mounted.js, each under the name of its test. All of a test file run on one page, one after the
other, each with an element of its own.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import browser
import pytest

from mlm_course.practice.page import SCRIPT, STYLE

PAGE, ACTS = (
    (Path(__file__).parent / f"mounted.{kind}").read_text("utf-8") for kind in ("html", "js")
)


class Scripts:
    """What the script of each test is given."""

    def __init__(self) -> None:
        self.given: dict[str, object] = {}

    def __call__(self, given: object):
        """Give this to a test's script: what that pushes onto its list `seen` is the fixture `seen`."""

        def kept(test):
            self.given[test.__name__] = given
            return test

        return kept

    def fixtures(self):
        """The answers of all scripts, and that of a test's own."""

        @pytest.fixture(scope="module")
        def answers(tmp_path_factory):
            return run(self.given, tmp_path_factory.mktemp("page"))

        @pytest.fixture
        def seen(request, answers):
            answer = answers[request.function.__name__]
            assert isinstance(answer, list), answer  # text is what the script failed of
            return answer

        return answers, seen


def run(given: dict[str, object], folder: Path):
    """What each script pushed onto its list `seen`, by name; one without a script of its own is `counted`."""
    parts = {"style": STYLE, "script": SCRIPT, "acts": ACTS, "given": json.dumps(given)}
    page = re.sub("%(style|script|acts|given)%", lambda found: parts[found[1]], PAGE)
    (folder / "page.html").write_text(page, encoding="utf-8")
    address = (folder / "page.html").as_uri()
    dom = browser.opened(address, folder / "profile", "--virtual-time-budget=60000")
    return json.loads(html.unescape(re.search('<pre id="seen">(.*?)</pre>', dom, re.DOTALL)[1]))
