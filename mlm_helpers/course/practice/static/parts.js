// The parts of the explorer: each makes its elements once, and draws what is shown into them.

import { isKnown, rank, settings, solve, text } from "./numbers.js";
import { MARKS, decimal, equation, kindOf, named, order, share } from "./world.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const SIDES = { p: "y_pred", t: "y_true" };

export const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
export const short = (score) => String(Number(score.toFixed(3)));

/** An element with its attributes and what is in it; a function is what happens at an event. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export const button = (words, click, attributes = {}) =>
  make("button", { type: "button", click, ...attributes }, words);

/** A list to choose from, with its words before it. */
export function choice(words, choices, change = () => {}) {
  const options = choices.map(([value, name]) => make("option", { value }, name));
  const list = make("select", { "aria-label": words, change: () => change(list.value) }, ...options);
  return { list, label: make("label", {}, `${words} `, list) };
}

/** What the signs of the cells mean; one that is empty needs no words. */
export function legend(marks) {
  const signed = Object.entries(marks).filter(([, { symbol }]) => symbol);
  const items = signed.map(([kind, { word, symbol }]) =>
    make("li", {}, make("span", { class: `mlm-cell mlm-kind-${kind}`, "aria-hidden": "true" }, symbol), ` ${word}`),
  );
  return make("ul", { class: "mlm-key" }, ...items);
}

/** Take a key for oneself: a notebook has keys of its own. */
function taken(event, act) {
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** The grid: `flip(i, j, side)` changes a cell; without a side, the one that is chosen. */
export function grid(flip) {
  const element = make("table", { role: "grid", class: "mlm-grid", "aria-label": "Truth and prediction" });
  let cells = [];
  let here = null; // the one cell that Tab goes to; arrows lead to the others
  let names = "";

  function goTo(cell) {
    if (!cell) return;
    here.tabIndex = -1;
    here = cell;
    here.tabIndex = 0;
    here.focus();
  }

  function makeCell(i, j) {
    const keydown = (event) => {
      const [down, right] = ARROWS[event.key] ?? [];
      const side = SIDES[event.key.toLowerCase()];
      if (side) taken(event, () => flip(i, j, side));
      else if (down !== undefined) taken(event, () => goTo(cells[i + down]?.[j + right]));
    };
    const click = () => {
      goTo(cells[i][j]);
      flip(i, j);
    };
    return make("button", { type: "button", tabindex: -1, click, keydown });
  }

  function makeCells({ labels, samples }) {
    cells = samples.map((_, i) => labels.map((_, j) => makeCell(i, j)));
    [[here]] = cells;
    here.tabIndex = 0;
    const heads = labels.map((label) => make("th", { scope: "col" }, label));
    const rows = cells.map((row, i) =>
      make("tr", {}, make("th", { scope: "row" }, samples[i]), ...row.map((cell) => make("td", {}, cell))),
    );
    const head = make("thead", {}, make("tr", {}, make("td"), ...heads));
    element.replaceChildren(head, make("tbody", {}, ...rows));
  }

  function drawCell(cell, shown, i, j) {
    const { word, symbol } = MARKS[kindOf(shown, i, j)];
    cell.className = `mlm-cell mlm-kind-${kindOf(shown, i, j)}`;
    cell.setAttribute("aria-label", `${shown.samples[i]}, ${shown.labels[j]}: ${word}`);
    const score = shown.y_score ? [make("small", {}, short(shown.y_score[i][j]))] : [];
    cell.replaceChildren(symbol, ...score);
  }

  function draw(shown) {
    const now = JSON.stringify([shown.labels, shown.samples]);
    if (now !== names) makeCells(shown);
    names = now;
    cells.forEach((row, i) => row.forEach((cell, j) => drawCell(cell, shown, i, j)));
  }

  return { element, draw };
}

/** The labels of one sample by rank, to drag, or to select and then move by keys or buttons. */
export function ranking(moveTo, tie) {
  const list = make("ol", { class: "mlm-order", pointerup: drop });
  const sample = choice("Ranks of", [], (i) => draw(shown, Number(i)));
  const steps = [
    button("Up", () => moveBy(-1)), button("Down", () => moveBy(1)),
    button("Tie with the one above, or part", () => tie(at, label)),
  ];
  const hint = make("p", { class: "mlm-near" }, "Drag a label, or select it: the keys ↑ and ↓ move it, = ties it with the one above.");
  const element = make("div", { class: "mlm-ranks" }, sample.label, hint, list, make("div", { class: "mlm-steps" }, ...steps));
  let [at, label, dragged, shown] = [0, 0, null, null];

  const placeOf = (one) => list.querySelector(`[data-label="${one}"]`);

  function moveBy(step) {
    const place = order(shown, at).indexOf(label) + step;
    if (place >= 0 && place < shown.labels.length) moveTo(at, label, place);
  }

  function drop(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-label]");
    const isMove = dragged !== null && list.contains(under) && under !== placeOf(dragged);
    if (isMove) moveTo(at, dragged, order(shown, at).indexOf(Number(under.dataset.label)));
    dragged = null;
  }

  function keydown(event) {
    const act = { ArrowUp: () => moveBy(-1), ArrowDown: () => moveBy(1), "=": () => tie(at, label) }[event.key];
    if (act) label = Number(event.currentTarget.dataset.label);
    taken(event, act);
  }

  function makePlace(one, stands) {
    const isRelevant = shown.y_true[at][one] === 1;
    const score = short(shown.y_score[at][one]);
    const select = () => draw(shown, at, one);
    const said = `rank ${stands}, ${shown.labels[one]}, ${isRelevant ? "relevant" : "irrelevant"}, score ${score}`;
    const place = button(`${stands}  ${shown.labels[one]} ${isRelevant ? "★ " : ""}`, select, {
      keydown, pointerdown: () => (dragged = one), "data-label": one, "aria-pressed": one === label, "aria-label": said,
    });
    place.append(make("small", {}, score));
    return make("li", {}, place);
  }

  /** Show a sample, and select one of its labels; by default those that are chosen already. */
  function draw(now, i = at, one = label) {
    element.hidden = now.y_score === null;
    if (element.hidden) return;
    [shown, at, label] = [now, i < now.samples.length ? i : 0, one < now.labels.length ? one : 0];
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.label : null;
    const cells = shown.y_score[at].map((score, place) => ({ score, place }));
    const stands = cells.map((cell) => rank(cell, cells, shown.options.ties ?? "worst"));
    sample.list.replaceChildren(...shown.samples.map((name, value) => make("option", { value }, name)));
    sample.list.value = at;
    list.replaceChildren(...order(shown, at).map((j) => makePlace(j, stands[j])));
    if (focused !== null) placeOf(focused)?.focus();
  }

  return { element, draw };
}

