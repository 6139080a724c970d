// What a reader can do on the pages, without a kernel.

import { mount, mountQuiz } from "./explorer.js";

for (const place of document.querySelectorAll(".mlm-start")) {
  const given = JSON.parse(place.querySelector("script").textContent);
  (given.questions ? mountQuiz : mount)(place, given);
}

// A task can be ticked off, by a click on its words too.
for (const box of document.querySelectorAll(".task-list-item-checkbox")) {
  const line = box.parentElement;
  const label = document.createElement("label");
  label.append(...line.childNodes);
  line.append(label);
  box.disabled = false;
}

// What scrolls can be reached by keys, also when it is unfolded or the window becomes narrow.
const reach = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
const boxes = ".formula, .cell_output .output, .pst-scrollable-table-container, details pre";
document.querySelectorAll(boxes).forEach((box) => reach.observe(box));
