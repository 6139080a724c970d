// Exercises that answer on a page, and what of them is remembered: in this browser alone.

import { button, make, mountQuiz } from "./explorer.js";

const KEPT = "mlm-done"; // by page: the exercises that were answered rightly
const kept = () => {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {}; // a browser that keeps nothing
  }
};

const pageOf = (path) => path.split("/").at(-1).replace(/\.html$/, "") || "index";

function keep(name) {
  const all = kept();
  (all[pageOf(location.pathname)] ??= {})[name] = true;
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
  } catch {
    // as above
  }
}

/** A number and its decimals: "2/3", "0.667", "66.7 %"; null where none can be read. */
function read(text) {
  const found = text.trim().replace(/^[=≈~\s]*/, "").replaceAll(",", ".").match(/^(\d*\.?\d+)\s*(?:\/\s*(\d+))?\s*(%?)$/);
  if (!found) return null;
  const [, above, below, percent] = found;
  const decimals = below ? Infinity : (above.split(".")[1] ?? "").length;
  return percent ? { value: above / (below ?? 1) / 100, decimals: decimals + 2 } : { value: above / (below ?? 1), decimals };
}

/** Whether a value is the answer: exactly, or rounded or cut off at two or more decimals. */
function fits({ value, decimals }, wanted) {
  if (Math.abs(value - wanted) < 1e-6) return true;
  const step = 10 ** -decimals;
  const off = wanted - value;
  return decimals >= 2 && (Math.abs(off) <= step / 2 + 1e-9 || (off >= 0 && off < step));
}

function verdict(text, answers) {
  const given = read(text);
  if (!given) return { says: "Write a fraction such as 2/3, a decimal such as 0.667 or a percentage such as 66.7 %." };
  const digits = given.decimals <= 3 ? given.value.toFixed(given.decimals) : ""; // few may fit several answers
  const found = answers.find(({ written }) => written === digits) ?? answers.find(({ value }) => fits(given, value));
  if (found) return { ...found, says: found.right ? found.says : found.says.replace(found.written, text.trim()) };
  const isShort = given.decimals < 2 && Math.abs(given.value - answers[0].value) <= 0.5 * 10 ** -given.decimals;
  if (isShort) return { says: "That may be the value rounded: give two or more decimals." };
  return { says: `${text.trim()} is not right, and no usual slip gives it: count again, or look at the hint.` };
}

/** A field for the answer to a sheet; `page` is what the function of that name in `sheets` gives. */
function mountSheet(place, { answers, hint, solution }, told) {
  const field = make("input", { type: "text", inputmode: "text", autocomplete: "off" });
  const said = make("p", { class: "mlm-said", role: "status" });
  const check = (event) => {
    event.preventDefault();
    const { says, right } = verdict(field.value, answers);
    said.textContent = says;
    told({ isRight: Boolean(right) });
  };
  const fold = (words, html) => {
    const inside = make("div", { class: "mlm-wide", role: "region", tabindex: 0, "aria-label": words });
    inside.innerHTML = html; // the package's own
    return make("details", {}, make("summary", {}, words), inside);
  };
  const ask = make("form", { class: "mlm-row", submit: check }, make("label", {}, "Your answer ", field), make("button", {}, "Check"));
  const parts = make("div", { class: "mlm-work" }, ask, said, fold("Hint", hint), fold("Every step", solution));
  place.replaceChildren(make("section", { class: "mlm-explore mlm-sheet", "aria-label": "Your answer" }, parts));
}

/** Bring an exercise to life, and remember under its name that it was answered rightly. */
export function mountExercise(place, given) {
  const mountIt = given.answers ? mountSheet : mountQuiz;
  mountIt(place, given, ({ isRight }) => isRight && keep(given.name));
}

// Where the notebooks are listed: which exercises of each were answered rightly.
const done = kept();
const links = [...document.querySelectorAll(".bd-article table a[href*='notebooks/']")];
for (const link of links) {
  const of = Object.keys(done[pageOf(new URL(link.href).pathname)] ?? {}).length;
  if (of) link.after(make("span", { class: "aside" }, ` ✓ ${of} ${of === 1 ? "exercise" : "exercises"}`));
}
if (links.length && Object.keys(done).length) {
  const forget = () => (localStorage.removeItem(KEPT), location.reload());
  links[0].closest("table").after(make("p", {}, "What you answered rightly is kept in this browser alone. ", button("Forget it", forget)));
}
