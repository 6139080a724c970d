"""The module of `practice` on a page, in a real browser: what a script sees there."""

from __future__ import annotations

import html
import json
import re

import browser

from mlm_helpers.course.practice.explore import SCRIPT, STYLE

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><style>body {{ margin: 0 }} {style}</style>
<div id="here"></div><pre id="seen">"no answer"</pre>
<script id="given" type="application/json">{given}</script>
<script>
addEventListener("error", ({{ message }}) => (document.getElementById("seen").textContent = JSON.stringify(message)));
</script>
<script type="module">
{script}
const here = document.getElementById("here");
const given = JSON.parse(document.getElementById("given").textContent);
const all = (query) => [...here.querySelectorAll(query)];
const nameOf = (one) => one.getAttribute("aria-label") ?? one.innerText.trim();
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
const said = () => here.querySelector("[role=status]").innerText;
const places = () => all(".mlm-order button").map(nameOf);
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const seen = [];
{act}
document.getElementById("seen").textContent = JSON.stringify(seen);
</script>"""


def seen(folder, given, act, *options):
    """What a script that mounts and presses things pushes onto its list `seen`."""
    file = folder / "page.html"
    written = PAGE.format(given=json.dumps(given), script=SCRIPT, style=STYLE, act=act)
    file.write_text(written, encoding="utf-8")
    dom = browser.opened(file.as_uri(), folder / "profile", "--virtual-time-budget=20000", *options)
    found = re.search('<pre id="seen">(.*?)</pre>', dom, re.DOTALL)
    assert found
    answer = json.loads(html.unescape(found[1]))
    assert isinstance(answer, list), answer  # text is what a script failed of
    return answer


LOOK = """
document.body.dataset.theme = "%s"; here.style.width = "390px"; %s
const wide = all("*").filter((one) => !one.closest(".mlm-wide, .mlm-focus")).map((one) => one.getBoundingClientRect().right);
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const channels = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
const light = (color) => channels(color).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (one) => { const color = getComputedStyle(one).backgroundColor; return channels(color)[3] === 255 ? color : ground(one.parentElement); };
const texts = all("*").filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
const contrast = (one) => { const pair = [light(getComputedStyle(one).color), light(ground(one))].sort((a, b) => b - a); return (pair[0] + 0.05) / (pair[1] + 0.05); };
seen.push(Math.max(...wide), Math.min(...texts.map(contrast)), texts.length, channels(getComputedStyle(here.firstChild).backgroundColor).slice(0, 3));"""


def is_legible(folder, given, act, theme, least):
    """Text and its ground differ by 4.5 to 1, as WCAG asks; a frame of the width of a phone holds all."""
    width, contrast, texts, paper = seen(
        folder, given, LOOK % (theme, act), "--window-size=390,1200"
    )
    assert texts >= least
    assert paper == {"light": [255, 255, 255], "dark": [28, 28, 28]}[theme]
    return width <= 390 and contrast >= 4.5
