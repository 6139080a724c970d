// What the pages do without a kernel.

import { mount, mountQuiz } from "./explorer.js";

for (const place of document.querySelectorAll(".mlm-start")) {
  const given = JSON.parse(place.querySelector("script").textContent);
  (given.questions ? mountQuiz : mount)(place, given);
}
