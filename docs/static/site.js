// What a reader can do on the pages, without a kernel.

import { mount } from "./explorer.js";
import { mountExercise } from "./ladder.js";

for (const place of document.querySelectorAll(".mlm-start")) {
  const given = JSON.parse(place.querySelector("script").textContent);
  if (given.metrics) explore(place, given);
  else mountExercise(place, given);
}

/** The explorer: the address holds what it shows, so that a link brings it back. */
function explore(place, given) {
  const header = document.querySelector(".bd-header");
  const below = () => place.style.setProperty("--mlm-top", `${header.offsetHeight}px`); // what stays in view stays below it
  new ResizeObserver(below).observe(header);
  const keep = (shown) => history.replaceState(null, "", `#data=${encodeURIComponent(JSON.stringify(shown))}`);
  const show = mount(place, given, keep);
  const [, linked] = location.hash.match(/^#data=(.+)/) ?? [];
  if (!linked) return;
  try {
    show(JSON.parse(decodeURIComponent(linked)));
    place.scrollIntoView();
  } catch {
    show(given.shown); // a link that was cut off
  }
}

if (document.querySelector(".mlm-choose")) import("./choose.js");
if (document.querySelector(".mlm-paste")) import("./paste.js");

// A task can be ticked off, by a click on its words too.
for (const box of document.querySelectorAll(".task-list-item-checkbox")) {
  const line = box.parentElement;
  const label = document.createElement("label");
  label.append(...line.childNodes);
  line.append(label);
  box.disabled = false;
}

// On a phone the cells of a row stand below each other, each after the name of its column; a large picture scrolls.
for (const cell of document.querySelectorAll(".pst-scrollable-table-container td:not(:first-child)")) {
  cell.dataset.head = cell.closest("table").rows[0].cells[cell.cellIndex]?.textContent ?? "";
}
for (const picture of document.querySelectorAll(".cell_output img")) picture.classList.toggle("large", picture.getAttribute("width") > 700);

// What scrolls can be reached by keys, also when it is unfolded or the window becomes narrow.
const reach = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
const boxes = ".formula, .cell_output .output, .pst-scrollable-table-container, details pre";
for (const box of document.querySelectorAll(boxes)) reach.observe(box);

// A link to what is folded unfolds it.
const unfold = () => {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (place?.localName === "details") place.open = true;
};
addEventListener("hashchange", unfold);
unfold();

// Paper is light.
let chosen;
addEventListener("beforeprint", () => {
  chosen = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
});
addEventListener("afterprint", () => (document.documentElement.dataset.theme = chosen));

// The question of the first page: every answer is right, and all are told after the first.
for (const ask of document.querySelectorAll(".ask")) {
  const told = document.querySelector(".told");
  const verdict = Object.assign(document.createElement("p"), { role: "status" });
  ask.after(verdict);
  told.hidden = true;
  const buttons = [...ask.querySelectorAll("button")];
  ask.addEventListener("click", ({ target }) => {
    if (!buttons.includes(target)) return;
    for (const one of buttons) one.setAttribute("aria-pressed", one === target);
    verdict.textContent = `${target.textContent} is right, and so are the other two: one word, three metrics.`;
    told.hidden = false;
  });
}
