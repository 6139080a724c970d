// The explorer on a page: a grid to click, a cut to slide, ranks to move, and every metric beside it.
// With a kernel the package's numbers replace the module's own, which are there at once.

import { compute, isKnown, solve, text } from "./numbers.js";
import { disagreement } from "./search.js";
import { MARKS, cutAt, cuts, kindOf, meets, move, named, size, tie } from "./world.js";
import { button, choice, grid, legend, make, numbers, plural, ranking, short } from "./parts.js";

const FIRST = "example_based.f1"; // the metric that is looked at first
const SECOND = "exact_match.subset_accuracy";

const copy = (value) => JSON.parse(JSON.stringify(value));
let mounted = 0;

/** Put an explorer into an element; `page` is what Python's function of that name gives. */
export function mount(element, page, kernel = null) {
  const { metrics, challenges } = page;
  const ofKey = new Map(metrics.map((metric) => [metric.key, metric]));
  let shown = { turn: 0, ...copy(page.shown) };
  let values = {};
  let side = "y_pred"; // what a click changes
  let focus = FIRST;
  let both = null; // the two predictions of a disagreement

  // -------------------------------------------------------------------------- what happens

  const reads = (metric) => metric.reads === "y_pred" || shown.y_score !== null;
  const nameOf = (key) => named(ofKey.get(key), shown.options);
  const goalsOf = (name) => challenges.find(({ says }) => says === name)?.goals ?? [];

  /** Count anew by the module itself, and show it. */
  function count() {
    shown.options.k = Math.min(shown.options.k ?? 1, shown.labels.length);
    if (!reads(ofKey.get(focus))) focus = FIRST;
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
    said.textContent = `${words} ${became(before[focus])} ${plural(moved.length, "metric")} changed.${reached()}`;
  }

  function became(old) {
    const now = values[focus];
    return `${nameOf(focus)} ${old === now || old === undefined ? `is ${now}` : `was ${old}, is ${now}`}.`;
  }

  function reached() {
    const goals = goalsOf(challenge.list.value);
    return goals.length && meets(goals, values) ? " Challenge met." : "";
  }

  function flip(i, j, which = side) {
    const outcome = MARKS[kindOf(shown, i, j) ^ (which === "y_true" ? 2 : 1)].word;
    change(`${shown.samples[i]}, ${shown.labels[j]}: ${outcome}.`, () => {
      shown[which][i][j] = 1 - shown[which][i][j];
      if (which === "y_pred") shown.cut = null;
    });
  }

  /** Change the scores of a sample; the cut, where one stands, cuts them anew. */
  function rescore(words, act) {
    change(words, () => {
      act();
      if (shown.cut !== null) cutAt(shown, shown.cut);
    });
  }

  /** Show other data, under the conventions that are chosen. */
  function replace(words, start) {
    change(words, () => (shown = { ...copy(start), turn: shown.turn, options: shown.options }));
  }

  function search() {
    const keys = [first.list.value, second.list.value];
    const pair = keys.map((key) => ofKey.get(key));
    if (keys[0] === keys[1]) return tell("Choose two different metrics.");
    if (!kernel && !pair.every(isKnown)) return tell("That needs a kernel.");
    tell("Looking at all small data …");
    if (kernel) return kernel.search(...keys, shown.options);
    return setTimeout(() => found(asShown(disagreement(...pair, shown.options))), 50); // it says so first
  }

  function found(answer) {
    both = answer;
    if (both) showOne("first");
    else tell("None on data this small.");
  }

  function showOne(which) {
    replace(`The ${which} of the two predictions.`, both[which]);
    const verdicts = [first, second].map(({ list }) => make("p", {}, verdict(ofKey.get(list.value))));
    const buttons = ["first", "second"].map((one) =>
      button(`Show the ${one}`, () => showOne(one), { "aria-pressed": one === which }),
    );
    tell(...verdicts, ...buttons);
  }

  function verdict(metric) {
    const name = named(metric, shown.options);
    if (!isKnown(metric)) return name;
    const [one, two] = [both.first, both.second].map(({ y_true, y_pred, y_score }) =>
      text(solve(metric, { truth: y_true, prediction: y_pred, scores: y_score }, shown.options).value),
    );
    const better = size(one) > size(two) === metric.higher ? "first" : "second";
    return `${name}: first ${one}, second ${two}; it prefers the ${better}.`;
  }

  const tell = (...words) => answer.replaceChildren(...words);

  // -------------------------------------------------------------------------- what is drawn

  function draw() {
    cells.draw(shown);
    ranks.draw(shown);
    panel.draw(shown, values, focus);
    drawCut();
    for (const one of switches) one.label.hidden = !metrics.some((metric) => reads(metric) && one.isOf(metric));
    for (const option of challenge.list.options) {
      option.hidden = !goalsOf(option.value).every(([key]) => reads(ofKey.get(key)));
    }
  }

  function drawCut() {
    cutting.hidden = shown.y_score === null;
    if (cutting.hidden) return;
    const all = cuts(shown);
    cut.max = all.length - 1;
    if (shown.cut !== null) cut.value = all.findIndex((one) => one >= shown.cut);
    cutWords.textContent = wordsOfCut(all);
    cut.setAttribute("aria-valuetext", wordsOfCut(all));
  }

  function wordsOfCut(all) {
    if (shown.cut === null) return "Predictions are set by hand.";
    const isAbove = shown.cut > all.at(-2);
    return isAbove ? "No score is high enough." : `Predicted is what scores at least ${short(shown.cut)}.`;
  }

  function slide() {
    cutAt(shown, cuts(shown)[cut.value]);
    change(wordsOfCut(cuts(shown)), () => {});
  }

  // -------------------------------------------------------------------------- the parts

  mounted += 1;
  const sides = { y_pred: "the prediction", y_true: "the truth" };
  const radios = Object.entries(sides).map(([which, words]) => {
    const radio = make("input", { type: "radio", name: `mlm-side-${mounted}`, change: () => (side = which) });
    radio.checked = which === side;
    return make("label", {}, radio, ` ${words}`);
  });
  const cells = grid(flip);
  const said = make("p", { class: "mlm-said", role: "status" });
  const cut = make("input", { type: "range", min: 0, step: 1, input: slide });
  const cutWords = make("span", { class: "mlm-near" });
  const cutting = make("div", {}, make("label", {}, "Cut ", cut), " ", cutWords);
  const ranks = ranking(
    (i, label, place) => rescore(`${shown.labels[label]}: place ${place + 1}.`, () => move(shown, i, label, place)),
    (i, label) => rescore(`${shown.labels[label]}: its tie is another.`, () => tie(shown, i, label)),
  );
  const panel = numbers(metrics, (key) => {
    focus = key;
    panel.draw(shown, values, focus);
  });
  const switches = page.switches.map(({ says, choices }) => {
    const set = new Set(choices.flatMap(({ options }) => Object.keys(options)));
    const made = choice(says, choices.map((one, i) => [i, one.says]), (i) =>
      change(`${says}: ${choices[i].says}.`, () => {
        for (const option of set) delete shown.options[option];
        Object.assign(shown.options, choices[i].options);
      }),
    );
    return { ...made, isOf: (metric) => [...set].some((option) => option in metric.options) };
  });
  const challenge = choice("Challenge", [["", "none"], ...challenges.map(({ says }) => [says, says])], (says) =>
    change(says ? `Reach: ${says}.` : "No challenge.", () => {}),
  );
  const names = metrics.map((metric) => [metric.key, named(metric, {})]);
  const [first, second] = ["First metric", "Second metric"].map((words) => choice(words, names));
  first.list.value = FIRST;
  second.list.value = SECOND;
  const answer = make("div", { class: "mlm-found", role: "status" });

  element.replaceChildren(make(
    "div", { class: "mlm-explore" },
    make(
      "div", {},
      make("fieldset", {}, make("legend", {}, "A click changes"), ...radios),
      make("div", { class: "mlm-wide" }, cells.element),
      legend(MARKS),
      make("p", { class: "mlm-near" }, "Keys: arrows go from cell to cell, P changes the prediction, T the truth."),
      said, panel.focus, cutting, ranks.element,
    ),
    make("div", {}, panel.table),
    make(
      "div", { class: "mlm-below" },
      make("div", { class: "mlm-row" }, ...switches.map(({ label }) => label), challenge.label),
      make(
        "fieldset", {}, make("legend", {}, "Find data where these two disagree"),
        first.label, second.label, button("Find", search), answer,
      ),
      button("Start again", () => replace("The start.", page.shown)),
    ),
  ));
  count();
  said.textContent = became();

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
      panel.draw(shown, values, focus);
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
  const heard = {
    "change:shown": () => explorer.show(model.get("shown")),
    "change:counted": () => explorer.receive(model.get("counted")),
    "msg:custom": ({ found }) => explorer.found(found),
  };
  heard["change:shown"]();
  heard["change:counted"]();
  for (const [event, act] of Object.entries(heard)) model.on(event, act);
  return () => Object.entries(heard).forEach(([event, act]) => model.off(event, act));
}

export default { render };
