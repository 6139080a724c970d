// The explorer on a page: a grid to click, a cut to slide, ranks to move, and every metric beside it.
// With a kernel the package's numbers replace the module's own, which are there at once.

import { compute, isKnown, rank, settings, solve, text } from "./numbers.js";
import { disagreement } from "./search.js";
import { MARKS, cutAt, cuts, decimal, equation, kindOf, meets, move, named, order, share, size, tie } from "./world.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const SIDES = [["y_pred", "the prediction"], ["y_true", "the truth"]];
const FIRST = "example_based.f1"; // the metric that is looked at first

const copy = (value) => JSON.parse(JSON.stringify(value));
const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
let mounted = 0;

/** An element with its attributes and what is in it; a function is what happens at an event. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const button = (words, click, attributes = {}) => make("button", { type: "button", click, ...attributes }, words);

/** A list to choose from, with its words before it. */
function choice(words, choices, change = () => {}) {
  const options = choices.map(([value, name]) => make("option", { value }, name));
  const list = make("select", { change: () => change(list.value) }, ...options);
  return { list, label: make("label", {}, `${words} `, list) };
}

/** Put an explorer into an element; `page` is what Python's function of that name gives. */
export function mount(element, page, kernel = null) {
  const { metrics, challenges } = page;
  const ofKey = new Map(metrics.map((metric) => [metric.key, metric]));
  const at = { side: "y_pred", focus: FIRST, sample: 0, label: 0, drag: null, cell: [0, 0] };
  let shown = { turn: 0, ...copy(page.shown) };
  let values = {};
  let both = null; // the two predictions of a disagreement

  // -------------------------------------------------------------------------- what happens

  const reads = (metric) => metric.reads === "y_pred" || shown.y_score !== null;
  const nameOf = (key) => named(ofKey.get(key), shown.options);
  const goals = () => challenges.find(({ says }) => says === parts.challenge.list.value)?.goals;

  /** Count anew by the module itself, and show it. */
  function count() {
    const { length } = shown.labels;
    if (shown.options.k > length) shown.options.k = length;
    if (!reads(ofKey.get(at.focus))) at.focus = FIRST;
    values = compute(shown.y_true, shown.y_pred, shown.y_score, { metrics, ...shown.options });
    draw();
  }

  /** Change what is shown, count, tell the kernel, and say what became of the numbers. */
  function change(words, act) {
    const before = values;
    act();
    shown.turn += 1;
    count();
    kernel?.show(copy(shown));
    const moved = metrics.filter(({ key }) => key in before && key in values && before[key] !== values[key]);
    const [old, now] = [before[at.focus], values[at.focus]];
    const became = old === now || old === undefined ? `is ${now}` : `was ${old}, is ${now}`;
    const met = goals() && meets(goals(), values) ? " Challenge met." : "";
    parts.said.textContent = `${words} ${nameOf(at.focus)} ${became}. ${plural(moved.length, "metric")} changed.${met}`;
  }

  function flip(i, j, side) {
    const outcome = MARKS[kindOf(shown, i, j) ^ (side === "y_true" ? 2 : 1)].word;
    Object.assign(at, { cell: [i, j], sample: i });
    change(`${shown.samples[i]}, ${shown.labels[j]}: ${outcome}.`, () => {
      shown[side][i][j] = 1 - shown[side][i][j];
      if (side === "y_pred") shown.cut = null;
    });
  }

  function slide(place) {
    const cut = cuts(shown)[place];
    change(`${cutWords(cut)}.`, () => cutAt(shown, cut));
  }

  /** Change the scores of a sample; the cut, where one stands, cuts them anew. */
  function rescore(words, act) {
    change(words, () => {
      act();
      if (shown.cut !== null) cutAt(shown, shown.cut);
    });
  }

  function moveTo(label, place) {
    at.label = label;
    if (place < 0 || place >= shown.labels.length) return;
    rescore(`${shown.labels[label]} is at place ${place + 1}.`, () => move(shown, at.sample, label, place));
  }

  const moveBy = (step) => moveTo(at.label, order(shown, at.sample).indexOf(at.label) + step);
  const tied = () => rescore(`${shown.labels[at.label]}: another score.`, () => tie(shown, at.sample, at.label));

  /** Show other data, under the conventions that are chosen. */
  function replace(words, start) {
    Object.assign(at, { sample: 0, label: 0, cell: [0, 0] });
    change(words, () => (shown = { ...copy(start), turn: shown.turn, options: shown.options }));
  }

  function search() {
    const keys = [parts.a.list.value, parts.b.list.value];
    const pair = keys.map((key) => ofKey.get(key));
    if (keys[0] === keys[1]) return tell("Choose two different metrics.");
    tell("Looking at all small data …");
    if (kernel) return kernel.search(...keys, shown.options);
    if (!pair.every(isKnown)) return tell("That needs a kernel.");
    return setTimeout(() => found(asShown(disagreement(...pair, shown.options))), 50); // it says so first
  }

  function found(answer) {
    both = answer;
    if (both) showOne("first");
    else tell("None on data this small.");
  }

  function showOne(which) {
    replace(`The ${which} of the two predictions.`, both[which]);
    const lines = [parts.a, parts.b].map(({ list }) => verdict(ofKey.get(list.value)));
    const buttons = ["first", "second"].map((one) =>
      button(`Show the ${one}`, () => showOne(one), { "aria-pressed": one === which }),
    );
    tell(...lines.map((line) => make("p", {}, line)), ...buttons);
  }

  function verdict(metric) {
    const name = named(metric, shown.options);
    if (!isKnown(metric)) return name;
    const [first, second] = [both.first, both.second].map(({ y_true, y_pred, y_score }) =>
      text(solve(metric, { truth: y_true, prediction: y_pred, scores: y_score }, shown.options).value),
    );
    const better = size(first) > size(second) === metric.higher ? "first" : "second";
    return `${name}: first ${first}, second ${second}; it prefers the ${better}.`;
  }

  const tell = (...words) => parts.found.replaceChildren(...words);

  // -------------------------------------------------------------------------- what is drawn once

  function makeGrid() {
    const one = (i, j) => button("", () => flip(i, j, at.side), { keydown: (event) => keyInGrid(event, i, j) });
    parts.cells = shown.samples.map((_, i) => shown.labels.map((_, j) => one(i, j)));
    const heads = shown.labels.map((label) => make("th", { scope: "col" }, label));
    const rows = parts.cells.map((row, i) =>
      make("tr", {}, make("th", { scope: "row" }, shown.samples[i]), ...row.map((cell) => make("td", {}, cell))),
    );
    const head = make("thead", {}, make("tr", {}, make("td"), ...heads));
    parts.grid.replaceChildren(head, make("tbody", {}, ...rows));
    const samples = shown.samples.map((name, i) => make("option", { value: i }, name));
    parts.sample.list.replaceChildren(...samples);
  }

  function keyInGrid(event, i, j) {
    const side = { p: "y_pred", t: "y_true" }[event.key.toLowerCase()];
    const [down, right] = ARROWS[event.key] ?? [0, 0];
    if (event.ctrlKey || event.metaKey || event.altKey || !(side || down || right)) return;
    event.preventDefault();
    event.stopPropagation(); // a notebook has keys of its own
    if (side) flip(i, j, side);
    else goTo(i + down, j + right);
  }

  function goTo(i, j) {
    if (!parts.cells[i]?.[j]) return;
    at.cell = [i, j];
    drawGrid();
    parts.cells[i][j].focus();
  }

  function makeRow(metric) {
    const arrow = metric.higher ? "↑" : "↓";
    const name = make("span");
    const look = () => {
      at.focus = metric.key;
      draw();
    };
    const value = make("span", { "data-metric": metric.key });
    const near = make("span", { class: "mlm-near" });
    const bar = make("span", { class: "mlm-bar", "aria-hidden": "true" }, make("span"));
    const focus = button("", look, { title: metric.higher ? "higher is better" : "lower is better" });
    focus.append(name, ` ${arrow}`);
    const row = make("tr", {}, make("th", { scope: "row" }, focus), make("td", {}, bar), make("td", {}, value, " ", near));
    parts.rows.set(metric.key, { row, name, value, near, bar: bar.firstChild, focus });
    return row;
  }

  function makeMetrics() {
    const families = [...new Set(metrics.map(({ family }) => family))];
    return families.map((family) => {
      const rows = metrics.filter((metric) => metric.family === family).map(makeRow);
      return make("tbody", {}, make("tr", {}, make("th", { scope: "rowgroup", colspan: 3 }, family)), ...rows);
    });
  }

  /** A label among the ranks: dragged, or selected and then moved by keys or buttons. */
  function makePlace(label) {
    const place = button("", () => choose(label), { keydown: (event) => keyInOrder(event, label) });
    place.addEventListener("pointerdown", () => (at.drag = label));
    place.dataset.label = label;
    return make("li", {}, place);
  }

  function choose(label) {
    at.label = label;
    drawOrder();
  }

  function keyInOrder(event, label) {
    const act = { ArrowUp: () => moveBy(-1), ArrowDown: () => moveBy(1), "=": tied }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    at.label = label;
    act();
    parts.order.querySelector(`[data-label="${label}"]`).focus();
  }

  function drop(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-label]");
    const dragged = at.drag;
    at.drag = null;
    if (dragged === null || !parts.order.contains(under) || under.dataset.label === String(dragged)) return;
    moveTo(dragged, order(shown, at.sample).indexOf(Number(under.dataset.label)));
  }

  // -------------------------------------------------------------------------- what is drawn each time

  function draw() {
    const names = JSON.stringify([shown.labels, shown.samples]);
    if (parts.names !== names) makeGrid();
    parts.names = names;
    drawGrid();
    drawScores();
    drawMetrics();
    drawFocus();
  }

  function drawGrid() {
    parts.cells.forEach((row, i) => row.forEach((cell, j) => drawCell(cell, i, j)));
  }

  function drawCell(cell, i, j) {
    const kind = kindOf(shown, i, j);
    const isHere = at.cell[0] === i && at.cell[1] === j;
    cell.className = `mlm-cell mlm-kind-${kind}`;
    cell.tabIndex = isHere ? 0 : -1;
    cell.setAttribute("aria-label", `${shown.samples[i]}, ${shown.labels[j]}: ${MARKS[kind].word}`);
    const score = shown.y_score ? [make("small", {}, short(shown.y_score[i][j]))] : [];
    cell.replaceChildren(MARKS[kind].symbol, ...score);
  }

  const short = (score) => String(Number(score.toFixed(3)));

  function cutWords(cut) {
    if (cut === null) return "Predictions are set by hand";
    return cut > Math.max(...shown.y_score.flat()) ? "No score is high enough" : `Predicted: a score of at least ${short(cut)}`;
  }

  function drawScores() {
    parts.scores.hidden = shown.y_score === null;
    for (const { label, of } of parts.switches) label.hidden = !metrics.some((metric) => reads(metric) && of(metric));
    for (const option of parts.challenge.list.options) option.hidden = !isOffered(option.value);
    if (shown.y_score === null) return;
    const all = cuts(shown);
    parts.cut.max = all.length - 1;
    if (shown.cut !== null) parts.cut.value = all.findIndex((cut) => cut >= shown.cut);
    parts.cut.setAttribute("aria-valuetext", cutWords(shown.cut));
    parts.cutWords.textContent = cutWords(shown.cut);
    drawOrder();
  }

  const isOffered = (name) =>
    (challenges.find(({ says }) => says === name)?.goals ?? []).every(([key]) => reads(ofKey.get(key)));

  function drawOrder() {
    parts.sample.list.value = at.sample;
    const labels = order(shown, at.sample);
    const focused = parts.order.contains(document.activeElement) ? document.activeElement.dataset.label : null;
    parts.order.replaceChildren(...labels.map(makePlace));
    const scores = shown.y_score[at.sample];
    const cells = scores.map((score, place) => ({ score, place }));
    for (const item of parts.order.children) {
      const label = Number(item.firstChild.dataset.label);
      const stands = rank(cells[label], cells, shown.options.ties ?? "worst");
      const isRelevant = shown.y_true[at.sample][label] === 1;
      const words = [`rank ${stands}`, shown.labels[label], isRelevant ? "relevant" : "irrelevant", `score ${short(scores[label])}`];
      item.firstChild.setAttribute("aria-label", words.join(", "));
      item.firstChild.setAttribute("aria-pressed", label === at.label);
      item.firstChild.append(`${stands}  ${shown.labels[label]} ${isRelevant ? "★" : ""} `, make("small", {}, short(scores[label])));
    }
    if (focused !== null) parts.order.querySelector(`[data-label="${focused}"]`).focus();
  }

  function drawMetrics() {
    for (const metric of metrics) {
      const { row, name, value, near, bar, focus } = parts.rows.get(metric.key);
      const number = values[metric.key] ?? "needs a kernel";
      row.hidden = !reads(metric);
      name.textContent = named(metric, shown.options);
      value.dataset.value = number;
      value.textContent = number;
      near.textContent = decimal(number);
      bar.style.width = `${100 * share(metric, number, shown.labels.length, shown.options)}%`;
      focus.setAttribute("aria-pressed", metric.key === at.focus);
    }
    for (const group of parts.metrics.tBodies) group.hidden = [...group.rows].slice(1).every((row) => row.hidden);
  }

  function drawFocus() {
    const metric = ofKey.get(at.focus);
    parts.focus.innerHTML = metric.formula; // of the catalogue, not of a reader
    const title = make("h4", {}, `${nameOf(at.focus)}: ${metric.id}`);
    if (!isKnown(metric)) return parts.focus.prepend(title);
    const world = { truth: shown.y_true, prediction: shown.y_pred, scores: shown.y_score };
    const solved = solve(metric, world, shown.options);
    const names = metric.along === "sample" ? shown.samples : shown.labels;
    const lines = solved.terms.map((term, i) => {
      const worth = term.undefined ? `${term.written}, taken as ${text(term.value)}` : term.written;
      const isLeftOut = term.undefined && text(term.value) === "nan";
      return make("li", {}, `${solved.terms.length === 1 && metric.average === "micro" ? "all cells" : names[i]}: ${isLeftOut ? `${term.written}, left out` : worth}`);
    });
    return parts.focus.prepend(title), parts.focus.append(make("ul", {}, ...lines), make("p", { class: "mlm-sum" }, equation(solved)));
  }

  // -------------------------------------------------------------------------- the parts, put together

  const parts = { rows: new Map() };
  mounted += 1;
  const sides = SIDES.map(([side, words]) => {
    const radio = make("input", { type: "radio", name: `mlm-side-${mounted}`, change: () => (at.side = side) });
    radio.checked = side === at.side;
    return make("label", {}, radio, ` ${words}`);
  });
  parts.grid = make("table", { role: "grid", class: "mlm-grid", "aria-label": "Truth and prediction" });
  const key = MARKS.map(({ word, symbol }, kind) =>
    make("li", {}, make("span", { class: `mlm-cell mlm-kind-${kind}`, "aria-hidden": "true" }, symbol), ` ${word}`),
  );
  parts.cut = make("input", { type: "range", min: 0, step: 1, input: () => slide(Number(parts.cut.value)) });
  parts.cutWords = make("span", { class: "mlm-near" });
  parts.sample = choice("Ranks of", [], (i) => {
    Object.assign(at, { sample: Number(i), label: 0 });
    drawOrder();
  });
  parts.order = make("ol", { class: "mlm-order", pointerup: drop });
  const steps = [button("Up", () => moveBy(-1)), button("Down", () => moveBy(1)), button("Tie with the one above, or part", tied)];
  parts.scores = make(
    "div", { class: "mlm-scores" }, make("label", {}, "Cut ", parts.cut), parts.cutWords, parts.sample.label, parts.order,
    make("div", { class: "mlm-steps" }, ...steps),
  );
  parts.switches = page.switches.map(({ says, choices }) => {
    const set = choices.flatMap(({ options }) => Object.keys(options));
    const all = choices.map((one, i) => [i, one.says]);
    const made = choice(says, all, (i) =>
      change(`${says} ${choices[i].says}.`, () => {
        for (const option of set) delete shown.options[option];
        Object.assign(shown.options, choices[i].options);
      }),
    );
    return { ...made, of: (metric) => set.some((option) => option in metric.options) };
  });
  const pair = metrics.map((metric) => [metric.key, named(metric, {})]);
  [parts.a, parts.b] = ["Find data where", "and"].map((words) => choice(words, pair));
  parts.b.list.value = "exact_match.subset_accuracy";
  parts.a.list.value = FIRST;
  parts.found = make("div", { class: "mlm-found", role: "status" });
  parts.challenge = choice("Challenge", [["", "none"], ...challenges.map(({ says }) => [says, says])], (says) =>
    change(says ? `Reach: ${says}.` : "No challenge.", () => {}),
  );
  parts.metrics = make("table", { class: "mlm-metrics", "aria-label": "Every metric" }, ...makeMetrics());
  parts.focus = make("div", { class: "mlm-focus", role: "region", "aria-label": "The metric in focus" });
  parts.said = make("p", { class: "mlm-said", role: "status" });

  const left = make(
    "div", { class: "mlm-left" },
    make("fieldset", {}, make("legend", {}, "A click changes"), ...sides),
    make("div", { class: "mlm-wide" }, parts.grid), make("ul", { class: "mlm-key" }, ...key),
    make("p", { class: "mlm-near" }, "Keys: arrows go from cell to cell, P changes the prediction, T the truth."),
    parts.said, parts.scores,
    make("div", { class: "mlm-switches" }, ...parts.switches.map(({ label }) => label), parts.challenge.label),
    make("div", { class: "mlm-switches" }, parts.a.label, parts.b.label, button("disagree", search)), parts.found,
    button("Start again", () => replace("The start.", page.shown)),
  );
  const right = make("div", { class: "mlm-right" }, parts.focus, parts.metrics);
  element.replaceChildren(make("div", { class: "mlm-explore" }, left, right));
  count();

  return {
    found,
    show(other) {
      if (JSON.stringify(other) === JSON.stringify(shown)) return;
      shown = { turn: 0, ...copy(other) };
      count();
    },
    receive({ turn, values: counted }) {
      if (turn !== shown.turn) return; // of what was shown before
      values = counted;
      drawMetrics();
    },
  };
}

/** What the module's search finds, as the kernel's answer has it. */
function asShown(answer) {
  if (!answer) return null;
  const names = (rows, noun) => rows.map((_, i) => `${noun} ${i + 1}`);
  const { truth } = answer;
  const one = ({ prediction, scores = null }) => ({
    labels: names(truth[0], "label"), samples: names(truth, "sample"),
    y_true: truth, y_pred: prediction, y_score: scores, cut: scores && 0.5,
  });
  return { first: one(answer.first), second: one(answer.second) };
}

/** The widget: what it shows goes to the kernel, and the package's numbers come back. */
function render({ model, el }) {
  const explorer = mount(el, model.get("page"), {
    show(shown) {
      model.set("shown", shown);
      model.save_changes();
    },
    search: (a, b, options) => model.send({ a, b, options }),
  });
  const show = () => explorer.show(model.get("shown"));
  const receive = () => explorer.receive(model.get("counted"));
  const answer = ({ found }) => explorer.found(found);
  show();
  receive();
  model.on("change:shown", show);
  model.on("change:counted", receive);
  model.on("msg:custom", answer);
  return () => [["change:shown", show], ["change:counted", receive], ["msg:custom", answer]].forEach((one) => model.off(...one));
}

export default { render };
