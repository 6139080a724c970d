// What the pages do without a kernel.

import { mount } from "./explorer.js";

for (const place of document.querySelectorAll(".mlm-start")) {
  mount(place, JSON.parse(place.querySelector("script").textContent));
}
