// What a reader can do on the pages, without a kernel.

import { mount, mountQuiz } from "./explorer.js";

for (const [kind, begin] of Object.entries({ "mlm-start": mount, "mlm-asks": mountQuiz })) {
  for (const place of document.querySelectorAll(`.${kind}`)) {
    begin(place, JSON.parse(place.querySelector("script").textContent));
  }
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
const boxes = ".formula, .cell_output .output, .pst-scrollable-table-container";
document.querySelectorAll(boxes).forEach((box) => reach.observe(box));
