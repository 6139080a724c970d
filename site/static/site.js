// What the pages do without a kernel.

import { mount } from "./explorer.js";

for (const place of document.querySelectorAll(".mlm-start")) {
  mount(place, JSON.parse(place.querySelector("script").textContent));
}

// A table that was folded may scroll; the theme looks for such only when a page opens.
function reach({ target }) {
  for (const box of target.querySelectorAll(".pst-scrollable-table-container")) {
    box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
  }
}
document.addEventListener("toggle", reach, true);
