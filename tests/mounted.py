"""The module of `practice` on a page, in a real browser: what a script sees there.

All scripts of a test file run on one page, one after the other, each with an element of its own.
"""

from __future__ import annotations

import html
import json
import re

import browser
import pytest

from mlm_course.practice.page import SCRIPT, STYLE

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><style>body {{ margin: 0 }} {style}</style>
<body><pre id="seen">no answer</pre><script id="given" type="application/json">{given}</script>
<script type="module">
{script}
const givens = JSON.parse(document.getElementById("given").textContent);
let here;
const all = (query) => [...here.querySelectorAll(query)];
const nameOf = (one) => one.getAttribute("aria-label") ?? one.textContent.trim();
const find = (query, name) => all(query).find((one) => nameOf(one).startsWith(name));
const press = (name) => find("button", name).click();
const key = (name, key) => {{
  const one = find("button", name);
  one.focus();
  one.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
}};
const set = (one, value, event) => {{
  one.value = value;
  one.dispatchEvent(new Event(event, {{ bubbles: true }}));
}};
const pick = (name, words) => {{
  const list = find("select", name);
  set(list, [...list.options].find((option) => option.text === words).value, "change");
}};
const cells = () => all("[role=grid] button").map(nameOf);
const numbersNow = () => Object.fromEntries(
  all("tr:not([hidden]) [data-metric]").map((one) => [one.dataset.metric, one.dataset.value]),
);
const said = () => here.querySelector(".mlm-said").innerText;
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
{helpers}
const acts = [{acts}];
const answers = [];
for (const [i, act] of acts.entries()) {{
  here = document.body.appendChild(document.createElement("div"));
  const seen = [];
  try {{
    await act(givens[i], seen);
    answers.push(seen);
  }} catch (error) {{
    answers.push(String(error));
  }}
  here.remove();
}}
document.getElementById("seen").textContent = JSON.stringify(answers);
</script>"""


class Scripts:
    """Scripts of a test file, each with what it is given; `helpers` stands before them all."""

    def __init__(self, helpers: str = "") -> None:
        self.helpers = helpers
        self.scripts: list[tuple[object, str]] = []

    def __call__(self, given: object, act: str):
        """Run a script for a test: what it pushes onto its list `seen` is the fixture `seen`."""

        def kept(test):
            test.script = len(self.scripts)
            self.scripts.append((given, act))
            return test

        return kept

    def fixtures(self):
        """The answers of all scripts, and that of a test's own."""

        @pytest.fixture(scope="module")
        def answers(tmp_path_factory):
            return self.run(tmp_path_factory.mktemp("page"))

        @pytest.fixture
        def seen(request, answers):
            answer = answers[request.function.script]
            assert isinstance(answer, list), answer  # text is what the script failed of
            return answer

        return answers, seen

    def run(self, folder):
        """What each script pushed onto its list `seen`."""
        acts = ",\n".join(f"async (given, seen) => {{ {act} }}" for _, act in self.scripts)
        given = json.dumps([given for given, _ in self.scripts])
        parts = {"style": STYLE, "script": SCRIPT, "helpers": self.helpers, "acts": acts}
        file = folder / "page.html"
        file.write_text(PAGE.format(given=given, **parts), encoding="utf-8")
        dom = browser.opened(file.as_uri(), folder / "profile", "--virtual-time-budget=60000")
        return json.loads(html.unescape(re.search('<pre id="seen">(.*?)</pre>', dom, re.DOTALL)[1]))
