// The interactive parts of the pages, which need no kernel.

import { make, mount } from "./explorer.js";
import { mountExercise } from "./ladder.js";

for (const place of document.querySelectorAll(".mlm-start")) {
  const start = JSON.parse(place.querySelector("script").textContent);
  if (start.metrics) explore(place, start);
  else mountExercise(place, start);
}

/** Show the explorer. The address holds its data, so that a link to the page shows them again. */
function explore(place, start) {
  const header = document.querySelector(".bd-header");
  const setTop = () => place.style.setProperty("--mlm-top", `${header.offsetHeight}px`); // sticky parts stay below the header
  new ResizeObserver(setTop).observe(header);
  const setAddress = (shown) => history.replaceState(null, "", `#data=${encodeURIComponent(JSON.stringify(shown))}`);
  const show = mount(place, start, setAddress);
  const [, linked] = location.hash.match(/^#data=(.+)/) ?? [];
  if (!linked) return;
  try {
    show(JSON.parse(decodeURIComponent(linked)));
    place.scrollIntoView();
  } catch {
    show(start.shown); // the link is incomplete
  }
}

if (document.querySelector(".mlm-choose")) import("./choose.js");
if (document.querySelector(".mlm-paste")) import("./paste.js");

// A task can be ticked, also by a click on its text.
for (const box of document.querySelectorAll(".task-list-item-checkbox")) {
  const line = box.parentElement;
  line.append(make("label", {}, ...line.childNodes));
  box.disabled = false;
}

// On a phone the cells of a row are below each other, each after the header of its column; a large picture scrolls.
for (const cell of document.querySelectorAll(".pst-scrollable-table-container td:not(:first-child)")) {
  cell.dataset.head = cell.closest("table").rows[0].cells[cell.cellIndex]?.textContent ?? "";
}
for (const picture of document.querySelectorAll(".cell_output img")) picture.classList.toggle("large", picture.getAttribute("width") > 700);

// An element that scrolls can be reached by keys, also after it is unfolded or the window becomes narrow.
const focusable = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
const boxes = ".formula, .cell_output .output, .pst-scrollable-table-container, details pre";
for (const box of document.querySelectorAll(boxes)) focusable.observe(box);

// A section that the core path leaves out is folded.
for (const heading of document.querySelectorAll("section > :is(h2, h3)")) {
  if (!heading.textContent.startsWith("More: ")) continue;
  const [section, fold] = [heading.parentElement, make("details", { class: "more" })];
  section.replaceWith(fold);
  fold.append(make("summary", {}, heading), section);
}

// A link to a folded element, or into one, unfolds it.
const unfold = () => {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = place?.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  place?.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();

// Pages are printed in the light theme.
let theme;
addEventListener("beforeprint", () => {
  theme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
});
addEventListener("afterprint", () => (document.documentElement.dataset.theme = theme));

// The question of the home page: every answer is right, and after a first answer the page explains all of them.
for (const ask of document.querySelectorAll(".ask")) {
  const explanation = document.querySelector(".told");
  const verdict = make("p", { role: "status" });
  ask.after(verdict);
  explanation.hidden = true;
  const buttons = [...ask.querySelectorAll("button")];
  ask.addEventListener("click", ({ target }) => {
    if (!buttons.includes(target)) return;
    for (const button of buttons) button.setAttribute("aria-pressed", button === target);
    verdict.textContent = `${target.textContent} is right, and so are the other two: one word, three metrics.`;
    explanation.hidden = false;
  });
}