/** Every metric with its bar, and the formula of the one in focus; `look(key)` is asked for another. */
export function numbers(metrics, look) {
  const rows = new Map(metrics.map((metric) => [metric.key, makeRow(metric)]));
  const families = [...new Set(metrics.map(({ family }) => family))].map((family) => {
    const own = metrics.filter((metric) => metric.family === family).map(({ key }) => rows.get(key).row);
    return make("tbody", {}, make("tr", {}, make("th", { scope: "rowgroup", colspan: 3 }, family)), ...own);
  });
  const table = make("table", { class: "mlm-metrics", "aria-label": "Every metric" }, ...families);
  const focus = make("div", { class: "mlm-focus", role: "region", tabindex: 0, "aria-label": "The metric in focus" });

  function makeRow({ key, higher }) {
    const [name, filled, near] = [make("span"), make("span"), make("span", { class: "mlm-near" })];
    const value = make("span", { "data-metric": key });
    const way = higher ? "higher is better" : "lower is better";
    const one = button(name, () => look(key), { title: way });
    one.append(higher ? "\u00a0↑" : "\u00a0↓");
    const bar = make("span", { class: "mlm-bar", "aria-hidden": "true" }, filled);
    const row = make("tr", {}, make("th", { scope: "row" }, one), make("td", {}, bar), make("td", {}, value, " ", near));
    return { row, one, name, filled, value, near };
  }

  function drawRow(metric, shown, values) {
    const { row, name, filled, value, near } = rows.get(metric.key);
    const number = values[metric.key];
    row.hidden = metric.reads === "y_score" && shown.y_score === null;
    name.textContent = named(metric, shown.options);
    value.textContent = value.dataset.value = number ?? "needs a kernel";
    near.textContent = number ? decimal(number) : "";
    filled.style.width = number ? `${100 * share(metric, number, shown.labels.length, shown.options)}%` : 0;
  }

  function lines(metric, { terms }, { samples, labels }) {
    const names = metric.along === "sample" ? samples : metric.average === "micro" ? ["all cells"] : labels;
    return terms.map((term, i) => {
      const worth = text(term.value) === "nan" ? "left out" : `taken as ${text(term.value)}`;
      return make("li", {}, `${names[i]}: ${term.written}${term.undefined ? `, ${worth}` : ""}`);
    });
  }

  /** In words, what the catalogue has no formula of. */
  function interpolated(points) {
    const recalls = points === "all" ? "that are reached" : `0, 1/${points - 1}, …, 1`;
    return `The mean, over the recalls ${recalls}, of the largest precision there or beyond.`;
  }

  function drawFocus(metric, shown) {
    const title = make("p", {}, make("strong", {}, named(metric, shown.options)), ` ${metric.id}`);
    const { interpolation } = settings(metric, shown.options);
    if (interpolation) focus.replaceChildren(make("p", {}, interpolated(interpolation)));
    else focus.innerHTML = metric.formula; // the catalogue's own
    focus.prepend(title);
    if (!isKnown(metric)) return;
    const world = { truth: shown.y_true, prediction: shown.y_pred, scores: shown.y_score };
    const solved = solve(metric, world, shown.options);
    focus.append(make("ul", {}, ...lines(metric, solved, shown)), make("p", { class: "mlm-sum" }, equation(solved)));
  }

  function draw(shown, values, key) {
    for (const metric of metrics) {
      drawRow(metric, shown, values);
      rows.get(metric.key).one.setAttribute("aria-pressed", metric.key === key);
    }
    for (const family of families) family.hidden = [...family.rows].slice(1).every((row) => row.hidden);
    drawFocus(metrics.find((metric) => metric.key === key), shown);
  }

  return { table, focus, draw };
}
